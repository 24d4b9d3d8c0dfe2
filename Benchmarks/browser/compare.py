#!/usr/bin/env python3
"""Compares the images that termgallery decodes with those that Chromium shows.

    pip install numpy pillow
    compare.py FOLDER NEW [OLD]

FOLDER was written by make_files.py; NEW and OLD are programs. Chromium decodes each file on a local
page and returns the pixels of a canvas in sRGB. Files that it cannot decode have a reference image
beside them. The table is Markdown; PSNR and differences are of the colors over a blue ground.
"""
import io
import json
import math
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlparse

import numpy
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
GROUND = numpy.array([64, 128, 192])
LONGEST = 4096
SECONDS_PER_FILE = 60
PAGE = b"""<!doctype html><link rel="icon" href="data:,"><script>
async function pixels(url) {
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = url;
  await new Promise((done, failed) => { image.onload = done; image.onerror = failed; });
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d", {colorSpace: "srgb"}).drawImage(image, 0, 0);
  return await new Promise(done => canvas.toBlob(done, "image/png"));
}
(async () => {
  for (let url = 0; ; url++) {
    const body = await pixels("/" + url).catch(() => "") || "";
    if (!(await fetch("/" + url, {method: "POST", body})).ok) break;
  }
})();
</script>"""


class Handler(BaseHTTPRequestHandler):
    """Serves the page at / and the files at their numbers, and takes what the page returns."""

    def do_GET(self):
        """Sends the page or a file."""
        number = self.path[1:]
        if not number:
            return self.answer(200, PAGE, "text/html")
        path = self.server.paths[int(number)] if int(number) < len(self.server.paths) else None
        # Chromium looks at the bytes of an image, unless it is SVG.
        kind = "image/svg+xml" if path and path.parent.name == "svg" else "image/png"
        self.answer(200 if path else 404, path.read_bytes() if path else b"", kind)

    def do_POST(self):
        """Stores the pixels of a file; an empty body means that it was not decoded."""
        data = self.rfile.read(int(self.headers["Content-Length"]))
        number = int(self.path[1:])
        if number < len(self.server.paths):
            self.server.results[number] = data
        self.answer(200 if number + 1 < len(self.server.paths) else 404, b"", "text/plain")
        self.server.progress.set()

    def answer(self, status, body, kind):
        """Sends a response."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if body[:2] == b"\x1f\x8b":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Keeps requests out of the output."""


def rgba(data):
    """Returns the pixels of an encoded image as an array of 8-bit R, G, B and A."""
    return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))


def chromium_images(paths):
    """Returns what Chromium shows of each file; None if it shows nothing."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.paths, server.results, server.progress = paths, {}, threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--force-color-profile=srgb", f"--user-data-dir={profile}",
             f"http://127.0.0.1:{server.server_port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        while len(server.results) < len(paths) and server.progress.wait(SECONDS_PER_FILE):
            server.progress.clear()
        os.killpg(browser.pid, signal.SIGTERM)
        browser.wait()
    server.shutdown()
    images = [rgba(data) if data else None for data in map(server.results.get, range(len(paths)))]
    # A broken image in an icon is reported as a clear image.
    return [image if image is not None and image[..., 3].any() else None for image in images]


def program_images(program, paths, size=LONGEST):
    """Returns what a program decodes of each file, or the message if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "list.txt").write_text("".join(f"{path}\n" for path in paths))
        lines = subprocess.run(
            [program, "fetch", "--thumbnails", "out.tar", "--thumbnail-format", "png", "--jsonl",
             "--size", str(size), "--cache-dir", "cache", "list.txt"],
            cwd=folder, capture_output=True, text=True).stdout.splitlines()
        with tarfile.open(Path(folder, "out.tar")) as tar:
            files = {member.name: tar.extractfile(member).read() for member in tar}
    found = {}
    for line in map(json.loads, lines):
        path = unquote(urlparse(line["url"]).path)
        found[path] = line.get("error", {}).get("message") or rgba(files[line["key"] + ".png"])
    return [found.get(str(path), "no result") for path in paths]


def over_ground(image):
    """Returns the colors of an image over the ground."""
    alpha = image[..., 3:] / 255
    return numpy.round(image[..., :3] * alpha + GROUND * (1 - alpha))


def comparison(expected, found, is_reduced=False):
    """Returns PSNR and largest difference as text, and a remark about a failure."""
    if isinstance(found, str) or expected is None:
        return "–", "–", found if isinstance(found, str) else "decoded"
    size = found.shape[1], found.shape[0]
    if is_reduced:
        # Pillow premultiplies; thumbnails are made with the same filter.
        expected = numpy.asarray(Image.fromarray(expected).resize(size, Image.LANCZOS))
    if expected.shape != found.shape:
        return "–", "–", f"{size[0]}×{size[1]}, not {expected.shape[1]}×{expected.shape[0]}"
    difference = numpy.abs(over_ground(expected) - over_ground(found))
    error = (difference**2).mean()
    ratio = f"{10 * math.log10(255**2 / error):.1f}" if error else "∞"
    return ratio, f"{difference.max():.0f}", ""


def main():
    """Prints the table."""
    folder = Path(sys.argv[1]).resolve()
    index = json.loads((folder / "index.json").read_text())
    paths = [folder / entry["file"] for entry in index]
    expected = chromium_images(paths)
    for place, path in enumerate(paths):
        if (reference := Path(f"{path}.reference.png")).exists():
            expected[place] = rgba(reference.read_bytes())
    results = []
    for program in sys.argv[2:4]:
        sizes = {size: program_images(Path(program).resolve(), paths, size)
                 for size in {entry.get("size", LONGEST) for entry in index}}
        results.append([comparison(expected[place], sizes[entry.get("size", LONGEST)][place],
                                   "size" in entry) for place, entry in enumerate(index)])
    print("| row | file | reference | PSNR old | PSNR new | largest difference, new | remark |")
    print("|---|---|---|---|---|---|---|")
    for place, entry in enumerate(index):
        new, old = results[0][place], results[1][place] if results[1:] else ("", "", "")
        by = "none" if expected[place] is None else entry["by"]
        remark = new[2] or (f"old: {old[2]}" if old[2] else "")
        print("|", " | ".join([entry["row"], paths[place].name, by, old[0], *new[:2], remark]), "|")


if __name__ == "__main__":
    main()
