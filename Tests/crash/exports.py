"""Exports of `madang export` for games whose end players have seen, read as other programs read them."""
import datetime
import json
import math
import xml.etree.ElementTree as ElementTree

from client import Failure, check
from actions import LAT_E7, STEP_E7

EXPORTS_MAX = 30
BOARD_FIELDS = ("seat", "playerId", "nickname", "rank", "points", "distanceM", "timeS", "won", "completed")
GPX = "{http://www.topografix.com/GPX/1/1}"
EPOCH = datetime.datetime(1970, 1, 1)
EARTH_RADIUS_M = 6_371_008.8


async def check_exports(program, ledger, players, rng):
    """Checks the exports; returns the number of games and of track points."""
    seen = ledger.games()
    walkers = {identity.player_id: player for player in players for identity in player.identities}
    sample = rng.sample(sorted(seen), min(EXPORTS_MAX, len(seen)))
    points = 0
    for game in sample:
        key, number = seen[game]
        room = ledger.rooms[key]
        exported = json.loads(await printed(program, "export", game))
        check_game(exported, game, room.rules, room.boards[number], walkers)
        tracks = read_gpx(await written(program, game))
        check(tracks == tracks_of(exported), f"game {game}: the tracks in GPX are {tracks}, in JSON {exported}")
        points += sum(len(track) for _, track in tracks)
    check(not sample or points, "no track has a point")
    return len(sample), points


async def printed(program, *arguments):
    status, output, errors = await program.command(*arguments)
    check((status, errors) == (0, ""), f"madang {arguments}: {status}: {errors}")
    return output


async def written(program, game):
    file = program.data.parent / f"{game}.gpx"
    check(await printed(program, "export", game, "--output", file) == "", "an export into a file prints something")
    text = file.read_text(encoding="utf-8")
    file.unlink()
    return text


def check_game(exported, game, rules, board, walkers):
    of_game = [exported[field] for field in ("gameId", "mode", "durationS", "capacity")]
    expected = [game, rules["mode"], rules["durationS"], rules["capacity"]]
    check(of_game == expected, f"game {game}: exported as {of_game}, and was {expected}")
    # A field that JSON leaves out is 0 or false; a first place without points is nobody's, in exports too.
    rows = [{field: player.get(field, 0) for field in BOARD_FIELDS} for player in exported["players"]]
    was = [{field: row.get(field, 0) for field in BOARD_FIELDS} for row in board]
    ranks = [row.get("rank", 0) for row in board]
    seen = [place if place > 1 or row.get("points", 0) else 0 for place, row in enumerate(board, 1)]
    check(ranks == seen, f"game {game}: players saw the ranks {ranks} on {board}")
    check(rows == was, f"game {game}: exported with the board {rows}, and players saw {was}")
    began_ms, ended_ms = exported["startedAtMs"], exported["endedAtMs"]
    check(began_ms < ended_ms, f"game {game}: from {began_ms} to {ended_ms}")
    for player in exported["players"]:
        track = player["track"]
        times = [began_ms] + [point["timeMs"] for point in track] + [ended_ms]
        check(times == sorted(times), f"game {game}: times of a track are {times}")
        check_track(f"game {game}, seat {player['seat']}", player, track, walkers[player["playerId"]])


def check_track(name, row, track, walker):
    """Checks that a track has the walker's own places, once and in order, with the board's points and distance."""
    steps = [(point["latE7"] - LAT_E7) // STEP_E7 for point in track]
    check(steps == sorted(set(steps)) and len(steps) >= row["points"], f"{name}: {row['points']} points by {steps}")
    for point, step in zip(track, steps):
        place = (point["latE7"], point["lngE7"])
        check(0 < step <= walker.steps and place == walker.place(step), f"{name}: {walker.name} was never in {place}")
    # A suspect player is not scored. A player without a refusal was never suspect.
    if not walker.verdicts:
        length_m = sum(map(distance_m, track, track[1:]))
        least, most = row["distanceM"] * 0.999, (row["distanceM"] + 1) * 1.001
        check(least <= length_m <= most, f"{name}: {row['distanceM']} m on the board, {length_m:.1f} m by its track")


def distance_m(a, b):
    """The distance by the haversine formula, which differs from the server's by at most 0.1 %."""
    a_lat, b_lat = (math.radians(point["latE7"] / 1e7) for point in (a, b))
    east = math.radians((b["lngE7"] - a["lngE7"]) / 1e7)
    half = math.sin((b_lat - a_lat) / 2) ** 2 + math.cos(a_lat) * math.cos(b_lat) * math.sin(east / 2) ** 2
    return 2 * EARTH_RADIUS_M * math.asin(math.sqrt(half))


def tracks_of(exported):
    return [
        (player["nickname"], [(point["latE7"], point["lngE7"], point["timeMs"]) for point in player["track"]])
        for player in exported["players"]
    ]


def read_gpx(text):
    """Each track's name and its points, in the JSON's units."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as fault:
        raise Failure(f"GPX that is no XML: {fault}: {text}") from None
    check((root.tag, root.get("version")) == (f"{GPX}gpx", "1.1"), f"not GPX 1.1, but {root.tag} {root.attrib}")
    tracks = []
    for track in root.findall(f"{GPX}trk"):
        points = [read_point(point) for point in track.findall(f"{GPX}trkseg/{GPX}trkpt")]
        times = [time_ms for _, _, time_ms in points]
        check(times == sorted(times), f"a track that is not in the order of time: {times}")
        tracks.append((track.findtext(f"{GPX}name"), points))
    return tracks


def read_point(point):
    lat, lng = float(point.get("lat")), float(point.get("lon"))
    check(-90 <= lat <= 90 and -180 <= lng < 180, f"a point that is not on Earth: {lat}, {lng}")
    time = datetime.datetime.strptime(point.findtext(f"{GPX}time"), "%Y-%m-%dT%H:%M:%S.%fZ")
    return round(lat * 1e7), round(lng * 1e7), (time - EPOCH) // datetime.timedelta(milliseconds=1)
