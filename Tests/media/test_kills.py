"""A server that is killed while posts with five pictures are made: each post is there whole, or not at all."""
import asyncio
import random

import pytest

from client import Failure, check
from phone import Phone, ask_http, begin
from pictures import Album
from program import Program

ROUNDS = 3
AUTHORS = 2
POSTS_EACH = 4
PICTURES_EACH = 5
# Some posts are answered by then, some are written, some have not arrived.
KILLED_WITHIN_S = 0.03
# A round takes two or three seconds; a loaded machine may need many more.
ROUND_WITHIN_S = 120
SWEPT_WITHIN_S = 60
DAY_MS = 86_400_000


@pytest.fixture
def album(tmp_path):
    return Album(tmp_path)


@pytest.fixture
def program(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log")
    yield program
    program.destroy()


class Author:
    """A player with five pictures, and the posts that the server has acknowledged to them."""

    def __init__(self, phone, media):
        self.phone = phone
        self.media = media
        self.acknowledged = set()

    async def write(self, title):
        try:
            post = await self.phone.expect("post", "writePost", title=title, text=f"{title} 바다", media=self.media)
        except Failure:
            # The server was killed before its answer.
            check(self.phone.reader.done(), f"{title}: refused by a server that lives")
        else:
            self.acknowledged.add(post["postId"])


class Fan:
    """A player who likes and reads one post before a kill, and again behind it."""

    def __init__(self, phone):
        self.phone = phone

    async def adore(self, post_id):
        for _ in range(2):
            await self.phone.expect("postCounts", "like", postId=post_id)
            await self.phone.expect("post", "readPost", postId=post_id)


@pytest.mark.within(None)
async def test_posts_with_pictures_are_whole_after_kills(program, album, seed, request):
    rounds = request.config.getoption("rounds") or ROUNDS
    rng = random.Random(seed)
    jpegs = [album.jpeg(320, 240, seed=number) for number in range(2 * PICTURES_EACH)]
    counts = {"acknowledged": 0, "unacknowledged": 0, "lost": 0}
    used = set()
    await program.start()
    for number in range(rounds):
        await asyncio.wait_for(kill_while_writing(program, jpegs, rng, counts, used, number), ROUND_WITHIN_S)
    await program.end()
    print(f"\n{rounds} kills: {counts['acknowledged']} posts were acknowledged before, {counts['unacknowledged']} are "
          f"whole though nobody was told, {counts['lost']} are not there")
    await check_sweep(program, used)


async def kill_while_writing(program, jpegs, rng, counts, used, number):
    """One kill. The media of the posts that are there afterwards join `used`."""
    phones = [await Phone.at(program) for _ in range(AUTHORS)]
    authors = await asyncio.gather(*(make_author(program, phone, rng.sample(jpegs, PICTURES_EACH)) for phone in phones))
    fan = Fan(await Phone.at(program, "나래"))
    first = await phones[0].expect("post", "writePost", title="먼저", text="바다", media=authors[0].media)
    authors[0].acknowledged.add(first["postId"])
    # An upload that is under way leaves nothing.
    half = begin(program, "PUT", await phones[0].ticket(jpegs[0]), len(jpegs[0]))
    half.sendall(jpegs[0][:len(jpegs[0]) // 2])
    titles = {author: [f"{number} {each}" for each in range(POSTS_EACH)] for author in authors}
    await fan.adore(first["postId"])
    writing = [asyncio.create_task(author.write(title)) for author in authors for title in titles[author]]
    await asyncio.sleep(rng.uniform(0, KILLED_WITHIN_S))
    await program.kill()
    half.close()
    await asyncio.gather(*writing)
    await program.start()
    await program.check_is_whole()
    await fan.phone.connect()
    await fan.phone.resume()
    await fan.adore(first["postId"])
    for author in authors:
        await check_posts(program, fan.phone, author, titles[author], counts, used)
    seen = await fan.phone.expect("post", "readPost", postId=first["postId"])
    check((seen["likes"], seen["views"]) == (1, 1), f"a like and a view count once: {seen}")
    await fan.phone.close()


async def make_author(program, phone, jpegs):
    return Author(phone, await asyncio.gather(*(upload(program, phone, jpeg) for jpeg in jpegs)))


async def upload(program, phone, jpeg):
    url = await phone.ticket(jpeg)
    return (await asyncio.to_thread(ask_http, program, "PUT", url, jpeg)).media_id


async def check_posts(program, reader, author, titles, counts, used):
    """Holds the posts that are there to what was sent, and to what was acknowledged."""
    answer = await reader.expect("posts", "listPosts", authorId=author.phone.player_id, limit=50)
    posts = {post["postId"]: post for post in answer.get("posts", [])}
    check(author.acknowledged <= posts.keys(), f"lost: {author.acknowledged - posts.keys()}")
    for post in posts.values():
        check(post["title"] in [*titles, "먼저"], f"nobody wrote {post['title']}")
        check([picture["mediaId"] for picture in post["pictures"]] == author.media, "all pictures, in their order")
        used.update(author.media)
    urls = {picture["thumbnailUrl"] for post in posts.values() for picture in post["pictures"]}
    for url in list(urls)[:PICTURES_EACH]:
        check((await asyncio.to_thread(ask_http, program, "GET", url)).status == 200, "each picture is there")
    unacknowledged = len(posts.keys() - author.acknowledged)
    counts["acknowledged"] += len(author.acknowledged)
    counts["unacknowledged"] += unacknowledged
    counts["lost"] += len(titles) + ("먼저" in [post["title"] for post in posts.values()]) - len(posts)


async def check_sweep(program, used):
    """An hour later there are the media that posts refer to, their files, and no others."""
    with program.database() as database:
        database.execute("UPDATE media SET uploaded_at = uploaded_at - ?", (DAY_MS,))
        database.execute("UPDATE media SET unused_since = unused_since - ?", (DAY_MS,))
    database.close()
    await program.start()
    for _ in range(10 * SWEPT_WITHIN_S):
        with program.database() as database:
            media = {row[0].hex(): row[1].hex() for row in database.execute("SELECT id, digest FROM media")}
        database.close()
        files = {path.name.split(".")[0] for path in (program.data / "media").rglob("*.*")}
        if media.keys() == used and files == set(media.values()):
            break
        await asyncio.sleep(0.1)
    check(media.keys() == used, f"unreferenced: {len(media.keys() - used)}, lost: {len(used - media.keys())}")
    check(files == set(media.values()), "files that no picture names, or pictures without a file")
    await program.end()
    await program.check_is_whole()
