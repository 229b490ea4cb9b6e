"""The server as a process that is killed and started again, on one port and one data folder."""
import asyncio
import signal
import time

from client import check

READY_WITHIN_S = 30
END_WITHIN_S = 45


class Program:
    def __init__(self, program, folder):
        self.program = program
        self.data = folder / "data"
        self.log = folder / "server.log"
        self.port = 0
        self.process = None
        self.is_down = True
        self.ready_at = None
        self.died_at = None
        # From each start to the ready line, seconds.
        self.starts_s = []

    async def start(self):
        began = time.monotonic()
        with open(self.log, "ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.program, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", self.data,
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=log,
            )
        line = (await asyncio.wait_for(self.process.stdout.readline(), READY_WITHIN_S)).decode().split()
        check(line[:1] == ["ready"], f"the server did not say that it is ready: {line}")
        self.url = line[1]
        self.port = int(self.url.split(":")[2].split("/")[0])
        self.is_down = False
        self.ready_at = time.monotonic()
        self.starts_s.append(self.ready_at - began)
        if self.died_at is None:
            return 0
        # From some moment of the start on the rooms' clocks go on; at the earliest from its beginning.
        return began - self.died_at

    @property
    def end_of_its_own(self):
        """How the server ended that nobody has killed, or None."""
        return None if self.is_down or not self.process else self.process.returncode

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
        self.process.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(self.process.wait(), END_WITHIN_S)
        check(status == 0, f"the server ended with {status} after SIGTERM")

    async def command(self, *arguments):
        """Another command of the program, for the same data: its exit status and what it printed."""
        process = await asyncio.create_subprocess_exec(
            self.program, *arguments, "--data", self.data,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await asyncio.wait_for(process.communicate(), 120)
        return process.returncode, output.decode(errors="replace")

    async def abandon(self):
        """Whatever has happened, no server stays behind."""
        self.is_down = True
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
