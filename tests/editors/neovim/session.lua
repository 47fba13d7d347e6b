-- One session in headless Neovim, 0.7 or later: open, consent, save, warning, code action, re-validate, report.
-- Environment: MPT_PLUGIN, MPT_COMMAND (a JSON list). The current folder holds demo.py.
local modern = vim.fn.has("nvim-0.11") == 1
local patience_ms = 180000

local function wait(what, seen)
  assert(vim.wait(patience_ms, seen, 50), "waited in vain for " .. what)
end

local function step(text)
  io.stdout:write("ok: " .. text .. "\n")
end

local function warnings()
  return vim.diagnostic.get(0)
end

local function session()
  vim.opt.runtimepath:prepend(vim.env.MPT_PLUGIN)
  vim.cmd("runtime plugin/mpt.lua")
  vim.cmd("filetype on")

  local questions = {}
  vim.lsp.handlers["window/showMessageRequest"] = function(_, params)
    table.insert(questions, params.message)
    return { title = "Allow" }
  end
  local told = {}
  vim.notify = function(message)
    table.insert(told, message)
  end

  require("mpt").setup({
    cmd = vim.fn.json_decode(vim.env.MPT_COMMAND),
    settings = { mpt = { select = "documented" } },
  })
  vim.cmd("edit demo.py")
  wait("the server", function()
    local client = require("mpt").client()
    return client and client.initialized ~= false and client.server_capabilities ~= nil
  end)
  step("the server runs")

  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "# saved" })
  vim.cmd("write")
  wait("a warning", function()
    return #warnings() == 1
  end)
  local warning = warnings()[1]
  assert(#questions == 1 and questions[1]:match("sends their signature and docstring"), vim.inspect(questions))
  assert(warning.message:match("largest_gap%(%[.*%]%).* returns %-%d+; 5 of 5 paraphrase programs return %d+"), warning.message)
  assert(warning.lnum == 3 and warning.col == 4 and warning.end_col == 15, vim.inspect(warning))
  assert(warning.severity == vim.diagnostic.severity.WARN)
  step("asked once, saved, warned: " .. warning.message)

  local marks = 0
  for _, namespace in pairs(vim.diagnostic.get_namespaces()) do
    local drawn = namespace.user_data.virt_text_ns
    marks = marks + (drawn and #vim.api.nvim_buf_get_extmarks(0, drawn, 0, -1, {}) or 0)
  end
  assert(marks >= 1, "no virtual text")
  step("the message stands behind the line")

  vim.api.nvim_win_set_cursor(0, { 4, 6 })
  local params = vim.lsp.util.make_range_params(0, "utf-16")
  params.context = { diagnostics = {} }
  local titles = {}
  for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, patience_ms)) do
    for _, action in ipairs(answer.result or {}) do
      table.insert(titles, action.title)
    end
  end
  assert(vim.tbl_contains(titles, "Re-validate function"), vim.inspect(titles))
  assert(vim.tbl_contains(titles, "Show disagreeing inputs"), vim.inspect(titles))
  step("code actions: " .. table.concat(titles, ", "))

  vim.cmd("Mpt revalidate")
  wait("the warning after a re-validation", function()
    return #warnings() == 1
  end)
  step("re-validated")

  local code = vim.api.nvim_get_current_win()
  vim.cmd("Mpt report")
  wait("the report", function()
    return vim.bo.filetype == "markdown"
  end)
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  assert(report:match("largest_gap: INCONSISTENT") and report:match("Paraphrase program 5"), report)
  assert(vim.bo.buftype == "nofile" and not vim.bo.modifiable)
  vim.cmd("close")
  vim.api.nvim_set_current_win(code)
  step("the report in a scratch buffer")

  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd("Mpt report")
  wait("word that there is nothing", function()
    return #told > 0
  end)
  assert(told[#told]:match("no report on a function here"), vim.inspect(told))
  vim.cmd("Mpt nonsense")
  assert(told[#told]:match("there are all, file, report, revalidate, stop"), vim.inspect(told))
  step("what is not there is said")

  vim.api.nvim_buf_set_lines(0, 9, 10, false, { "    return max((abs(a - b) for a, b in zip(numbers, numbers[1:])), default=0)" })
  wait("the warning to go with the edit", function()
    return #warnings() == 0
  end)
  step("an edit takes the warning away")
  vim.cmd("set nomodified")

  vim.cmd("checkhealth mpt")
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  assert(health:match("mpt%-server %d"), health)
  step("checkhealth")
end

local succeeded, problem = xpcall(session, debug.traceback)
if not succeeded then
  io.stdout:write("failed: " .. tostring(problem) .. "\n")
end
io.stdout:flush()
vim.cmd(succeeded and "quitall!" or "cquit 1")
