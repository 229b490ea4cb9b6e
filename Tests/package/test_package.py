"""The package on a fresh Debian: installed, played on, upgraded over a running game, removed, purged."""
import asyncio
import secrets
import time
import urllib.request

import pytest

from client import Client, Failure
from deployed import DATA, Deployed
from machine import Machine, archive
from play_json import JSONCodec

# The bound of the promise "the first QR 60 s after the package is there", in the time that nothing but the program and
# its packages' installation can use.
FIRST_QR_USED_S = 60
URL = "ws://127.0.0.1:8080/v1/play"


@pytest.fixture(name="machine")
def booted(tmp_path):
    machine = Machine(archive(), tmp_path)
    yield machine
    machine.close()


def fetched(path):
    with urllib.request.urlopen(f"http://127.0.0.1:8080{path}", timeout=10) as answer:
        return answer.read().decode()


async def player(name, secret):
    client = Client(URL, JSONCodec(), name)
    await client.connect()
    await client.hello(name, secret)
    return client


async def back(name, secret):
    """A player who comes back as soon as the server takes connections."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return await player(name, secret)
        except (OSError, Failure):
            assert time.monotonic() < deadline, "the server is not back"
            await asyncio.sleep(0.1)


def copy_with_a_drop_in(machine, deployed):
    """The service streams a copy to a folder of its own that two lines of a drop-in let it write, as `systemctl edit` makes
    them; the copy is whole."""
    machine.run("install", "-d", "-o", "madang", "-g", "madang", "-m", "700", "/mnt/copy")
    folder = machine.root / "etc/systemd/system/madang.service.d"
    folder.mkdir()
    (folder / "override.conf").write_text("[Service]\nReadWritePaths=/mnt/copy\n")
    machine.run("systemctl", "daemon-reload")
    deployed.set(copyTo="/mnt/copy")
    assert machine.run("systemctl", "is-active", "madang").strip() == "active"
    # It ends well, with everything in the copy.
    machine.run("systemctl", "stop", "madang")
    verified = deployed.as_user("madang", "verify", "--from", "/mnt/copy")
    assert verified.splitlines()[-1] == "whole", verified
    machine.run("systemctl", "start", "madang")


@pytest.mark.within(600)
async def test_a_game_outlives_an_upgrade(machine):
    machine.run("apt-get", "update", "-q")
    deployed = Deployed(machine)
    begun, used_s = time.monotonic(), deployed.used_s()
    deployed.install(1)
    secret = secrets.token_hex(16)
    # The package is installed when its service is ready: nothing is tried again here.
    first = await player("가람", secret)
    await first.expect("room", "createRoom", mode="FOOTPRINT", capacity=4, durationS=600)
    picture = fetched(f"/qr/{first.room.code}.svg")
    seconds = time.monotonic() - begun
    assert "<svg" in picture
    used_s = deployed.used_s() - used_s
    print(f"first QR {seconds:.1f} s after the package was there, {used_s:.1f} s of processor time")
    assert used_s < FIRST_QR_USED_S, f"the first QR took {used_s:.1f} s of processor time"

    unit = machine.run("systemctl", "show", "madang", "-p", "User,NoNewPrivileges,MemoryDenyWriteExecute,StatusText")
    assert "User=madang" in unit and "NoNewPrivileges=yes" in unit and "MemoryDenyWriteExecute=yes" in unit
    assert "StatusText=serving ws://0.0.0.0:8080" in unit
    # The log has levels, and not the operators' token.
    log = machine.run("journalctl", "-u", "madang", "-o", "json")
    assert '"PRIORITY":"6"' in log and "token=" not in log
    machine.run("systemctl", "reload", "madang")
    assert machine.run("stat", "-c", "%U %a", DATA).split() == ["madang", "700"]
    assert machine.run("stat", "-c", "%G %a", "/etc/madang/madang.json").split() == ["madang", "640"]
    assert ".SS serve" in machine.run("zcat", "/usr/share/man/man1/madang.1.gz")
    # Commands look at the data beside the running server.
    deployed.command("check")
    deployed.command("games")

    second = await player("나래", secrets.token_hex(16))
    await second.expect("room", "joinRoom", code=first.room.code)
    await first.expect("ok", "startGame")
    await first.expect("ok", "chat", text="업그레이드 전")
    code = first.room.code

    pid = deployed.pid
    await asyncio.to_thread(deployed.install, 2)
    assert deployed.pid != pid
    again = await back("가람", secret)
    assert again.room.code == code and again.room.phase == "PLAYING"
    assert [chat["chat"]["text"] for chat in again.room.chats] == ["업그레이드 전"]
    await again.expect("ok", "chat", text="업그레이드 후")

    # The timer's service makes a backup that is whole, and deletes only older ones beyond those to keep.
    machine.run("systemctl", "enable", "--now", "madang-backup.timer")
    backup = deployed.back_up()
    assert deployed.as_user("madang", "verify", backup) == "whole\n"
    assert machine.run("stat", "-c", "%U %a", backup).split() == ["madang", "600"]

    copy_with_a_drop_in(machine, deployed)

    # A removal keeps the data and the settings, a purge neither.
    machine.run("apt-get", "remove", "-y", "-q", "madang")
    with pytest.raises(OSError):
        await asyncio.open_connection("127.0.0.1", 8080)
    assert (machine.root / "var/lib/madang/madang.sqlite").exists()
    assert (machine.root / "etc/madang/madang.json").exists()
    machine.run("apt-get", "purge", "-y", "-q", "madang")
    for path in ("var/lib/madang", "etc/madang", "usr/lib/madang", "usr/bin/madang"):
        assert not (machine.root / path).exists()
    assert (machine.root / backup.removeprefix("/")).exists()
