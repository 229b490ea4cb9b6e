"""The attackers as processes of lower priority, so that honest players lose nothing to them but the server's time."""
import asyncio
import multiprocessing
import os
import sys
import time
import traceback

from field import ADDRESSES, PATIENCE_S, Field
from peer import Counts

PROCESSES = 2
# The time by which a process may report late.
LATE_S = 30
NICE = 19


def attack(function, pipe, port, index, seconds, known):
    """Runs in a process of its own. Keeps its connections until the parent lets it go."""
    os.nice(NICE)
    addresses = ADDRESSES[index::PROCESSES]
    field = None
    try:
        async def run():
            nonlocal field
            field = Field(port, addresses, seconds, known, index)
            await function(field)
            pipe.send(field.counts)
            # Until the parent's message all connections stay open, and are read or not as before.
            await asyncio.get_running_loop().run_in_executor(None, pipe.recv)

        asyncio.run(run())
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc(file=sys.stderr)
        pipe.send(field.counts if field else Counts())
    os._exit(0)


class Attackers:
    """All processes of one attack, ended on leaving."""

    def __init__(self, function, port, seconds, known):
        self.seconds = seconds
        self.pipes = []
        self.processes = []
        for index in range(PROCESSES):
            pipe, other = multiprocessing.Pipe()
            process = multiprocessing.Process(target=attack, args=(function, other, port, index, seconds, known))
            process.start()
            other.close()
            self.pipes.append(pipe)
            self.processes.append(process)

    def __enter__(self):
        return self

    def wait(self):
        """Waits until the attack's time is over, and longer while nothing has been done yet."""
        time.sleep(self.seconds)
        ends_at = time.monotonic() + PATIENCE_S + LATE_S
        for pipe in self.pipes:
            pipe.poll(max(0, ends_at - time.monotonic()))

    def counts(self):
        """The total of all processes' counts."""
        total = Counts()
        for pipe in self.pipes:
            try:
                counts = pipe.recv() if pipe.poll(LATE_S) else Counts()
            except EOFError:
                continue
            total.sent_bytes += counts.sent_bytes
            total.done += counts.done
            total.gone += counts.gone
            for code, count in counts.refused.items():
                total.refused[code] = total.refused.get(code, 0) + count
        return total

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.join()
