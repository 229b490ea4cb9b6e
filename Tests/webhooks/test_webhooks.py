"""Webhooks of a server that is killed again and again: a phone has seen no event at a fence that the backend misses."""
import asyncio
import contextlib
import json
import random
import secrets
import time

import pytest
import websockets

from client import Failure, check
from program import Program
from receiver import Receiver

ROUNDS, PLAYERS = 10, 250
# Fences at one place, so that a walk over it is many events: a player is in 32 at most.
FENCES = 30
LAT_E7, LNG_E7 = 375_665_000, 1_269_780_000
M_E7 = 1e9 / 11_119_508  # 1 m to the north.
RADIUS_M, WALK_M, SPEED_M_S = 15, 60, 11
ROUND_S = 3
DRAINS_WITHIN_S = 240


class Walker:
    """A player who walks to and fro over the fences, comes back after each kill, and keeps what it was told."""

    def __init__(self, server, number):
        self.server = server
        self.secret = secrets.token_hex(16)
        self.offset_m = number * 37 % (2 * WALK_M)
        self.player = None
        self.told = []
        self.answer = None
        self.failure = None

    async def live(self):
        while True:
            with contextlib.suppress(OSError, websockets.WebSocketException, asyncio.TimeoutError):
                async with websockets.connect(
                    self.server.url, subprotocols=["madang.v1.json"], compression=None, open_timeout=10
                ) as socket:
                    await self.play(socket)
            await asyncio.sleep(0.1)

    async def play(self, socket):
        await socket.send(json.dumps({"id": 1, "hello": {"nickname": "가람", "deviceSecret": self.secret}}))
        await socket.send(json.dumps({"id": 2, "watchPlaces": {}}))
        walking = asyncio.create_task(self.walk(socket))
        try:
            async for frame in socket:
                self.take(json.loads(frame))
        finally:
            walking.cancel()

    async def walk(self, socket):
        began = time.monotonic()
        while True:
            way_m = (self.offset_m + (time.monotonic() - began) * SPEED_M_S) % (2 * WALK_M)
            north_m = min(way_m, 2 * WALK_M - way_m) - WALK_M / 2
            await socket.send(json.dumps({"move": {
                "latE7": round(LAT_E7 + north_m * M_E7), "lngE7": LNG_E7, "accuracyM": 3,
                "timeMs": str(int(time.time() * 1_000)),
            }}))
            await asyncio.sleep(1)

    def take(self, message):
        if "welcome" in message:
            player = message["welcome"]["playerId"]
            self.failure = self.failure or (self.player not in (None, player) and "another player") or None
            self.player = player
        elif "fence" in message:
            fence = message["fence"]
            self.told.append((fence["fence"]["fenceId"], fence["change"], fence["atMs"]))
        elif "error" in message and message["error"]["code"] not in ("STORE_UNAVAILABLE", "SERVER_CLOSING"):
            self.failure = message


