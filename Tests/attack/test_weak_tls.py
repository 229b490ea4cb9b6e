"""A server speaks no TLS that is weak, old or known to be broken, as sslscan finds."""
import socket
import struct
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

ALLOWED_VERSIONS = {"TLSv1.2", "TLSv1.3"}
# Suites with forward secrecy and authenticated encryption. All of TLS 1.3 are such, and their names are shorter.
ALLOWED_SUITES = ("TLS_AES_128_GCM_", "TLS_AES_256_GCM_", "TLS_CHACHA20_POLY1305_")
FORWARD_SECRET = ("ECDHE-RSA-", "ECDHE-ECDSA-")
AUTHENTICATING = ("-GCM-", "-CHACHA20-POLY1305")
TIMEOUT_S = 10


def scan(host, port):
    """Runs sslscan and returns its report."""
    report = subprocess.run(
        ["sslscan", "--no-colour", "--xml=-", f"{host}:{port}"],
        stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=60,
    ).stdout
    return ElementTree.fromstring(report).find("ssltest")


def is_allowed(version, cipher):
    if version == "TLSv1.3":
        return cipher.startswith(ALLOWED_SUITES)
    return cipher.startswith(FORWARD_SECRET) and any(part in cipher for part in AUTHENTICATING)


def complaints(report):
    """The forbidden things that sslscan found, and the required ones that it did not find."""
    if report is None:
        return ["sslscan reached no server"]
    found = []
    for protocol in report.findall("protocol"):
        name = f"{protocol.get('type')} {protocol.get('version')}"
        is_wanted = name in ("tls 1.2", "tls 1.3")
        if (protocol.get("enabled") == "1") != is_wanted:
            found.append(f"{name} is {'missing' if is_wanted else 'spoken'}")
    if len(report.findall("protocol")) < 6:
        found.append("sslscan did not ask for every version")
    ciphers = [(cipher.get("sslversion"), cipher.get("cipher")) for cipher in report.findall("cipher")]
    for version in sorted(ALLOWED_VERSIONS - {version for version, _ in ciphers}):
        found.append(f"no cipher of {version} is spoken")
    found += [f"{version} with {cipher}" for version, cipher in ciphers if not is_allowed(version, cipher)]
    renegotiation = report.find("renegotiation")
    if renegotiation is None or (renegotiation.get("supported"), renegotiation.get("secure")) == ("1", "0"):
        found.append("insecure renegotiation")
    heartbleed = report.findall("heartbleed")
    if not heartbleed or any(version.get("vulnerable") != "0" for version in heartbleed):
        found.append("heartbleed")
    return found


def client_hello():
    """A hello of TLS 1.2 that offers DEFLATE before no compression, as no library does any more."""
    def vector(width, content):
        return len(content).to_bytes(width, "big") + content

    suites = struct.pack(">4H", 0xC02B, 0xC02F, 0xC02C, 0xC030)
    extensions = b"".join(
        struct.pack(">H", kind) + vector(2, vector(width, content)) for kind, width, content in (
            (10, 2, struct.pack(">2H", 23, 29)),  # groups: P-256, X25519
            (11, 1, b"\x00"),  # uncompressed points
            (13, 2, struct.pack(">4H", 0x0403, 0x0804, 0x0401, 0x0503)),  # signatures: ECDSA and RSA
        )
    )
    body = b"\x03\x03" + bytes(32) + vector(1, b"") + vector(2, suites) + vector(1, b"\x01\x00") + vector(2, extensions)
    return b"\x16\x03\x01" + vector(2, b"\x01" + vector(3, body))


def chosen_compression(host, port):
    """The compression of the server's answer; 0 is none. sslscan can ask for it only if its OpenSSL can compress."""
    with socket.create_connection((host, port), TIMEOUT_S) as connection, connection.makefile("rb") as stream:
        connection.sendall(client_hello())
        kind, _, length = struct.unpack(">BHH", stream.read(5))
        record = stream.read(length)
    if kind != 22 or record[0] != 2:
        raise ValueError(f"a hello with DEFLATE on offer was answered with record {kind}, {record[:4].hex()}")
    # The offset skips type and length, version and random, the session and the cipher.
    return record[4 + 34 + 1 + record[4 + 34] + 2]


@pytest.fixture
def server(serve, make_certificate, tmp_path):
    make_certificate(tmp_path)
    server = serve("--tls-certificate", tmp_path / "cert.pem", "--tls-key", tmp_path / "key.pem")
    assert server.url.startswith("wss://"), f"{server.url} is not served with TLS"
    return server


def test_tls_1_2_and_1_3_alone_are_spoken_with_sound_ciphers(server):
    """No insecure renegotiation, no heartbleed."""
    report = scan("127.0.0.1", server.port)
    assert not complaints(report)
    ciphers = [f"{cipher.get('sslversion')} {cipher.get('cipher')}" for cipher in report.findall("cipher")]
    print(", ".join(ciphers))


def test_no_compression_is_chosen(server):
    assert chosen_compression("127.0.0.1", server.port) == 0
