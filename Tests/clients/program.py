"""The server as a process: started, killed, ended and started again, on one port and one data folder."""
import asyncio
import contextlib
import select
import signal
import sqlite3
import subprocess
import time

from client import check

END_WITHIN_S = 90
COMMAND_WITHIN_S = 120


class ServerProcess:
    """`madang serve` with further `options`. Its calls wait; `Program` has those for asyncio."""

    # A loaded machine may stand still for many seconds.
    ready_within_s = 60
    # Every server that was launched, for the report of a failure.
    launched = []

    def __init__(self, program, data, log, *options, environment=None):
        self.program = program
        self.data = data
        self.log = log
        self.options = options
        self.environment = environment
        # The first start takes a free port.
        self.port = 0
        self.url = None
        # The operators' address, where there is a listener for them.
        self.admin = None
        self.process = None
        self.is_down = True
        self.ready_at = None
        self.died_at = None
        # From each start to the ready line, seconds.
        self.starts_s = []

    def launch(self):
        """Starts it and waits until it is ready."""
        began = time.monotonic()
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", self.data,
                 *self.options],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, bufsize=0, env=self.environment,
            )
        ServerProcess.launched.append(self)
        line = self.line(began)
        if line[:1] == ["admin"]:
            self.admin = line[1]
            line = self.line(began)
        check(line[:1] == ["ready"], f"the server did not say that it is ready: {line} {self.said('')[-20:]}")
        self.url = line[1]
        self.port = int(self.url.split(":")[2].split("/")[0])
        self.is_down = False
        self.ready_at = time.monotonic()
        self.starts_s.append(self.ready_at - began)

    def line(self, began):
        """The words of the server's next line; none when it has ended or is late."""
        output = select.poll()
        output.register(self.process.stdout, select.POLLIN)
        printed = b""
        while not printed.endswith(b"\n"):
            left_s = began + self.ready_within_s - time.monotonic()
            if left_s <= 0 or not output.poll(1_000 * left_s):
                break
            byte = self.process.stdout.read(1)
            if not byte:
                break
            printed += byte
        return printed.decode().split()

    @property
    def pid(self):
        return self.process.pid

    @property
    def origin(self):
        """ws://HOST:PORT, or wss:// with TLS."""
        return self.url.removesuffix("/v1/play")

    @property
    def address(self):
        """HOST:PORT."""
        return self.origin.split("//")[1]

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def end_of_its_own(self):
        """The exit status of a server that ended unasked, or None."""
        return None if self.is_down or not self.process else self.process.poll()

    def said(self, words):
        """The lines of the log with these words."""
        return [line for line in self.log.read_text(errors="replace").splitlines() if words in line]

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, within_s):
        """The exit status, once a signal has led to one."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(within_s)
        check(False, f"the server still runs {within_s} s after the signal")

    def shut_down(self):
        """SIGTERM, which must lead to an end in good order."""
        self.is_down = True
        self.signal(signal.SIGTERM)
        status = self.wait(END_WITHIN_S)
        check(status == 0, f"the server ended with {status} after SIGTERM")

    def destroy(self):
        """Kills the server in any state, so that none stays behind."""
        self.is_down = True
        if self.process:
            # A process that has ended is not affected.
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


class Program(ServerProcess):
    """A server among the clients of an event loop, and beside it the other commands for the same data."""

    async def start(self):
        """Returns the shortest time for which rooms' clocks have stood still since the last kill, seconds."""
        began = time.monotonic()
        await asyncio.to_thread(self.launch)
        # The clocks go on from some moment of the start; at the earliest from its beginning.
        return 0 if self.died_at is None else began - self.died_at

    async def kill(self):
        """Kills it by SIGKILL, which a process can't catch."""
        check(self.is_running, f"the server died by itself, with {self.process.returncode}")
        self.is_down = True
        self.process.kill()
        await asyncio.to_thread(self.process.wait)
        self.died_at = time.monotonic()

    async def end(self):
        """SIGTERM, which must lead to an end in good order."""
        await asyncio.to_thread(self.shut_down)

    async def status(self, within_s):
        """The exit status, once a signal has led to one."""
        return await asyncio.to_thread(self.wait, within_s)

    async def command(self, *arguments, data=None):
        """Another command for this data folder or `data`, or with False for none: its exit status, its output and its
        errors."""
        folder = () if data is False else ("--data", data or self.data)
        process = await asyncio.create_subprocess_exec(
            self.program, *arguments, *folder,
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
        """The database file, for faults that no server would make."""
        return sqlite3.connect(self.data / "madang.sqlite")


@contextlib.contextmanager
def running(program, folder, *options):
    """A server in conformance mode with a data folder of its own. It must live until the end, and end well when it
    is told to."""
    server = Program(program, folder / "data", folder / "server.log", "--conformance", *options)
    try:
        server.launch()
        yield server
        check(server.is_running, f"the server died under the test, with {server.process.returncode}")
        server.shut_down()
    finally:
        server.destroy()
