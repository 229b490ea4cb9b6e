"""An operators' console without a page: a client of the feed that keeps the messages."""
import asyncio
import json
import time

import websockets

from client import Failure, RoomCopy, check

# The lists of each kind of message: the server leaves out those that are empty.
LISTS = {"overview": ["news"], "rooms": ["rows"], "schools": ["rows"], "connections": ["rows"], "sanctions": ["rows"],
         "audit": ["rows"], "suspects": ["players", "tappers"], "reply": ["games"]}


class CountingProtocol(websockets.ClientConnection):
    """Counts the received bytes, compressed."""

    wire_bytes = 0

    def data_received(self, data):
        self.wire_bytes += len(data)
        super().data_received(data)


class Feed:
    """One console: its view, and the last message of each kind."""

    def __init__(self, operators, **headers):
        self.operators = operators
        self.headers = {"Cookie": operators.cookie} | headers
        self.told = {}
        self.counts = {}
        self.bytes = {}
        self.replies = {}
        self.room = None
        # The members of the room who were suspect.
        self.suspects = set()
        self.next_id = 0
        # The messages and their times, while they are recorded.
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
        """Reads messages until the feed ends, and keeps the close code."""
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
            self.record.append((time.monotonic(), json.loads(frame)))
        name = next(iter(message))
        for member in LISTS.get(name, ()):
            (message if name == "reply" else message[name]).setdefault(member, [])
        self.told[name] = message[name]
        self.counts[name] = self.counts.get(name, 0) + 1
        self.bytes[name] = self.bytes.get(name, 0) + len(frame.encode())
        members = message[name].get("members") if name in ("room", "tick") else None
        self.suspects |= {member["player"] for member in members or [] if member["suspect"]}
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
        """Watches a view and returns its first message."""
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
