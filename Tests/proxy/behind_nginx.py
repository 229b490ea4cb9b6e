#!/usr/bin/env python3
"""Plays on two servers through an nginx, and holds that the clients' addresses count and not the proxy's.

    behind_nginx.py ws://HOST:PORT ws://HOST:PORT

Both servers trust 127.0.0.1, which nginx calls from. The first reads X-Forwarded-For, the second awaits the PROXY
protocol. Ends with 0 and a line for each part that holds, or with 1 and what does not. Needs nginx with its stream
module and what the clients need.
"""
import asyncio
import http.client
import pathlib
import secrets
import sys
import urllib.parse

import websockets

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "clients"))

import askers
import nginx
from client import Client, Failure, check
from play import play
from play_json import JSONCodec

# nginx's proxy_read_timeout is 60 s by default.
IDLE_S = 64
# Every address of 127.0.0.0/8 is this machine. Each is used by one part, for its wrong codes are used up.
GUESSER, NEIGHBOUR = "127.0.0.2", "127.0.0.3"
PROXIED_GUESSER, PROXIED_NEIGHBOUR = "127.0.0.4", "127.0.0.5"
FORGER, VICTIM = "127.0.0.6", "127.0.0.7"
DIRECT_FORGER, DIRECT_NEIGHBOUR = "127.0.0.8", "127.0.0.9"
PRETENDER = "127.0.0.10"
FAILURES = (Failure, OSError, asyncio.TimeoutError, http.client.HTTPException, websockets.WebSocketException)


async def idle_and_play(url, seconds):
    """Says hello and nothing more for so long, answering pings alone; then plays."""
    # Pings of its own would keep the proxy content whatever the server does.
    client = Client(url, JSONCodec(), "the idle one", ping_interval=None)
    await client.connect()
    await client.hello("잠꾸러기", secrets.token_hex(16))
    await asyncio.sleep(seconds)
    check(not client.reader.done(), f"the connection ended while it idled: {client.failure}")
    await client.expect("room", "createRoom", mode="FOOTPRINT", solo=True, durationS=30)
    await client.expect("ok", "startGame")
    await client.until("the start", lambda: client.room.phase == "PLAYING")
    await client.expect("ok", "move", latE7=375_665_000, lngE7=1_269_780_000, accuracyM=5)
    await client.until("the own position", lambda: client.room.positions == {0: (375_665_000, 1_269_780_000)})
    await client.close()
    return f"idle for {seconds} s and then playing"


async def whole_game(url, way):
    await play(url)
    return f"a whole game {way}"


async def pages(proxy):
    """What nginx fetches with HTTP/1.0."""
    client = Client(f"ws://{proxy.http}/v1/play", JSONCodec(), "the host")
    await client.connect()
    await client.hello("가람", secrets.token_hex(16))
    room = await client.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=30)

    def ask():
        check(askers.status(proxy.http, "127.0.0.1", "/healthz") == 200, "the server is not well by HTTP/1.0")
        answer = askers.status(proxy.http, "127.0.0.1", f"/j/{room['code']}")
        check(answer == 200, f"the room's page gives {answer} by HTTP/1.0")

    await asyncio.to_thread(ask)
    await client.close()
    return "pages that are fetched with HTTP/1.0"


def guess_through_the_header(proxy):
    guesses = askers.use_up_wrong_codes(proxy.http, GUESSER)
    askers.may_ask(proxy.http, NEIGHBOUR)
    return f"X-Forwarded-For: {guesses} guesses from one address, and another is free to ask"


def guess_through_the_protocol(proxy):
    guesses = askers.use_up_wrong_codes(proxy.stream, PROXIED_GUESSER)
    askers.may_ask(proxy.stream, PROXIED_NEIGHBOUR)
    return f"PROXY protocol: {guesses} guesses from one address, and another is free to ask"


def forge_through_nginx(proxy):
    """A client that says it is somebody else, then another, then the victim, is itself nevertheless."""
    def forged(number):
        return {"X-Forwarded-For": VICTIM if number % 2 else f"198.51.100.{number % 250}"}

    askers.use_up_wrong_codes(proxy.http, FORGER, forged)
    askers.may_ask(proxy.http, VICTIM)
    return "a forged X-Forwarded-For gains nothing and harms nobody"


def forge_directly(server):
    """The header of a peer that is no proxy of ours counts for nothing."""
    askers.use_up_wrong_codes(server, DIRECT_FORGER, lambda number: {"X-Forwarded-For": DIRECT_NEIGHBOUR})
    askers.may_ask(server, DIRECT_NEIGHBOUR)
    return "X-Forwarded-For from who is no proxy is not heard"


def pretend_to_be_a_proxy(server):
    """The PROXY protocol is for trusted peers alone, and they must speak it."""
    line = b"PROXY TCP4 198.51.100.7 127.0.0.1 50000 80\r\n"
    request = b"GET /healthz HTTP/1.1\r\nHost: madang\r\nConnection: close\r\n\r\n"
    askers.is_turned_away(server, PRETENDER, line + request)
    askers.is_turned_away(server, "127.0.0.1", request)
    check(askers.status(server, PRETENDER, "/healthz") == 200, "who is no proxy can't speak directly")
    check(askers.status(server, "127.0.0.1", "/healthz", preface=line) == 200, "a proxy can't speak for a client")
    check(askers.status(server, "127.0.0.1", "/healthz", preface=b"PROXY UNKNOWN\r\n") == 200, "nor for nobody")
    return "PROXY protocol: only from proxies, and always from them"


async def told(part):
    print(f"ok: {await part}", flush=True)


async def test(forwarded_server, proxy_protocol_server):
    async with nginx.running(forwarded_server, proxy_protocol_server) as proxy:
        # All at once, for the idle one takes most of the time.
        parts = (
            idle_and_play(f"ws://{proxy.http}/v1/play", IDLE_S),
            whole_game(f"ws://{proxy.http}/v1/play", "through HTTP"),
            whole_game(f"ws://{proxy.stream}/v1/play", "through TCP with the PROXY protocol"),
            pages(proxy),
            asyncio.to_thread(guess_through_the_header, proxy),
            asyncio.to_thread(guess_through_the_protocol, proxy),
            asyncio.to_thread(forge_through_nginx, proxy),
            asyncio.to_thread(forge_directly, forwarded_server),
            asyncio.to_thread(pretend_to_be_a_proxy, proxy_protocol_server),
        )
        await asyncio.gather(*(told(part) for part in parts))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    servers = [urllib.parse.urlsplit(origin).netloc for origin in sys.argv[1:]]
    try:
        asyncio.run(asyncio.wait_for(test(*servers), 150))
    except FAILURES as failure:
        print(f"FAILED: {type(failure).__name__}: {failure}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
