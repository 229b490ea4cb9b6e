"""Two players in a running game, who must play on while a script attacks the server."""
import secrets

from client import Client, RoomCopy, check, own_ms
from play_json import JSONCodec

# The longest round trip of a move before the game counts as stopped.
STOPPED_S = 3
# A third of a metre, in 1e-7 degree. One step a tick of 100 ms is a plausible run.
STEP_E7 = 30


class TickLog(RoomCopy):
    """A copy of the room that also notes which of the game's ticks came."""

    def __init__(self):
        super().__init__()
        self.ticks = []
        self.skipped = 0

    def apply_tick(self, tick):
        was_on = self.phase == "PLAYING"
        super().apply_tick(tick)
        if self.phase == "PLAYING":
            self.ticks.append(tick.get("tick", 0))
            # The tick with the start may be the first for a new member, and stand for others.
            self.skipped += tick.get("skipped", 0) if was_on else 0


async def join_game(url):
    players = [Client(url, JSONCodec(), name) for name in ("the walker", "the watcher")]
    for player in players:
        player.room = TickLog()
        await player.connect()
        await player.hello(player.name, secrets.token_hex(16))
    walker, watcher = players
    room = await walker.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=300, tickHz=10)
    await watcher.expect("room", "joinRoom", code=room["code"])
    await walker.expect("ok", "startGame")
    for player in players:
        await player.until("the start", lambda: player.room.phase == "PLAYING")
    return walker, watcher


async def walk(walker, watcher, is_over):
    """Moves whenever both players have seen the last move, until `is_over`. Returns each move's duration, ms."""
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


def check_walk(walker, watcher, took_ms):
    """Checks that both received every tick, and prints the moves' durations."""
    check(walker.room.ticks == watcher.room.ticks, "a tick came to one player and not to the other")
    check(len(walker.room.ticks) >= len(took_ms), f"{len(walker.room.ticks)} ticks for {len(took_ms)} moves")
    check(walker.room.skipped == watcher.room.skipped == 0, "ticks were left out")
    check(not walker.verdicts, f"fixes were refused: {walker.verdicts}")
    took_ms = sorted(took_ms)
    print(
        f"{len(took_ms)} moves in {len(walker.room.ticks)} ticks, all of them seen by both; a move took"
        f" {took_ms[len(took_ms) // 2]:.0f} ms in the middle, {took_ms[-1]:.0f} ms at most",
        flush=True,
    )
