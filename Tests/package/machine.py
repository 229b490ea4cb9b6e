"""A Debian of its own in a container, booted by systemd, with the network of this machine."""
import os
import pathlib
import shutil
import subprocess
import tarfile
import time

BOOT_S = 60
ROOT = pathlib.Path(__file__).resolve().parents[2]


def archive():
    """The root file system of a fresh Debian, which scripts/package-test makes."""
    (found,) = (ROOT / ".build" / "package-test").glob("*.tar")
    return found


class Machine:
    """Ends with `close`. Commands run in it as root."""

    def __init__(self, archive, folder):
        self.root = pathlib.Path(folder) / "root"
        self.root.mkdir()
        with tarfile.open(archive) as files:
            files.extractall(self.root, numeric_owner=True, filter="fully_trusted")
        for name in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy(f"/{name}", self.root / name)
        for folder_of_settings in ("etc/apt/apt.conf.d", "etc/apt/sources.list.d"):
            for setting in pathlib.Path("/", folder_of_settings).iterdir():
                shutil.copy(setting, self.root / folder_of_settings)
        self.log = open(pathlib.Path(folder) / "boot.log", "wb")
        self.container = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit", "-D", self.root],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
        )
        self.first = self._first()
        self._await_boot()

    def _first(self):
        """The container's first process, as this machine numbers it."""
        deadline = time.monotonic() + BOOT_S
        while time.monotonic() < deadline:
            found = subprocess.run(["pgrep", "-P", str(self.container.pid)], capture_output=True, text=True, check=False)
            if found.stdout.strip():
                return found.stdout.split()[0]
            time.sleep(0.1)
        raise AssertionError("the container did not start: see boot.log")

    def _await_boot(self):
        deadline = time.monotonic() + BOOT_S
        state = ""
        while time.monotonic() < deadline:
            state = self.run("systemctl", "is-system-running", check=False).strip()
            # Some of its own services can't run in a container.
            if state in ("running", "degraded"):
                return
            time.sleep(0.2)
        raise AssertionError(f"the machine is {state}: see boot.log")

    def run(self, *command, check=True):
        """The standard output of a command."""
        done = subprocess.run(
            ["nsenter", "-a", "-t", self.first, "--", *command],
            capture_output=True, text=True, check=False,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
        )
        assert not check or done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def copy(self, path):
        """A copy of a file in the machine's /srv; returns its path there."""
        shutil.copy(path, self.root / "srv")
        return f"/srv/{os.path.basename(path)}"

    def close(self):
        self.run("systemctl", "poweroff", check=False)
        try:
            self.container.wait(30)
        except subprocess.TimeoutExpired:
            self.container.kill()
            self.container.wait()
        self.log.close()
