"""One attack beside the honest players: its costs, and the costs that are above their bounds."""
import multiprocessing
import time

import honest
from attacked_server import Server
from attackers import Attackers

# The bounds.
MEMORY_MIB_MAX = 256
MEMORY_BACK_MIB = 32
MEMORY_BACK_WITHIN_S = 120
DISK_MB_MAX = 50
TIMES_MAX = 2
EXTRA_MS_MAX = 20
HELLO_S_MAX = 5
# The bound in the gate: longer than an honest guest on a loaded machine waits.
HELLO_S_MAX_SHORT = 25

HEADER = (
    f"{'attack':17} {'sent':>7} {'done':>7} {'peak':>6} {'kept':>6} {'after':>6} {'disk':>6} {'CPU':>9} {'tick p99':>11} "
    f"{'answer p99':>11} {'hello':>6} {'bad':>4}\n"
    f"{'':17} {'MB':>7} {'':>7} {'+MiB':>6} {'+MiB':>6} {'+MiB':>6} {'+MB':>6} {'%':>9} {'ms':>11} {'ms':>11} {'s':>6}"
)


class HonestPlayers:
    """The process of the honest players."""

    def __init__(self, port, kinds):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=honest.main, args=(other, port, kinds))
        self.process.start()
        other.close()
        self.known = self.receive(60)

    def receive(self, within_s):
        try:
            said = self.pipe.recv() if self.pipe.poll(within_s) else None
        except EOFError:
            said = None
        if said is None or isinstance(said, Exception):
            raise said or RuntimeError("the honest players' process has ended, or says nothing")
        return said

    def begin(self, phase):
        self.pipe.send(phase)
        self.receive(30)

    def end(self):
        self.pipe.send("end")
        return self.receive(30)

    def abandon(self):
        self.process.kill()
        self.process.join()


class Trial:
    """One attack, from the server's start to its end, and its results."""

    def __init__(self, name, function, kinds, options):
        self.name = name
        self.function = function
        self.kinds = kinds
        self.options = options

    def play(self, folder):
        self.server = Server(self.options.program, folder, self.options.trim, *self.options.server_options)
        players = None
        try:
            self.server.launch()
            players = HonestPlayers(self.server.port, self.kinds)
            self.measure(players)
            self.status = self.server.end()
        finally:
            if players:
                players.abandon()
            self.server.end()

    def measure(self, players):
        seconds = self.options.seconds
        players.begin("quiet")
        start = self.server.sample()
        time.sleep(self.options.quiet_seconds)
        self.before = self.server.trimmed()
        players.begin("attack")
        self.server.begin_peaks()
        began = self.server.sample()
        with Attackers(self.function, self.server.port, seconds, players.known) as attackers:
            attackers.wait()
            ended = self.server.sample()
            self.kept_mib = self.server.trimmed().memory_mib - self.before.memory_mib
            players.begin("after")
            self.counts = attackers.counts()
        self.cpu = [
            100 * (self.before.cpu_s - start.cpu_s) / (self.before.at_s - start.at_s),
            100 * (ended.cpu_s - began.cpu_s) / (ended.at_s - began.at_s),
        ]
        self.wait_for_memory()
        self.peak_mib = self.server.peak_mib - self.before.memory_mib
        self.disk_mb = self.server.peak_mb - self.before.disk_mb
        # The first phase is the time before the quiet time.
        self.quiet, self.attack = players.end()[1:3]

    def wait_for_memory(self):
        """Measures the memory that is left until it is little or the time is over, and the seconds until then."""
        began = time.monotonic()
        while True:
            self.after_mib = self.server.trimmed().memory_mib - self.before.memory_mib
            self.back_s = time.monotonic() - began
            if self.options.short or self.after_mib <= MEMORY_BACK_MIB or self.back_s >= MEMORY_BACK_WITHIN_S:
                return
            time.sleep(4)

    def misses(self):
        """The bounds that were missed."""
        if self.kept_mib > MEMORY_MIB_MAX:
            yield f"memory grew by {self.kept_mib:.0f} MiB"
        if self.disk_mb > DISK_MB_MAX:
            yield f"the disk's use grew by {self.disk_mb:.0f} MB"
        for complaint in sorted(set(self.attack["complaints"])):
            yield f"{self.attack['complaints'].count(complaint)} ×: {complaint}"
        if self.attack["hello_s"] > (HELLO_S_MAX_SHORT if self.options.short else HELLO_S_MAX):
            yield f"a new guest waited {self.attack['hello_s']:.1f} s"
        if self.status != 0:
            yield f"the server ended with {self.status}: {self.server.last_words()}"
        if self.counts.done == 0:
            yield "the attack did nothing"
        if self.options.short:
            return
        if self.after_mib > MEMORY_BACK_MIB:
            yield f"{self.after_mib:.0f} MiB are not back after {self.back_s:.0f} s"
        for key, what in (("tick_ms", "ticks"), ("answer_ms", "answers")):
            before, under = self.quiet[key], self.attack[key]
            if under > max(TIMES_MAX * before, before + EXTRA_MS_MAX):
                yield f"{what} came {under:.0f} ms late (p99), {before:.0f} ms without the attack"

    def row(self):
        quiet, attack = self.quiet, self.attack
        return (
            f"{self.name:17} {self.counts.sent_bytes / 1e6:7.1f} {self.counts.done:7} {self.peak_mib:6.0f} "
            f"{self.kept_mib:6.0f} {self.after_mib:6.0f} {self.disk_mb:6.1f} {self.cpu[0]:4.0f}→{self.cpu[1]:<4.0f} "
            f"{quiet['tick_ms']:5.0f}→{attack['tick_ms']:<5.0f} {quiet['answer_ms']:5.0f}→{attack['answer_ms']:<5.0f} "
            f"{attack['hello_s']:6.2f} {len(attack['complaints']):4}"
        )
