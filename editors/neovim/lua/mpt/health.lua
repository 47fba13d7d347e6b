--- :checkhealth mpt
local M = {}

local health = vim.health or require("health")
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local failed = health.error or health.report_error

--- The command that would be run, or is.
local function command(client)
  if client then
    return client.config.cmd
  end
  local configured = vim.lsp.config and vim.lsp.config.mpt
  return (configured or require("mpt").config()).cmd
end

function M.check()
  start("mpt")
  if vim.fn.has("nvim-0.7") == 1 then
    ok("Neovim is new enough")
  else
    failed("Neovim 0.7 or later is needed")
  end
  local client = require("mpt").client()
  local cmd = command(client)
  if vim.fn.executable(cmd[1]) == 0 then
    failed(cmd[1] .. " cannot be run", {
      "Install it: pip install 'metamorphic-prompt-testing[local]'",
      "or set `cmd` to where it is",
    })
    return
  end
  local version = vim.fn.system(vim.fn.extend(vim.deepcopy(cmd), { "--version" }))
  if vim.v.shell_error == 0 then
    ok(vim.trim(version) .. " (" .. vim.fn.exepath(cmd[1]) .. ")")
  else
    failed(cmd[1] .. " --version failed: " .. vim.trim(version))
  end
  if client then
    ok("the language server runs in this buffer")
  else
    warn("the language server does not run in this buffer", {
      'Neovim 0.11 and later: vim.lsp.enable("mpt")',
      'earlier: require("mpt").setup()',
    })
  end
end

return M
