#!/usr/bin/env python3
"""Writes the TIFF files of Formats/ whose samples libtiff does not convert, and their references.

    pip install tifffile imagecodecs numpy pillow
    python3 make-tiff-samples.py

The reference NAME.png is what numpy makes of the samples that tifffile reads from the file: integers
reduced to 8 bits from their entire range, floating-point values clipped at 0 and 1. For L*a*b*, it is what
littlecms makes of them.
"""
import os

import numpy
import tifffile
from PIL import Image, ImageCms

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Formats")
WIDTH, HEIGHT = 24, 16


def ramp(channels):
    """From -0.1 to 1.1, a different slope for each channel."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    planes = [(x / (WIDTH - 1) * (1 - c / 8) + y / (HEIGHT - 1) * c / 8) for c in range(channels)]
    values = numpy.stack(planes, -1) * 1.2 - 0.1
    return values if channels > 1 else values[..., 0]


def levels(samples, bits):
    """8-bit levels of samples that were read."""
    if samples.dtype.kind == "f":
        return numpy.floor(numpy.clip(samples.astype(float), 0, 1) * 255 + 0.5)
    low = -(1 << bits - 1) if samples.dtype.kind == "i" else 0
    top = (1 << bits) - 1
    return numpy.round((samples.astype(float) - low) * 255 / top)


def save(name, samples, bits, inverted=False, **options):
    path = os.path.join(folder, name)
    tifffile.imwrite(path, samples, metadata=None, **options)
    found = levels(tifffile.imread(path), bits)
    if found.ndim == 3 and found.shape[0] in (3, 4):
        found = numpy.moveaxis(found, 0, -1)
    found = 255 - found if inverted else found
    Image.fromarray(found.astype("uint8")).save(path + ".png", optimize=True)


def integers(channels, kind, bits):
    values = numpy.clip(ramp(channels), 0, 1)
    low = -(1 << bits - 1) if kind[0] == "i" else 0
    return (values * ((1 << bits) - 1) + low).astype(kind)


save("signed8.tiff", integers(3, "i1", 8), 8, photometric="rgb")
save("signed16.tiff", integers(1, "i2", 16), 16, photometric="minisblack", byteorder=">")
save("bits12.tiff", integers(1, "u2", 12), 12, photometric="minisblack", bitspersample=12)
save("bits6.tiff", integers(3, "u1", 6), 6, photometric="rgb", bitspersample=6)
save("bits32.tiff", integers(1, "u4", 32), 32, photometric="miniswhite", inverted=True, byteorder=">")
save("bits64.tiff", integers(1, "u8", 64), 64, photometric="minisblack", bigtiff=True)
save("float16.tiff", ramp(3).astype("f2"), 16, photometric="rgb", rowsperstrip=5)
save("float32.tiff", ramp(3).astype("f4"), 32, photometric="rgb", compression="zlib", predictor=3, byteorder=">")
save("float64.tiff", ramp(4).astype("f8"), 64, photometric="rgb", extrasamples=["unassalpha"])
save("float32tiles.tiff", numpy.moveaxis(ramp(3), -1, 0).astype("f4"), 32, photometric="rgb", planarconfig="separate", tile=(16, 16))
save("bits4.tiff", integers(3, "u1", 4), 4, photometric="rgb", bitspersample=4)


def save_lab(name, dtype, scale):
    """Colors inside sRGB, and grays in the first row: L* from 0 to 255, a* and b* from -128 to 127."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    lab = numpy.stack([80 + 5 * x, 3 * y - 20, 30 - 4 * y + x], -1)
    lab[0] = numpy.stack([255 * x[0] // (WIDTH - 1), 0 * x[0], 0 * x[0]], -1)
    path = os.path.join(folder, name)
    tifffile.imwrite(path, (lab * scale).astype(dtype), photometric="cielab", metadata=None)
    reference = Image.fromarray(lab.astype("i2").astype("u1"), "LAB")
    profiles = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
    ImageCms.profileToProfile(reference, *profiles, outputMode="RGB").save(path + ".png", optimize=True)


save_lab("lab8.tiff", "u1", [1, 1, 1])
save_lab("lab16.tiff", "u2", [257, 256, 256])
