"""Pictures as phones and attackers send them, made here: by libvips' program where they must be real, else by hand."""
import pathlib
import struct
import subprocess
import zlib

DEVICE = b"SECRETCAMERA"
PLACE = b"SECRETPLACE"
XMP = (
    b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
    b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:p="http://ns.adobe.com/photoshop/1.0/" '
    b'p:City="' + PLACE + b'"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, row=None, claims=None, colours=2):
    """A PNG with a gradient, or rows of `row`'s making, in colours (2) or grey (0); it may claim other dimensions."""
    row = row or (lambda y: bytes((x * 7 + y * 3) & 0xFF for x in range(3 * width)))
    data = zlib.compressobj(6)
    rows = b"".join(data.compress(b"\0" + row(y)) for y in range(height)) + data.flush()
    head = struct.pack(">IIBBBBB", *(claims or (width, height)), 8, colours, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def segment(marker, data):
    """A segment of a JPEG."""
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def tiff():
    """Metadata with a device, an orientation to be turned by, and a place on Earth."""
    # Values longer than four bytes lie behind the directories, at these offsets.
    make_at, gps_at = 8 + 2 + 3 * 12 + 4, 8 + 2 + 3 * 12 + 4 + 16
    latitude_at = gps_at + 2 + 2 * 12 + 4
    data = b"II*\0" + struct.pack("<I", 8)
    data += struct.pack("<H", 3)
    data += struct.pack("<HHII", 0x010F, 2, len(DEVICE) + 1, make_at)
    data += struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0)
    data += struct.pack("<HHII", 0x8825, 4, 1, gps_at)
    data += struct.pack("<I", 0) + DEVICE.ljust(16, b"\0")
    data += struct.pack("<H", 2)
    data += struct.pack("<HHI4s", 1, 2, 2, b"N\0\0\0")
    data += struct.pack("<HHII", 2, 5, 3, latitude_at)
    return data + struct.pack("<I", 0) + struct.pack("<6I", 37, 1, 33, 1, 5940, 100)


def exif():
    """An APP1 segment with these."""
    return segment(0xE1, b"Exif\0\0" + tiff())


def riff_chunk(kind, data):
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def parts(picture):
    """The kinds of the segments or chunks that a JPEG, PNG or WebP has."""
    if picture[:2] == b"\xff\xd8":
        at, kinds = 2, []
        while picture[at + 1] != 0xDA:
            kinds.append(picture[at + 1])
            at += 2 + int.from_bytes(picture[at + 2:at + 4], "big")
        return kinds
    if picture[:4] == b"RIFF":
        at, kinds = 12, []
        while at < len(picture):
            length = int.from_bytes(picture[at + 4:at + 8], "little")
            kinds.append(picture[at:at + 4])
            at += 8 + length + length % 2
        return kinds
    at, kinds = 8, []
    while at < len(picture):
        kinds.append(picture[at + 4:at + 8])
        at += 12 + int.from_bytes(picture[at:at + 4], "big")
    return kinds


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

    def tagged(self, kind):
        """A picture of a type with a device, a place and words, in each way that the type has for them."""
        if kind == "image/jpeg":
            plain = self.jpeg()
            words = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP)
            words += segment(0xED, b"Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x10\x1c\x02\x5a\0\x0b" + PLACE)
            return plain[:2] + words + segment(0xFE, PLACE) + plain[2:]
        if kind == "image/png":
            plain = png(300, 200)
            words = chunk(b"eXIf", tiff()) + chunk(b"tEXt", b"Comment\0" + PLACE)
            words += chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP) + chunk(b"zTXt", b"a\0\0" + zlib.compress(PLACE))
            # Behind the header, and a chunk that nobody has heard of.
            return plain[:33] + words + chunk(b"prIv", PLACE) + plain[33:] + PLACE
        if kind == "image/webp":
            plain = self.webp()
            at = plain.index(b"VP8 ")
            frame = plain[at:at + 8 + int.from_bytes(plain[at + 4:at + 8], "little")]
            frame += b"\0" * (len(frame) % 2)
            # Metadata of both kinds are there; 500 by 400.
            head = riff_chunk(b"VP8X", bytes([0b1100, 0, 0, 0]) + (499).to_bytes(3, "little") + (399).to_bytes(3, "little"))
            chunks = b"WEBP" + head + frame + riff_chunk(b"EXIF", tiff()) + riff_chunk(b"XMP ", XMP)
            return b"RIFF" + struct.pack("<I", len(chunks)) + chunks
        # libvips takes the metadata over into the boxes of HEIC.
        (self.folder / "tagged.jpg").write_bytes(self.tagged("image/jpeg"))
        path = self.folder / "tagged.heic"
        subprocess.run(["vips", "copy", str(self.folder / "tagged.jpg"), str(path)], check=True)
        return path.read_bytes()

    def webp(self):
        return self.convert(png(500, 400), "p.webp")

    def heic(self):
        return self.convert(png(512, 384), "p.heic")

    def colour(self, picture, name):
        """The colour in a picture's middle, as libvips reads it, each part from 0 to 255."""
        path = self.folder / name
        path.write_bytes(picture)
        found = subprocess.run(["vips", "getpoint", str(path), "5", "5"], check=True, capture_output=True, text=True)
        return [round(float(part)) for part in found.stdout.split()]

    def dimensions(self, picture, name):
        """The dimensions of a picture, as libvips reads it."""
        path = self.folder / name
        path.write_bytes(picture)
        header = lambda field: subprocess.run(
            ["vipsheader", "-f", field, str(path)], check=True, capture_output=True, text=True
        ).stdout.strip()
        return int(header("width")), int(header("height"))
