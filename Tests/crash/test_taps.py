"""Tappers of every kind hold the server to each tap, also while it is killed again and again under thousands of them.

In each round of the crashes the server is killed with SIGKILL at a random moment and started again with the same
data. In some, operators close the season or void players' taps between the two. The tappers are `madang-loadtest`'s:
they come back, resend unanswered batches and go on, and hold the server to each answer. At the end the acknowledged
taps less the voided ones must equal the data, by `madang check` and `madang taps ranking`, in each season and school.
"""
import asyncio
import json
import random
import signal
import subprocess
import time

import pytest

from client import Failure
from operators import Operators
from program import Program

KINDS = ("honest", "fast", "resender", "dropper", "crasher", "mover", "changer")
KILL_AFTER_S = (0.1, 1.5)
BACK_WITHIN_S = 60
# The server dies again in one of this many rounds, while players are still coming back.
STORM_EVERY = 4
# The time of play after the last start, in which unanswered batches are answered.
CALM_S = 2
READY_WITHIN_S = 120
REPORT_WITHIN_S = 240


class Bots:
    """`madang-loadtest taps` as a process that tells how many of its players are back since the server's last end."""

    def __init__(self, program, folder, players, seed):
        self.program = program
        self.players = players
        self.watchers = players // 20
        self.seed = seed
        self.totals = folder / "totals.json"
        self.report = folder / "bots.log"
        self.process = None
        self.back = 0
        self.is_ready = asyncio.Event()
        self.reading = None

    async def start(self, url):
        self.process = await asyncio.create_subprocess_exec(
            self.program, "taps", "--url", url, "--survive", "--operated", "--seconds", "100000", "--rate", "1",
            "--players", str(self.players), "--watch", str(self.watchers), "--bots", *KINDS,
            "--seed", str(self.seed), "--totals", self.totals, "--expect-errors", "0", "--expect-met", "1",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )
        self.reading = asyncio.create_task(self.read())
        await asyncio.wait_for(self.is_ready.wait(), READY_WITHIN_S)

    async def read(self):
        with open(self.report, "wb") as report:
            while line := await self.process.stdout.readline():
                words = line.decode(errors="replace").split()
                if words[:1] == ["back"]:
                    self.back = int(words[1])
                else:
                    report.write(line)
                if words[:1] == ["players"]:
                    self.is_ready.set()
        # The wait for the bots must end with them.
        self.is_ready.set()

    async def all_back(self, since):
        """Waits until every player has had a session again; returns how long that took, seconds."""
        while self.back < self.players + self.watchers:
            assert self.process.returncode is None, f"the bots have ended: {self.last_words()}"
            late = time.monotonic() - since
            if late > BACK_WITHIN_S:
                back = self.back
                await self.end()
                raise Failure(f"{back} players back {late:.1f} s after the start; {self.last_words()}")
            await asyncio.sleep(0.01)
        return time.monotonic() - since

    async def end(self):
        """Ends the taps; the bots report, with status 0 if all expectations hold."""
        self.process.send_signal(signal.SIGINT)
        status = await asyncio.wait_for(self.process.wait(), REPORT_WITHIN_S)
        await self.reading
        return status

    async def drain(self):
        status = await self.end()
        assert status == 0, f"the bots ended with {status}: {self.last_words()}"

    def last_words(self):
        return "\n".join(self.report.read_text(errors="replace").splitlines()[-60:])

    async def abandon(self):
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


async def kill_rounds(program, bots, operators, rounds, rng):
    """Returns the time until all players were back, seconds, for each start that had the time."""
    back_s = []
    for number in range(1, rounds + 1):
        is_storm = number % STORM_EVERY == 0
        if number > 1 and not is_storm:
            back_s.append(await bots.all_back(program.ready_at))
        kill_after_s = rng.uniform(*KILL_AFTER_S)
        await asyncio.sleep(kill_after_s)
        back = bots.back
        await program.kill()
        operated = await operators.act(number)
        await program.start()
        storm = " of coming back" if is_storm else ""
        print(
            f"round {number}: killed after {kill_after_s:.3f} s{storm}, with {back} players back;"
            f" ready after {program.starts_s[-1]:.3f} s{operated}",
            flush=True,
        )
    back_s.append(await bots.all_back(program.ready_at))
    return back_s


def tap(loadtest, server, *options):
    """Runs tappers of all kinds, whose expectations must hold."""
    command = [loadtest, "taps", "--url", server.url, "--bots", *KINDS, "--expect-errors", "0", *options]
    status = subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode
    assert status == 0, f"the tappers ended with {status}"


def test_each_kind_of_tapper_holds_the_server_to_its_answers(serve, loadtest):
    """Every expectation is tested."""
    server = serve("--shards", "2")
    tap(loadtest, server, "--server-pid", str(server.pid), "--players", "300", "--watch", "60", "--seconds", "20",
        "--expect-met", "1")


def test_tappers_who_come_again_go_on_where_they_were(server, loadtest):
    """Twice the same players: those of the second run have tapped before."""
    for _ in range(2):
        tap(loadtest, server, "--subprotocol", "json", "--roll", "twice", "--players", "60", "--watch", "40",
            "--top", "3", "--schools", "5", "--seconds", "8")


# As long as the rounds take.
@pytest.mark.within(None)
async def test_each_acknowledged_tap_outlives_crashes_once(madang, loadtest, tmp_path, request, seed):
    """The tappers see --rounds kills. The same seed draws the same again."""
    rounds, players = request.config.getoption("rounds") or 5, request.config.getoption("players") or 2_000
    rng = random.Random(seed)
    program = Program(madang, tmp_path / "data", tmp_path / "server.log")
    bots = Bots(loadtest, tmp_path, players, seed)
    operators = Operators(program, rng)
    try:
        await program.start()
        await bots.start(program.url)
        back_s = await kill_rounds(program, bots, operators, rounds, rng)
        await asyncio.sleep(CALM_S)
        await bots.drain()
        await program.end()
        await program.check_is_whole()
        sums = await operators.check_sums(json.loads(bots.totals.read_text()))
    finally:
        await bots.abandon()
        program.destroy()
    print(bots.report.read_text(errors="replace"), end="")
    print(
        f"{rounds} rounds, {players} tappers: {sums}; each counted once, and so in the data;"
        f" ready after at most {max(program.starts_s):.3f} s, all back after at most {max(back_s):.2f} s"
    )
