"""A room that was made up: its players walk, take ground and chat. It is sent as on the players' wire."""
import math
import random

# The lawn before Seoul's city hall.
HOME = (375655000, 1269780000)
METRES_PER_UNIT = 0.011119508
CELLS, CELL_M = 200, 10
STEPS_PER_SECOND = 4

# Nicknames that players may choose.
HOSTILE = ["<img src=x onerror=hacked=1>", "\"><script>hacked=1</script>", "{{code}} ${1}", "\u202eevil", "אבג", "' OR 1=1 --"]
NAMES = "가람 나래 다솜 라온 마루 바다 사랑 아라 자람 차오름 Jimin Robin Sora Taeyang Yuna".split()
SAYINGS = [
    "안녕!",
    "여기 내 땅이야",
    "go go go",
    "<b>bold?</b>",
    "잡아 봐라",
    "hacked='<script>'",
    "어디로 갈까?",
    "I am behind you",
]


def place(x, y):
    """Metres east and north of home as 1e-7 degree."""
    lat, lng = HOME
    return (
        round(lat + y / METRES_PER_UNIT),
        round(lng + x / (METRES_PER_UNIT * math.cos(math.radians(lat / 1e7)))),
    )


def player_id(number):
    return f"{0x9E3779B97F4A7C15F39CC0605CEDC835 * (number + 1) % (1 << 128):032x}"


class Walker:
    def __init__(self, seat, number, rng, spread):
        self.seat, self.id = seat, player_id(number)
        self.nickname = HOSTILE[seat] if seat < len(HOSTILE) and number < 100 else f"{rng.choice(NAMES)} {number % 1000}"
        self.rng = rng
        self.x, self.y = rng.uniform(-spread, spread), rng.uniform(-spread, spread)
        self.spread = spread
        self.heading = rng.uniform(0, 2 * math.pi)
        self.points = 0
        self.held = self.muted = False
        self.suspect = seat == 2

    def walk(self, seconds):
        self.heading += self.rng.uniform(-0.5, 0.5)
        if math.hypot(self.x, self.y) > self.spread * 1.2:
            self.heading = math.atan2(-self.y, -self.x) + self.rng.uniform(-0.3, 0.3)
        self.x += 5 * seconds * math.cos(self.heading)
        self.y += 5 * seconds * math.sin(self.heading)

    def wire(self):
        told = {"seat": self.seat, "playerId": self.id, "nickname": self.nickname}
        if self.held:
            told["held"] = True
        return told


