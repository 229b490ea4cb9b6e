"""The ten minutes from a package to the open internet, played as an operator plays them on a fresh Debian: the package,
TLS behind Caddy, a game from a QR, operators with roles, a ban, an upgrade under 200 players, a backup that is restored."""
import asyncio
import contextlib
import http.client
import json
import secrets
import subprocess
import time
import types
import urllib.parse

import pytest

from client import check
from console_feed import Feed
from deployed import DATA, Deployed
from machine import Machine, archive
from nginx import free_ports
from pictures import png
from play_json import JSONCodec
from play_proto import ProtoCodec
from recipes import CaddyRecipe, OutsideClient, modules
from roommates import Crowd, LAT_E7, LNG_E7

PLAYERS = 200
PASSWORD = "correct horse battery staple"
# The package's own port.
PORT = 8080
MODULE_PIXELS, QUIET_MODULES = 8, 4


@pytest.fixture(name="deployed")
def booted(tmp_path):
    machine = Machine(archive(), tmp_path)
    yield Deployed(machine)
    machine.close()


class Steps:
    """Prints how long each step took."""

    def __init__(self):
        self.begun = time.monotonic()

    @contextlib.contextmanager
    def step(self, name):
        begun = time.monotonic()
        yield
        print(f"{time.monotonic() - begun:6.1f} s  {name}", flush=True)

    def total(self):
        print(f"{time.monotonic() - self.begun:6.1f} s  in all", flush=True)


def decoded(qr_svg, folder):
    """The text of a QR's picture, as a reader of other people's making reads it."""
    dark = modules(qr_svg)
    size = 1 + max(max(module) for module in dark) + 2 * QUIET_MODULES

    def row(line):
        across = line // MODULE_PIXELS - QUIET_MODULES
        return b"".join(
            (b"\0" if (across, column - QUIET_MODULES) in dark else b"\xff") * MODULE_PIXELS for column in range(size)
        )

    picture = folder / "qr.png"
    picture.write_bytes(png(size * MODULE_PIXELS, size * MODULE_PIXELS, row, colours=0))
    return subprocess.run(
        ["zbarimg", "--quiet", "--raw", picture], check=True, capture_output=True, text=True
    ).stdout.strip()


class Browser(OutsideClient):
    """A guest with a browser, whose jar has what the server's page has set."""

    def __init__(self, caddy, codec, name, jar=None):
        page = caddy.ask("GET", "/", headers={"Cookie": jar} if jar else {})
        self.jar = jar or page.headers["Set-Cookie"].split(";")[0]
        super().__init__(caddy, codec, name, additional_headers={"Cookie": self.jar})


async def play_a_game(caddy, folder):
    """Two guests play from a QR to the board."""
    host = Browser(caddy, JSONCodec(), "가람")
    await host.connect()
    await host.hello("가람", secrets.token_hex(16))
    room = await host.expect("room", "createRoom", mode="FOOTPRINT", capacity=4, durationS=10)
    symbols = room["code"].replace("-", "")
    picture = await asyncio.to_thread(caddy.ask, "GET", f"/qr/{symbols}.svg")
    address = decoded(picture.content.decode(), folder)
    check(address == f"{caddy.base}/j/{symbols}".upper() == room["joinUrl"], f"the QR leads to {address}")
    # A phone opens the address, and its page comes into the room by it.
    parts = urllib.parse.urlsplit(address)
    check((parts.scheme, parts.port) == ("https", caddy.port), f"the QR leads to {address}")
    page = await asyncio.to_thread(caddy.ask, "GET", parts.path)
    check(page.status == 200 and b"<html" in page.content, f"the QR's page is {page.status}")
    guest = Browser(caddy, ProtoCodec(), "나래")
    await guest.connect()
    await guest.hello("나래", secrets.token_hex(16))
    await guest.expect("room", "joinRoom", code=parts.path.rsplit("/", 1)[1])
    await host.expect("ok", "startGame")
    await guest.expect("ok", "move", latE7=LAT_E7, lngE7=LNG_E7, accuracyM=5)
    for client in (host, guest):
        await client.until("the end", lambda client=client: client.room.phase == "ENDED", 60)
    winner = guest.room.board[0]
    check((winner["nickname"], winner["points"], winner["won"]) == ("나래", 1, True), f"the board: {guest.room.board}")
    check(host.room.board == guest.room.board, f"two boards: {host.room.board}, {guest.room.board}")
    await host.close()
    await guest.close()


