#!/usr/bin/env python3
"""The operators' console without a server: serves the page and plays a made-up feed at the contract's rates.

    feed.py [PORT]

To work on the page, open the address that it prints. The tests of the page use it as a `Feed`. Instead of the made-up
feed it can play a recorded one (`RECORDING`; `Tests/clients/measure_console.py` makes such files).
"""
import asyncio
import copy
import gzip
import http
import json
import pathlib
import re
import sys
import threading
import traceback
import urllib.parse

from websockets.asyncio.server import serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

from made_up_acts import Refused, now_ms
from made_up_room import merge
from made_up_server import MadeUpServer

WEB = pathlib.Path(__file__).parents[2] / "Sources" / "Server" / "Web"
RECORDING = pathlib.Path(__file__).with_name("recorded-feed.jsonl.gz")
TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"}
HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}
ACTS = {
    "kick": {"player"},
    "ban": {"player"},
    "unban": {"player"},
    "mute": {"player"},
    "unmute": {"player"},
    "closeRoom": {"room"},
    "announce": {"text"},
    "drain": set(),
    "closeSeason": {"season"},
    "voidTaps": {"player", "season"},
    "acceptLand": {"proposal"},
    "declineLand": {"proposal", "reason"},
    "hide": {"kind", "subject"},
    "restore": {"kind", "subject"},
    "warn": {"player", "text"},
    "editSchool": {"school"},
    "importFences": {"fences"},
    "importLands": {"lands"},
    "renameLand": {"land", "name"},
    "removeFences": {"fenceIds"},
    "addOperator": {"name", "role"},
    "addToken": {"name", "role"},
    "setRole": {"name", "role"},
    "removeOperator": {"name"},
    "resetOperator": {"name"},
    "endSession": {"session"},
    "endOwnSession": {"session"},
    "addWebhook": {"url", "events"},
    "removeWebhook": {"webhook"},
    "enableWebhook": {"webhook"},
    "testWebhook": {"webhook"},
}
OPTIONAL = {"editSchool": {"name", "closed"}, "addWebhook": {"name"}, "ban": {"minutes"}, "mute": {"minutes"}, "announce": {"room"}, "acceptLand": {"name"}, "warn": {"kind", "subject"}}
VIEW_MEMBERS = {
    "overview": set(),
    "rooms": {"filter", "mode", "phase", "sort", "descending", "offset", "limit"},
    "room": {"room"},
    "schools": {"limit"},
    "suspects": set(),
    "connections": {"filter", "sort", "descending", "offset", "limit"},
    "sanctions": set(),
    "proposals": set(),
    "places": {"southE7", "westE7", "northE7", "eastE7"},
    "reports": {"filter", "after"},
    "audit": {"before"},
    "operators": set(),
    "webhooks": set(),
}
SORTS = {
    "rooms": {"code", "mode", "phase", "shard", "players", "connected", "game", "suspects"},
    "connections": {"nickname", "address", "shard", "unsentBytes", "room"},
}
THUMBNAIL = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="320" height="240" fill="#7ab"/>'
    b'<path d="M0 240L120 90l70 80 50-40 80 110z" fill="#364"/></svg>'
)
MESSAGES_PER_SECOND = 20
MESSAGE_BYTES_MAX = 256 * 1_024


class Breach(Exception):
    """The page sent a message that is not in the contract."""


