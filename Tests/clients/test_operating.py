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
from osm_file import write_extract
from program import Program
from test_lands import YARDS
from test_proposals import connected, walk_and_propose
from test_schools import HEADER, rows, search_list

TESTS = pathlib.Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
DOCUMENT = ROOT / "docs" / "OPERATING.md"
# Lines that are no command: files' contents, which other tests take from the document.
OTHER_BLOCKS = ("{", "location /", "ops.example.org {", "[operator", "import base64", "# found")
# Commands that start a server.
SERVERS = ("scripts/serve --release", "madang serve")
# Commands for machines of other kinds, each with the file of a test and the words by which it does the same there.
ELSEWHERE = {
    "sudo apt install ./dist/madang_*.deb": ("package/deployed.py", '"apt-get", "install"'),
    "sudo journalctl -u madang": ("package/test_package.py", '"journalctl", "-u", "madang"'),
    "sudo -u madang madang games --data /var/lib/madang": ("package/test_package.py", 'deployed.command("games")'),
    "sudo apt install ./dist/madang_*.deb caddy": ("package/test_ten_minutes.py", "CaddyRecipe("),
    "sudo editor /etc/madang/madang.json": ("package/deployed.py", '"etc/madang/madang.json"'),
    "sudo systemctl restart madang": ("package/deployed.py", '"systemctl", "restart", "madang"'),
    "sudo cp /usr/share/doc/madang/proxies/Caddyfile /etc/caddy/Caddyfile": ("proxy/recipes.py", 'self.text("Caddyfile"'),
    "sudo systemctl reload caddy": ("proxy/recipes.py", '"caddy", "reload"'),
    "sudo runuser -u madang -- madang operators add yuna --role admin --data /var/lib/madang": (
        "package/test_ten_minutes.py", '"operators", "add", name, "--role", role'
    ),
    "sudo systemctl enable --now madang-backup.timer": (
        "package/test_package.py", '"systemctl", "enable", "--now", "madang-backup.timer"'
    ),
    "sudo podman load -i dist/madang_*.oci.tar": ("package/test_compose.py", 'runbook("podman", "load")'),
    "sudo podman-compose -f packaging/compose.yaml up -d": ("package/test_compose.py", 'runbook("podman-compose", "up")'),
    "sudo podman-compose -f packaging/compose.yaml restart -t 60": (
        "package/test_compose.py", 'runbook, "podman-compose", "restart"'
    ),
    "sudo podman-compose -f packaging/compose.yaml down -t 60": (
        "package/test_compose.py", 'runbook, "podman-compose", "down"'
    ),
    "sudo systemctl stop madang": ("package/test_ten_minutes.py", '"systemctl", "stop", "madang"'),
    "sudo mv /var/lib/madang /var/lib/madang.away": ("package/test_ten_minutes.py", '"mv", DATA, f"{DATA}.away"'),
    "sudo install -d -o madang -g madang -m 700 /var/lib/madang": (
        "package/test_ten_minutes.py", '"install", "-d", "-o", "madang", "-g", "madang", "-m", "700", DATA'
    ),
    "sudo runuser -u madang -- madang restore FILE --data /var/lib/madang": (
        "package/test_ten_minutes.py", '"madang", "restore", backup, "--data", DATA'
    ),
    "sudo cp -p /var/lib/madang.away/madang.operators /var/lib/madang/": (
        "package/test_ten_minutes.py", '"cp", "-p", f"{DATA}.away/madang.operators", DATA'
    ),
    "sudo systemctl start madang": ("package/test_ten_minutes.py", '"systemctl", "start", "madang"'),
    # The tests' bucket has another address, and is a process of theirs.
    "madang serve --copy-to s3://backups/madang --copy-endpoint https://s3.example.org --copy-key-file /etc/madang/copy.key": (
        "copies/test_copies.py", '"--copy-endpoint", bucket.endpoint'
    ),
    "madang restore --from s3://backups/madang --copy-endpoint https://s3.example.org --copy-key-file /etc/madang/copy.key": (
        "copies/test_copies.py", '"--copy-endpoint", bucket.endpoint'
    ),
}
MAP_MAKER = "scripts/generate-map seoul.osm.pbf seoul.pmtiles"
WITHIN_S = 60


def blocks():
    return re.findall(r"^```[a-z]*\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)


def lines():
    """All commands of the document in its order, without remarks."""
    for block in blocks():
        if not block.startswith(OTHER_BLOCKS):
            for line in re.sub(r"\s*\\\n\s*", " ", block).splitlines():
                yield re.sub(r"\s+# .*$", "", line)


def commands():
    """The commands that an operator types on the server's machine, beside the server."""
    for line in lines():
        if line.startswith(("madang ", "curl ")) and not line.startswith(SERVERS) and line not in ELSEWHERE:
            yield line


def servers():
    return [line for line in lines() if line.startswith(SERVERS) and line not in ELSEWHERE]


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


def test_no_command_is_left_that_no_test_runs():
    tried = {*commands(), *servers(), MAP_MAKER}
    left = [line for line in lines() if line not in tried and line not in ELSEWHERE]
    assert not left, f"nobody tries these lines: {left}"
    gone = [line for line in (*ELSEWHERE, MAP_MAKER) if line not in set(lines())]
    assert not gone, f"these lines are no more in the document: {gone}"
    for line, (test, words) in ELSEWHERE.items():
        assert words in (TESTS / test).read_text(), f"{test} does not try {line!r}: it has no {words}"


def test_servers_start_with_the_options_of_the_runbook(madang, make_certificate, tmp_path):
    """As they stand, but for free ports and for the names of files that are an operator's own."""
    make_certificate(tmp_path)
    write_extract(tmp_path / "seoul.osm.pbf")
    maker = MAP_MAKER.replace("scripts/", f"{ROOT}/scripts/").replace("seoul.", f"{tmp_path}/seoul.")
    made = subprocess.run(maker.split(), capture_output=True, text=True, check=False)
    assert made.returncode == 0 and " tiles, " in made.stdout, f"{maker}: {made.stdout}{made.stderr}"
    files = {"fullchain.pem": "cert.pem", "privkey.pem": "key.pem", "seoul.pmtiles": "seoul.pmtiles"}
    assert len(servers()) >= 4, servers()
    for number, line in enumerate(servers()):
        words = line.removeprefix("scripts/serve --release").removeprefix("madang serve").split()
        options = [str(tmp_path / files[word]) if word in files else word for word in words]
        for port in ("--port", "--admin-port"):
            if port in options:
                options[options.index(port) + 1] = "0"
        free = [] if "--port" in options else ["--port", "0"]
        server = subprocess.Popen(
            [madang, "serve", "--data", tmp_path / f"data-{number}", *free, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        try:
            printed = [server.stdout.readline()]
            if printed[0].startswith("admin "):
                printed.append(server.stdout.readline())
            server.terminate()
            _, errors = server.communicate(timeout=WITHIN_S)
        finally:
            server.kill()
            server.wait()
        assert printed[-1].startswith("ready ") and server.returncode == 0, f"{line}: {printed} {errors}"
        assert ("--admin-port" in options) == printed[0].startswith("admin "), f"{line}: {printed}"


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
