#!/usr/bin/env python3
"""Writes Camera/: files with smaller pictures in them, as cameras and phones make them.

    pip install pillow pillow-heif
    python3 make-camera-files.py

Pillow writes the multi-picture file, and libheif the coded data of the HEIC; libheif and Pillow still read what
is moved or marked afterwards. The previews are a little red and a little green, so that it can be seen which of them is shown.
"""
import io
import math
import os
import struct

import pillow_heif
from PIL import Image, ImageChops

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Camera")
os.makedirs(folder, exist_ok=True)
GREY, RED, GREEN = (120, 120, 120), (128, 115, 118), (115, 128, 118)


def path(name):
    return os.path.join(folder, name)


def picture(width, height, color, lightness=60):
    """One color with some noise, so that files have a length, and with lighter stripes."""
    noise = Image.effect_noise((width, height), 6)
    stripes = Image.new("L", (width, height))
    for column in range(width):
        stripes.paste(column * 7 // width % 2 * lightness, (column, 0, column + 1, height))
    noise = ImageChops.add(noise, stripes)
    return Image.merge("RGB", [noise.point(lambda v, c=c: v - 128 + c) for c in color])


def write_previews():
    """A JPEG of 640 by 480 with previews of 400 by 300, red, and 240 by 180, green."""
    exif = Image.Exif()
    exif[0x8769] = {0xA002: 640, 0xA003: 480, 0x9003: "2026:11:23 10:00:00"}
    exif[0x0132] = "2026:11:23 10:00:00"
    picture(640, 480, GREY).save(
        path("previews.jpg"), format="MPO", save_all=True, quality=50, exif=exif,
        append_images=[picture(400, 300, RED), picture(240, 180, GREEN)],
    )
    with open(path("previews.jpg"), "rb") as file:
        content = bytearray(file.read())
    # Pillow calls them further pictures: 0x010001 and 0x010002 are previews (CIPA DC-007, table 4).
    base = content.index(b"MPF\0") + 4
    entries = content.index(struct.pack("<HHI", 0xB002, 7, 48), base)
    place = base + struct.unpack_from("<I", content, entries + 8)[0]
    for index, kind in [(1, 0x010002), (2, 0x010001)]:
        struct.pack_into("<I", content, place + index * 16, kind)
    # It counts the last one too long.
    offset = struct.unpack_from("<I", content, place + 2 * 16 + 8)[0]
    struct.pack_into("<I", content, place + 2 * 16 + 4, len(content) - base - offset)
    with open(path("previews.jpg"), "wb") as file:
        file.write(content)
    with Image.open(path("previews.jpg")) as image:
        print([entry["Attribute"]["MPType"] for entry in image.mpinfo[0xB002]])


def box(name, content, version=None, flags=0):
    """A box of ISO/IEC 14496-12; with a version, a full box."""
    head = b"" if version is None else struct.pack(">I", version << 24 | flags)
    return struct.pack(">I4s", len(head) + len(content) + 8, name) + head + content


def boxes(content):
    place = 0
    while place + 8 <= len(content):
        size, name = struct.unpack_from(">I4s", content, place)
        yield name, content[place + 8:place + size]
        place += size


def coded(image, quality):
    """The decoder configuration (hvcC) and the coded data of an image, as libheif writes them."""
    file = io.BytesIO()
    pillow_heif.from_pillow(image).save(file, quality=quality, chroma=420)
    content = file.getvalue()
    parts = dict(boxes(content))
    meta = dict(boxes(parts[b"meta"][4:]))
    properties = dict(boxes(dict(boxes(meta[b"iprp"]))[b"ipco"]))
    locations = meta[b"iloc"]
    # Version 0: numbers of 4 bytes, with a base offset, one extent.
    assert locations[0] == 0 and locations[4:6] == b"\x44\x40", locations[:6]
    base, _, offset, length = struct.unpack_from(">IHII", locations, 12)
    offset += base
    return properties[b"hvcC"], content[offset:offset + length]


def write_phone():
    """A HEIC of 640 by 480, and small ones whose thumbnails show other content."""
    image = picture(640, 480, GREY, 0)
    # Its middle is brighter, and its left side is blue.
    image.paste((60, 80, 160), (0, 0, 96, 480))
    image.paste((200, 190, 180), (240, 160, 400, 320))
    write_tiles("phone", image, image.resize((160, 120), Image.BOX), 45)
    image = Image.new("RGB", (640, 480))
    image.putdata([scene(x / 640, y / 480) for y in range(480) for x in range(640)])
    small = image.resize((160, 120), Image.BOX)
    cropped = image.crop((80, 60, 560, 420)).resize((160, 120), Image.BOX)
    for name, thumbnail in [
            ("right", small), ("crop", cropped), ("gray", small.convert("L").convert("RGB")),
            ("mirrored", small.transpose(Image.Transpose.FLIP_LEFT_RIGHT)),
            ("turned", small.transpose(Image.Transpose.ROTATE_180)),
            ("negative", small.point(lambda value: 255 - value)),
            ("dark", small.point(lambda value: value * 7 // 10)),
            ("another", Image.new("RGB", (160, 120), (200, 40, 30)))]:
        write_tiles("thumbnail-" + name, image, thumbnail, 50)


def scene(u, v):
    return tuple(round(value) for value in (
        128 + 100 * math.sin(7 * u + 3 * v), 128 + 90 * math.sin(5 * v - 4 * u + 1),
        128 + 80 * math.cos(9 * u * v + 2)))


def write_tiles(name, image, thumbnail, quality):
    """A HEIC in four tiles, with a thumbnail in front and EXIF at the end, as phones have it."""
    width, height = image.width // 2, image.height // 2
    corners = [(x, y, x + width, y + height) for y in (0, height) for x in (0, width)]
    images = [thumbnail] + [image.crop(corner) for corner in corners]
    pieces = [coded(piece, quality) for piece in images]
    sizes = [struct.pack(">II", *size) for size in [thumbnail.size, (width, height), image.size]]
    # The items: 1 is the grid, 2 the thumbnail, 3 to 6 are the tiles, 7 is EXIF.
    grid = struct.pack(">BBBBHH", 0, 0, 1, 1, *image.size)
    exif = Image.Exif()
    exif[0x0110] = "a phone"
    data = [grid] + [piece for _, piece in pieces] + [bytes(4) + exif.tobytes()[6:]]
    entries = [box(b"infe", struct.pack(">HH4sB", number, 0, kind, 0), 2, 2 < number < 7)
               for number, kind in enumerate([b"grid"] + [b"hvc1"] * 5 + [b"Exif"], 1)]
    properties = [box(b"ispe", size, 0) for size in sizes]
    properties += [box(b"hvcC", configuration) for configuration, _ in pieces]
    uses = [[3], [1, 4]] + [[2, 5 + tile] for tile in range(4)]
    associations = struct.pack(">I", 6) + b"".join(
        struct.pack(">HB", number, len(used)) + bytes(0x80 | index if index > 3 else index for index in used)
        for number, used in enumerate(uses, 1))
    references = box(b"dimg", struct.pack(">HHHHHH", 1, 4, 3, 4, 5, 6))
    references += box(b"thmb", struct.pack(">HHH", 2, 1, 1)) + box(b"cdsc", struct.pack(">HHH", 7, 1, 1))

    def meta(start):
        places = b""
        for number, piece in enumerate(data, 1):
            places += struct.pack(">HHHII", number, 0, 1, start, len(piece))
            start += len(piece)
        return box(b"meta", b"".join([
            box(b"hdlr", struct.pack(">I4s", 0, b"pict") + bytes(13), 0),
            box(b"pitm", struct.pack(">H", 1), 0),
            box(b"iinf", struct.pack(">H", 7) + b"".join(entries), 0),
            box(b"iref", references, 0),
            box(b"iprp", box(b"ipco", b"".join(properties)) + box(b"ipma", associations, 0)),
            box(b"iloc", b"\x44\x00" + struct.pack(">H", 7) + places, 0),
        ]), 0)

    brands = box(b"ftyp", b"heic" + bytes(4) + b"mif1heic")
    start = len(brands) + len(meta(0)) + 8
    with open(path(name + ".heic"), "wb") as file:
        file.write(brands + meta(start) + box(b"mdat", b"".join(data)))
    print(name, "data from", start, [len(piece) for piece in data])


write_previews()
write_phone()
