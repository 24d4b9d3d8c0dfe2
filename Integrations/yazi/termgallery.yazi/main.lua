-- Shows images with characters. yazi draws the lines itself, so nothing stays on the screen.
local M = {}

function M:peek(job)
	local output = Command("termgallery")
		:arg({ "preview", "--offline", "--", tostring(job.file.url) })
		:env("COLUMNS", tostring(job.area.w))
		:env("LINES", tostring(job.area.h))
		:stdout(Command.PIPED)
		:output()
	if output then
		ya.preview_widget(job, ui.Text.parse(output.stdout):area(job.area))
	end
end

function M:seek() end

return M
