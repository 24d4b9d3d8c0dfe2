#!/usr/bin/env python3
"""Writes RAW files of cameras without sensor data into Formats/, and what Pillow makes of their preview.

    pip install pillow
    python3 make-raw-previews.py
"""
import os
import struct

from PIL import Image

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Formats")


def path(name):
    return os.path.join(folder, name)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def jpeg(image, name):
    image.save(path(name), "JPEG", quality=60, subsampling=0)
    data = read(name)
    os.remove(path(name))
    return data


def box(kind, content):
    return struct.pack(">I", 8 + len(content)) + kind + content


def directory(entries, following=0):
    data = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return struct.pack("<H", len(entries)) + data + struct.pack("<I", following)


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data)
    start = data.rindex(b"\xff\xd8\xff")
    write_reference(name, data[start:])


def write_reference(name, preview):
    with open(path(name + ".jpg"), "wb") as file:
        file.write(preview)
    Image.open(path(name + ".jpg")).save(path(name + ".png"))
    os.remove(path(name + ".jpg"))


scene = Image.open(path("rgb.bmp.png")).convert("RGB")
width, height = scene.size
preview, thumbnail = jpeg(scene, "preview.jpg"), jpeg(scene.resize((12, 9)), "thumbnail.jpg")
length = len(preview)

# RAF: a header, the size of the sensor, and the preview.
record = struct.pack(">IHHHH", 1, 0x100, 4, height, width)
header = b"FUJIFILMCCD-RAW 0201".ljust(84, b"\0")
header += struct.pack(">6I", 108 + len(record), length, 108, len(record), 0, 0)
write("preview.raf", header + record + preview)

# RW2: the size of the sensor and the preview in the first directory.
entries = [(2, 3, 1, width), (3, 3, 1, height), (0x2E, 7, length, 8 + 2 + 36 + 4)]
write("preview.rw2", b"IIU\0" + struct.pack("<I", 8) + directory(entries) + preview)

# ORF: a thumbnail in the second directory, and a preview that the maker's note locates.
exif, second = 8 + 54, 8 + 54 + 18
note = second + 30
settings = 12 + 18
note_length = settings + 30
first = directory([(256, 4, 1, width), (257, 4, 1, height), (274, 3, 1, 1), (0x8769, 4, 1, exif)], second)
data = b"IIRO" + struct.pack("<I", 8) + first + directory([(0x927C, 7, note_length, note)])
data += directory([(513, 4, 1, note + note_length), (514, 4, 1, len(thumbnail))])
data += b"OLYMPUS\0II\3\0" + directory([(0x2020, 13, 1, settings)])
data += directory([(0x101, 4, 1, note_length + len(thumbnail)), (0x102, 4, 1, length)])
write("preview.orf", data + thumbnail + preview)

# CR3: a thumbnail among the metadata, and a JPEG of full size as the sample of the first track.
kind = box(b"ftyp", b"crx \0\0\0\1crx isom")
uuid = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
block = b"II*\0" + struct.pack("<I", 8) + directory([(256, 3, 1, width), (257, 3, 1, height), (274, 3, 1, 1)])
metadata = box(b"uuid", uuid + box(b"CMT1", block) + box(b"THMB", bytes(16) + thumbnail))


def movie(offset):
    sizes = box(b"stsz", struct.pack(">III", 0, length, 1))
    table = box(b"stbl", sizes + box(b"co64", struct.pack(">IIQ", 0, 1, offset)))
    return box(b"moov", metadata + box(b"trak", box(b"mdia", box(b"minf", table))))


write("preview.cr3", kind + movie(len(kind) + len(movie(0)) + 8) + box(b"mdat", preview))
