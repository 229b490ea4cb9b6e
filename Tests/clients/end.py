#!/usr/bin/env python3
"""Ends the real program by signals, and has it read its certificate again.

    end.py PROGRAM CERTS

PROGRAM is `madang`, CERTS the script that makes a certificate. SIGTERM must end the program with 0 within the grace
time, with players told, and so must an operator who drains it; a second one must end it at once with 143. SIGHUP must bring the new certificate without
costing anybody their connection, and a bad file must change nothing and be complained of on stderr. Ends with 0 and a
line for each part that holds, or with 1 and what does not.
"""
import asyncio
import contextlib
import json
import pathlib
import secrets
import signal
import ssl
import subprocess
import sys
import tempfile
import time

import websockets

from client import Client, Failure, check
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
        await server.abandon()


async def get(server, path):
    """The status of a plain request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    return int(answer.split()[1])


async def certificate(server):
    """What a newcomer is shown, as PEM."""
    return await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", server.port))


async def until(what, holds, seconds=10):
    """Waits for what tells of itself in no other way than by being looked at."""
    deadline = time.monotonic() + seconds
    while not await holds():
        check(time.monotonic() < deadline, f"waited {seconds} s for {what}")
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


async def end_in_good_order(program, folder, number):
    async with serving(program, folder, "--grace-seconds", str(GRACE_S)) as server:
        check(await get(server, "/readyz") == 200, "not ready")
        idle, runner = await player(server, "idle"), await in_game(server, "runner")
        server.signal(number)
        began = time.monotonic()
        await idle.closed_with(SHUTTING_DOWN, "plays nothing")
        check(time.monotonic() - began < GRACE_S - 1, "who plays nothing was not closed now")
        check([body for body, _ in idle.strays] == ["closing"], f"the idle one was told {idle.strays}")
        check(await get(server, "/readyz") == 503, "still ready")
        await runner.expect("time", "time")
        await runner.closed_with(SHUTTING_DOWN, "was in a game")
        status = await server.status(GRACE_S + 2)
        check(status == 0, f"the program ended with {status}: {server.said('')}")
    print(f"ok: {signal.Signals(number).name} ends it in good order within {GRACE_S} s", flush=True)


async def end_at_once(program, folder):
    async with serving(program, folder, "--grace-seconds", "3600") as server:
        runner = await in_game(server, "runner")
        server.signal(signal.SIGTERM)
        await runner.until("the warning", lambda: runner.strays)
        check(runner.strays[0][0] == "closing", f"the runner was told {runner.strays}")
        server.signal(signal.SIGTERM)
        status = await server.status(2)
        # Ended by its own decision with the status that a shell gives for the signal, not by the signal itself.
        check(status == 128 + signal.SIGTERM, f"the program ended with {status}")
        await asyncio.wait([runner.reader])
    print("ok: a second SIGTERM ends it at once with 143", flush=True)


async def end_by_operator(program, folder):
    """As from the console: what is announced and done is told to players, and in the audit log of the next start."""
    async with serving(program, folder, "--admin-port", "0", "--grace-seconds", str(GRACE_S)) as server:
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
                check(reply["ok"], f"{act} was answered with {reply}")
        await idle.closed_with(SHUTTING_DOWN, "the server ends")
        told = [body for body, _ in idle.strays]
        check(told == ["announcement", "closing"], f"the idle one was told {told}")
        status = await server.status(GRACE_S + 2)
        check(status == 0, f"the program ended with {status}: {server.said('')}")
        status, output, errors = await server.command("audit", "--json")
        done = [json.loads(line)["action"] for line in output.splitlines()]
        check(done == ["drain", "announce"], f"the audit log has {done}: {errors}")
    print("ok: an operator ends it in good order, by the feed of the console", flush=True)


async def reload(program, certs, folder):
    files = folder / "tls"
    subprocess.run([certs, files], check=True, stdout=subprocess.DEVNULL)
    options = ("--tls-certificate", files / "cert.pem", "--tls-key", files / "key.pem", "--grace-seconds", "0")
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    async with serving(program, folder, *options) as server:
        stays = await player(server, "stays", ssl=trusting)
        first = await certificate(server)
        check(first.split() == (files / "cert.pem").read_text().split(), "another certificate is shown than the file's")

        subprocess.run([certs, files, "--force"], check=True, stdout=subprocess.DEVNULL)
        second = (files / "cert.pem").read_text()
        check(await certificate(server) == first, "the file was read without being asked for")
        server.signal(signal.SIGHUP)

        async def is_second():
            return (await certificate(server)).split() == second.split()

        await until("the new certificate", is_second)
        await stays.expect("time", "time")
        print("ok: SIGHUP brings the new certificate, and who was connected stays so", flush=True)

        (files / "cert.pem").write_text("no certificate\n")
        server.signal(signal.SIGHUP)

        async def complained():
            return server.said("the certificate stays as it was")

        await until("a complaint on stderr", complained)
        check(await is_second(), "a bad file changed the certificate")
        await stays.expect("time", "time")
        newcomer = await player(server, "newcomer", ssl=trusting)
        await newcomer.close()
        print("ok: a bad file keeps the pair that was there, and says so", flush=True)

        server.signal(signal.SIGTERM)
        await stays.closed_with(SHUTTING_DOWN, "the server ends")
        check(await server.status(5) == 0, "the program with TLS did not end well")


async def test(program, certs):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        await end_in_good_order(program, folder, signal.SIGTERM)
        await end_in_good_order(program, folder, signal.SIGINT)
        await end_at_once(program, folder)
        await end_by_operator(program, folder)
        await reload(program, certs, folder)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        asyncio.run(asyncio.wait_for(test(*sys.argv[1:]), 120))
    except (
        Failure, OSError, asyncio.TimeoutError, subprocess.CalledProcessError, websockets.WebSocketException,
    ) as failure:
        print(f"FAILED: {type(failure).__name__}: {failure}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
