"""Fences from a file to a player: imported, listed and removed by the command line, entered and left by a client."""
import asyncio
import json
import math
import secrets

import pytest
import websockets

from program import Program
from test_lands import Player

LAT_E7, LNG_E7 = 375_665_000, 1_269_780_000
M_E7 = 1e9 / 11_119_508  # 1 m to the north.
STEP_M = 5


@pytest.fixture
def program(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log")
    yield program
    program.destroy()


def circle(north_m, radius_m, name, **properties):
    identifier = {"id": properties.pop("id")} if "id" in properties else {}
    return {
        "type": "Feature", **identifier, "properties": {"name": name, "radiusM": radius_m, **properties},
        "geometry": {"type": "Point", "coordinates": [LNG_E7 / 1e7, (LAT_E7 + north_m * M_E7) / 1e7]},
    }


def polygon(name, rings):
    return {"type": "Feature", "properties": {"name": name}, "geometry": {"type": "Polygon", "coordinates": rings}}


def written(tmp_path, *features):
    path = tmp_path / "fences.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return str(path)


def outcomes(output):
    """The outcome of each feature with the last words of its line, and the totals."""
    *lines, totals = output.splitlines()
    return [(line.split()[0], line.split("  ")[-1]) for line in lines], totals


async def rows_of_audit(program):
    _, audit, _ = await program.command("audit")
    return [line.split("  ")[-1] for line in reversed(audit.splitlines())]


async def test_fences_are_imported_once_and_replaced_listed_and_removed_without_a_server(program, tmp_path):
    square = [[[127, 37], [127.001, 37], [127.001, 37.001], [127, 37.001], [127, 37]]]
    features = [
        circle(40, 20, "남문", id="south", topic="gate", dwellS=2),
        polygon("뜰", square), circle(0, 4, "작은"), circle(0, 5, "북문", id="south"),
        polygon("구멍", square * 2),
    ]
    refused = [
        ("refused", 'feature 2 "작은": a radius of 4000 mm is not within 5 m to 50 km'),
        ("refused", 'feature 3 "북문": feature 0 "남문" has the same identifier'),
        ("refused", 'feature 4 "구멍": a polygon with holes'),
    ]
    path = written(tmp_path, *features)
    for word, totals in (
        ("added", "2 added, 0 replaced, 0 unchanged, 3 refused"),
        ("unchanged", "0 added, 0 replaced, 2 unchanged, 3 refused"),
    ):
        status, output, errors = await program.command("fences", "import", path)
        assert status == 3 and not errors, f"the import ended with {status}: {errors}"
        assert outcomes(output) == ([(word, "남문"), (word, "뜰"), *refused], totals), output
    features[0]["properties"]["radiusM"] = 25.5
    status, output, _ = await program.command("fences", "import", written(tmp_path, features[0]))
    assert outcomes(output) == ([("replaced", "남문")], "0 added, 1 replaced, 0 unchanged, 0 refused"), output

    status, listed, _ = await program.command("fences", "list")
    lines = sorted(listed.splitlines(), key=lambda line: line.split("  ")[-1])
    assert status == 0 and len(lines) == 2 and "25.5 m around" in lines[0] and "4 corners" in lines[1], listed
    first, second = (line.split("  ")[0] for line in lines)
    status, output, _ = await program.command("fences", "remove", first, "f" * 32)
    assert (status, output) == (0, f"removed    {lines[0]}\nnot there  {'f' * 32}\n"), output
    status, output, _ = await program.command("fences", "remove", first)
    assert (status, output) == (1, f"not there  {first}\n"), output
    _, listed, _ = await program.command("fences", "list")
    assert listed == f"{lines[1]}\n" and lines[1].startswith(second), listed
    assert await rows_of_audit(program) == [
        "importFences: 2 added, 0 replaced, 0 there already", "importFences: 0 added, 0 replaced, 2 there already",
        "importFences: 0 added, 1 replaced, 0 there already", "removeFences: 1 removed",
    ]

    status, output, _ = await program.command("fences", "import", written(tmp_path, features[2]))
    assert status == 1 and output.endswith("0 added, 0 replaced, 0 unchanged, 1 refused\n"), f"nothing taken: {output}"
    for arguments, words in (
        (("import", str(tmp_path / "none")), "No such file"), (("import", str(tmp_path)), "folder"),
        (("remove", "7"), "names no fence"),
    ):
        status, output, errors = await program.command("fences", *arguments)
        assert status == 64 and not output and words in errors and errors.count("\n") == 1, f"{arguments}: {errors}"
    too_many = written(tmp_path, *(circle(0, 5, f"문 {number}") for number in range(10_000)))
    status, output, errors = await program.command("fences", "import", too_many)
    assert status == 64 and not output and "10001 fences" in errors, f"too many: {errors}"
    _, listed, _ = await program.command("fences", "list")
    assert listed == f"{lines[1]}\n", "a file of too many fences has changed something"
    await program.check_is_whole()


async def walk(player, from_m, to_m):
    """Walks north or south, 10 m/s; returns the fences that the player is told of meanwhile."""
    for north_m in range(from_m, to_m, STEP_M if from_m < to_m else -STEP_M):
        moved = await player.ask("move", latE7=round(LAT_E7 + north_m * M_E7), lngE7=LNG_E7, accuracyM=3)
        assert moved["moved"].get("accepted") == 1, f"the fix at {north_m} m: {moved}"
        # It is a walk in real time: a faster one would be refused.
        await asyncio.sleep(0.5)
    fences = [message["fence"] for message in player.notifications if "fence" in message]
    player.notifications.clear()
    return [(fence["change"], fence["fence"]["name"], fence["fence"].get("topic", "")) for fence in fences]


async def test_a_running_server_imports_fences_itself_and_a_player_enters_dwells_and_leaves(program, tmp_path):
    path = written(tmp_path, circle(60, 25, "남문", id=1, topic="gate", dwellS=2), circle(60, 2_000, "동네"))
    await program.start()
    status, _, errors = await program.command("fences", "import", path)
    assert status == 64 and "without --admin-port" in errors and errors.count("\n") == 1, f"beside a server: {errors}"
    await program.end()
    program.options = ("--admin-port", "0")
    await program.start()
    async with websockets.connect(program.url, subprotocols=["madang.v1.json"]) as socket:
        player = Player(socket)
        await player.ask("hello", nickname="가람", deviceSecret=secrets.token_hex(16))
        assert (await player.ask("watchPlaces"))["placesWatched"] == {}, "inside before any fix"
        assert await walk(player, 0, 15) == [], "fences before the import"
        status, output, errors = await program.command("fences", "import", path)
        assert status == 0 and not errors, f"the import ended with {status}: {errors}"
        assert outcomes(output)[0] == [("added", "남문"), ("added", "동네")], output
        assert await walk(player, 15, 30) == [("ENTERED", "동네", "")]
        assert await walk(player, 30, 75) == [("ENTERED", "남문", "gate"), ("DWELLED", "남문", "gate")]
        _, again, _ = await program.command("fences", "import", path)
        assert again.endswith("0 added, 0 replaced, 2 unchanged, 0 refused\n"), f"imported again: {again}"
        assert await walk(player, 75, 120) == [("LEFT", "남문", "gate")]
        gate = next(line for line in again.splitlines() if line.endswith("남문")).split()[1]
        status, output, errors = await program.command("fences", "remove", gate)
        assert status == 0 and output.startswith(f"removed    {gate}") and not errors, f"removed: {output}{errors}"
        assert await walk(player, 120, 60) == [], "a removed fence is told of"
    assert await rows_of_audit(program) == [
        "importFences: 2 added, 0 replaced, 0 there already", "importFences: 0 added, 0 replaced, 2 there already",
        "removeFences: 1 removed",
    ]

    # As many as there may be, also the largest ones, in parts of one message each.
    ring = [(-126 + math.cos(step * math.tau / 1_000) / 9, 38 + math.sin(step * math.tau / 1_000) / 9)
            for step in range(1_000)]
    large = [polygon(f"큰 뜰 {number}", [ring + ring[:1]]) for number in range(30)]
    many = written(tmp_path, *large, *(circle(number % 100, 5, f"문 {number}") for number in range(9_969)))
    status, output, errors = await program.command("fences", "import", many)
    assert status == 0 and output.endswith("9999 added, 0 replaced, 0 unchanged, 0 refused\n"), f"many: {errors}"
    status, output, errors = await program.command("fences", "import", written(tmp_path, circle(0, 5, "하나 더")))
    assert status == 64 and not output and "10001 fences" in errors, f"too many: {errors}"
    await program.end()
    await program.check_is_whole()
