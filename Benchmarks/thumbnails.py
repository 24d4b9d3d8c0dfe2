"""Makes images for img2dataset.sh, and compares thumbnails with Pillow's.

thumbnails.py make PHOTOS FOLDER COUNT: cuts COUNT images out of photographs.
thumbnails.py compare FOLDER OUT…: prints figures of the thumbnails in the tars of each OUT, and the PSNR of
a thousand of them.
"""
import io
import json
import random
import statistics
import sys
import tarfile
from pathlib import Path

import numpy
from PIL import Image

# Common sizes on the web, all 4:3 or 3:4, so that both programs round to the same size.
SIZES = [(1024, 768), (800, 600), (640, 480), (768, 1024), (960, 720)]


def make(photos, folder, count):
    folder.mkdir()
    random.seed(1)
    sources = [Image.open(path).convert("RGB") for path in sorted(photos.glob("*.jpg"))]
    byte_count = 0
    for number in range(count):
        source, size = sources[number % len(sources)], SIZES[number % len(SIZES)]
        largest = min(source.width / size[0], source.height / size[1])
        scale = largest * random.uniform(0.5, 1)
        width, height = int(size[0] * scale), int(size[1] * scale)
        left = random.randint(0, source.width - width)
        top = random.randint(0, source.height - height)
        picture = source.resize(size, Image.LANCZOS, (left, top, left + width, top + height))
        path = folder / f"{number}.jpg"
        picture.save(path, quality=75)
        byte_count += path.stat().st_size
    print(f"{count} images of {byte_count // count} bytes on average")


def thumbnails(out):
    for path in sorted(out.glob("*.tar")):
        with tarfile.open(path) as tar:
            files = {member.name: tar.extractfile(member).read() for member in tar}
        for name, facts in files.items():
            if name.endswith(".json"):
                yield json.loads(facts)["url"], files[name[:-4] + "jpg"]


def compare(folder, outs):
    for out in outs:
        ratios, sizes, byte_counts = [], 0, []
        tars = sum(path.stat().st_size for path in out.glob("*.tar"))
        for url, data in thumbnails(out):
            byte_counts.append(len(data))
            if len(ratios) == 1000:
                continue
            original = Image.open(folder / url.split("?")[0].split("/")[-1])
            thumbnail = Image.open(io.BytesIO(data)).convert("RGB")
            expected = original.resize(thumbnail.size, Image.LANCZOS)
            sizes += max(thumbnail.size) == 256
            error = numpy.square(numpy.asarray(thumbnail, float) - numpy.asarray(expected, float))
            ratios.append(10 * numpy.log10(255**2 / error.mean()))
        print(f"{out.name}: {len(byte_counts)} thumbnails of {statistics.mean(byte_counts):.0f} bytes, "
              f"{tars / len(byte_counts):.0f} in the tar; of {len(ratios)} {sizes} are 256 pixels "
              f"long; PSNR mean {statistics.mean(ratios):.2f}, "
              f"median {statistics.median(ratios):.2f}, least {min(ratios):.2f} dB")


if sys.argv[1] == "make":
    make(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
else:
    compare(Path(sys.argv[2]), map(Path, sys.argv[3:]))
