"""A feed from a server on this machine to thumbnails on the screen."""

from contestants import PRINT
from pictures import mean_size, write_feed
from plot import Chart
from server import Server

TITLE = "Feed to thumbnails"
X = "state"
CHARTS = [Chart("feed", "bars", "wall", "A feed from nginx on this machine to cells of 40×20",
                "seconds, less is better")]


def measure(bench):
    """Cold: nothing is stored, curl downloads. Warm: termgallery has its cache, the others have the files."""
    files = bench.pictures.web(40 if bench.quick else 200)
    what = f"{len(files)} images of {mean_size(files)}"
    with Server(bench.pictures.folder, bench.scratch) as server:
        urls = [f"{server.base}/web/{file.name}" for file in files]
        listed = write_feed(bench.scratch / "feed.txt", urls)
        programs = bench.programs
        cold = f"cold, {what}"
        bench.contest(programs.termgallery([*PRINT, listed], cold, "print", cold=True)
                      + programs.viewers_after_curl(urls, cold, ""))
        warm = f"warm, {what}"
        bench.contest(programs.termgallery([*PRINT, listed], warm, "print")
                      + programs.viewers(files, warm), warm_up=True)
