"""The scenes of the monkey: a folder, archives, feeds, and a page, with files from a server with faults."""
import os
import struct
import subprocess
import tarfile
import zipfile
import zlib


def png(width, height, color):
    """A PNG file of one color."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(color) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Scenes:
    """Files in a separate home folder, and the program's own server."""

    def __init__(self, program, home):
        self.home = home
        self.server = subprocess.Popen(
            [program, "serve", "--port", "0", "--count", "300", "--latency", "50", "--bandwidth", "400k",
             "--failures", "25"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.environment())
        self.url = next(word for line in self.server.stdout for word in line.split() if word.startswith("http://"))
        self.url = self.url.split("/feed.txt")[0].rstrip("/.")
        self.make_files()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()

    def environment(self):
        return {"HOME": self.home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
                "EDITOR": "true", "VISUAL": "true", "PAGER": "true", "BROWSER": "true",
                "XDG_CACHE_HOME": f"{self.home}/cache"}

    def make_files(self):
        folder = f"{self.home}/images"
        os.makedirs(f"{folder}/below")
        names = [f"{number}.png" for number in range(40)] + ["日本.png", "a b'c.png", "below/deep.png", "e\u0301.png"]
        for number, name in enumerate(names):
            with open(f"{folder}/{name}", "wb") as file:
                file.write(png(1 + number * 7 % 90, 1 + number * 13 % 70, (number * 6 % 256, 120, 200)))
        for name, content in [("cut.png", png(50, 50, (9, 9, 9))[:60]), ("empty.jpg", b""), ("text.gif", b"GIF89a?")]:
            with open(f"{folder}/{name}", "wb") as file:
                file.write(content)
        with zipfile.ZipFile(f"{self.home}/a.zip", "w") as archive:
            archive.write(folder, "images")
            for name in names:
                archive.write(f"{folder}/{name}", name)
        with tarfile.open(f"{self.home}/b.tar", "w") as archive:
            archive.add(folder, "images")
        links = "".join(f'<a href="{self.url}/pictures/{number}.jpg"><img src="{self.url}/pictures/{number}.jpg?status=500">'
                        f"</a><p>text \x07 {number}</p>" for number in range(30))
        with open(f"{self.home}/page.html", "w", encoding="utf-8") as file:
            file.write(f"<html><title>page</title><body>{links}</body></html>")
        with open(f"{self.home}/feed.txt", "w", encoding="utf-8") as file:
            file.writelines(f"{folder}/{name} caption \u202e {name}\n" for name in names)
            file.write(f"gopher://x/ old\nhttp://127.0.0.1:1/none.png nobody\n{self.url}/pictures/1.jpg?stall=1 slow\n")

    def choose(self, choose):
        """Arguments and environment of one session."""
        feed = choose.choice([[f"{self.home}/images"], [f"{self.url}/feed.txt"], [f"{self.home}/a.zip"],
                              [f"{self.home}/b.tar"], [f"{self.home}/page.html"], [f"{self.home}/feed.txt"],
                              ["-r", f"{self.home}/images"], [f"{self.home}/images", f"{self.url}/feed.txt"]])
        more = choose.choice([[], [], [], ["--autoscroll"], ["--slideshow", "1"], ["--watch"]])
        return feed + more, self.environment()
