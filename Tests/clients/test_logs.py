"""The real program's log of a game and of failures, without private data."""
import asyncio
import fcntl
import json
import os
import secrets
import signal

import pytest

from client import Client
from play_json import JSONCodec
from program import Program

TEXT = "비밀 이야기"
NICKNAME = "로그에없는이름"
EMAIL = "garam@logs.example"
PASSWORD = "a password that nobody logs"
LAT_E7, LNG_E7 = 375664413, 1269781377


async def play(url):
    """A game with all of a player's messages; returns the player, and the texts that must not be logged."""
    client = Client(url, JSONCodec(), "player")
    await client.connect()
    secret = secrets.token_hex(16)
    await client.hello(NICKNAME, secret)
    token = client.token
    await client.expect("ok", "register", email=EMAIL, password=PASSWORD, nickname=NICKNAME)
    await client.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=10)
    code = client.room.code
    friend = Client(url, JSONCodec(), "friend")
    await friend.connect()
    await friend.hello("친구", secrets.token_hex(16))
    await friend.expect("room", "joinRoom", code=code)
    await client.expect("ok", "startGame")
    await client.learn_clock()
    for step in range(3):
        await client.send("move", latE7=LAT_E7 + step, lngE7=LNG_E7, accuracyM=5, timeMs=str(client.server_ms()))
    await client.expect("ok", "chat", text=TEXT)
    await client.until("the end", lambda: client.room.phase == "ENDED", seconds=20)
    await client.expect("ok", "leaveRoom")
    await friend.expect("ok", "leaveRoom")
    await friend.close()
    await client.drop()
    await client.connect()
    await client.resume()
    player = client.player_id
    await client.expect("ok", "deleteAccount", password=PASSWORD)
    stranger = Client(url, JSONCodec(), "stranger")
    await stranger.connect()
    for _ in range(3):
        await stranger.ask("resume", sessionToken="a token of nobody's")
    await stranger.closed_with(4500, "three wrong tokens")
    hidden = [
        secret, token, client.token, TEXT, NICKNAME, EMAIL, PASSWORD, code, code.replace("-", ""), "a token of nobody's",
        str(LAT_E7)[:6], str(LNG_E7)[:7], f"{LAT_E7 / 1e7:.3f}", f"{LNG_E7 / 1e7:.3f}",
    ]
    return player, hidden


async def logged(program, folder, *options):
    """The log lines of the game on a server with these options, the player, and the forbidden texts."""
    server = Program(program, folder / "data", folder / "server.log", *options)
    try:
        await server.start()
        player, hidden = await play(server.url)
        await server.end()
    finally:
        server.destroy()
    return server.log.read_text(), player, hidden


def events(log):
    """Each line's fields."""
    found = []
    for line in log.splitlines():
        fields = json.loads(line)
        assert list(fields)[:4] == ["time", "level", "label", "message"], f"fields of a line: {line}"
        assert all(isinstance(value, str) for value in fields.values()), f"values of a line: {line}"
        assert fields["label"].split(".")[0] == "madang", f"label of a line: {line}"
        found.append((fields["label"], fields["level"], fields["message"], fields))
    return found


def check_hidden(log, hidden):
    for text in hidden:
        assert text not in log, f"{text!r} was logged: {[line for line in log.splitlines() if text in line]}"


async def test_each_line_is_json_and_has_nothing_of_what_is_the_player_s_alone(madang, tmp_path):
    """Tokens, device secrets, passwords, texts and positions are private. Each event is there by its label."""
    log, player, hidden = await logged(madang, tmp_path, "--log-level", "trace")
    check_hidden(log, hidden)
    told = events(log)
    for label, level, message, count in (
        ("madang", "info", "serving", 1), ("madang.rooms", "debug", "room opened", 1),
        ("madang.rooms", "debug", "game began", 1), ("madang.rooms", "debug", "game ended", 1),
        ("madang.players", "debug", "session began", 3), ("madang.players", "debug", "session ended", 3),
        ("madang.players", "debug", "a connection had tokens that are no session's", 1),
        ("madang.players", "debug", "player deleted", 1), ("madang", "info", "ending", 1),
    ):
        found = [event for event in told if event[:3] == (label, level, message)]
        assert len(found) == count, f"{message}: {len(found)} times, not {count}\n{log}"
    assert any(event[3].get("player") == player for event in told), f"nothing of player {player}\n{log}"


async def test_levels_by_label_give_what_is_asked_for_and_nothing_else(madang, tmp_path):
    log, _, hidden = await logged(madang, tmp_path, "--log-level", "warning,madang.rooms=debug")
    check_hidden(log, hidden)
    told = {event[:3] for event in events(log)}
    assert ("madang.rooms", "debug", "game ended") in told, f"nothing of the label that was named\n{log}"
    assert {label for label, _, _ in told} == {"madang.rooms"}, f"more than the labels' levels say\n{log}"


async def test_lines_are_text_where_that_is_asked_for(madang, tmp_path):
    server = Program(madang, tmp_path / "data", tmp_path / "text.log", "--log-format", "text")
    try:
        await server.start()
        await server.end()
    finally:
        server.destroy()
    assert server.said(" info madang: serving address=127.0.0.1:"), f"no line of text\n{server.log.read_text()}"


@pytest.mark.parametrize("is_gone", [True, False], ids=["gone", "stalled"])
async def test_a_reader_who_is_gone_or_stalled_costs_the_log_and_not_the_game(madang, tmp_path, is_gone):
    reader, writer = os.pipe()
    # The smallest pipe: full after a few lines.
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    process = await asyncio.create_subprocess_exec(
        madang, "serve", "--port", "0", "--data", tmp_path / "data", "--log-level", "trace",
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=writer,
    )
    os.close(writer)
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), 30)).decode().split()
        assert line[:1] == ["ready"], f"no ready line: {line}"
        if is_gone:
            os.close(reader)
        for number in range(40):
            client = Client(line[1], JSONCodec(), f"player {number}")
            await client.connect()
            await client.hello("이름", secrets.token_hex(16))
            await client.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=10)
            await client.expect("ok", "leaveRoom")
            await client.close()
        process.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(process.wait(), 45)
        assert status == 0, f"the server ended with {status}"
        if not is_gone:
            lines = os.read(reader, 4096).splitlines()
            assert len(lines) > 5 and json.loads(lines[0]), f"the first lines are not there: {lines}"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        if not is_gone:
            os.close(reader)
