#!/usr/bin/env python3
"""Two players play on while the server has no descriptor left and a hundred newcomers knock.

    descriptors.py ws://HOST:PORT PID

Lowers the running server's RLIMIT_NOFILE to what it has open. Every newcomer must be told 503 or be ended within
seconds, none may hang; the players inside must lose no tick. With the limit raised again newcomers must come in at
once. Ends with 0 and a line for each part that holds, or with 1 and what does not. Must be allowed to set limits of
the server's process: the same user, or root.
"""
import asyncio
import os
import resource
import socket
import sys
import urllib.parse

import websockets

from players import Failure, check, check_walk, join_game, walk

NEWCOMERS = 100
# How long a newcomer may be left without a word or an end.
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
            # Until the end: a connection that was answered must end too. What came before a reset still counts.
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
            check(set(statuses) <= {0, 503}, f"newcomers were answered with {sorted(set(statuses))}")
            told, ended = statuses.count(503), statuses.count(0)
            check(told > 0, "no newcomer was told anything")
            print(f"ok: {NEWCOMERS} newcomers {wave}: {told} told 503, {ended} ended", flush=True)
        before_s = seconds_of_cpu(pid)
        await asyncio.sleep(2)
        used_s = seconds_of_cpu(pid) - before_s
        check(used_s < 1, f"the server spins: {used_s:.1f} s of CPU in 2 s without newcomers")
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
    statuses = await asyncio.gather(*(knock(host, port) for _ in range(NEWCOMERS)))
    check(statuses == [200] * NEWCOMERS, f"after it newcomers were answered with {sorted(set(statuses))}")
    print(f"ok: with descriptors again {NEWCOMERS} newcomers come in", flush=True)


async def test(origin, pid):
    address = urllib.parse.urlsplit(origin)
    walker, watcher = await join_game(f"{origin}/v1/play")
    exhausted = asyncio.create_task(exhaust(address.hostname, address.port, pid))
    took_ms = await walk(walker, watcher, exhausted.done)
    await exhausted
    check_walk(walker, watcher, took_ms)
    for player in (walker, watcher):
        await player.close()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        asyncio.run(asyncio.wait_for(test(sys.argv[1], int(sys.argv[2])), 90))
    except (Failure, OSError, asyncio.TimeoutError, websockets.WebSocketException) as failure:
        print(f"FAILED: {type(failure).__name__}: {failure}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
