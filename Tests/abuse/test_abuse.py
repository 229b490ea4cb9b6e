"""Attacks are played against the release program beside a hundred honest players, and their costs are held to
bounds.

Each attack has a server of its own, a quiet time, as long an attack from 16 addresses that count as 16 networks, and
up to two minutes in which memory must come back. With --short attacks are short and nobody waits for memory. Times
are then printed, but not checked, for they depend more on the machine. Rows of figures follow at the end of the run.
"""
import multiprocessing
import pathlib
import resource
import subprocess
import types

import pytest

import guessing
import guests
import max_data
import readers
import room_attacks as rooms
import storms
import uploads
from attacked_server import options_of
from trial import DISK_MB_MAX, HonestPlayers, Trial

LIMIT_LOOPBACK = "--limit-loopback"

# Each attack with the kinds of honest people beside the players and the new guests.
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
    "uploads": (uploads.uploads, ("pictures",)),
}
# This attack has code of its own, and needs a server with the option.
MAX_DATA = "max-data"
# The short form leaves out attacks that need more than seconds.
NOT_SHORT = ("solo-starts",)


def pytest_generate_tests(metafunc):
    """The attacks that --attacks names, or all of them."""
    if "attack" not in metafunc.fixturenames:
        return
    known = [*ATTACKS, MAX_DATA]
    named = metafunc.config.getoption("attacks")
    is_short = metafunc.config.getoption("short")
    names = named.split(",") if named else [name for name in known if not is_short or name not in NOT_SHORT]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise pytest.UsageError(f"no such attack: {', '.join(unknown)}; there are {', '.join(known)}")
    metafunc.parametrize("attack", names)


@pytest.fixture(scope="module")
def trim(tmp_path_factory):
    """A library by which the server gives free memory back."""
    library = tmp_path_factory.mktemp("trim") / "trim.so"
    source = pathlib.Path(__file__).with_name("trim.c")
    subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-pthread", "-o", library, source], check=True)
    return library


@pytest.fixture(scope="module")
def many_descriptors():
    """As many connections as this machine allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module")
def options(request, madang, trim, many_descriptors):
    """The options that all attacks share."""
    multiprocessing.set_start_method("fork", force=True)
    option = request.config.getoption
    seconds = option("seconds") or (5 if option("short") else 60)
    known = options_of(madang)
    return types.SimpleNamespace(
        program=madang, trim=trim, short=option("short"), seconds=seconds, known=known,
        quiet_seconds=option("quiet_seconds") or (2 if option("short") else seconds),
        # Without the option some limits do not apply on the loopback.
        server_options=[LIMIT_LOOPBACK] if LIMIT_LOOPBACK in known else [],
    )


def test_an_attack_costs_no_more_than_it_may(attack, options, tmp_path, request, record_property):
    """The cost is memory, disk and other players' time. With --verbose the row also has the attackers' answers."""
    if attack == MAX_DATA:
        if max_data.OPTION not in options.known:
            pytest.skip(f"this server has no {max_data.OPTION}")
        row, misses = max_data.play(options, tmp_path, DISK_MB_MAX, lambda port: HonestPlayers(port, ()))
    else:
        trial = Trial(attack, *ATTACKS[attack], options)
        trial.play(tmp_path)
        row, misses = trial.row(), list(trial.misses())
        # One is what pyproject.toml asks for.
        if request.config.get_verbosity() > 1:
            row += f"\n    told to attackers: {trial.counts.refused}, cut off {trial.counts.gone}"
    record_property("row", row)
    assert not misses, "; ".join(misses)
