-- Neovim: a floating terminal with the image under the cursor, or with the image of the current buffer. Copy this
-- file to ~/.config/nvim/plugin/. The command is :Preview [FILE]; q closes the window.
vim.api.nvim_create_user_command("Preview", function(options)
  local file = options.args ~= "" and options.args or vim.fn.expand("<cfile>")
  if file == "" then file = vim.fn.expand("%:p") end
  local columns, rows = math.floor(vim.o.columns * 0.8), math.floor(vim.o.lines * 0.8)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_open_win(buffer, true, {
    relative = "editor", style = "minimal", border = "single",
    width = columns, height = rows,
    col = math.floor((vim.o.columns - columns) / 2), row = math.floor((vim.o.lines - rows) / 2) - 1,
  })
  -- The terminal of Neovim shows no pixels, and 24-bit colors only with termguicolors.
  local colors = vim.o.termguicolors and "24bit" or "256"
  vim.fn.termopen({ "termgallery", "preview", "--pixels", "off", "--colors", colors, "--", file })
  vim.keymap.set("n", "q", "<cmd>bwipeout!<cr>", { buffer = buffer })
end, { nargs = "?", complete = "file" })
