"""A client of Madang as a stranger writes it from PROTOCOL.md: one connection, and a copy of the room kept by ticks."""
import asyncio
import time

import websockets


class Failure(Exception):
    """The server broke PROTOCOL.md."""


def check(holds, what):
    if not holds:
        raise Failure(what)


def place_of(fields):
    """A place as a comparable value."""
    return ("seat", fields["seat"]) if "seat" in fields else ("spectator", fields["spectator"])


class RoomCopy:
    """The client's copy of the room: PROTOCOL.md, "Keeping a copy of the room"."""

    def __init__(self):
        # Every event that this client received, once.
        self.events = []
        self.last_event = 0

    def replace(self, state):
        self.code = state.get("code", "")
        self.phase = state["phase"]
        self.last_event = state.get("lastEvent", 0)
        self.host = state.get("host")
        self.game_id = state.get("gameId", "")
        self.you = place_of(state["you"])
        self.players = {place_of(player): dict(player) for player in state.get("players", [])}
        self.points = {}
        self.positions = {}
        self.apply_rows(state)
        self.chats = list(state.get("chats", []))
        self.board = state.get("board", [])
        self.order = state.get("order", [])
        self.game_ms = state.get("gameMs", 0)

    def apply_rows(self, columns):
        rows = [columns.get(name, []) for name in ("seats", "latE7", "lngE7", "points")]
        check(len({len(row) for row in rows}) == 1, f"columns differ in length: {columns}")
        for seat, lat_e7, lng_e7, points in zip(*rows):
            self.positions[seat] = (lat_e7, lng_e7)
            self.points[seat] = points

    def apply_tick(self, tick):
        for event in tick.get("events", []):
            if event["number"] <= self.last_event:
                continue
            check(event["number"] == self.last_event + 1, f"event {event['number']} after {self.last_event}")
            self.last_event = event["number"]
            self.events.append(event)
            self.apply_event(event)
        self.apply_rows(tick)
        self.order = tick.get("order", self.order)
        for cursor in tick.get("cursors", []):
            self.players[place_of(cursor)]["readUpTo"] = cursor.get("upTo", 0)
        self.game_ms = tick.get("gameMs", 0)

    def apply_event(self, event):
        if "joined" in event:
            self.players[place_of(event["joined"])] = dict(event["joined"])
        elif "left" in event:
            del self.players[place_of(event["left"])]
        elif "held" in event:
            self.players[place_of(event["held"])]["held"] = True
        elif "back" in event:
            self.players[place_of(event["back"])].pop("held", None)
        elif "host" in event:
            self.host = event["host"].get("seat")
        elif "chat" in event:
            self.chats.append(event)
        elif "phase" in event:
            self.phase = event["phase"]["phase"]
            self.order = []
            if self.phase == "PLAYING":
                self.game_id = event["phase"]["gameId"]
                self.points, self.positions, self.board = {}, {}, []
            elif self.phase == "ENDED":
                self.board = event["phase"].get("board", [])


