"""packaging/compose.yaml as it stands, run with the newest image by the runbook's commands of podman-compose, behind Caddy
as on an operator's machine.

scripts/image-test runs it in namespaces of its own, with folders of its own for podman: so the file's port is free, and
neither images, containers nor networks of this machine are touched or left behind.
"""
import asyncio
import contextlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import time

import pytest

from client import check
from recipes import CaddyRecipe
from roommates import Roommate

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "OPERATING.md"
PORT = 8080
# Of the file.
OPEN_FILES = 1_048_576
LINKS = "HTTPS://PLAY.EXAMPLE.ORG/J/"
WITHIN_S = 120


def podman(*words, fails=False):
    """The output of a command of podman, which must succeed unless it may fail."""
    done = subprocess.run(["podman", *words], capture_output=True, text=True, timeout=WITHIN_S, check=False)
    assert fails or done.returncode == 0, f"podman {words} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout.strip()


class Compose:
    """The file's one service."""

    @property
    def container(self):
        (found,) = podman("ps", "--all", "--quiet", "--filter", "label=com.docker.compose.service=madang").split()
        return found

    def inspected(self):
        return json.loads(podman("inspect", self.container))[0]

    @property
    def pid(self):
        """The server's process, as this test sees it."""
        return self.inspected()["State"]["Pid"]

    def inside(self, *words, fails=False):
        """The output of a command in the container."""
        return podman("exec", self.container, *words, fails=fails)

    def await_health(self):
        """Waits until the file's own health check succeeds."""
        deadline = time.monotonic() + WITHIN_S
        while podman("healthcheck", "run", self.container, fails=True):
            assert time.monotonic() < deadline, f"the container is not healthy: {podman('logs', self.container)}"
            time.sleep(0.2)


@pytest.fixture(name="runbook", scope="module")
def by_runbook(tmp_path_factory):
    """Runs the runbook's command with certain words, as it stands there but for `sudo`, in a folder with the file and the
    newest image."""
    folder = tmp_path_factory.mktemp("operator")
    (folder / "packaging").symlink_to(ROOT / "packaging")
    (folder / "dist").mkdir()
    *_, newest = sorted((ROOT / "dist").glob("madang_*.oci.tar"), key=os.path.getmtime)
    (folder / "dist" / newest.name).symlink_to(newest)
    lines = re.findall(r"^sudo (podman.*?)(?: +#.*)?$", DOCUMENT.read_text(), re.MULTILINE)

    def run(*words):
        (line,) = [line for line in lines if all(word in line.split() for word in words)]
        done = subprocess.run(
            ["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=WITHIN_S, check=False
        )
        assert done.returncode == 0, f"{line} ended with {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout

    return run


@pytest.fixture(name="image", scope="module")
def loaded(runbook):
    """The newest image has the name that the file gives it."""
    assert "localhost/madang:latest" in runbook("podman", "load")


@pytest.fixture(name="compose")
def started(image, runbook):
    compose = Compose()
    try:
        runbook("podman-compose", "up")
        compose.await_health()
        yield compose
    finally:
        podman("rm", "--force", "--all", "--time", "1")
        podman("volume", "rm", "--force", "--all")


@pytest.fixture(name="caddy")
def proxied(compose, tmp_path):
    """Caddy before the published port, by the recipe."""
    caddy = CaddyRecipe(tmp_path / "caddy")
    caddy.server_port = PORT
    with caddy.running():
        yield caddy


async def pair(caddy, duration_s=30):
    """Two players in a lobby."""
    mates = [Roommate(caddy, number) for number in range(2)]
    await asyncio.gather(*(mate.come() for mate in mates))
    host, guest = (mate.client for mate in mates)
    room = await host.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=duration_s)
    check(room["joinUrl"].startswith(LINKS), f"the link is {room['joinUrl']}")
    await guest.expect("room", "joinRoom", code=room["code"])
    return mates


async def come_back(mates):
    """All resume by the sessions that they have, once the server takes connections again."""
    for mate in mates:
        await asyncio.wait_for(mate.client.reader, WITHIN_S)
    await asyncio.gather(*(mate.come_back() for mate in mates))


