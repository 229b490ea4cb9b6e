"""Checks after the crashes: of every player's results and accounts, and of the data that the server has left behind."""
import asyncio
import collections
import datetime
import json
import re
import zoneinfo

from client import Client, check
from actions import compare
from play_json import JSONCodec

# The server's time zone, far from its default.
TIME_ZONE = zoneinfo.ZoneInfo("America/Bogota")
RECORD_DAYS = 7
# The numbers of counted results that bring the badges 0, 1, 2 and so on.
BADGES = (1, 3, 5, 10, 20, 30, 50)
# The server would refuse some of more logins in a minute.
LOGINS_MAX = 40
REPLAYS_MAX = 150
CHAT_LINE = re.compile(r" (\d+) chat (?:seat|spectator) \d+ (.*)$", re.MULTILINE)


async def check_player(player):
    """Checks that each identity of a player is unchanged, with every game once and right totals. Returns its games."""
    games = set()
    for identity in [player.identity] + [other for other in player.identities if other is not player.identity]:
        if identity is not player.identity:
            if player.room:
                await player.leave_room_now()
            await player.become(identity)
        results = await player.look_at_results()
        games |= set(results)
        # Midnight may come between.
        dates = [record_dates()]
        records = await player.expect("records", "records")
        dates.append(record_dates())
        check_records(player.name, list(results.values()), records, dates)
    return games


def record_dates():
    """The days of the records at this moment."""
    today = datetime.datetime.now(TIME_ZONE).date()
    return [str(today - datetime.timedelta(days=ago)) for ago in reversed(range(RECORD_DAYS))]


def date_of_end(row):
    return str(datetime.datetime.fromtimestamp(int(row["endedAtMs"]) / 1000, TIME_ZONE).date())


def counts(row):
    return row.get("completed", False) or row.get("timeS", 0) >= 60 and row.get("distanceM", 0) >= 100


def check_records(name, rows, records, dates):
    total, days = records.get("total", {}), records.get("days", [])
    check([day["date"] for day in days] in dates, f"{name}: records of {[day['date'] for day in days]}, not of {dates}")
    rows = [row for row in rows if counts(row)]
    count = total.get("count", 0)
    check(count == len(rows), f"{name}: {count} records of {len(rows)} games that count")
    for field in ("distanceM", "timeS", "calories"):
        # The total is in whole metres and seconds; each game's value was rounded down.
        least, whole = sum(int(row.get(field, 0)) for row in rows), int(total.get(field, 0))
        check(least <= whole <= least + len(rows), f"{name}: {field} in all is {whole}, of the games {least}")
        by_day = sum(int(day.get(field, 0)) for day in days)
        check(by_day <= whole <= by_day + len(days), f"{name}: {field} in all is {whole}, of the days {by_day}")
    ends = collections.Counter(map(date_of_end, rows))
    by_date = {day["date"]: day["count"] for day in days if day.get("count")}
    check(by_date == ends, f"{name}: by day {by_date} games, but they ended on {ends}")
    due = [badge for badge, least in enumerate(BADGES) if len(rows) >= least]
    badges = [badge.get("badge", 0) for badge in records.get("badges", [])]
    check(sorted(badges) == due, f"{name}: has badges {badges} for {len(rows)} games that count")


def members(players):
    """The identities with an account."""
    return [identity for player in players for identity in player.identities if identity.account]


async def check_logins(url, members):
    """Checks that the newest registered identities can log in."""
    for identity in members[-LOGINS_MAX:]:
        email, password = identity.account
        client = Client(url, JSONCodec(), email)
        await client.connect()
        welcome = await client.expect("welcome", "login", email=email, password=password)
        check(welcome["playerId"] == identity.player_id, f"{email} is {welcome['playerId']}, not {identity.player_id}")
        await client.close()
    return min(len(members), LOGINS_MAX)


async def check_data(program, ledger, named, rng):
    """Checks that the data is whole, has every game with a seen end or a result, and replays the games to the same end.
    Returns the games, and the number of replayed ones."""
    await program.check_is_whole()
    seen = ledger.games()
    listed = await list_games(program)
    missing = (set(seen) | named) - set(listed)
    check(not missing, f"madang games does not list {missing}")
    sample = listed if len(listed) <= REPLAYS_MAX else rng.sample(listed, REPLAYS_MAX)
    # The number of replays at a time: the expected number of processors.
    for first in range(0, len(sample), 2):
        await asyncio.gather(*(check_replay(program, ledger, seen, game) for game in sample[first:first + 2]))
    return listed, len(sample)


async def list_games(program, data=None):
    status, output, errors = await program.command("games", "--count", "1000000", data=data)
    check(status == 0, f"madang games: {status}: {output}{errors}")
    listed = [line.split()[0] for line in output.splitlines()]
    check(len(set(listed)) == len(listed), "madang games lists a game twice")
    status, output, errors = await program.command("games", "--json", "--count", "1000000", data=data)
    check(status == 0, f"madang games --json: {status}: {output}{errors}")
    games = [json.loads(line) for line in output.splitlines()]
    check([game["gameId"] for game in games] == listed, "madang games --json lists other games")
    for game in games:
        check(re.fullmatch(r"[0-9A-Z]{5}-[0-9A-Z]{5}", game["code"]), f"a game without its room's code: {game}")
    return listed


async def check_replay(program, ledger, seen, game, data=None):
    status, output, errors = await program.command("replay", game, "--events", data=data)
    check(status == 0 and "the same" in output, f"madang replay {game}: {status}: {output}{errors}")
    if game not in seen:
        return
    key, _ = seen[game]
    for number, text in CHAT_LINE.findall(output):
        check(int(number) in ledger.rooms[key].chats, f"madang replay {game}: chat {number} was no chat")
        where = ledger.seen.get(text)
        check(where in (None, (key, int(number))), f"madang replay {game}: {text} is {number}, and was seen in {where}")
