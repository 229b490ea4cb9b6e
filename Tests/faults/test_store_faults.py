"""The real program is held to its word when the disk fails it, under players.

A full disk, a folder taken away and syncs that fail; SIGTERM under players; a damaged segment and damaged journals;
folders that can't be served from. Needs the right to mount a tmpfs and to trace a process.
"""
import asyncio
import contextlib
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import tempfile

import pytest

from client import Client
from play_json import JSONCodec
from program import Program
from talkers import Talkers
from test_lands import YARDS

ROOMS = 5
# A user without rights, and one more.
NOBODY, SOMEBODY = 65_534, 65_533
TMPFS_BYTES = 24 << 20


def refuses_to_start(errors):
    """The one error in words of a program that does not start."""
    assert errors.count("Error: ") == 1, f"not one error, but {errors!r}"
    for trace in ("Fatal error", "Stack dump", "Thread 0", " at /", "0x"):
        assert trace not in errors, f"more than words: {errors}"
    return errors


@contextlib.contextmanager
def small_disk(folder):
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={TMPFS_BYTES},mode=0700", "madang-test", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill_up(file):
    """Takes all the space that is left."""
    with contextlib.suppress(OSError), open(file, "wb", buffering=0) as filler:
        for piece in (1 << 20, 4_096, 1):
            with contextlib.suppress(OSError):
                while True:
                    filler.write(bytes(piece))


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        yield disk


@pytest.fixture
def server(madang, disk, tmp_path):
    server = Program(madang, disk / "data", tmp_path / "server.log", "--grace-seconds", "1")
    yield server
    server.destroy()


async def talking(server):
    """Players who talk on a server that has just begun."""
    await server.start()
    talkers = Talkers(server.url, ROOMS)
    await talkers.enter()
    await talkers.until_acknowledged()
    assert talkers.refused == 0, "something was refused before anything has failed"
    return talkers


async def come_back_after_sigterm(server, talkers):
    await server.end()
    await talkers.drop()
    await server.start()
    await talkers.come_back()
    await server.check_is_whole()


async def talking_again(server):
    """The same on a server that goes on with rooms from before its start."""
    talkers = await talking(server)
    await come_back_after_sigterm(server, talkers)
    talkers.begin()
    await talkers.until_acknowledged()
    return talkers


async def check_newcomer_is_refused(url):
    newcomer = Client(url, JSONCodec(), "newcomer")
    await newcomer.connect()
    error = await newcomer.expect_error(
        "STORE_UNAVAILABLE", "hello", nickname="newcomer", deviceSecret=secrets.token_hex(16)
    )
    assert error.get("retryAfterMs"), "the refusal does not say when to come again"
    await newcomer.close()


async def test_a_full_disk_refuses_commands_and_positions_go_on(server, disk):
    """The log says so once. With free space the server goes on by itself. After kill -9 all acknowledged texts are
    there and no refused one is, and the store is whole."""
    talkers = await talking(server)

    filler = disk / "filler"
    fill_up(filler)
    await talkers.until_refused()
    await check_newcomer_is_refused(server.url)
    await talkers.check_positions_go_on()
    assert len(server.said("nothing can be committed")) == 1, f"the log says {server.said('committed')}"

    filler.unlink()
    await talkers.until_acknowledged(2)
    assert len(server.said("nothing can be committed")) == 1, "the log complains again"
    assert len(server.said("the store works again")) == 1, f"the log says {server.said('works')}"
    await server.kill()
    await talkers.drop()
    await server.start()
    await talkers.come_back()
    await server.check_is_whole()


async def test_without_its_folder_it_refuses_what_would_have_to_last_and_goes_on_when_the_folder_is_back(server):
    talkers = await talking(server)
    complaints = len(server.said("nothing can be committed"))
    elsewhere = server.data.with_name("elsewhere")
    server.data.rename(elsewhere)
    await talkers.until_refused()
    await check_newcomer_is_refused(server.url)
    await talkers.check_positions_go_on()
    said = server.said("nothing can be committed")[complaints:]
    assert len(said) == 1 and f"{server.data}/madang.sqlite was moved" in said[0], f"the log says {said}"
    assert not server.data.exists(), "a folder was made anew"
    elsewhere.rename(server.data)
    await talkers.until_acknowledged(2)
    await come_back_after_sigterm(server, talkers)


