"""Two outside clients play a whole game on a server, one with JSON and one with binary messages.

They know the server by PROTOCOL.md and madang.proto alone.
"""
import asyncio
import secrets

import websockets

from client import Client, Failure, check, own_ms
from play_json import JSONCodec
from play_proto import ProtoCodec
from walk import Walk

DURATION_S = 10


async def refuse_before_hello(slow, fast):
    for client in (slow, fast):
        await client.expect_error("HELLO_FIRST", "chat", text="안녕")
        await client.expect_error("HELLO_FIRST", "createRoom", mode="FOOTPRINT")
        await client.expect("time", "time")
        await client.expect_error("OUT_OF_RANGE", "hello", nickname="", deviceSecret=secrets.token_hex(16))
        await client.expect_error("OUT_OF_RANGE", "hello", nickname="가람", deviceSecret="short")
        await client.expect_error("BAD_TOKEN", "resume", sessionToken="nobody's")
        for frame, request_id, code in (
            (client.codec.unknown_body, 900, "UNKNOWN_BODY"),
            (client.codec.malformed, 901, "MALFORMED"),
        ):
            body, error = await client.ask_raw(request_id, frame)
            check(body == "error" and error["code"] == code, f"{client.name}: {frame!r} gave {body} {error}")


async def make_a_room(slow, fast):
    await slow.hello("가람", secrets.token_hex(16))
    await fast.hello("가람", secrets.token_hex(16))
    check(slow.player_id != fast.player_id, "two secrets are one player")
    await slow.expect_error("ALREADY_WELCOME", "hello", nickname="가람", deviceSecret=secrets.token_hex(16))
    await slow.expect_error("NOT_IN_ROOM", "startGame")
    await slow.expect_error("OUT_OF_RANGE", "createRoom", mode="FOOTPRINT", capacity=201)
    await slow.expect_error("OUT_OF_RANGE", "createRoom", mode="FOOTPRINT", durationS=9)
    await slow.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=DURATION_S)
    code = slow.room.code
    check(len(code) == 11 and code[5] == "-", f"the code is {code!r}")
    await slow.expect_error("TOO_FEW_PLAYERS", "startGame")
    await slow.expect_error("WRONG_PHASE", "playAgain")
    await slow.expect_error("ALREADY_IN_ROOM", "joinRoom", code=code)

    last = "0" if code[-1] != "0" else "1"
    await fast.expect_error("BAD_CODE", "joinRoom", code=code[:-1] + last)
    await fast.expect_error("BAD_CODE", "joinRoom", code="")
    await fast.expect_error("ROOM_NOT_FOUND", "joinRoom", code="0000000000")
    await fast.expect("room", "joinRoom", code=code.lower().replace("-", ""))
    check(fast.room.you == ("seat", 1), f"the second player is in {fast.room.you}")
    await slow.until("the other's coming", lambda: ("seat", 1) in slow.room.players)
    nicknames = [player["nickname"] for player in slow.room.players.values()]
    check(nicknames == ["가람", "가람 2"], f"nicknames are {nicknames}")


async def chat_both_ways(slow, fast):
    await slow.expect("ok", "chat", text="안녕, 준비됐어?")
    await fast.expect("ok", "chat", text='"응!" 🏃')
    for client in (slow, fast):
        await client.until("both chats", lambda: len(client.room.chats) == 2)
        said = [(chat["chat"]["seat"], chat["chat"]["text"]) for chat in client.room.chats]
        check(said == [(0, "안녕, 준비됐어?"), (1, '"응!" 🏃')], f"{client.name} reads {said}")
    await slow.expect_error("OUT_OF_RANGE", "chat", text="가" * 101)
    await slow.expect_error("OUT_OF_RANGE", "chat", text=" ")
    newest = slow.room.chats[-1]["number"]
    await slow.expect("ok", "readChat", upTo=newest)
    await slow.expect_error("OUT_OF_RANGE", "readChat", upTo=newest + 1000)
    await fast.until("the cursor", lambda: fast.room.players[("seat", 0)].get("readUpTo") == newest)


