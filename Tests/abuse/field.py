"""The means of an attacker's process: its addresses, its time, and the parts that every attack needs."""
import asyncio
import copy
import random
import secrets
import time

from peer import Counts, Gone, Peer, Refused

# 16 networks: with --limit-loopback each address of the loopback counts for itself.
ADDRESSES = [f"127.0.{number}.1" for number in range(1, 17)]
# Four people are 25 bytes and one character that a reader sees; 64 of them are as many bytes as a chat may have.
FAMILY = "👨‍👩‍👧‍👦"
LONG_CHAT = FAMILY * 64
# The time by which an attack on a busy machine is extended, until it has done something.
PATIENCE_S = 60


class Field:
    """The means of one of the attackers' processes."""

    def __init__(self, port, addresses, seconds, honest, index):
        self.host = "127.0.0.1"
        self.port = port
        self.addresses = addresses
        self.honest = honest
        self.index = index
        self.counts = Counts()
        self.seconds = seconds
        self.ends_at = time.monotonic() + seconds

    @property
    def left_s(self):
        patience_s = 0 if self.counts.done else PATIENCE_S
        return max(0.0, self.ends_at + patience_s - time.monotonic())

    def of(self, address):
        """A copy with only one address."""
        part = copy.copy(self)
        part.addresses = [address]
        return part

    async def open(self, address, **options):
        return await Peer.open(self.counts, self.host, self.port, address, **options)

    async def guest(self, address, **options):
        """A new guest; the token is kept for resume."""
        peer = await self.open(address, **options)
        try:
            welcome = await peer.ask("hello", nickname="누구", deviceSecret=secrets.token_hex(16))
        except BaseException:
            peer.drop()
            raise
        peer.token = welcome["sessionToken"]
        peer.player_id = welcome["playerId"]
        return peer

    async def swarm(self, per_address, worker, over_s=2.0):
        """Runs workers from each address, begun over the first seconds; a worker whose connection ends begins anew."""
        async def keep(address, number):
            await asyncio.sleep(random.random() * min(over_s, self.seconds / 4))
            while self.left_s > 0:
                try:
                    await worker(self, address, number)
                except (Gone, OSError, TimeoutError):
                    await asyncio.sleep(0.3)
                except Refused as refused:
                    await asyncio.sleep(min(1 + random.random(), refused.retry_ms / 1000 + 0.05))

        tasks = [
            asyncio.create_task(keep(address, number)) for address in self.addresses for number in range(per_address)
        ]
        pending = tasks
        while pending and self.left_s > 0:
            _, pending = await asyncio.wait(pending, timeout=min(1, self.left_s))
        failures = [task.exception() for task in tasks if task.done() and not task.cancelled() and task.exception()]
        for task in tasks:
            task.cancel()
        if failures:
            raise failures[0]


async def walk(peer, stop_s, hz, start=(370_000_000, 1_270_000_000)):
    """Moves north at 1.2 m/s, at this rate and for this time."""
    lat_e7, lng_e7 = start
    ends_at = time.monotonic() + stop_s
    while time.monotonic() < ends_at:
        lat_e7 += round(108 / hz)
        peer.say("move", latE7=lat_e7, lngE7=lng_e7, accuracyM=5)
        await asyncio.sleep(1 / hz)
