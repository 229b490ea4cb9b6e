"""The server as a process that is killed, ended and started again, on one port and one data folder."""
import asyncio
import signal
import sqlite3

from client import check

READY_WITHIN_S = 30
END_WITHIN_S = 30


class Program:
    def __init__(self, program, data, log):
        self.program = program
        self.data = data
        self.log = log
        self.port = 0
        self.process = None

    async def start(self):
        with open(self.log, "ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.program, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", self.data,
                "--grace-seconds", "1",
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=log,
            )
        line = (await asyncio.wait_for(self.process.stdout.readline(), READY_WITHIN_S)).decode().split()
        check(line[:1] == ["ready"], f"the server did not say that it is ready: {line} {self.said('')}")
        self.url = line[1]
        self.port = int(self.url.split(":")[2].split("/")[0])

    @property
    def pid(self):
        return self.process.pid

    def said(self, words):
        """The lines of the log with these words."""
        return [line for line in self.log.read_text(errors="replace").splitlines() if words in line]

    async def kill(self):
        """kill -9: the process has no word in it."""
        check(self.process.returncode is None, f"the server died by itself, with {self.process.returncode}")
        self.process.kill()
        await self.process.wait()

    async def end(self):
        """SIGTERM, which must lead to an end in good order."""
        self.process.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(self.process.wait(), END_WITHIN_S)
        check(status == 0, f"the server ended with {status} after SIGTERM")

    async def command(self, *arguments):
        """Another command of the program: its exit status, what it printed, and what it complained of."""
        process = await asyncio.create_subprocess_exec(
            self.program, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            output, errors = await asyncio.wait_for(process.communicate(), READY_WITHIN_S)
        except asyncio.TimeoutError:
            process.kill()
            await process.wait()
            raise
        return process.returncode, output.decode(errors="replace"), errors.decode(errors="replace")

    async def check_is_whole(self):
        status, output, errors = await self.command("check", "--data", self.data)
        check((status, output) == (0, "whole\n"), f"madang check ended with {status}: {output}{errors}")

    def database(self):
        """The file itself, for faults that no server would make."""
        return sqlite3.connect(self.data / "madang.sqlite")

    async def abandon(self):
        """Whatever has happened, no server stays behind."""
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
