#!/usr/bin/env python3
"""Counts wrong thumbnails in JPEG files that a program shows instead of the image.

    apt-get install libimage-exiftool-perl; pip install numpy pillow
    stand_ins.py PROGRAM PHOTO…

exiftool inserts a thumbnail of 160 pixels into a copy of each photograph, once for each way below.
The program prints each copy twice, with and without --exact. If the results differ, it used the
thumbnail. The table is Markdown; PSNR is between the two results.
"""
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from PIL import Image, ImageFilter, ImageOps

LONGEST = 160
# One column per pixel, and one row per two pixels: less than the thumbnail has.
COLUMNS, ROWS = 100, 38
CELL = re.compile(r"\x1b\[([0-9;]*)m|(.)")


def part(image, left, top, right, bottom):
    """Returns the part between four fractions of the sides."""
    width, height = image.size
    return image.crop((int(left * width), int(top * height), int(right * width),
                       int(bottom * height)))


def shifted(image, share):
    """Returns the image, moved to the right by a share of its width; the rest follows on the left."""
    pixels = numpy.asarray(image)
    return Image.fromarray(numpy.roll(pixels, int(share * pixels.shape[1]), axis=1))


def adobe_rgb(image):
    """Returns the image in the curve of Adobe RGB and with less color, as without its profile."""
    pixels = (numpy.asarray(image) / 255) ** 2.2
    gray = pixels.mean(axis=2, keepdims=True)
    return Image.fromarray(numpy.uint8(255 * (gray + 0.72 * (pixels - gray)) ** (1 / 2.2) + 0.5))


def barred(image):
    """Returns the image as 16:9 between black bars, with its sides cut off at the bars."""
    whole = part(image, 0, 0.2, 1, 0.8)
    canvas = Image.new("RGB", image.size)
    canvas.paste(whole, (0, (image.height - whole.height) // 2))
    return canvas


# Each way makes a thumbnail of a photograph; `other` is the next photograph.
RIGHT = {
    "its own": lambda image, other: image,
    "its own, sharpened": lambda image, other: image.filter(ImageFilter.UnsharpMask(2, 80)),
}
WRONG = {
    "another photograph": lambda image, other: other,
    "the middle 80 %": lambda image, other: part(image, 0.1, 0.1, 0.9, 0.9),
    "the upper left 90 %": lambda image, other: part(image, 0, 0, 0.9, 0.9),
    "the middle 60 % between bars": lambda image, other: barred(image),
    "mirrored": lambda image, other: ImageOps.mirror(image),
    "upside down": lambda image, other: image.rotate(180),
    "moved by 10 %": lambda image, other: shifted(image, 0.1),
    "gray": lambda image, other: ImageOps.grayscale(image),
    "Adobe RGB without a profile": lambda image, other: adobe_rgb(image),
    "red and blue exchanged": lambda image, other: Image.merge("RGB", image.split()[::-1]),
    "twice as bright": lambda image, other: image.point(lambda level: min(255, level * 2)),
    "negative": lambda image, other: ImageOps.invert(image),
}


def pixels(program, path, *options):
    """Returns the pixels that the program prints, two in each cell."""
    text = subprocess.run(
        [program, "print", "--size", f"{COLUMNS}x{ROWS}", "--columns", "1", "--colors", "24bit",
         "--symbols", "half", "--pixels", "off", "--no-disk-cache", *options, path],
        capture_output=True, text=True, check=True).stdout
    rows = []
    for line in text.splitlines():
        if "\x1b[" not in line or "48;2" not in line:
            continue
        front = back = None
        row = []
        for codes, sign in CELL.findall(line):
            numbers = [int(number or 0) for number in codes.split(";")] if not sign else []
            while numbers:
                if numbers[:2] == [38, 2]:
                    front, numbers = tuple(numbers[2:5]), numbers[5:]
                elif numbers[:2] == [48, 2]:
                    back, numbers = tuple(numbers[2:5]), numbers[5:]
                elif numbers.pop(0) == 0:
                    front = back = None
            pair = {"▀": (front, back), "▄": (back, front), "█": (front, front), " ": (back, back)}
            if sign and None not in pair[sign]:
                row.append(pair[sign])
        rows.append(row)
    if not rows:
        raise ValueError(f"{path}: no image: {text}")
    # The last row may have only an upper half.
    return numpy.array([row for row in rows if len(row) == len(rows[0])], dtype=float)


def photographs(paths):
    """Returns the photographs upright, with the sides of the original."""
    return [ImageOps.exif_transpose(Image.open(path)).convert("RGB") for path in paths]


def main():
    """Prints the table."""
    program, paths = sys.argv[1], sys.argv[2:]
    images = photographs(paths)
    print("| thumbnail | files | used | PSNR of the used ones |")
    print("|---|--:|--:|---|")
    with tempfile.TemporaryDirectory() as folder:
        thumbnail, file = Path(folder, "thumbnail.jpg"), Path(folder, "photograph.jpg")
        for name, change in (RIGHT | WRONG).items():
            used = []
            for place, image in enumerate(images):
                changed = change(image, images[(place + 1) % len(images)])
                height = round(LONGEST * image.height / image.width)
                changed.resize((LONGEST, height), Image.LANCZOS).save(thumbnail, quality=85)
                image.save(file, quality=92)
                subprocess.run(
                    ["exiftool", "-q", "-overwrite_original", f"-ThumbnailImage<={thumbnail}",
                     f"-ExifImageWidth={image.width}", f"-ExifImageHeight={image.height}", file],
                    check=True)
                shown, exact = pixels(program, file), pixels(program, file, "--exact")
                count = min(len(shown), len(exact))
                if error := ((shown[:count] - exact[:count]) ** 2).mean():
                    used.append(10 * math.log10(255**2 / error))
            kind = "right" if name in RIGHT else "wrong"
            figures = ", ".join(f"{figure:.1f}" for figure in sorted(used))
            print(f"| {name} ({kind}) | {len(images)} | {len(used)} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
