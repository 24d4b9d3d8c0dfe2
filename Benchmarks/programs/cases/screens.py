"""The gallery in terminals of several sizes."""

from pictures import write_feed
from plot import Chart

TITLE = "Cells on the screen"
X = "terminal"
CHARTS = [Chart("screens", "lines", "wall", "Time to a full first screen of local files",
                "seconds", x_label="cells of the terminal")]
SIZES = [(80, 24), (120, 40), (200, 60), (300, 90)]


def measure(bench):
    """Measures web images on disk, without data stored by earlier runs."""
    listed = write_feed(bench.scratch / "screens.txt", bench.pictures.web(200))
    contestants = []
    for columns, rows in SIZES[:2] if bench.quick else SIZES:
        contestants += bench.programs.gallery(listed, columns, rows, f"{columns}×{rows}")
    bench.contest(contestants, warm_up=True)
