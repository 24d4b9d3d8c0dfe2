#!/usr/bin/env python3
"""Writes images with rare features of each format, for compare.py.

    pip install numpy pillow pillow-heif imagecodecs
    make_files.py FOLDER [MORE…]

Each row of the table has a folder in FOLDER. Formats that Chromium cannot decode have a reference
beside the file, NAME.reference.png. The images in the folders MORE are added; use Formats of
Tests/DecodersTests/Fixtures, where NAME.png is the reference of NAME. cjxl is used if it is
installed. All pixels come from formulas and fixed seeds.
"""
import base64
import gzip
import io
import json
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import imagecodecs
import numpy
import pillow_heif
from PIL import Image, ImageCms

WIDTH, HEIGHT = 64, 48
folder, index = Path(sys.argv[1]), []


def save(row, name, data, reference=None, by="Chromium", **options):
    """Writes a file, its reference if there is one, and its entry of the index."""
    (folder / row).mkdir(parents=True, exist_ok=True)
    path = folder / row / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    if reference is not None:
        Image.fromarray(numpy.asarray(reference, "uint8")).save(f"{path}.reference.png")
    index.append({"row": row, "file": f"{row}/{name}", "by": by, **options})


def scene(width=WIDTH, height=HEIGHT):
    """Returns slopes in red and green, with a disc and noise in blue."""
    y, x = numpy.mgrid[0:height, 0:width]
    disc = (x - width / 4) ** 2 + (y - height / 3) ** 2 < (height / 4) ** 2
    noise = numpy.random.default_rng(1).integers(0, 8, (height, width))
    planes = [40 + 180 * x // width, 60 + 150 * y // height, 100 + noise + 90 * disc]
    return numpy.stack(planes, -1).astype("u1")


def encoded(pixels, kind, more=(), **options):
    """Returns a file by Pillow; `more` are further frames."""
    file = io.BytesIO()
    if more:
        options.update(save_all=True, append_images=[Image.fromarray(frame) for frame in more])
    Image.fromarray(pixels).save(file, kind, **options)
    return file.getvalue()


def decoded(data):
    """Returns the RGB pixels that Pillow reads."""
    return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def chunk(kind, form, *values):
    """Returns a PNG chunk of big-endian values; one value without a form is its bytes."""
    data = struct.pack(">" + form, *values) if form else values[0]
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed(pixels):
    """Returns the compressed rows of a PNG, without filters."""
    rows = pixels.astype(pixels.dtype.newbyteorder(">"))
    return zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows))


