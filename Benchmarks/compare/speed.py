#!/usr/bin/env python3
"""Measures time and memory of `termgallery compare` for pairs of a megapixel.

    pip install numpy pillow
    speed.py PROGRAM [PAIRS]

Three kinds of pairs are measured: equal images, images with a changed area of 100 x 100 pixels, and
images of which every pixel differs. ImageMagick 7 compares ten pairs, one process each. The memory
includes decoding processes.
"""
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
from PIL import Image

SIDE = 1000
MAGICK_PAIRS = 10


def image():
    """Returns an image of waves."""
    y, x = numpy.mgrid[:SIDE, :SIDE]
    channels = [127 + 120 * numpy.sin(x / a + y / b) for a, b in ((9, 31), (23, 14), (41, 37))]
    return numpy.stack(channels, -1).astype("uint8")


def kinds():
    """Returns the second images by the name of their kind."""
    first = image()
    changed = first.copy()
    changed[200:300, 400:500] = 255 - changed[200:300, 400:500]
    random = numpy.random.default_rng(1)
    noisy = numpy.clip(first + random.integers(1, 12, first.shape), 0, 255).astype("uint8")
    return {"equal": first, "100 x 100 changed": changed, "all changed": noisy}


def fill(folder, pixels, count):
    """Writes an image, and hard links to it under other names."""
    folder.mkdir(exist_ok=True)
    Image.fromarray(pixels).save(folder / "0.png")
    for number in range(1, count):
        (folder / f"{number}.png").unlink(missing_ok=True)
        (folder / f"{number}.png").hardlink_to(folder / "0.png")


def peak_memory(process):
    """Returns the largest sum of the memory of a process and its children, in MB, until it ends."""
    peak = 0
    while process.poll() is None:
        listed = subprocess.run(
            ["ps", "-o", "rss=", "--pid", str(process.pid), "--ppid", str(process.pid)],
            capture_output=True, text=True).stdout
        peak = max(peak, sum(map(int, listed.split())))
        time.sleep(0.2)
    return peak / 1024


def measure(program, first, second, count):
    """Prints time and memory of a run."""
    begin = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [program, "compare", "--batch", "--no-disk-cache", first, second],
        stdout=subprocess.DEVNULL)
    memory = peak_memory(process)
    seconds = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"  termgallery  {1000 * seconds / count:6.0f} ms per pair,"
          f" {1000 * work / count:6.0f} ms processor time, {memory:5.0f} MB")


def measure_magick(first, second):
    """Prints the time of ImageMagick, if it is installed and has the metric SSIM (version 7)."""
    magick = shutil.which("magick")
    if not magick:
        return
    begin = time.monotonic()
    for number in range(MAGICK_PAIRS):
        name = f"{number}.png"
        status = subprocess.run(
            [magick, "compare", "-metric", "SSIM", first / name, second / name, "null:"],
            capture_output=True).returncode
        if status > 1:
            print("  ImageMagick  failed")
            return
    print(f"  ImageMagick  {1000 * (time.monotonic() - begin) / MAGICK_PAIRS:6.0f} ms per pair")


def main():
    """Measures all kinds of pairs."""
    count = int(sys.argv[2]) if sys.argv[2:] else 200
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "a"), Path(folder, "b")
        fill(first, image(), count)
        for kind, pixels in kinds().items():
            fill(second, pixels, count)
            print(f"{kind}, {count} pairs")
            measure(sys.argv[1], first, second, count)
            measure_magick(first, second)


if __name__ == "__main__":
    main()
