"""Operators' view and changes of the school contest: `madang taps` over a contest that a test writes into a store."""
import contextlib
import json

import pytest

from program import Program

SCHOOLS = ["SAMPLE0001", "SAMPLE0002", "SAMPLE0003"]
PLAYERS = [f"{number:032x}" for number in (0xA1, 0xB2, 0xC3, 0xD4)]
STRANGER = f"{0xEE:032x}"
SUSPECT = 1
# Abnormal batches of each player.
ABNORMAL = [0, 3, 1, 5]
CLOSED_AT_MS = 1_790_000_000_250
# Player, school, season, count, voided. The fourth player was deleted.
COUNTS = [(0, 0, 1, 500, 0), (1, 1, 1, 700, 200), (1, 0, 2, 40, 0), (1, 1, 2, 30, 10), (2, 2, 2, 55, 0), (3, 2, 1, 9, 0)]


def total(school, season):
    return sum(count - voided for _, of_school, of_season, count, voided in COUNTS if (of_school, of_season) == (school, season))


class Contest:
    """The commands, over a store with this contest."""

    def __init__(self, program):
        self.program = program
        self.names = {}

    def write(self):
        with contextlib.closing(self.program.database()) as database, database:
            database.executemany("INSERT INTO tap_schools VALUES (?, ?)", enumerate(SCHOOLS))
            database.execute("INSERT INTO tap_seasons VALUES (1, ?, 20)", [CLOSED_AT_MS])
            database.execute("INSERT INTO season_closings VALUES (1, ?)", [CLOSED_AT_MS])
            ranking = [(1, 1, SCHOOLS[1], 700), (1, 2, SCHOOLS[0], 500), (1, 3, SCHOOLS[2], 9)]
            database.executemany("INSERT INTO season_rankings VALUES (?, ?, ?, ?)", ranking)
            for season in (1, 2):
                for school in range(len(SCHOOLS)):
                    database.execute("INSERT INTO tap_totals VALUES (?, ?, ?, ?)", [season, school, total(school, season), 30 + school])
            for number, player in enumerate(PLAYERS):
                identifier = bytes.fromhex(player) if number < 3 else None
                school = [0, 1, 2, 2][number]
                database.execute("INSERT INTO tap_players VALUES (?, ?, 30, ?, 5, 2, 12, 0, 5, 50, ?, ?)",
                                 [number, identifier, school, ABNORMAL[number], number == SUSPECT])
            database.executemany("INSERT INTO tap_counts VALUES (?, ?, ?, ?, ?, 30)", COUNTS)
            for identifier, name, region in database.execute("SELECT id, name, region FROM schools"):
                self.names[identifier] = f"{identifier}  {name}  {region}"

    def title(self, school):
        return self.names[SCHOOLS[school]]

    async def run(self, *arguments):
        status, output, errors = await self.program.command("taps", *arguments)
        return status, output.splitlines(), errors

    async def shown(self, *arguments):
        status, lines, errors = await self.run(*arguments)
        assert status == 0 and not errors, f"taps {arguments} ended with {status}: {errors}"
        assert all(line.isprintable() for line in lines), f"control characters: {lines}"
        return lines

    async def exported(self, *arguments):
        return json.loads("\n".join(await self.shown(*arguments, "--json")))

    async def shows(self, arguments, *lines):
        found = await self.shown(*arguments)
        assert found == list(lines), f"taps {arguments}: {found}, not {list(lines)}"

    async def refused(self, arguments, words):
        status, lines, errors = await self.run(*arguments)
        assert status == 64 and not lines and words in errors, (
            f"taps {arguments} not refused for {words!r}: {status} {lines} {errors}"
        )


