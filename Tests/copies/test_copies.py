"""A streamed copy of a server's data, which loses its disk: all that the copy is said to have is there again."""
import asyncio
import shutil
import time

import pytest

from bucket import KEY, REGION, SECRET, serving
from client import Failure, check
from operators_listener import OperatorsListener
from program import Program
from writers import Writer

WRITERS = 6
TEXTS_MIN = 5
SAFE_WITHIN_S = 60
AGE = "madang_copy_age_seconds"
TAKEN = "madang_copy_taken"


class Copied:
    """A server with a copy of its data on another disk, and its writers."""

    def __init__(self, madang, folder, *options, copy=None):
        self.folder = folder
        self.copy = copy or folder / "copy"
        self.options = options
        self.program = Program(
            madang, folder / "disk" / "data", folder / "server.log", "--copy-to", self.copy, "--copy-seconds", "1",
            "--admin-port", "0", *options,
        )
        self.program.data.parent.mkdir()
        self.writers = []
        # Everything that was acknowledged before is in the copy, by the server's own word.
        self.safe_until = 0

    async def begin(self):
        await self.program.start()
        self.writers = [Writer(self.program.url, number) for number in range(WRITERS)]
        await asyncio.gather(*(writer.begin() for writer in self.writers))

    async def look(self):
        """Takes the server's word for how old the copy is."""
        asked = time.time()
        metrics = await asyncio.to_thread(OperatorsListener(self.program.admin).metrics)
        self.safe_until = asked - metrics[AGE]
        return metrics

    def safe(self, writer):
        return sum(at < self.safe_until for at in writer.acknowledged)

    async def until_safe(self, texts):
        """Waits until the copy has some texts of each writer."""
        end = time.monotonic() + SAFE_WITHIN_S
        while min(map(self.safe, self.writers)) < texts:
            check(time.monotonic() < end, f"the copy is not written: {await self.look()}")
            await asyncio.sleep(0.1)
            await self.look()

    async def write_on(self):
        """Lets each writer write, and asks nothing of the server meanwhile."""
        counts = [len(writer.acknowledged) for writer in self.writers]
        for writer, count in zip(self.writers, counts):
            await writer.client.until("an answer", lambda writer=writer, count=count: len(writer.acknowledged) > count)
        return counts

    async def lose_the_disk(self):
        """Kills the server, and takes its disk away."""
        await self.program.kill()
        for writer in self.writers:
            await writer.end()
        shutil.rmtree(self.program.data.parent)

    async def restore(self):
        status, output, errors = await self.program.command("verify", "--from", self.copy, *self.options, data=False)
        check((status, output.splitlines()[-1:]) == (0, ["whole"]), f"madang verify: {status}: {output}{errors}")
        status, output, errors = await self.program.command("restore", "--from", self.copy, *self.options)
        check(status == 0, f"madang restore: {status}: {output}{errors}")
        await self.take_over(self.program.data)
        await self.program.check_is_whole()

    async def take_over(self, data):
        """Has the copy go on with the server on a data folder."""
        status, output, errors = await self.program.command("take-over", "--copy", self.copy, *self.options, data=data)
        check(status == 0 and "from now on" in output, f"madang take-over: {status}: {output}{errors}")

    async def check_writers(self):
        """Holds a server of the restored data to what the copy was said to have; returns how much was lost."""
        lost = 0
        for writer in self.writers:
            texts = await writer.come_back(self.program.url)
            check(texts == [f"text {number}" for number in range(len(texts))], f"chats are {texts}")
            check(len(texts) >= self.safe(writer), f"{len(texts)} of {self.safe(writer)} safe texts are there")
            lost += max(0, len(writer.acknowledged) - len(texts))
        return lost


@pytest.fixture
def copied(madang, tmp_path):
    copied = Copied(madang, tmp_path)
    yield copied
    copied.program.destroy()


async def test_a_lost_disk_costs_what_the_copy_has_not_told_of(copied):
    """The server is killed under its writers, and its folder is gone: it goes on from the copy, twice."""
    await copied.begin()
    for _ in range(2):
        await copied.until_safe(TEXTS_MIN)
        await copied.write_on()
        await copied.lose_the_disk()
        copied.program.data.parent.mkdir()
        await copied.restore()
        await copied.program.start()
        print(f"lost texts of {WRITERS} writers: {await copied.check_writers()}")
        copied.writers = [Writer(copied.program.url, number) for number in range(WRITERS)]
        await asyncio.gather(*(writer.begin() for writer in copied.writers))
    for writer in copied.writers:
        await writer.end()
    await copied.program.end()


