#!/usr/bin/env python3
"""Writes Camera/: files with smaller pictures in them, as cameras and phones make them.

    pip install pillow
    apt-get install libheif-examples
    python3 make-camera-files.py

Pillow writes the multi-picture file and libheif the HEIC; what is moved or marked afterwards they
still read. The previews have other colours than the picture, so that it can be seen which of them is shown.
"""
import os
import struct
import subprocess

from PIL import Image

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Camera")
os.makedirs(folder, exist_ok=True)
GREY, RED, GREEN = (120, 120, 120), (200, 40, 30), (30, 160, 60)


def path(name):
    return os.path.join(folder, name)


def picture(width, height, color):
    """One colour with some noise, so that files have a length."""
    noise = Image.effect_noise((width, height), 6)
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


def boxes(content, start, end):
    while start + 8 <= end:
        size, name = struct.unpack_from(">I4s", content, start)
        yield name, start + 8, start + size
        start += size


def write_phone():
    """A HEIC of 640 by 480 whose thumbnail of 160 by 120 lies in front, and whose EXIF at the end, as
    phones have it."""
    exif = Image.Exif()
    exif[0x0110] = "a phone"
    picture(640, 480, GREY).save("/tmp/picture.jpg", quality=97, exif=exif)
    subprocess.run(
        ["heif-enc", "-q", "40", "/tmp/picture.jpg", "--thumb", "160", "-o", "/tmp/phone.heic"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open("/tmp/phone.heic", "rb") as file:
        content = bytearray(file.read())
    [(_, meta, meta_end)] = [box for box in boxes(content, 0, len(content)) if box[0] == b"meta"]
    [(_, data, data_end)] = [box for box in boxes(content, 0, len(content)) if box[0] == b"mdat"]
    places = {}
    for name, start, end in boxes(content, meta + 4, meta_end):
        if name == b"iloc":
            places = extents(content, start)
        if name == b"iref":
            [thumbnail] = [struct.unpack_from(">H", content, inner)[0]
                           for kind, inner, _ in boxes(content, start + 4, end) if kind == b"thmb"]
    # The thumbnail's bytes in front, the others behind it in their order.
    order = sorted(places, key=lambda number: (number != thumbnail, number))
    moved, result = data, bytearray()
    for number in order:
        field, offset, length = places[number]
        result += content[offset:offset + length]
        struct.pack_into(">I", content, field, moved)
        moved += length
    assert len(result) == data_end - data
    content[data:data_end] = result
    with open(path("phone.heic"), "wb") as file:
        file.write(content)


def extents(content, start):
    """Of each item where its offset stands, the offset, and the length, as libheif writes them: version
    0, numbers of 4 bytes, one extent."""
    assert content[start] == 0 and content[start + 4:start + 6] == b"\x44\x40"
    place, found = start + 8, {}
    for _ in range(struct.unpack_from(">H", content, start + 6)[0]):
        number, _, base, count, offset, length = struct.unpack_from(">HHIHII", content, place)
        assert count == 1 and offset == 0
        found[number] = (place + 4, base, length)
        place += 18
    return found


write_previews()
write_phone()
