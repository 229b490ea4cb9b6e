"""The commands of docs/OPERATING.md, run as they stand there, beside a server with players, games and proposals."""
import asyncio
import json
import os
import pathlib
import re
import secrets
import shutil
import socket
import subprocess
import time
import urllib.parse

import pytest

from operators_listener import OperatorsListener
from program import Program
from test_lands import YARDS
from test_proposals import connected, walk_and_propose
from test_schools import HEADER, rows, search_list

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "OPERATING.md"
# Scripts of their own try these: packages, images, proxies, maps, and a server with further options.
ELSEWHERE = ("sudo ", "podman ", "scripts/", "madang serve ", "pmtiles ")
OTHER_BLOCKS = ("{", "location /", "[operator", "import base64", "# found")
WITHIN_S = 60


def blocks():
    return re.findall(r"^```[a-z]*\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)


def commands():
    """The commands that an operator types on the server's machine, in the document's order."""
    for block in blocks():
        if block.startswith(OTHER_BLOCKS):
            continue
        for line in block.replace("\\\n", " ").splitlines():
            assert line.startswith(("madang ", "curl ") + ELSEWHERE), f"nobody tries this line: {line!r}"
            # A bucket is that of the tests of copies.
            if not line.startswith(ELSEWHERE) and "s3://" not in line:
                yield re.sub(r"\s+# .*$", "", line)


class Deployment:
    """A server's machine: a folder with what the document names, and the words that stand for others in it."""

    def __init__(self, program, folder, copy):
        self.program = program
        self.folder = folder
        self.words = {"/mnt/copy": str(copy)}
        self.restored = 0
        (folder / "data").symlink_to(program.data)
        (folder / "bin").mkdir()
        wrapper = folder / "bin" / "madang"
        wrapper.write_text(f'#!/bin/sh\nexec "{program.program}" "$@"\n')
        wrapper.chmod(0o755)
        self.environment = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}

    def name(self, **words):
        self.words |= words

    def typed(self, command):
        """The command with what its words stand for here."""
        for word, value in self.words.items():
            command = command.replace(word, value)
        if command.startswith("madang restore"):
            # Into an empty folder: that of the server has its data.
            self.restored += 1
            command = re.sub(r" --data \S+", "", command) + f" --data restored-{self.restored}"
        if "elem.json" in command:
            # An edition of its own: the other one has other numbers.
            return command + " --data other"
        return command + " --once" if command == "madang top" else command

    def run(self, command):
        return subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True,
            timeout=WITHIN_S, check=False, stdin=subprocess.DEVNULL,
        )

    async def try_out(self, command, expected=0):
        """Runs a command of the document; the output."""
        typed = self.typed(command)
        done = await asyncio.to_thread(self.run, typed)
        assert done.returncode == expected, f"`{typed}` ended with {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout


def test_each_alert_has_its_row():
    rules = (DOCUMENT.parent / "prometheus" / "alerts.yml").read_text()
    alerts = re.findall(r"- alert: (\w+)", rules)
    rows_of = [name for line in DOCUMENT.read_text().splitlines() if line.startswith("| `Madang")
               for name in re.findall(r"`(Madang\w+)`", line.split("|")[1])]
    assert sorted(rows_of) == sorted(alerts)


@pytest.fixture
def program(madang, tmp_path):
    options = ("--admin-port", "0", "--copy-to", str(tmp_path / "copy"), "--copy-seconds", "1")
    program = Program(madang, tmp_path / "data", tmp_path / "log", *options)
    (tmp_path / "data").mkdir()
    (tmp_path / "copy").mkdir()
    yield program
    program.destroy()


def write_files(deployment, program):
    """The files that the commands name."""
    folder = deployment.folder
    shutil.copy(YARDS, folder / "yards.geojson")
    fences = [block for block in blocks() if block.startswith('{"type": "FeatureCollection"')]
    (folder / "fences.geojson").write_text(*fences)
    (folder / "schools.csv").write_text("\n".join([HEADER, *rows(250)]))
    for name, word, kind in (("elem", "초등", "초등학교"), ("midd", "중", "중학교"), ("high", "고등", "일반고")):
        (folder / f"{name}.json").write_text(search_list([(f"가람{number}{word}학교", {"schoolGubun": kind}) for number in range(30)]))
    (folder / "backups").mkdir()
    (folder / "madang.json").write_text(f'{{"publicUrl": "http://{program.address}", "data": "{program.data}"}}')
    deployment.name(**{
        "https://play.example.org": f"http://{program.address}", "/var/lib/madang-backups": str(folder / "backups"),
        "/var/lib/madang": str(program.data), "/etc/madang/madang.json": str(folder / "madang.json"),
    })


