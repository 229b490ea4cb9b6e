"""The operators' console without a page: the feed of the real program, watched while two players play."""
import asyncio
import base64
import json
import secrets

import pytest

from client import Client, RoomCopy
from console_feed import Feed
from operators_listener import OperatorsListener
from play_json import JSONCodec
from play_proto import ProtoCodec

DURATION_S = 10


@pytest.fixture
def server(serve):
    return serve("--admin-port", "0")


@pytest.fixture
def operators(server):
    return OperatorsListener(server.admin)


def test_the_console_opens_by_token_and_cookie_to_no_other_page_and_nothing_acts_by_get(operators):
    page = operators.get("/")[0]
    assert page.headers["Content-Type"].startswith("text/html"), "there is no page"
    assert "script-src 'self'" in page.headers["Content-Security-Policy"], "the page may run anything"
    for what, headers in (
        ("without a token", {}),
        ("with a wrong cookie", {"Cookie": operators.cookie[:-1]}),
        ("from a foreign page", {"Cookie": operators.cookie, "Origin": "https://evil.example"}),
    ):
        handshake = {
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(secrets.token_bytes(16)).decode(),
        }
        status = operators.ask("/console/feed", **handshake, **headers)[0].status
        assert status in (401, 403), f"a feed {what} is answered with {status}"
    for method in ("GET", "POST"):
        status = operators.ask("/console/drain", method, Cookie=operators.cookie)[0].status
        assert status in (404, 405), f"{method} /console/drain answers {status}"


async def join(url):
    host, guest = Client(url, JSONCodec(), "host"), Client(url, ProtoCodec(), "guest")
    for client, nickname in ((host, "가람"), (guest, "나래")):
        await client.connect()
        await client.hello(nickname, secrets.token_hex(16))
    await host.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=DURATION_S)
    await guest.expect("room", "joinRoom", code=host.room.code)
    return host, guest


async def check_lists(feed, host, guest):
    def players():
        return feed.told.get("overview", {}).get("connections", {}).get("players", 0)

    await feed.until("the overview", lambda: players() >= 2)
    overview = feed.told["overview"]
    assert overview.keys() == (feed.operators.stats() | {"news": []}).keys(), "the overview is not what /stats has"
    assert any("serving" in news["text"] for news in feed.first_news), f"no news of the start: {feed.first_news}"
    rooms = await feed.watch("rooms", filter=host.room.code.lower().replace("-", ""), sort="players", descending=True)
    assert rooms["matching"] == 1 and rooms["total"] >= 1, f"the room is not found: {rooms}"
    row = rooms["rows"][0]
    assert (row["code"], row["players"], row["connected"]) == (host.room.code, 2, 2), f"the room is shown as {row}"
    connections = await feed.watch("connections", filter="나래", sort="unsentBytes", descending=True)
    found = [row for row in connections["rows"] if row.get("player") == guest.player_id]
    assert len(found) == 1 and found[0]["code"] == host.room.code, f"the guest is shown as {connections}"
    assert found[0]["subprotocol"] == "madang.v1.proto" and "roundTripMs" in found[0], f"the guest is shown as {found}"
    return row["id"]


async def check_room(feed, room, host, guest):
    """Follows the room through a game; the console's copy must be the players'."""
    await feed.watch("room", room=room)
    assert feed.told["room"]["id"] == room and "you" not in feed.told["room"]["state"], "somebody else's room"
    await host.expect("ok", "startGame")
    await feed.until("the start", lambda: feed.room.phase == "PLAYING")
    for step in range(6):
        await host.expect("ok", "move", latE7=375665000 + step * 400, lngE7=1269780000, accuracyM=5)
        await guest.expect("ok", "move", latE7=385665000 + step * 10000000, lngE7=1269780000,
                           accuracyM=5, mocked=step > 0)
        await guest.expect("ok", "chat", text=f"{step}")
        # Rates are of real time: the server accepts a chat of a player each second, and judges as many fixes.
        await asyncio.sleep(1.1)
    await feed.until("a suspect", lambda: feed.suspects == {guest.player_id})
    await guest.until("the end", lambda: guest.room.phase == "ENDED", 20)
    await feed.until("the end", lambda: feed.room.phase == "ENDED")
    for name in ("phase", "last_event", "players", "points", "positions"):
        theirs, ours = getattr(guest.room, name), getattr(feed.room, name)
        assert theirs == ours, f"{name}: the console has {ours}, a player {theirs}"
    assert [chat["number"] for chat in feed.room.chats] == [chat["number"] for chat in guest.room.chats], "chats differ"
    assert feed.room.board[0]["nickname"] == "가람" and feed.room.board[0]["points"] > 1, f"the board: {feed.room.board}"
    assert feed.counts["room"] == 2, f"the room was told as a whole {feed.counts['room']} times"


