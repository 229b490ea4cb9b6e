"""The bound on the data folder: strangers fill the folder, the server logs it and games go on."""
import sqlite3
import time

import room_attacks as rooms
from attacked_server import Server
from attackers import Attackers

OPTION = "--max-data-gib"
GIB = 1 << 30
# The space below the bound when strangers begin.
ROOM_BYTES = 12 << 20
PIECE_BYTES = 8 << 20
ENDED_WELL = 0
# The time that strangers have to fill the folder.
FULL_WITHIN_S = 120
# The server logs this when the folder is full. It logs little, so the last lines are enough.
SAID_WHEN_FULL = "nothing can be committed"


def fill(data, but_bytes):
    """Makes the database nearly as large as it may be, by a table that no server knows."""
    database = sqlite3.connect(data / "madang.sqlite")
    # The table is written once and not synced: with the server's own settings that takes ten seconds.
    for pragma in ("journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF"):
        database.execute(f"PRAGMA {pragma}")
    database.execute("CREATE TABLE ballast (bytes BLOB)")
    left = GIB - but_bytes - (data / "madang.sqlite").stat().st_size
    while left > 0:
        database.execute("INSERT INTO ballast VALUES (zeroblob(?))", (min(left, PIECE_BYTES),))
        left -= PIECE_BYTES
    database.commit()
    database.execute("PRAGMA journal_mode = WAL")
    database.close()


def wait_until_full(server):
    """Waits until the server logs that it can't commit."""
    ends_at = time.monotonic() + FULL_WITHIN_S
    while SAID_WHEN_FULL not in server.last_words() and time.monotonic() < ends_at:
        time.sleep(0.2)


def play(options, folder, disk_mb_max, players_of):
    """Plays the attack; returns a row and the misses. `players_of` begins the honest players of a port."""
    first = Server(options.program, folder, options.trim)
    try:
        first.launch()
    finally:
        first.end()
    fill(first.data, ROOM_BYTES)
    server = Server(options.program, folder, options.trim, OPTION, "1", *options.server_options)
    players = None
    try:
        server.launch()
        players = players_of(server.port)
        before = server.sample()
        server.begin_peaks()
        with Attackers(rooms.chats, server.port, FULL_WITHIN_S, players.known):
            wait_until_full(server)
            players.begin("full")
            time.sleep(3)
        disk_mb = server.peak_mb - before.disk_mb
        report = players.end()[-1]
        status = server.end()
    finally:
        if players:
            players.abandon()
        server.end()
    refusals = [complaint for complaint in report["complaints"] if "STORE_UNAVAILABLE" in complaint]
    misses = []
    if disk_mb > disk_mb_max:
        misses.append(f"the disk's use grew by {disk_mb:.0f} MB")
    if not refusals:
        misses.append("the folder is not full, or nobody was told so")
    if len(refusals) < len(report["complaints"]):
        misses.append(f"something else than that it is full: {sorted(set(report['complaints']))}")
    if report["ticks"] == 0:
        misses.append("games do not go on")
    if status != ENDED_WELL:
        misses.append(f"the server ended with {status}: {server.last_words()}")
    row = f"{'max-data':17} {'':36} {disk_mb:6.1f}"
    return f"{row}   {report['ticks']} ticks in 3 s while full, {len(refusals)} requests refused for it", misses
