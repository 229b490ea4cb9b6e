"""A hundred honest players in a process of their own: rooms of four who walk, chat and read, and new guests.

The players of a room share an address; each new guest has another one. Late, refused and missing messages are counted
for each phase that the parent names.
"""
import asyncio
import functools
import os
import re
import secrets
import time

from peer import Counts, Gone, Peer, Refused
from uploads import keep

ROOMS = 25
PLAYERS = 4
TICK_HZ = 10
TICK_MS = 1000 // TICK_HZ
COMMAND_EACH_S = 4
NEWCOMER_EACH_S = 2
NEIGHBOUR_EACH_S = 3
DEPARTURE_EACH_S = 5
PICTURE_EACH_S = 3
# A guest who waits longer for a welcome counts as refused.
GREETED_WITHIN_S = 15
# One e-mail may have 5 passwords a minute.
LOGIN_EACH_S = 13
EMAIL, PASSWORD = "honest@example.org", "맨발로 걷는 길"
NUMBER_OF_TICK = re.compile(rb'^\{"tick":\{"tick":(\d+)')


def p99(values):
    values = sorted(values)
    return values[min(len(values) - 1, len(values) * 99 // 100)] if values else 0.0


class Phase:
    """The counts between two messages of the parent."""

    def __init__(self):
        # (room, arrival less due) of each received tick, ms; the wait for each durable answer, ms.
        self.ticks = []
        self.answers_ms = []
        self.hellos_s = []
        self.complaints = []
        self.skipped = 0

    def report(self, earliest):
        return {
            "tick_ms": p99([late - earliest[room] for room, late in self.ticks]),
            "answer_ms": p99(self.answers_ms),
            "ticks": len(self.ticks),
            "answers": len(self.answers_ms),
            "hello_s": max(self.hellos_s, default=0.0),
            "hellos": len(self.hellos_s),
            "skipped": self.skipped,
            "complaints": self.complaints,
        }


class Honest:
    """All honest players."""

    def __init__(self, port, kinds):
        self.port = port
        self.kinds = kinds
        self.counts = Counts()
        self.phase = Phase()
        # For each room the least arrival less due: its most punctual tick.
        self.earliest = {}
        self.newcomers = 0
        self.players = []
        self.code = None
        self.commands = set()

    async def open(self, address):
        return await Peer.open(self.counts, "127.0.0.1", self.port, address)

    async def begin(self):
        """Connects all players and starts all games. Returns the details that attackers get."""
        await asyncio.gather(*(self.begin_room(room) for room in range(ROOMS)))
        # A room that others may join while it has free seats.
        host = await self.greet("127.1.200.1")
        self.code = (await host.ask("createRoom", mode="FOOTPRINT", capacity=200, durationS=7200, tickHz=TICK_HZ))["code"]
        self.players.append(host)
        if "account" in self.kinds:
            peer = await self.greet("127.3.250.1")
            await peer.ask("register", email=EMAIL, password=PASSWORD, nickname="가람")
            peer.drop()
        return {"code": self.code, "email": EMAIL}

    async def greet(self, address, peers=None):
        """A new guest, who retries when the server asks for it: many guests at once wait for their turns."""
        began = time.monotonic()
        secret = secrets.token_hex(16)
        peer = await self.open(address)
        if peers is not None:
            peers.append(peer)
        while True:
            try:
                await peer.ask("hello", nickname="지민", deviceSecret=secret)
                return peer
            except Refused as refused:
                wait_s = refused.retry_ms / 1000
                if refused.code != "RATE_LIMITED" or time.monotonic() + wait_s > began + GREETED_WITHIN_S:
                    raise
                await asyncio.sleep(wait_s + 0.01)

    async def begin_room(self, room):
        members = []
        for _ in range(PLAYERS):
            peer = await self.greet(f"127.1.{room + 1}.1")
            if members:
                await peer.ask("joinRoom", code=code)
            else:
                code = (await peer.ask("createRoom", mode="FOOTPRINT", durationS=7200, capacity=PLAYERS, tickHz=TICK_HZ))["code"]
            peer.is_playing = False
            peer.on_news = functools.partial(self.take_news, room, peer)
            members.append(peer)
        await members[0].ask("startGame")
        self.players += members

    def take_news(self, room, peer, payload):
        tick = NUMBER_OF_TICK.match(payload)
        if tick and b'"PLAYING"' in payload:
            # The clock and the number of ticks have begun anew.
            peer.is_playing = True
        elif tick and peer.is_playing:
            late = time.monotonic() * 1000 - int(tick[1]) * TICK_MS
            self.earliest[room] = min(self.earliest.get(room, late), late)
            self.phase.ticks.append((room, late))
            if b'"skipped":' in payload:
                self.phase.skipped += 1
        elif payload.startswith(b'{"verdict"') and b'"fix"' in payload:
            self.phase.complaints.append(payload.decode())

    # The players' actions, until they are cancelled.

    async def run(self):
        tasks = [self.play(number, peer) for number, peer in enumerate(self.players[:ROOMS * PLAYERS])]
        tasks += [self.each(NEWCOMER_EACH_S, self.come), self.watch_ends()]
        if "neighbour" in self.kinds:
            tasks.append(self.each(NEIGHBOUR_EACH_S, self.join_as_neighbour))
        if "departures" in self.kinds:
            tasks.append(self.each(DEPARTURE_EACH_S, self.be_deleted))
        if "account" in self.kinds:
            tasks.append(self.keep_logging_in())
        if "pictures" in self.kinds:
            tasks.append(self.each(PICTURE_EACH_S, self.upload))
        await asyncio.gather(*tasks)

    async def play(self, number, peer):
        """A fix a second, and a chat or a read cursor every four."""
        lat_e7, second = 370_000_000 + number * 10_000, 0
        await asyncio.sleep(number % 25 / 25)
        due = time.monotonic()
        while peer.is_open:
            lat_e7 += 108
            second += 1
            try:
                peer.say("move", latE7=lat_e7, lngE7=1_270_000_000, accuracyM=5)
            except Gone:
                return
            if (second + number) % COMMAND_EACH_S == 0:
                task = asyncio.create_task(self.command(peer, second))
                self.commands.add(task)
                task.add_done_callback(self.commands.discard)
            due += 1
            await asyncio.sleep(max(0, due - time.monotonic()))

    async def command(self, peer, second):
        began = time.monotonic()
        try:
            if second % 2:
                await peer.ask("chat", text="안녕")
            else:
                await peer.ask("readChat", upTo=1)
        except Refused as refused:
            return self.complain(f"a player was refused: {refused.code}")
        except TimeoutError:
            return self.complain("a player was not answered")
        except Gone:
            return
        self.phase.answers_ms.append((time.monotonic() - began) * 1000)

    async def watch_ends(self):
        """No connected player may be cut off."""
        seen = set()
        while True:
            for number, peer in enumerate(self.players):
                if not peer.is_open and number not in seen:
                    seen.add(number)
                    self.complain(f"player {number} was cut off with {peer.close_code}")
            await asyncio.sleep(0.2)

    async def each(self, seconds, act):
        while True:
            began = time.monotonic()
            peers = []
            try:
                await act(peers)
            except Refused as refused:
                self.complain(f"{act.__name__}: refused: {refused.code}")
            except TimeoutError:
                self.complain(f"{act.__name__}: not answered")
            except (Gone, OSError) as end:
                self.complain(f"{act.__name__}: cut off: {end!r}")
            for peer in peers:
                peer.drop()
            await asyncio.sleep(max(0.1, seconds - (time.monotonic() - began)))

    async def keep_logging_in(self):
        """Logs in two seconds into each phase, and then at an allowed rate."""
        while True:
            phase = self.phase
            await asyncio.sleep(2)
            logging_in = asyncio.create_task(self.each(LOGIN_EACH_S, self.log_in))
            while phase is self.phase:
                await asyncio.sleep(0.2)
            logging_in.cancel()

    async def come(self, peers):
        """A new guest from another network."""
        self.newcomers += 1
        address = f"127.2.{self.newcomers % 250 + 1}.{self.newcomers // 250 + 1}"
        began = time.monotonic()
        await self.greet(address, peers)
        self.phase.hellos_s.append(time.monotonic() - began)

    async def join_as_neighbour(self, peers):
        """A guest with a right code, from an address of an attacker."""
        peer = await self.greet("127.0.1.1", peers)
        await peer.ask("joinRoom", code=self.code)
        await peer.ask("leaveRoom")

    async def be_deleted(self, peers):
        """Deletes a guest from another network who has chatted in one room."""
        self.newcomers += 1
        peer = await self.greet(f"127.4.{self.newcomers % 250 + 1}.1", peers)
        await peer.ask("joinRoom", code=self.code)
        await peer.ask("chat", text="안녕")
        await peer.ask("deleteAccount")

    async def upload(self, peers):
        """A picture of a new guest from another network."""
        self.newcomers += 1
        address = f"127.5.{self.newcomers % 250 + 1}.1"
        await keep("127.0.0.1", self.port, address, await self.greet(address, peers))

    async def log_in(self, peers):
        """The owner of the account, from another network each time."""
        self.newcomers += 1
        peer = await self.open(f"127.3.{self.newcomers % 250 + 1}.1")
        peers.append(peer)
        await peer.ask("login", email=EMAIL, password=PASSWORD)

    def complain(self, what):
        self.phase.complaints.append(what)


async def serve(pipe, port, kinds):
    honest = Honest(port, kinds)
    pipe.send(await honest.begin())
    running = asyncio.create_task(honest.run())
    loop = asyncio.get_running_loop()
    reports = []
    while True:
        word = await loop.run_in_executor(None, pipe.recv)
        if running.done():
            running.result()
        reports.append(honest.phase)
        honest.phase = Phase()
        if word == "end":
            break
        pipe.send(word)
    running.cancel()
    pipe.send([phase.report(honest.earliest) for phase in reports])


def main(pipe, port, kinds):
    """Runs in a process of its own, until the parent says `end`; each other message begins a phase."""
    try:
        asyncio.run(serve(pipe, port, kinds))
    except Exception as failure:  # Sent to the parent, which waits for a message.
        pipe.send(failure if isinstance(failure, RuntimeError) else RuntimeError(f"honest players: {failure!r}"))
    os._exit(0)
