-- :Mpt SUBCOMMAND, for the buffer one is in.
vim.api.nvim_create_user_command("Mpt", function(call)
  require("mpt").command(call.args)
end, {
  nargs = 1,
  complete = function(typed)
    return vim.tbl_filter(function(name)
      return vim.startswith(name, typed)
    end, require("mpt").subcommands())
  end,
  desc = "mpt: revalidate, file, all, report, stop",
})
