"""Everything that is kept on a player, written beside the running server after a game, a chat, a capsule, a post and a
plan."""
import asyncio
import json
import secrets

import pytest
import websockets

from program import Program
from test_lands import SPEED_M_S, YARDS, Player, around


@pytest.fixture
def program(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log")
    yield program
    program.destroy()


async def play(program):
    """One player captures a land, chats, buries a capsule, writes a post and a profile. Returns their identifier."""
    async with websockets.connect(program.url, subprotocols=["madang.v1.json"]) as socket:
        player = Player(socket)
        secret = secrets.token_hex(16)
        welcome = (await player.ask("hello", nickname="가람", deviceSecret=secret))["welcome"]
        land = (await player.ask("findLands", latE7=375_000_000, lngE7=1_267_000_000, withinM=150))["lands"]["lands"][0]
        room = await player.ask("createRoom", mode="LAND", solo=True, durationS=60, landIds=[land["landId"]])
        await player.ask("chat", text="내 글 하나")
        await player.ask("startGame")
        for lat_e7, lng_e7 in around(room["room"]["lands"][0], SPEED_M_S * 0.5):
            await player.ask("move", latE7=lat_e7, lngE7=lng_e7, accuracyM=5)
            # It is a run in real time: a faster one would be refused.
            await asyncio.sleep(0.5)
        ended = lambda tick: any(event.get("phase", {}).get("phase") == "ENDED" for event in tick.get("events", []))
        await player.until("tick", ended)
        buried = await player.ask(
            "buryCapsule", title="바다", text="여름의 소리", latE7=375_000_000, lngE7=1_267_000_000, memoryDate="2020-08-15"
        )
        assert buried["capsule"]["title"] == "바다", buried
        plan = (await player.ask("writePlan", title="겨울", firstDate="2026-12-24", lastDate="2026-12-26"))["plan"]
        stop = {"date": "2026-12-25", "title": "해변", "text": "맨발로"}
        changed = await player.ask("addStop", planId=plan["planId"], version=1, stop=stop)
        assert changed["stopChange"]["version"] == 2, changed
        written = await player.ask("writePost", title="서울", text="걷는 길", countries=["KR"])
        assert written["post"]["version"] == 1, written
        profile = await player.ask("setProfile", introduction="걷는 사람")
        assert profile["profile"]["experience"] == 5, profile
        return welcome["playerId"], secret


async def test_an_export_has_everything_of_the_player_and_no_secret(program, tmp_path):
    await program.command("lands", "import", YARDS)
    await program.start()
    player_id, secret = await play(program)
    path = tmp_path / "player.json"
    status, output, errors = await program.command("player", "export", player_id, "--output", str(path))
    assert status == 0 and not output and not errors, f"the export ended with {status}: {errors}"
    text = path.read_text()
    exported = json.loads(text)
    assert exported["playerId"] == player_id and exported["nickname"] == "가람" and "email" not in exported
    assert exported["hasDevice"] and len(exported["sessions"]) == 1 and secret not in text, exported
    result, = exported["results"]
    assert result["mode"] == "LAND" and result["completed"] and len(result["track"]) >= 5, result
    run, = exported["landRuns"]
    assert run["landId"] == result["landId"], run
    capsule, = exported["capsules"]
    assert (capsule["title"], capsule["text"], capsule["memoryDate"]) == ("바다", "여름의 소리", "2020-08-15"), capsule
    profile = exported["profile"]
    assert (profile["introduction"], profile["experience"], profile["grade"]) == ("걷는 사람", 5, "ECONOMY"), profile
    assert [one["kind"] for one in profile["collectibles"]] == ["ASIA_POST"], profile
    assert "내 글 하나" in exported["rooms"][0]["texts"], exported["rooms"]
    plan, = exported["plans"]
    assert (plan["title"], plan["firstDate"], plan["lastDate"]) == ("겨울", "2026-12-24", "2026-12-26"), plan
    stop, = plan["stops"]
    assert (stop["date"], stop["title"], stop["text"]) == ("2026-12-25", "해변", "맨발로") and "place" not in stop, stop
    assert exported["badges"] and exported["taps"] == [] and exported["sanctions"] == [], exported

    status, _, errors = await program.command("player", "export", player_id, "--output", str(path))
    assert status == 64 and "is there already" in errors and path.read_text() == text, f"written over: {errors}"
    status, _, errors = await program.command("player", "export", "f" * 32)
    assert status == 64 and "no player" in errors, f"nobody: {errors}"
    status, _, errors = await program.command("player", "export", "가람")
    assert status == 64, f"no identifier: {errors}"
    await program.end()
