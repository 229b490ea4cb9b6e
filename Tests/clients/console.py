#!/usr/bin/env python3
"""The operators' console without a page: the feed of the real program, watched while two players play, and read by others' JSON.

    console.py ws://HOST:PORT http://HOST:PORT/?token=TOKEN
    console.py ws://HOST:PORT http://HOST:PORT/?token=TOKEN --measure SECONDS [--watch VIEW-AS-JSON] [--pairs COUNT | --record FILE]

Every view must tell what the players know: the list of rooms, their room followed through a game tick by tick, its track
afterwards, connections, refused positions. With --measure it only opens one console, watches the overview or VIEW for so long and
prints what that took of the line and of the server: for measurements beside a load. With --pairs it does so COUNT times, each
behind as long a time without a console, and prints what the console adds to the server's CPU. Ends with 0 and a line for each
part that holds, or with 1 and what does not. With --record what came goes into FILE (gzip, a line a message: after how many ms,
and what), which Tests/browser/feed.py can play.
"""
import argparse
import asyncio
import base64
import gzip
import json
import pathlib
import secrets
import sys
import time

import websockets

from client import Client, Failure, RoomCopy, check
from operators_listener import OperatorsListener
from play_json import JSONCodec
from play_proto import ProtoCodec

DURATION_S = 10


class CountingProtocol(websockets.ClientConnection):
    """Counts what comes over the line, compressed as it is."""

    wire_bytes = 0

    def data_received(self, data):
        self.wire_bytes += len(data)
        super().data_received(data)


class Feed:
    """One console: what it watches, and what it was told last of each kind."""

    def __init__(self, operators, **headers):
        self.operators = operators
        self.headers = {"Cookie": operators.cookie} | headers
        self.told = {}
        self.counts = {}
        self.bytes = {}
        self.replies = {}
        self.room = None
        # Whom the room's members were told to be suspect.
        self.suspects = set()
        self.next_id = 0
        # What came, and when, while it is recorded.
        self.record = None

    async def open(self):
        self.socket = await websockets.connect(
            self.operators.feed_url, additional_headers=self.headers, open_timeout=10, max_size=1 << 26,
            origin=f"http://{self.operators.host}:{self.operators.port}", create_connection=CountingProtocol,
        )
        self.changed = asyncio.Event()
        self.reader = asyncio.create_task(self.read())
        return self

    async def read(self):
        """Takes what comes until the feed ends, however that is: its code tells."""
        try:
            async for frame in self.socket:
                self.take(frame)
        except websockets.ConnectionClosed:
            pass
        finally:
            self.changed.set()

    def take(self, frame):
        check(isinstance(frame, str), "the feed sends text")
        message = json.loads(frame)
        if self.record is not None:
            self.record.append((time.monotonic(), message))
        name = next(iter(message))
        self.told[name] = message[name]
        self.counts[name] = self.counts.get(name, 0) + 1
        self.bytes[name] = self.bytes.get(name, 0) + len(frame.encode())
        self.suspects |= {
            member["player"] for member in (name in ("room", "tick") and message[name].get("members") or []) if member["suspect"]
        }
        if name == "reply":
            self.replies[message["reply"]] = message
        elif name == "room":
            self.room = RoomCopy()
            self.room.replace(message["room"]["state"] | {"you": {"spectator": 0}})
        elif name == "tick" and self.room:
            self.room.apply_tick(message["tick"]["tick"])
        self.changed.set()

    async def until(self, what, holds, seconds=15):
        async def wait():
            while not holds():
                if self.reader.done():
                    self.reader.result()
                    raise Failure(f"the feed ended with {self.socket.close_code} before {what}")
                self.changed.clear()
                await self.changed.wait()

        try:
            await asyncio.wait_for(wait(), seconds)
        except asyncio.TimeoutError:
            raise Failure(f"waited {seconds} s for {what}; last told: {str(self.told)[:2000]}") from None

    async def watch(self, view, **members):
        """Watches a view and gives the first that is told of it."""
        self.told.pop(view, None)
        await self.socket.send(json.dumps({"watch": view} | members))
        await self.until(view, lambda: view in self.told)
        return self.told[view]

    async def ask(self, **members):
        self.next_id += 1
        await self.socket.send(json.dumps({"id": self.next_id} | members))
        await self.until(f"the reply to {members}", lambda: self.next_id in self.replies)
        return self.replies[self.next_id]

    async def close(self):
        await self.socket.close()
        await self.reader


async def check_access(operators):
    page = operators.get("/")[0]
    check(page.headers["Content-Type"].startswith("text/html"), "there is no page")
    check("script-src 'self'" in page.headers["Content-Security-Policy"], "the page may run anything")
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
        check(status in (401, 403), f"a feed {what} is answered with {status}")
    for method in ("GET", "POST"):
        status = operators.ask("/console/drain", method, Cookie=operators.cookie)[0].status
        check(status in (404, 405), f"{method} /console/drain answers {status}")
    print("the console opens by token and cookie, to no other page, and nothing acts by GET")


