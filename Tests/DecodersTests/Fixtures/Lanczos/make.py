#!/usr/bin/env python3
"""What Pillow's LANCZOS makes of pictures, and the pHash of them as Python's imagehash computes it
(scipy.fftpack.dct twice, the lowest 8 by 8, above their median). Needs Pillow, numpy, scipy."""
import numpy
import scipy.fftpack
from PIL import Image, ImageDraw


def scene(width, height, seed):
    random = numpy.random.RandomState(seed)
    soft = Image.fromarray((random.rand(7, 9, 3) * 255).astype("uint8"))
    picture = soft.resize((width, height), Image.BICUBIC)
    draw = ImageDraw.Draw(picture)
    for _ in range(12):
        x, y = random.randint(0, width), random.randint(0, height)
        w, h = random.randint(2, width // 3), random.randint(2, height // 3)
        draw.ellipse((x, y, x + w, y + h), fill=tuple(int(v) for v in random.randint(0, 256, 3)))
    noise = numpy.asarray(picture).astype(float) + random.randn(height, width, 3) * 10
    return Image.fromarray(noise.clip(0, 255).astype("uint8"))


def phash(picture):
    gray = picture.convert("L").resize((32, 32), Image.LANCZOS)
    pixels = numpy.asarray(gray).astype(float)
    low = scipy.fftpack.dct(scipy.fftpack.dct(pixels, axis=0), axis=1)[:8, :8]
    bits = (low > numpy.median(low)).flatten()
    return "%016x" % int("".join("1" if bit else "0" for bit in bits), 2)


hashes = []
for name, size, target, seed in [
    ("a", (97, 61), (31, 20), 1), ("b", (160, 120), (64, 48), 2), ("c", (50, 90), (49, 88), 3),
]:
    picture = scene(*size, seed)
    picture.save(f"{name}.png")
    picture.resize(target, Image.LANCZOS).save(f"{name}-small.png")
    hashes.append(f"{name} {phash(picture)}")
alpha = scene(120, 80, 4).convert("RGBA")
mask = Image.new("L", alpha.size, 0)
ImageDraw.Draw(mask).ellipse((10, 5, 100, 75), fill=255)
ImageDraw.Draw(mask).rectangle((40, 30, 119, 50), fill=90)
alpha.putalpha(mask)
alpha.save("alpha.png")
alpha.resize((40, 27), Image.LANCZOS).save("alpha-small.png")
open("hashes.txt", "w").write("\n".join(hashes) + "\n")
