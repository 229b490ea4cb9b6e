"""The recipes of docs/proxies are run as they are written, and played through.

All stand before servers of their own at the same time. Clients come from other addresses of the loopback than the
proxies' 127.0.0.1, each test from its own.
"""
import asyncio
import concurrent.futures
import contextlib
import json
import os
import secrets
import subprocess

import pytest

from client import check
from pictures import png
from play_json import JSONCodec
from play_proto import ProtoCodec
from recipes import NAME, OutsideClient, RECIPES, modules, terminal_modules

# nginx cuts a silent connection after 60 s, as HAProxy does outside of WebSockets.
IDLE_S = 64
IDLING = "test_an_idle_player_is_not_cut_off"
NAMES = list(RECIPES)


@pytest.fixture(scope="module")
def proxies(madang, tmp_path_factory):
    with contextlib.ExitStack() as stack:
        yield {
            name: stack.enter_context(kind(tmp_path_factory.mktemp(name) / "proxy").before_a_server(madang))
            for name, kind in RECIPES.items()
        }


@pytest.fixture(scope="module", autouse=True)
def idling(request, proxies):
    """Idle players beside the other tests, because their wait takes most of the time."""
    if not any(item.originalname == IDLING for item in request.session.items):
        yield {}
        return
    with concurrent.futures.ThreadPoolExecutor(len(proxies)) as threads:
        yield {name: threads.submit(asyncio.run, idle_and_play(proxy)) for name, proxy in proxies.items()}


@pytest.fixture(params=NAMES)
def proxy(request, proxies):
    return proxies[request.param]


async def player(proxy, name, codec=None, source="127.0.0.2", **connecting):
    client = OutsideClient(proxy, codec or JSONCodec(), name, source, **connecting)
    await client.connect()
    await client.hello(name, secrets.token_hex(16))
    return client


async def idle_and_play(proxy):
    """Says hello, only answers pings for this time, and then plays."""
    client = await player(proxy, "잠꾸러기", ping_interval=None)
    await asyncio.sleep(IDLE_S)
    check(not client.reader.done(), f"the connection ended while it idled: {client.failure}")
    await client.expect("room", "createRoom", mode="FOOTPRINT", solo=True, durationS=30)
    await client.close()


def test_pages_come_by_tls_and_plain_http_leads_there(proxy):
    page = proxy.ask("GET", "/")
    assert page.status == 200 and b"<!doctype html>" in page.content[:200].lower()
    assert proxy.ask("GET", "/readyz").content == b"ready\n"
    if proxy.has_redirect:
        found = subprocess.run(
            ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}",
             "--resolve", f"{NAME}:{proxy.plain_port}:127.0.0.1", f"http://{NAME}:{proxy.plain_port}/tap"],
            check=True, capture_output=True, text=True,
        ).stdout.split()
        assert found[0] in ("301", "308") and found[1] == f"{proxy.redirect_base}/tap", found


async def test_players_of_both_encodings_play_compressed(proxy):
    first = await player(proxy, "가람", JSONCodec())
    second = await player(proxy, "나래", ProtoCodec())
    assert first.compresses and second.compresses
    room = await first.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=30)
    await second.expect("room", "joinRoom", code=room["code"])
    await first.expect("ok", "startGame")
    # Long enough to be compressed in both directions.
    text = "마당에서 만나요 " * 11
    await first.expect("ok", "chat", text=text.strip())
    await second.until("the chat", lambda: [chat["chat"]["text"] for chat in second.room.chats] == [text.strip()])
    await second.expect("ok", "move", latE7=375_665_000, lngE7=1_269_780_000, accuracyM=5)
    await first.until("the other's position", lambda: 1 in first.room.positions)
    await first.close()
    await second.close()


async def test_links_and_qrs_name_the_outside_address_with_its_port(proxy, madang):
    host = await player(proxy, "가람")
    room = await host.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=30)
    symbols = room["code"].replace("-", "")
    assert room["joinUrl"] == f"{proxy.base}/J/{symbols}".upper()
    shown = subprocess.run(
        [madang, "qr", symbols, "--public-url", proxy.base], check=True, capture_output=True, text=True
    ).stdout
    picture = await asyncio.to_thread(proxy.ask, "GET", f"/qr/{symbols}.svg")
    assert modules(picture.content.decode()) == terminal_modules(shown)
    # Nobody's lie about the host reaches anybody else, nor the liar where the server's address is fixed.
    lie = await asyncio.to_thread(proxy.ask, "GET", f"/qr/{symbols}.svg", headers={"X-Forwarded-Host": "evil.example"})
    assert lie.content == picture.content
    await host.close()


def test_the_client_s_own_address_is_seen_and_no_forged_one(proxy):
    def seen(headers=None):
        return json.loads(proxy.ask("GET", "/reach", source="127.0.0.33", headers=headers).content)["address"]

    assert seen() == "127.0.0.33"
    for field in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Client-IP"):
        assert seen({field: "for=192.0.2.77" if field == "Forwarded" else "192.0.2.77"}) == "127.0.0.33", field
    assert seen({"X-Forwarded-For": "192.0.2.77, 127.0.0.1"}) == "127.0.0.33"
    if proxy.program != "caddy":
        # Nobody at a proxy is told of the machine's networks. Caddy serves no other name than its own.
        assert b"addresses" not in proxy.ask("GET", "/reach", headers={"Host": "localhost"}).content


async def test_a_long_picture_streams_through(proxy):
    picture = png(1_200, 1_200, row=lambda _: os.urandom(3 * 1_200))
    assert 4_000_000 < len(picture) <= 5_242_880, f"{len(picture)} bytes"
    client = await player(proxy, "가람")
    url = (await client.expect("upload", "askUpload", bytes=len(picture), type="image/png"))["url"]

    def offset():
        head = proxy.ask("HEAD", url, headers={"Tus-Resumable": "1.0.0"})
        assert head.status == 200
        return int(head.headers["Upload-Offset"])

    def send():
        """Sends half, sees that the server has some of it already, and sends the rest."""
        connection = proxy.dial()
        head = f"PUT {url} HTTP/1.1\r\nHost: {NAME}:{proxy.port}\r\nContent-Length: {len(picture)}\r\n\r\n"
        connection.sendall(head.encode() + picture[:len(picture) // 2])
        while offset() < len(picture) // 4:
            pass
        connection.sendall(picture[len(picture) // 2:])
        answer = b""
        while b"mediaId" not in answer:
            piece = connection.recv(65_536)
            assert piece, answer
            answer += piece
        connection.close()
        return answer

    assert b"HTTP/1.1 200" in await asyncio.to_thread(send)
    await client.close()


def test_an_idle_player_is_not_cut_off(idling):
    """The server's pings keep each proxy from ending the connection."""
    for name, player_of in idling.items():
        try:
            player_of.result(IDLE_S + 60)
        except Exception as error:
            raise AssertionError(f"behind {name}: {error}") from error


async def test_a_reload_of_the_proxy_costs_no_player_their_room(proxy):
    """It comes behind the idle players, whose connections end where a reload ends all."""
    client = await player(proxy, "가람")
    room = await client.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=30)
    await asyncio.to_thread(proxy.reload)
    if proxy.keeps_connections:
        # Others come by the new configuration, and this one stays.
        for _ in range(3):
            newcomer = await player(proxy, "나래")
            await newcomer.close()
        await client.expect("time", "time")
    else:
        await asyncio.wait_for(client.reader, 20)
        await client.connect()
        welcome = await client.resume()
        assert welcome["room"]["code"] == room["code"]
    await client.close()