async def play_a_game(slow, fast):
    """Both walk; the slow one loses its connection on the way and comes back."""
    for client in (slow, fast):
        await client.learn_clock()
    await fast.expect("ok", "startGame")
    for client in (slow, fast):
        await client.until("the start", lambda: client.room.phase == "PLAYING")
    begun_ms = own_ms()
    walks = Walk(slow, 3, 375_665_000, 1_269_780_000), Walk(fast, 8, -336_881_970, -707_400_000)

    async def walk_slowly():
        await walks[0].run(begun_ms, 4)
        await lose_and_resume(slow, fast)
        await walks[0].run(begun_ms, DURATION_S - 1)

    await asyncio.gather(walk_slowly(), walks[1].run(begun_ms, DURATION_S - 1))
    await fast.expect_error("WRONG_PHASE", "startGame")
    for client in (slow, fast):
        await client.until("the end", lambda: client.room.phase == "ENDED")
    return walks


async def lose_and_resume(slow, fast):
    seen = slow.room.last_event
    await slow.drop()
    await fast.until("the loss", lambda: fast.room.players[("seat", 0)].get("held"))
    await fast.expect("ok", "chat", text="어디 갔어?")
    await fast.until("its own chat", lambda: len(fast.room.chats) == 3)
    missed = [event for event in fast.room.events if event["number"] > seen]
    await slow.connect()
    welcome = await slow.resume()
    check(welcome["playerId"] == slow.player_id, "resume makes another player")
    check(not welcome.get("gap"), "resume tells of a gap")
    told = welcome.get("events", [])
    check(told[: len(missed)] == missed, f"missed {missed}, was told {told}")
    check(slow.room.you == ("seat", 0), "the seat was not held")
    last_event = welcome["room"]["lastEvent"]
    check([event["number"] for event in told] == list(range(seen + 1, last_event + 1)), f"events {told}")
    await fast.until("the return", lambda: not fast.room.players[("seat", 0)].get("held"))


def compare(slow, fast, walks):
    """Both have seen the same points, and the points fit the fixes."""
    check(not slow.verdicts and not fast.verdicts, f"fixes were refused: {slow.verdicts} {fast.verdicts}")
    common = max(slow.room.events[0]["number"], fast.room.events[0]["number"])
    seen = [[event for event in client.room.events if event["number"] >= common] for client in (slow, fast)]
    check(seen[0] == seen[1], f"events differ:\n{seen[0]}\n{seen[1]}")
    numbers = [event["number"] for event in seen[0]]
    check(numbers == list(range(common, common + len(numbers))), f"numbers have gaps: {numbers}")
    check(slow.room.board == fast.room.board, "boards differ")
    check(slow.room.positions == fast.room.positions, "last positions differ")

    board = slow.room.board
    check([row["rank"] for row in board] == [1, 2], f"ranks on {board}")
    check([row["seat"] for row in board] == [1, 0], f"the faster is not first on {board}")
    check(board[0].get("won") and not board[1].get("won"), f"who won on {board}")
    check(all(row.get("completed") for row in board), f"who completed on {board}")
    for row, walk in zip(board, (walks[1], walks[0])):
        client = walk.client
        check(row["playerId"] == client.player_id, f"{client.name} is another on the board")
        check(row["points"] > 0, f"{client.name} has no points")
        check(row["points"] == client.room.points[row["seat"]], f"{client.name}: the board is not the last tick's")
        check(row["points"] in walk.points(), f"{client.name} has {row['points']}, reckoned {walk.points()}")
        check(abs(row["distanceM"] - walk.distance_m()) <= 1.5, f"{client.name}: {row}, walked {walk.distance_m():.1f} m")
        check(row["timeS"] <= DURATION_S, f"{client.name}: {row['timeS']} s")
    return ", ".join(f"{row['points']} points over {row['distanceM']} m" for row in board)


