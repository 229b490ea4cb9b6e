"""Rooms of players who walk, chat a new text now and then, and remember each text's outcome."""
import asyncio
import secrets

import websockets

from client import Client, Failure, RoomCopy, check
from play_json import JSONCodec

SEATS = 4
# The server accepts a chat a second. A room's state has its newest 200 chats, and none may be missed.
BETWEEN_CHATS_S = 1.5
BETWEEN_MOVES_S = 0.4
# A request that waits for a failing store is answered within some 5 s.
PATIENCE_S = 15


class CountingCopy(RoomCopy):
    """Counts the ticks that brought somebody's position."""

    def __init__(self):
        super().__init__()
        self.ticks_with_positions = 0

    def apply_tick(self, tick):
        super().apply_tick(tick)
        if tick.get("seats"):
            self.ticks_with_positions += 1


class Talker(Client):
    def __init__(self, url, name):
        super().__init__(url, JSONCodec(), name)
        self.room = CountingCopy()
        self.said = 0
        self.acknowledged, self.refused, self.unanswered = [], [], []
        self.tasks = []

    async def enter(self, code):
        """Joins a room or makes one; returns its code."""
        await self.connect()
        await self.hello(self.name, secrets.token_hex(16))
        if code is None:
            await self.expect("room", "createRoom", mode="FOOTPRINT", capacity=SEATS, durationS=600, tickHz=5)
        else:
            await self.expect("room", "joinRoom", code=code)
        return self.room.code

    def begin(self):
        self.tasks = [asyncio.create_task(self.walk()), asyncio.create_task(self.talk())]

    async def end(self):
        """Cancels the running tasks."""
        for task in self.tasks:
            task.cancel()
        for outcome in await asyncio.gather(*self.tasks, return_exceptions=True):
            if isinstance(outcome, Failure):
                raise outcome
        self.tasks = []

    async def walk(self):
        step = 0
        while True:
            step += 1
            try:
                await self.send("move", latE7=375665000 + 60 * step, lngE7=1269780000, accuracyM=5)
            except websockets.ConnectionClosed:
                return
            await asyncio.sleep(BETWEEN_MOVES_S)

    async def talk(self):
        while True:
            self.said += 1
            text = f"{self.name} {self.said}"
            self.unanswered.append(text)
            self.next_id += 1
            answer = asyncio.get_running_loop().create_future()
            self.answers[self.next_id] = answer
            try:
                await self.socket.send(self.codec.encode(self.next_id, "chat", {"text": text}))
                body, fields = await asyncio.wait_for(answer, PATIENCE_S)
            except (websockets.ConnectionClosed, Failure):
                return
            except asyncio.TimeoutError:
                raise Failure(f"{text}: no answer within {PATIENCE_S} s") from None
            # Without a time to come again, the text may still be written: it stays unanswered.
            if body != "ok":
                check(fields.get("code") == "STORE_UNAVAILABLE", f"{text} was answered with {body} {fields}")
            if body == "ok" or "retryAfterMs" in fields:
                self.unanswered.remove(text)
                (self.acknowledged if body == "ok" else self.refused).append(text)
            await asyncio.sleep(BETWEEN_CHATS_S)


class Talkers:
    """All players of a test."""

    def __init__(self, url, rooms):
        self.rooms = [[Talker(url, f"room {room} seat {seat}") for seat in range(SEATS)] for room in range(rooms)]
        self.codes = [None] * rooms

    @property
    def all(self):
        return [talker for room in self.rooms for talker in room]

    async def enter(self):
        for index, room in enumerate(self.rooms):
            code = None
            for talker in room:
                code = await talker.enter(code)
            self.codes[index] = code
            await room[0].expect("ok", "startGame")
        self.begin()

    def begin(self):
        for talker in self.all:
            talker.begin()

    async def end(self):
        for talker in self.all:
            await talker.end()

    async def drop(self):
        await self.end()
        for talker in self.all:
            await talker.drop()

    async def come_back(self, without=()):
        """Takes all sessions up again; rooms in `without` must be gone, all others have every acknowledged text."""
        for index, room in enumerate(self.rooms):
            for talker in room:
                await talker.connect()
                welcome = await talker.resume()
                if index in without:
                    check("room" not in welcome, f"{talker.name}: a room that can't be built again is there")
                else:
                    check(talker.room.code == self.codes[index], f"{talker.name}: back in {talker.room.code}")
            if index not in without:
                self.check_history(room)

    def expect_losses(self):
        """Allows the loss of every text so far."""
        for talker in self.all:
            talker.unanswered += talker.acknowledged
            talker.acknowledged = []

    @staticmethod
    def check_history(room):
        for reader in room:
            texts = [event["chat"]["text"] for event in reader.room.chats]
            check(len(texts) < 200, "more chats than a room's state has, so nothing could be said of the oldest")
            for talker in room:
                for text in talker.acknowledged:
                    check(texts.count(text) == 1, f"acknowledged, and {texts.count(text)} times there: {text}")
                for text in talker.refused:
                    check(texts.count(text) == 0, f"refused, and there: {text}")
                for text in talker.unanswered:
                    check(texts.count(text) <= 1, f"there twice: {text}")

    @property
    def acknowledged(self):
        return sum(len(talker.acknowledged) for talker in self.all)

    @property
    def refused(self):
        return sum(len(talker.refused) for talker in self.all)

    async def until_refused(self, within_s=20):
        """Waits until every player has had a refusal."""
        before = {talker: len(talker.refused) for talker in self.all}
        await self.until(
            "everybody is refused", lambda: all(len(talker.refused) > before[talker] for talker in self.all), within_s
        )

    async def until_acknowledged(self, times=1, within_s=20):
        """Waits until this number of further texts of every player has been acknowledged."""
        before = {talker: len(talker.acknowledged) for talker in self.all}
        await self.until(
            "something of everybody's is acknowledged",
            lambda: all(len(talker.acknowledged) >= before[talker] + times for talker in self.all),
            within_s,
        )

    async def until(self, what, holds, within_s):
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within_s
        while not holds():
            for talker in self.all:
                for task in talker.tasks:
                    if task.done() and task.exception():
                        raise task.exception()
                check(not talker.reader.done(), f"{talker.name}: the connection ended: {talker.failure}")
            check(loop.time() < deadline, f"waited {within_s} s until {what}")
            await asyncio.sleep(0.05)

    async def check_positions_go_on(self):
        """Checks that all players see further positions, in any state of the store."""
        before = {talker: talker.room.ticks_with_positions for talker in self.all}
        await self.until(
            "everybody sees positions",
            lambda: all(talker.room.ticks_with_positions >= before[talker] + 3 for talker in self.all),
            within_s=10,
        )
