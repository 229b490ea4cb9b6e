"""Lands from a file to a ranking: imported and listed by the command line, found and run around by a client."""
import asyncio
import json
import math
import pathlib
import secrets

import pytest
import websockets

from program import Program

YARDS = str(pathlib.Path(__file__).resolve().parents[1] / "lands" / "yards.geojson")
# The outcome of each feature of yards.geojson: the beginning of its line, and the reason that it names.
EXPECTED = [
    ("added", "마당"), ("added", "쌍둥이 1"), ("added", "쌍둥이 2"), ("refused", "not closed"), ("refused", "touches itself"),
    ("refused", "35 m around"), ("refused", "85°"), ("refused", "holes"), ("refused", "Point"), ("refused", "no name"),
    ("refused", "three different corners"),
]
SPEED_M_S = 10


@pytest.fixture
def program(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log")
    yield program
    program.destroy()


async def test_lands_are_imported_once_and_listed_and_bad_ones_refused_with_their_reasons(program, tmp_path):
    status, output, errors = await program.command("lands", "import", YARDS)
    *lines, totals = output.splitlines()
    assert status == 0 and not errors, f"the import ended with {status}: {errors}"
    assert len(lines) == len(EXPECTED), f"{len(lines)} lines for {len(EXPECTED)} features: {output}"
    for line, (outcome, words) in zip(lines, EXPECTED):
        assert line.startswith(outcome) and words in line, f"{line!r} is not {outcome} with {words!r}"
    assert totals == "3 added, 0 there already, 8 refused", f"totals: {totals}"

    status, again, _ = await program.command("lands", "import", YARDS)
    assert status == 0 and again.endswith("0 added, 3 there already, 8 refused\n"), f"imported again: {again}"
    status, listed, _ = await program.command("lands", "list")
    rows = [line.split("  ") for line in listed.splitlines()]
    assert status == 0 and [row[-1] for row in rows] == ["마당", "쌍둥이 1", "쌍둥이 2"], f"listed: {listed}"
    assert rows[0][1].startswith("47 m, 8 vertices"), f"a square of 12 m: {rows[0]}"

    bad = tmp_path / "bad"
    for text, words in (("{", "not JSON"), ("[]", "no type"), ('{"type":"Point"}', "Point"), ("", "not JSON")):
        bad.write_text(text)
        status, output, errors = await program.command("lands", "import", str(bad))
        assert status == 64 and not output and words in errors and errors.count("\n") == 1, f"{text!r}: {errors}"
    status, _, errors = await program.command("lands", "import", str(tmp_path / "none"))
    assert status == 64 and errors.count("\n") == 1, f"no file: {errors}"
    bad.write_text(json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature"}, 5]}))
    status, output, _ = await program.command("lands", "import", str(bad))
    assert status == 1 and output.endswith("0 added, 0 there already, 2 refused\n"), f"nothing taken: {output}"


class Player:
    """One connection, message by message."""

    def __init__(self, socket):
        self.socket = socket
        self.notifications = []
        self.last_id = 0

    async def ask(self, name, /, **fields):
        self.last_id += 1
        await self.socket.send(json.dumps({"id": self.last_id, name: fields}))
        while True:
            message = await self.next()
            if message.get("replyTo") == self.last_id:
                return message
            self.notifications.append(message)

    async def next(self):
        return json.loads(await asyncio.wait_for(self.socket.recv(), 20))

    async def until(self, name, holds):
        """The first matching notification of a kind, received already or later."""
        while True:
            for index, message in enumerate(self.notifications):
                if name in message and holds(message[name]):
                    del self.notifications[index]
                    return message[name]
            self.notifications.append(await self.next())


def around(land, step_m):
    """Places on the ring at this distance in metres, once around and back to the first."""
    corners = list(zip(land["latE7"], land["lngE7"]))
    for (lat, lng), (lat_to, lng_to) in zip(corners, corners[1:] + corners[:1]):
        east = (lng_to - lng) * math.cos(math.radians(lat / 1e7))
        parts = max(1, math.ceil(math.hypot(lat_to - lat, east) * 0.011119508 / step_m))
        for part in range(parts):
            yield lat + (lat_to - lat) * part // parts, lng + (lng_to - lng) * part // parts
    yield corners[0]


async def run_around(program, land_id):
    async with websockets.connect(program.url, subprotocols=["madang.v1.json"]) as socket:
        player = Player(socket)
        await player.ask("hello", nickname="가람", deviceSecret=secrets.token_hex(16))
        found = (await player.ask("findLands", latE7=375_000_000, lngE7=1_267_000_000, withinM=150))["lands"]["lands"]
        assert [land["name"] for land in found] == ["마당"] and found[0]["landId"] == land_id, f"found {found}"
        refused = await player.ask("createRoom", mode="LAND", solo=True, landIds=["f" * 32])
        assert refused["error"]["code"] == "LAND_NOT_FOUND", f"no such land: {refused}"
        room = (await player.ask("createRoom", mode="LAND", solo=True, durationS=60, landIds=[land_id]))["room"]
        await player.ask("startGame")
        for lat_e7, lng_e7 in around(room["lands"][0], SPEED_M_S * 0.5):
            await player.ask("move", latE7=lat_e7, lngE7=lng_e7, accuracyM=5)
            # The run is a walk in real time: a faster one would be refused.
            await asyncio.sleep(0.5)
        run = await player.until("run", lambda run: run["state"] == "CAPTURED")
        assert run["visited"] >= run["needed"], f"captured with {run}"
        ended = lambda tick: any(event.get("phase", {}).get("phase") == "ENDED" for event in tick.get("events", []))
        tick = await player.until("tick", ended)
        captured = [event["captured"] for event in tick["events"] if "captured" in event]
        assert captured and captured[0]["land"] == {"landId": land_id, "timeMs": run["elapsedMs"]}, (
            f"captured: {captured}"
        )
        ranking = (await player.ask("landRanking", landId=land_id))["landRanking"]
        assert [row["timeMs"] for row in ranking["top"]] == [run["elapsedMs"]], f"ranked: {ranking}"
        assert ranking["own"]["rank"] == 1 and ranking["ownTimes"][0]["timeMs"] == run["elapsedMs"], f"own: {ranking}"
        results = (await player.ask("results"))["results"]["results"]
        assert results[0]["completed"] and results[0]["landId"] == land_id, f"result: {results}"
        return results[0]["gameId"]


async def test_a_solo_run_captures_its_land_and_is_played_again_the_same(program, tmp_path):
    """The run is in the ranking, and its picture has the land and the track. Beside a server without a listener for
    operators no land is imported."""
    await program.command("lands", "import", YARDS)
    _, listed, _ = await program.command("lands", "list")
    land_id = listed.split("  ")[0]
    await program.start()
    status, _, errors = await program.command("lands", "import", YARDS)
    assert status == 64 and "without --admin-port" in errors and errors.count("\n") == 1, f"beside a server: {errors}"
    game = await run_around(program, land_id)
    await program.end()
    picture = tmp_path / "game.svg"
    status, output, errors = await program.command("replay", game, "--svg", str(picture))
    assert status == 0 and "the same" in output, f"played again: {status} {output}{errors}"
    assert "<polygon" in picture.read_text() and "<polyline" in picture.read_text(), "the picture lacks land or way"
    await program.check_is_whole()


async def found_names(program):
    async with websockets.connect(program.url, subprotocols=["madang.v1.json"]) as socket:
        player = Player(socket)
        await player.ask("hello", nickname="나래", deviceSecret=secrets.token_hex(16))
        found = await player.ask("findLands", latE7=375_000_000, lngE7=1_267_000_000, withinM=20_000)
        return sorted(land["name"] for land in found["lands"].get("lands", []))


async def test_a_running_server_imports_lands_itself_and_players_find_them_at_once(program, tmp_path):
    program.options = ("--admin-port", "0")
    await program.start()
    assert await found_names(program) == [], "lands before the import"
    status, output, errors = await program.command("lands", "import", YARDS)
    *lines, totals = output.splitlines()
    assert status == 0 and not errors, f"the import ended with {status}: {errors}"
    for line, (outcome, words) in zip(lines, EXPECTED, strict=True):
        assert line.startswith(outcome) and words in line, f"{line!r} is not {outcome} with {words!r}"
    assert totals == "3 added, 0 there already, 8 refused", f"totals: {totals}"
    assert await found_names(program) == ["마당", "쌍둥이 1", "쌍둥이 2"], "the lands are not found at once"
    _, again, _ = await program.command("lands", "import", YARDS)
    assert again.endswith("0 added, 3 there already, 8 refused\n"), f"imported again: {again}"
    _, audit, _ = await program.command("audit")
    assert audit.count("importLands") == 2 and "3 added, 0 there already" in audit, f"audit log: {audit}"

    # A file that is none, and a token that is not the server's, change nothing.
    bad = tmp_path / "bad"
    bad.write_text('{"type":"FeatureCollection"')
    status, output, errors = await program.command("lands", "import", str(bad))
    assert status == 64 and not output and "not JSON" in errors, f"a broken file: {errors}"
    link = tmp_path / "data" / "madang.admin"
    right = link.read_text()
    link.write_text(right.split("?token=")[0] + "?token=wrong\n")
    status, output, errors = await program.command("lands", "import", YARDS)
    assert status == 64 and not output and "401" in errors and errors.count("\n") == 1, f"a wrong token: {errors}"
    link.write_text(right)
    _, audit, _ = await program.command("audit")
    assert audit.count("importLands") == 2, f"audit log: {audit}"

    # The largest land: its ring takes almost the longest message.
    ring = [[126.0 + math.cos(2 * math.pi * step / 9_999) / 9, 38.0 + math.sin(2 * math.pi * step / 9_999) / 9]
            for step in range(9_999)]
    polygon = {"type": "Polygon", "coordinates": [ring + [ring[0]]]}
    large = tmp_path / "large"
    large.write_text(json.dumps({"type": "Feature", "properties": {"name": "큰 마당"}, "geometry": polygon}))
    status, output, errors = await program.command("lands", "import", str(large))
    assert status == 0 and "9999 vertices" in output, f"9,999 corners: {status} {output}{errors}"
    await program.end()
    await program.check_is_whole()
