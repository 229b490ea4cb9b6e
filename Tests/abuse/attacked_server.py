"""The server under attack, as a process. Its memory, CPU and disk are read from outside, without requests to it."""
import os
import pathlib
import signal
import subprocess
import threading
import time

from program import ServerProcess

END_WITHIN_S = 60
LOOK_EACH_S = 0.2
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
MIB = 1 << 20
# The signal that trim.c waits for.
TRIM = signal.SIGRTMIN + 5


class Sample:
    """The server's resources at a moment: seconds, MiB of memory, seconds of CPU, MB of disk."""

    def __init__(self, pid, data):
        self.at_s = time.monotonic()
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        memory = next(line for line in status.splitlines() if line.startswith("RssAnon:"))
        self.memory_mib = int(memory.split()[1]) / 1024
        # The fields after the name, which may have spaces.
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        self.cpu_s = (int(fields[11]) + int(fields[12])) / TICKS_PER_S
        self.disk_mb = disk_mb(data)


def disk_mb(folder):
    """The blocks of all files in a folder, MB."""
    blocks = 0
    for path in pathlib.Path(folder).rglob("*"):
        try:
            blocks += path.stat().st_blocks
        except FileNotFoundError:
            pass
    return blocks * 512 / 1e6


def options_of(program):
    return subprocess.run(
        [program, "serve", "--help"], capture_output=True, text=True, check=True, timeout=60
    ).stdout


class Server(ServerProcess):
    """A server that is sampled five times a second on a thread of its own, once it is ready."""

    def __init__(self, program, folder, trim, *options):
        super().__init__(
            program, folder / "data", folder / "server.log", "--grace-seconds", "0", "--log-level", "warning", *options,
            environment=dict(os.environ, LD_PRELOAD=str(trim)),
        )
        self.peak_mib = 0.0
        self.peak_mb = 0.0
        self.is_ending = threading.Event()
        self.looker = threading.Thread(target=self.look, daemon=True)

    def launch(self):
        super().launch()
        self.looker.start()

    def look(self):
        while not self.is_ending.wait(LOOK_EACH_S):
            try:
                sample = self.sample()
            except (OSError, StopIteration):
                return
            self.peak_mib = max(self.peak_mib, sample.memory_mib)
            self.peak_mb = max(self.peak_mb, sample.disk_mb)

    def begin_peaks(self):
        self.peak_mib = self.peak_mb = 0.0

    def sample(self):
        return Sample(self.process.pid, self.data)

    def trimmed(self):
        """A sample after free memory was given back to the kernel."""
        if self.is_running:
            self.signal(TRIM)
            # Nothing reports the end of that.
            time.sleep(1)
        return self.sample()

    def last_words(self, lines=20):
        return "\n".join(self.said("")[-lines:])

    def end(self):
        """Ends it by SIGTERM, or kills it. Returns the status."""
        self.is_ending.set()
        if self.is_running:
            self.signal(signal.SIGTERM)
        try:
            self.process.wait(END_WITHIN_S)
        except subprocess.TimeoutExpired:
            pass
        self.destroy()
        return self.process.returncode
