#!/usr/bin/env python3
"""Compares the figures of `termgallery compare` with those of scikit-image.

    pip install numpy pillow scikit-image
    agreement.py PROGRAM

Makes 50 pairs of images from a fixed seed: noise, JPEG artifacts, shifts, changed areas, other
brightness, transparency, and pairs with few changes, from 11 x 11 pixels to half a megapixel. The
exit status is 1 if a figure differs by 0.001 or more.
"""
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from PIL import Image
from skimage.color import deltaE_ciede2000, rgb2lab
from skimage.metrics import structural_similarity

COUNT = 50
LIMIT = 0.001


def smooth(random, width, height):
    """Returns an opaque image of overlapping waves with some noise, as RGBA."""
    y, x = numpy.mgrid[:height, :width]
    channels = [127 + 100 * numpy.sin(x / random.uniform(3, 40) + y / random.uniform(3, 40)
                                      + random.uniform(0, 6)) + random.normal(0, 6, x.shape)
                for _ in range(3)]
    alpha = numpy.full(x.shape, 255.0)
    return numpy.clip(numpy.stack([*channels, alpha], -1), 0, 255).astype("uint8")


def noise(random, image):
    """Adds noise to every pixel."""
    image[..., :3] = numpy.clip(image[..., :3] + random.normal(0, 12, image[..., :3].shape), 0, 255)


def artifacts(random, image):
    """Stores the image as a JPEG file and decodes it."""
    file = io.BytesIO()
    Image.fromarray(image[..., :3]).save(file, "JPEG", quality=int(random.integers(20, 95)))
    image[..., :3] = numpy.asarray(Image.open(file))


def shift(random, image):
    """Moves the image by up to three pixels."""
    image[:] = numpy.roll(image, random.integers(1, 4, 2), (0, 1))


def area(random, image):
    """Inverts the colors of a rectangle."""
    top, left = (int(random.integers(0, side // 2)) for side in image.shape[:2])
    part = image[top:top + image.shape[0] // 3, left:left + image.shape[1] // 3, :3]
    part[:] = 255 - part


def brightness(random, image):
    """Changes the brightness by up to a fifth."""
    image[..., :3] = numpy.clip(image[..., :3] * random.uniform(0.8, 1.2), 0, 255)


def transparency(random, image):
    """Makes a random part of the pixels transparent to different degrees."""
    clear = random.random(image.shape[:2]) < random.uniform(0.1, 0.9)
    image[..., 3] = numpy.where(clear, random.integers(0, 256, clear.shape), 255)


def pixels(random, image):
    """Changes up to ten pixels."""
    for _ in range(random.integers(1, 11)):
        row, column = (random.integers(0, side) for side in image.shape[:2])
        image[row, column, :3] = random.integers(0, 256, 3)


CHANGES = (noise, artifacts, shift, area, brightness, transparency, pixels)


def pair(number):
    """Returns two images of the same size."""
    random = numpy.random.default_rng(number)
    sides = (11, 11) if number == 0 else random.integers(11, 800, 2)
    first = smooth(random, *sides)
    second = first.copy()
    CHANGES[number % len(CHANGES)](random, second)
    return first, second


def on_white(image):
    """Returns the colors of an image on white, rounded to 8 bits."""
    color, alpha = image[..., :3].astype(int), image[..., 3:].astype(int)
    return ((color * alpha + 255 * (255 - alpha) + 127) // 255).astype("uint8")


def figures(first, second):
    """Returns the figures of scikit-image with the keys of the program."""
    changed = int((first != second).any(-1).sum())
    first, second = on_white(first), on_white(second)
    differences = deltaE_ciede2000(rgb2lab(first), rgb2lab(second))
    similarity = structural_similarity(
        first, second, gaussian_weights=True, sigma=1.5, use_sample_covariance=False,
        data_range=255, channel_axis=2)
    return {"changed_pixels": changed, "delta_e_mean": differences.mean(),
            "delta_e_p99": numpy.percentile(differences, 99), "ssim": similarity}


def main():
    """Prints the largest difference of each figure."""
    largest = {}
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "a"), Path(folder, "b")
        first.mkdir()
        second.mkdir()
        expected = {}
        for number in range(COUNT):
            images = pair(number)
            name = f"{number}.png"
            for place, image in zip((first, second), images):
                Image.fromarray(image).save(place / name)
            expected[name] = figures(*images)
        output = subprocess.run(
            [sys.argv[1], "compare", "--batch", "--no-disk-cache", first, second],
            capture_output=True, text=True).stdout
    found = {line["name"]: line for line in map(json.loads, output.splitlines())}
    for name, values in expected.items():
        for key, value in values.items():
            difference = abs(found[name][key] - value)
            largest[key] = max(largest.get(key, (0, "")), (float(difference), name))
    print(f"{len(found)} pairs")
    for key, (difference, name) in largest.items():
        print(f"{key:15} largest difference {difference:.1e} ({name})")
    return 1 if any(difference >= LIMIT for difference, _ in largest.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