class Client:
    """One player. `codec` encodes its messages; `connecting` has further arguments of websockets.connect."""

    # None offers none, "deflate" permessage-deflate.
    compression = None

    def __init__(self, url, codec, name, **connecting):
        self.url = url
        self.codec = codec
        self.name = name
        self.connecting = connecting
        self.room = RoomCopy()
        self.verdicts = []
        self.strays = []
        self.next_id = 0
        self.token = None
        self.clock_offset_ms = 0

    async def connect(self):
        self.socket = await websockets.connect(
            self.url, subprotocols=[self.codec.subprotocol], compression=self.compression, open_timeout=10,
            **self.connecting,
        )
        check(self.socket.subprotocol == self.codec.subprotocol, f"subprotocol is {self.socket.subprotocol}")
        self.answers = {}
        self.failure = None
        self.changed = asyncio.Event()
        self.reader = asyncio.create_task(self.read())

    async def read(self):
        try:
            async for frame in self.socket:
                reply_to, body, fields = self.codec.decode(frame)
                self.take_state(body, fields)
                if reply_to is not None:
                    self.answers.pop(reply_to).set_result((body, fields))
                elif body == "tick":
                    self.room.apply_tick(fields)
                elif body == "verdict":
                    self.verdicts.append(fields)
                else:
                    self.strays.append((body, fields))
                self.changed.set()
            raise Failure(f"closed with {self.socket.close_code}")
        except (Failure, websockets.ConnectionClosed) as end:
            for answer in self.answers.values():
                answer.set_exception(Failure(f"{self.name}: no answer: {end}"))
            # A task that waits for messages gets this failure.
            self.failure = end
        finally:
            self.changed.set()

    def take_state(self, body, fields):
        """Takes over a room's whole state before any later message."""
        if body == "room":
            self.room.replace(fields)
        elif body == "welcome" and "room" in fields:
            self.room.replace(fields["room"])
            self.room.events += fields.get("events", [])

    async def send(self, body, /, **fields):
        """Sends without an id: no answer."""
        await self.socket.send(self.codec.encode(None, body, fields))

    async def ask(self, body, /, **fields):
        """Sends with an id and waits for the answer: (body, fields)."""
        self.next_id += 1
        return await self.ask_raw(self.next_id, self.codec.encode(self.next_id, body, fields))

    async def ask_raw(self, request_id, frame):
        answer = asyncio.get_running_loop().create_future()
        # Marks the exception as retrieved, because nobody awaits the answer of a request that could not be sent.
        answer.add_done_callback(lambda answer: answer.cancelled() or answer.exception())
        self.answers[request_id] = answer
        await self.socket.send(frame)
        return await asyncio.wait_for(answer, 10)

    async def expect(self, expected, body, /, **fields):
        """Asks and checks that the answer has this body; returns its fields."""
        answer, result = await self.ask(body, **fields)
        check(answer == expected, f"{self.name}: {body} {fields} was answered with {answer} {result}")
        return result

    async def expect_error(self, code, body, /, **fields):
        error = await self.expect("error", body, **fields)
        check(error.get("code") == code, f"{self.name}: {body} {fields} gave {error}, not {code}")
        check(error.get("message"), f"{self.name}: {code} has no message")
        return error

    async def until(self, what, holds, seconds=10):
        """Waits for messages that make `holds()` true."""
        async def wait():
            while not holds():
                check(not self.reader.done(), f"{self.name}: ended before {what}: {self.failure}")
                self.changed.clear()
                await self.changed.wait()

        try:
            await asyncio.wait_for(wait(), seconds)
        except asyncio.TimeoutError:
            raise Failure(f"{self.name}: waited {seconds} s for {what}") from None

    async def closed_with(self, code, why):
        """Waits for the server's close."""
        await asyncio.wait_for(self.reader, 10)
        check(self.socket.close_code == code, f"{self.name}: {why}: closed with {self.socket.close_code}, not {code}")

    async def close(self):
        await self.socket.close()
        await self.reader

    async def drop(self):
        """Loses the connection without a close frame, as a phone in a lift does."""
        self.socket.transport.abort()
        await self.reader

    # Sessions, as in PROTOCOL.md.

    async def hello(self, nickname, secret):
        welcome = await self.expect("welcome", "hello", nickname=nickname, deviceSecret=secret)
        self.player_id = welcome["playerId"]
        self.token = welcome["sessionToken"]

    async def resume(self):
        """Takes the session up again; returns the welcome."""
        welcome = await self.expect("welcome", "resume", sessionToken=self.token, afterEvent=self.room.last_event)
        self.token = welcome["sessionToken"]
        return welcome

    async def learn_clock(self):
        """Keeps the offset of the quickest of five answers: server time = own clock + offset."""
        samples = []
        for _ in range(5):
            sent = own_ms()
            reply = await self.expect("time", "time")
            received = own_ms()
            samples.append((received - sent, int(reply["serverTimeMs"]) - (sent + received) / 2))
        self.clock_offset_ms = min(samples)[1]

    def server_ms(self):
        return round(own_ms() + self.clock_offset_ms)


def own_ms():
    return time.monotonic() * 1000
