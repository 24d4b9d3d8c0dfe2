#!/usr/bin/env python3
"""Writes AVIF files with transformations and gray samples, a WebP file with hidden colors and a compressed
SVG into Formats/, and as NAME.png what Pillow decodes them to.

    pip install pillow imagecodecs
    python3 make-transformed.py
"""
import gzip
import io
import os
import shutil
import struct

import imagecodecs
import numpy
from PIL import Image, ImageDraw, ImageOps

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Formats")
WIDTH, HEIGHT = 48, 36


def path(name):
    return os.path.join(folder, name)


def scene():
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            image.putpixel((x, y), (40 + 180 * x // WIDTH, 60 + 150 * y // HEIGHT, 120))
    ImageDraw.Draw(image).ellipse([6, 4, 22, 20], fill=(230, 60, 40))
    return image


def boxes(data, start, end):
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start : start + 8])
        yield kind, start, start + size
        start += size


def find(data, start, end, kind):
    return next((begin, stop) for name, begin, stop in boxes(data, start, end) if name == kind)


def with_properties(data, properties, first=False):
    """Adds properties of the primary item to the end of ipco, listed first or last in ipma, version 0."""
    data = bytearray(data)
    meta = find(data, 0, len(data), b"meta")
    iprp = find(data, meta[0] + 12, meta[1], b"iprp")
    ipco = find(data, iprp[0] + 8, iprp[1], b"ipco")
    ipma = find(data, iprp[0] + 8, iprp[1], b"ipma")
    iloc = find(data, meta[0] + 12, meta[1], b"iloc")
    known = sum(1 for _ in boxes(data, ipco[0] + 8, ipco[1]))
    added = b"".join(properties)
    indices = bytes(0x80 | (known + 1 + index) for index in range(len(properties)))
    growth = len(added) + len(indices)
    # The item is the first of ipma: number of items (32) | id (16) | number of properties (8) | …
    place = ipma[0] + 18
    count = data[place]
    at = place + 1 if first else place + 1 + count
    data[place] = count + len(indices)
    # iloc, version 0, offsets and lengths of 4 bytes, no base: id, reference, extents, offset, length.
    assert data[iloc[0] + 8] == 0 and data[iloc[0] + 12] == 0x44 and data[iloc[0] + 13] == 0
    entry = iloc[0] + 16
    for _ in range(struct.unpack(">H", data[iloc[0] + 14 : iloc[0] + 16])[0]):
        extents = struct.unpack(">H", data[entry + 4 : entry + 6])[0]
        entry += 6
        for _ in range(extents):
            offset = struct.unpack(">I", data[entry : entry + 4])[0]
            data[entry : entry + 4] = struct.pack(">I", offset + growth)
            entry += 8
    for box, more in [(meta, growth), (iprp, growth), (ipco, len(added)), (ipma, len(indices))]:
        size = struct.unpack(">I", data[box[0] : box[0] + 4])[0]
        data[box[0] : box[0] + 4] = struct.pack(">I", size + more)
    data[at:at] = indices
    data[ipco[1] : ipco[1]] = added
    return bytes(data)


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def avif(image, **options):
    file = io.BytesIO()
    image.save(file, "AVIF", quality=90, **options)
    return file.getvalue()


def save(name, data, change=lambda image: image):
    """`change` is applied to what Pillow decodes without applying transformations."""
    with open(path(name), "wb") as file:
        file.write(data)
    with Image.open(path(name)) as image:
        change(image.convert("RGBA")).save(path(name + ".png"), optimize=True)


def crop(width, height):
    values = [width, 1, height, 1, 4, 1, 0, 1]
    return box(b"clap", struct.pack(">8I", *values))


plain = avif(scene(), subsampling="4:4:4")
right = [box(b"irot", b"\x03"), box(b"imir", b"\x01")]


def turn_and_mirror(image):
    return ImageOps.mirror(image.transpose(Image.Transpose.ROTATE_270))


alpha = scene().convert("RGBA")
mask = Image.new("L", alpha.size, 255)
ImageDraw.Draw(mask).rectangle([0, 0, 23, 11], fill=60)
alpha.putalpha(mask)
save("turned.avif", with_properties(plain, right), turn_and_mirror)
# A rotation that is listed before the size.
save("early.avif", with_properties(plain, right[:1], first=True),
     lambda image: image.transpose(Image.Transpose.ROTATE_270))
save("turnedalpha.avif", with_properties(avif(alpha, subsampling="4:4:4"), right), turn_and_mirror)
# 4 pixels right of the middle.
save("cropped.avif", with_properties(plain, [crop(30, 20)]), lambda image: image.crop((13, 8, 43, 28)))
save("gray.avif", avif(scene().convert("L"), subsampling="4:0:0", range="limited"))

samples = numpy.asarray(scene()).astype("u2") * 4
deep = imagecodecs.avif_encode(samples, level=95, bitspersample=10, pixelformat="444")
save("mirrored10bit.avif", with_properties(deep, [box(b"imir", b"\x01")]), ImageOps.mirror)

# Black on white that is hidden by alpha.
text = Image.new("RGBA", (120, 48), (255, 255, 255, 0))
draw = ImageDraw.Draw(text)
for x in range(4, 116, 8):
    draw.rectangle([x, 6, x + 3, 41], fill=(0, 0, 0, 255))
text.save(path("hidden.webp"), quality=80, exact=True)
with Image.open(path("hidden.webp")) as image:
    image.convert("RGBA").save(path("hidden.webp.png"), optimize=True)

with open(path("drawing.svg"), "rb") as file:
    data = gzip.compress(file.read(), mtime=0)
with open(path("drawing.svgz"), "wb") as file:
    file.write(data)
shutil.copy(path("drawing.svg.png"), path("drawing.svgz.png"))
