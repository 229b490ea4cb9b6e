#!/usr/bin/env python3
"""What operators and their Prometheus see of a server that is played on: the real program, scraped and read by others' tools.

    metrics.py ws://HOST:PORT http://HOST:PORT/?token=TOKEN PROGRAM PROMTOOL

Two players play a game; then the metrics must have counted it, promtool must take the scrape and the rules, and whatever the
dashboard and the rules ask for must be in the scrape. Ends with 0 and a line for each part that holds, or with 1 and what does
not.
"""
import asyncio
import json
import pathlib
import re
import secrets
import subprocess
import sys

from client import Client, Failure, check
from operators_listener import OperatorsListener
from play_json import JSONCodec
from play_proto import ProtoCodec

ROOT = pathlib.Path(__file__).resolve().parents[2]
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
            # What a scrape gets from Prometheus, and what a dashboard's reader chooses.
            if label in ("instance", "job") or value.startswith("$"):
                continue
            asked |= {(name, label, each) for each in (value.split("|") if "~" in operator else [value])}
    return asked


def check_access(operators):
    check(operators.ask("/healthz")[0].status == 200, "/healthz is not for everybody")
    check(operators.ask("/metrics")[0].status == 401, "metrics without a token")
    foreign = {"Authorization": f"Bearer {operators.token}", "Origin": "https://evil.example"}
    check(operators.ask("/metrics", **foreign)[0].status == 403, "metrics for a foreign page")
    check(operators.ask("/stats", Cookie=operators.cookie)[0].status == 200, "the cookie opens nothing")
    print("the operators' listener opens by token and cookie, and to no other page")


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
        await asyncio.sleep(1.1)
    await guest.until("five chats", lambda: len(guest.room.chats) == 5)
    return host, guest


async def play_and_scrape(origin, operators):
    """The metrics while both are there."""
    players = await play(f"{origin}/v1/play")
    response, body = await asyncio.to_thread(operators.get, "/metrics")
    text = body.decode()
    stats = json.loads((await asyncio.to_thread(operators.get, "/stats"))[1])
    for player in players:
        await player.close()
    check(response.headers["Content-Type"].startswith("text/plain; version=0.0.4"), "the type of the scrape")
    check(stats["connections"]["players"] == 2 and stats["rooms"]["open"] >= 1, f"figures: {stats}")
    return text


def check_counts(before, after):
    def rise(series):
        check(series in after, f"no series {series}")
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
        check(rise(series) >= least, f"{series} rose by {rise(series)}")
    print("a game is in the metrics: messages, joins, ticks, commits")


def check_by_promtool(promtool, text, rules):
    for what, command, given in (
        ("metrics", [promtool, "check", "metrics"], text),
        ("rules", [promtool, "check", "rules", str(rules)], None),
    ):
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        said = (done.stdout + done.stderr).strip()
        # Of metrics it says on success nothing, of rules how many they are.
        check(done.returncode == 0 and (what == "rules" or not said), f"promtool check {what}: {said}")
    print("promtool takes metrics and rules")


def check_names(scrape, *files):
    known = {re.split(r"[{ ]", series)[0] for series in scrape}
    for file in files:
        asked = names_asked_for(file.read_text())
        check(asked, f"{file.name} asks for nothing")
        check(asked <= known, f"{file.name} asks for what is not there: {sorted(asked - known)}")
        labels = labels_asked_for(file.read_text())
        check(labels, f"{file.name} asks for no label")
        for name, label, value in sorted(labels):
            found = any(series.startswith(f"{name}{{") and f'{label}="{value}"' in series for series in scrape)
            check(found, f'{file.name} asks for {name}{{{label}="{value}"}}, which is not there')
    print("all that the dashboard and the rules ask for is there, with its labels")


def check_top(program, operators, link):
    done = subprocess.run([program, "top", "--url", link, "--once"], capture_output=True, text=True, check=False)
    check(done.returncode == 0 and "SHARD" in done.stdout and "ROOM" in done.stdout, f"madang top: {done}")
    wrong = subprocess.run(
        [program, "top", "--url", f"http://{operators.host}:{operators.port}", "--token", "wrong", "--once"],
        capture_output=True, text=True, check=False,
    )
    check(wrong.returncode == 64 and "401" in wrong.stderr, f"madang top without the token: {wrong}")
    print("madang top prints its table")


def main():
    origin, link, program, promtool = sys.argv[1:]
    operators = OperatorsListener(link)
    rules = ROOT / "docs/prometheus/alerts.yml"
    try:
        check_access(operators)
        before = samples(operators.get("/metrics")[1].decode())
        text = asyncio.run(play_and_scrape(origin, operators))
        after = samples(text)
        check_counts(before, after)
        check_by_promtool(promtool, text, rules)
        check_names(after, ROOT / "docs/grafana/madang.json", rules)
        check_top(program, operators, link)
    except Failure as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
