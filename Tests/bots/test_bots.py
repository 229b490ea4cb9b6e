"""Bots play whole games in real time, and compute the expected results by themselves.

Footprint, territory and land mode, honest players and cheats, phones that lose their network, all at once on one server.
A walk fails when an expectation of its bots is missed, and also when one was never met. Beside it phones play on a
server of their own, which is killed under them.
"""
import json
import pathlib
import re
import shutil
import subprocess
import time

import pytest

from operators_listener import OperatorsListener
from program import running

ROOT = pathlib.Path(__file__).resolve().parents[2]
YARDS = ROOT / "Tests" / "lands" / "yards.geojson"
# More than the longest walk takes.
WITHIN_S = 180

TRACKS = sorted(ROOT.parent.glob("shared/data/gpx/*.gpx")) or sorted(ROOT.glob("Tests/tracks/*.gpx"))
CHEATS = ["teleporter", "speeder", "frozen", "mocker"]
TERRITORY = [
    "--mode", "territory", "--cells", "60", "--pace", "10", "--rate", "2", "--resume-every", "8",
]
# The half in which a cheat must become suspect: a speed is a finding after 10 s, and three findings make a suspect.
CHEATING = ["--seconds", "90"]
# The lands' identifiers follow it.
LAND = ["--mode", "land", "--rate", "2", "--lands"]
PHONES = ["--dead-zones", "short", "--gpx", *TRACKS]
WALKS = {
    "footprint": [
        "--gpx", *TRACKS, "--rooms", "2", "--players", "10", "--rate", "1", "--seconds", "62", "--check-boards",
    ],
    "footprint-cheats": ["--bots", *CHEATS, "--rate", "2", *CHEATING],
    "territory": ["--rooms", "8", "--seconds", "60", *TERRITORY],
    "territory-cut-paths": ["--rooms", "4", "--seconds", "60", "--cutting", "--subprotocol", "json", *TERRITORY],
    "territory-cheats": [
        "--rooms", "2", "--players", "6", "--bots", "looper", "thief", *CHEATS, "--cutting", *CHEATING, *TERRITORY,
    ],
    "land": ["--rooms", "2", "--seconds", "40", "--resume-every", "7", *LAND],
    "land-alone": [
        "--rooms", "2", "--players", "1", "--pace", "10", "--seconds", "60", "--resume-every", "7",
        "--subprotocol", "json", *LAND,
    ],
    "footprint-filled": ["--rooms", "4", "--players", "1", "--fill", "10", "--seconds", "60", "--check-boards"],
    "territory-filled": ["--rooms", "4", "--players", "2", "--fill", "10", "--seconds", "120", *TERRITORY],
    "phones": [*PHONES, "--rooms", "10", "--players", "1", "--seconds", "60"],
    "phones-open": [*PHONES, "--receiver", "open", "--rooms", "10", "--players", "1", "--seconds", "60"],
    "phones-city": [*PHONES, "--receiver", "city", "--rooms", "10", "--players", "1", "--seconds", "60"],
    "phones-shared": [
        *PHONES, "--receiver", "city", "--rooms", "2", "--players", "10", "--seconds", "60", "--subprotocol", "json",
    ],
    "phones-canyon": [*PHONES, "--receiver", "canyon", "--rooms", "10", "--players", "1", "--seconds", "60"],
    "phones-strolling": ["--receiver", "canyon", "--rooms", "20", "--players", "1", "--seconds", "60"],
    "phones-territory": ["--dead-zones", "short", "--mode", "territory", "--rooms", "2", "--seconds", "60"],
    # A lap takes most of the game.
    "land-phones": [
        "--dead-zones", "short", "--rooms", "10", "--players", "1", "--pace", "0.9", "--seconds", "60", "--mode",
        "land", "--lands",
    ],
    # So slow that the honest half finishes no lap of a land.
    "land-cheats": ["--bots", *CHEATS, "--pace", "0.8", *CHEATING, *LAND],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("bots")


@pytest.fixture(scope="module")
def lands(madang, folder):
    """The identifiers of all lands, with commas between."""
    data = ["--data", folder / "data"]
    subprocess.run([madang, "lands", "import", YARDS, *data], check=True)
    listed = subprocess.run([madang, "lands", "list", *data], check=True, capture_output=True, text=True).stdout
    return ",".join(line.split()[0] for line in listed.splitlines())


@pytest.fixture(scope="module")
def walks(request, madang, loadtest, folder, lands):
    """All selected walks, begun at once: their processes and outputs."""
    with running(madang, folder) as server:
        begun = {}
        expected = ["--expect-errors", "0", "--expect-misses", "0", "--expect-met", "1"]
        for item in [item for item in request.session.items if item.path == request.path]:
            if "walk" in item.fixturenames:
                walk = item.callspec.params["walk"]
                of_land = [lands] if walk.startswith("land") else []
                arguments = ["walk", "--tick-hz", "10", *expected, *WALKS[walk], *of_land]
            elif "cheats" in item.fixturenames:
                walk = "cheats"
                arguments = ["cheats", "--games", "3", "--land", lands.split(",")[-1]]
            else:
                continue
            report = folder / f"{walk}.log"
            with open(report, "wb") as output:
                process = subprocess.Popen(
                    [loadtest, *arguments, "--url", server.url],
                    stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                )
            begun[walk] = process, report
        try:
            yield begun
        finally:
            for process, _ in begun.values():
                process.kill()
                process.wait()


@pytest.fixture
def cheats(walks):
    return walks["cheats"]


def bots_see_what_they_expect(process, report):
    status = process.wait(WITHIN_S)
    print(report.read_text(errors="replace"))
    assert status == 0, f"the bots ended with {status}"


def test_bots_that_watch_places_are_answered_and_told(madang, loadtest, tmp_path):
    """They walk in a square around the middle of a fence, and dwell in it while the bots measure; without a watch the
    same fixes have no answer."""
    fence = {
        "type": "Feature", "properties": {"name": "마당", "radiusM": 400, "dwellS": 8},
        "geometry": {"type": "Point", "coordinates": [126.978, 37.5665]},
    }
    path = tmp_path / "fence.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [fence]}))
    subprocess.run([madang, "fences", "import", path, "--data", tmp_path / "data"], check=True)
    with running(madang, tmp_path) as server:
        for options, answered in (([], True), (["--unwatched"], False)):
            walk = [loadtest, "places", "--url", server.url, "--players", "20", "--square-m", "100", "--seconds", "8"]
            output = subprocess.run([*walk, *options], check=True, capture_output=True, text=True, timeout=WITHIN_S).stdout
            walked, = re.findall(r"^walked +(\d+) fixes of 20 players", output, re.MULTILINE)
            assert 100 <= int(walked) <= 180, output
            fixes, = re.findall(r"^fixes answered +(\d+),", output, re.MULTILINE)
            # Those of the first and the last moment are counted on one side alone.
            assert abs(int(fixes) - int(walked)) <= 20 if answered else int(fixes) == 0, output
            events, = re.findall(r"^told +(\d+) events of fences, 0 capsules openable", output, re.MULTILINE)
            assert (events != "0") == answered, output


def test_bots_in_posts_find_all_counts_as_reckoned(madang, loadtest, tmp_path):
    """They write, like, comment, look and upload; then twenty watch one post in which others comment and like."""
    pictures = ["--picture-percent", "10", "--picture-kb", "20"] if shutil.which("vips") else ["--picture-percent", "0"]
    with running(madang, tmp_path, "--shards", "2") as server:
        for options in (
            ["--players", "40", "--rate", "1", "--seconds", "20", "--expect-acts", "400", *pictures],
            ["--viewers", "20", "--acts-per-second", "20", "--seconds", "10", "--look-every", "2",
             "--subprotocol", "json", "--expect-acts", "100"],
        ):
            stories = [loadtest, "stories", "--url", server.url, *options]
            done = subprocess.run(stories, capture_output=True, text=True, timeout=WITHIN_S)
            print(done.stdout, done.stderr)
            assert done.returncode == 0, done.stdout
            assert "exactly as reckoned" in done.stdout


def test_phones_lose_nothing_to_a_killed_server(walks, madang, loadtest, tmp_path, seed):
    """The other walks play meanwhile."""
    with running(madang, tmp_path, "--shards", "2", "--admin-port", "0") as server:
        report = tmp_path / "killed.log"
        with open(report, "wb") as output:
            process = subprocess.Popen(
                [loadtest, "walk", "--url", server.url, "--expect-errors", "0", "--expect-misses", "0",
                 "--expect-met", "1", *PHONES, "--rooms", "10", "--players", "1", "--seconds", "60", "--seed", str(seed)],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            )
        try:
            # Moments of the game; nothing waits for them.
            for pause_s in (12 + seed % 5, 15 + seed % 7):
                time.sleep(pause_s)
                server.destroy()
                server.launch()
            bots_see_what_they_expect(process, report)
            assert "connections ended by the server" in report.read_text()
            # Since the last start no room was made or joined: connections that moved have come back on another shard.
            assert OperatorsListener(server.admin).metrics()["madang_connections_moved_total"] > 0
        finally:
            process.kill()
            process.wait()


def test_cheats_gain_nothing(cheats):
    bots_see_what_they_expect(*cheats)


@pytest.mark.parametrize("walk", WALKS)
def test_bots_see_what_they_expect_of_a_game(walks, walk):
    bots_see_what_they_expect(*walks[walk])
