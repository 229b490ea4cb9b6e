"""Fixtures of all tests in Python: the programs under test, servers that end with their test, and tests that await."""
import asyncio
import contextlib
import gc
import inspect
import itertools
import os
import pathlib
import random
import signal
import subprocess

import pytest

from program import ServerProcess, running

ROOT = pathlib.Path(__file__).resolve().parents[1]
WITHIN_S = 120
LOG_LINES = 40
# Variables for tests alone. They are taken away, for a server warns of those that are no settings of its own.
NAMED = {variable: os.environ.pop(variable, None) for variable in ("MADANG", "MADANG_LOADTEST", "MADANG_BENCH")}


def pytest_addoption(parser):
    options = parser.getgroup("madang")
    options.addoption("--madang", metavar="PROGRAM", help="the server under test: MADANG, or the release build's")
    options.addoption("--loadtest", metavar="PROGRAM", help="the bots: MADANG_LOADTEST, or the release build's")
    options.addoption("--rounds", type=int, metavar="N", help="how often servers are killed (crashes: 10; taps: 5)")
    options.addoption("--players", type=int, metavar="N", help="under how many players (crashes: 200; taps: 2,000)")
    options.addoption("--seed", type=int, metavar="N", help="draws again what was drawn")
    options.addoption("--attacks", metavar="NAME,NAME", help="which attacks are played")
    options.addoption("--seconds", type=float, help="of each attack (60; 5 with --short)")
    options.addoption("--quiet-seconds", type=float, help="before each attack (as many; 2 with --short)")
    options.addoption("--short", action="store_true", help="attacks of seconds, without a wait and bounds on time")


def pytest_configure():
    # SIGTERM ends the run's servers too, as with Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def path_of(product, named):
    """The program that was named, or the release build's."""
    path = pathlib.Path(named) if named else ROOT / ".build" / "release" / product
    if not path.exists():
        how = f"swift build -c release --product {product}"
        pytest.exit(f"there is no {path}; build it by `{how}`, or name another by --madang or --loadtest", 2)
    return str(path.resolve())


@pytest.fixture(scope="session")
def madang(request):
    """The server as a program."""
    return path_of("madang", request.config.getoption("madang") or NAMED["MADANG"])


@pytest.fixture(scope="session")
def loadtest(request):
    """The bots as a program."""
    return path_of("madang-loadtest", request.config.getoption("loadtest") or NAMED["MADANG_LOADTEST"])


@pytest.fixture(scope="session")
def seed(request):
    """The seed of random choices: --seed, or a new one in each run."""
    given = request.config.getoption("seed")
    seed = random.SystemRandom().randrange(1_000_000) if given is None else given
    print(f"\nseed {seed}", flush=True)
    return seed


@pytest.fixture
def serve(madang, tmp_path):
    """Starts servers that end well with their test: serve(*options), each with a data folder of its own."""
    numbers = itertools.count(1)
    with contextlib.ExitStack() as servers:
        yield lambda *options: servers.enter_context(running(madang, tmp_path / f"server-{next(numbers)}", *options))


@pytest.fixture
def server(serve):
    """A server without options."""
    return serve()


@pytest.fixture(scope="session")
def make_certificate():
    """Makes a certificate, cert.pem, and its key, key.pem: make_certificate(folder, *options)."""
    certs = ROOT / "scripts" / "certs"
    return lambda folder, *options: subprocess.run([certs, folder, *options], check=True, stdout=subprocess.DEVNULL)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test that awaits has its own event loop, and two minutes or the time of `within`. None is no limit."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    within = pyfuncitem.get_closest_marker("within")
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    try:
        asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), within.args[0] if within else WITHIN_S))
    finally:
        # Connections that a test left open end here, before the next test.
        gc.collect()
    return True


def pytest_runtest_setup():
    ServerProcess.launched[:] = [server for server in ServerProcess.launched if server.is_running]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A failure shows the last log lines of the test's servers."""
    report = yield
    if report.failed:
        for server in dict.fromkeys(ServerProcess.launched):
            lines = server.said("")[-LOG_LINES:] if server.log.exists() else []
            report.sections.append((f"the last of {server.log}", "\n".join(lines)))
    return report
