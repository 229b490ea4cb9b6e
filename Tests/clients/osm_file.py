"""An extract of OpenStreetMap's data in its binary format, with one made-up street: the input of scripts/generate-map."""
import struct
import zlib

NANODEGREES = 1_000_000_000
# The street's ends, and the box around it.
SOUTH, NORTH, WEST, EAST = 37.5650, 37.5680, 126.9760, 126.9800


def varint(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def zigzag(value):
    return varint(value << 1 if value >= 0 else -value * 2 - 1)


def field(number, content):
    """A field of bytes, or of a number that is encoded already."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def number(of, encoded):
    return varint(of << 3) + encoded


def blob(kind, content):
    body = number(2, varint(len(content))) + field(3, zlib.compress(content))
    head = field(1, kind) + number(3, varint(len(body)))
    return struct.pack(">I", len(head)) + head + body


def nano(degrees):
    return zigzag(round(degrees * NANODEGREES))


def write_extract(path):
    """A file with a street of two nodes, `나무길`."""
    box = b"".join(number(of, nano(edge)) for of, edge in ((1, WEST), (2, EAST), (3, NORTH), (4, SOUTH)))
    header = field(1, box) + field(4, b"OsmSchema-V0.6")
    words = [b"", b"highway", b"residential", b"name", "나무길".encode()]
    # Places are in units of 100 nanodegrees.
    places = [(SOUTH + 0.0005, WEST + 0.0005), (NORTH - 0.0005, EAST - 0.0005)]
    nodes = b"".join(
        field(1, number(1, zigzag(identifier)) + number(8, zigzag(round(lat * 1e7))) + number(9, zigzag(round(lng * 1e7))))
        for identifier, (lat, lng) in enumerate(places, 1)
    )
    way = number(1, varint(1)) + field(2, bytes([1, 3])) + field(3, bytes([2, 4])) + field(8, zigzag(1) + zigzag(1))
    groups = field(2, nodes) + field(2, field(3, way))
    block = field(1, b"".join(field(1, word) for word in words)) + groups
    path.write_bytes(blob(b"OSMHeader", header) + blob(b"OSMData", block))