class Pinger:
    """Measures how long the server takes to say its time."""

    def __init__(self, server):
        self.server = server
        self.times_ms = []

    async def live(self):
        while True:
            with contextlib.suppress(OSError, websockets.WebSocketException, asyncio.TimeoutError):
                async with websockets.connect(self.server.url, subprotocols=["madang.v1.json"]) as socket:
                    while True:
                        began = time.monotonic()
                        await socket.send('{"id":1,"time":{}}')
                        await socket.recv()
                        self.times_ms.append(1_000 * (time.monotonic() - began))
                        await asyncio.sleep(0.05)
            await asyncio.sleep(0.1)

    def take(self):
        """The median and the 99th percentile since the last call, ms."""
        times, self.times_ms = sorted(self.times_ms), []
        return (times[len(times) // 2], times[len(times) * 99 // 100]) if times else (0, 0)


@pytest.fixture
def program(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log", "--admin-port", "0", "--webhook-private-addresses")
    yield program
    program.destroy()


def written(tmp_path):
    """A file with the fences, one at the other's place."""
    place = {"type": "Point", "coordinates": [LNG_E7 / 1e7, LAT_E7 / 1e7]}
    features = [
        {"type": "Feature", "id": number, "properties": {"name": f"문 {number}", "radiusM": RADIUS_M}, "geometry": place}
        for number in range(FENCES)
    ]
    path = tmp_path / "fences.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return str(path)


async def command(program, *arguments):
    status, output, errors = await program.command(*arguments)
    check(status == 0, f"{arguments} ended with {status}: {errors}")
    return output


async def pending(program):
    """The number of events that wait."""
    lines = (await command(program, "webhooks", "list")).splitlines()
    return int(next(line for line in lines if "pending" in line).split()[0])


async def awaited(holds, within_s, what):
    until = time.monotonic() + within_s
    while not await holds():
        check(time.monotonic() < until, f"{what} within {within_s} s")
        await asyncio.sleep(0.2)


def compare(walkers, receiver):
    """Each event that a player was told of was received, and each player's in order; returns how many there were."""
    received = {}
    for event in receiver.events:
        data = event["data"]
        place = received.setdefault(data["playerId"], {})
        place.setdefault((data["fenceId"], data["change"], data["atMs"]), len(place))
    count = 0
    for walker in walkers:
        numbers = [received.get(walker.player, {}).get(told) for told in walker.told]
        check(None not in numbers, f"{numbers.count(None)} of {len(numbers)} events of a player are lost")
        check(numbers == sorted(numbers), "a player's events came in another order")
        check(len(set(numbers)) == len(numbers), "a player was told of an event twice")
        count += len(numbers)
    return count


@pytest.mark.within(900)
async def test_what_a_phone_has_seen_at_a_fence_reaches_a_slow_backend_in_order_over_kills(program, tmp_path, seed,
                                                                                          request):
    rounds = request.config.getoption("rounds") or ROUNDS
    count = request.config.getoption("players") or PLAYERS
    receiver = Receiver(random.Random(seed), delay_s=0.15, fails_percent=5)
    url = await receiver.start()
    await program.start()
    await command(program, "fences", "import", written(tmp_path))
    added = await command(program, "webhooks", "add", url, "--events", "fence")
    receiver.secret = added.split()[3]
    check(receiver.secret not in (await command(program, "webhooks", "list")), "the secret is listed")
    walkers = [Walker(program, number) for number in range(count)]
    pinger = Pinger(program)
    quiet_task = asyncio.create_task(pinger.live())
    await asyncio.sleep(2)
    quiet_ms = pinger.take()
    tasks = [asyncio.create_task(walker.live()) for walker in walkers] + [quiet_task]
    try:
        rates = []
        for _ in range(rounds):
            await awaited(lambda: all_play(walkers), 60, "all players come back")
            before, began = sum(len(walker.told) for walker in walkers), time.monotonic()
            await asyncio.sleep(ROUND_S * (0.7 + 0.6 * receiver.random.random()))
            rates.append((sum(len(walker.told) for walker in walkers) - before) / (time.monotonic() - began))
            await program.kill()
            await program.start()
        busy_ms = pinger.take()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for walker in walkers:
        check(walker.failure is None, f"a player got {walker.failure}")
    began = time.monotonic()

    async def is_empty():
        return await pending(program) == 0

    await awaited(is_empty, DRAINS_WITHIN_S, "everything is delivered")
    check(receiver.failure is None, f"{receiver.failure}")
    told = compare(walkers, receiver)
    check(told > 10 * rounds, f"only {told} events were told")
    print(
        f"\n{told} events told to {count} players, {min(rates):.0f} to {max(rates):.0f} a second, over {rounds} kills; "
        f"{len(receiver.events)} events received in {receiver.deliveries} deliveries and {receiver.requests} requests; "
        f"the rest drained in {time.monotonic() - began:.1f} s; answers to `time` took {quiet_ms[0]:.1f} ms (p99 "
        f"{quiet_ms[1]:.1f}) in quiet, {busy_ms[0]:.1f} ms (p99 {busy_ms[1]:.1f}) in between"
    )
    receiver.stop()
    await program.end()
    await program.check_is_whole()


async def all_play(walkers):
    """Whether each player has been welcomed."""
    return all(walker.player is not None for walker in walkers)


async def test_the_commands_add_list_test_enable_and_remove(program, tmp_path, seed):
    receiver = Receiver(random.Random(seed), delay_s=0, fails_percent=0)
    url = await receiver.start()
    for arguments, words in (
        (("add", "nonsense", "--events", "fence"), "begins with"), (("add", url, "--events", "fence,noise"), "noise"),
        (("remove", "7"), "names no webhook"), (("remove", "7" * 32), "there is no webhook"),
        (("test", "7" * 32), "no server runs"),
    ):
        status, output, errors = await program.command("webhooks", *arguments)
        check((status, output) == (64, "") and words in errors, f"{arguments}: {status} {output}{errors}")
    # Without a server, and then with one.
    status, _, errors = await program.command("webhooks", "add", url, "--events", "fence")
    check(status == 64 and "--webhook-private-addresses" in errors, f"a private address without a server: {errors}")
    private = "--webhook-private-addresses"
    added = await command(program, "webhooks", "add", url, "--events", "fence", "--name", "뒤", private)
    first, receiver.secret = added.split()[1], added.split()[3]
    await program.start()
    listed = await command(program, "webhooks", "list")
    check(first in listed and url in listed and "뒤" in listed and "enabled" in listed, listed)
    await command(program, "webhooks", "test", first)

    async def has_come():
        return [event["type"] for event in receiver.events] == ["test"]

    await awaited(has_come, 30, "the test event comes")
    check(receiver.failure is None, f"{receiver.failure}")
    second = (await command(program, "webhooks", "add", url, "--events", "gameEnded,suspect")).split()[1]
    for _ in range(6):
        await command(program, "webhooks", "add", url, "--events", "playerDeleted")
    status, _, errors = await program.command("webhooks", "add", url, "--events", "fence")
    check(status == 64 and "8 webhooks already" in errors, f"a ninth: {errors}")
    await command(program, "webhooks", "enable", second)
    await command(program, "webhooks", "remove", second)
    listed = await command(program, "webhooks", "list")
    check(second not in listed and listed.count("http://") == 7, listed)
    audit = await command(program, "audit")
    actions = [line.split("  ")[3].split(":")[0] for line in reversed(audit.splitlines())]
    check(actions == ["addWebhook", "testWebhook", *["addWebhook"] * 7, "enableWebhook", "removeWebhook"], audit)
    receiver.stop()
    await program.end()
    await program.check_is_whole()


async def test_private_addresses_are_refused_by_default(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log", "--admin-port", "0")
    try:
        await program.start()
        for url in ("http://example.org/", "https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/"):
            status, _, errors = await program.command("webhooks", "add", url, "--events", "fence")
            check(status == 64 and "--webhook-private-addresses" in errors, f"{url}: {errors}")
        await program.end()
    except Failure:
        program.destroy()
        raise
