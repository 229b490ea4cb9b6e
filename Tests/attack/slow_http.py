#!/usr/bin/env python3
"""Two players play on while slowhttptest holds hundreds of connections with next to nothing.

    slow_http.py ws://HOST:PORT

Three attacks run at once: heads that drip in, bodies that drip in, answers that are hardly read. The tool must find
the service available in every second of it. Meanwhile one player moves and waits until both have seen it, over and
over: each tick must come to both, and none may stand for others that were left out. Ends with 0 and a line for each
part that holds, or with 1 and what does not. Needs slowhttptest and the clients' libraries.
"""
import asyncio
import csv
import pathlib
import re
import secrets
import sys
import tempfile
import urllib.parse

import websockets

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "clients"))

from client import Client, Failure, RoomCopy, check, own_ms
from play_json import JSONCodec

CONNECTIONS = 300
# Longer than the 10 s that a request head may take, so that the end of the drips is seen too.
ATTACK_S = 15
PROBE_S = 3
# How long a move may take to come back before the game counts as stopped.
STOPPED_S = 3
# A third of a metre, in 1e-7 degree: at one a tick of 100 ms a run that nobody doubts.
STEP_E7 = 30


class TickLog(RoomCopy):
    """A copy of the room that also notes which of the game's ticks came."""

    def __init__(self):
        super().__init__()
        self.ticks = []
        self.skipped = 0

    def apply_tick(self, tick):
        super().apply_tick(tick)
        if self.phase == "PLAYING":
            self.ticks.append(tick.get("tick", 0))
            self.skipped += tick.get("skipped", 0)


async def join_game(url):
    players = [Client(url, JSONCodec(), name) for name in ("the walker", "the watcher")]
    for player in players:
        player.room = TickLog()
        await player.connect()
        await player.hello(player.name, secrets.token_hex(16))
    walker, watcher = players
    room = await walker.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=300)
    await watcher.expect("room", "joinRoom", code=room["code"])
    await walker.expect("ok", "startGame")
    for player in players:
        await player.until("the start", lambda: player.room.phase == "PLAYING")
    return walker, watcher


async def walk(walker, watcher, is_over):
    """Moves, and moves again when both have seen it, until it is over; returns how long each move took, ms."""
    took_ms = []
    lat_e7 = 375_665_000
    while not is_over():
        began_ms = own_ms()
        await walker.send("move", latE7=lat_e7, lngE7=1_269_780_000, accuracyM=5)
        for player in (walker, watcher):
            await player.until(
                "a move", lambda: player.room.positions.get(0, (None,))[0] == lat_e7, STOPPED_S
            )
        took_ms.append(own_ms() - began_ms)
        lat_e7 += STEP_E7
    return took_ms


async def attack(folder, name, *options):
    """Runs slowhttptest; returns how many connections were held at once and whether the server ended them all."""
    report = pathlib.Path(folder, name)
    process = await asyncio.create_subprocess_exec(
        "slowhttptest", *options, "-c", str(CONNECTIONS), "-r", "150", "-l", str(ATTACK_S), "-p", str(PROBE_S),
        "-g", "-o", report, "-v", "1",
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), 3 * ATTACK_S)
    except BaseException:
        process.kill()
        raise
    said = re.sub(r"\x1b\[[0-9;]*m", "", output.decode(errors="replace"))
    check(process.returncode == 0, f"slowhttptest ({name}) ended with {process.returncode}:\n{said[-2000:]}")
    with open(report.with_suffix(".csv"), newline="") as file:
        rows = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(file)]
    check(rows, f"slowhttptest ({name}) reports nothing")
    for row in rows:
        check(row["Service Available"] > 0, f"slowhttptest ({name}) found the service gone: {row}")
    held = max(row["Connected"] for row in rows)
    print(f"ok: {name}: available for {len(rows)} s, at most {held} connections held", flush=True)
    return held, "No open connections left" in said


async def attacks(host, code):
    with tempfile.TemporaryDirectory() as folder:
        (heads, are_heads_over), _, (answers, _) = await asyncio.gather(
            attack(folder, "dripping heads", "-H", "-i", "2", "-u", f"http://{host}/"),
            attack(folder, "dripping bodies", "-B", "-i", "2", "-u", f"http://{host}/"),
            # The longest answer that there is, asked for ten times and taken by a few bytes a second.
            attack(
                folder, "answers hardly read", "-X", "-k", "10", "-w", "16", "-y", "64", "-n", "1", "-z", "8",
                "-u", f"http://{host}/qr/{code}.svg",
            ),
        )
    # Otherwise nothing was proved.
    check(heads >= CONNECTIONS // 2, "the dripping heads were not held")
    check(answers >= CONNECTIONS // 2, "the answers were taken at once")
    check(are_heads_over, f"heads may drip for longer than {ATTACK_S} s")


async def test(origin):
    host = urllib.parse.urlsplit(origin).netloc
    walker, watcher = await join_game(f"{origin}/v1/play")
    under_attack = asyncio.create_task(attacks(host, walker.room.code))
    took_ms = await walk(walker, watcher, under_attack.done)
    await under_attack
    check(walker.room.ticks == watcher.room.ticks, "a tick came to one player and not to the other")
    check(len(walker.room.ticks) >= len(took_ms), f"{len(walker.room.ticks)} ticks for {len(took_ms)} moves")
    check(walker.room.skipped == watcher.room.skipped == 0, "ticks were left out")
    check(not walker.verdicts, f"fixes were refused: {walker.verdicts}")
    took_ms.sort()
    print(
        f"ok: {len(took_ms)} moves in {len(walker.room.ticks)} ticks, all of them seen by both; a move took"
        f" {took_ms[len(took_ms) // 2]:.0f} ms in the middle, {took_ms[-1]:.0f} ms at most"
    )
    for player in (walker, watcher):
        await player.close()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        asyncio.run(asyncio.wait_for(test(sys.argv[1]), 90))
    except (Failure, OSError, asyncio.TimeoutError, websockets.WebSocketException) as failure:
        print(f"FAILED: {type(failure).__name__}: {failure}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
