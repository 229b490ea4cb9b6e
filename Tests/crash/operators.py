"""Operators' changes of the contest between a kill and the next start, and the sums that must follow.

Seasons are closed and taps are voided by `madang taps`; its output is kept. At the end each acknowledged tap is in the
final ranking of a closed season, or in a total of the running season, or was voided while its season ran. A final
ranking stays as it was printed, also after later voids.
"""
import collections
import contextlib
import json
import secrets
import sqlite3

from client import check

# The most voids in the running season, and in an earlier one.
VOIDS_AT_ONCE = (3, 2)


class Operators:
    def __init__(self, program, rng):
        self.program = program
        self.rng = rng
        # The final rankings as the closings printed them, from season 1.
        self.finals = []
        # The voids as they were printed; each with a flag: its season was running.
        self.voids = []

    @property
    def season(self):
        """The season that must be running."""
        return len(self.finals) + 1

    async def act(self, number):
        """Does a round's change; returns it in words. Some rounds have none: records alone then restore all taps."""
        if number % 5 == 3:
            return await self.close()
        return await self.void_some() if number % 5 in (2, 4) else ""

    async def close(self):
        final = await self.told("close-season", str(self.season))
        check(final["season"] == self.season, f"season {final['season']} was closed, not {self.season}")
        self.finals.append(final)
        return f"; season {final['season']} closed with {sum(counts(final).values())} taps"

    async def void_some(self):
        await self.void_stranger()
        seasons = [self.season] + self.rng.sample(range(1, self.season), min(1, len(self.finals)))
        taps = []
        for season, most in zip(seasons, VOIDS_AT_ONCE):
            players = self.counted(season)
            for player in self.rng.sample(players, min(most, len(players))):
                taps.append(await self.void(player, season))
                check(taps[-1] > 0, f"nothing of player {player} in season {season} was voided")
            if players:
                # A second void of the last player.
                check(await self.void(player, season) == 0, f"player {player} was voided twice in season {season}")
        return f"; {sum(taps)} taps of {len(taps)} players voided"

    async def void(self, player, season):
        """Voids a player's taps; returns their number."""
        void = await self.told("void", player, "--season", str(season))
        check((void["player"], void["season"]) == (player, season), f"another void than of {player} in {season}: {void}")
        check(void["voided"] == sum(losses(void).values()), f"a void that is not the sum of its schools: {void}")
        self.voids.append((season == self.season, void))
        return void["voided"]

    async def void_stranger(self):
        """A void of an unknown player is refused and changes nothing."""
        before = await self.program.command("taps", "seasons")
        stranger = secrets.token_hex(16)
        status, output, errors = await self.program.command("taps", "void", stranger, "--season", "1")
        is_told = status == 64 and not output and f"there is no player {stranger}" in errors
        check(is_told, f"a stranger's taps were not refused: {status} {output}{errors}")
        check(await self.program.command("taps", "seasons") == before, "a stranger's void has changed the seasons")

    def counted(self, season):
        """Players whose rows have taps that count; taps that are only in records have no row yet."""
        # Read-only, so that the program itself recovers the log after the kill.
        database = sqlite3.connect(f"file:{self.program.data / 'madang.sqlite'}?mode=ro", uri=True)
        with contextlib.closing(database):
            rows = database.execute(
                """
                SELECT DISTINCT hex(tap_players.player) FROM tap_counts JOIN tap_players ON number = tap_counts.player
                WHERE season = ? AND count > voided ORDER BY 1
                """,
                [season],
            )
            return [player.lower() for (player,) in rows]

    def counts_by_player(self):
        """Each player's total of all seasons with voided taps, after a clean end, when all taps are in rows."""
        with contextlib.closing(sqlite3.connect(f"file:{self.program.data / 'madang.sqlite'}?mode=ro", uri=True)) as database:
            rows = database.execute(
                """
                SELECT hex(tap_players.player), SUM(count) FROM tap_counts JOIN tap_players ON number = tap_counts.player
                GROUP BY tap_players.player
                """
            )
            return {player.lower(): count for player, count in rows}

    async def told(self, *arguments):
        """The JSON output of a command of the contest."""
        status, output, errors = await self.program.command("taps", *arguments, "--json")
        check(status == 0 and not errors, f"madang taps {arguments} ended with {status}: {output}{errors}")
        return json.loads(output)

    def voided(self, season, while_running):
        """The voided taps of each school in a season, while it ran or since."""
        taken = [losses(void) for ran, void in self.voids if ran == while_running and void["season"] == season]
        return total(taken)

    async def check_sums(self, bots):
        """Compares the data with the bots' answers and the operators' changes; returns the sums in words."""
        running = await self.told("ranking")
        check(running["season"] == self.season, f"season {running['season']} runs, not {self.season}")
        agree("the total in the data and as the bots were told it", counts(running), bots["totals"])
        for final in self.finals:
            season = final["season"]
            now = counts(await self.told("ranking", str(season), "--now"))
            check(await self.told("ranking", str(season)) == final, f"the final ranking of season {season} has changed")
            since = self.voided(season, while_running=False)
            agree(f"season {season} as it was told, and now with what was voided since", counts(final), total([now, since]))
        seasons = [counts(final) for final in self.finals] + [counts(running)]
        voided = [self.voided(season, while_running=True) for season in range(1, self.season + 1)]
        agree("what was acknowledged, and what is in all seasons or voided", bots["acknowledged"], total(seasons + voided))
        agree("what each player was told, and their counts of all seasons", bots["players"], self.counts_by_player())
        # A closing sets all own counts to 0, and a void in the running season sets one to 0; nothing else does.
        most = len(self.finals) * len(bots["players"]) + sum(ran for ran, _ in self.voids)
        begun_anew = bots["begunAnew"]
        check(begun_anew <= most, f"{begun_anew} own counts have begun anew, and operators had it so for {most} at most")
        check(not self.finals or begun_anew > 0, "seasons were closed, and no bot's own count has begun anew")
        taken = sum(void["voided"] for _, void in self.voids)
        return f"{sum(bots['acknowledged'].values())} taps in {self.season} seasons, {taken} of them voided"


def counts(ranking):
    return {place["school"]: place["count"] for place in ranking["ranking"]}


def losses(void):
    return {school["school"]: school["voided"] for school in void["schools"]}


def total(parts):
    """The sum of all parts, by school."""
    sums = collections.Counter()
    for part in parts:
        sums.update(part)
    return sums


def agree(what, one, other):
    """Compares two counts by school or player."""
    wrong = {
        school: (one.get(school, 0), other.get(school, 0))
        for school in one.keys() | other.keys() if one.get(school, 0) != other.get(school, 0)
    }
    check(not wrong, f"{what}: these differ: {wrong}")
