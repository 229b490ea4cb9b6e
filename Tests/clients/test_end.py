"""The real program is ended by signals and by operators, and reads its certificate again."""
import asyncio
import contextlib
import json
import secrets
import signal
import ssl
import time

import pytest
import websockets

from client import Client
from play_json import JSONCodec
from program import Program

GRACE_S = 5
SHUTTING_DOWN = 4000


@contextlib.asynccontextmanager
async def serving(program, folder, *options):
    """A server of its own, killed at the end if it has not ended by itself."""
    server = Program(program, folder / "data", folder / "server.log", *options)
    try:
        await server.start()
        yield server
    finally:
        server.destroy()


async def get(server, path):
    """The status of a plain request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    return int(answer.split()[1])


async def certificate(server):
    """The certificate that a new connection gets, as PEM."""
    return await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", server.port))


async def until(what, holds, seconds=10):
    """Polls a condition that has no notification."""
    deadline = time.monotonic() + seconds
    while not await holds():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        await asyncio.sleep(0.05)


async def player(server, name, **connecting):
    client = Client(server.url, JSONCodec(), name, **connecting)
    await client.connect()
    await client.hello(name, secrets.token_hex(16))
    return client


async def in_game(server, name):
    client = await player(server, name)
    await client.expect("room", "createRoom", mode="FOOTPRINT", solo=True, durationS=3600)
    await client.expect("ok", "startGame")
    return client


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
async def test_a_signal_ends_it_in_good_order_within_the_grace_time(madang, tmp_path, number):
    """Players are notified. Connections without a game are closed at once, those in a game when the time is over."""
    async with serving(madang, tmp_path, "--grace-seconds", str(GRACE_S)) as server:
        assert await get(server, "/readyz") == 200, "not ready"
        idle, runner = await player(server, "idle"), await in_game(server, "runner")
        server.signal(number)
        began = time.monotonic()
        await idle.closed_with(SHUTTING_DOWN, "plays nothing")
        assert time.monotonic() - began < GRACE_S - 1, "who plays nothing was not closed now"
        assert [body for body, _ in idle.strays] == ["closing"], f"the idle one was told {idle.strays}"
        assert await get(server, "/readyz") == 503, "still ready"
        await runner.expect("time", "time")
        await runner.closed_with(SHUTTING_DOWN, "was in a game")
        status = await server.status(GRACE_S + 2)
        assert status == 0, f"the program ended with {status}: {server.said('')}"


async def test_a_second_sigterm_ends_it_at_once_with_143(madang, tmp_path):
    async with serving(madang, tmp_path, "--grace-seconds", "3600") as server:
        runner = await in_game(server, "runner")
        server.signal(signal.SIGTERM)
        await runner.until("the warning", lambda: runner.strays)
        assert runner.strays[0][0] == "closing", f"the runner was told {runner.strays}"
        server.signal(signal.SIGTERM)
        status = await server.status(2)
        # The process exits by itself with a shell's status for the signal; the signal does not kill it.
        assert status == 128 + signal.SIGTERM, f"the program ended with {status}"
        await asyncio.wait([runner.reader])


async def test_an_operator_ends_it_in_good_order_by_the_feed_of_the_console(madang, tmp_path):
    """Players get the announcement and the end, and both are in the audit log of the next start."""
    async with serving(madang, tmp_path, "--admin-port", "0", "--grace-seconds", str(GRACE_S)) as server:
        host, token = server.admin.removeprefix("http://").split("/?token=")
        idle = await player(server, "idle")
        async with websockets.connect(
            f"ws://{host}/console/feed", additional_headers={"Authorization": f"Bearer {token}"}
        ) as feed:
            for number, act in enumerate([{"act": "announce", "text": "곧 끝나요"}, {"act": "drain"}], 1):
                await feed.send(json.dumps({"id": number, **act}))
                reply = {}
                while reply.get("reply") != number:
                    reply = json.loads(await asyncio.wait_for(feed.recv(), 10))
                assert reply["ok"], f"{act} was answered with {reply}"
        await idle.closed_with(SHUTTING_DOWN, "the server ends")
        told = [body for body, _ in idle.strays]
        assert told == ["announcement", "closing"], f"the idle one was told {told}"
        status = await server.status(GRACE_S + 2)
        assert status == 0, f"the program ended with {status}: {server.said('')}"
        status, output, errors = await server.command("audit", "--json")
        done = [json.loads(line)["action"] for line in output.splitlines()]
        assert done == ["drain", "announce"], f"the audit log has {done}: {errors}"


async def test_sighup_brings_the_new_certificate_and_costs_nobody_a_connection(madang, tmp_path, make_certificate):
    """With a bad file the server keeps the old pair and logs the failure."""
    files = tmp_path / "tls"
    make_certificate(files)
    options = ("--tls-certificate", files / "cert.pem", "--tls-key", files / "key.pem", "--grace-seconds", "0")
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    async with serving(madang, tmp_path, *options) as server:
        stays = await player(server, "stays", ssl=trusting)
        first = await certificate(server)
        assert first.split() == (files / "cert.pem").read_text().split(), "another certificate is shown than the file's"

        make_certificate(files, "--force")
        second = (files / "cert.pem").read_text()
        assert await certificate(server) == first, "the file was read without being asked for"
        server.signal(signal.SIGHUP)

        async def is_second():
            return (await certificate(server)).split() == second.split()

        await until("the new certificate", is_second)
        await stays.expect("time", "time")

        (files / "cert.pem").write_text("no certificate\n")
        server.signal(signal.SIGHUP)

        async def complained():
            return server.said("the certificate stays as it was")

        await until("a complaint on stderr", complained)
        assert await is_second(), "a bad file changed the certificate"
        await stays.expect("time", "time")
        newcomer = await player(server, "newcomer", ssl=trusting)
        await newcomer.close()

        server.signal(signal.SIGTERM)
        await stays.closed_with(SHUTTING_DOWN, "the server ends")
        assert await server.status(5) == 0, "the program with TLS did not end well"
