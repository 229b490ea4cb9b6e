"""Two servers are played on through an nginx: the clients' addresses count, and not the proxy's.

Both servers trust 127.0.0.1, which nginx calls from. The first reads X-Forwarded-For, the second awaits the PROXY
protocol.
"""
import asyncio
import concurrent.futures
import secrets

import pytest

import askers
import nginx
from client import Client
from play_json import JSONCodec
from play_proto import ProtoCodec
from program import running
from whole_game import end_badly, play, refuse_unknown_subprotocol

# nginx's proxy_read_timeout is 60 s by default.
IDLE_S = 64
# Every address of 127.0.0.0/8 is this machine. Each is for one test, because its wrong codes are used up.
GUESSER, NEIGHBOUR = "127.0.0.2", "127.0.0.3"
PROXIED_GUESSER, PROXIED_NEIGHBOUR = "127.0.0.4", "127.0.0.5"
FORGER, VICTIM = "127.0.0.6", "127.0.0.7"
DIRECT_FORGER, DIRECT_NEIGHBOUR = "127.0.0.8", "127.0.0.9"
PRETENDER = "127.0.0.10"
IDLING = "test_who_idles_longer_than_nginx_waits_plays_on"


@pytest.fixture(scope="module")
def forwarded_server(madang, tmp_path_factory):
    with running(madang, tmp_path_factory.mktemp("forwarded"), "--trusted-proxies", "127.0.0.1") as server:
        yield server.address


@pytest.fixture(scope="module")
def proxied_server(madang, tmp_path_factory):
    options = ("--trusted-proxies", "127.0.0.1", "--proxy-protocol")
    with running(madang, tmp_path_factory.mktemp("proxied"), *options) as server:
        yield server.address


@pytest.fixture(scope="module")
def proxy(forwarded_server, proxied_server):
    with nginx.running(forwarded_server, proxied_server) as proxy:
        yield proxy


@pytest.fixture(scope="module", autouse=True)
def idling(request, proxy):
    """An idle client beside the other tests, because its wait takes most of the time."""
    if not any(item.originalname == IDLING for item in request.session.items):
        yield None
        return
    with concurrent.futures.ThreadPoolExecutor() as threads:
        yield threads.submit(asyncio.run, idle_and_play(f"ws://{proxy.http}/v1/play", IDLE_S))


async def idle_and_play(url, seconds):
    """Says hello, only answers pings for this time, and then plays."""
    # A client's own pings would keep the connection alive without the server's.
    client = Client(url, JSONCodec(), "the idle one", ping_interval=None)
    await client.connect()
    await client.hello("잠꾸러기", secrets.token_hex(16))
    await asyncio.sleep(seconds)
    assert not client.reader.done(), f"the connection ended while it idled: {client.failure}"
    await client.expect("room", "createRoom", mode="FOOTPRINT", solo=True, durationS=30)
    await client.expect("ok", "startGame")
    await client.until("the start", lambda: client.room.phase == "PLAYING")
    await client.expect("ok", "move", latE7=375_665_000, lngE7=1_269_780_000, accuracyM=5)
    await client.until("the own position", lambda: client.room.positions == {0: (375_665_000, 1_269_780_000)})
    await client.close()


@pytest.mark.parametrize("way", ["http", "stream"])
async def test_a_whole_game_goes_through(proxy, way):
    """By X-Forwarded-For, and over TCP with the PROXY protocol."""
    url = f"ws://{getattr(proxy, way)}/v1/play"
    await play(url)
    for codec in (JSONCodec(), ProtoCodec()):
        await end_badly(url, codec)
    await refuse_unknown_subprotocol(url)


async def test_pages_are_fetched_with_http_1_0(proxy):
    client = Client(f"ws://{proxy.http}/v1/play", JSONCodec(), "the host")
    await client.connect()
    await client.hello("가람", secrets.token_hex(16))
    room = await client.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=30)

    def ask():
        assert askers.status(proxy.http, "127.0.0.1", "/healthz") == 200, "the server is not well by HTTP/1.0"
        answer = askers.status(proxy.http, "127.0.0.1", f"/j/{room['code']}")
        assert answer == 200, f"the room's page gives {answer} by HTTP/1.0"

    await asyncio.to_thread(ask)
    await client.close()


def test_guesses_by_x_forwarded_for_are_one_address_s_and_another_is_free_to_ask(proxy):
    askers.use_up_wrong_codes(proxy.http, GUESSER)
    askers.may_ask(proxy.http, NEIGHBOUR)


def test_guesses_by_the_proxy_protocol_are_one_address_s_and_another_is_free_to_ask(proxy):
    askers.use_up_wrong_codes(proxy.stream, PROXIED_GUESSER)
    askers.may_ask(proxy.stream, PROXIED_NEIGHBOUR)


def test_a_forged_x_forwarded_for_gains_nothing_and_harms_nobody(proxy):
    """A client that forges other addresses, and then the victim's, counts by its own address."""
    def forged(number):
        return {"X-Forwarded-For": VICTIM if number % 2 else f"198.51.100.{number % 250}"}

    askers.use_up_wrong_codes(proxy.http, FORGER, forged)
    askers.may_ask(proxy.http, VICTIM)


def test_x_forwarded_for_from_who_is_no_proxy_is_not_heard(forwarded_server):
    askers.use_up_wrong_codes(forwarded_server, DIRECT_FORGER, lambda number: {"X-Forwarded-For": DIRECT_NEIGHBOUR})
    askers.may_ask(forwarded_server, DIRECT_NEIGHBOUR)


def test_the_proxy_protocol_is_taken_from_proxies_alone_and_always_from_them(proxied_server):
    server = proxied_server
    line = b"PROXY TCP4 198.51.100.7 127.0.0.1 50000 80\r\n"
    request = b"GET /healthz HTTP/1.1\r\nHost: madang\r\nConnection: close\r\n\r\n"
    askers.is_turned_away(server, PRETENDER, line + request)
    askers.is_turned_away(server, "127.0.0.1", request)
    assert askers.status(server, PRETENDER, "/healthz") == 200, "who is no proxy can't speak directly"
    assert askers.status(server, "127.0.0.1", "/healthz", preface=line) == 200, "a proxy can't speak for a client"
    assert askers.status(server, "127.0.0.1", "/healthz", preface=b"PROXY UNKNOWN\r\n") == 200, "nor for nobody"


def test_who_idles_longer_than_nginx_waits_plays_on(idling):
    """The server's pings keep nginx from ending the connection after a minute."""
    idling.result(IDLE_S + 60)