class Feed:
    """The feed with its page, on a thread of its own. It keeps the pages' messages and the last ones sent."""

    def __init__(self, port=0, recording=None):
        self.server = MadeUpServer()
        self.recorded = recording and [json.loads(line) for line in gzip.decompress(recording.read_bytes()).splitlines()]
        self.acts, self.watched, self.breaches, self.last = [], [], [], {}
        self.role, self.allowed = "admin", list(ACTS)
        self.is_expired = self.is_mute = self.is_full = False
        self.slow_tracks_s = 0
        self.overviews = 0
        self.minutes_asked = self.minutes_after = 0
        self.numbers_news = True
        self.holds_lists = False
        self.open = set()
        self.loop = asyncio.new_event_loop()
        self.port = port
        ready = threading.Event()
        threading.Thread(target=self.run, args=(ready,), daemon=True).start()
        ready.wait()
        self.origin = f"http://127.0.0.1:{self.port}"

    def run(self, ready):
        async def main():
            async with serve(self.talk, "127.0.0.1", self.port, process_request=self.answer) as server:
                self.port = server.sockets[0].getsockname()[1]
                ready.set()
                await server.serve_forever()

        self.loop.run_until_complete(main())

    def cut(self):
        """Breaks every open connection."""

        async def abort():
            for socket in list(self.open):
                socket.transport.abort()

        asyncio.run_coroutine_threadsafe(abort(), self.loop).result()

    # Pages.

    async def answer(self, connection, request):
        if self.is_expired:
            return reply(401, "text/plain; charset=utf-8", b"open the address that the server printed when it started\n")
        path = urllib.parse.unquote(request.path.split("?")[0])
        if path == "/console/feed":
            return reply(503, "text/plain; charset=utf-8", b"8 consoles are open\n") if self.is_full else None
        if path == "/":
            page = (WEB / "console.html").read_text().replace("{{assets}}", "/web/made-up").replace("{{map}}", "")
            return reply(200, "text/html; charset=utf-8", page.encode())
        if path.startswith("/web/made-up/"):
            file = WEB / pathlib.PurePath(path).name
            if file.is_file() and (kind := TYPES.get(file.suffix[1:])):
                return reply(200, kind, file.read_bytes())
        if path.startswith("/media/") and path.endswith("/thumbnail"):
            return reply(200, "image/svg+xml", THUMBNAIL)
        if path.startswith("/console/games/") and path.endswith("/track"):
            await asyncio.sleep(self.slow_tracks_s)
            track = self.server.track(path.split("/")[3])
            if track:
                return reply(200, "application/json", json.dumps(without_empty(track)).encode())
        return reply(404, "text/plain; charset=utf-8", b"not found\n")

    # The feed.

    async def talk(self, socket):
        if self.recorded:
            return await self.play(socket)
        self.open.add(socket)
        wish = Watching()
        hello = {"atMs": now_ms(), "version": "0.0.0", "address": "127.0.0.1:8080", "origin": "ws://127.0.0.1:8080"}
        started = {"startedAtMs": self.server.started_at_ms} if self.numbers_news else {}
        who = {"operator": "token", "role": self.role, "acts": self.allowed, "reasonedActs": []}
        await tell(socket, {"hello": hello | started | who | {"draining": self.server.is_draining}})
        await tell(socket, {"history": self.server.history})
        tellers = [asyncio.create_task(self.tell_overview(socket)), asyncio.create_task(self.tell_view(socket, wish))]
        times = []
        try:
            async for text in socket:
                times = [*times[-MESSAGES_PER_SECOND:], self.loop.time()]
                if len(times) > MESSAGES_PER_SECOND and times[-1] - times[0] < 1:
                    raise Breach("more than 20 messages a second")
                await self.receive(socket, json.loads(text), wish)
        except ConnectionClosed:
            pass
        except Exception as error:
            self.breaches.append(f"{error!r}")
            traceback.print_exc()
            await socket.close(1008, str(error)[:100])
        finally:
            self.open.discard(socket)
            for teller in tellers:
                teller.cancel()

    async def play(self, socket):
        """Plays the recording over and over, at its own times; ignores the page's messages."""
        try:
            while True:
                began = self.loop.time()
                for at_ms, message in self.recorded:
                    await asyncio.sleep(began + at_ms / 1_000 - self.loop.time())
                    await tell(socket, message)
        except ConnectionClosed:
            pass

    async def receive(self, socket, message, wish):
        if "watch" in message:
            check_view(message)
            self.watched.append(message)
            wish.take(message)
            return await self.tell_now(socket, wish)
        if not isinstance(message.get("id"), int) or not 1 <= message["id"] < 2**31:
            raise Breach(f"no id: {message}")
        if message.get("query") == "games":
            games = self.server.games(message["room"])
            return await tell(socket, {"reply": message["id"], "ok": True, "games": games})
        if message.get("query") == "minutes":
            after = self.minutes_after = message.get("afterMs", 0)
            self.minutes_asked += 1
            minutes = [minute for minute in self.server.minutes() if minute["atMs"] > after]
            return await tell(socket, {"reply": message["id"], "ok": True, "minutes": minutes})
        if message.get("query") in ("previewFences", "previewLands"):
            self.previewed = message
            return await tell(socket, {"reply": message["id"], "ok": True, "preview": self.server.preview(message)})
        if message.get("query") == "schools":
            self.searched = message
            return await tell(socket, {"reply": message["id"], "ok": True, "schools": self.server.find_schools(message)})
        if message.get("query") == "network":
            network = self.server.network(message["player"])
            reply = {"ok": True, "network": network} if network else {"ok": False, "error": "they are not connected"}
            return await tell(socket, {"reply": message["id"], **reply})
        check_act(message)
        self.acts.append(message)
        if len(json.dumps(message, ensure_ascii=False).encode()) > MESSAGE_BYTES_MAX:
            raise Breach("a message over 256 KiB")
        if self.is_mute:
            return None
        try:
            done = self.server.act(message["act"], message, "127.0.0.1")
        except Refused as refusal:
            return await tell(socket, {"reply": message["id"], "ok": False, "error": str(refusal)})
        await tell(socket, {"reply": message["id"], "ok": True} | (done if isinstance(done, dict) else {"text": done}))
        self.server.say("notice", f"an operator did: {message['act']}")

    async def tell_overview(self, socket):
        told = 0
        while True:
            overview = self.server.overview(told)
            told = max([told, *(each["number"] for each in overview["news"])])
            if not self.numbers_news:
                overview["news"] = [{k: v for k, v in each.items() if k != "number"} for each in overview["news"]]
            self.last["overview"] = overview
            self.overviews += 1
            await tell(socket, {"overview": overview})
            await asyncio.sleep(0.5)

    async def tell_view(self, socket, wish):
        while True:
            await asyncio.sleep(0.25)
            if wish.view["watch"] == "room":
                await self.tell_room(socket, wish)
            elif self.loop.time() - wish.told_at >= 0.5:
                await self.tell_now(socket, wish)

    async def tell_now(self, socket, wish):
        """Sends the watched view if it differs from the last one."""
        name = wish.view["watch"]
        if name == "room":
            return await self.tell_room(socket, wish)
        if name == "overview":
            return None
        if self.holds_lists:
            return None
        wish.told_at = self.loop.time()
        body = getattr(self.server, f"view_{name}")(wish.view)
        if body != wish.told:
            wish.told = copy.deepcopy(body)
            self.last[name] = wish.told
            await tell(socket, {name: body})

    async def tell_room(self, socket, wish):
        """Sends the room's whole state first, then its changes. All watchers' rooms step together, with the first
        watcher."""
        identifier = wish.view["room"]
        room = self.server.room(identifier)
        if room is None or room.row not in self.server.rooms:
            if wish.told != "gone":
                wish.told = "gone"
                await tell(socket, {"roomGone": {"id": identifier}})
            return
        members = room.members()
        if wish.told is None:
            state = {"id": identifier, "shard": room.row["shard"], "state": room.state(), "authors": dict(room.authors)}
            wish.told = members
            self.last["room"] = state | {"members": members}
            return await tell(socket, {"room": self.last["room"]})
        ticks = [room.step()]
        for at, (left_in, tick) in enumerate(list(self.server.__dict__.get("left", []))):
            if left_in == identifier:
                ticks.insert(0, tick)
                self.server.left.pop(at)
                break
        told = {"id": identifier, "tick": merge(ticks)}
        chats = [str(event["number"]) for event in told["tick"].get("events", []) if "chat" in event]
        if chats:
            told["authors"] = {number: room.authors[number] for number in chats}
        if members != wish.told:
            wish.told = members
            told["members"] = members
        self.last["members"] = members
        await tell(socket, {"tick": told})


