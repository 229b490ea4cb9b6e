"""Actions of a player in the crash test: one at a time, drawn from those that are possible, and the promises that each
answered action makes."""
from client import check
from ledger import STAGES
from promises import SIGNS

# The players' walks, far enough apart not to interfere, 1e-7 degree: each step goes 6 m to the north, and 3.5 m to the
# east or back, so that a track without one of its points has another length.
LAT_E7 = 375665000
LNG_E7 = 1269780000
STEP_E7 = 540
ASIDE_E7 = 400
BLOCKED_MAX = 10


class PlayerActions:
    """The part of a player that acts."""

    async def walk(self):
        """A step, without an answer."""
        if self.room is None or self.copy.phase != "PLAYING" or self.copy.you[0] != "seat":
            return
        self.steps += 1
        lat_e7, lng_e7 = self.place(self.steps)
        await self.tell("move", latE7=lat_e7, lngE7=lng_e7, accuracyM=5)

    def place(self, step):
        """The player's place after this number of steps."""
        return LAT_E7 + step * STEP_E7, LNG_E7 + self.number * 10_000 + step % 2 * ASIDE_E7

    async def do_something(self):
        if self.world.is_draining:
            return
        if self.room is None:
            return await self.find_room()
        actions = [(30, self.chat), (15, self.read_chat), (3, self.leave_room_now), (3, self.change_nickname),
                 (3, self.block_someone), (3, self.look_at_results), (2, self.reconnect)]
        if self.copy.phase == "LOBBY" and self.copy.you[0] == "seat":
            actions.append((40, self.start_game))
        if self.copy.phase == "ENDED" and self.copy.you[0] == "seat":
            actions.append((30, self.play_again))
        if self.copy.phase != "PLAYING":
            actions.append((2, self.be_someone_else))
        if self.world.may_register and self.identity.account is None:
            self.world.may_register -= 1
            return await self.register()
        weights = [weight for weight, _ in actions]
        [(_, action)] = self.rng.choices(actions, weights)
        await action()

    # Rooms.

    async def find_room(self):
        free = [
            room for room in self.world.ledger.rooms.values()
            if not room.rules["solo"] and 0 < len(room.members) < room.rules["capacity"]
        ]
        if free and self.rng.random() < 0.9:
            code = self.rng.choice(free).key
            return await self.command(
                "joinRoom", "room", code=code, refusals=("ROOM_NOT_FOUND", "ROOM_FULL", "GAME_ON")
            )
        # A room with faster ticks would sooner send changes that are not persisted yet.
        room = {
            "mode": "FOOTPRINT", "durationS": self.rng.randint(10, self.world.game_s_max),
            "tickHz": self.rng.choice([5, 10, 20]),
        }
        if self.rng.random() < 0.1:
            return await self.command("createRoom", "room", solo=True, **room)
        if self.rng.random() < 0.2:
            room["hostOnly"] = True
        await self.command("createRoom", "room", capacity=4, **room)

    async def leave_room_now(self):
        if await self.command("leaveRoom", "ok") is not None:
            self.leave_room()

    async def start_game(self):
        game, room = self.copy.game, self.room
        refusals = ("TOO_FEW_PLAYERS", "WRONG_PHASE", "HOST_ONLY")
        asked = room.clock.ask(game + 1)
        if await self.command("startGame", "ok", refusals=refusals) is None:
            room.clock.refuse(game + 1, asked)
        else:
            room.stage = max(room.stage, (game + 1, STAGES["PLAYING"]))

    async def play_again(self):
        game, room = self.copy.game, self.room
        if await self.command("playAgain", "ok", refusals=("WRONG_PHASE", "HOST_ONLY")) is not None:
            room.stage = max(room.stage, (game, STAGES["LOBBY"]))

    # Chat.

    async def chat(self):
        self.texts += 1
        text, author, room = f"{self.name} {self.texts} 안녕", self.identity.player_id, self.room
        said = self.world.ledger.said
        said[text] = (author, "asked")
        if await self.command("chat", "ok", text=text) is None:
            said[text] = (author, "refused")
        else:
            room.acknowledge_chat(text, author)

    async def read_chat(self):
        if self.copy.last_event <= self.read_floor:
            return
        self.read_max = self.copy.last_event
        if await self.command("readChat", "ok", upTo=self.read_max) is not None:
            self.read_floor = self.read_max

    # Identities.

    async def change_nickname(self):
        nickname = f"{self.name} {SIGNS} {self.rng.randint(0, 999)}"
        if await self.command("setNickname", "ok", nickname=nickname, refusals=("NICKNAME_TAKEN",)) is not None:
            self.identity.nickname = nickname

    async def register(self):
        email, password = f"{self.identity.secret}@example.org", f"walk {self.identity.secret}"
        nickname = f"acc {self.identity.secret[:12]}"
        if await self.command("register", "ok", email=email, password=password, nickname=nickname) is not None:
            self.identity.nickname = nickname
            self.identity.account = (email, password)

    async def block_someone(self):
        blocked = self.identity.blocked
        if blocked and (len(blocked) >= BLOCKED_MAX or self.rng.random() < 0.5):
            other = self.rng.choice(sorted(blocked))
            if await self.command("unblock", "ok", playerId=other) is not None:
                blocked.discard(other)
            return
        others = {player["playerId"] for player in self.copy.players.values()} - {self.identity.player_id}
        if others:
            other = self.rng.choice(sorted(others))
            if await self.command("block", "ok", playerId=other) is not None:
                blocked.add(other)

    async def be_someone_else(self):
        """Leaves, and returns as a new or an earlier guest, on another connection."""
        if await self.command("leaveRoom", "ok") is None:
            return
        self.leave_room()
        known = len(self.identities) > 1 and self.rng.random() < 0.5
        await self.become(self.rng.choice(self.identities) if known else self.new_identity())

    # Results.

    async def look_at_results(self):
        """Checks that each game of the player with a seen board is there once, with the board's numbers."""
        expected = self.world.ledger.results_of(self.identity.player_id)
        return compare(self.name, expected, await self.all_results())

    async def all_results(self):
        rows, cursor = [], {}
        while True:
            page = await self.expect("results", "results", limit=50, **cursor)
            rows += page.get("results", [])
            if not page.get("nextCursor"):
                return rows
            cursor = {"cursor": page["nextCursor"]}


def compare(name, expected, rows):
    """Holds a player's results against the boards; returns them by the game's name."""
    games = {row["gameId"]: row for row in rows}
    check(len(games) == len(rows), f"{name}: a game is twice in the results: {[row['gameId'] for row in rows]}")
    for game, board in expected.items():
        check(game in games, f"{name}: game {game} is not in the results, but on the board: {board}")
        for field in ("points", "distanceM", "timeS", "rank", "won", "completed"):
            is_there, was = games[game].get(field, 0), board.get(field, 0)
            check(is_there == was, f"{name}: {field} of game {game} is {is_there}, and {was} on the board")
    return games
