"""A server of a test's own, that may be told to end, started anew, and kept from writing."""
import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile

from browser import check

ROOT = pathlib.Path(__file__).parents[2]
END_WITHIN_S = 60


def program():
    return os.environ.get("MADANG") or ROOT / ".build" / "release" / "madang"


class OwnServer:
    def __init__(self, folder, grace_s):
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"
        self.grace_s = grace_s
        # The first start takes a free one.
        self.port = 0
        self.process = None

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [
                    program(), "serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", self.data,
                    "--web-root", ROOT / "Sources" / "Server" / "Web", "--grace-seconds", str(self.grace_s),
                ],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
            )
        line = self.process.stdout.readline()
        check(line.startswith("ready ws://"), f"the server did not say that it is ready: {line!r}")
        self.port = int(line.split(":")[2].split("/")[0])

    def begin_to_end(self):
        """From now on nothing new begins, and running games may end within the grace time."""
        self.process.send_signal(signal.SIGTERM)

    def end_at_once(self):
        """The second signal: nobody is waited for."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(END_WITHIN_S)

    @contextlib.contextmanager
    def kept_from_writing(self):
        """The data folder is taken away for a while: nothing can be committed."""
        elsewhere = self.data.with_name("elsewhere")
        self.data.rename(elsewhere)
        try:
            yield
        finally:
            elsewhere.rename(self.data)


@contextlib.contextmanager
def own_server(grace_s=1):
    with tempfile.TemporaryDirectory() as folder:
        server = OwnServer(folder, grace_s)
        server.start()
        try:
            yield server
        finally:
            if server.process.poll() is None:
                server.process.kill()
            server.process.wait()