class Watching:
    """The view that one page watches, and the last message about it."""

    def __init__(self):
        self.take({"watch": "overview"})

    def take(self, view):
        self.view, self.told, self.told_at = view, None, 0


async def tell(socket, message):
    try:
        await socket.send(json.dumps(without_empty(message), ensure_ascii=False))
    except ConnectionClosed:
        pass


def without_empty(value):
    """A message as the server writes it: without empty lists and maps."""
    if isinstance(value, list):
        return [without_empty(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: without_empty(each) for name, each in value.items() if each != [] and (name, each) != ("authors", {})}


def reply(status, kind, body):
    headers = Headers({"Content-Type": kind, **HEADERS})
    if len(body) > 2_000:
        body = gzip.compress(body, 1)
        headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(body))
    headers["Connection"] = "close"
    return Response(status, http.HTTPStatus(status).phrase, headers, body)


def check_view(message):
    name = message["watch"]
    members = set(message) - {"watch"}
    if name not in VIEW_MEMBERS or members - VIEW_MEMBERS[name]:
        raise Breach(f"no such view: {message}")
    if name in SORTS and message["sort"] not in SORTS[name]:
        raise Breach(f"no such sort: {message}")
    if name == "room" and not re.fullmatch("[0-9a-f]{32}", message["room"]):
        raise Breach(f"no room: {message}")
    if name == "places" and len(message) > 1 and not is_box(message):
        raise Breach(f"no box on Earth: {message}")
    if message.get("before", 1) < 1:
        raise Breach(f"the number before: {message}")
    if "limit" in message and not 1 <= message["limit"] <= 200:
        raise Breach(f"the limit: {message}")
    for member, kind in (("offset", int), ("limit", int), ("descending", bool), ("filter", str), ("before", int)):
        if member in message and type(message[member]) is not kind:
            raise Breach(f"the form of {member}: {message}")


def is_box(message):
    sides = [message.get(f"{side}E7") for side in ("south", "west", "north", "east")]
    if any(type(side) is not int for side in sides):
        return False
    south, west, north, east = sides
    return -900_000_000 <= south <= north <= 900_000_000 and max(abs(west), abs(east)) <= 1_800_000_000


def check_act(message):
    name = message.get("act")
    members = set(message) - {"id", "act"}
    # With any act.
    members -= {"reason"} - ACTS.get(name, set())
    if name not in ACTS or not ACTS[name] <= members <= ACTS[name] | OPTIONAL.get(name, set()):
        raise Breach(f"no such act: {message}")
    for member in ("minutes", "season"):
        if member in message and type(message[member]) is not int:
            raise Breach(f"the form of {member}: {message}")


if __name__ == "__main__":
    print(Feed(int(sys.argv[1]) if len(sys.argv) > 1 else 0).origin, flush=True)
    threading.Event().wait()
