"""A game that was made up, on the pages of a room: it answers their connections itself, so each tick comes when a test says
so, and each page sees the same game from a seat of its own."""
import json

from browser import check
from made_up_room import CELL_M, MadeUpRoom, columns

CODE = "7K3F9-QXA26"


class MadeUpPlay:
    """`places` are the players', in metres east and north of home. Nobody holds ground at first."""

    def __init__(self, mode, places, seed=5):
        row = {"mode": mode, "number": 1, "players": len(places), "phase": "PLAYING", "code": CODE, "capacity": 200, "game": 1, "id": "made-up"}
        self.room = MadeUpRoom(row, seed)
        # The beginning of a game has sounds of its own.
        self.room.steps = 40
        self.room.cells.clear()
        for (seat, walker), (x, y) in zip(self.room.walkers.items(), places):
            walker.nickname, walker.x, walker.y, walker.points = f"걷는 이 {seat}", x, y, 0
        self.lines = []

    def walker(self, seat):
        return self.room.walkers[seat]

    def open(self, window, address, seat):
        """Opens the page of a room, and joins this one by it."""
        window.page.route_web_socket("**/v1/play", lambda line: self.answer(line, seat))
        window.page.goto(address)
        window.see("#enter")
        window.page.fill("#nickname", self.walker(seat).nickname)
        window.page.click("#enter-button")
        # The game's view and its moments come one after the other, behind the ground.
        window.see("#sound")

    def answer(self, line, seat):
        self.lines.append((line, seat))

        def take(text):
            message = json.loads(text)
            request = message.pop("id", None)
            answers = {"hello": self.welcome, "resume": self.welcome, "joinRoom": self.state, "time": self.time, "moves": self.take_moves}
            answers["gameTrack"] = self.no_track
            [kind] = message
            if request is not None:
                check(kind in answers, f"the page asks for {kind}")
                line.send(json.dumps({"replyTo": request, **answers[kind](seat)}))

        line.on_message(take)

    def welcome(self, seat):
        walker = self.walker(seat)
        player = {"playerId": walker.id, "nickname": walker.nickname}
        return {"welcome": {"playerId": walker.id, "sessionToken": f"session-{seat}", "player": player, **self.now()}}

    def take_moves(self, _):
        return {"ok": {}}

    def no_track(self, _):
        return {"error": {"code": "TRACK_NOT_KEPT", "message": "a made-up game"}}

    def time(self, _):
        return {"time": self.now()}

    def now(self):
        return {"serverTimeMs": str(1_800_000_000_000 + self.room.game_ms)}

    def state(self, seat):
        return {"room": self.room.state() | {"you": {"seat": seat}}}

    def tell(self, kind, body, *seats):
        """Sends a notification to the pages of these seats, or to all."""
        for line, seat in self.lines:
            if not seats or seat in seats:
                line.send(json.dumps({kind: body}))

    def tick(self, moved=(), events=(), **more):
        """Sends a tick with the rows of those who have moved, and with events."""
        self.room.steps += 1
        told = {"tick": self.room.steps, "gameMs": self.room.game_ms, **columns(moved), **more}
        if events:
            told["events"] = [self.room.happen(**event) for event in events]
        self.tell("tick", told)

    def go(self, seat, x, y):
        """Moves a player to a place, metres east and north of home."""
        walker = self.walker(seat)
        walker.x, walker.y = x, y
        self.tick([walker])

    def claim(self, seat, x, y, radius):
        """Gives a circle of cells to a player before any page is there, and puts the player where they were."""
        walker = self.walker(seat)
        place = walker.x, walker.y
        walker.x, walker.y = x, y
        self.room.take(walker, radius)
        walker.x, walker.y = place

    def capture(self, seat, radius):
        """Gives a circle of cells around a player to them, with the losses of others; returns the square metres."""
        walkers = self.room.walkers.values()
        before = {walker.seat: walker.points for walker in walkers}
        runs = self.room.take(self.walker(seat), radius)
        for walker in walkers:
            walker.points = sum(holder == walker.seat for holder in self.room.cells.values()) * CELL_M**2
        changed = [walker for walker in walkers if walker.points != before[walker.seat] or walker.seat == seat]
        gain = self.walker(seat).points - before[seat]
        self.tick(changed, [{"captured": {"seat": seat, "areaM2": gain}}], **runs)
        return gain
