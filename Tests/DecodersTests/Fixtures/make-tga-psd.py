#!/usr/bin/env python3
"""Writes the TGA and PSD images of Formats/, and what ImageMagick makes of them.

    apt-get install imagemagick
    python3 make-tga-psd.py

The colors of `alpha.psd` are blended with white, as Photoshop does it; ImageMagick stores them unchanged. Its
reference is therefore the image before the blending.
"""
import os
import shutil
import struct
import subprocess

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Formats")


def path(name):
    return os.path.join(folder, name)


def convert(*arguments):
    return subprocess.run(["convert", *arguments], check=True, capture_output=True).stdout


rgb, alpha = path("rgb.bmp.png"), path("alpha.qoi.png")
for source, name, options in [
    (rgb, "rgb.tga", []),
    (rgb, "runs.tga", ["-compress", "rle"]),
    (alpha, "alpha.tga", []),
    (rgb, "palette.tga", ["-colors", "40", "-type", "palette"]),
    (rgb, "gray.tga", ["-colorspace", "Gray"]),
    (rgb, "rgb.psd", ["-compress", "rle"]),
    (rgb, "rgb16.psd", ["-depth", "16"]),
    (rgb, "gray.psd", ["-colorspace", "Gray"]),
    (rgb, "bits.psd", ["-monochrome"]),
    (rgb, "cmyk.psd", ["-colorspace", "CMYK"]),
    (rgb, "large.psb", ["-compress", "rle"]),
]:
    convert(source, "-alpha", "on" if source == alpha else "off", *options, path(name))
    # The first image of a PSD file is the merged image.
    convert(path(name) + "[0]", "-auto-orient", "-colorspace", "sRGB", "-depth", "8", path(name + ".png"))

pixels = convert(alpha, "-depth", "8", "rgba:-")
width, height = struct.unpack(">II", open(alpha, "rb").read()[16:24])
channels = [bytearray(), bytearray(), bytearray(), bytearray()]
for start in range(0, len(pixels), 4):
    opacity = pixels[start + 3]
    for channel in range(3):
        level = pixels[start + channel]
        channels[channel].append(round((level * opacity + 255 * (255 - opacity)) / 255))
    channels[3].append(opacity)
header = b"8BPS" + struct.pack(">HIHHIIHH", 1, 0, 0, 4, height, width, 8, 3)
layers = struct.pack(">IIh", 6, 2, -1)
with open(path("alpha.psd"), "wb") as file:
    file.write(header + struct.pack(">II", 0, 0) + layers + struct.pack(">H", 0) + b"".join(channels))
shutil.copy(alpha, path("alpha.psd.png"))
