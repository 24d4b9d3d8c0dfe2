"""Long lists: the first screen of the gallery, and the memory of `fetch`."""

from pictures import write_feed
from plot import Chart

TITLE = "Lists of a thousand to a million lines"
X = "lines"
CHARTS = [Chart("lists-screen", "lines", "wall", "Time to the gallery's first screen, 80×24",
                "seconds", x_label="lines of the list", only="gallery"),
          Chart("lists-memory", "lines", "peak", "Peak memory", "MB",
                x_label="lines of the list")]


def measure(bench):
    """Measures the gallery with local images, and fetch with one image that is repeated and with missing
    files."""
    lengths = [10 ** 3, 10 ** 4, 10 ** 5] + ([] if bench.quick else [10 ** 6])
    pictures, programs, scratch = bench.pictures.small(100), bench.programs, bench.scratch
    galleries, repeated, missing = [], [], []
    for length in lengths:
        listed = write_feed(scratch / f"list-{length}.txt",
                            (pictures[number % 100] for number in range(length)))
        for each in programs.gallery(listed, 80, 24, length):
            each.variant = "gallery"
            galleries.append(each)
        one = write_feed(scratch / f"one-{length}.txt", (pictures[0] for _ in range(length)))
        repeated += programs.termgallery(["fetch", "--no-disk-cache", one], length,
                                         "fetch, one image")
        if bench.quick and length > 10 ** 4:
            continue  # would take seconds, and shorter lists show the memory as well
        none = write_feed(scratch / f"none-{length}.txt",
                          (f"/nowhere/{number}.jpg" for number in range(length)))
        missing += programs.termgallery(["fetch", "--no-disk-cache", none], length,
                                        "fetch, missing files", status=1)
    bench.contest(galleries, warm_up=True)
    # A million missing files take half a minute, and memory differs little between runs.
    bench.contest(repeated, runs=None if bench.quick else 1)
    bench.contest(missing, runs=None if bench.quick else 1)
