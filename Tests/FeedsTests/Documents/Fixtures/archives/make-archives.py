#!/usr/bin/env python3
"""Writes small archives of every dialect, and listing.tsv: what Python's tarfile and zipfile read in them.

Each line: archive, name (hexadecimal UTF-8), kind, size, where its bytes or its local header begin, packed
size (zip, deflated) or -.
"""
import gzip, io, os, struct, subprocess, tarfile, tempfile, zipfile

os.chdir(os.path.dirname(os.path.abspath(__file__)))
long_name = "d/" * 60 + "x" * 120 + ".jpg"
files = [("a.jpg", b"x" * 10), ("d/é.jpg", b"y" * 513), ("p" * 90 + "/" + "q" * 90, b"1" * 512),
         ("./dot/b.png", b""), ("/absolute.png", b"a"), ("../out.png", b"b"), ("d/é.jpg", b"again")]

def tar(name, form, members):
    with tarfile.open(name, "w", format=form) as archive:
        for path, content in members:
            info = tarfile.TarInfo(path)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for path, kind in [("folder", tarfile.DIRTYPE), ("link.jpg", tarfile.SYMTYPE),
                           ("hard.jpg", tarfile.LNKTYPE), ("pipe", tarfile.FIFOTYPE)]:
            info = tarfile.TarInfo(path)
            info.type = kind
            if "." in path: info.linkname = "a.jpg"
            archive.addfile(info)
        last = tarfile.TarInfo("last.png")
        last.size = 3
        archive.addfile(last, io.BytesIO(b"end"))

tar("ustar.tar", tarfile.USTAR_FORMAT, files)
tar("gnu.tar", tarfile.GNU_FORMAT, files + [(long_name, b"z")])
tar("pax.tar", tarfile.PAX_FORMAT, files + [(long_name, b"z")])
with tempfile.TemporaryDirectory() as folder:
    os.makedirs(folder + "/in/é" + "n" * 120)
    for path in ["in/a.jpg", "in/é" + "n" * 120 + "/b.jpg"]:
        with open(os.path.join(folder, path), "wb") as file: file.write(b"content")
    for form in ["v7", "oldgnu", "gnu", "posix"]:
        names = ["in/a.jpg"] if form == "v7" else ["in"]
        with open("by-tar-%s.tar" % form, "wb") as out:
            subprocess.run(["tar", "-C", folder, "-b", "1", "--sort=name", "--mtime=@0", "--format=" + form, "-c"] + names, stdout=out, check=True)
    for form in ["gnu", "posix"]:
        with open(folder + "/sparse", "wb") as file:
            file.truncate(1 << 20)
            for place in range(0, 1 << 20, 1 << 16):
                file.seek(place)
                file.write(b"x")
        with open("sparse-%s.tar" % form, "wb") as out:
            subprocess.run(["tar", "-C", folder, "-b", "1", "-S", "--mtime=@0", "--format=" + form, "-c", "sparse", "in/a.jpg"], stdout=out, check=True)
    for name, options in [("by-zip.zip", []), ("by-zip-streamed.zip", ["-fd"])]:
        path = os.path.abspath(name)
        if os.path.exists(path): os.remove(path)
        subprocess.run(["zip", "-q", "-r", "-X"] + options + [path, "in"], cwd=folder, check=True)
    path = os.path.abspath("encrypted.zip")
    if os.path.exists(path): os.remove(path)
    subprocess.run(["zip", "-q", "-X", "-P", "secret", path, "in/a.jpg"], cwd=folder, check=True)

with zipfile.ZipFile("python.zip", "w") as archive:
    for path, content in files + [(long_name, b"z")]:
        archive.writestr(zipfile.ZipInfo(path), content)
    archive.writestr(zipfile.ZipInfo("deflated.jpg"), b"abc" * 1000, zipfile.ZIP_DEFLATED)
    archive.writestr(zipfile.ZipInfo("bzip2.jpg"), b"abc" * 1000, zipfile.ZIP_BZIP2)
    archive.writestr(zipfile.ZipInfo("folder/"), b"")
    archive.comment = b"a comment"
with zipfile.ZipFile("zip64.zip", "w") as archive:
    with archive.open(zipfile.ZipInfo("big.jpg"), "w", force_zip64=True) as file: file.write(b"123")
# As a program of Windows with code page 437 writes names, and what runs to unpack itself.
with zipfile.ZipFile("cp437.zip", "w") as archive: archive.writestr(zipfile.ZipInfo("XX.jpg"), b"1")
content = open("cp437.zip", "rb").read().replace(b"XX", b"\x81\xe1")
open("cp437.zip", "wb").write(content)
open("self-extracting.zip", "wb").write(b"#!/bin/sh\n" * 50 + open("python.zip", "rb").read())

# Not listed: a tar archive that is packed as a whole.
content = io.BytesIO()
with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
    for path, body in [("s/1.jpg", b"one" * 1000), ("s/1.txt", b"the first"), ("s/2.jpg", b"two")]:
        info = tarfile.TarInfo(path)
        info.size = len(body)
        archive.addfile(info, io.BytesIO(body))
with open("packed.tgz", "wb") as out: out.write(gzip.compress(content.getvalue(), mtime=0))

with open("listing.tsv", "w") as out:
    def line(*fields): out.write("\t".join(str(field) for field in fields) + "\n")
    for name in sorted(os.listdir(".")):
        if name.endswith(".tar"):
            for member in tarfile.open(name):
                kind = ("other" if member.issparse() else "file" if member.isfile() else "folder" if member.isdir()
                        else "link" if member.issym() or member.islnk() else "other")
                # Python takes a slash at the end away.
                size = 0 if member.issparse() else member.size
                place = 0 if member.issparse() else member.offset_data
                line(name, member.name.encode().hex(), "sparse" if member.issparse() else kind, size, place, "-")
        elif name.endswith(".zip"):
            for member in zipfile.ZipFile(name).infolist():
                kind = ("encrypted" if member.flag_bits & 1 else "folder" if member.is_dir()
                        else "file" if member.compress_type in (0, 8) else "unknown")
                packed = member.compress_size if member.compress_type == 8 else "-"
                path = member.filename.encode()
                # Info-ZIP writes UTF-8 here and doesn't say so, which Python takes for code page 437.
                if name.startswith("by-zip"): path = member.filename.encode("cp437")
                line(name, path.hex(), kind, member.file_size, member.header_offset, packed)
