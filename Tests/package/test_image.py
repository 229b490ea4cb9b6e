"""The image for containers, run by its own root file system: as its user, without capabilities, with nothing writable
but the data folder."""
import json
import os
import pathlib
import secrets
import signal
import subprocess
import tarfile

import pytest

from client import Client
from play_json import JSONCodec

ROOT = pathlib.Path(__file__).resolve().parents[2]
USER = 10_001
# Mounts the root read-only and the data folder over it, and runs a command there as the image's user.
CONTAINER = """
set -e
root=$1 data=$2
shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$data" "$root/var/lib/madang"
mount -t tmpfs none "$root/tmp"
mount -t proc none "$root/proc"
exec chroot "$root" setpriv --reuid 10001 --regid 10001 --clear-groups --bounding-set=-all --inh-caps=-all \
  --no-new-privs env -i "$@"
"""


class Image:
    """The newest image, unpacked."""

    def __init__(self, folder):
        archives = sorted((ROOT / "dist").glob("madang_*.oci.tar"), key=os.path.getmtime)
        with tarfile.open(archives[-1]) as files:
            files.extractall(folder / "layout", filter="data")
        bundle = folder / "bundle"
        subprocess.run(["umoci", "unpack", "--image", f"{folder}/layout:localhost/madang:latest", bundle], check=True)
        self.root = bundle / "rootfs"
        self.process = json.loads((bundle / "config.json").read_text())["process"]
        self.data = folder / "data"
        self.data.mkdir(mode=0o700)
        os.chown(self.data, USER, USER)

    def command(self, *words):
        """A command line that runs the words in the container, with the network of this machine."""
        return [
            "unshare", "--mount", "--ipc", "--uts", "bash", "-c", CONTAINER, "container", self.root, self.data,
            *self.process["env"], *words,
        ]

    def run(self, *words):
        return subprocess.run(self.command(*words), capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(name="image", scope="module")
def unpacked(tmp_path_factory):
    return Image(tmp_path_factory.mktemp("image"))


@pytest.fixture(name="server")
def served(image, tmp_path):
    """A server as the image starts it, but on the loopback: its process, its address, its log."""
    log = tmp_path / "server.log"
    with open(log, "wb") as errors:
        process = subprocess.Popen(
            image.command(*image.process["args"], "--host", "127.0.0.1", "--port", "0"),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
        )
    try:
        line = process.stdout.readline().split()
        assert line[:1] == ["ready"], log.read_text()
        yield process, line[1].split("/")[2], log
    finally:
        process.kill()
        process.wait()


def test_the_image_names_its_user_and_command(image):
    assert (image.process["user"]["uid"], image.process["user"]["gid"]) == (USER, USER)
    assert image.process["args"] == ["/usr/bin/madang", "serve", "--host", "0.0.0.0", "--data", "/var/lib/madang"]


def test_nothing_but_the_data_is_writable(image):
    assert image.run("touch", "/var/lib/madang/mine").returncode == 0
    for path in ("/usr/lib/madang/x", "/etc/x", "/x", "/var/x"):
        assert image.run("touch", path).returncode != 0, path
    assert image.run("id", "-u").stdout == f"{USER}\n"


async def test_a_room_is_made_and_the_server_ends_well(image, server):
    process, address, log = server
    player = Client(f"ws://{address}/v1/play", JSONCodec(), "가람")
    await player.connect()
    await player.hello("가람", secrets.token_hex(16))
    await player.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=30)
    await player.close()
    health = image.run("/usr/bin/madang", "doctor", "--health", f"http://{address}")
    assert health.returncode == 0 and health.stdout.startswith("ok "), health
    # There is a program that cleans pictures.
    assert "no pictures are taken" not in log.read_text()
    assert (image.data / "madang.sqlite").stat().st_uid == USER
    process.send_signal(signal.SIGTERM)
    assert process.wait(45) == 0
    assert image.run("/usr/bin/madang", "doctor", "--health", f"http://{address}").returncode == 1
