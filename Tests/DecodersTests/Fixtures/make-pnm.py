#!/usr/bin/env python3
"""Writes the Netpbm images of Formats/, and what ImageMagick makes of them.

    apt-get install imagemagick
    python3 make-pnm.py

Floating-point samples are written by this script, because programs disagree on their transfer function: the
samples are encoded values divided by 255.
"""
import os
import struct
import subprocess

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Formats")


def path(name):
    return os.path.join(folder, name)


def convert(source, name, *options):
    subprocess.run(["convert", source, *options, path(name)], check=True)


rgb, alpha = path("rgb.bmp.png"), path("alpha.qoi.png")
plain = ["-compress", "none"]
for source, name, options in [
    (rgb, "rgb.ppm", []),
    (rgb, "text.ppm", plain),
    (rgb, "gray16.pgm", ["-colorspace", "Gray", "-depth", "16"]),
    (rgb, "bits.pbm", ["-monochrome"]),
    (rgb, "text.pbm", ["-monochrome", *plain]),
    (alpha, "alpha.pam", []),
]:
    convert(source, name, *options)
    convert(path(name), name + ".png", "-depth", "8")
for name in ["rgb.ppm", "text.ppm"]:
    with open(path(name), "rb") as file:
        data = file.read()
    start = data.index(b"\n") + 1
    with open(path(name), "wb") as file:
        file.write(data[:start] + b"# a comment\n" + data[start:])

pixels = subprocess.run(["convert", rgb, "-flip", "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
samples = [value / 255 for value in pixels]
with open(path("float.pfm"), "wb") as file:
    file.write(b"PF\n48 36\n-1.0\n" + struct.pack(f"<{len(samples)}f", *samples))
convert(rgb, "float.pfm.png", "-depth", "8")
