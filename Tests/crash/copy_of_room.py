"""A client's copy of its room, which passes all messages to the ledger and computes the expected next state."""
from client import RoomCopy, check, place_of
from ledger import CHATS_IN_STATE, event_for_all, game_number


def members(players):
    return {
        place: (player["playerId"], player["nickname"], player.get("held", False)) for place, player in players.items()
    }


class LedgerCopy(RoomCopy):
    def __init__(self):
        super().__init__()
        # The ledger's room; None while in no room.
        self.room = None
        self.game = 0

    def enter(self, room, state):
        self.room = room
        self.replace(state)

    def replace(self, state):
        super().replace(state)
        self.game = game_number(state)

    def apply_tick(self, tick):
        check(self.room, f"a tick in no room: {tick}")
        for event in tick.get("events", []):
            if event["number"] <= self.last_event:
                self.room.see_event(event)
        super().apply_tick(tick)
        self.room.see_tick(tick, self.game)

    def apply_event(self, event):
        super().apply_event(event)
        if event.get("phase", {}).get("phase") == "PLAYING":
            self.game += 1
        self.room.see_event(event, self.game)

    def foretell(self, state, events):
        """Applies the missed events and compares the result with the received state."""
        for event in events:
            self.last_event = event["number"]
            self.apply_event(event)
        name = f"room {self.room.key}"
        last = state.get("lastEvent", 0)
        check(self.last_event == last, f"{name}: events came to {self.last_event}, but its state includes {last}")
        players = {place_of(player): player for player in state.get("players", [])}
        for what, here, there in [
            ("players", members(self.players), members(players)),
            ("phase", self.phase, state["phase"]),
            ("host", self.host, state.get("host")),
            ("gameId", self.game_id, state.get("gameId", "")),
            ("game", self.game, game_number(state)),
            ("board", self.board, state.get("board", [])),
            (
                "chats",
                [event_for_all(event) for event in self.chats[-CHATS_IN_STATE:]],
                [event_for_all(event) for event in state.get("chats", [])],
            ),
        ]:
            check(here == there, f"{name}: by its events the {what} would be {here}, but the state has {there}")
