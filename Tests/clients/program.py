"""The server as a process: started, killed, ended and started again, on one port and one data folder."""
import asyncio
import signal
import sqlite3
import time

from client import Failure, check

READY_WITHIN_S = 30
END_WITHIN_S = 45
COMMAND_WITHIN_S = 120


class Program:
    """`madang serve` with further `options`, and beside it the other commands for the same data."""

    def __init__(self, program, data, log, *options):
        self.program = program
        self.data = data
        self.log = log
        self.options = options
        # The first start takes a free one.
        self.port = 0
        # What operators open, where there is a listener for them.
        self.admin = None
        self.process = None
        self.is_down = True
        self.ready_at = None
        self.died_at = None
        # From each start to the ready line, seconds.
        self.starts_s = []

    async def start(self):
        """Returns for how long rooms' clocks have stood still since the last kill at least, seconds."""
        began = time.monotonic()
        with open(self.log, "ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.program, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", self.data,
                *self.options,
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=log,
            )
        line = (await asyncio.wait_for(self.process.stdout.readline(), READY_WITHIN_S)).decode().split()
        if line[:1] == ["admin"]:
            self.admin = line[1]
            line = (await asyncio.wait_for(self.process.stdout.readline(), READY_WITHIN_S)).decode().split()
        check(line[:1] == ["ready"], f"the server did not say that it is ready: {line} {self.said('')[-20:]}")
        self.url = line[1]
        self.port = int(self.url.split(":")[2].split("/")[0])
        self.is_down = False
        self.ready_at = time.monotonic()
        self.starts_s.append(self.ready_at - began)
        # From some moment of the start on the clocks go on; at the earliest from its beginning.
        return 0 if self.died_at is None else began - self.died_at

    @property
    def pid(self):
        return self.process.pid

    @property
    def end_of_its_own(self):
        """How the server ended that nobody has killed, or None."""
        return None if self.is_down or not self.process else self.process.returncode

    def said(self, words):
        """The lines of the log with these words."""
        return [line for line in self.log.read_text(errors="replace").splitlines() if words in line]

    async def kill(self):
        """kill -9: the process has no word in it."""
        check(self.process.returncode is None, f"the server died by itself, with {self.process.returncode}")
        self.is_down = True
        self.process.kill()
        await self.process.wait()
        self.died_at = time.monotonic()

    async def end(self):
        """SIGTERM, which must lead to an end in good order."""
        self.is_down = True
        self.signal(signal.SIGTERM)
        status = await self.status(END_WITHIN_S)
        check(status == 0, f"the server ended with {status} after SIGTERM")

    def signal(self, number):
        self.process.send_signal(number)

    async def status(self, within_s):
        """The exit status, once a signal has led to one."""
        try:
            return await asyncio.wait_for(self.process.wait(), within_s)
        except asyncio.TimeoutError:
            raise Failure(f"the server still runs {within_s} s after the signal") from None

    async def abandon(self):
        """Whatever has happened, no server stays behind."""
        self.is_down = True
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    async def command(self, *arguments, data=None):
        """Another command for this data folder or `data`: its exit status, what it printed, what it complained of."""
        process = await asyncio.create_subprocess_exec(
            self.program, *arguments, "--data", data or self.data,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        try:
            output, errors = await asyncio.wait_for(process.communicate(), COMMAND_WITHIN_S)
        except BaseException:
            process.kill()
            await process.wait()
            raise
        return process.returncode, output.decode(errors="replace"), errors.decode(errors="replace")

    async def check_is_whole(self, data=None):
        status, output, errors = await self.command("check", data=data)
        check((status, output) == (0, "whole\n"), f"madang check ended with {status}: {output}{errors}")

    def database(self):
        """The file itself, for faults that no server would make."""
        return sqlite3.connect(self.data / "madang.sqlite")
