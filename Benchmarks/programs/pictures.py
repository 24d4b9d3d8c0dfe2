"""Makes the images and lists for the cases, once, from a few photographs with ImageMagick."""

import os
import shutil
import subprocess
import time
import zlib
from pathlib import Path

from measure import BenchError

BENCHMARKS = Path(__file__).resolve().parent.parent
MEGAPIXELS = [0.1, 0.25, 0.5, 1, 3, 6, 12, 24]


class Pictures:
    """Sets of images, each made on first use and kept under .corpus.

    `CORPUS=FOLDER` names photographs of 10 megapixels or more that replace those of corpus.sh."""

    def __init__(self):
        named = os.environ.get("CORPUS")
        self.sources = Path(named).resolve() if named else BENCHMARKS / ".corpus/pictures/jpeg-12mp"
        if not named and not any(self.sources.glob("*.jpg")):
            subprocess.run([BENCHMARKS / "corpus.sh"], check=True)
        # Another corpus gives other images, which must not be confused with these.
        tag = f"-{zlib.crc32(str(self.sources).encode()):08x}" if named else ""
        self.folder = BENCHMARKS / f".corpus/programs{tag}"
        self.seconds = 0.0  # spent on making images, which is not part of a measurement
        self.photographs = sorted(self.sources.glob("*.jpg"))[:8]
        if not self.photographs:
            raise BenchError(f"no photographs (*.jpg) in {self.sources}")

    def camera(self):
        """Returns the photographs themselves."""
        return self.photographs

    def web(self, count):
        """Returns JPEGs of 1200×800 as on websites, of about 100 kB each: at most 200."""
        return self.made("web", self.cut_web)[:count]

    def progressive(self, count):
        """Returns the images of `web` as progressive JPEGs."""
        return self.made("progressive", lambda to: self.each(
            self.web(40), to, "jpg", "-interlace", "Plane", "-quality", "75"))[:count]

    def png(self, count):
        """Returns RGB PNGs of 1000×667."""
        return self.made("png", lambda to: self.each(
            self.web(200)[::20], to, "png", "-resize", "1000x", "-define", "png:color-type=2"))[:count]

    def sized(self, megapixels):
        """Returns one photograph at one of the sizes in MEGAPIXELS."""
        def make(folder):
            for size in MEGAPIXELS:
                height = round((size * 1e6 / 1.5) ** 0.5)
                box = f"{round(height * 1.5)}x{height}"
                convert(self.photographs[0], "-resize", box + "^", "-gravity", "center", "-extent",
                        box, "-strip", "-quality", "85", folder / f"{size}.jpg")
        self.made("sized", make)
        return self.folder / "sized" / f"{megapixels}.jpg"

    def small(self, count):
        """Returns JPEGs of about 8 kB each, no two equal."""
        def make(folder):
            self.each(self.web(200)[::2], folder, "jpg", "-resize", "290x", "-quality", "78")
        return self.numbered("small", self.made("small-originals", make), count)

    def medium(self, count):
        """Returns JPEGs of about 100 kB each, no two equal."""
        return self.numbered("medium", self.web(200), count)

    def made(self, name, make):
        """Returns the files of a set; `make` writes them into the folder that it receives."""
        folder = self.folder / name
        if not folder.exists():
            print(f"making the images: {name}", flush=True)
            started, before = time.monotonic(), self.seconds
            part = folder.with_name(name + ".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            make(part)
            part.rename(folder)
            # This time includes making other sets that this set is made from.
            self.seconds = before + time.monotonic() - started
        return sorted(folder.iterdir())

    def cut_web(self, folder):
        """Writes crops of the photographs, at least 25 of each, at three fifths of their size."""
        windows = -(-200 // len(self.photographs))
        for number, photograph in enumerate(self.photographs):
            cuts = []
            for index in range(windows):
                # Steps that never return to an earlier corner.
                left, top = index * 977 % 1400, index * 577 % 1200
                cuts += ["(", "+clone", "-crop", f"2000x1333+{left}+{top}", "+repage", "-resize",
                         "1200x800!", "-quality", "75", "-write",
                         folder / f"{index:03}-{number}.jpg", "+delete", ")"]
            convert(photograph, "-resize", "3600x2700^", "-strip", *cuts, "null:")

    @staticmethod
    def each(sources, folder, suffix, *options):
        """Converts every source with these options."""
        for source in sources:
            convert(source, *options, "-strip", folder / f"{source.stem}.{suffix}")

    def numbered(self, name, sources, count):
        """Returns copies of JPEGs, each with its number in a comment, so that no program can reuse a result."""
        started = time.monotonic()
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        bodies = [source.read_bytes() for source in sources]
        files = [folder / f"{number:06}.jpg" for number in range(count)]
        for number, file in enumerate(files):
            if not file.exists():
                body = bodies[number % len(bodies)]
                part = file.with_suffix(".part")
                part.write_bytes(body[:2] + b"\xff\xfe\x00\x0a%08d" % number + body[2:])
                part.rename(file)
        self.seconds += time.monotonic() - started
        return files


def convert(*words):
    """Runs ImageMagick, under the name of version 7 or 6."""
    program = shutil.which("magick") or shutil.which("convert")
    if program is None:
        raise BenchError("ImageMagick is missing; Scripts/setup.sh bench installs it")
    subprocess.run([program, *map(str, words)], check=True)


def write_feed(file, places):
    """Writes a feed with a caption for each image, and returns its path."""
    file.write_text("".join(f"{place} picture {number}\n" for number, place in enumerate(places)))
    return str(file)


def write_curl_list(file, urls, folder=None):
    """Writes a list for curl -K, which stores every body in the folder or discards it; returns its path."""
    with open(file, "w", encoding="utf-8") as lines:
        for number, url in enumerate(urls):
            output = f"{folder}/{number:06}.jpg" if folder else "/dev/null"
            lines.write(f'url = "{url}"\noutput = "{output}"\n')
    return str(file)


def mean_size(files):
    """Returns the mean size of files as text."""
    mean = sum(file.stat().st_size for file in files) / len(files)
    return f"{mean / 1000:.0f} kB" if mean < 1e6 else f"{mean / 1e6:.1f} MB"
