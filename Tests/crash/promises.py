"""The promises to a player of the crash test, and the checks that the server keeps them.

After an answer the state is as the answer says. After an unanswered request it is as before, or as the request would
have made it.
"""
import secrets
import time

from client import Failure, check

# Places are held for 120 s; a player who is away for long may lose theirs when the room closes.
HELD_S = 25
# Every nickname has these characters of XML. The Unicode mark changes the bracket into a character without a composed
# form, so the server leaves it as it is.
SIGNS = "<\u0301&>"


class Identity:
    """The identity behind a device's secret, by the answers so far."""

    def __init__(self, name):
        self.secret = secrets.token_hex(16)
        self.nickname = f"{name} {SIGNS}"
        self.player_id = None
        self.token = None
        self.account = None
        self.blocked = set()


class Promises:
    """The memory of a player. Its methods are called in the order of the server's messages."""

    def enter_room(self, state, events):
        """Takes the state of the room that the player has just entered."""
        room = self.world.ledger.room(self.key(state), state)
        room.see_state(state, events, self.maybe_blocked())
        self.copy.enter(room, state)
        if self.pending and self.pending[0] == "createRoom":
            for field, value in self.pending[1].items():
                check(field == "tickHz" or state.get(field) == value, f"room {room.key}: asked for {field} {value}")
        room.members.add(self)
        self.read_floor = self.read_max = 0

    def key(self, state):
        """A solo room has no code; its key has its maker and the number of the maker's earlier ones."""
        if state.get("code"):
            return state["code"]
        if self.room and self.room.rules["solo"]:
            return self.room.key
        self.rooms_made += 1
        return f"solo-{self.number}-{self.rooms_made}"

    def leave_room(self):
        self.room.members.discard(self)
        self.copy.room = None

    def maybe_blocked(self):
        pending = {self.pending[1]["playerId"]} if self.pending and self.pending[0] == "block" else set()
        return self.identity.blocked | pending

    def take_welcome(self, welcome):
        """Checks that a welcome has everything that was promised to the player."""
        identity = self.identity
        known = identity.player_id
        check(known in (None, welcome["playerId"]), f"{self.name}: is {welcome['playerId']}, and was {known}")
        identity.player_id = welcome["playerId"]
        identity.token = welcome["sessionToken"]
        self.take_own_player(welcome["player"])
        self.take_own_room(welcome)
        self.must_hello = False
        self.pending = None

    def take_own_room(self, welcome):
        state, events = welcome.get("room"), welcome.get("events", [])
        body, fields = self.pending or (None, {})
        if state is None:
            if self.room is None or body == "leaveRoom" or self.hold_may_be_over():
                return self.leave_room() if self.room else None
            raise Failure(f"{self.name}: was in room {self.room.key}, and is in none")
        if self.room is None:
            check(
                body == "createRoom" or body == "joinRoom" and fields["code"] == state.get("code"),
                f"{self.name}: was in no room, and is in {state.get('code', 'a solo room')} after {body} {fields}",
            )
            return self.enter_room(state, events)
        check(self.key(state) == self.room.key, f"{self.name}: was in {self.room.key}, and is in {state.get('code')}")
        self.take_events([event["number"] for event in events], welcome.get("gap", False))
        read = (self.read_floor, self.read_max)
        self.room.see_state(state, events, self.maybe_blocked())
        if not welcome.get("gap"):
            self.copy.foretell(state, events)
        self.copy.enter(self.room, state)
        self.read_floor, self.read_max = read
        cursor = self.copy.players[self.copy.you].get("readUpTo", 0)
        check(
            self.read_floor <= cursor <= max(self.read_max, self.read_floor),
            f"{self.name}: had read up to {self.read_floor}, asked up to {self.read_max}, now it is {cursor}",
        )

    def take_events(self, numbers, has_gap):
        """Checks that missed events have no gaps, and follow the requested number unless the answer tells a gap."""
        first = numbers[0] if has_gap and numbers else self.copy.last_event + 1
        check(
            numbers == list(range(first, first + len(numbers))) and first > self.copy.last_event,
            f"room {self.room.key}: after event {self.copy.last_event} came {numbers}",
        )

    def hold_may_be_over(self):
        since = max(self.last_there or 0, self.world.ready_at)
        return time.monotonic() - since > HELD_S

    def take_own_player(self, player):
        identity = self.identity
        body, fields = self.pending or (None, {})
        nicknames, accounts, blocked = {identity.nickname}, {identity.account}, [identity.blocked]
        if body in ("setNickname", "register"):
            nicknames.add(fields["nickname"])
        if body == "register":
            accounts.add((fields["email"], fields["password"]))
        if body == "block":
            blocked.append(identity.blocked | {fields["playerId"]})
        if body == "unblock":
            blocked.append(identity.blocked - {fields["playerId"]})
        check(player["nickname"] in nicknames, f"{self.name}: is {player['nickname']}, and was one of {nicknames}")
        by_email = {account[0] if account else None: account for account in accounts}
        email = player.get("email")
        check(email in by_email, f"{self.name}: has the e-mail {email}, and not one of {accounts}")
        has_blocked = set(player.get("blocked", []))
        check(has_blocked in blocked, f"{self.name}: has blocked {has_blocked}, and not one of {blocked}")
        identity.nickname = player["nickname"]
        identity.account = by_email[email]
        identity.blocked = has_blocked