async def play(program, deployment):
    """Two players walk around grounds of theirs and propose them; one has tapped for a school."""
    players = [await connected(program, name, secrets.token_hex(16)) for name in ("가람", "나래")]
    proposals = await asyncio.gather(
        walk_and_propose(players[0], 375_000_000, "작은 마당"), walk_and_propose(players[1], 375_900_000, "남의 마당"),
    )
    schools = (await players[0].ask("searchSchools"))["schools"]["schools"]
    await players[0].ask("chooseSchool", schoolId=schools[0]["schoolId"])
    await players[0].ask("tap", batch=1, count=9)
    game = (await players[0].ask("results"))["results"]["results"][0]["gameId"]
    deployment.name(
        **{"GAME": game, "5b7e41868f1c2d3e4a5b6c7d3f2a9c0d": proposals[0]["proposalId"]},
    )
    return proposals


async def test_the_commands_of_the_runbook_run_as_they_stand(program, tmp_path):
    await program.start()
    folder = tmp_path / "machine"
    folder.mkdir()
    deployment = Deployment(program, folder, tmp_path / "copy")
    write_files(deployment, program)
    listener = OperatorsListener(program.admin)
    deployment.environment["TOKEN"] = listener.token
    deployment.name(**{"http://127.0.0.1:9100": f"http://{listener.host}:{listener.port}"})
    proposals = await play(program, deployment)
    with program.database() as database:
        taps = database.execute("SELECT player FROM tap_players").fetchone()
        deployment.name(PLAYER=taps[0].hex())
    # The doctor looks for the backups of the timer.
    await deployment.try_out("madang backup --folder backups --keep 14 --data data")
    tried = []
    for command in commands():
        if "lands decline" in command:
            deployment.name(**{"5b7e41868f1c2d3e4a5b6c7d3f2a9c0d": proposals[1]["proposalId"]})
        if "fences remove" in command:
            listed = (await deployment.try_out("madang fences list")).splitlines()
            names = re.findall(r"[0-9a-f]{32}", " ".join(re.findall(r"fences remove (.*)", command)))
            deployment.name(**dict(zip(names, re.findall(r"\b[0-9a-f]{32}\b", "\n".join(listed)), strict=True)))
        if "--until" in command:
            deployment.name(**{"2026-11-26T03:15:00Z": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())})
        # Nobody has signed in at the console: the command says so.
        output = await deployment.try_out(command, expected=64 if "end-session" in command else 0)
        if "operators token" in command:
            # The whole token is printed, and lets a scraper in.
            listener.token = output.split()[-1]
            assert json.loads(listener.get("/v1/server")[1])["role"] == "viewer"
            listener.token = deployment.environment["TOKEN"]
        if "webhooks add" in command:
            deployment.name(**{" ID": " " + re.search(r"\b[0-9a-f]{16,32}\b", output)[0]})
        tried.append(command)
    await program.end()
    assert len(tried) >= 40, tried
    for number in range(1, deployment.restored + 1):
        done = await asyncio.to_thread(deployment.run, f"madang check --data restored-{number}")
        assert (done.returncode, done.stdout) == (0, "whole\n"), f"restored-{number}: {done.stdout}{done.stderr}"


def address_in_the_network():
    """The machine's address in the network of its default route; without one, the listener's own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            return "0.0.0.0"
        return asked.getsockname()[0]


async def test_operators_links_lead_to_a_listener_on_all_addresses(madang, tmp_path):
    options = ("--admin-port", "0", "--admin-host", "0.0.0.0")
    program = Program(madang, tmp_path / "data", tmp_path / "log", *options)
    try:
        await program.start()
        assert urllib.parse.urlsplit(program.admin).hostname == address_in_the_network()
        status, output, errors = await program.command("operators", "add", "yuna", "--role", "viewer")
        assert status == 0, errors
        link = urllib.parse.urlsplit(output.split()[-1])
        assert (link.hostname, link.path) == (address_in_the_network(), "/join"), output
        await program.end()
    finally:
        program.destroy()
