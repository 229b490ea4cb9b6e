"""Two players play on while the server has no descriptor left and a hundred newcomers knock.

The running server's RLIMIT_NOFILE is lowered to what it has open: by the same user, or root.
"""
import asyncio
import os
import resource
import socket

import pytest

from client import Failure
from players import check_walk, join_game, walk

NEWCOMERS = 100
# The longest time that a newcomer may wait for an answer or an end.
ANSWERED_WITHIN_S = 5


def lowest_free_descriptor(pid):
    """The number that the process's next descriptor would have."""
    used = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
    return next(number for number in range(len(used) + 1) if number not in used)


def seconds_of_cpu(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def knock(host, port):
    """Connects and asks; returns the answer's status, or 0 when the connection ended without one."""
    loop = asyncio.get_running_loop()
    request = f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()

    async def ask(newcomer):
        answer = b""
        try:
            await loop.sock_connect(newcomer, (host, port))
            await loop.sock_sendall(newcomer, request)
            # Read to the end: an answered connection must end too. Bytes before a reset still count.
            while piece := await loop.sock_recv(newcomer, 4096):
                answer += piece
        except ConnectionError:
            pass
        return answer

    with socket.socket() as newcomer:
        newcomer.setblocking(False)
        try:
            answer = await asyncio.wait_for(ask(newcomer), ANSWERED_WITHIN_S)
        except asyncio.TimeoutError:
            raise Failure(f"a newcomer hangs for {ANSWERED_WITHIN_S} s") from None
    return int(answer.split()[1]) if answer else 0


async def exhaust(host, port, pid):
    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    # From here on the kernel refuses the server any further descriptor.
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (lowest_free_descriptor(pid), limits[1]))
    try:
        for wave in ("at once", "again"):
            statuses = await asyncio.gather(*(knock(host, port) for _ in range(NEWCOMERS)))
            assert set(statuses) <= {0, 503}, f"newcomers were answered with {sorted(set(statuses))}"
            told, ended = statuses.count(503), statuses.count(0)
            assert told > 0, "no newcomer was told anything"
            print(f"{NEWCOMERS} newcomers {wave}: {told} told 503, {ended} ended", flush=True)
        # The use of CPU is measured over real time.
        before_s = seconds_of_cpu(pid)
        await asyncio.sleep(2)
        used_s = seconds_of_cpu(pid) - before_s
        assert used_s < 1, f"the server spins: {used_s:.1f} s of CPU in 2 s without newcomers"
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
    statuses = await asyncio.gather(*(knock(host, port) for _ in range(NEWCOMERS)))
    assert statuses == [200] * NEWCOMERS, f"after it newcomers were answered with {sorted(set(statuses))}"


@pytest.mark.within(90)
async def test_without_descriptors_newcomers_are_told_503_or_ended_and_players_lose_no_tick(server):
    """No newcomer hangs. With the limit raised again newcomers are accepted at once."""
    walker, watcher = await join_game(server.url)
    exhausted = asyncio.create_task(exhaust("127.0.0.1", server.port, server.pid))
    took_ms = await walk(walker, watcher, exhausted.done)
    await exhausted
    check_walk(walker, watcher, took_ms)
    for player in (walker, watcher):
        await player.close()
