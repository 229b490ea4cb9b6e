"""A machine's clock that is far from the last commit when the real program starts.

The clock of this machine stays as it is: the time of the last commit is moved in the file while no server runs.
"""
import asyncio
import secrets
import time

import pytest

from client import Client
from operators_listener import OperatorsListener
from play_json import JSONCodec
from program import Program

DAY_MS = 86_400_000
SUSPECT = "the last commit, so nothing expires"
ACCEPTED = "an operator has accepted the clock"
# The server maintains its store, and reviews the clock, every five seconds.
CARE_WITHIN_S = 30
# For the metric of a suspect clock.
OPERATED = ("--admin-port", "0")


def move(server, by_ms):
    """Moves the times of commits and the ends of sessions, as if the machine's clock had been different."""
    with server.database() as database:
        database.execute("UPDATE segments SET at = at + ?", (by_ms,))
        database.execute("UPDATE sessions SET expires_at = expires_at + ?", (by_ms,))
    database.close()


async def until(what, holds, seconds=CARE_WITHIN_S):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        await asyncio.sleep(0.1)


async def newcomer(server, name, secret=None):
    client = Client(server.url, JSONCodec(), name)
    await client.connect()
    await client.hello(name, secret or secrets.token_hex(16))
    return client


async def resumes(server, token):
    """The outcome of a resumed session: `welcome`, or the error's code."""
    client = Client(server.url, JSONCodec(), "back")
    await client.connect()
    body, fields = await client.ask("resume", sessionToken=token)
    await client.drop()
    return body if body == "welcome" else fields["code"]


async def is_suspect(server):
    """Whether the server distrusts the clock. It decides that before it is ready."""
    metrics = await asyncio.to_thread(lambda: OperatorsListener(server.admin).metrics())
    return metrics["madang_clock_suspect"] == 1


async def check_trusts(server, why):
    assert not await is_suspect(server), f"the clock is not believed although {why}"


def unfolded(server):
    """The number of segments of journals that maintenance has not folded yet."""
    with server.database() as database:
        count = database.execute("SELECT count(*) FROM segments WHERE length(bytes) > 0").fetchone()[0]
    database.close()
    return count


async def maintained(server, name):
    """Waits until the server has maintained its store once more, which folds the journal of a new room."""
    player = await newcomer(server, name)
    await player.expect("room", "createRoom", mode="FOOTPRINT", solo=True, durationS=30)
    await player.drop()
    await until("the journal to be folded", lambda: unfolded(server) == 0)


def mark(server):
    path = server.data / "madang.clock"
    return path.read_text().split() if path.exists() else None


async def accept(server):
    status, output, errors = await server.command("accept-clock")
    assert status == 0 and "the clock is accepted" in output, f"accept-clock ended with {status}: {output}{errors}"


@pytest.fixture
def server(madang, tmp_path):
    server = Program(madang, tmp_path / "data", tmp_path / "server.log", *OPERATED)
    yield server
    server.destroy()


async def live(server):
    """A store with one player, under a server that has ended; and that player's token."""
    await server.start()
    player = await newcomer(server, "player")
    await player.drop()
    await server.end()
    return player.token


def commit_in_two_days(server):
    """As if the clock had been set back by two days."""
    with server.database() as database:
        database.execute("UPDATE segments SET at = ?", (int(time.time() * 1_000) + 2 * DAY_MS,))
    database.close()