async def refuse_a_forged_fix(fast):
    """A fix that says itself that it is mocked, in a next game."""
    await fast.expect("ok", "playAgain")
    await fast.until("the lobby", lambda: fast.room.phase == "LOBBY")
    check(fast.room.board, "the last board is gone in the lobby")
    await fast.expect("ok", "startGame")
    await fast.until("the next start", lambda: fast.room.phase == "PLAYING")
    check(not fast.room.board, "the last board stays after the start")
    answered = await fast.ask("move", latE7=0, lngE7=0, accuracyM=5, mocked=True)
    check(answered == ("ok", {}), f"a forged fix was answered with {answered}")
    await fast.until("the verdict", lambda: fast.verdicts)
    check(fast.verdicts == [{"fix": "MOCKED"}], f"verdicts are {fast.verdicts}")
    await fast.expect_error("OUT_OF_RANGE", "move", latE7=0)


async def part(slow, fast):
    """One player leaves, so the game is over; then ends of connections."""
    await slow.expect("ok", "leaveRoom")
    await slow.expect_error("NOT_IN_ROOM", "chat", text="안녕")
    await fast.until("the other's going", lambda: ("seat", 0) not in fast.room.players)
    await fast.until("the early end", lambda: fast.room.phase == "ENDED")
    check(fast.room.host == 1, f"the host is {fast.room.host}")
    left = [row for row in fast.room.board if row["playerId"] == slow.player_id]
    check(len(left) == 1 and not left[0].get("completed"), f"who left is {left} on the board")

    newer = Client(fast.url, fast.codec, "the newer connection")
    newer.token = fast.token
    await newer.connect()
    await newer.resume()
    await fast.closed_with(4504, "a newer connection")
    await newer.close()


async def end_badly(url, codec):
    async def opened(name):
        client = Client(url, codec, name)
        await client.connect()
        return client

    client = await opened("a client with frames of the wrong kind")
    await client.socket.send(codec.wrong_frame)
    await client.closed_with(1003, "the wrong kind of frame")

    client = await opened("a client with long messages")
    await client.send("chat", text="a" * 5000)
    await client.closed_with(1009, "a long message")

    client = await opened("a client with wrong tokens")
    for _ in range(2):
        await client.expect_error("BAD_TOKEN", "resume", sessionToken="x" * 64)
    await client.send("resume", sessionToken="x" * 64)
    await client.closed_with(4500, "three wrong tokens")

    client = await opened("a client in a hurry")
    answers = await asyncio.gather(*(client.ask("time") for _ in range(80)))
    refused = [fields for body, fields in answers if body == "error"]
    check(refused, "80 messages at once are all let through")
    check(all(error["code"] == "RATE_LIMITED" and error["retryAfterMs"] > 0 for error in refused), f"{refused[0]}")
    check(sum(body == "time" for body, _ in answers) >= 60, "less than the burst is let through")
    await client.close()


async def refuse_unknown_subprotocol(url):
    try:
        await websockets.connect(url, subprotocols=["chat"], compression=None)
    except websockets.InvalidStatus as error:
        check(error.response.status_code == 400, f"an unknown subprotocol gives {error.response.status_code}")
    else:
        raise Failure("an unknown subprotocol is accepted")


async def play(url):
    """From hello to the end, with chat, a lost connection, a forged fix and a next game."""
    slow = Client(url, JSONCodec(), "the slow one, JSON")
    fast = Client(url, ProtoCodec(), "the fast one, binary")
    for client in (slow, fast):
        await client.connect()
    await refuse_before_hello(slow, fast)
    await make_a_room(slow, fast)
    await chat_both_ways(slow, fast)
    walks = await play_a_game(slow, fast)
    print(compare(slow, fast, walks))
    await refuse_a_forged_fix(fast)
    await part(slow, fast)
    # A first game with a minute's walk brings the first badge, which is sent once.
    strays = slow.strays + fast.strays
    check(strays == [("badge", {"badge": 0})] * 2, f"unasked messages but the first badge: {strays}")
    await slow.close()
