#!/usr/bin/env python3
"""Writes Formats/minimized.avif: the image and alpha of alpha.avif with a minimized header.

    python3 make-minimized.py

The fields of the header ("mini") are in ISO/IEC 23008-12, annex O. The reference is that of alpha.avif;
Chromium 156 shows the same pixels for both files.
"""
import os
import shutil
import struct

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Formats")


def box(kind, *contents):
    content = b"".join(contents)
    return struct.pack(">I4s", 8 + len(content), kind) + content


def contents(data, kind):
    """Returns the contents of all boxes of a kind, wherever they are."""
    found, start = [], data.find(kind)
    while start >= 0:
        size = struct.unpack(">I", data[start - 4 : start])[0]
        found.append(data[start + 4 : start - 4 + size])
        start = data.find(kind, start + 1)
    return found


def item(data, place):
    """Returns the coded data of an item, by its offset and length in iloc."""
    start, length = struct.unpack(">II", contents(data, b"iloc")[0][place : place + 8])
    return data[start : start + length]


with open(os.path.join(folder, "alpha.avif"), "rb") as file:
    data = file.read()
# version, flags | sizes | number of items | for each: id, 0, 1 (16 bits each), offset, length
image, alpha = item(data, 14), item(data, 28)
config, alpha_config = contents(data, b"av1C")
fields = [
    (0, 2), (0, 2),  # version, no types, no floats
    (1, 1), (1, 1), (0, 5),  # full range, alpha; no color codes, HDR, profile, EXIF, XMP
    (3, 2), (0, 3),  # 4:4:4, upright
    (0, 1), (48 - 1, 7), (36 - 1, 7),  # small size
    (0, 1), (0, 1),  # 8 bits, alpha not premultiplied
    (0, 1), (0, 1),  # small configurations and images
    (len(config), 3), (len(image) - 1, 15), (len(alpha), 15), (len(alpha_config), 3),
]
bits = "".join(f"{value:0{width}b}" for value, width in fields)
bits += "0" * (-len(bits) % 8)
header = int(bits, 2).to_bytes(len(bits) // 8, "big")
with open(os.path.join(folder, "minimized.avif"), "wb") as file:
    file.write(box(b"ftyp", b"mif3avif")
               + box(b"mini", header, config, alpha_config, alpha, image))
shutil.copy(os.path.join(folder, "alpha.avif.png"), os.path.join(folder, "minimized.avif.png"))