async def test_failing_syncs_refuse_commands_and_nothing_is_needed_but_their_end(server):
    """After SIGTERM under players all rooms and all acknowledged texts are there."""
    talkers = await talking(server)
    complaints = len(server.said("nothing can be committed"))
    tracer = await asyncio.create_subprocess_exec(
        "strace", "-f", "-qq", "-o", "/dev/null", "-p", str(server.pid), "-e", "trace=fdatasync,fsync",
        "-e", "inject=fdatasync,fsync:error=EIO",
    )
    try:
        await talkers.until_refused()
        await check_newcomer_is_refused(server.url)
        await talkers.check_positions_go_on()
    finally:
        tracer.send_signal(signal.SIGINT)
        await tracer.wait()
    assert len(server.said("nothing can be committed")) == complaints + 1, "the log does not say once that syncs fail"
    await talkers.until_acknowledged(2)
    await come_back_after_sigterm(server, talkers)


async def test_a_damaged_segment_is_set_aside_and_told_and_rooms_go_on_as_before_it(server):
    """The rooms lose nothing more at the next start."""
    talkers = await talking_again(server)

    def unfolded():
        with contextlib.closing(server.database()) as database:
            return database.execute("SELECT COUNT(*), MIN(number) FROM segments WHERE length(bytes) > 0").fetchone()

    # So many segments that the next folding is some seconds away.
    await talkers.until("segments wait to be folded", lambda: 5 < unfolded()[0] < 40, 20)
    await server.kill()
    await talkers.drop()
    number = unfolded()[1]
    with contextlib.closing(server.database()) as database, database:
        database.execute("UPDATE segments SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE number = ?", (number,))
    talkers.expect_losses()
    await server.start()
    await talkers.come_back()
    assert len(server.said(f'"segment":"{number}"')) == 1, "the log does not name the segment, once"
    assert server.said("has lost its last moments"), "the log names no room that has lost something"
    talkers.begin()
    await talkers.until_acknowledged(2)
    status, output, errors = await server.command("check", "--data", server.data)
    told = f"segment {number} could not be read and was set aside"
    assert status == 1 and output.count("\n") == 1 and told in output, (
        f"madang check ended with {status}: {output}{errors}"
    )
    await server.kill()
    await talkers.drop()
    await server.start()
    await talkers.come_back()


