"""Uploads by tuspy, a client of tus 1.0 that others wrote: in one piece, in several, and over a line that is cut."""
import asyncio
import contextlib
import io
import random

import pytest
from tusclient.exceptions import TusCommunicationError, TusUploadFailed
from tusclient.uploader import Uploader

from client import check
from phone import Phone, ask_http
from pictures import png

PIECE_BYTES = 20_000
# A cut connection may be noticed a moment later; until then its successor is told to wait.
RETRIES = 200
RETRY_DELAY_S = 0.05


@pytest.fixture(scope="module")
def noise():
    """A picture that is not compressed: 270,000 bytes."""
    draw = random.Random(7)
    return png(300, 300, lambda _: draw.randbytes(900))


def uploader(port, url, picture, **settings):
    """A client of its own for a ticket; it asks how far the upload has come."""
    return Uploader(url=f"http://127.0.0.1:{port}{url}", file_stream=io.BytesIO(picture), **settings)


@contextlib.asynccontextmanager
async def short_line(server, *lengths):
    """A line to the server whose connections break one after the other once they have brought so many bytes; those
    behind them hold. Yields its port."""
    lengths = list(lengths)

    async def carry(reader, writer):
        left = lengths.pop(0) if lengths else None
        inside, outside = await asyncio.open_connection("127.0.0.1", server.port)

        async def back():
            with contextlib.suppress(OSError):
                while data := await inside.read(65_536):
                    writer.write(data)
                    await writer.drain()
            writer.close()

        answers = asyncio.create_task(back())
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                outside.write(data if left is None else data[:left])
                await outside.drain()
                if left is not None and len(data) >= left:
                    writer.transport.abort()
                    break
                left = None if left is None else left - len(data)
        outside.close()
        await answers

    line = await asyncio.start_server(carry, "127.0.0.1", 0)
    async with line:
        yield line.sockets[0].getsockname()[1]


async def check_is_picture(server, phone, client):
    """The last answer names a picture, which is there for what refers to it."""
    media_id = client.request.response_headers["media-id"]
    (picture,) = await phone.open((await phone.bury(media_id))["capsuleId"])
    answer = await asyncio.to_thread(ask_http, server, "GET", picture["url"])
    check((answer.status, answer.headers["Content-Type"]) == (200, "image/png"), f"the picture: {answer.status}")


@pytest.mark.parametrize("piece_bytes", [PIECE_BYTES, 10_000_000])
async def test_tuspy_uploads_a_picture_in_pieces_of_any_size(server, noise, piece_bytes):
    phone = await Phone.at(server)
    client = await asyncio.to_thread(
        uploader, server.port, await phone.ticket(noise, "image/png"), noise, chunk_size=piece_bytes
    )
    check(client.offset == 0, "a new ticket has no bytes")
    await asyncio.to_thread(client.upload)
    check(client.offset == len(noise), f"{client.offset} bytes are there")
    await check_is_picture(server, phone, client)


async def test_tuspy_goes_on_by_itself_where_its_line_was_cut(server, noise):
    phone = await Phone.at(server)
    url = await phone.ticket(noise, "image/png")
    # The first connection asks for the offset.
    async with short_line(server, 100_000, 30_000, 50_000) as port:
        client = await asyncio.to_thread(
            uploader, port, url, noise, retries=RETRIES, retry_delay=RETRY_DELAY_S
        )
        await asyncio.to_thread(client.upload)
    await check_is_picture(server, phone, client)


async def test_tuspy_goes_on_in_a_client_that_knows_the_address_alone(server, noise):
    phone = await Phone.at(server)
    url = await phone.ticket(noise, "image/png")
    async with short_line(server, 100_000, 50_000) as port:
        lost = await asyncio.to_thread(uploader, port, url, noise)
        with pytest.raises((TusUploadFailed, TusCommunicationError)):
            await asyncio.to_thread(lost.upload)
    offset = 0
    while offset == 0:
        client = await asyncio.to_thread(uploader, server.port, url, noise, retries=RETRIES, retry_delay=RETRY_DELAY_S)
        offset = client.offset
    check(offset < len(noise), f"a part had come: {offset}")
    await asyncio.to_thread(client.upload)
    await check_is_picture(server, phone, client)
