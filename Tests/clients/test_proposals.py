"""Lands that players propose: walked by clients, decided by commands beside a running server and without one."""
import asyncio
import json
import secrets

import pytest
import websockets

from program import Program
from test_lands import Player

STEP_E7 = 450  # 5 m to the north; a bit less to the east.


@pytest.fixture
def program(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log")
    yield program
    program.destroy()


async def connected(program, nickname, secret):
    socket = await websockets.connect(program.url, subprotocols=["madang.v1.json"])
    player = Player(socket)
    await player.ask("hello", nickname=nickname, deviceSecret=secret)
    return player


async def walk_and_propose(player, lat_e7, name):
    """Plays alone for 14 s, walks around a square of 25 m, and proposes it."""
    await player.ask("createRoom", mode="FOOTPRINT", solo=True, durationS=14)
    await player.ask("startGame")
    corners = [(0, 0), (0, 5), (5, 5), (5, 0), (0, 0)]
    way = [(0, 0)] + [
        (north + (to_north - north) * step // 5, east + (to_east - east) * step // 5)
        for (north, east), (to_north, to_east) in zip(corners, corners[1:]) for step in range(1, 6)
    ]
    # The player stands until the end: a silent one might have more to tell.
    for north, east in way + [(0, 0)] * 8:
        await player.ask("move", latE7=lat_e7 + north * STEP_E7, lngE7=1_267_000_000 + east * STEP_E7, accuracyM=5)
        # It is a walk in real time: a faster one would be refused.
        await asyncio.sleep(0.5)
    ended = lambda tick: any(event.get("phase", {}).get("phase") == "ENDED" for event in tick.get("events", []))
    await player.until("tick", ended)
    game = (await player.ask("results"))["results"]["results"][0]["gameId"]
    return (await player.ask("proposeLand", gameId=game, name=name))["landProposal"]


async def test_walked_lands_are_proposed_listed_accepted_declined_and_found(program):
    program.options = ("--admin-port", "0")
    await program.start()
    secrets_of = [secrets.token_hex(16) for _ in range(2)]
    players = [await connected(program, name, secret) for name, secret in zip(("가람", "나래"), secrets_of)]
    first, second = await asyncio.gather(
        walk_and_propose(players[0], 375_000_000, "작은 마당"), walk_and_propose(players[1], 375_900_000, "남의 마당"),
    )
    assert first["state"] == "WAITING" and 80 <= first["lengthM"] <= 95, f"proposed: {first}"
    status, listed, errors = await program.command("lands", "proposals")
    lines = listed.splitlines()
    assert status == 0 and len(lines) == 2 and not errors, f"listed: {listed}{errors}"
    assert all(any(each["proposalId"] in line and each["name"] in line for line in lines) for each in (first, second))

    # The running server accepts, and players find the land at once.
    status, output, errors = await program.command("lands", "accept", first["proposalId"], "--name", "큰 마당")
    assert status == 0 and "큰 마당" in output and not errors, f"accepted: {status} {output}{errors}"
    status, _, errors = await program.command("lands", "accept", first["proposalId"])
    assert status == 64 and "waits" in errors, f"accepted again: {errors}"
    own = (await players[0].ask("landProposals"))["landProposals"]["proposals"]
    assert [each["state"] for each in own] == ["ACCEPTED"], f"the player's: {own}"
    found = (await players[1].ask("findLands", latE7=375_000_000, lngE7=1_267_000_000, withinM=500))["lands"]["lands"]
    assert [(land["landId"], land["name"]) for land in found] == [(own[0]["landId"], "큰 마당")], f"found: {found}"
    ranking = (await players[1].ask("landRanking", landId=own[0]["landId"]))["landRanking"]
    assert ranking["name"] == "큰 마당" and "top" not in ranking, f"ranking: {ranking}"
    for player in players:
        await player.socket.close()
    await program.end()

    # Without a server the command declines; the player reads why.
    for words, arguments in (
        ("names no proposal", ("decline", "x", "--reason", "no")), ("the reason", ("decline", second["proposalId"], "--reason", "")),
        ("the name", ("accept", second["proposalId"], "--name", " ")), ("waits", ("decline", "0" * 32, "--reason", "no")),
    ):
        status, output, errors = await program.command("lands", *arguments)
        assert status == 64 and not output and words in errors, f"{arguments}: {status} {output}{errors}"
    status, output, errors = await program.command("lands", "decline", second["proposalId"], "--reason", "남의 땅")
    assert status == 0 and "declined" in output, f"declined: {status} {output}{errors}"
    status, listed, _ = await program.command("lands", "proposals")
    assert status == 0 and listed == "", f"still listed: {listed}"
    _, audit, _ = await program.command("audit", "--json")
    rows = [json.loads(line) for line in audit.splitlines()]
    assert [row["action"] for row in rows] == ["declineLand", "acceptLand"], f"audit log: {rows}"
    assert rows[0]["detail"] == "남의 땅" and rows[0]["nickname"] == "나래", f"audit log: {rows}"
    await program.start()
    player = await connected(program, "나래", secrets_of[1])
    own = (await player.ask("landProposals"))["landProposals"]["proposals"]
    assert [(each["state"], each["reason"]) for each in own] == [("DECLINED", "남의 땅")], f"the player's: {own}"
    await player.socket.close()
    await program.end()
    await program.check_is_whole()