async def far_ahead(server):
    token = await live(server)
    assert not server.said(SUSPECT) and mark(server) is None, "a new store has made the clock suspect"
    # As if nobody had been here for sixty days.
    move(server, -60 * DAY_MS)
    await server.start()
    await until("the alert", lambda: server.said(SUSPECT))
    line = server.said(SUSPECT)[0]
    assert "60 days ahead" in line and "accept-clock" in line and "error" in line, f"it was told: {line}"
    assert mark(server)[0] == "suspect", f"what is remembered: {mark(server)}"
    assert await is_suspect(server), "the metric shows no suspicion"
    trusted = mark(server)
    # These commits have the time of the clock that is not believed. A second maintenance begins after the review of the
    # clock that ends the first one.
    for name in ("another", "one more"):
        await maintained(server, name)
    await server.kill()
    await server.start()
    await until("the alert after a restart", lambda: len(server.said(SUSPECT)) == 2)
    assert mark(server) == trusted, f"the last trusted time has moved: {mark(server)}, not {trusted}"
    outcome = await resumes(server, token)
    assert outcome == "welcome", f"a session of sixty days ago was answered with {outcome}"
    await server.end()
    with server.database() as database:
        database.execute("UPDATE sessions SET expires_at = ?", (int(trusted[1]) + 1_000,))
    database.close()
    await server.start()
    outcome = await resumes(server, token)
    assert outcome == "welcome", f"a session that has expired by the clock was answered with {outcome}"
    return token


async def accept_beside(server):
    await accept(server)
    await until("the acceptance", lambda: server.said(ACCEPTED))
    await server.end()
    with server.database() as database:
        database.execute("UPDATE sessions SET expires_at = ?", (int(time.time() * 1_000) - DAY_MS,))
    database.close()
    await server.start()
    await check_trusts(server, "it was accepted")


async def expires_again(server, token):
    outcome = await resumes(server, token)
    assert outcome == "SESSION_EXPIRED", f"a session that expired yesterday was answered with {outcome}"
    await server.end()


async def test_a_clock_that_is_ahead_lets_nothing_expire_until_it_is_accepted(server):
    """It is not believed after a restart either. `madang accept-clock` beside the server is noticed, logged and
    persisted; then sessions expire."""
    token = await far_ahead(server)
    await accept_beside(server)
    await expires_again(server, token)
    await server.check_is_whole()


async def test_a_clock_is_accepted_while_the_server_is_stopped_and_by_an_option(server):
    await live(server)
    move(server, -30 * DAY_MS)
    await accept(server)
    await server.start()
    await check_trusts(server, "it was accepted while the server was stopped")
    await server.end()
    move(server, -30 * DAY_MS)
    (server.data / "madang.clock").unlink(missing_ok=True)
    server.options = (*OPERATED, "--accept-clock")
    await server.start()
    await check_trusts(server, "--accept-clock says so")
    await server.end()
    await server.check_is_whole()


async def test_a_clock_that_is_behind_is_told_and_accepted_once_for_all_later_starts(server):
    await live(server)
    commit_in_two_days(server)
    (server.data / "madang.clock").unlink(missing_ok=True)
    alerts = len(server.said(SUSPECT))
    await server.start()
    await until("the alert", lambda: len(server.said(SUSPECT)) > alerts)
    line = server.said(SUSPECT)[-1]
    assert "behind the last commit" in line, f"it was told: {line}"
    told = len(server.said(ACCEPTED))
    await accept(server)
    await until("the acceptance", lambda: len(server.said(ACCEPTED)) > told)
    await (await newcomer(server, "third")).drop()
    await server.end()
    await server.start()
    await check_trusts(server, "it was accepted")
    await server.end()
    await server.check_is_whole()


async def test_a_file_that_can_t_be_read_ends_no_start_and_is_read_when_it_can_be(server):
    """The server says so, and judges the clock then."""
    await live(server)
    commit_in_two_days(server)
    path = server.data / "madang.clock"
    path.unlink(missing_ok=True)
    path.mkdir()
    alerts = len(server.said(SUSPECT))
    await server.start()
    await until("the file that can't be read", lambda: server.said("madang.clock: Is a directory"))
    await (await newcomer(server, "fourth")).drop()
    assert len(server.said(SUSPECT)) == alerts, "the clock was judged by what can't be read"
    path.rmdir()
    await until("the file to be read", lambda: server.said("has been read and written again"))
    await until("the alert", lambda: len(server.said(SUSPECT)) > alerts)
    await server.end()
    await server.check_is_whole()