async def test_a_server_that_ends_well_leaves_a_copy_of_everything(copied):
    await copied.begin()
    await copied.until_safe(1)
    for writer in copied.writers:
        await writer.end()
    await copied.program.end()
    for writer in copied.writers:
        check(writer.acknowledged, "nothing was written")
    copied.safe_until = time.time()
    shutil.rmtree(copied.program.data)
    await copied.restore()
    # Nothing is restored over data.
    status, _, errors = await copied.program.command("restore", "--from", copied.copy)
    check(status != 0 and "there is a store already" in errors, f"restored over data: {errors}")
    await copied.program.start()
    check(await copied.check_writers() == 0, "the copy lacks what was acknowledged")
    await copied.program.end()


async def test_a_copy_that_fails_stops_nobody_and_is_told_of(copied):
    """The copy's folder can't be written for a while: players notice nothing, operators do, and the copy goes on."""
    await copied.begin()
    await copied.until_safe(1)
    away = copied.folder / "away"
    copied.copy.rename(away)
    copied.copy.write_text("in the way")
    end = time.monotonic() + SAFE_WITHIN_S
    while not (await copied.look())["madang_copy_failing"]:
        check(time.monotonic() < end, "a copy that can't be written is not told of")
        await asyncio.sleep(0.1)
    check(copied.program.said("the copy of the data can't be written"), "the log says nothing")
    counts = await copied.write_on()
    copied.copy.unlink()
    away.rename(copied.copy)
    await copied.until_safe(max(counts) + 1)
    check(not (await copied.look())["madang_copy_failing"], "the copy still fails")
    await copied.lose_the_disk()
    copied.program.data.parent.mkdir()
    await copied.restore()
    await copied.program.start()
    await copied.check_writers()
    await copied.program.end()


async def test_the_doctor_sees_how_far_the_copy_goes(copied):
    await copied.begin()
    await copied.until_safe(1)
    status, output, errors = await copied.program.command("doctor", "--copy", copied.copy, data=False)
    check(status == 0 and "has everything until" in output, f"madang doctor: {status}: {output}{errors}")
    for writer in copied.writers:
        await writer.end()
    await copied.program.end()
    (copied.copy / "through").write_text("2026-01-01T00:00:00Z\n")
    status, output, _ = await copied.program.command("doctor", "--copy", copied.copy, data=False)
    check(status == 1 and "FAILURE" in output, f"an old copy: {status}: {output}")


