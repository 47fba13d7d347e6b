-- For Neovim 0.11 and later: `vim.lsp.enable("mpt")`, after `vim.lsp.config("mpt", { … })` for what differs.
return require("mpt").config()