def check_places(mates, places):
    check([mate.place for mate in mates] == places, f"{[mate.place for mate in mates]} and not {places}")


def test_the_container_may_do_nothing_but_serve(compose):
    settings = compose.inspected()
    assert settings["HostConfig"]["ReadonlyRootfs"] and settings["EffectiveCaps"] in (None, [])
    status = dict(line.split(":", 1) for line in compose.inside("cat", "/proc/1/status").splitlines())
    assert status["Uid"].split() == ["10001"] * 4 and status["NoNewPrivs"].strip() == "1"
    for capabilities in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[capabilities], 16) == 0, f"{capabilities} is {status[capabilities]}"
    (files,) = (line for line in compose.inside("cat", "/proc/1/limits").splitlines() if line.startswith("Max open files"))
    # Where scripts/image-test has lowered it, it is the machine's own.
    own = resource.getrlimit(resource.RLIMIT_NOFILE)[1] if "CONTAINERS_CONF" in os.environ else OPEN_FILES
    assert files.split()[3:5] == [str(min(OPEN_FILES, own))] * 2
    for path in ("/x", "/usr/lib/madang/x", "/etc/x", "/var/x"):
        compose.inside("touch", path, fails=True)
        assert not compose.inside("ls", path, fails=True), f"{path} can be written"
    for path in ("/tmp/x", "/var/lib/madang/x"):
        compose.inside("touch", path)
    # Nothing but the published port of the loopback leads in.
    assert settings["HostConfig"]["PortBindings"] == {"8080/tcp": [{"HostIp": "127.0.0.1", "HostPort": f"{PORT}"}]}


def test_players_addresses_are_seen_behind_the_proxy(caddy):
    """The container's network is among the proxies that the file trusts."""
    seen = json.loads(caddy.ask("GET", "/reach", source="127.0.0.33").content)["address"]
    assert seen == "127.0.0.33"


async def test_a_room_outlives_a_crash_and_a_restart(compose, caddy, runbook):
    mates = await pair(caddy)
    places = [mate.place for mate in mates]
    pid = compose.pid
    os.kill(pid, signal.SIGKILL)
    await come_back(mates)
    check_places(mates, places)
    check(compose.pid != pid, "the container has not started the server anew")
    await mates[0].client.expect("ok", "chat", text="다시 켠 뒤")
    await asyncio.to_thread(runbook, "podman-compose", "restart")
    await come_back(mates)
    check_places(mates, places)
    check([chat["chat"]["text"] for chat in mates[1].client.room.chats] == ["다시 켠 뒤"], "the chat is lost")
    await asyncio.to_thread(compose.await_health)


@contextlib.contextmanager
def followed(container, folder):
    """Keeps the container's log and its exit status, which nobody can ask for behind its removal; the paths of both."""
    files = folder / "log", folder / "status"
    commands = ("logs", "--follow"), ("wait",)
    followers = []
    for file, command in zip(files, commands):
        with open(file, "wb") as output:
            followers.append(subprocess.Popen(["podman", *command, container], stdout=output, stderr=output))
    yield files
    for follower in followers:
        follower.wait(WITHIN_S)


async def test_down_lets_a_game_end_and_up_again_has_the_data(compose, caddy, runbook, tmp_path):
    # The server gives running games 30 s to end.
    mates = await pair(caddy, duration_s=10)
    host, guest = (mate.client for mate in mates)
    await host.expect("ok", "startGame")
    await guest.until("the start", lambda: guest.room.phase == "PLAYING", 30)
    with followed(compose.container, tmp_path) as (log, status):
        await asyncio.to_thread(runbook, "podman-compose", "down")
    check(status.read_text().strip() == "0", f"the server ended with {status.read_text()}: {log.read_text()}")
    await asyncio.to_thread(runbook, "podman-compose", "up")
    # A game that had been cut off would go on now.
    code = guest.room.code
    await come_back(mates)
    for mate in mates:
        room = mate.client.room
        check((room.code, room.phase, len(room.board)) == (code, "ENDED", 2), f"{room.code} {room.phase} {room.board}")
