"""Pictures as phones and attackers send them, made here: by libvips' program where they must be real, else by hand."""
import pathlib
import struct
import subprocess
import zlib

DEVICE = b"SECRETCAMERA"


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, row=None, claims=None):
    """A PNG with a gradient, or rows of `row`'s making; it may claim other dimensions than it has."""
    row = row or (lambda y: bytes((x * 7 + y * 3) & 0xFF for x in range(3 * width)))
    data = zlib.compressobj(6)
    rows = b"".join(data.compress(b"\0" + row(y)) for y in range(height)) + data.flush()
    head = struct.pack(">IIBBBBB", *(claims or (width, height)), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def exif():
    """An APP1 segment with a device, an orientation to be turned by, and a place on Earth."""
    # Values longer than four bytes lie behind the directories, at these offsets.
    make_at, gps_at = 8 + 2 + 3 * 12 + 4, 8 + 2 + 3 * 12 + 4 + 16
    latitude_at = gps_at + 2 + 2 * 12 + 4
    tiff = b"II*\0" + struct.pack("<I", 8)
    tiff += struct.pack("<H", 3)
    tiff += struct.pack("<HHII", 0x010F, 2, len(DEVICE) + 1, make_at)
    tiff += struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0)
    tiff += struct.pack("<HHII", 0x8825, 4, 1, gps_at)
    tiff += struct.pack("<I", 0) + DEVICE.ljust(16, b"\0")
    tiff += struct.pack("<H", 2)
    tiff += struct.pack("<HHI4s", 1, 2, 2, b"N\0\0\0")
    tiff += struct.pack("<HHII", 2, 5, 3, latitude_at)
    tiff += struct.pack("<I", 0) + struct.pack("<6I", 37, 1, 33, 1, 5940, 100)
    data = b"Exif\0\0" + tiff
    return b"\xff\xe1" + struct.pack(">H", len(data) + 2) + data


class Album:
    """Real pictures of every type, in a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def convert(self, source, name, options=""):
        (self.folder / "source.png").write_bytes(source)
        path = self.folder / name
        subprocess.run(["vips", "copy", str(self.folder / "source.png"), f"{path}{options}"], check=True)
        return path.read_bytes()

    def jpeg(self, width=640, height=480, seed=0):
        """As a phone takes it: with the device, the place, and to be turned upright."""
        row = lambda y: bytes((x * (seed + 5) + y * 3) & 0xFF for x in range(3 * width))
        plain = self.convert(png(width, height, row), "p.jpg", "[strip]")
        return plain[:2] + exif() + plain[2:]

    def webp(self):
        return self.convert(png(500, 400), "p.webp")

    def heic(self):
        return self.convert(png(512, 384), "p.heic")

    def dimensions(self, picture, name):
        """The dimensions of a picture, as libvips reads it."""
        path = self.folder / name
        path.write_bytes(picture)
        header = lambda field: subprocess.run(
            ["vipsheader", "-f", field, str(path)], check=True, capture_output=True, text=True
        ).stdout.strip()
        return int(header("width")), int(header("height"))
