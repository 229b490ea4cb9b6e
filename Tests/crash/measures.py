"""The parts of a room that are in no event: its clock and its points, with their bounds after a crash."""
import itertools
import time

from client import check

# The tolerance for two clocks of one machine, and for a copy of the room that is behind when a game is requested.
TOLERANCE_S = 0.5


class Clock:
    """A room's clock stands still while the server is down: since the request for the game it has advanced at most by
    the server's time up. Late reading of its messages does not matter."""

    def __init__(self):
        # By game: the times of all requests that may have started it, moved later by the server's time down.
        self.asked = {}

    def ask(self, game):
        """Notes that a start is about to be requested; returns the argument of `refuse`."""
        moment = [time.monotonic()]
        self.asked.setdefault(game, []).append(moment)
        return moment

    def refuse(self, game, moment):
        self.asked[game].remove(moment)

    def see(self, name, game, game_ms):
        moments = self.asked.get(game)
        if moments:
            ahead = game_ms / 1000 - (time.monotonic() - min(moments)[0])
            check(ahead <= TOLERANCE_S, f"room {name}: its clock is {ahead:.3f} s further than the server was up")

    def restart(self, down_s):
        for moment in itertools.chain.from_iterable(self.asked.values()):
            moment[0] += down_s


class Points:
    """Points of the seats in the newest game. Points in ticks may not be persisted yet. A seen event is persisted, and
    so is everything before it in the room."""

    def __init__(self):
        self.game = 0
        # By seat: the room's clock and the points, each more than the one before.
        self.rows = {}
        self.floor = {}

    def see(self, game, game_ms, columns):
        if game < self.game:
            return
        if game > self.game:
            self.game, self.rows, self.floor = game, {}, {}
        for seat, points in zip(columns.get("seats", []), columns.get("points", [])):
            rows = self.rows.setdefault(seat, [])
            if not rows or points > rows[-1][1]:
                rows.append((game_ms, points))

    def freeze(self, at_ms):
        if at_ms is not None:
            for seat, rows in self.rows.items():
                lasting = [points for game_ms, points in rows if game_ms <= at_ms]
                self.floor[seat] = max(lasting + [self.floor.get(seat, 0)])
        self.rows = {}

    def check(self, name, game, state):
        if game != self.game:
            return
        has = dict(zip(state.get("seats", []), state.get("points", [])))
        for seat, points in self.floor.items():
            check(
                has.get(seat, 0) >= points,
                f"room {name}: seat {seat} had {points} points before an event that was seen, now {has.get(seat, 0)}",
            )