def damage(server):
    """Overwrites a byte of each chunk that one room would be built from, its beginning among them; the room."""
    with contextlib.closing(server.database()) as database, database:
        room, first = database.execute(
            "SELECT id, snapshot_segment FROM rooms WHERE closed_at IS NULL ORDER BY id LIMIT 1"
        ).fetchone()
        damaged = 0
        journals = "SELECT first_segment, bytes FROM journals WHERE room = ? AND last_segment >= ?"
        for number, journal in database.execute(journals, (room, first)).fetchall():
            # In its first chunk.
            journal = flipped(journal, 10)
            update = "UPDATE journals SET bytes = ? WHERE room = ? AND first_segment = ?"
            database.execute(update, (journal, room, number))
            damaged += 1
        segments = "SELECT number, bytes FROM segments WHERE number >= ?"
        for number, segment in database.execute(segments, (first,)).fetchall():
            at = segment.find(room)
            if at >= 0:
                # Behind the room's 16 bytes are four with the chunk's length.
                length = int.from_bytes(segment[at + 16:at + 20], "big")
                segment = flipped(segment, at + 20 + length // 2)
                database.execute("UPDATE segments SET bytes = ? WHERE number = ?", (segment, number))
                damaged += 1
    assert damaged, "the room has no journal"
    return room.hex()


def flipped(blob, at):
    return blob[:at] + bytes([blob[at] ^ 0x55]) + blob[at + 1:]


def overwrite_page(server, table):
    """Writes nonsense over the first page of a table."""
    with contextlib.closing(server.database()) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with open(server.data / "madang.sqlite", "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"nonsense" * (size // 8))


async def test_of_a_damaged_journal_start_and_check_name_the_room_and_all_others_go_on(server):
    talkers = await talking_again(server)
    await server.end()
    await talkers.drop()
    room = damage(server)
    status, output, errors = await server.command("check")
    assert status == 1 and f"room {room}" in output, f"madang check ended with {status}: {output}{errors}"
    await server.start()
    assert server.said(f"room {room} can't be built again"), "the start does not name the room"
    gone = []
    for index, players in enumerate(talkers.rooms):
        await players[0].connect()
        if "room" not in await players[0].resume():
            gone.append(index)
        await players[0].drop()
    assert len(gone) == 1, f"one room's journal is damaged, and {len(gone)} rooms are gone"
    await talkers.come_back(without=gone)
    await server.end()
    await talkers.drop()


async def test_folders_that_can_not_be_served_from_are_refused_in_words(server, disk):
    """A second server, a stranger's file, a newer schema, a damaged page and a read-only folder."""
    async def start(folder):
        status, output, errors = await server.command("serve", "--port", "0", data=folder)
        assert status not in (0, None) and status > 0 and "ready" not in output, (
            f"it started, or died: {status} {output}"
        )
        return refuses_to_start(errors)

    async def refuses(folder, words, what):
        errors = await start(folder)
        assert words in errors, f"{what}: {errors}"

    talkers = await talking(server)
    await talkers.drop()
    await refuses(server.data, f"another process ({server.pid}) has this data folder", "a second server")
    await server.end()

    stranger = disk / "stranger"
    stranger.mkdir()
    (stranger / "madang.sqlite").write_bytes(b"a letter, not a database\n" * 400)
    before = (stranger / "madang.sqlite").read_bytes()
    await refuses(stranger, "damaged: file is not a database", "a file that is no database")
    assert (stranger / "madang.sqlite").read_bytes() == before, "what is no database was written to"

    with contextlib.closing(server.database()) as database, database:
        (version,) = database.execute("SELECT version FROM schema").fetchone()
        database.execute("UPDATE schema SET version = 99")
    await refuses(server.data, "newer version (schema 99", "a newer schema")

    with contextlib.closing(server.database()) as database, database:
        database.execute("UPDATE schema SET version = ?", (version,))
    overwrite_page(server, "rooms")
    await refuses(server.data, "the store is damaged", "a page that is none")
    status, output, errors = await server.command("check")
    assert status == 1 and "integrity: " in output, f"madang check ended with {status}: {output}{errors}"

    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    await refuses(server.data, "can't write to the folder", "a folder that can't be written")


class OthersFolder:
    """A data folder with a store of SOMEBODY's, and commands on it that NOBODY runs."""

    def __init__(self, madang, folder):
        self.data = folder / "data"
        # Nobody may not look into the folder of the build.
        self.program = shutil.copy(madang, folder / "madang")
        folder.chmod(0o755)
        self.data.mkdir(mode=0o700)
        self.give(self.data, SOMEBODY)
        yards = shutil.copy(YARDS, folder)
        assert self.run(SOMEBODY, "lands", "import", yards) == (0, "")
        assert (self.data / "madang.sqlite").stat().st_uid == SOMEBODY
        # Beside it, where everybody may read it.
        made = self.data / "backup"
        assert self.run(SOMEBODY, "backup", made) == (0, "")
        self.backup = pathlib.Path(shutil.move(made, folder))
        self.backup.chmod(0o644)

    @staticmethod
    def give(path, user):
        os.chown(path, user, user)

    def run(self, user, *words):
        """The exit status and the errors of a command."""
        done = subprocess.run(
            ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", self.program, *words, "--data", self.data],
            capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL,
        )
        return done.returncode, done.stderr

    def refuses(self, path, *words):
        """A command of NOBODY's that must end with one error, which names the path, its owner, and what to do."""
        status, errors = self.run(NOBODY, *words)
        assert status not in (0, None) and status > 0, f"{words} ended with {status}: {errors}"
        errors = refuses_to_start(errors)
        assert f" {path}: Permission denied. It belongs to the user " in errors, errors
        return errors


def test_another_users_folder_and_files_are_refused_by_their_path_and_with_what_to_do(madang):
    with tempfile.TemporaryDirectory() as folder:
        others = OthersFolder(madang, pathlib.Path(folder))
        advice = f"run it as {SOMEBODY} (runuser -u {SOMEBODY} -- madang …)"
        # The folder.
        assert advice in others.refuses(others.data, "serve", "--port", "0")
        for command in (("games",), ("check",), ("backup", "/dev/shm/copy"), ("schools", "list")):
            assert advice in others.refuses(others.data / "madang.sqlite", *command)
        assert advice in others.refuses(others.data / "madang.lock", "restore", others.backup)
        # One file in a folder of Nobody's own.
        for path in (others.data, *others.data.iterdir()):
            others.give(path, NOBODY)
        others.give(others.data / "madang.sqlite", 0)
        (others.data / "madang.sqlite").chmod(0o600)
        gift = "or give the data folder to nobody (chown -R)"
        for command in (("serve", "--port", "0"), ("games",)):
            assert gift in others.refuses(others.data / "madang.sqlite", *command)
        # Readable, and not writable: commands that look go on.
        (others.data / "madang.sqlite").chmod(0o644)
        assert gift in others.refuses(others.data / "madang.sqlite", "serve", "--port", "0")
        assert others.run(NOBODY, "games")[0] == 0