async def join(url):
    host, guest = Client(url, JSONCodec(), "host"), Client(url, ProtoCodec(), "guest")
    for client, nickname in ((host, "가람"), (guest, "나래")):
        await client.connect()
        await client.hello(nickname, secrets.token_hex(16))
    await host.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=DURATION_S)
    await guest.expect("room", "joinRoom", code=host.room.code)
    return host, guest


async def check_lists(feed, host, guest):
    await feed.until("the overview", lambda: feed.told.get("overview", {}).get("connections", {}).get("players", 0) >= 2)
    overview = feed.told["overview"]
    check(overview.keys() == (feed.operators.stats() | {"news": []}).keys(), "the overview is not what /stats has")
    check(any("serving" in news["text"] for news in feed.first_news), f"no news of the start: {feed.first_news}")
    rooms = await feed.watch("rooms", filter=host.room.code.lower().replace("-", ""), sort="players", descending=True)
    check(rooms["matching"] == 1 and rooms["total"] >= 1, f"the room is not found: {rooms}")
    row = rooms["rows"][0]
    check((row["code"], row["players"], row["connected"]) == (host.room.code, 2, 2), f"the room is told as {row}")
    connections = await feed.watch("connections", filter="나래", sort="unsentBytes", descending=True)
    found = [row for row in connections["rows"] if row.get("player") == guest.player_id]
    check(len(found) == 1 and found[0]["code"] == host.room.code, f"the guest is told as {connections}")
    check(found[0]["subprotocol"] == "madang.v1.proto" and "roundTripMs" in found[0], f"the guest is told as {found}")
    print("overview, rooms and connections tell of who is there")
    return row["id"]


async def check_room(feed, room, host, guest):
    """Follows the room through a game; the console's copy must be the players'."""
    await feed.watch("room", room=room)
    check(feed.told["room"]["id"] == room and "you" not in feed.told["room"]["state"], "somebody else's room")
    await host.expect("ok", "startGame")
    await feed.until("the start", lambda: feed.room.phase == "PLAYING")
    for step in range(6):
        await host.expect("ok", "move", latE7=375665000 + step * 400, lngE7=1269780000, accuracyM=5)
        await guest.expect("ok", "move", latE7=385665000 + step * 10000000, lngE7=1269780000, accuracyM=5)
        await guest.expect("ok", "chat", text=f"{step}")
        await asyncio.sleep(1.1)
    await feed.until("a suspect", lambda: feed.suspects == {guest.player_id})
    await guest.until("the end", lambda: guest.room.phase == "ENDED", 20)
    await feed.until("the end", lambda: feed.room.phase == "ENDED")
    for name in ("phase", "last_event", "players", "points", "positions"):
        theirs, ours = getattr(guest.room, name), getattr(feed.room, name)
        check(theirs == ours, f"{name}: the console has {ours}, a player {theirs}")
    check([chat["number"] for chat in feed.room.chats] == [chat["number"] for chat in guest.room.chats], "chats differ")
    check(feed.room.board[0]["nickname"] == "가람" and feed.room.board[0]["points"] > 1, f"the board: {feed.room.board}")
    check(feed.counts["room"] == 2, f"the room was told as a whole {feed.counts['room']} times")
    print("a room is followed through a game as its players see it")


async def check_evidence(feed, room, guest):
    suspects = await feed.watch("suspects")
    found = [entry for entry in suspects["players"] if entry["player"] == guest.player_id]
    check(len(found) == 1 and found[0]["room"] == room, f"the forger is told as {suspects}")
    refusals = found[0]["refusals"]
    check(len(refusals) >= 4 and refusals[0]["refusal"] == "TOO_FAST", f"refusals: {refusals}")
    # Each a degree of latitude further than the one before, from the first, which nobody could know to be forged.
    degrees = [round(refusal["metersFromLast"] / 111_195) for refusal in refusals]
    check(degrees == list(range(len(refusals), 0, -1)), f"how far: {refusals}")
    print("who forges positions is shown with them")


async def check_track(feed, room, guest):
    games = (await feed.ask(query="games", room=room))["games"]
    check(len(games) == 1 and games[0]["game"] == f"{room}-1", f"games: {games}")
    check(games[0]["endedAtMs"] - games[0]["startedAtMs"] == DURATION_S * 1_000, f"games: {games}")
    track = await asyncio.to_thread(feed.operators.track, games[0]["game"])
    copy = RoomCopy()
    copy.replace(track["room"] | {"you": {"spectator": 0}})
    check(copy.phase == "PLAYING" and not copy.points, f"the track begins with {track['room']}")
    for tick in track["ticks"]:
        copy.apply_tick(tick)
    check(len(track["ticks"]) <= DURATION_S + 2, f"{len(track['ticks'])} ticks in {DURATION_S} s")
    check((copy.points, copy.positions) == (guest.room.points, guest.room.positions), "the track ends elsewhere")
    check(copy.board == feed.room.board, "the track has another board")
    print("the game's track ends with what its players saw")


