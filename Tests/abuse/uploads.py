"""Attacks by uploads: tickets that hold bytes open, and pictures of as many pixels as are taken; and an honest upload."""
import asyncio
import functools
import json

from peer import Gone, Refused, dial
from pictures import png

# Of the largest pictures that a guest may announce four make a day.
ANNOUNCED_BYTES = 5_000_000
# Nearly the most pixels; a hundred kilobytes of black.
WIDE = 7_000
PICTURES_OF_GUEST = 10
KEPT_WITHIN_S = 60
TUS = "Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n"


@functools.cache
def black(side):
    return png(side, side, lambda y: b"\0" * (3 * side))


async def send(host, port, address, method, url, body, fields=""):
    """One request with a body, on a connection of its own; returns status and body of the answer."""
    reader, writer = await asyncio.open_connection(sock=await dial(host, port, address))
    try:
        head = f"{method} {url} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: {len(body)}\r\n{fields}\r\n"
        writer.write(head.encode() + body)
        answer = await reader.read()
    finally:
        writer.transport.abort()
    head, _, body = answer.partition(b"\r\n\r\n")
    if not head:
        raise Gone("HTTP")
    return int(head.split()[1]), body


async def keep(host, port, address, peer):
    """An honest guest's picture, from its ticket on; it must be kept."""
    picture = black(200)
    async with asyncio.timeout(KEPT_WITHIN_S):
        ticket = await peer.ask("askUpload", bytes=len(picture), type="image/png")
        status, body = await send(host, port, address, "PUT", ticket["url"], picture)
    if status != 200:
        raise Refused(json.loads(body)["error"]["code"], 0)


async def uploads(field):
    """Half of the guests take as many tickets as they may and send a byte for each; the others have pictures cleaned."""
    async def announce(field, address):
        peer = await field.guest(address)
        try:
            while True:
                ticket = await peer.ask("askUpload", bytes=ANNOUNCED_BYTES, type="image/jpeg")
                await send(field.host, field.port, address, "PATCH", ticket["url"], b"\xff", TUS)
                field.counts.sent_bytes += 1
                field.counts.done += 1
        finally:
            peer.drop()

    async def burden(field, address):
        peer = await field.guest(address)
        picture = black(WIDE)
        try:
            for _ in range(PICTURES_OF_GUEST):
                ticket = await peer.ask("askUpload", bytes=len(picture), type="image/png")
                field.counts.sent_bytes += len(picture)
                await send(field.host, field.port, address, "PUT", ticket["url"], picture)
                field.counts.done += 1
        finally:
            peer.drop()

    async def worker(field, address, number):
        await (announce if number % 2 else burden)(field, address)

    await field.swarm(10, worker)
