"""Players of one machine's server who walk in rooms behind a proxy, and come back to them over an upgrade."""
import asyncio
import contextlib
import secrets
import time

import websockets

from client import Failure, check
from play_json import JSONCodec
from recipes import OutsideClient

BACK_WITHIN_S = 180
STEP_S = 1
SIZE = 4
# An address may shake hands and make guests only so fast, and this process too.
ROOMS_AT_ONCE = 5
LAT_E7, LNG_E7 = 375_665_000, 1_269_780_000


class Roommate:
    """One player with their place in a room, from an address of their own."""

    def __init__(self, recipe, number):
        self.name = f"walker-{number}"
        self.secret = secrets.token_hex(16)
        # Four lines apart, so that each walks alone.
        self.lat_e7, self.lng_e7 = LAT_E7 + 20_000 * (number % SIZE), LNG_E7
        self.client = OutsideClient(recipe, JSONCodec(), self.name, source=f"127.0.{1 + number // 200}.{1 + number % 200}")
        # Whether the connection has ended since the walk began, and its room is here again.
        self.was_away, self.is_here = False, True

    async def come(self):
        await self.client.connect()
        await self.client.hello(self.name, self.secret)

    @property
    def place(self):
        """The room's code and phase, and the place in it."""
        return self.client.room.code, self.client.room.phase, self.client.room.you

    async def live(self):
        """Walks until it is cancelled; comes back when the connection ends, as apps do."""
        self.was_away = False
        while True:
            try:
                while True:
                    self.lat_e7 += 100
                    await self.client.send("move", latE7=self.lat_e7, lngE7=self.lng_e7, accuracyM=5)
                    await asyncio.sleep(STEP_S)
                    check(not self.client.reader.done(), "the connection has ended")
            except (Failure, websockets.ConnectionClosed):
                self.was_away, self.is_here = True, False
                await self.come_back()
                self.is_here = True

    async def come_back(self):
        """Resumes as soon as the server takes connections again."""
        deadline = time.monotonic() + BACK_WITHIN_S
        while True:
            try:
                await self.client.connect()
                await self.client.resume()
                return
            except (OSError, asyncio.TimeoutError, Failure, websockets.WebSocketException) as why:
                check(time.monotonic() < deadline, f"{self.name} is not back: {why}")
                await asyncio.sleep(0.5)


class Crowd:
    """Rooms of four in which games run."""

    def __init__(self, recipe, players):
        self.mates = [Roommate(recipe, number) for number in range(players)]
        self.rooms = [self.mates[first:first + SIZE] for first in range(0, players, SIZE)]

    async def begin(self):
        for first in range(0, len(self.rooms), ROOMS_AT_ONCE):
            await asyncio.gather(*map(self._begin, self.rooms[first:first + ROOMS_AT_ONCE]))

    async def _begin(self, room):
        await asyncio.gather(*(mate.come() for mate in room))
        host, *guests = (mate.client for mate in room)
        made = await host.expect("room", "createRoom", mode="FOOTPRINT", capacity=SIZE, durationS=3_600)
        for guest in guests:
            await guest.expect("room", "joinRoom", code=made["code"])
        await host.expect("ok", "startGame")
        for mate in room:
            await mate.client.until("the start", lambda mate=mate: mate.client.room.phase == "PLAYING", 60)

    @contextlib.asynccontextmanager
    async def walking(self):
        """Everybody walks meanwhile. Behind it everybody is there; a player who failed fails the test."""
        walks = [asyncio.create_task(mate.live()) for mate in self.mates]
        try:
            yield
        finally:
            for walk in walks:
                walk.cancel()
            ends = await asyncio.gather(*walks, return_exceptions=True)
        for end in ends:
            if not isinstance(end, asyncio.CancelledError):
                raise end

    async def until_all_were_away_and_back(self):
        deadline = time.monotonic() + BACK_WITHIN_S
        while waited_for := [mate.name for mate in self.mates if not (mate.was_away and mate.is_here)]:
            check(time.monotonic() < deadline, f"not away and back: {waited_for[:5]}")
            await asyncio.sleep(0.5)

    async def talk(self, text):
        """One of each room says something, which all of the room hear."""
        await asyncio.gather(*(room[-1].client.expect("ok", "chat", text=text) for room in self.rooms))

        def has_heard(room):
            return any(chat["chat"]["text"] == text for chat in room.chats)

        await asyncio.gather(*(
            mate.client.until(text, lambda room=mate.client.room: has_heard(room), 60) for mate in self.mates
        ))

    async def end(self):
        for mate in self.mates:
            await mate.client.close()
