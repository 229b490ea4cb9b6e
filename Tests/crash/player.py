"""A player of the crash test: acts at random without end, and remembers the answers.

One request at a time, so that at a crash at most one is in flight and may have been done or not. The actions are in
actions.py, the checks of the server's promises in promises.py.
"""
import asyncio
import time

import websockets

from client import Client, Failure, check
from copy_of_room import LedgerCopy
from actions import PlayerActions
from play_json import JSONCodec
from promises import Identity, Promises

# The average time between two actions. A refusal of too many chats is remembered like any answer.
BEAT_S = 0.6


class Lost(Exception):
    """The connection has gone with the server."""


class Connection(Client):
    """A client whose messages go through the player's hands first."""

    def __init__(self, player, url, codec):
        super().__init__(url, codec, player.name)
        self.player = player
        self.room = player.copy
        self.verdicts = player.verdicts

    def take_state(self, body, fields):
        if body == "room":
            self.player.enter_room(fields, [])
        elif body == "welcome":
            self.player.take_welcome(fields)


class Player(PlayerActions, Promises):
    def __init__(self, world, number, rng, codec=None):
        self.world = world
        self.name = f"player-{number}"
        self.number = number
        self.rng = rng
        self.codec = codec or JSONCodec()
        self.copy = LedgerCopy()
        self.identity = Identity(self.name)
        self.identities = [self.identity]
        self.client = None
        self.is_back = False
        self.last_there = None
        # The request that no answer has come to: its name and fields.
        self.pending = None
        self.must_hello = True
        self.texts = 0
        self.rooms_made = 0
        self.steps = 0
        # The verdicts on refused fixes.
        self.verdicts = []
        self.read_floor = 0
        self.read_max = 0

    @property
    def room(self):
        return self.copy.room

    # The player's life between two starts of the server.

    async def live(self):
        """Returns and plays on until the server dies."""
        try:
            await self.come_back()
            self.is_back = True
            await asyncio.sleep(self.rng.random() * BEAT_S)
            while True:
                await self.pause(BEAT_S * self.rng.uniform(0.7, 1.3))
                await self.walk()
                await self.do_something()
        except Lost:
            if self.is_back:
                self.last_there = time.monotonic()

    async def come_back(self):
        self.client = Connection(self, self.world.url, self.codec)
        try:
            await self.client.connect()
        except (OSError, asyncio.TimeoutError, websockets.WebSocketException) as failure:
            self.client = None
            check(self.world.is_down, f"{self.name}: can't connect: {type(failure).__name__}: {failure}")
            raise Lost() from None
        if self.must_hello:
            await self.expect("hello", "welcome", nickname=self.identity.nickname, deviceSecret=self.identity.secret)
        elif self.room is None and not self.pending:
            await self.expect("resume", "welcome", sessionToken=self.identity.token)
        else:
            after = self.copy.last_event if self.room else 0
            await self.expect("resume", "welcome", sessionToken=self.identity.token, afterEvent=after)

    async def reconnect(self):
        """Loses the connection by itself, and comes back."""
        await self.client.drop()
        if isinstance(self.client.failure, Failure):
            raise self.client.failure
        await self.come_back()

    async def become(self, identity):
        """Says hello as someone else, on another connection."""
        await self.client.close()
        self.identity = identity
        if identity not in self.identities:
            self.identities.append(identity)
        self.must_hello = True
        await self.come_back()

    def new_identity(self):
        return Identity(self.name)

    async def pause(self, seconds):
        """Waits, but no longer than the connection lasts."""
        await asyncio.wait({self.client.reader}, timeout=seconds)
        if self.client.reader.done():
            await self.end()

    async def end(self):
        """Checks that the connection ended by the crash and by nothing else."""
        await asyncio.wait({self.client.reader})
        if self.client.reader.exception():
            raise self.client.reader.exception()
        failure = self.client.failure
        is_break = isinstance(failure, websockets.ConnectionClosed) and failure.rcvd is None
        if not is_break or not self.world.is_down:
            raise failure if isinstance(failure, Failure) else Failure(f"{self.name}: lost the connection: {failure}")
        raise Lost()

    # Requests.

    async def ask(self, body, /, **fields):
        """Returns an answer of any kind; counts answered and unanswered requests."""
        counts = self.world.counts
        try:
            answer = await self.client.ask(body, **fields)
        except (Failure, websockets.ConnectionClosed):
            counts[body, "unanswered"] += 1
            await self.end()
        except asyncio.TimeoutError:
            if self.client.reader.done():
                await self.end()
            raise Failure(f"{self.name}: no answer to {body} within 10 s") from None
        counts[body, "refused" if answer[0] == "error" else "acknowledged"] += 1
        return answer

    async def expect(self, body, wanted, /, *, refusals=(), **fields):
        """The fields of a success, or None after an allowed refusal."""
        kind, answer = await self.ask(body, **fields)
        if kind == "error":
            check(answer["code"] in refusals, f"{self.name}: {body} {fields} was refused: {answer}")
            return None
        check(kind == wanted, f"{self.name}: {body} was answered with {kind} {answer}")
        return answer

    async def tell(self, body, /, **fields):
        """A request without an answer."""
        try:
            await self.client.send(body, **fields)
        except websockets.ConnectionClosed:
            await self.end()

    async def command(self, body, wanted, /, *, refusals=(), **fields):
        """The same for a request with an effect. Without an answer it stays pending, and is searched for afterwards."""
        self.pending = (body, fields)
        answer = await self.expect(
            body, wanted, refusals=(*refusals, "RATE_LIMITED", "STORE_UNAVAILABLE"), **fields
        )
        self.pending = None
        return answer
