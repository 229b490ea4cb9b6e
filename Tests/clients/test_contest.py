"""The contest of schools as a stranger's app plays it."""
import secrets

from client import Client
from play_json import JSONCodec
from play_proto import ProtoCodec
from program import Program

TAPS_MAX = 229


class Tapper(Client):
    """A player who keeps the expected counts."""

    def __init__(self, url, codec, name):
        super().__init__(url, codec, name)
        self.secret = secrets.token_hex(16)
        self.batch = 0

    async def enter(self):
        """Says hello; returns the server's record of the player."""
        await self.connect()
        welcome = await self.expect("welcome", "hello", nickname=self.name, deviceSecret=self.secret)
        self.token = welcome["sessionToken"]
        return welcome["player"]

    async def come_back(self, url):
        self.url = url
        await self.connect()
        player = (await self.resume())["player"]
        return player.get("schoolId"), player.get("lastTapBatch", 0), int(player.get("myCount", 0))

    async def tap(self, count, batch=None):
        """Sends a batch, by default the next one; returns (my count, the school's)."""
        if batch is None:
            batch = self.batch = self.batch + 1
        tapped = await self.expect("tapped", "tap", batch=batch, count=count)
        assert tapped["batch"] == batch, f"{self.name}: batch {batch} is answered with {tapped}"
        return int(tapped["myCount"]), int(tapped["schoolCount"])

    def rankings(self):
        return [fields for body, fields in self.strays if body == "ranking"]


def rows(schools):
    return [(row.get("rank", 0), row["schoolId"], int(row.get("count", 0))) for row in schools]


async def check_batches(one, two, schools):
    await one.expect_error("SCHOOL_NEEDED", "tap", batch=1, count=1)
    await one.expect_error("SCHOOL_NOT_FOUND", "chooseSchool", schoolId="nowhere")
    await one.expect("ok", "chooseSchool", schoolId=schools[0])
    await two.expect("ok", "chooseSchool", schoolId=schools[1])
    assert await one.tap(37) == (37, 37), "the first batch"
    assert await two.tap(TAPS_MAX) == (TAPS_MAX, TAPS_MAX), "the largest batch"
    assert await one.tap(200, batch=1) == (37, 37), "a number that is sent again has its answer again"
    for count in (0, -1, -(1 << 62)):
        await one.expect_error("OUT_OF_RANGE", "tap", batch=2, count=count)
    error = await one.expect_error("BATCH_GAP", "tap", batch=5, count=1)
    assert error["expectedBatch"] == 2, f"a gap: {error}"
    await one.expect_error("ABNORMAL_TAPS", "tap", batch=2, count=TAPS_MAX + 1)
    await one.expect_error("ABNORMAL_TAPS", "tap", batch=2, count=1)
    one.batch = 2
    assert await one.tap(3) == (40, 40), "behind an abnormal batch"
    assert await one.tap(99, batch=1) == (40, 40), "a number long past tells the totals"
    error = await two.expect_error("RATE_LIMITED", "tap", batch=2, count=1)
    assert 0 < error["retryAfterMs"] <= 5_000, f"too many taps: {error}"


async def check_ranking(one, two, bystander, schools):
    shown = await one.expect("ranking", "watchRanking", top=1)
    assert rows(shown["top"]) == [(1, schools[1], TAPS_MAX)], f"the top: {shown}"
    assert rows([shown["mine"]]) == [(2, schools[0], 40)], f"the own school: {shown}"
    assert rows(shown["neighbours"]) == [(1, schools[1], TAPS_MAX)], f"the neighbours: {shown}"
    assert shown["season"] == 1 and shown["top"][0]["name"] and shown["top"][0]["region"], f"names: {shown}"
    await two.expect("ranking", "watchRanking")
    await one.tap(5)
    for watcher, mine in ((one, (2, schools[0], 45)), (two, (1, schools[1], TAPS_MAX))):
        await watcher.until("the ranking", lambda: (2, schools[0], 45) in [
            row for shown in watcher.rankings() for row in rows(shown.get("neighbours", []) + [shown["mine"]])
        ])
        assert rows([watcher.rankings()[-1]["mine"]]) == [mine], f"{watcher.name}: {watcher.rankings()[-1]}"
        await watcher.expect("ok", "unwatchRanking")
    seen = len(one.rankings()), len(two.rankings())
    await bystander.expect("ranking", "watchRanking", top=2)
    for count in (46, 47):
        await one.tap(1)
        await bystander.until("the ranking", lambda: any(
            (2, schools[0], count) in rows(shown["top"]) for shown in bystander.rankings()
        ))
    # Each watcher has a turn between two rankings of another one, and an answer comes behind earlier messages.
    for watcher in (one, two):
        await watcher.expect("time", "time")
    assert (len(one.rankings()), len(two.rankings())) == seen, "a ranking behind the end of watching"


async def check_crash(program, one, two, schools):
    """Two unanswered batches are counted once, at whichever moment the server dies."""
    total = 47
    for count in (11, 12):
        one.batch += 1
        await one.send("tap", batch=one.batch, count=count)
        await program.kill()
        await program.start()
        school, last, mine = await one.come_back(program.url)
        assert school == schools[0] and last in (one.batch - 1, one.batch), f"after the crash: {school} {last}"
        assert mine == total + (count if last == one.batch else 0), f"after the crash: {mine} of {total}, batch {last}"
        total += count
        assert await one.tap(count, batch=one.batch) == (total, total), "sent again after a crash"
    assert (await two.come_back(program.url))[:2] == (schools[1], 1), "the other player after the crashes"


async def check_change(program, one, schools):
    await one.expect("ok", "chooseSchool", schoolId=schools[1])
    assert await one.tap(1) == (1, TAPS_MAX + 1), "another school: the own count begins at 0"
    await one.expect("ok", "chooseSchool", schoolId=schools[0])
    assert await one.tap(1) == (1, 71), "the school before has kept its total"
    await program.end()
    await program.check_is_whole()


async def test_taps_count_once_over_crashes_and_the_ranking_follows(madang, tmp_path):
    """Batches are counted, sent again, refused out of order, when they are abnormal and when they are too many. The
    ranking is sent in both encodings until it is no longer watched. Unanswered batches that are sent again over
    kill -9 count once. After a change of school and back all sums agree on the disk."""
    program = Program(madang, tmp_path / "data", tmp_path / "log")
    try:
        await program.start()
        one, two = Tapper(program.url, JSONCodec(), "one"), Tapper(program.url, ProtoCodec(), "two")
        bystander = Tapper(program.url, JSONCodec(), "bystander")
        for tapper in (one, two, bystander):
            player = await tapper.enter()
            assert "schoolId" not in player and "lastTapBatch" not in player, f"a stranger: {player}"
        found = await one.expect("schools", "searchSchools", query="고등학교", limit=2)
        schools = [school["schoolId"] for school in found["schools"]]
        await check_batches(one, two, schools)
        await check_ranking(one, two, bystander, schools)
        await bystander.close()
        await check_crash(program, one, two, schools)
        await check_change(program, one, schools)
    finally:
        program.destroy()
