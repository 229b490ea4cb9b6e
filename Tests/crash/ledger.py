"""A ledger of all messages that the players of a crash test received.

Each seen event and each acknowledged request must hold for everyone, before and after every crash. A ledger outlives
the server. `freeze` is called between a crash and the next start; every later state of a room must have the ledger's
contents of that moment.
"""
from client import check, place_of
from measures import Clock, Points

# The order of phases within a game. The lobby follows a game; the one before the first game belongs to game 0.
STAGES = {"PLAYING": 0, "ENDED": 1, "LOBBY": 2}
RULES = ("mode", "durationS", "capacity", "hostOnly", "solo", "spectators", "tickMs")
CHATS_IN_STATE = 200


def game_number(state):
    return int(state["gameId"].split("-")[1]) if state.get("gameId") else 0


def event_for_all(event):
    """An event without the part that differs between readers: a text may be withheld."""
    if "chat" not in event:
        return event
    return {**event, "chat": place_of(event["chat"])}


class Ledger:
    def __init__(self):
        self.rooms = {}
        # Every chat text: its author's playerId, and its state "asked", "refused" or "acknowledged".
        self.said = {}
        # The place of each seen text: the room and the event's number.
        self.seen = {}
        # The board's row of each player's games, by playerId, room's key and the game's number.
        self.rows = {}

    def room(self, key, state):
        """The room of this name; a new one takes its rules from the state."""
        if key not in self.rooms:
            self.rooms[key] = Room(self, key, {rule: state.get(rule) for rule in RULES})
        return self.rooms[key]

    def freeze(self):
        for room in self.rooms.values():
            room.freeze()

    def restart(self, down_s):
        for room in self.rooms.values():
            room.clock.restart(down_s)

    def games(self):
        """Names of all games whose board was seen, with the room's key and the game's number."""
        return {
            f"{room.id}-{number}": (room.key, number)
            for room in self.rooms.values() if room.id for number in room.boards
        }

    def results_of(self, player_id):
        """The rows that the player's results must at least have, by the game's name."""
        return {
            f"{self.rooms[key].id}-{number}": row
            for (key, number), row in self.rows.get(player_id, {}).items() if self.rooms[key].id
        }


