"""Measures what many uploads at once cost a server: its memory, sampled by its process id while slow lines send and while
the pictures are cleaned, and how late rooms' ticks are beside them. scripts/measure-uploads runs it; it is no test."""
import argparse
import asyncio
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import threading
import time
import zlib

from phone import Phone, answer_on, ask_http, begin
from pictures import chunk
from program import ServerProcess

TICKETS_OF_GUEST = 4
STEP_S = 0.1
# In each step, at which some of the lines send.
MOMENTS = 25
CLEANED_WITHIN_S = 600
BOTS = ["--players", "4", "--rate", "10", "--tick-hz", "10"]


def noise(byte_count, seed):
    """A PNG of about so many bytes, whose cleaned original has as many."""
    side = int(((byte_count - 4_096) / 3) ** 0.5)
    draw = random.Random(seed)
    data = zlib.compress(b"".join(b"\0" + draw.randbytes(3 * side) for _ in range(side)), 1)
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def resident_bytes(server):
    """The server's own memory, without files that it maps."""
    status = pathlib.Path(f"/proc/{server.pid}/status").read_text(encoding="ascii")
    return 1_024 * int(next(line for line in status.splitlines() if line.startswith("RssAnon:")).split()[1])


class Sampling:
    """The most memory since it began, looked at ten times a second."""

    def __init__(self, server):
        self.server = server
        self.most = 0
        self.task = asyncio.create_task(self.look())

    async def look(self):
        while True:
            self.most = max(self.most, resident_bytes(self.server))
            await asyncio.sleep(STEP_S)

    def end(self):
        self.task.cancel()
        return self.most


def rooms_beside(arguments, server, loadtest, seconds):
    """Rooms of bots as a process, or nothing."""
    if arguments.rooms == 0:
        return None
    return subprocess.Popen(
        [loadtest, "walk", "--url", server.url, "--rooms", str(arguments.rooms), *BOTS, "--seconds", str(seconds)],
        stdout=subprocess.PIPE, text=True,
    )


async def tickets(server, pictures, count):
    """Addresses of so many uploads, four of each guest."""
    urls = []
    while len(urls) < count:
        phone = await Phone.at(server)
        urls += [await phone.ticket(pictures[len(urls) % len(pictures)], "image/png") for _ in range(TICKETS_OF_GUEST)]
    return urls[:count]


def send_slowly(connections, pictures, seconds):
    """Sends all but the last byte of each, evenly, each line at moments of its own. It stands for phones elsewhere, so it
    takes no processor time that the server or the bots want: its own thread alone has the low priority."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
    steps, began = max(1, round(seconds / STEP_S)), time.monotonic()
    for moment in range(steps * MOMENTS):
        step = moment // MOMENTS
        for number in range(moment % MOMENTS, len(connections), MOMENTS):
            picture = pictures[number % len(pictures)]
            last = len(picture) - 1
            connections[number].sendall(picture[last * step // steps:last * (step + 1) // steps])
        time.sleep(max(0, began + (moment + 1) * STEP_S / MOMENTS - time.monotonic()))
    return time.monotonic() - began


async def wait_until_kept(server, connections, urls):
    """Waits for the answers; who waits longer than an answer takes asks by HEAD."""
    def keep(connection, url):
        try:
            return answer_on(connection).media_id
        except (OSError, AssertionError, ValueError):
            pass
        ends_at = time.monotonic() + CLEANED_WITHIN_S
        while time.monotonic() < ends_at:
            answer = ask_http(server, "HEAD", url)
            if answer.headers["Media-Id"]:
                return answer.headers["Media-Id"]
            time.sleep(1)
        raise RuntimeError(f"{url} is no picture after {CLEANED_WITHIN_S} s")

    return [await asyncio.to_thread(keep, *each) for each in zip(connections, urls)]


async def measure(arguments, server, loadtest):
    pictures = [noise(1_000 * arguments.kb, seed) for seed in range(TICKETS_OF_GUEST)]
    urls = await tickets(server, pictures, arguments.uploads)
    before = resident_bytes(server)
    sampling = Sampling(server)
    connections = [
        begin(server, "PUT", url, len(pictures[number % len(pictures)])) for number, url in enumerate(urls)
    ]
    rooms = rooms_beside(arguments, server, loadtest, arguments.seconds * 3 // 4)
    took_s = await asyncio.to_thread(send_slowly, connections, pictures, arguments.seconds)
    sent = sampling.end() - before
    print(f"{len(urls)} uploads of {len(pictures[0]) / 1e6:.1f} MB at once for {took_s:.0f} s: at most "
          f"{sent / 1_024 / len(urls):.1f} KiB of memory each, {sent / 1e6:.1f} MB in all", flush=True)
    if rooms:
        print(f"rooms beside them:\n{rooms.communicate()[0]}", flush=True)
    sampling, began = Sampling(server), time.monotonic()
    for number, connection in enumerate(connections):
        connection.sendall(pictures[number % len(pictures)][-1:])
    rooms = rooms_beside(arguments, server, loadtest, arguments.seconds * 3 // 4)
    if rooms:
        print(f"rooms beside the cleaning of pictures:\n{(await asyncio.to_thread(rooms.communicate))[0]}", flush=True)
    kept = await wait_until_kept(server, connections, urls)
    cleaned = sampling.end() - before
    print(f"{len(set(kept))} pictures cleaned in {time.monotonic() - began:.0f} s: at most {cleaned / 1e6:.1f} MB of memory "
          f"in all meanwhile, {(resident_bytes(server) - before) / 1e6:.1f} MB behind them", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uploads", type=int, default=200)
    parser.add_argument("--kb", type=int, default=4_900, help="of each picture; a guest's day has 20 MB for four")
    parser.add_argument("--seconds", type=int, default=45, help="in which each is sent")
    parser.add_argument("--rooms", type=int, default=0, help="of four bots, ten positions and ten ticks a second")
    arguments = parser.parse_args()
    program = pathlib.Path(os.environ.get("MADANG") or ".build/release/madang").resolve()
    loadtest = pathlib.Path(os.environ.get("MADANG_LOADTEST") or ".build/release/madang-loadtest").resolve()
    with tempfile.TemporaryDirectory() as folder:
        for is_alone in [True, False] if arguments.rooms else [False]:
            data = pathlib.Path(folder) / str(is_alone)
            server = ServerProcess(program, data / "data", data / "log", "--log-level", "warning")
            server.launch()
            try:
                if is_alone:
                    rooms = rooms_beside(arguments, server, loadtest, arguments.seconds * 3 // 4)
                    print(f"rooms alone:\n{rooms.communicate()[0]}", flush=True)
                else:
                    asyncio.run(measure(arguments, server, loadtest))
            finally:
                server.destroy()


if __name__ == "__main__":
    main()
