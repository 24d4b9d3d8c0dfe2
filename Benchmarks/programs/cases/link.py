"""The same feed over a link of 50 Mbit/s."""

from contestants import PRINT
from pictures import mean_size, write_feed
from plot import Chart
from server import Server, SlowLink

TITLE = "The same over 50 Mbit/s"
X = "state"
CHARTS = [Chart("link", "bars", "wall", "A feed over 50 Mbit/s to cells of 40×20",
                "seconds, less is better")]


def measure(bench):
    """Measures only the cold state, because in the warm state nothing is transferred."""
    files = bench.pictures.web(24 if bench.quick else 100)
    x = f"cold, {len(files)} images of {mean_size(files)}"
    with SlowLink() as link, Server(bench.pictures.folder, bench.scratch, link) as server:
        urls = [f"{server.base}/web/{file.name}" for file in files]
        listed = write_feed(bench.scratch / "slow-feed.txt", urls)
        bench.contest(bench.programs.termgallery([*PRINT, listed], x, "print", cold=True)
                      + bench.programs.viewers_after_curl(urls, x, ""))
