"""Two players play on while slowhttptest keeps hundreds of slow connections open.

Three attacks run at once: heads that drip in, bodies that drip in, answers that are hardly read. The tool must find the
service available in every second of it.
"""
import asyncio
import csv
import pathlib
import re
import tempfile

import pytest

from players import check_walk, join_game, walk

CONNECTIONS = 300
# Longer than the 10 s that a request head may take, so that the end of the drips is seen too.
ATTACK_S = 15
PROBE_S = 3


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
    assert process.returncode == 0, f"slowhttptest ({name}) ended with {process.returncode}:\n{said[-2000:]}"
    with open(report.with_suffix(".csv"), newline="") as file:
        rows = [{key: int(value) for key, value in row.items()} for row in csv.DictReader(file)]
    assert rows, f"slowhttptest ({name}) reports nothing"
    for row in rows:
        assert row["Service Available"] > 0, f"slowhttptest ({name}) found the service gone: {row}"
    held = max(row["Connected"] for row in rows)
    print(f"{name}: available for {len(rows)} s, at most {held} connections held", flush=True)
    return held, "No open connections left" in said


async def attacks(host, code):
    with tempfile.TemporaryDirectory() as folder:
        (heads, are_heads_over), _, (answers, _) = await asyncio.gather(
            attack(folder, "dripping heads", "-H", "-i", "2", "-u", f"http://{host}/"),
            attack(folder, "dripping bodies", "-B", "-i", "2", "-u", f"http://{host}/"),
            # The longest of all answers, requested ten times and read by a few bytes a second.
            attack(
                folder, "answers hardly read", "-X", "-k", "10", "-w", "16", "-y", "64", "-n", "1", "-z", "8",
                "-u", f"http://{host}/qr/{code}.svg",
            ),
        )
    # Otherwise the test proves nothing.
    assert heads >= CONNECTIONS // 2, "the dripping heads were not held"
    assert answers >= CONNECTIONS // 2, "the answers were taken at once"
    assert are_heads_over, f"heads may drip for longer than {ATTACK_S} s"


@pytest.mark.within(90)
async def test_dripping_heads_and_bodies_and_unread_answers_cost_players_no_tick(server):
    """Both players receive each move, and no tick stands for skipped ones."""
    walker, watcher = await join_game(server.url)
    under_attack = asyncio.create_task(attacks(server.address, walker.room.code))
    took_ms = await walk(walker, watcher, under_attack.done)
    await under_attack
    check_walk(walker, watcher, took_ms)
    for player in (walker, watcher):
        await player.close()
