"""The server is killed again and again under many players, and held to what it has promised.

In each round the players play, the server is killed with SIGKILL at a random moment and started again with the same
data, and the players resume. Each acknowledged request and each seen event must be there afterwards, once
and under the same number (promises.py, ledger.py). At the end so must every result, and every game must replay to the
same end (aftermath.py). The same holds for a backup that was taken under the players (backup.py). Exports must have
the games as the players saw them (exports.py), and a command that fails must say so in one line (refusals.py).
"""
import asyncio
import collections
import random
import time

import pytest

import aftermath
from backup import Backup
from client import Failure
from exports import check_exports
from ledger import Ledger
from play_proto import ProtoCodec
from player import Player
from program import Program
from refusals import check_refusals

# Before the first crash, for rooms to fill.
WARM_UP_S = 5
KILL_AFTER_S = (0.2, 1.5)
BACK_WITHIN_S = 25
# The server dies again in one of this many rounds, while players are still coming back, ...
STORM_EVERY = 4
# ... and stays down in one of this many, so that a room's clock that runs on would be noticed.
REST_EVERY = 5
REST_S = 1.5
REGISTER_EVERY = 3
PROTO_PLAYERS = 5


class World:
    """The state that all players share."""

    def __init__(self, madang, folder, rounds, players, seed):
        self.rng = random.Random(seed)
        self.program = Program(madang, folder / "data", folder / "server.log", "--time-zone", aftermath.TIME_ZONE.key)
        self.ledger = Ledger()
        self.counts = collections.Counter()
        self.is_draining = False
        self.may_register = 0
        # Short games in a short run, so that enough of them end.
        self.game_s_max = 20 if rounds > 20 else 12
        proto = ProtoCodec()
        self.players = [
            Player(self, number, random.Random(f"{seed} {number}"), proto if number < PROTO_PLAYERS else None)
            for number in range(players)
        ]
        self.backup = Backup(self.program, self.ledger, self.players)
        self.lives = []
        self.round = 0
        # The time from each start until all players were back, seconds.
        self.back_s = []

    @property
    def url(self):
        return self.program.url

    @property
    def is_down(self):
        return self.program.is_down

    @property
    def ready_at(self):
        return self.program.ready_at

    async def run(self, rounds):
        await self.program.start()
        for self.round in range(1, rounds + 1):
            await self.play_and_kill(is_last=self.round == rounds)
        await self.drain()

    async def play_and_kill(self, is_last):
        is_storm = self.round % STORM_EVERY == 0
        rest_s = REST_S if self.round % REST_EVERY == 0 else 0
        kill_after_s = self.rng.uniform(*KILL_AFTER_S)
        self.may_register = 1 if self.round % REGISTER_EVERY == 1 else 0
        self.begin_lives()
        if not is_storm:
            await self.everyone_back()
        await self.watch(kill_after_s + (WARM_UP_S if self.round == 1 else 0))
        if is_last:
            await self.backup.take()
        there = sum(player.is_back for player in self.players)
        await self.program.kill()
        await asyncio.gather(*self.lives)
        # By now all earlier messages of the server have been read.
        self.ledger.freeze()
        await asyncio.sleep(rest_s)
        self.ledger.restart(await self.program.start())
        storm = " of coming back" if is_storm else ""
        print(
            f"round {self.round}: killed after {kill_after_s:.3f} s{storm}, with {there} players there;"
            f" down for {rest_s} s; ready after {self.program.starts_s[-1]:.3f} s",
            flush=True,
        )

    def begin_lives(self):
        for player in self.players:
            player.is_back = False
        self.lives = [asyncio.create_task(player.live()) for player in self.players]

    async def end_lives(self):
        for life in self.lives:
            life.cancel()
        await asyncio.gather(*self.lives, return_exceptions=True)

    async def watch(self, seconds):
        """Lets the players play for some time, and fails with the first of them."""
        done, _ = await asyncio.wait(self.lives, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for life in done:
            life.result()
            raise Failure("a player lost the connection while the server was up")

    async def everyone_back(self):
        while not all(player.is_back for player in self.players):
            late = time.monotonic() - self.ready_at
            away = [player.name for player in self.players if not player.is_back]
            assert late < BACK_WITHIN_S, f"not back {late:.1f} s after the start: {away}"
            await self.watch(0.02)
        self.back_s.append(time.monotonic() - self.ready_at)

    async def drain(self):
        """The end without crashes: games end, all data is checked, and the server ends in good order."""
        self.is_draining = True
        self.begin_lives()
        await self.everyone_back()
        deadline = time.monotonic() + self.game_s_max + 10
        while any(player.room and player.copy.phase == "PLAYING" for player in self.players):
            assert time.monotonic() < deadline, "games do not end"
            await self.watch(0.1)
        await self.end_lives()
        # Each sees the room's whole state once more.
        await asyncio.gather(*(player.reconnect() for player in self.players))
        unseen = {room.key: list(room.unseen) for room in self.ledger.rooms.values() if room.unseen and room.members}
        assert not unseen, f"acknowledged, and seen by nobody: {unseen}"
        named = set().union(*await asyncio.gather(*(aftermath.check_player(player) for player in self.players)))
        self.logins = await aftermath.check_logins(self.url, aftermath.members(self.players))
        await self.program.end()
        listed, self.replays = await aftermath.check_data(self.program, self.ledger, named, self.rng)
        self.games = len(listed)
        self.exports = await check_exports(self.program, self.ledger, self.players, self.rng)
        self.copied = await self.backup.check(self.rng)
        self.refusals = await check_refusals(self.program, listed[0])

    def summary(self):
        starts = sorted(self.program.starts_s[1:])
        yield f"{self.round} rounds, {len(self.players)} players, {len(self.ledger.rooms)} rooms"
        for body in sorted({body for body, _ in self.counts}):
            kinds = (f"{kind} {self.counts[body, kind]}" for kind in ("acknowledged", "refused", "unanswered"))
            yield f"  {body}: {', '.join(kinds)}"
        hidden = sum(len(room.unseen) for room in self.ledger.rooms.values())
        yield f"{len(self.ledger.seen)} chats seen, {hidden} more acknowledged in rooms that everybody had left"
        yield f"{self.games} games ended, {self.replays} of them played again to the same end, {self.logins} logins"
        exports, points = self.exports
        yield f"{exports} games exported, with {points} points of tracks; {self.copied} games in a backup under load"
        yield f"{self.refusals} commands refused in words"
        if starts:
            yield (
                f"from restart to ready: median {starts[len(starts) // 2]:.3f} s, at most {starts[-1]:.3f} s;"
                f" until everyone was back: at most {max(self.back_s):.1f} s"
            )


# As long as the rounds take.
@pytest.mark.within(None)
async def test_what_was_answered_or_seen_outlives_crashes(madang, tmp_path, request, seed):
    """The players see --rounds kills. The same seed draws the same actions again."""
    rounds, players = request.config.getoption("rounds") or 10, request.config.getoption("players") or 200
    world = World(madang, tmp_path, rounds, players, seed)
    try:
        await world.run(rounds)
    except Exception as failure:
        died = world.program.end_of_its_own
        what = f"the server ended by itself with {died}; " if died is not None else ""
        what += f"{type(failure).__name__}: {failure}"
        raise Failure(f"seed {seed}, round {world.round}: {what}") from failure
    finally:
        world.program.destroy()
        await world.end_lives()
    for line in world.summary():
        print(line)
