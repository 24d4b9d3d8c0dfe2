"""Files on disk to cells on standard output, with all images of a kind in one run."""

from contestants import PRINT
from pictures import mean_size
from plot import Chart

TITLE = "Decode to cells"
X = "images"
CHARTS = [Chart("decode", "bars", "wall", "Files to cells of 40×20, one run for all of them",
                "seconds, less is better")]


def measure(bench):
    """Compares termgallery print, timg and chafa on four kinds of images."""
    count = 12 if bench.quick else 40
    kinds = {"web JPEG": bench.pictures.web(count),
             "progressive JPEG": bench.pictures.progressive(count),
             "camera JPEG": bench.pictures.camera()[:3 if bench.quick else 8],
             "PNG": bench.pictures.png(5 if bench.quick else 10)}
    for kind, files in kinds.items():
        x = f"{len(files)} × {kind}, {mean_size(files)}"
        bench.contest(
            bench.programs.termgallery([*PRINT, "--no-disk-cache", *files], x)
            + bench.programs.viewers(files, x), warm_up=True)
