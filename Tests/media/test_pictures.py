"""Pictures that others see: with a capsule or not at all, cleaned, by signed addresses, and gone when they should be."""
import asyncio
import json
import time

import pytest

from client import check
from phone import Phone, ask_http, begin, put
from pictures import DEVICE, PLACE, Album, parts, png
from program import Program


@pytest.fixture
def album(tmp_path):
    return Album(tmp_path)


@pytest.fixture
def program(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log")
    yield program
    program.destroy()


async def test_a_capsule_shows_its_pictures_cleaned(server, album):
    phone, other = await Phone.at(server), await Phone.at(server, "나래")
    jpeg, flat = album.jpeg(1_600, 1_200), png(300, 200)
    media = [await phone.upload(server, jpeg), await phone.upload(server, flat, "image/png")]
    await other.expect("placesWatched", "watchPlaces")
    capsule = await phone.bury(*media, everyone=True)
    first, second = await other.open(capsule["capsuleId"])
    check([first["mediaId"], second["mediaId"]] == media, "in their order")
    check(DEVICE in jpeg and b"Exif" in jpeg, "the test's picture has what is to be taken out")
    # The picture was to be turned by its metadata, so it is upright now.
    check((first["width"], first["height"]) == (1_200, 1_600), f"turned: {first}")
    for name, side, url in (("o", 1_600, "url"), ("p", 1_280, "phoneUrl"), ("t", 320, "thumbnailUrl")):
        answer = ask_http(server, "GET", first[url])
        check((answer.status, answer.headers["Content-Type"]) == (200, "image/jpeg"), f"{url}: {answer.status}")
        check(album.dimensions(answer.body, name + ".jpg") == (side * 3 // 4, side), f"{url} has its size")
    whole = ask_http(server, "GET", second["url"])
    check(whole.headers["Content-Type"] == "image/png" and whole.body[:4] == b"\x89PNG", "a PNG stays one")
    check(album.dimensions(whole.body, "s.png") == (300, 200), "as it was")
    # An edit replaces the whole list.
    await phone.expect("capsule", "editCapsule", capsuleId=capsule["capsuleId"], pictures={"mediaIds": media[1:]})
    check([one["mediaId"] for one in await other.open(capsule["capsuleId"])] == media[1:], "edited")
    gone = ask_http(server, "GET", first["url"])
    check((gone.status, gone.code) == (404, "MEDIA_NOT_FOUND"), "nothing refers to it any more")


# Segments and chunks that are pixels, the way to read them, or their colours.
ALLOWED = {
    "image/jpeg": {0xE0, 0xE2, 0xDB, 0xC0, 0xC2, 0xC4, 0xDD, 0xEE},
    "image/png": {b"IHDR", b"IDAT", b"IEND", b"PLTE", b"pHYs", b"sRGB", b"iCCP", b"gAMA"},
    "image/webp": {b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ICCP"},
}


@pytest.mark.parametrize("kind", ["image/jpeg", "image/png", "image/webp", "image/heic"])
async def test_place_device_and_words_are_taken_out_of_every_type(server, album, kind):
    tagged = album.tagged(kind)
    secrets = [DEVICE, b"II*\0", b"x:xmpmeta", PLACE]
    check(all(secret in tagged for secret in secrets), f"the test's picture has what is to be taken out: {kind}")
    phone = await Phone.at(server)
    capsule = await phone.bury(await phone.upload(server, tagged, kind))
    picture, = await phone.open(capsule["capsuleId"])
    for url in ("url", "phoneUrl", "thumbnailUrl"):
        answer = ask_http(server, "GET", picture[url])
        check(answer.status == 200, f"{url}: {answer.status}")
        for secret in [*secrets, b"Exif", b"http://ns.adobe.com"]:
            check(secret not in answer.body, f"{kind} {url} has {secret}")
        found = set(parts(answer.body))
        check(found <= ALLOWED[answer.headers["Content-Type"]], f"{kind} {url} has {found}")


@pytest.mark.parametrize("shown", [[40, 120, 200], [40]])
async def test_colours_stay_as_they_are(server, album, shown):
    picture = png(64, 64, lambda _: bytes(shown) * 64, colours=2 if len(shown) == 3 else 0)
    phone = await Phone.at(server)
    capsule = await phone.bury(await phone.upload(server, picture, "image/png"))
    kept, = await phone.open(capsule["capsuleId"])
    for url in ("url", "phoneUrl", "thumbnailUrl"):
        found = album.colour(ask_http(server, "GET", kept[url]).body, url)
        # A grey picture may be kept in colours.
        wanted = shown if len(found) == len(shown) else shown * 3
        check(all(abs(left - right) <= 3 for left, right in zip(found, wanted)), f"{url} shows {found} for {wanted}")


async def test_addresses_are_signed_for_a_while_and_serve_caches(server, album):
    phone = await Phone.at(server)
    capsule = await phone.bury(await phone.upload(server, album.jpeg(1_600, 1_200)))
    picture, = await phone.open(capsule["capsuleId"])
    url = picture["url"]
    answer = ask_http(server, "GET", url)
    size, tag = len(answer.body), answer.headers["ETag"]
    check(answer.headers["X-Content-Type-Options"] == "nosniff" and answer.headers["Accept-Ranges"] == "bytes", "fields")
    left_s = int(answer.headers["Cache-Control"].split("max-age=")[1].split(",")[0])
    check(answer.headers["Cache-Control"].startswith("private,") and 0 < left_s <= 7_200, "private, for the rest")
    check(abs(int(picture["expiresAtMs"]) / 1_000 - time.time() - left_s) < 5, "until it expires")
    head = ask_http(server, "HEAD", url)
    check((head.status, head.headers["Content-Length"], head.body) == (200, str(size), b""), "HEAD has the same head")
    same = ask_http(server, "GET", url, headers={"If-None-Match": f'"x", {tag}'})
    check((same.status, same.body) == (304, b""), "the copy is good")
    for asked, first, last in [
        ("bytes=0-0", 0, 0), ("bytes=100-299", 100, 299), ("bytes=-50", size - 50, size - 1),
        ("bytes=100000-", 100_000, size - 1), (f"bytes=10-{size * 2}", 10, size - 1), ("bytes=-99999999", 0, size - 1),
    ]:
        part = ask_http(server, "GET", url, headers={"Range": asked})
        check((part.status, part.headers["Content-Range"]) == (206, f"bytes {first}-{last}/{size}"), asked)
        check(part.body == answer.body[first:last + 1], f"{asked}: its bytes")
    for asked in (f"bytes={size}-", "bytes=-0"):
        check(ask_http(server, "GET", url, headers={"Range": asked}).status == 416, f"{asked}: nothing there")
    for asked in ("bytes=1-0", "bytes=a-b", "bytes=0-1,3-4", "lines=1-2", "bytes=" + "9" * 40 + "-"):
        check(ask_http(server, "GET", url, headers={"Range": asked}).body == answer.body, f"{asked}: is ignored")
    fresh = {"Range": "bytes=0-9", "If-Range": tag}
    check(ask_http(server, "GET", url, headers=fresh).status == 206, "a range of the same copy")
    check(ask_http(server, "GET", url, headers=fresh | {"If-Range": '"x"'}).status == 200, "all of another copy")
    path, query = url.split("?")
    expires, signature = (field.split("=")[1] for field in query.split("&"))
    for forged in (
        path, f"{path}?", f"{path}?{query}&x=1", f"{path}?expires={int(expires) + 1}&signature={signature}",
        f"{path}?expires={expires}&signature={'0' * 64}", f"{path}?expires=+{expires}&signature={signature}",
        f"{path}?expires={expires}&signature={signature.upper()}", url.replace("original", "phone"),
        url.replace(picture["mediaId"], "0" * 32), url.replace("original", "original/../original"),
    ):
        answer = ask_http(server, "GET", forged)
        check(answer.status in (403, 404) and answer.code == "MEDIA_ADDRESS_INVALID", f"{forged}: {answer.status}")
    answer = ask_http(server, "PUT", url, b"x")
    check(answer.status == 404, "nothing is written there")


async def test_a_backup_an_export_and_a_deletion_reach_pictures(program, album, tmp_path):
    await program.start()
    phone, other = await Phone.at(program), await Phone.at(program, "나래")
    mine, shared = album.jpeg(), png(200, 100)
    pictures = [await phone.upload(program, mine), await phone.upload(program, shared, "image/png")]
    await phone.bury(*pictures, everyone=True)
    theirs = await other.bury(await other.upload(program, shared, "image/png"))
    copy = tmp_path / "copy"
    copy.mkdir()
    status, output, errors = await program.command("backup", str(copy / "madang.sqlite"))
    check(status == 0, f"the backup: {output} {errors}")
    (copy / "madang.sqlite.media").rename(copy / "media")
    await program.check_is_whole(copy)
    folder = tmp_path / "pictures"
    status, output, errors = await program.command("player", "export", phone.player_id, "--pictures", str(folder))
    check(status == 0, f"the export: {errors}")
    exported = json.loads(output)["pictures"]
    check([one["mediaId"] for one in exported] == pictures, f"exported: {exported}")
    check(album.dimensions((folder / exported[1]["file"]).read_bytes(), "e.png") == (200, 100), "as it is kept")
    files = lambda: sorted((program.data / "media").rglob("*.*"))
    check(len(files()) == 6, "two pictures in three sizes: equal bytes are kept once")
    await phone.expect("ok", "deleteAccount")
    for _ in range(200):
        if len(files()) == 3:
            break
        await asyncio.sleep(0.05)
    check(len(files()) == 3, f"the deleted player's own are gone: {files()}")
    check(len(await other.open(theirs["capsuleId"])) == 1, "the other's stays")
    await program.end()
    await program.check_is_whole()


async def test_a_killed_server_keeps_pictures_whole_and_nothing_else(program, album):
    await program.start()
    kept = []
    for round_number in range(3):
        phone = await Phone.at(program)
        media = [await phone.upload(program, album.jpeg(seed=10 * round_number + number)) for number in range(2)]
        kept.append(await phone.bury(*media, everyone=True))
        picture = album.jpeg(2_000, 1_500, seed=round_number)
        urls = [await phone.ticket(picture) for _ in range(5)]
        for number, url in enumerate(urls):
            begin(program, "PUT", url, len(picture)).sendall(picture[:len(picture) * (number + 1) // 5])
        await asyncio.sleep(0.15 * round_number)
        await program.kill()
        await program.start()
        check(len(list((program.data / "uploads").rglob("*"))) == 1, "what was half-way is gone")
        await program.check_is_whole()
        lost = put(program, urls[0], picture)
        check(lost.code == "TICKET_NOT_FOUND", "tickets are forgotten with the process")
    phone = await Phone.at(program)
    for capsule in kept:
        for picture in await phone.open(capsule["capsuleId"]):
            check(ask_http(program, "GET", picture["thumbnailUrl"]).status == 200, "what was answered is there")
    # A picture that nothing refers to is kept for an hour; a file that no picture names for no time.
    names = {path.name.split(".")[0] for path in (program.data / "media").rglob("*.*")}
    with program.database() as database:
        known = {row[0].hex() for row in database.execute("SELECT digest FROM media")}
    check(names == known, f"files without a picture, or pictures without a file: {names ^ known}")
    await program.end()


async def test_a_post_shows_its_pictures_or_is_not_there(server, album):
    phone, other = await Phone.at(server), await Phone.at(server, "나래")
    media = [await phone.upload(server, album.jpeg(800, 600)), await phone.upload(server, png(300, 200), "image/png")]
    for ids in (["7" * 32], [*media, "7" * 32]):
        await phone.expect_error("MEDIA_NOT_FOUND", "writePost", title="바다", text="파도", media=ids)
    await other.expect_error("MEDIA_NOT_FOUND", "writePost", title="바다", text="파도", media=media)
    written = await phone.expect("post", "writePost", title="바다", text="파도", media=media)
    check([picture["mediaId"] for picture in written["pictures"]] == media, "the author's answer has them")
    for kind, name, fields in (("post", "readPost", {"postId": written["postId"]}), ("posts", "listPosts", {})):
        answer = await other.expect(kind, name, **fields)
        seen = answer["posts"][0] if kind == "posts" else answer
        check([picture["mediaId"] for picture in seen["pictures"]] == media, f"{name}: in their order")
        for picture in seen["pictures"]:
            check(ask_http(server, "GET", picture["thumbnailUrl"]).status == 200, f"{name}: to be seen")
    await phone.expect("ok", "deletePost", postId=written["postId"])
    gone = ask_http(server, "GET", written["pictures"][0]["url"])
    check((gone.status, gone.code) == (404, "MEDIA_NOT_FOUND"), "nothing refers to it any more")
