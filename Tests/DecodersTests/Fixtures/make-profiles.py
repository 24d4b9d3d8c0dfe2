"""Writes tables.png and inks.jpg, whose profiles have tables, and prints what littlecms makes of them.

The table of tables.png shows red as green, green as blue, blue as red; that of inks.jpg, which is
cmyk.jpg with a profile, shows gray by the amount of cyan alone. Run it in this folder; needs Pillow.
"""
import io
import struct
import zlib

from PIL import Image, ImageCms

LAB = {
    (0, 0, 0): (0, 0, 0),
    (1, 1, 1): (100, 0, 0),
    (1, 0, 0): (54.2917, 80.8125, 69.8851),
    (0, 1, 0): (87.8181, -79.2873, 80.9902),
    (0, 0, 1): (29.5676, 68.2986, -112.0294),
}


def table(count, color):
    """A lut8Type with two points for each of `count` samples."""
    ramp = bytes(range(256))
    data = b"mft1" + bytes(4) + bytes([count, 3, 2, 0])
    data += b"".join(struct.pack(">i", 65536 if i % 4 == 0 else 0) for i in range(9))
    data += ramp * count
    for i in range(2**count):
        light, a, b = color(tuple((i >> (count - 1 - k)) & 1 for k in range(count)))
        data += bytes([round(light * 2.55), round(a) + 128, round(b) + 128])
    return data + ramp * 3


def profile(space, data):
    start = 132 + 12
    head = struct.pack(">I", start + len(data)) + b"test" + bytes([4, 0x40, 0, 0])
    head += b"mntr" + space + b"Lab " + bytes(12) + b"acsp"
    tags = struct.pack(">I", 1) + b"A2B0" + struct.pack(">II", start, len(data))
    return head + bytes(128 - len(head)) + tags + data


def turned(bits):
    return LAB.get((bits[2], bits[0], bits[1]), (60, 0, 0))


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def write_tables():
    colors = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]
    rows = b"".join(
        b"\0" + b"".join(bytes(colors[y // 4 * 2 + x // 4]) for x in range(8)) for y in range(8)
    )
    with open("tables.png", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)))
        rgb = profile(b"RGB ", table(3, turned))
        file.write(chunk(b"iCCP", b"name\0\0" + zlib.compress(rgb)))
        file.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_inks():
    with open("cmyk.jpg", "rb") as file:
        plain = file.read()
    inks = profile(b"CMYK", table(4, lambda bits: (100 * (1 - bits[0]), 0, 0)))
    part = b"ICC_PROFILE\0\1\1" + inks
    with open("inks.jpg", "wb") as file:
        file.write(plain[:2] + b"\xff\xe2" + struct.pack(">H", len(part) + 2) + part + plain[2:])


def show(name):
    image = Image.open(name)
    source = ImageCms.ImageCmsProfile(io.BytesIO(image.info["icc_profile"]))
    target = ImageCms.createProfile("sRGB")
    shown = ImageCms.profileToProfile(image, source, target, renderingIntent=0, outputMode="RGB")
    places = [(x * image.width // 4, y * image.height // 4) for y in (1, 3) for x in (1, 3)]
    print(name, [shown.getpixel(place) for place in places])


write_tables()
write_inks()
show("tables.png")
show("inks.jpg")