class Person(Feed):
    """An operator with a name, in the console by a password that they have set by their link."""

    def __init__(self, deployed, name, role):
        link = urllib.parse.urlsplit(deployed.command("operators", "add", name, "--role", role).split()[-1])
        self.form = {"link": link.fragment, "password": PASSWORD}
        self.at = link.hostname, link.port
        status, self.session = self.set_password()
        check(status == 200 and self.session, f"the link of {name} is answered with {status}")
        host, port = self.at
        # Of a listener a feed needs no more than this.
        super().__init__(types.SimpleNamespace(
            host=host, port=port, cookie=self.session, feed_url=f"ws://{host}:{port}/console/feed",
        ))

    def set_password(self):
        """The status of the link's form, and the session's cookie."""
        connection = http.client.HTTPConnection(*self.at, timeout=60)
        try:
            connection.request("PUT", "/console/password", json.dumps(self.form), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            return answer.status, (answer.headers["Set-Cookie"] or "").split(";")[0]
        finally:
            connection.close()


class Pest(Browser):
    """A guest who is banned, and tries to come back."""

    async def come(self):
        self.secret = secrets.token_hex(16)
        await self.connect()
        await self.hello("불청객", self.secret)

    async def stays_out(self):
        """By their device, by their browser under another name, and by their session."""
        for jar, body, fields in (
            (None, "hello", {"nickname": "불청객", "deviceSecret": self.secret}),
            (self.jar, "hello", {"nickname": "새 이름", "deviceSecret": secrets.token_hex(16)}),
            (None, "resume", {"sessionToken": self.token}),
        ):
            again = Browser(self.recipe, JSONCodec(), "불청객", jar)
            await again.connect()
            await again.expect_error("BANNED", body, **fields)
            await asyncio.wait_for(again.reader, 30)
        # Somebody else comes in.
        other = Browser(self.recipe, JSONCodec(), "누리")
        await other.connect()
        await other.hello("누리", secrets.token_hex(16))
        await other.close()


async def ban(deployed, caddy):
    """Two operators of different roles: the viewer's ban is refused, the moderator's holds. Returns who is banned."""
    pest = Pest(caddy, JSONCodec(), "불청객")
    await pest.come()
    viewer = await asyncio.to_thread(Person, deployed, "yuna", "viewer")
    moderator = await asyncio.to_thread(Person, deployed, "nari", "moderator")
    check(viewer.set_password()[0] == 404, "a link sets a second password")
    await viewer.open()
    await moderator.open()
    act = {"act": "ban", "player": pest.player_id, "reason": "욕설"}
    refused = await viewer.ask(**act)
    check((refused["ok"], refused.get("code")) == (False, "ROLE_TOO_LOW"), f"a viewer's ban: {refused}")
    await pest.expect("time", "time")
    # Nor may a moderator make another operator.
    refused = await moderator.ask(act="addOperator", name="mallory", role="admin")
    check((refused["ok"], refused.get("code")) == (False, "ROLE_TOO_LOW"), f"a moderator's operator: {refused}")
    done = await moderator.ask(**act)
    check(done["ok"], f"a moderator's ban: {done}")
    await pest.closed_with(4503, "a ban")
    await pest.stays_out()
    rows = [json.loads(line) for line in deployed.command("audit", "--json").splitlines()]
    bans = [row for row in rows if row["action"] == "ban"]
    check([(row["operator"], row["reason"]) for row in bans] == [("nari", "욕설")], f"the audit log: {bans}")
    await viewer.close()
    await moderator.close()
    return pest


async def upgrade(deployed, crowd):
    """Another build comes while everybody walks; all are back in their rooms, in their places, in the same game."""
    before = [mate.place for mate in crowd.mates]
    pid = deployed.pid
    async with crowd.walking():
        await asyncio.to_thread(deployed.install, 2)
        check(deployed.pid != pid, "the upgrade has not started the server anew")
        await crowd.until_all_were_away_and_back()
    lost = [(mate.name, old, mate.place) for mate, old in zip(crowd.mates, before) if mate.place != old]
    check(not lost, f"{len(lost)} players are elsewhere: {lost[:3]}")
    await crowd.talk("업그레이드 후")


def restore(deployed, backup):
    """The data folder is moved away, and made of a backup by the runbook's commands."""
    machine = deployed.machine
    machine.run("systemctl", "stop", "madang")
    machine.run("mv", DATA, f"{DATA}.away")
    machine.run("install", "-d", "-o", "madang", "-g", "madang", "-m", "700", DATA)
    deployed.as_user("madang", "restore", backup, "--data", DATA)
    machine.run("cp", "-p", f"{DATA}.away/madang.operators", DATA)
    machine.run("systemctl", "start", "madang")
    check(deployed.command("check") == "whole\n", "the restored data are not whole")
    operators = deployed.command("operators", "list")
    check("yuna" in operators and "nari" in operators, f"the operators behind the restoration: {operators}")


@pytest.mark.within(1_800)
async def test_the_ten_minutes_from_a_package_to_the_open_internet(deployed, tmp_path):
    deployed.machine.run("apt-get", "update", "-q")
    steps = Steps()
    caddy = CaddyRecipe(tmp_path / "caddy")
    caddy.server_port = PORT
    with steps.step("the package is installed"):
        deployed.install(1)
    with steps.step("it is set up for a proxy and for operators"):
        deployed.set(
            host="127.0.0.1", adminPort=free_ports(1)[0], trustedProxies="127.0.0.1", publicUrl=caddy.base,
        )
    with contextlib.ExitStack() as stack:
        with steps.step("Caddy ends TLS before it"):
            stack.enter_context(caddy.running())
        with steps.step("the doctor finds no fault"):
            authorities = deployed.machine.copy(caddy.authorities)
            deployed.machine.run(
                "madang", "doctor", caddy.base, "--address", "127.0.0.1", "--from", "127.0.0.44", "--authorities",
                authorities,
            )
        with steps.step("two guests play from a QR to the board"):
            await play_a_game(caddy, tmp_path)
        with steps.step("operators come in by their links, and one bans a guest"):
            pest = await ban(deployed, caddy)
        crowd = Crowd(caddy, PLAYERS)
        with steps.step(f"{PLAYERS} players begin games"):
            await crowd.begin()
            await crowd.talk("업그레이드 전")
        with steps.step("an upgrade under them"):
            await upgrade(deployed, crowd)
            await pest.stays_out()
        with steps.step("a backup"):
            backup = deployed.back_up()
        await crowd.talk("백업 후")
        with steps.step("the backup is restored under them"):
            async with crowd.walking():
                await asyncio.to_thread(restore, deployed, backup)
                await crowd.until_all_were_away_and_back()
        chats = {tuple(chat["chat"]["text"] for chat in mate.client.room.chats) for mate in crowd.mates}
        check(chats == {("업그레이드 전", "업그레이드 후")}, f"the restored rooms have other chats: {chats}")
        await crowd.talk("복원 후")
        await pest.stays_out()
        steps.total()
        await crowd.end()
