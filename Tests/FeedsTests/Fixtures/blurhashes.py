#!/usr/bin/env python3
"""Writes blurhashes.tsv: placeholders and the pixels that others make of them.

Columns: the hash; width and height; the pixels in hex, row by row, as the Python package blurhash
decodes them (`pip install blurhash==1.1.5`). The first is the example of blurha.sh; the others are
encoded by the same package, of pictures made here.
"""
import math
import os

import blurhash


def picture(seed):
    return [
        [
            [
                int(127 + 127 * math.sin(x * (seed + 1) / 5 + y / (3 + seed))),
                int(127 + 127 * math.cos(y * (seed + 2) / 7)),
                (x * 13 + y * seed * 7) % 256,
            ]
            for x in range(24)
        ]
        for y in range(18)
    ]


hashes = ["LEHV6nWB2yk8pyo0adR*.7kCMdnj", "UBL_:rOpGG-;~qRjWBay%MWBRjof_3fQt7j["]
for seed, (across, down) in enumerate([(1, 1), (4, 3), (9, 9), (1, 9), (9, 1), (2, 5)]):
    hashes.append(blurhash.encode(picture(seed), across, down))
hashes.append("00OZZy")

with open(os.path.join(os.path.dirname(__file__), "blurhashes.tsv"), "w") as out:
    for index, text in enumerate(hashes):
        width, height = [(8, 6), (5, 9), (1, 1), (12, 3)][index % 4]
        rows = blurhash.decode(text, width, height)
        pixels = "".join("%02x%02x%02x" % tuple(pixel) for row in rows for pixel in row)
        print(text, width, height, pixels, sep="\t", file=out)
