#!/usr/bin/env python3
"""wheel.py BINARY GLIBC OUT SUMS: writes a wheel that installs the program, for `pip install termgallery`.

GLIBC is the oldest version of glibc that the program runs with, such as 2.31; SUMS is a folder with its checksums.
Equal programs give equal files.
"""

import base64
import hashlib
import os
import subprocess
import sys
import time
import zipfile

DESCRIPTION = "Browse images and image feeds in a terminal"


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def digest(content):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main(binary, glibc, out, sums):
    version = output("Packaging/version.sh")
    date = time.gmtime(int(output("Packaging/version.sh", "date")))[:6]
    tag = f"py3-none-manylinux_{glibc.replace('.', '_')}_x86_64"
    info, data = f"termgallery-{version}.dist-info", f"termgallery-{version}.data"
    metadata = f"""Metadata-Version: 2.4
Name: termgallery
Version: {version}
Summary: {DESCRIPTION}
License-Expression: MIT
License-File: LICENSE
License-File: THIRD-PARTY.md
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Multimedia :: Graphics :: Viewers
Requires-Python: >=3.8
Description-Content-Type: text/markdown

"""
    wheel = f"Wheel-Version: 1.0\nGenerator: termgallery\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files = [
        (f"{data}/scripts/termgallery", read(binary), 0o755),
        (f"{data}/data/share/man/man1/termgallery.1", read("man/termgallery.1"), 0o644),
        (f"{info}/METADATA", metadata.encode() + read("README.md"), 0o644),
        (f"{info}/WHEEL", wheel.encode(), 0o644),
        (f"{info}/licenses/LICENSE", read("LICENSE"), 0o644),
        (f"{info}/licenses/THIRD-PARTY.md", read("THIRD-PARTY.md"), 0o644),
    ]
    for name in sorted(os.listdir(sums)):
        files.append((f"{data}/data/share/doc/termgallery/{name}", read(os.path.join(sums, name)), 0o644))
    record = "".join(f"{name},{digest(content)},{len(content)}\n" for name, content, _ in files)
    files.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode(), 0o644))
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, f"termgallery-{version}-{tag}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content, mode in files:
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    print(f"wheel: {path} ({os.path.getsize(path) // 1024} KiB)")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: wheel.py BINARY GLIBC OUT SUMS")
    paths = [os.path.abspath(sys.argv[1]), sys.argv[2], *map(os.path.abspath, sys.argv[3:])]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    main(*paths)