async def check_evidence(feed, room, guest):
    suspects = await feed.watch("suspects")
    found = [entry for entry in suspects["players"] if entry["player"] == guest.player_id]
    assert len(found) == 1 and found[0]["room"] == room, f"the forger is shown as {suspects}"
    refusals = found[0]["refusals"]
    assert len(refusals) >= 4 and refusals[0]["refusal"] == "MOCKED", f"refusals: {refusals}"
    # Each fix is a degree of latitude further than the last. The first one is not mocked.
    degrees = [round(refusal["metersFromLast"] / 111_195) for refusal in refusals]
    assert degrees == list(range(len(refusals), 0, -1)), f"how far: {refusals}"


async def check_track(feed, room, guest):
    games = (await feed.ask(query="games", room=room))["games"]
    assert len(games) == 1 and games[0]["game"] == f"{room}-1", f"games: {games}"
    assert games[0]["endedAtMs"] - games[0]["startedAtMs"] == DURATION_S * 1_000, f"games: {games}"
    track = await asyncio.to_thread(feed.operators.track, games[0]["game"])
    copy = RoomCopy()
    copy.replace(track["room"] | {"you": {"spectator": 0}})
    assert copy.phase == "PLAYING" and not copy.points, f"the track begins with {track['room']}"
    for tick in track["ticks"]:
        copy.apply_tick(tick)
    assert len(track["ticks"]) <= DURATION_S + 2, f"{len(track['ticks'])} ticks in {DURATION_S} s"
    assert (copy.points, copy.positions) == (guest.room.points, guest.room.positions), "the track ends elsewhere"
    assert copy.board == feed.room.board, "the track has another board"


async def check_places(feed, host):
    """The capsule of a player who plays is on the map, without its text, and elsewhere there is none."""
    place = {"latE7": 375_665_000, "lngE7": 1_269_780_000}
    capsule = (await host.expect(
        "capsule", "buryCapsule", title="첫눈", text="secret", memoryDate="2026-01-12", everyone=True, **place
    ))["capsuleId"]
    box = {"southE7": 375_000_000, "westE7": 1_269_000_000, "northE7": 376_000_000, "eastE7": 1_270_000_000}
    places = await feed.watch("places", **box)
    found = places["capsules"][0]
    assert (found["capsuleId"], found["title"], found["opens"]) == (capsule, "첫눈", 0), f"the capsule is {found}"
    assert "secret" not in json.dumps(places), "a text is told"
    assert places["fenceCount"] == 0 and places["totals"]["fences"] == 0, f"fences: {places}"
    elsewhere = await feed.watch("places", **(box | {"westE7": 1_270_000_001, "eastE7": 1_268_000_000}))
    assert "capsules" not in elsewhere and "clusters" not in elsewhere, f"all around but there: {elsewhere}"


async def check_rest(feed):
    schools = await feed.watch("schools", limit=10)
    assert schools["season"] >= 1 and schools["taps"] >= 0 and isinstance(schools["rows"], list), f"schools: {schools}"
    for view in ("sanctions", "audit"):
        assert isinstance((await feed.watch(view))["rows"], list), f"no {view}"
    refused = await feed.ask(act="explode")
    assert refused["ok"] is False and refused["error"], f"an action that there is not: {refused}"
    await feed.socket.send(json.dumps({"watch": "room", "room": "0" * 32}))
    await feed.until("that there is no such room", lambda: feed.told.get("roomGone", {}).get("id") == "0" * 32)
    before = feed.counts["overview"]
    await feed.until("further overviews", lambda: feed.counts["overview"] >= before + 4)
    await feed.socket.send("{")
    await asyncio.wait_for(feed.socket.wait_closed(), 10)
    assert feed.socket.close_code == 1007, f"nonsense closes with {feed.socket.close_code}"


async def test_the_console_tells_what_the_players_see(server, operators):
    """Overview, rooms and connections have the players. A room is followed through a game as its players see it.
    A player who forges positions is shown with them. The game's track ends as its players saw it. A malformed
    message closes the feed."""
    feed = await Feed(operators).open()
    await feed.until("hello and news", lambda: "hello" in feed.told and "overview" in feed.told)
    feed.first_news = feed.told["overview"]["news"]
    assert feed.told["hello"]["origin"] == server.origin, f"the hello: {feed.told['hello']}"
    host, guest = await join(server.url)
    room = await check_lists(feed, host, guest)
    await check_room(feed, room, host, guest)
    await check_evidence(feed, room, guest)
    await check_track(feed, room, guest)
    await check_places(feed, host)
    await check_rest(feed)
    for player in (host, guest):
        await player.close()