class MadeUpRoom:
    """A room that steps four times a second and keeps its game for a track."""

    def __init__(self, row, seed, duration_s=900):
        self.row, self.rng = row, random.Random(seed)
        self.mode = row["mode"]
        spread = {"TERRITORY": 420, "LAND": 160}.get(self.mode, 60)
        self.walkers = {seat: Walker(seat, row["number"] * 50 + seat, self.rng, spread) for seat in range(row["players"])}
        self.duration_s, self.steps, self.event = duration_s, 0, len(self.walkers)
        self.chats, self.cells, self.holders = [], {}, {}
        # The author of each chat, by the event's number.
        self.authors = {}
        self.history, self.second = [], []
        self.lands = [self.land(index) for index in range(3)] if self.mode == "LAND" else []
        if self.mode == "TERRITORY":
            for walker in self.walkers.values():
                self.take(walker, 3)
        self.begun = self.state()

    def land(self, index):
        ring = [place(-150 + 130 * index + dx, 40 * index + dy) for dx, dy in ((0, 0), (80, 0), (90, 60), (10, 70))]
        return {
            "landId": f"land-{index}",
            "name": ["부평동초등학교", "가온누리 공원", "Third <i>yard</i>"][index],
            "latE7": [lat for lat, _ in ring],
            "lngE7": [lng for _, lng in ring],
        }

    @property
    def game_ms(self):
        return self.steps * 1_000 // STEPS_PER_SECOND

    def take(self, walker, radius):
        """Gives a blob around a walker to the walker; returns runs of cells, as in a tick."""
        column = int(walker.x / CELL_M + CELLS / 2)
        row = int(walker.y / CELL_M + CELLS / 2)
        starts, counts, seats = [], [], []
        for r in range(row - radius, row + radius + 1):
            half = round(math.sqrt(max(0, radius**2 - (r - row) ** 2)))
            first, last = max(0, column - half), min(CELLS - 1, column + half)
            if not 0 <= r < CELLS or first > last:
                continue
            for c in range(first, last + 1):
                self.cells[r * CELLS + c] = walker.seat
            starts.append(r * CELLS + first)
            counts.append(last - first + 1)
            seats.append(walker.seat)
        walker.points = sum(seat == walker.seat for seat in self.cells.values()) * CELL_M**2
        return {"cellStarts": starts, "cellCounts": counts, "cellSeats": seats}

    def happen(self, **body):
        self.event += 1
        event = {"number": self.event, "atMs": self.game_ms, **body}
        if "chat" in body:
            self.chats = [*self.chats, event][-200:]
            self.authors[str(self.event)] = self.walkers[body["chat"]["seat"]].id
        return event

    def step(self):
        """The changes of a quarter of a second, as a tick."""
        self.steps += 1
        tick = {"tick": self.steps, "gameMs": self.game_ms}
        if self.row["phase"] != "PLAYING":
            return self.keep(tick)
        moved = [walker for walker in self.walkers.values() if (walker.seat + self.steps) % STEPS_PER_SECOND == 0]
        events = []
        for walker in moved:
            if walker.held:
                continue
            walker.walk(1)
            if self.mode == "FOOTPRINT":
                walker.points += 1
        seats = list(self.walkers.values())
        if self.mode == "TERRITORY" and seats and self.steps % 10 == 0:
            walker = self.rng.choice(seats)
            before = walker.points
            tick |= self.take(walker, self.rng.randint(3, 7))
            moved = [*{id(each): each for each in [*moved, walker]}.values()]
            events.append(self.happen(captured={"seat": walker.seat, "areaM2": max(0, walker.points - before)}))
        if self.mode == "LAND" and seats and self.steps % 120 == 40:
            land = self.lands[self.steps // 120 % len(self.lands)]
            walker = self.rng.choice(seats)
            land |= {"holder": walker.seat, "timeMs": 84_000}
            events.append(self.happen(captured={"seat": walker.seat, "land": {"landId": land["landId"], "timeMs": 84_000}}))
        if seats and self.steps % 17 == 0:
            events.append(self.happen(chat={"seat": self.rng.choice(seats).seat, "text": self.rng.choice(SAYINGS)}))
        if seats and self.steps % 61 == 0:
            walker = self.rng.choice(seats)
            walker.held = not walker.held
            events.append(self.happen(**{"held" if walker.held else "back": {"seat": walker.seat}}))
        if events:
            tick["events"] = events
        return self.keep(tick | columns(moved))

    def keep(self, tick):
        self.second.append(tick)
        if len(self.second) == STEPS_PER_SECOND:
            merged = merge(self.second)
            if len(merged) > 2:
                self.history.append(merged)
            self.second = []
        return tick

    def remove(self, player):
        """Removes a player; returns the tick with that, or None for a player who is not here."""
        seat = next((seat for seat, walker in self.walkers.items() if walker.id == player), None)
        if seat is None:
            return None
        del self.walkers[seat]
        return {"tick": self.steps, "gameMs": self.game_ms, "events": [self.happen(left={"seat": seat})]}

    def state(self):
        """The players' wire `Room`, as a spectator without a place would get it."""
        runs = self.runs()
        told = {
            "code": self.row["code"],
            "phase": self.row["phase"],
            "mode": self.mode,
            "lastEvent": self.event,
            "tick": self.steps,
            "tickMs": 100,
            "gameMs": self.game_ms,
            "durationS": self.duration_s,
            "capacity": self.row["capacity"],
            "spectators": True,
            "host": min(self.walkers, default=0),
            "players": [walker.wire() for walker in self.walkers.values()],
            "chats": self.chats,
            "lands": [dict(land) for land in self.lands],
        }
        if self.row["game"]:
            told["gameId"] = f"{self.row['id']}-{self.row['game']}"
        if self.row["phase"] == "PLAYING":
            told |= {"endsAtGameMs": self.duration_s * 1_000, **columns(self.walkers.values())}
        if self.mode == "TERRITORY":
            lat, lng = HOME
            told["arena"] = {"latE7": lat, "lngE7": lng, "cellM": CELL_M, "cells": CELLS}
            told |= {"cellStarts": runs[0], "cellCounts": runs[1], "cellSeats": runs[2]}
        return told

    def runs(self):
        starts, counts, seats = [], [], []
        for cell, seat in sorted(self.cells.items()):
            if starts and cell == starts[-1] + counts[-1] and seats[-1] == seat:
                counts[-1] += 1
            else:
                starts.append(cell)
                counts.append(1)
                seats.append(seat)
        return starts, counts, seats

    def members(self):
        return [
            {
                "player": walker.id,
                "seat": walker.seat,
                "nickname": walker.nickname,
                "held": walker.held,
                "suspect": walker.suspect,
                "muted": walker.muted,
                **({} if walker.held else {"address": f"203.0.113.{walker.seat + 1}"}),
                **({} if walker.held else {"roundTripMs": 18 + walker.seat * 7, "unsentBytes": walker.seat % 5 * 1_700}),
            }
            for walker in self.walkers.values()
        ]


def columns(walkers):
    walkers = [walker for walker in walkers]
    if not walkers:
        return {}
    places = [place(walker.x, walker.y) for walker in walkers]
    return {
        "seats": [walker.seat for walker in walkers],
        "latE7": [lat for lat, _ in places],
        "lngE7": [lng for _, lng in places],
        "points": [walker.points for walker in walkers],
    }


def merge(ticks):
    """Several ticks as one: each seat's last row, all events, all runs in order."""
    rows, merged = {}, {"tick": ticks[-1]["tick"], "gameMs": ticks[-1]["gameMs"]}
    for tick in ticks:
        for row in zip(*(tick.get(name, []) for name in ("seats", "latE7", "lngE7", "points"))):
            rows[row[0]] = row
        for name in ("events", "cellStarts", "cellCounts", "cellSeats"):
            if name in tick:
                merged[name] = merged.get(name, []) + tick[name]
    if rows:
        merged |= dict(zip(("seats", "latE7", "lngE7", "points"), map(list, zip(*rows.values()))))
    return merged
