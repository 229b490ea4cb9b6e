"""Metrics of a server with a game on it: the real program, scraped and read by other projects' tools."""
import asyncio
import json
import pathlib
import re
import secrets
import subprocess

import pytest

from client import Client
from operators_listener import OperatorsListener
from play_json import JSONCodec
from play_proto import ProtoCodec
from program import running

DOCUMENTS = pathlib.Path(__file__).resolve().parents[2] / "docs"
RULES = DOCUMENTS / "prometheus" / "alerts.yml"
DURATION_S = 10


def samples(text):
    """A scrape's series with their values."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            series, value = line.rsplit(" ", 1)
            found[series] = float(value)
    return found


def names_asked_for(text):
    """The names of metrics in expressions of PromQL."""
    return set(re.findall(r"\b(?:madang|process)_[a-z_]+\b", text))


def labels_asked_for(text):
    """Metric, label and value of each selector of PromQL that names a value of the server's."""
    asked = set()
    for name, selector in re.findall(r"\b((?:madang|process)_[a-z_]+)\{([^}]*)\}", text.replace('\\"', '"')):
        for label, operator, value in re.findall(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"', selector):
            # Labels that Prometheus adds to a scrape, and variables that a dashboard's reader chooses.
            if label in ("instance", "job") or value.startswith("$"):
                continue
            asked |= {(name, label, each) for each in (value.split("|") if "~" in operator else [value])}
    return asked


@pytest.fixture(scope="module")
def server(madang, tmp_path_factory):
    with running(madang, tmp_path_factory.mktemp("metrics"), "--admin-port", "0") as server:
        yield server


@pytest.fixture(scope="module")
def operators(server):
    return OperatorsListener(server.admin)


@pytest.fixture(scope="module")
def scrapes(server, operators):
    """The text of the metrics before a game, and in it while both players are connected."""
    before = operators.get("/metrics")[1].decode()
    return before, asyncio.run(play_and_scrape(server.origin, operators))


def test_the_listener_opens_by_token_and_cookie_and_to_no_other_page(operators):
    assert operators.ask("/healthz")[0].status == 200, "/healthz is not for everybody"
    assert operators.ask("/metrics")[0].status == 401, "metrics without a token"
    foreign = {"Authorization": f"Bearer {operators.token}", "Origin": "https://evil.example"}
    assert operators.ask("/metrics", **foreign)[0].status == 403, "metrics for a foreign page"
    assert operators.ask("/stats", Cookie=operators.cookie)[0].status == 200, "the cookie opens nothing"


async def play(url):
    host, guest = Client(url, JSONCodec(), "host"), Client(url, ProtoCodec(), "guest")
    for client, nickname in ((host, "가람"), (guest, "나래")):
        await client.connect()
        await client.hello(nickname, secrets.token_hex(16))
    await host.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=DURATION_S)
    await guest.expect_error("BAD_CODE", "joinRoom", code="nonsense")
    await guest.expect("room", "joinRoom", code=host.room.code)
    await host.expect("ok", "startGame")
    for step in range(5):
        await host.expect("ok", "move", latE7=375665000 + step * 100, lngE7=1269780000, accuracyM=5)
        await guest.expect("ok", "chat", text=f"{step}")
        # The rate is of real time: the server accepts a chat of a player each second.
        await asyncio.sleep(1.1)
    await guest.until("five chats", lambda: len(guest.room.chats) == 5)
    return host, guest


async def play_and_scrape(origin, operators):
    """The metrics while both players are connected."""
    players = await play(f"{origin}/v1/play")
    response, body = await asyncio.to_thread(operators.get, "/metrics")
    text = body.decode()
    stats = json.loads((await asyncio.to_thread(operators.get, "/stats"))[1])
    for player in players:
        await player.close()
    assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4"), "the type of the scrape"
    assert stats["connections"]["players"] == 2 and stats["rooms"]["open"] >= 1, f"figures: {stats}"
    return text


def test_a_game_is_in_the_metrics(scrapes):
    """Messages, joins, ticks and commits are counted."""
    before, after = map(samples, scrapes)

    def rise(series):
        assert series in after, f"no series {series}"
        return after[series] - before.get(series, 0)

    for series, least in (
        ('madang_messages_received_total{type="move"}', 5),
        ('madang_messages_received_total{type="chat"}', 5),
        ('madang_messages_sent_total{type="tick"}', 2),
        ('madang_joins_total', 2),
        ('madang_joins_refused_total{reason="BAD_CODE"}', 1),
        ('madang_websockets_opened_total', 2),
        ('madang_tick_lateness_seconds_count', 2),
        ('madang_tick_duration_seconds_count', 2),
        ('madang_commit_duration_seconds_count', 2),
        ('madang_network_sent_bytes_total', 100),
    ):
        assert rise(series) >= least, f"{series} rose by {rise(series)}"


@pytest.mark.parametrize("what", ["metrics", "rules"])
def test_promtool_takes_them(scrapes, what):
    given, rules = (scrapes[1], []) if what == "metrics" else (None, [RULES])
    command = ["promtool", "check", what, *rules]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).strip()
    # promtool prints nothing for good metrics, and for good rules their number.
    assert done.returncode == 0 and (what == "rules" or not said), f"promtool check {what}: {said}"


@pytest.mark.parametrize("file", [DOCUMENTS / "grafana" / "madang.json", RULES], ids=lambda file: file.name)
def test_all_that_dashboard_and_rules_ask_for_is_there_with_its_labels(scrapes, file):
    scrape = samples(scrapes[1])
    known = {re.split(r"[{ ]", series)[0] for series in scrape}
    asked = names_asked_for(file.read_text())
    assert asked, f"{file.name} asks for nothing"
    assert asked <= known, f"{file.name} asks for what is not there: {sorted(asked - known)}"
    labels = labels_asked_for(file.read_text())
    assert labels, f"{file.name} asks for no label"
    for name, label, value in sorted(labels):
        found = any(series.startswith(f"{name}{{") and f'{label}="{value}"' in series for series in scrape)
        assert found, f'{file.name} asks for {name}{{{label}="{value}"}}, which is not there'


def test_madang_top_prints_its_table(madang, server, operators):
    """Without the token it prints none."""
    done = subprocess.run([madang, "top", "--url", server.admin, "--once"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "SHARD" in done.stdout and "ROOM" in done.stdout, f"madang top: {done}"
    wrong = subprocess.run(
        [madang, "top", "--url", f"http://{operators.host}:{operators.port}", "--token", "wrong", "--once"],
        capture_output=True, text=True, check=False,
    )
    assert wrong.returncode == 64 and "401" in wrong.stderr, f"madang top without the token: {wrong}"