async def check_rest(feed):
    schools = await feed.watch("schools", limit=10)
    check(schools["season"] >= 1 and schools["taps"] >= 0 and isinstance(schools["rows"], list), f"schools: {schools}")
    for view in ("sanctions", "audit"):
        check(isinstance((await feed.watch(view))["rows"], list), f"no {view}")
    refused = await feed.ask(act="explode")
    check(refused["ok"] is False and refused["error"], f"an action that there is not: {refused}")
    await feed.socket.send(json.dumps({"watch": "room", "room": "0" * 32}))
    await feed.until("that there is no such room", lambda: feed.told.get("roomGone", {}).get("id") == "0" * 32)
    before = feed.counts["overview"]
    await asyncio.sleep(3)
    told = feed.counts["overview"] - before
    check(4 <= told <= 8, f"{told} overviews in 3 s")
    await feed.socket.send("{")
    await asyncio.wait_for(feed.socket.wait_closed(), 10)
    check(feed.socket.close_code == 1007, f"nonsense closes with {feed.socket.close_code}")
    print("schools, sanctions and the log of actions are told; nonsense closes the feed")


async def watch_game(origin, operators):
    await check_access(operators)
    feed = await Feed(operators).open()
    await feed.until("hello and news", lambda: "hello" in feed.told and "overview" in feed.told)
    feed.first_news = feed.told["overview"]["news"]
    check(feed.told["hello"]["origin"] == origin, f"the hello: {feed.told['hello']}")
    host, guest = await join(f"{origin}/v1/play")
    room = await check_lists(feed, host, guest)
    await check_room(feed, room, host, guest)
    await check_evidence(feed, room, guest)
    await check_track(feed, room, guest)
    await check_rest(feed)
    for player in (host, guest):
        await player.close()


async def measure(operators, seconds, view, file=None):
    feed = await Feed(operators).open()
    feed.record = [] if file else None
    await feed.until("the overview", lambda: "overview" in feed.told)
    if view:
        await feed.socket.send(view)
    await asyncio.sleep(1)
    feed.counts, feed.bytes = {}, {}
    wire, before, began = feed.socket.wire_bytes, feed.told["overview"], time.monotonic()
    await asyncio.sleep(seconds)
    took = time.monotonic() - began
    after = feed.told["overview"]
    check(not feed.reader.done(), f"the feed ended with {feed.socket.close_code}")
    print(f"{(feed.socket.wire_bytes - wire) / took:.0f} bytes/s over the line in {took:.1f} s")
    for name in sorted(feed.bytes):
        count, size = feed.counts[name], feed.bytes[name]
        print(f"{name}: {count / took:.2f} a second, {size / count:.0f} bytes each before compression")
    cpu = after["process"]["cpuSeconds"] - before["process"]["cpuSeconds"]
    between = (after["atMs"] - before["atMs"]) / 1_000
    print(f"server: {100 * cpu / between:.1f} % of a core, {after['rooms']['open']} rooms, "
          f"{after['connections']['players']} players")
    await feed.close()
    if file:
        began = feed.record[0][0]
        lines = [json.dumps([round(1_000 * (at - began)), message], ensure_ascii=False) for at, message in feed.record]
        # Without a time and a name of its own, so that the same recording is the same file.
        pathlib.Path(file).write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    return 100 * cpu / between


async def idle(operators, seconds):
    """The server's CPU without a console, % of a core."""
    before = operators.stats()
    await asyncio.sleep(seconds)
    after = operators.stats()
    cpu = after["process"]["cpuSeconds"] - before["process"]["cpuSeconds"]
    return 100_000 * cpu / (after["atMs"] - before["atMs"])


async def compare(operators, seconds, view, pairs):
    """In turn, so that a load that grows or shrinks favours neither."""
    without, with_console = [], []
    for pair in range(pairs):
        if pair % 2 == 0:
            without.append(await idle(operators, seconds))
        with_console.append(await measure(operators, seconds, view))
        if pair % 2 == 1:
            without.append(await idle(operators, seconds))
        print(f"without a console {without[-1]:.1f} % of a core")
    added = sorted(after / before - 1 for before, after in zip(without, with_console))
    print(f"over all pairs a console adds {100 * (sum(with_console) / sum(without) - 1):.1f} % to the server's CPU; "
          f"of single pairs the middle is {100 * added[len(added) // 2]:.1f} %, "
          f"from {100 * added[0]:.1f} to {100 * added[-1]:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("origin")
    parser.add_argument("link")
    parser.add_argument("--measure", type=float, metavar="SECONDS")
    parser.add_argument("--watch", metavar="VIEW-AS-JSON", help='as {"watch":"rooms","sort":"players"}')
    parser.add_argument("--record", metavar="FILE", help="keep what the feed told")
    parser.add_argument("--pairs", type=int, metavar="COUNT", help="measure so often with and without a console in turn")
    arguments = parser.parse_args()
    try:
        operators = OperatorsListener(arguments.link)
        if arguments.measure and arguments.pairs:
            asyncio.run(compare(operators, arguments.measure, arguments.watch, arguments.pairs))
        elif arguments.measure:
            asyncio.run(measure(operators, arguments.measure, arguments.watch, arguments.record))
        else:
            asyncio.run(watch_game(arguments.origin, operators))
    except Failure as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
