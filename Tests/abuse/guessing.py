"""Attacks by guesses: codes of rooms by HTTP and by WebSocket, passwords of an account that is somebody else's."""
import asyncio
import random
import secrets

from peer import Gone, Refused, dial

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
HTTP_CONNECTIONS = 4
PASSWORD = "wrong" + "비밀" * 20


def random_code():
    """A valid code that no room has."""
    values = [random.randrange(32) for _ in range(9)]
    check = 0
    for value in values:
        check = (check ^ value) << 1
        if check >= 32:
            check ^= 37
    return "".join(SYMBOLS[value] for value in (*values, check))


async def get(field, address, paths):
    """Requests one path after another on one connection, each when the answer to the one before begins."""
    dialled = await dial(field.host, field.port, address)
    reader, writer = await asyncio.open_connection(sock=dialled)
    try:
        for path in paths:
            if field.left_s <= 0:
                return
            request = f"GET {path} HTTP/1.1\r\nHost: h\r\n\r\n".encode()
            field.counts.sent_bytes += len(request)
            writer.write(request)
            async with asyncio.timeout(20):
                if not await take_answer(reader):
                    return
            field.counts.done += 1
    finally:
        writer.transport.abort()


async def take_answer(reader):
    """Reads an answer with its body; false when the server closes the connection after it."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = next((line for line in head.split(b"\r\n") if line.startswith(b"content-length:")), None)
        await reader.readexactly(int(length.split(b":")[1]) if length else 0)
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as end:
        raise Gone("HTTP") from end
    return b"connection: close" not in head


async def codes_by_http(field):
    """Pages and pictures of codes that no room has."""
    async def worker(field, address, _):
        await get(field, address, (random.choice(["/j/{}", "/qr/{}.svg"]).format(random_code()) for _ in range(200)))

    await field.swarm(HTTP_CONNECTIONS, worker)


async def codes_by_socket(field):
    """Guests join rooms that do not exist. An address has so few guests that their hellos are no attack."""
    async def worker(field, address, _):
        peer = await field.guest(address)
        try:
            for _ in range(600):
                asked = [peer.request("joinRoom", code=random_code()) for _ in range(4)]
                await asyncio.wait(asked)
                for answer in asked:
                    if isinstance(answer.exception(), Gone):
                        raise answer.exception()
                field.counts.done += len(asked)
                await asyncio.sleep(0.2)
        finally:
            peer.drop()

    await field.swarm(40, worker)


async def wrong_passwords(field):
    """Wrong passwords for one account from all addresses."""
    async def worker(field, address, _):
        peer = await field.open(address)
        try:
            while True:
                try:
                    await peer.ask("login", email=field.honest["email"], password=PASSWORD)
                except Refused:
                    field.counts.done += 1
                await asyncio.sleep(0.2)
        finally:
            peer.drop()

    await field.swarm(4, worker)


async def password_hangups(field):
    """New accounts, and logins for unknown e-mails, by connections that end while their password waits."""
    async def worker(field, address, number):
        email = f"{secrets.token_hex(8)}@example.org"
        if number % 2:
            peer = await field.open(address)
            peer.say("login", email=email, password=PASSWORD)
        else:
            peer = await field.guest(address)
            peer.say("register", email=email, password=PASSWORD, nickname=email[:16])
        field.counts.done += 1
        await asyncio.sleep(0.02)
        peer.drop()
        await asyncio.sleep(random.random())

    await field.swarm(6, worker)


async def pages(field):
    """Pages, their resources, and the picture of an existing room, as fast as they are answered."""
    paths = ["/", "/tap", f"/j/{field.honest['code']}", *[f"/qr/{field.honest['code']}.svg"] * 4]
    paths = [path.replace("-", "") for path in paths]

    async def worker(field, address, _):
        await get(field, address, (random.choice(paths) for _ in range(1000)))

    await field.swarm(HTTP_CONNECTIONS, worker)


async def handshakes(field):
    """Silent connections, and request heads that arrive a byte at a time."""
    async def worker(field, address, number):
        dialled = await dial(field.host, field.port, address)
        reader, writer = await asyncio.open_connection(sock=dialled)
        field.counts.done += 1
        try:
            for byte in b"GET /v1/play HTTP/1.1\r\nHost: h\r\nX: " + b"x" * 100:
                if number % 2:
                    writer.write(bytes([byte]))
                    field.counts.sent_bytes += 1
                # The read ends with the server's answer or with the connection.
                try:
                    async with asyncio.timeout(1):
                        await reader.read(1)
                        break
                except TimeoutError:
                    pass
        finally:
            writer.transport.abort()

    await field.swarm(200, worker, over_s=5)
