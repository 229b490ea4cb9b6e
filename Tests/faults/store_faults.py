#!/usr/bin/env python3
"""Holds the real program to its word when the disk fails it.

    store_faults.py PROGRAM

PROGRAM is `madang`. A full disk, a folder taken away and syncs that fail, all under players; SIGTERM under players; a
damaged segment and damaged journals; folders that can't be served from. Needs the right to mount a tmpfs and to trace a
process. Ends with 0 and a line for each part that holds, or with 1 and what does not.
"""
import asyncio
import contextlib
import pathlib
import secrets
import signal
import subprocess
import sys
import tempfile

import websockets

from talkers import JSONCodec, Client, Failure, Talkers, check
from program import Program

ROOMS = 5
TMPFS_BYTES = 24 << 20


def refuses_to_start(errors):
    """What the program said when it did not start: one error, in words."""
    check(errors.count("Error: ") == 1, f"not one error, but {errors!r}")
    for trace in ("Fatal error", "Stack dump", "Thread 0", " at /", "0x"):
        check(trace not in errors, f"more than words: {errors}")
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
    """Takes all the room that is left."""
    with contextlib.suppress(OSError), open(file, "wb", buffering=0) as filler:
        for piece in (1 << 20, 4_096, 1):
            with contextlib.suppress(OSError):
                while True:
                    filler.write(bytes(piece))


async def check_newcomer_is_refused(url):
    newcomer = Client(url, JSONCodec(), "newcomer")
    await newcomer.connect()
    error = await newcomer.expect_error(
        "STORE_UNAVAILABLE", "hello", nickname="newcomer", deviceSecret=secrets.token_hex(16)
    )
    check(error.get("retryAfterMs"), "the refusal does not say when to come again")
    await newcomer.close()


async def full_disk(server, disk):
    await server.start()
    talkers = Talkers(server.url, ROOMS)
    await talkers.enter()
    await talkers.until_acknowledged()
    check(talkers.refused == 0, "something was refused with room on the disk")

    filler = disk / "filler"
    fill_up(filler)
    await talkers.until_refused()
    await check_newcomer_is_refused(server.url)
    await talkers.check_positions_go_on()
    check(len(server.said("nothing can be committed")) == 1, f"the log says {server.said('committed')}")
    print(f"ok: a full disk refuses {talkers.refused} commands, positions go on, and the log says so once", flush=True)

    filler.unlink()
    await talkers.until_acknowledged(2)
    check(len(server.said("nothing can be committed")) == 1, "the log complains again")
    check(len(server.said("the store works again")) == 1, f"the log says {server.said('works')}")
    await server.kill()
    await talkers.drop()
    await server.start()
    await talkers.come_back()
    await server.check_is_whole()
    print(
        f"ok: with room again it goes on by itself; after kill -9 all {talkers.acknowledged} acknowledged are there, "
        f"none of the {talkers.refused} refused, and the store is whole", flush=True
    )
    return talkers


async def moved_folder(server, talkers):
    talkers.begin()
    await talkers.until_acknowledged()
    complaints = len(server.said("nothing can be committed"))
    elsewhere = server.data.with_name("elsewhere")
    server.data.rename(elsewhere)
    await talkers.until_refused()
    await check_newcomer_is_refused(server.url)
    await talkers.check_positions_go_on()
    said = server.said("nothing can be committed")[complaints:]
    check(len(said) == 1 and f"{server.data}/madang.sqlite was moved" in said[0], f"the log says {said}")
    check(not server.data.exists(), "a folder was made anew")
    elsewhere.rename(server.data)
    await talkers.until_acknowledged(2)
    await talkers.end()
    print("ok: without its folder it refuses what would have to last, and goes on when the folder is back", flush=True)


async def failing_syncs(server, talkers):
    talkers.begin()
    await talkers.until_acknowledged()
    complaints = len(server.said("nothing can be committed"))
    refused = talkers.refused
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
    check(len(server.said("nothing can be committed")) == complaints + 1, "the log does not say once that syncs fail")
    await talkers.until_acknowledged(2)
    print(f"ok: failing syncs refuse {talkers.refused - refused} commands, and nothing is needed but their end", flush=True)

    await server.end()
    await talkers.drop()
    await server.start()
    await talkers.come_back()
    await server.check_is_whole()
    print(f"ok: after SIGTERM under players all rooms are there, and all {talkers.acknowledged} acknowledged", flush=True)


