#!/usr/bin/env python3
"""Writes Formats/: small pictures of every format, and what other programs make of them.

    pip install pillow pillow-heif
    apt-get install libjxl-tools libheif-examples imagemagick chromium
    python3 make-formats.py

Beside each file lies NAME.png, its reference: by Pillow, by djxl (JPEG XL), by a browser (SVG). Of an
animation it has all frames, one below the other.
"""
import os
import struct
import subprocess
import sys

import pillow_heif
from PIL import Image, ImageDraw, ImageSequence, TiffImagePlugin

pillow_heif.register_heif_opener()
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Formats")
os.makedirs(folder, exist_ok=True)
WIDTH, HEIGHT = 48, 36


def path(name):
    return os.path.join(folder, name)


def scene(width=WIDTH, height=HEIGHT, shift=0):
    """A ground of two slow gradients, a disc, and sharp stripes."""
    image = Image.new("RGB", (width, height))
    for y in range(height):
        for x in range(width):
            image.putpixel((x, y), (40 + 180 * x // width, 60 + 150 * y // height, 120))
    draw = ImageDraw.Draw(image)
    draw.ellipse([6 + shift, 8, 22 + shift, 24], fill=(230, 60, 40))
    for x in range(30, 44, 4):
        draw.rectangle([x, 20, x + 1, 32], fill=(20, 30, 60))
    return image


def transparent(image):
    image = image.convert("RGBA")
    mask = Image.new("L", image.size, 255)
    draw = ImageDraw.Draw(mask)
    draw.rectangle([0, 0, 11, image.height], fill=0)
    draw.rectangle([12, 0, 23, image.height], fill=128)
    image.putalpha(mask)
    return image


def reference(name):
    """What Pillow makes of a file."""
    with Image.open(path(name)) as image:
        frames = [frame.convert("RGBA") for frame in ImageSequence.Iterator(image)]
    sheet = Image.new("RGBA", (frames[0].width, frames[0].height * len(frames)))
    for index, frame in enumerate(frames):
        sheet.paste(frame, (0, index * frame.height))
    sheet.save(path(name + ".png"), optimize=True)


def save(image, name, **options):
    image.save(path(name), **options)
    reference(name)


def convert(source, name, *options):
    """By ImageMagick."""
    subprocess.run(["convert", source, *options, path(name)], check=True)
    reference(name.split(":")[-1])


opaque, alpha = scene(), transparent(scene())
opaque.save("/tmp/opaque.png")
alpha.save("/tmp/alpha.png")

save(opaque, "lossy.webp", quality=80)
save(opaque, "lossless.webp", lossless=True)
save(alpha, "alpha.webp", lossless=True, exact=True)
save(opaque.quantize(64), "still.gif", interlace=0)
save(opaque.quantize(64), "interlaced.gif", interlace=1)
save(opaque, "photo.avif", quality=90, subsampling="4:4:4")
save(alpha, "alpha.avif", quality=90, subsampling="4:4:4")
save(opaque, "photo.heic", quality=90, chroma=444)
for compression in ["raw", "tiff_lzw", "tiff_deflate", "packbits", "jpeg"]:
    save(opaque, compression + ".tiff", compression=compression)
save(alpha, "alpha.tiff", compression="tiff_deflate")
save(opaque.convert("L"), "gray.tiff")
save(opaque.convert("1"), "fax.tiff", compression="group4")
save(opaque.transpose(Image.Transpose.ROTATE_90), "turned.tiff", tiffinfo={274: 6})
save(opaque, "rgb.bmp")
save(alpha, "alpha.bmp")
save(opaque.quantize(64), "palette.bmp")
save(opaque.convert("1"), "bits.bmp")
subprocess.run(["convert", "/tmp/opaque.png", "-colors", "12", "-compress", "RLE", "BMP3:" + path("runs.bmp")], check=True)
reference("runs.bmp")
save(alpha.resize((32, 32)), "bitmap.ico", sizes=[(32, 32)], bitmap_format="bmp")
save(alpha.resize((64, 64)), "png.ico", sizes=[(64, 64), (16, 16)])
save(opaque, "rgb.qoi")
save(alpha, "alpha.qoi")

# 16 bits a pixel, from the top down.
pixels = b"".join(
    struct.pack("<H", (r >> 3) << 11 | (g >> 2) << 5 | b >> 3)
    for r, g, b in opaque.getdata()
)
header = struct.pack("<IiiHHIIiiII", 40, WIDTH, -HEIGHT, 1, 16, 3, len(pixels), 0, 0, 0, 0)
masks = struct.pack("<III", 0xF800, 0x07E0, 0x001F)
with open(path("masks.bmp"), "wb") as file:
    file.write(b"BM" + struct.pack("<IHHI", 66 + len(pixels), 0, 0, 66) + header + masks + pixels)
reference("masks.bmp")

# Animations.
frames = [scene(32, 28, shift) for shift in (0, 3, 6, 9)]
small = [frame.crop((0, 0, 32, 28)) for frame in frames]
small[0].save(path("moving.webp"), save_all=True, append_images=small[1:], duration=[40, 80, 120, 160], loop=3, lossless=True)
reference("moving.webp")
small[0].save(path("moving.png.apng"), format="PNG", save_all=True, append_images=small[1:], duration=[40, 80, 120, 160], loop=3)
os.replace(path("moving.png.apng"), path("moving.apng"))
reference("moving.apng")
paletted = [frame.quantize(32) for frame in small]
paletted[0].save(path("moving.gif"), save_all=True, append_images=paletted[1:], duration=[40, 80, 120, 160], loop=2)
reference("moving.gif")


def spot(x, y, color):
    """Transparent but for a square."""
    image = Image.new("RGBA", (24, 16), (0, 0, 0, 0))
    ImageDraw.Draw(image).rectangle([x, y, x + 7, y + 7], fill=color)
    return image


spots = [spot(1, 1, (255, 0, 0, 255)), spot(6, 3, (0, 255, 0, 255)), spot(12, 6, (0, 0, 255, 255))]
for number, name in [(1, "keep"), (2, "clear"), (3, "restore")]:
    spots[0].save(path(name + ".gif"), save_all=True, append_images=spots[1:], duration=0, disposal=number)
    reference(name + ".gif")
for number, name in [(0, "keep"), (1, "clear"), (2, "restore")]:
    spots[0].save(path(name + ".apng"), format="PNG", save_all=True, append_images=spots[1:], duration=50, disposal=number, blend=1)
    reference(name + ".apng")
# Pillow leaves there what the frame before was to restore: the standard wants what it was made of.
sheet = Image.new("RGBA", (24, 48))
for index, frame in enumerate(spots):
    sheet.paste(frame, (0, index * 16))
sheet.save(path("restore.apng.png"), optimize=True)

# By other programs than Pillow.
for name, options in [("lossless.jxl", ["-d", "0"]), ("lossy.jxl", ["-d", "1"])]:
    subprocess.run(["cjxl", "/tmp/opaque.png", path(name), "--quiet", *options], check=True)
    subprocess.run(["djxl", path(name), path(name + ".png"), "--quiet"], check=True)
subprocess.run(["cjxl", path("moving.apng"), path("moving.jxl"), "--quiet", "-d", "0"], check=True)
subprocess.run(["djxl", path("moving.jxl"), "/tmp/moving.apng", "--quiet"], check=True)
with Image.open("/tmp/moving.apng") as image:
    frames = [frame.convert("RGBA") for frame in ImageSequence.Iterator(image)]
sheet = Image.new("RGBA", (frames[0].width, frames[0].height * len(frames)))
for index, frame in enumerate(frames):
    sheet.paste(frame, (0, index * frame.height))
sheet.save(path("moving.jxl.png"), optimize=True)
# Large enough to be coded in parts.
noise = Image.effect_noise((300, 260), 2)
groups = Image.blend(scene(300, 260), Image.merge("RGB", [noise] * 3), 0.5)
groups.save("/tmp/groups.png")
subprocess.run(["cjxl", "/tmp/groups.png", path("groups.jxl"), "--quiet", "-d", "0"], check=True)
# Strips of 8 rows.
TiffImagePlugin.STRIP_SIZE = WIDTH * 3 * 8
scene().save(path("strips.tiff"), compression="tiff_lzw")
reference("strips.tiff")

scene(96, 72).save("/tmp/large.png")
subprocess.run(["heif-enc", "-q", "95", "/tmp/large.png", "--thumb", "32", "-o", path("thumbnail.heic")], check=True, stdout=subprocess.DEVNULL)
reference("thumbnail.heic")

drawing = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- {"A comment that is longer than the first bytes. " * 3} -->
<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 96 72">
<rect width="96" height="72" fill="#3060c0"/>
<rect x="8" y="8" width="32" height="40" fill="#f0a020"/>
<rect x="24" y="24" width="64" height="40" fill="#ffffff" fill-opacity="0.5"/>
</svg>
"""
with open(path("drawing.svg"), "w") as file:
    file.write(drawing)
subprocess.run(
    ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}",
     f"--screenshot={path('drawing.svg.png')}", "file://" + path("drawing.svg")],
    check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
