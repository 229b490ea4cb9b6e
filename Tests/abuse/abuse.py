#!/usr/bin/env python3
"""Plays attacks against the release program beside a hundred honest players, and holds what they may cost.

    abuse.py PROGRAM TRIM [--seconds N] [--quiet-seconds N] [--attacks NAME,NAME] [--short] [--verbose]

PROGRAM is `madang`, TRIM the library made of trim.c. Each attack has a server of its own, a quiet time, as long an attack
from 16 addresses that count as 16 networks, and up to two minutes in which memory must come back. Prints a row for each
attack. Ends with 1 when a bound is missed. --short is a look: short attacks, nobody waits for memory, and times are
printed but not held, for they say more of the machine.
"""
import argparse
import multiprocessing
import os
import pathlib
import resource
import sys
import tempfile

import guessing
import guests
import max_data
import readers
import room_attacks as rooms
import storms
from server import options_of
from trial import DISK_MB_MAX, HEADER, HonestPlayers, Trial

LIMIT_LOOPBACK = "--limit-loopback"

# Each with the kinds of honest people beside the players and the new guests.
ATTACKS = {
    "abandoned-rooms": (rooms.abandoned_rooms, ()),
    "many-rooms": (rooms.many_rooms, ()),
    "solo-starts": (rooms.solo_starts, ()),
    "chats": (rooms.chats, ()),
    "moves": (rooms.moves, ()),
    "join-leave": (rooms.join_leave, ()),
    "new-guests": (guests.new_guests, ()),
    "school-guests": (guests.school_guests, ()),
    "deletions": (guests.deletions, ("departures",)),
    "wide-deletions": (guests.wide_deletions, ("departures",)),
    "never-read": (readers.never_read, ()),
    "slow-read": (readers.slow_read, ()),
    "queries-behind": (readers.queries_while_behind, ()),
    "resume-storms": (storms.resume_storms, ()),
    "codes-http": (guessing.codes_by_http, ("neighbour",)),
    "codes-socket": (guessing.codes_by_socket, ("neighbour",)),
    "passwords": (guessing.wrong_passwords, ("account",)),
    "password-hangups": (guessing.password_hangups, ("account",)),
    "pages": (guessing.pages, ("neighbour",)),
    "handshakes": (guessing.handshakes, ()),
}
# Has a way of its own, and needs a server that has the option.
MAX_DATA = "max-data"
# The short form leaves out what seconds can't show.
NOT_SHORT = ("solo-starts",)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("trim", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, help="of each attack (60; 6 with --short)")
    parser.add_argument("--quiet-seconds", type=float, help="before each attack (as many; 3 with --short)")
    parser.add_argument("--attacks", help="which, with commas between")
    parser.add_argument("--short", action="store_true", help="a look of some minutes")
    parser.add_argument("--verbose", action="store_true", help="what attackers were told, too")
    options = parser.parse_args()
    options.seconds = options.seconds or (5 if options.short else 60)
    options.quiet_seconds = options.quiet_seconds or (2 if options.short else options.seconds)
    known = [*ATTACKS, MAX_DATA]
    all_names = [name for name in known if not options.short or name not in NOT_SHORT]
    options.names = options.attacks.split(",") if options.attacks else all_names
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no such attack: {', '.join(unknown)}; there are {', '.join(known)}")
    return options


def play(name, options, folder):
    """Plays one attack; returns its row and what was missed."""
    if name == MAX_DATA:
        return max_data.play(options, folder, DISK_MB_MAX, lambda port: HonestPlayers(port, ()))
    trial = Trial(name, *ATTACKS[name], options)
    trial.play(folder)
    row = trial.row()
    if options.verbose:
        row += f"\n    told to attackers: {trial.counts.refused}, cut off {trial.counts.gone}"
    return row, list(trial.misses())


def main():
    options = parse()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    known_options = options_of(options.program)
    options.server_options = [LIMIT_LOOPBACK] if LIMIT_LOOPBACK in known_options else []
    if not options.server_options:
        print(f"this server has no {LIMIT_LOOPBACK}: some limits hold nobody here")
    if max_data.OPTION not in known_options and MAX_DATA in options.names:
        print(f"this server has no {max_data.OPTION}: {MAX_DATA} is left out")
        options.names.remove(MAX_DATA)
    print(f"{len(options.names)} attacks of {options.seconds:g} s, {os.cpu_count()} cores\n\n{HEADER}", flush=True)
    missed = []
    for name in options.names:
        with tempfile.TemporaryDirectory() as folder:
            row, misses = play(name, options, pathlib.Path(folder))
        print(row, flush=True)
        for miss in misses:
            missed.append(f"{name}: {miss}")
            print(f"    MISSED: {miss}", flush=True)
    if missed:
        print("\n" + "\n".join(f"FAILED: {miss}" for miss in missed), file=sys.stderr)
        sys.exit(1)
    print("\nok: all within bounds")


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
