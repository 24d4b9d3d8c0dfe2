"""One JPEG of 0.1 to 24 megapixels."""

from contestants import PRINT
from pictures import MEGAPIXELS
from plot import Chart

TITLE = "Image sizes"
X = "megapixels"
CHARTS = [Chart("sizes", "lines", "wall", "One JPEG to cells of 40×20, with the program's start",
                "seconds", x_label="megapixels"),
          Chart("sizes-memory", "lines", "peak", "The same: peak memory", "MB",
                x_label="megapixels")]


def measure(bench):
    """Compares termgallery print, timg and chafa, with one run per image."""
    for size in [0.1, 1, 12] if bench.quick else MEGAPIXELS:
        file = bench.pictures.sized(size)
        bench.contest(bench.programs.termgallery([*PRINT, "--no-disk-cache", file], size)
                      + bench.programs.viewers([file], size), warm_up=True)
