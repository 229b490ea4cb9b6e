"""What no event tells of a room: its clock and its points, and what a crash may do to them."""
import itertools
import time

from client import check

# What two clocks of one machine may differ by, and a copy of the room that is behind when a game is asked for.
TOLERANCE_S = 0.5


class Clock:
    """A room's clock stands still while the server is down: it is no further than the server was up since the game was
    asked for. That is so however late its messages are read here."""

    def __init__(self):
        # By game: when each request that may have started it was sent, later by all the time that the server was down.
        self.asked = {}

    def ask(self, game):
        """A start is about to be asked for; returns what `refuse` takes."""
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
    """Points of the seats in the newest game. Those that were seen in ticks may be ahead of the disk; but an event that
    was seen is there for good, and with it all that came before it in the room."""

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