class Room:
    def __init__(self, ledger, key, rules):
        self.ledger = ledger
        self.key = key
        self.rules = rules
        self.id = None
        # The members by their last answers.
        self.members = set()
        self.events = {}
        self.chats = set()
        self.boards = {}
        self.ends_at = {}
        self.stage = (0, STAGES["LOBBY"])
        self.clock = Clock()
        self.points = Points()
        # Acknowledged texts that no event has shown yet, with their authors.
        self.unseen = {}
        self.floor = Floor(self)

    def freeze(self):
        self.points.freeze(self.newest_at_ms())
        self.floor = Floor(self)

    def newest_at_ms(self):
        """The time of the newest game's newest event, on the room's clock; None when it is not known."""
        game, _ = self.stage
        in_game = self.ends_at.get(game)
        if in_game is None:
            return None
        first, _ = in_game
        return max((event.get("atMs", 0) for number, event in self.events.items() if number >= first), default=None)

    def see_event(self, event, game=None):
        """Takes an event as it was received, with its game or the game before it where that is known."""
        number = event["number"]
        same = event_for_all(event)
        known = self.events.setdefault(number, same)
        check(known == same, f"room {self.key}: event {number} is {same}, and was {known}")
        if "chat" in event:
            self.chats.add(number)
            if "text" in event["chat"]:
                self.see_text(event["chat"]["text"], number)
        if "phase" in event and game is not None:
            phase = event["phase"]
            self.see_stage(game, phase["phase"])
            if phase["phase"] == "PLAYING":
                self.see_end(game, number, phase["endsAtGameMs"])
            if phase["phase"] == "ENDED":
                self.see_board(game, phase.get("board", []))

    def see_text(self, text, number):
        said = self.ledger.said.get(text)
        check(said is not None, f"room {self.key}: event {number} has a text that nobody said: {text}")
        check(said[1] != "refused", f"room {self.key}: event {number} has a text that was refused: {text}")
        known = self.ledger.seen.setdefault(text, (self.key, number))
        check(known == (self.key, number), f"a text is twice there, in {known} and {(self.key, number)}: {text}")
        self.unseen.pop(text, None)

    def see_stage(self, game, phase):
        self.stage = max(self.stage, (game, STAGES[phase]))

    def see_end(self, game, number, ends_at_ms):
        known = self.ends_at.setdefault(game, (number, ends_at_ms))
        check(
            known == (number, ends_at_ms),
            f"room {self.key}: game {game} ends at {ends_at_ms} by event {number}, and before at {known}",
        )

    def see_board(self, game, board):
        known = self.boards.setdefault(game, board)
        check(known == board, f"room {self.key}: the board of game {game} is {board}, and was {known}")
        for row in board:
            self.ledger.rows.setdefault(row["playerId"], {})[self.key, game] = row

    def see_tick(self, tick, game):
        self.clock.see(self.key, game, tick.get("gameMs", 0))
        self.points.see(game, tick.get("gameMs", 0), tick)

    def acknowledge_chat(self, text, author):
        self.ledger.said[text] = (author, "acknowledged")
        if text not in self.ledger.seen:
            self.unseen[text] = author

    def see_state(self, state, events, blocked):
        """Takes a whole state of the room with its events; the receiver has blocked the players in `blocked`."""
        name = f"room {self.key}"
        rules = {rule: state.get(rule) for rule in RULES}
        check(rules == self.rules, f"{name}: its rules are {rules}, and were {self.rules}")
        game = game_number(state)
        if game > 0:
            room_id = state["gameId"].split("-")[0]
            check(self.id in (None, room_id), f"{name}: it is {room_id}, and was {self.id}")
            self.id = room_id
        last = state.get("lastEvent", 0)
        check(last >= self.floor.last_event, f"{name}: event {self.floor.last_event} was seen, now {last} is the last")
        stage = (game, STAGES[state["phase"]])
        check(stage >= self.floor.stage, f"{name}: was in {self.floor.stage} (game, phase) before, now in {stage}")
        for event in events + state.get("chats", []):
            check(event["number"] <= last, f"{name}: event {event['number']} is beyond the last, {last}")
            self.see_event(event)
        self.check_chats(state, last)
        missing = [text for text, author in self.floor.unseen.items() if text in self.unseen and author not in blocked]
        check(not missing, f"{name}: acknowledged, and not there after the crash: {missing}")
        if state["phase"] == "PLAYING" and game in self.ends_at:
            # A game that too few players are left in ends early, and its board may wait for late fixes.
            known = self.ends_at[game][1]
            ends_at_ms = min(known, state["endsAtGameMs"]) if "boardAtGameMs" in state else known
            check(
                ends_at_ms == state["endsAtGameMs"],
                f"{name}: game {game} ends at {state['endsAtGameMs']}, before it was {self.ends_at[game]}",
            )
        if state["phase"] != "PLAYING" and game > 0:
            self.see_board(game, state.get("board", []))
        game_ms = state.get("gameMs", 0)
        if game == self.floor.stage[0] and self.floor.at_ms is not None:
            check(game_ms >= self.floor.at_ms, f"{name}: an event was at {self.floor.at_ms} ms, now it is {game_ms}")
        self.clock.see(self.key, game, game_ms)
        if state["phase"] == "PLAYING":
            self.points.check(self.key, game, state)
        self.stage = max(self.stage, stage)

    def check_chats(self, state, last):
        numbers = [event["number"] for event in state.get("chats", [])]
        check(numbers == sorted(set(numbers)), f"room {self.key}: chats in no order: {numbers}")
        oldest = numbers[0] if len(numbers) >= CHATS_IN_STATE else 0
        lost = sorted(n for n in self.chats if oldest <= n <= last and n not in set(numbers))
        check(not lost, f"room {self.key}: chats that were seen are no longer in its state: {lost}")


class Floor:
    """The ledger's contents for a room at the server's death."""

    def __init__(self, room):
        self.last_event = max(room.events, default=0)
        self.stage = room.stage
        self.unseen = dict(room.unseen)
        self.at_ms = room.newest_at_ms()