async def damaged_segment(server, talkers):
    talkers.begin()

    def unfolded():
        with contextlib.closing(server.database()) as database:
            return database.execute("SELECT COUNT(*), MIN(number) FROM segments WHERE length(bytes) > 0").fetchone()

    # So many that the next folding is some seconds away.
    await talkers.until("segments wait to be folded", lambda: 5 < unfolded()[0] < 40, 20)
    await server.kill()
    await talkers.drop()
    number = unfolded()[1]
    with contextlib.closing(server.database()) as database, database:
        database.execute("UPDATE segments SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE number = ?", (number,))
    talkers.expect_losses()
    await server.start()
    await talkers.come_back()
    check(len(server.said(f'"segment":"{number}"')) == 1, "the log does not name the segment, once")
    check(server.said("has lost its last moments"), "the log names no room that has lost something")
    talkers.begin()
    await talkers.until_acknowledged(2)
    status, output, errors = await server.command("check", "--data", server.data)
    check(status == 1 and output.count("\n") == 1 and f"segment {number} could not be read and was set aside" in output,
          f"madang check ended with {status}: {output}{errors}")
    await server.kill()
    await talkers.drop()
    await server.start()
    await talkers.come_back()
    print("ok: a damaged segment is set aside and told; its rooms go on as they were before it, and lose nothing again", flush=True)


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
    check(damaged, "the room has no journal")
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


async def damaged_journal(server, talkers):
    await server.end()
    await talkers.drop()
    room = damage(server)
    status, output, errors = await server.command("check")
    check(status == 1 and f"room {room}" in output, f"madang check ended with {status}: {output}{errors}")
    await server.start()
    check(server.said(f"room {room} can't be built again"), "the start does not name the room")
    gone = []
    for index, players in enumerate(talkers.rooms):
        await players[0].connect()
        if "room" not in await players[0].resume():
            gone.append(index)
        await players[0].drop()
    check(len(gone) == 1, f"one room's journal is damaged, and {len(gone)} rooms are gone")
    await talkers.come_back(without=gone)
    await server.end()
    await talkers.drop()
    print("ok: of a damaged journal the start and madang check name the room; all others go on", flush=True)


async def unfit_folders(server, disk):
    async def start(folder):
        status, output, errors = await server.command("serve", "--port", "0", data=folder)
        check(status not in (0, None) and status > 0 and "ready" not in output, f"it started, or died: {status} {output}")
        return refuses_to_start(errors)

    async def refuses(folder, words, what):
        errors = await start(folder)
        check(words in errors, f"{what}: {errors}")

    await server.start()
    await refuses(server.data, f"another process ({server.pid}) has this data folder", "a second server")
    await server.end()

    stranger = disk / "stranger"
    stranger.mkdir()
    (stranger / "madang.sqlite").write_bytes(b"a letter, not a database\n" * 400)
    before = (stranger / "madang.sqlite").read_bytes()
    await refuses(stranger, "damaged: file is not a database", "a file that is no database")
    check((stranger / "madang.sqlite").read_bytes() == before, "what is no database was written to")

    with contextlib.closing(server.database()) as database, database:
        (version,) = database.execute("SELECT version FROM schema").fetchone()
        database.execute("UPDATE schema SET version = 99")
    await refuses(server.data, "newer version (schema 99", "a newer schema")

    with contextlib.closing(server.database()) as database, database:
        database.execute("UPDATE schema SET version = ?", (version,))
    overwrite_page(server, "rooms")
    await refuses(server.data, "the store is damaged", "a page that is none")
    status, output, errors = await server.command("check")
    check(status == 1 and "integrity: " in output, f"madang check ended with {status}: {output}{errors}")

    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    await refuses(server.data, "can't write to the folder", "a folder that can't be written")
    print("ok: a second server, a stranger's file, a newer schema, a damaged page and a read-only folder are refused in words", flush=True)


async def test(program):
    with tempfile.TemporaryDirectory() as name, small_disk(pathlib.Path(name) / "disk") as disk:
        server = Program(program, disk / "data", pathlib.Path(name) / "server.log", "--grace-seconds", "1")
        try:
            talkers = await full_disk(server, disk)
            await moved_folder(server, talkers)
            await failing_syncs(server, talkers)
            await damaged_segment(server, talkers)
            await damaged_journal(server, talkers)
            await unfit_folders(server, disk)
        except BaseException:
            with contextlib.suppress(OSError):
                print("the last the server said:", *server.said("")[-20:], sep="\n", file=sys.stderr)
            raise
        finally:
            await server.abandon()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        asyncio.run(asyncio.wait_for(test(sys.argv[1]), 240))
    except (
        Failure, OSError, asyncio.TimeoutError, subprocess.CalledProcessError, websockets.WebSocketException,
    ) as failure:
        print(f"FAILED: {type(failure).__name__}: {failure}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
