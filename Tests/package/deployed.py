"""Madang from its package on a machine: installed, set up as an operator does it, and asked by its commands."""
import json
import os
import pathlib
import resource

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = "/var/lib/madang"
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Deployed:
    """The service `madang` of a machine."""

    def __init__(self, machine):
        self.machine = machine

    def install(self, build):
        """Installs the package of a build, or upgrades to it."""
        (package,) = (ROOT / "dist").glob(f"madang_*+{build}_*.deb")
        self.machine.run("apt-get", "install", "-y", "-q", self.machine.copy(package))

    def set(self, **settings):
        """Writes settings into the package's file, and starts the service with them."""
        file = self.machine.root / "etc/madang/madang.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | settings, indent=2) + "\n")
        self.machine.run("systemctl", "restart", "madang")

    def command(self, *words):
        """The output of a command on the service's data, run as its user."""
        return self.as_user("madang", *words, "--data", DATA)

    def as_user(self, *words):
        return self.machine.run("runuser", "-u", "madang", "--", *words)

    @property
    def pid(self):
        return self.machine.run("systemctl", "show", "madang", "-p", "MainPID", "--value").strip()

    def back_up(self):
        """Has the timer's service make a backup; returns its path in the machine."""
        self.machine.run("systemctl", "start", "madang-backup.service")
        *_, newest = sorted((self.machine.root / "var/lib/madang-backups").glob("madang-*.sqlite"))
        return f"/var/lib/madang-backups/{newest.name}"

    def used_s(self):
        """The processor time of all commands in the machine until now and of the service, in seconds. Unlike the time on
        the wall it has no waits for the network, nor for others on a loaded machine."""
        commands = resource.getrusage(resource.RUSAGE_CHILDREN)
        used_s = commands.ru_utime + commands.ru_stime
        if self.machine.run("systemctl", "is-active", "madang", check=False).strip() == "active":
            words = self.machine.run("cat", f"/proc/{self.pid}/stat").rsplit(")", 1)[1].split()
            used_s += (int(words[11]) + int(words[12])) / TICKS_PER_S
        return used_s
