#!/usr/bin/env python3
"""Opens one console beside a load, watches the overview or VIEW, and prints its costs for the line and the server.

    scripts/python Tests/clients/measure_console.py http://HOST:PORT/?token=TOKEN --seconds SECONDS
      [--watch VIEW-AS-JSON] [--pairs COUNT | --record FILE]

The address is the one that a server with --admin-port prints. With --pairs it measures COUNT times, each after
as long a time without a console, and prints the CPU that the console adds. With --record the messages go into FILE
(gzip, a line for each message with its time in ms). Tests/browser/feed.py can play such a file.
"""
import argparse
import asyncio
import gzip
import json
import pathlib
import time

from client import check
from console_feed import Feed
from operators_listener import OperatorsListener


async def measure(operators, seconds, view, file=None):
    feed = await Feed(operators).open()
    feed.record = [] if file else None
    await feed.until("the overview", lambda: "overview" in feed.told)
    if view:
        await feed.socket.send(view)
    await asyncio.sleep(1)
    feed.counts, feed.bytes = {}, {}
    wire, before, began = feed.socket.wire_bytes, feed.told["overview"], time.monotonic()
    await asyncio.sleep(seconds)
    took = time.monotonic() - began
    after = feed.told["overview"]
    check(not feed.reader.done(), f"the feed ended with {feed.socket.close_code}")
    print(f"{(feed.socket.wire_bytes - wire) / took:.0f} bytes/s over the line in {took:.1f} s")
    for name in sorted(feed.bytes):
        count, size = feed.counts[name], feed.bytes[name]
        print(f"{name}: {count / took:.2f} a second, {size / count:.0f} bytes each before compression")
    cpu = after["process"]["cpuSeconds"] - before["process"]["cpuSeconds"]
    between = (after["atMs"] - before["atMs"]) / 1_000
    print(f"server: {100 * cpu / between:.1f} % of a core, {after['rooms']['open']} rooms, "
          f"{after['connections']['players']} players")
    await feed.close()
    if file:
        began = feed.record[0][0]
        lines = [json.dumps([round(1_000 * (at - began)), message], ensure_ascii=False) for at, message in feed.record]
        # The gzip header has no time and no name, so equal recordings are equal files.
        pathlib.Path(file).write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    return 100 * cpu / between


async def idle(operators, seconds):
    """The server's CPU without a console, % of a core."""
    before = operators.stats()
    await asyncio.sleep(seconds)
    after = operators.stats()
    cpu = after["process"]["cpuSeconds"] - before["process"]["cpuSeconds"]
    return 100_000 * cpu / (after["atMs"] - before["atMs"])


async def compare(operators, seconds, view, pairs):
    """Measures in turn, so that a growing or shrinking load favours neither."""
    without, with_console = [], []
    for pair in range(pairs):
        if pair % 2 == 0:
            without.append(await idle(operators, seconds))
        with_console.append(await measure(operators, seconds, view))
        if pair % 2 == 1:
            without.append(await idle(operators, seconds))
        print(f"without a console {without[-1]:.1f} % of a core")
    added = sorted(after / before - 1 for before, after in zip(without, with_console))
    print(f"over all pairs a console adds {100 * (sum(with_console) / sum(without) - 1):.1f} % to the server's CPU; "
          f"of single pairs the middle is {100 * added[len(added) // 2]:.1f} %, "
          f"from {100 * added[0]:.1f} to {100 * added[-1]:.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("link")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--watch", metavar="VIEW-AS-JSON", help='as {"watch":"rooms","sort":"players"}')
    parser.add_argument("--record", metavar="FILE", help="keep what the feed told")
    parser.add_argument("--pairs", type=int, metavar="COUNT", help="measure so often, with and without a console")
    arguments = parser.parse_args()
    operators = OperatorsListener(arguments.link)
    if arguments.pairs:
        asyncio.run(compare(operators, arguments.seconds, arguments.watch, arguments.pairs))
    else:
        asyncio.run(measure(operators, arguments.seconds, arguments.watch, arguments.record))


main()
