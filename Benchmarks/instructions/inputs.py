"""The inputs of the instruction counts: images and lists made by integer arithmetic, the same on every machine.

A texture of a few octaves of noise has about the bytes per pixel of a photograph at the same quality.
"""

import hashlib
import os
import struct
import subprocess
import zlib

SIDE = 512
OCTAVES = ((64, 96), (16, 56), (4, 36), (1, 14))


def noise(x, y, seed):
    """Returns a pseudo-random number from 0 to 255 for a point of a grid."""
    value = (x * 374761393 + y * 668265263 + seed * 974711) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 1274126177) & 0xFFFFFFFF
    return (value ^ (value >> 16)) & 0xFF


def octave(step, weight, seed):
    """Returns the rows of one octave: noise at every `step` pixels, with linear interpolation between them."""
    count = SIDE // step
    grid = [[noise(x, y, seed) for x in range(count)] for y in range(count)]
    wide = []
    for line in grid:
        row = []
        for x in range(count):
            left, right = line[x], line[(x + 1) % count]
            row += [(left * (step - i) + right * i) // step for i in range(step)]
        wide.append(row)
    rows = []
    for y in range(count):
        above, below = wide[y], wide[(y + 1) % count]
        for i in range(step):
            rows.append([(a * (step - i) + b * i) * weight // (step * 256) for a, b in zip(above, below)])
    return rows


def texture():
    """Returns the rows of a square of `SIDE` pixels, three bytes for each pixel."""
    layers = [[octave(step, weight, 7 * channel + step) for step, weight in OCTAVES] for channel in range(3)]
    rows = []
    for y in range(SIDE):
        channels = [[sum(values) for values in zip(*(layer[y] for layer in layers[c]))] for c in range(3)]
        # The channels of photographs are alike: each is mostly the first one.
        first = channels[0]
        rows.append(
            bytes(v for g, r, b in zip(*channels) for v in ((3 * g + r) // 4, g, (3 * g + b) // 4))
        )
    return rows


def pixels(rows, width, height, seed):
    """Returns the rows of an image: the texture from a place that depends on the seed, repeated."""
    shift = (seed * 37) % SIDE * 3
    for y in range(height):
        row = rows[(y + seed * 101) % SIDE]
        row = row[shift:] + row[:shift]
        yield (row * (width // SIDE + 1))[: width * 3]


def jpeg(path, rows, width, height, seed, *options):
    """Writes a JPEG of quality 80 with libjpeg's own program."""
    body = b"P6 %d %d 255\n" % (width, height) + b"".join(pixels(rows, width, height, seed))
    command = ["cjpeg", "-quality", "80", *options, "-outfile", path]
    subprocess.run(command, input=body, check=True)


def png(path, rows, width, height, seed):
    """Writes a PNG whose rows are filtered by the difference to the row above."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    above = bytes(width * 3)
    lines = []
    for row in pixels(rows, width, height, seed):
        lines.append(b"\x02" + bytes((a - b) & 0xFF for a, b in zip(row, above)))
        above = row
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        file.write(chunk(b"IDAT", zlib.compress(b"".join(lines), 6)) + chunk(b"IEND", b""))


def make(folder):
    """Writes all inputs and returns the SHA-256 of their bytes."""
    rows = texture()
    for name in ("web", "one", "progressive", "png", "large"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    for index in range(40):
        jpeg(f"{folder}/web/{index:02}.jpg", rows, 1200, 800, index)
        jpeg(f"{folder}/progressive/{index:02}.jpg", rows, 1200, 800, index, "-progressive")
    jpeg(f"{folder}/one/0.jpg", rows, 1200, 800, 0)
    for index in range(10):
        png(f"{folder}/png/{index}.png", rows, 640, 480, index)
    for index in range(8):
        jpeg(f"{folder}/large/{index}.jpg", rows, 4000, 3000, index)
    with open(f"{folder}/list.txt", "w") as file:
        file.writelines(f"http://127.0.0.1:9/images/{index}.jpg  Image {index}\n" for index in range(100_000))
    with open(f"{folder}/labels.jsonl", "w") as file:
        file.writelines(
            f'{{"label":{index % 5 + 1},"name":"keep","time":"2026-01-01T00:00:00Z","url":"http://h/{index}.jpg"}}\n'
            for index in range(20_000)
        )
    digest = hashlib.sha256()
    for base, folders, names in sorted(os.walk(folder)):
        folders.sort()
        for name in sorted(names):
            with open(os.path.join(base, name), "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()
