--- The language server of mpt in Neovim 0.7 and later.
---
--- Neovim 0.11 and later knows how to start it (lsp/mpt.lua); `setup` does the same for 0.7 to 0.10.
local M = {}

local modern = vim.fn.has("nvim-0.11") == 1

--- What vim.lsp needs to know of the server.
function M.config()
  return {
    name = "mpt",
    cmd = { "mpt-server" },
    filetypes = { "python" },
    root_markers = { "pyproject.toml", "setup.py", "setup.cfg", ".git" },
    capabilities = vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), {
      window = { showDocument = { support = true } },
      workspace = { configuration = true }, -- 0.7 answers it without saying so
    }),
    handlers = { ["window/showDocument"] = M.show_document },
    on_attach = M.on_attach,
  }
end

--- Starts the server for Python buffers. `options` are laid over `config`:
--- `require("mpt").setup({ settings = { mpt = { select = "documented" } } })`.
function M.setup(options)
  if modern then
    vim.lsp.config("mpt", options or {})
    vim.lsp.enable("mpt")
    return
  end
  local config = vim.tbl_deep_extend("force", M.config(), options or {})
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("mpt", { clear = true }),
    pattern = config.filetypes,
    callback = function(event)
      M._attach(config, event.buf)
    end,
  })
end

--- One server a root, as vim.lsp.enable does it.
function M._attach(config, buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  if vim.bo[buffer].buftype ~= "" or file == "" then
    return
  end
  local root = M._root(config.root_markers, vim.fn.fnamemodify(file, ":p:h"))
  local client = vim.tbl_filter(function(one)
    return one.name == "mpt" and one.config.root_dir == root
  end, vim.lsp.get_active_clients())[1]
  local id = client and client.id
    or vim.lsp.start_client(vim.tbl_extend("force", config, {
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    }))
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

--- The nearest folder at or above `folder` that holds a marker; `folder` itself where none does.
function M._root(markers, folder)
  local above = folder
  while true do
    for _, marker in ipairs(markers) do
      if vim.loop.fs_stat(above .. "/" .. marker) then
        return above
      end
    end
    local parent = vim.fn.fnamemodify(above, ":h")
    if parent == above then
      return folder
    end
    above = parent
  end
end

--- Shows messages behind the lines, which Neovim 0.11 does not do by itself.
function M.on_attach(client)
  vim.diagnostic.config({ virtual_text = true }, vim.lsp.diagnostic.get_namespace(client.id))
end

--- The report is shown in a scratch buffer beside the code; anything else as a file.
function M.show_document(_, params)
  local file = vim.uri_to_fname(params.uri)
  if vim.fn.filereadable(file) == 0 then
    return { success = false }
  end
  if not file:match("%.md$") then
    vim.cmd("split " .. vim.fn.fnameescape(file))
    return { success = true }
  end
  vim.cmd("vertical new")
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.fn.readfile(file))
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].filetype = "markdown"
  vim.bo[buffer].modifiable = false
  return { success = true }
end

local function tell(message)
  vim.notify("mpt: " .. message, vim.log.levels.WARN)
end

local function request(client, method, params, answered, buffer)
  if modern then
    client:request(method, params, answered, buffer)
  else
    client.request(method, params, answered, buffer)
  end
end

local function execute(client, command, arguments, buffer)
  request(client, "workspace/executeCommand", { command = command, arguments = arguments }, function(problem)
    if problem then
      tell(problem.message)
    end
  end, buffer)
end

--- The server says which function the cursor is in: by what it offers to do there.
local function on_function(command)
  return function(client, buffer)
    local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
    params.context = { diagnostics = {} }
    request(client, "textDocument/codeAction", params, function(_, actions)
      for _, action in ipairs(actions or {}) do
        if type(action.command) == "table" and action.command.command == command then
          return execute(client, command, action.command.arguments, buffer)
        end
      end
      tell(command == "mpt.revalidate" and "no documented function here" or "no report on a function here")
    end, buffer)
  end
end

local function on_file(client, buffer)
  execute(client, "mpt.revalidateFile", { vim.uri_from_bufnr(buffer) }, buffer)
end

local function on_all(command)
  return function(client, buffer)
    execute(client, command, {}, buffer)
  end
end

local commands = {
  revalidate = on_function("mpt.revalidate"),
  report = on_function("mpt.showDisagreements"),
  file = on_file,
  all = on_all("mpt.revalidateAll"),
  stop = on_all("mpt.stop"),
}

function M.subcommands()
  return vim.fn.sort(vim.tbl_keys(commands))
end

function M.command(name)
  local run = commands[name]
  if not run then
    return tell("no subcommand " .. name .. "; there are " .. table.concat(M.subcommands(), ", "))
  end
  local client = M.client()
  if not client then
    return tell("the language server is not running here; see :checkhealth mpt")
  end
  run(client, vim.api.nvim_get_current_buf())
end

--- The server of the current buffer; nil: there is none.
function M.client()
  local clients = modern and vim.lsp.get_clients({ bufnr = 0 }) or vim.tbl_values(vim.lsp.buf_get_clients(0))
  return vim.tbl_filter(function(client)
    return client.name == "mpt"
  end, clients)[1]
end

return M