@pytest.fixture
def contest(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log")
    try:
        program.launch()
        program.shut_down()
        contest = Contest(program)
        contest.write()
        yield contest
    finally:
        program.destroy()


async def test_seasons_rankings_suspects_and_players_are_shown(contest):
    await contest.program.check_is_whole()
    closed = "season 1  closed 2026-09-21T14:13:20.250Z  3 schools, 1009 taps"
    await contest.shows(["seasons"], closed, "season 2  runs  3 schools, 115 taps")
    await contest.shows(["ranking"], f"1  55 taps  {contest.title(2)}", f"2  40 taps  {contest.title(0)}", f"3  20 taps  {contest.title(1)}")
    await contest.shows(["ranking", "1"], f"1  700 taps  {contest.title(1)}", f"2  500 taps  {contest.title(0)}", f"3  9 taps  {contest.title(2)}")
    await contest.shows(["ranking", "1", "--now"],
                        f"1  500 taps  {contest.title(0)}", f"2  500 taps  {contest.title(1)}", f"3  9 taps  {contest.title(2)}")
    exported = await contest.exported("ranking", "1")
    first = exported["ranking"][0]
    assert (exported["season"], exported["closedAtMs"], len(exported["ranking"])) == (1, CLOSED_AT_MS, 3), f"{exported}"
    assert (first["rank"], first["school"], first["count"]) == (1, SCHOOLS[1], 700), f"{first}"
    assert "  ".join([first["school"], first["name"], first["region"]]) == contest.title(1), f"{first}"
    assert "closedAtMs" not in await contest.exported("ranking"), "a season that runs has an end"
    suspects = [f"deleted, number 3  5 abnormal of 12 batches  {contest.title(2)}",
                f"{PLAYERS[1]}  3 abnormal of 12 batches, a suspect  {contest.title(1)}",
                f"{PLAYERS[2]}  1 abnormal of 12 batches  {contest.title(2)}"]
    await contest.shows(["suspects"], *suspects)
    await contest.shows(["suspects", "--limit", "3"], *suspects)
    await contest.shows(["suspects", "--limit", "1"], suspects[0], "and 2 more, see --limit")
    await contest.refused(["suspects", "--limit", "0"], "--limit must be at least 1")
    await contest.shows(["player", PLAYERS[1]], f"player {PLAYERS[1]}  {contest.title(1)}",
                        "12 batches, 3 of them abnormal, a suspect", f"season 1  700 taps, 200 of them voided  {contest.title(1)}",
                        f"season 2  40 taps  {contest.title(0)}", f"season 2  30 taps, 10 of them voided  {contest.title(1)}")
    await contest.refused(["ranking", "3"], "there is no season 3; season 2 runs")
    await contest.refused(["ranking", "0"], "there is no season 0")
    await contest.refused(["player", STRANGER], f"there is no player {STRANGER} who has chosen a school")
    await contest.refused(["player", PLAYERS[3]], "there is no player")
    await contest.refused(["player", "B2"], "The value 'B2' is invalid")
    await contest.shows(["player", "--number", "3"], f"player number 3, deleted  {contest.title(2)}", "12 batches, 5 of them abnormal",
                        f"season 1  9 taps  {contest.title(2)}")
    assert await contest.shown("player", "--number", "1") == await contest.shown("player", PLAYERS[1]), (
        "a player by number"
    )
    await contest.refused(["player", "--number", "4"], "there is no player with the number 4")
    await contest.refused(["player", "--number", "-1"], "number")
    await contest.refused(["player"], "Name a player by id, or by --number")
    await contest.refused(["player", PLAYERS[1], "--number", "1"], "Name a player by id, or by --number")


async def check_changes(contest):
    player = PLAYERS[1]
    await contest.refused(["void", STRANGER, "--season", "1"], "there is no player")
    await contest.refused(["void", player, "--season", "3"], "there is no season 3; season 2 runs")
    await contest.shows(["void", player, "--season", "2"], f"40 taps less, 0 are left  {contest.title(0)}", f"20 taps less, 0 are left  {contest.title(1)}",
                        f"60 taps of player {player} in season 2 are voided")
    await contest.shows(["void", player, "--season", "2"], f"player {player} has no taps in season 2 that count")
    await contest.shows(["ranking"], f"1  55 taps  {contest.title(2)}")
    await contest.shows(["void", player, "--season", "1"], f"500 taps less, 0 are left  {contest.title(1)}",
                        f"500 taps of player {player} in season 1 are voided")
    await contest.shows(["ranking", "1", "--now"], f"1  500 taps  {contest.title(0)}", f"2  9 taps  {contest.title(2)}")
    assert len(await contest.shown("ranking", "1")) == 3, "what was told at a closing has changed"
    # A deleted player's taps.
    await contest.refused(["void", "--number", "9", "--season", "1"], "there is no player with the number 9")
    await contest.shows(["void", "--number", "3", "--season", "1"], f"9 taps less, 0 are left  {contest.title(2)}",
                        "9 taps of player number 3 in season 1 are voided")
    await contest.shows(["void", "--number", "3", "--season", "1"], "player number 3 has no taps in season 1 that count")
    exported = await contest.exported("void", "--number", "3", "--season", "1")
    assert exported == {"number": 3, "season": 1, "voided": 0, "schools": []}, f"nothing to void: {exported}"
    exported = await contest.exported("void", PLAYERS[0], "--season", "1")
    school = {"school": SCHOOLS[0], "voided": 500, "left": 0}
    assert exported == {"player": PLAYERS[0], "number": 0, "season": 1, "voided": 500, "schools": [school]}, (
        f"a void: {exported}"
    )
    await contest.refused(["close-season", "1"], "season 1 does not run; season 2 does. Nothing has changed")
    await contest.shows(["close-season", "2"], f"1  55 taps  {contest.title(2)}", "season 2 is closed: 1 schools, 55 taps", "season 3 runs")
    await contest.refused(["close-season", "2"], "season 2 does not run; season 3 does. Nothing has changed")
    exported = await contest.exported("close-season", "3")
    assert (exported["season"], exported["ranking"]) == (3, []) and "closedAtMs" in exported, f"a closing: {exported}"
    assert await contest.exported("ranking", "3") == exported, "a closing and its ranking differ"
    lines = await contest.shown("seasons")
    assert len(lines) == 4 and lines[3] == "season 4  runs  0 schools, 0 taps", f"{lines}"
    await contest.shows(["ranking", "2"], f"1  55 taps  {contest.title(2)}")
    await contest.shows(["ranking"])
    await contest.program.check_is_whole()
    status, output, errors = await contest.program.command("audit", "--json")
    assert status == 0, f"audit ended with {status}: {errors}"
    rows = [json.loads(line) for line in output.splitlines()]
    assert all(row["address"] == "command line" for row in rows), f"who did it: {rows}"
    done = [(row["action"], row.get("player"), row["detail"]) for row in reversed(rows)]
    assert done[0] == ("voidTaps", player, "60 taps of season 2") and done[1][2] == "500 taps of season 1", (
        f"the audit log has {done}"
    )
    assert ("voidTaps", None, "9 taps of season 1, of player number 3") in done, f"the audit log has {done}"
    assert [row[2] for row in done if row[0] == "closeSeason"] == ["season 2", "season 3"], f"the audit log has {done}"


async def check_beside_server(contest):
    await contest.program.start()
    await contest.refused(["void", PLAYERS[0], "--season", "1"], "stop it first")
    await contest.refused(["close-season", "4"], "stop it first")
    assert len(await contest.shown("seasons")) == 4, "seasons beside a server"
    await contest.program.end()
    # A server with an operators' listener voids taps and closes the season itself.
    plain = contest.program.options
    contest.program.options = (*plain, "--admin-port", "0")
    await contest.program.start()
    exported = await contest.exported("void", PLAYERS[2], "--season", "2")
    school = {"school": SCHOOLS[2], "voided": 55, "left": 0}
    assert exported == {"player": PLAYERS[2], "number": 2, "season": 2, "voided": 55, "schools": [school]}, (
        f"a void by the server: {exported}"
    )
    await contest.shows(["void", PLAYERS[2], "--season", "2"], f"player {PLAYERS[2]} has no taps in season 2 that count")
    await contest.refused(["void", STRANGER, "--season", "2"], "there is no player")
    await contest.refused(["void", PLAYERS[0], "--season", "9"], "there is no season 9")
    await contest.refused(["void", "--number", "3", "--season", "1"], "while no server runs: stop it first")
    await contest.refused(["close-season", "3"], "the server has done nothing")
    await contest.shows(["close-season", "4"], "season 4 is closed: 0 schools, 0 taps", "season 5 runs")
    assert len(await contest.shown("seasons")) == 5, "the season is closed"
    await contest.program.end()
    contest.program.options = plain


async def check_damage(contest):
    status, _, errors = await contest.program.command("taps", "close-season", "1", data=str(contest.program.data / "none"))
    assert status == 64 and "no store" in errors, f"no folder: {errors}"
    assert not (contest.program.data / "none").exists(), "a store was made"
    with contextlib.closing(contest.program.database()) as database, database:
        database.execute("UPDATE tap_totals SET count = count + 1 WHERE school = 0 AND season = 1")
    status, lines, errors = await contest.run("seasons")
    assert status == 0 and len(lines) == 5 and errors.startswith("Warning: something of the taps"), (
        f"a look: {status} {errors}"
    )
    await contest.refused(["close-season", "5"], "see madang check. Nothing has changed")
    await contest.refused(["void", PLAYERS[0], "--season", "1"], "see madang check. Nothing has changed")
    status, output, _ = await contest.program.command("check")
    assert (status, output) == (1, "season 1, school SAMPLE0001: players counted 0, the total is 1\n"), (
        f"check: {status} {output}"
    )
    with contextlib.closing(contest.program.database()) as database, database:
        database.execute("UPDATE tap_totals SET count = 'many' WHERE school = 0 AND season = 1")
    status, lines, errors = await contest.run("seasons")
    assert status != 0 and not lines and "tap_totals" in errors and "to a backup" in errors, (
        f"damage: {status} {errors}"
    )


async def test_taps_are_voided_and_seasons_closed_unless_a_server_runs_or_sums_do_not_agree(contest):
    """The audit log has the actions. With sums that do not agree nothing is changed, and damage names its table."""
    await check_changes(contest)
    await check_beside_server(contest)
    await check_damage(contest)
