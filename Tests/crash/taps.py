#!/usr/bin/env python3
"""Kills the server again and again under thousands of tappers, and holds it to every tap.

    taps.py PROGRAM BOTS [--rounds N] [--players N] [--seed N]

PROGRAM is `madang`, BOTS `madang-loadtest`, whose tappers come back, send again what was not answered and go on. In each
round the server is killed with SIGKILL at a random moment and started again with the same data; in some, operators close the
season or void players' taps between the two. The bots hold the server to each answer; in the end what they were told has
counted, less what was voided, is what the data says, by `madang check` and `madang taps ranking`, in each season and school.
Ends with 0, or with 1 and what does not hold; then the data and both logs are left where they are.
"""
import argparse
import asyncio
import json
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "clients"))

from client import Failure, check  # noqa: E402
from operators import Operators  # noqa: E402
from program import Program  # noqa: E402

KINDS = ("honest", "fast", "resender", "dropper", "crasher", "mover", "changer")
KILL_AFTER_S = (0.1, 1.5)
BACK_WITHIN_S = 60
# One in so many rounds the server dies again while players are still coming back.
STORM_EVERY = 4
# What goes on behind the last start, so that what was kept over it is settled.
CALM_S = 2
READY_WITHIN_S = 120
REPORT_WITHIN_S = 240


class Bots:
    """`madang-loadtest taps` as a process that tells how many of its players are back since the server's last end."""

    def __init__(self, program, arguments, folder):
        self.program = program
        self.players = arguments.players
        self.watchers = arguments.players // 20
        self.seed = arguments.seed
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
        # Whoever waits for them is not to wait for ever.
        self.is_ready.set()

    async def all_back(self, since):
        """Waits until every player has had a session again; returns how long that took, seconds."""
        while self.back < self.players + self.watchers:
            check(self.process.returncode is None, f"the bots have ended: {self.last_words()}")
            late = time.monotonic() - since
            if late > BACK_WITHIN_S:
                back = self.back
                await self.end()
                raise Failure(f"{back} players back {late:.1f} s after the start; {self.last_words()}")
            await asyncio.sleep(0.01)
        return time.monotonic() - since

    async def end(self):
        """They tap no more, and report; with 0 if all is as it must be."""
        self.process.send_signal(signal.SIGINT)
        status = await asyncio.wait_for(self.process.wait(), REPORT_WITHIN_S)
        await self.reading
        return status

    async def settle(self):
        status = await self.end()
        check(status == 0, f"the bots ended with {status}: {self.last_words()}")

    def last_words(self):
        return "\n".join(self.report.read_text(errors="replace").splitlines()[-60:])

    async def abandon(self):
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


async def kill_rounds(program, bots, operators, rounds, rng):
    """Returns how long it took until all were back, for each start that was given the time; seconds."""
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


async def run(arguments, folder):
    rng = random.Random(arguments.seed)
    program = Program(arguments.program, folder / "data", folder / "server.log")
    bots = Bots(arguments.bots, arguments, folder)
    operators = Operators(program, rng)
    try:
        await program.start()
        await bots.start(program.url)
        back_s = await kill_rounds(program, bots, operators, arguments.rounds, rng)
        await asyncio.sleep(CALM_S)
        await bots.settle()
        await program.end()
        await program.check_is_whole()
        sums = await operators.check_sums(json.loads(bots.totals.read_text()))
    finally:
        await bots.abandon()
        await program.abandon()
    print(bots.report.read_text(errors="replace"), end="")
    print(
        f"{arguments.rounds} rounds, {arguments.players} tappers: {sums}; each counted once, and so in the data;"
        f" ready after at most {max(program.starts_s):.3f} s, all back after at most {max(back_s):.2f} s"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("bots")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="madang-taps-"))
    print(f"seed {arguments.seed}", flush=True)
    try:
        asyncio.run(run(arguments, folder))
    except (Failure, asyncio.TimeoutError) as failure:
        print(f"FAILED: {failure or 'too late'}\n{folder} has the data and the logs", file=sys.stderr)
        sys.exit(1)
    shutil.rmtree(folder)


main()