async def test_two_servers_with_one_copy_are_kept_apart(copied):
    """The second does not start, until it takes the copy over; the first one writes no more then, and goes on playing."""
    await copied.begin()
    await copied.until_safe(1)
    check(copied.program.said("is on the disk of the data"), "a copy on the disk of the data is not warned of")
    second = Program(
        copied.program.program, copied.folder / "other" / "data", copied.folder / "other.log", *copied.program.options
    )
    second.data.parent.mkdir()
    try:
        # A copy that was refused once is refused again.
        for _ in range(2):
            with pytest.raises(Failure):
                await second.start()
            check(await second.status(SAFE_WITHIN_S) == 64, "a server without a copy of its own starts")
        check(len(second.said("is another server's, on the data folder with the identifier")) == 2, "the refusal says nothing")
        check(second.said(f"madang take-over --copy {copied.copy} --data {second.data}"), "the refusal has no way out")
        status, output, _ = await copied.program.command("doctor", "--copy", copied.copy, data=second.data)
        check(status == 1 and "another server's" in output and "on the disk" in output, f"the doctor: {output}")
        counts = await copied.write_on()
        await copied.until_safe(max(counts) + 1)
        # Both run: the copy goes on with the second.
        await copied.take_over(second.data)
        await second.start()
        listener = OperatorsListener(second.admin)
        end = time.monotonic() + 2 * SAFE_WITHIN_S
        while not second.said("a new generation of the copy is whole"):
            check(time.monotonic() < end, "the second server does not take the copy over")
            await asyncio.sleep(0.5)
        check(not (await asyncio.to_thread(listener.metrics))["madang_copy_failing"], "the second server does not copy")
        check(not (await asyncio.to_thread(listener.metrics))[TAKEN], "the second server's copy is said to be another's")
        while not (await copied.look())[TAKEN]:
            check(time.monotonic() < end, "the first server does not notice that its copy is another's")
            await asyncio.sleep(0.5)
        check(copied.program.said("another server has the copy for itself"), "the log says nothing")
        status, output, errors = await copied.program.command("verify", "--from", copied.copy, data=False)
        check(status == 0, f"madang verify: {status}: {output}{errors}")
        status, output, errors = await copied.program.command("take-over", "--copy", copied.copy, data=second.data)
        check(status == 0 and "already" in output, f"madang take-over twice: {status}: {output}{errors}")
        # A server that has had the copy starts without it: its players come back, and operators are told at once.
        await copied.program.kill()
        for writer in copied.writers:
            await writer.end()
        await copied.program.start()
        for writer in copied.writers:
            check(await writer.come_back(copied.program.url), "a writer finds nothing")
        end = time.monotonic() + SAFE_WITHIN_S
        while not (await copied.look())[TAKEN]:
            check(time.monotonic() < end, "a server that starts without its copy does not say so")
            await asyncio.sleep(0.1)
        await copied.program.end()
        await second.end()
    finally:
        second.destroy()


async def test_what_is_no_copy_is_refused(copied):
    empty = copied.folder / "empty"
    empty.mkdir()
    for options, why in (
        (("--from", empty), "there is no copy of a store"),
        (("--from", copied.folder / "nowhere"), "No such file"),
        (("--from", "ftp://example.org/x"), "--from: "),
        (("--from", empty, "--until", "yesterday"), "--until is a moment"),
        (("--until", "2026-11-26T03:15:00Z", "file"), "--until needs --from"),
        ((), "Give either a file or --from"),
    ):
        for command in ("verify", "restore"):
            data = copied.folder / "new"
            more = () if command == "verify" else ("--data", data)
            status, output, errors = await copied.program.command(command, *options, *more, data=False)
            check(status != 0 and why in errors, f"madang {command} {options}: {status}: {output}{errors}")
            check(not (data / "madang.sqlite").exists(), "a store was made of nothing")


async def test_a_bucket_has_the_copy_and_gives_it_back(madang, tmp_path):
    """The same with an S3-compatible store, which fails for a while and checks each signature."""
    key = tmp_path / "key"
    key.write_text(f"{KEY}\n{SECRET}\n")
    with serving("bucket") as bucket:
        options = ("--copy-endpoint", bucket.endpoint, "--copy-region", REGION, "--copy-key-file", key)
        copied = Copied(madang, tmp_path, *options, copy="s3://bucket/games/one")
        try:
            await copied.begin()
            await copied.until_safe(2)
            bucket.is_failing = True
            end = time.monotonic() + SAFE_WITHIN_S
            while not (await copied.look())["madang_copy_failing"]:
                check(time.monotonic() < end, "a bucket that fails is not told of")
                await asyncio.sleep(0.1)
            bucket.is_failing = False
            await copied.until_safe(TEXTS_MIN + 5)
            await copied.lose_the_disk()
            copied.program.data.parent.mkdir()
            await copied.restore()
            await copied.program.start()
            print(f"lost texts of {WRITERS} writers: {await copied.check_writers()}")
            await copied.program.end()
        finally:
            copied.program.destroy()
        check(not bucket.refusals, f"requests were refused: {bucket.refusals[:3]}")
        check(all(name.startswith("games/one/") for name in bucket.objects), f"objects are {list(bucket.objects)[:5]}")
        check(SECRET not in copied.program.log.read_text(), "the log has the secret")
        # A wrong secret is refused, and the command says so.
        key.write_text(f"{KEY}\nwrong\n")
        status, _, errors = await copied.program.command("verify", "--from", copied.copy, *options, data=False)
        check(status != 0 and "403 SignatureDoesNotMatch" in errors, f"a wrong secret: {status}: {errors}")