def png(pixels, *extra, kind=2):
    """Returns a PNG file with extra chunks before its pixels."""
    header = *pixels.shape[1::-1], 8 * pixels.itemsize, kind, 0, 0, 0
    parts = [chunk(b"IHDR", "II5B", *header), *extra, chunk(b"IDAT", "", packed(pixels)),
             chunk(b"IEND", "", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def svg():
    """SVG: units, preambles, encodings, embedded images and a shadow."""
    def drawing(content, width="64", height="48"):
        return ('<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
                f' width="{width}" height="{height}">{content}</svg>')

    shapes = ('<rect width="90%" height="80%" fill="#c84028"/>'
              '<circle cx="30%" cy="40%" r="20%" fill="#3060c0" stroke="#fff" stroke-width="3"/>')
    plain, start = drawing(shapes), '<?xml version="1.0"?>'
    doctype = ('<!-- Generator: Adobe Illustrator --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"'
               ' "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" ['
               '<!ENTITY ns_svg "http://www.w3.org/2000/svg"><!ENTITY ink "#208040">]>')
    body = plain.replace("http://www.w3.org/2000/svg", "&ns_svg;").replace("#c84028", "&ink;")
    shadow = ('<filter id="f"><feDropShadow dx="4" dy="5" stdDeviation="3" flood-color="#204080" '
              'flood-opacity="0.7"/></filter><circle cx="30" cy="20" r="14" fill="#e0b030" '
              'filter="url(#f)"/>')
    files = {
        "mm.svg": drawing(shapes, "40mm", "30mm"), "pt.svg": drawing(shapes, "96pt", "72pt"),
        "cm.svg": drawing(shapes, "4cm", "3cm"), "entities.svg": start + doctype + body,
        "license.svg": f"{start}<!-- <html> <svg> {'License text. ' * 300}-->\n{plain}",
        "stylesheet.svg": f'{start}<?xml-stylesheet type="text/css" href="missing.css"?>{plain}',
        "utf16le.svg": b"\xff\xfe" + plain.encode("utf-16-le"),
        "utf16be.svg": b"\xfe\xff" + plain.encode("utf-16-be"),
        "packed.svgz": gzip.compress(plain.encode(), mtime=0), "named.png": plain,
        "shadow.svg": drawing(shadow)}
    images = {kind: encoded(scene(), kind) for kind in ("gif", "png", "jpeg", "webp", "avif")}
    for kind, data in {**images, "svg+xml": plain.encode()}.items():
        url = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
        image = f'<image x="8" y="8" width="64" height="48" xlink:href="{url}"/>'
        files[f"data-{kind[:4]}.svg"] = drawing(image, "80", "64")
    for name, data in files.items():
        save("svg", name, data)


def box(kind, *contents, version=None):
    """Returns an ISO box; a version is followed by 24 flags."""
    content = b"".join(contents)
    content = content if version is None else bytes([version, 0, 0, 0]) + content
    return struct.pack(">I4s", 8 + len(content), kind) + content


def coded(data, kind):
    """Returns the configuration box and the coded image of a file with one image."""
    start = data.index(kind) - 4
    size = struct.unpack(">I", data[start : start + 4])[0]
    return data[start : start + size], data[data.index(b"mdat") + 4 :]


def properties(config, depth=8, channels=3, is_full=True, size=(WIDTH, HEIGHT)):
    """Returns the properties that every item has."""
    return [box(b"ispe", struct.pack(">II", *size), version=0),
            box(b"pixi", bytes([channels] + [depth] * channels), version=0), config,
            box(b"colr", b"nclx", struct.pack(">HHHB", 1, 13, 6, is_full << 7))]


def heif(brand, code, *items):
    """Returns a file of items, which are properties and a coded image: an image, then its alpha."""
    boxes = [prop for item, _ in items for prop in item]
    count, before = struct.pack(">H", len(items)), b""
    for _ in range(2):  # The first round finds the size of what precedes the images.
        uses, places, entries, number, start = b"", b"", b"", 1, len(before) + 8
        for place, (item, image) in enumerate(items, 1):
            uses += struct.pack(">HB", place, len(item))
            uses += bytes(0x80 | number + offset for offset in range(len(item)))
            places += struct.pack(">HHHII", place, 0, 1, start, len(image))
            entries += box(b"infe", struct.pack(">HH4sB", place, 0, code, 0), version=2)
            number, start = number + len(item), start + len(image)
        alpha = box(b"iref", box(b"auxl", struct.pack(">HHH", 2, 1, 1)), version=0)
        meta = [box(b"hdlr", struct.pack(">4x4s13x", b"pict"), version=0),
                box(b"pitm", b"\0\1", version=0), box(b"iloc", b"\x44\0", count, places, version=0),
                box(b"iinf", count, entries, version=0), alpha if items[1:] else b"",
                box(b"iprp", box(b"ipco", *boxes), box(b"ipma", b"\0\0", count, uses, version=0))]
        before = box(b"ftyp", brand, bytes(4), brand, b"mif1miaf") + box(b"meta", *meta, version=0)
    return before + box(b"mdat", *(image for _, image in items))


def minimized(config, image):
    """Returns an AVIF file with a `mini` box: 4:4:4 samples of 8 bits with the full range."""
    fields = [(0, 4), (1, 1), (0, 6), (3, 2), (0, 4), (WIDTH - 1, 7), (HEIGHT - 1, 7), (0, 3),
              (len(config), 3), (len(image) - 1, 15), (0, 4)]
    bits = "".join(f"{value:0{width}b}" for value, width in fields)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return box(b"ftyp", b"mif3avif") + box(b"mini", data, config, image)


def boxed():
    """AVIF and HEIC: transformations, depths, alpha, ranges, a sequence and a minimized header."""
    turn, mirror = box(b"irot", b"\3"), box(b"imir", b"\1")
    crop = box(b"clap", struct.pack(">8I", 30, 1, 20, 1, 4, 1, 0, 1))

    def write(name, *items):
        save("avif-heic", name, heif(b"avif", b"av01", *items))

    config, image = coded(encoded(scene(), "AVIF", quality=90, subsampling="4:4:4"), b"av1C")
    pillow_heif.register_heif_opener()
    plain = encoded(scene(64, 64), "HEIF", quality=90, chroma=444)
    config_hevc, hevc = coded(plain, b"hvcC")
    whole = decoded(plain)
    for name, prop, pixels in [("irot", turn, numpy.rot90(whole, 3)),
                               ("imir", mirror, whole[:, ::-1]),
                               ("clap", crop, whole[22:42, 21:51])]:
        write(f"{name}-first.avif", ([prop, *properties(config)], image))
        for place in ("first", "last"):
            items = properties(config_hevc, size=(64, 64))
            items.insert(0 if place == "first" else 4, prop)
            save("avif-heic", f"{name}-{place}.heic", heif(b"heic", b"hvc1", (items, hevc)), pixels,
                 "libheif")
    deep = imagecodecs.avif_encode(scene().astype("u2") * 16, level=95, bitspersample=12,
                                   pixelformat="444")
    deep = coded(deep, b"av1C")
    write("mirrored12.avif", ([*properties(deep[0], 12), mirror], deep[1]))
    kind = box(b"auxC", b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", version=0)
    for name in ("full", "limited"):
        gray = coded(encoded(scene()[..., 0], "AVIF", quality=95, range=name), b"av1C")
        item = properties(gray[0], 8, 1, name == "full")
        write(f"gray-{name}-alpha.avif", (item, gray[1]), ([*item, kind], gray[1]))
        write(f"turned-but-not-alpha-{name}.avif", ([*properties(config), turn], image),
              ([*item, kind], gray[1]))
    save("avif-heic", "sequence.avif", encoded(scene(), "AVIF", [scene()[::-1]], quality=90))
    save("avif-heic", "minimized.avif", minimized(config[8:], image))


def webp():
    """WebP: lossy with alpha, whole and reduced."""
    y, x = numpy.mgrid[0:96, 0:128]
    soft = numpy.dstack([scene(128, 96), numpy.minimum(255, 2 * x + y).astype("u1")])
    text = numpy.full((96, 128, 4), (255, 255, 255, 0), "u1")
    text[8:88, x[0] // 5 % 2 == 0] = (0, 0, 0, 255)
    for name, pixels in [("soft", soft), ("text", text)]:
        data = encoded(pixels, "WEBP", quality=85, exact=True)
        save("webp", f"{name}.webp", data)
        for size in (64, 43):
            save("webp", f"{name}-{size}.webp", data, size=size)


def tiff(samples, bits, photometric=1, compression=1, data=None, more=()):
    """Returns a big-endian TIFF file with one strip, whose rows of samples are packed into bits."""
    height, width, channels = samples.shape
    if data is None:
        whole = samples.astype("i8").reshape(height, -1, 1) >> numpy.arange(bits - 1, -1, -1) & 1
        data = numpy.packbits(whole.reshape(height, -1).astype("u1"), axis=1).tobytes()
    data += bytes(len(data) % 2)
    tags = {256: [width], 257: [height], 258: [bits] * channels, 259: [compression],
            262: [photometric], 273: [8], 277: [channels], 278: [height], 279: [len(data)],
            **dict(more)}
    start, entries, long = 8 + len(data), b"", b""
    for tag, values in sorted(tags.items()):
        form = "H" if tag in (258, 259, 262, 277, 530) else "I"
        value = struct.pack(f">{len(values)}{form}", *values)
        if len(value) > 4:
            place = start + 6 + 12 * len(tags) + len(long)
            long, value = long + value, struct.pack(">I", place)
        entries += struct.pack(">HHI4s", tag, 3 if form == "H" else 4, len(values), value)
    return (struct.pack(">2sHI", b"MM", 42, start) + data + struct.pack(">H", len(tags)) + entries
            + bytes(4) + long)


def tiffs():
    """TIFF: depths, Lab, old JPEG and unknown compression."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    slope = numpy.stack([x / WIDTH, y / HEIGHT, (x + y) / (WIDTH + HEIGHT)], -1)
    for bits in [3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 24, 32]:
        whole = numpy.round(slope * (2**bits - 1))
        exact = numpy.round(whole * 255 / (2**bits - 1))
        save("tiff", f"rgb{bits}.tiff", tiff(whole, bits, 2), exact, "formula")
        save("tiff", f"gray{bits}.tiff", tiff(whole[..., :1], bits), exact[..., 0], "formula")
    lab = numpy.round(slope * [255, 84, 84]) - [0, 42, 42]
    color = ImageCms.profileToProfile(
        Image.fromarray(lab.astype("i2").astype("u1"), "LAB"), ImageCms.createProfile("LAB"),
        ImageCms.createProfile("sRGB"), outputMode="RGB")
    save("tiff", "lab16.tiff", tiff(lab * [257, 256, 256], 16, 8), color, "littlecms")
    jpeg = encoded(scene(), "JPEG", quality=92, subsampling=0)
    old = {513: [8], 514: [len(jpeg)], 530: [1, 1]}
    save("tiff", "old-jpeg.tiff", tiff(scene(), 8, 6, 6, jpeg, old), decoded(jpeg), "Pillow")
    save("tiff", "unknown.tiff", tiff(scene(), 8, 2, 65000))


def animations():
    """GIF and APNG: screens, disposal of an opaque first frame, and hidden or single frames."""
    small = bytearray(encoded(scene(), "GIF"))
    small[6:10] = struct.pack("<HH", 40, 30)
    save("gif", "small-screen.gif", bytes(small))
    for disposal in (2, 3):
        save("gif", f"disposal{disposal}.gif",
             encoded(scene(), "GIF", [scene()[10:30, 9:40]], disposal=disposal))
    for name, count in [("hidden", 2), ("single", 1)]:
        data, frames = png(scene(), chunk(b"acTL", "II", count, 0)), b""
        for number in range(0, 2 * count, 2):
            pixels = packed(numpy.roll(scene(), 8 * number + 16, axis=1)[..., ::-1])
            frames += chunk(b"fcTL", "5I2H2B", number, WIDTH, HEIGHT, 0, 0, 1, 10, 0, 0)
            frames += chunk(b"fdAT", f"I{len(pixels)}s", number + 1, pixels)
        save("apng", f"{name}.png", data[:-12] + frames + data[-12:])


def bmp(pixels, header=b"", bits=24, compression=0, data=None, palette=b""):
    """Returns a BMP file; `header` follows the 40 bytes of the information header."""
    if data is None:
        rows = pixels[::-1, :, ::-1].reshape(len(pixels), -1)
        data = numpy.pad(rows, ((0, 0), (0, -rows.shape[1] % 4))).tobytes()
    info = struct.pack("<IiiHHIIiiII", 40 + len(header), pixels.shape[1], len(pixels), 1, bits,
                       compression, len(data), 2835, 2835, 0, 0) + header + palette
    start = 14 + len(info)
    return struct.pack("<2sIHHI", b"BM", start + len(data), 0, 0, start) + info + data


def bitmaps():
    """PNG, BMP and ICO: chunk order, a profile, gaps in runs, JPEG, and wrong headers."""
    def icon(data, *size):
        return struct.pack("<3H4B2HII", 0, 1, 1, *size, 0, 0, 1, 24, len(data), 22) + data

    jpeg = encoded(scene(), "JPEG", quality=92)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    profile = profile.replace(b"rXYZ", b"temp").replace(b"gXYZ", b"rXYZ").replace(b"temp", b"gXYZ")
    header = (struct.pack("<4I4s48x", 0xFF0000, 0xFF00, 0xFF, 0, b"DEBM")
              + struct.pack("<4I", 4, 124 + scene().nbytes, len(profile), 0))
    colors = bytes(value for level in range(256) for value in (level, 255 - level, 90, 0))
    runs = b"\x08\x20\0\2\5\3\x06\x80\0\0\x10\xf0\0\1"
    wrong = bytearray(bmp(scene()))
    wrong[2:6], wrong[26:28], wrong[34:38] = b"\xff" * 4, b"\0\0", bytes(4)
    trns = chunk(b"tRNS", "", b"\0\x5a\xb4"), chunk(b"PLTE", "", bytes(range(0, 240, 5)))
    for name, data in {
            "trns-first.png": png(scene()[..., 0] // 16, *trns, kind=3),
            "profile.bmp": bmp(scene(), header) + profile, "jpeg.ico": icon(jpeg, WIDTH, HEIGHT),
            "gaps.bmp": bmp(numpy.zeros((12, 20)), b"", 8, 1, runs, colors),
            "jpeg.bmp": bmp(scene(), b"", 0, 4, jpeg), "header-wrong.bmp": bytes(wrong),
            "wrong-size.ico": icon(png(scene()), 16, 200)}.items():
        save("png-bmp-ico", name, data)


def sides():
    """Sides of more than 65,500 pixels."""
    for name, shape in [("wide", (3, 70_000)), ("tall", (70_000, 3))]:
        place = sum(numpy.mgrid[0 : shape[0], 0 : shape[1]])
        image = numpy.stack([place // 300, 255 - place // 400, place // 900], -1).astype("u1")
        for kind, data in {"png": png(image), "bmp": bmp(image), "tiff": tiff(image, 8, 2)}.items():
            save("sides", f"{name}.{kind}", data, image, "formula", size=4096)


def colors():
    """Colors: cICP, cHRM and gAMA in PNG; PQ and HLG in AVIF and JPEG XL."""
    ramp = numpy.linspace(0, 1, 64)[None, :, None]
    basic = [ramp * [mask & 1, mask >> 1 & 1, mask >> 2] for mask in (7, 1, 2, 4, 3, 5, 6)]
    values = numpy.concatenate([*basic, numpy.random.default_rng(2).random((9, 64, 3))])
    eight, ten, deep = [numpy.round(values * (2**bits - 1)).astype(f"u{-(-bits // 8)}")
                        for bits in (8, 10, 16)]
    for pair in [(9, 16), (12, 16), (9, 18), (5, 5), (6, 6), (7, 7), (10, 8), (11, 17)]:
        for depth, pixels in [(8, eight), (16, deep)]:
            save("colors", f"cicp-{pair[0]}-{pair[1]}-{depth}.png",
                 png(pixels, chunk(b"cICP", "4B", *pair, 0, 1)))
    for transfer in (16, 18):
        for peak in (150, 400, 4000):
            light = chunk(b"cICP", "4B", 9, transfer, 0, 1), chunk(b"cLLI", "II", peak * 10_000, 0)
            save("colors", f"cicp-9-{transfer}-max{peak}.png", png(deep, *light))
        save("colors", f"9-{transfer}.avif",
             imagecodecs.avif_encode(ten, level=100, bitspersample=10, pixelformat="444",
                                     primaries=9, transfer=transfer, matrix=0))
    wide = chunk(b"cHRM", "8I", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)
    save("colors", "chrm.png", png(eight, wide, chunk(b"gAMA", "I", 45455)))
    save("colors", "gamma26.png", png(eight, chunk(b"gAMA", "I", 38462)))
    if shutil.which("cjxl"):
        options = ["-d", "0", "-x", "color_space=RGB_D65_202_Rel_PeQ"]
        Path(folder, "deep.png").write_bytes(png(deep))
        subprocess.run(["cjxl", *options, folder / "deep.png", folder / "colors/pq.jxl"],
                       check=True, capture_output=True)
        Path(folder, "deep.png").unlink()
        save("colors", "pq.jxl", Path(folder, "colors/pq.jxl").read_bytes())


def jpegs():
    """JPEG: bytes before and between segments, and lossless."""
    jpeg = encoded(scene(), "JPEG", quality=92)
    second = 4 + struct.unpack(">H", jpeg[4:6])[0]
    for name, filler in [("newline", b"\r\n"), ("zeros", bytes(5))]:
        for place, where in [("before", 0), ("after-start", 2), ("between", second)]:
            save("jpeg", f"{name}-{place}.jpg", jpeg[:where] + filler + jpeg[where:])
    gray = scene()[..., 0]
    save("jpeg", "lossless.jpg", imagecodecs.ljpeg_encode(gray, bitspersample=8), gray, "formula")


for make in (svg, boxed, webp, tiffs, animations, bitmaps, sides, colors, jpegs):
    make()
for path in sorted(path for more in sys.argv[2:] for path in Path(more).iterdir()):
    answer = path.with_name(path.name + ".png")
    is_shown = path.suffix not in (".tiff", ".heic", ".qoi", ".pbm", ".pgm", ".ppm", ".pam", ".pfm")
    if answer.exists() and not is_shown:
        save("given", path.name, path.read_bytes(), Image.open(answer).convert("RGBA"), "given")
    elif not path.with_suffix("").suffix:
        save("svg" if ".svg" in path.name else "given", path.name, path.read_bytes())
(folder / "index.json").write_text(json.dumps(index))
