"""Uploads of pictures by clients that know only PROTOCOL.md: whole, resumed, at once, refused, and slow."""
import asyncio
import random
import socket
import subprocess
import time

import pytest

from client import check
from phone import Phone, TUS, answer_on, ask_http, begin, offset_of, patch, put
from pictures import Album, png

SLOW_UPLOADS = 50
SLOW_BYTES = 400_000
# Of each upload that is under way, above what a connection costs.
UPLOAD_BYTES_MAX = 64 * 1_024


@pytest.fixture
def album(tmp_path):
    return Album(tmp_path)


async def test_a_picture_is_uploaded_whole_by_curl_of_every_type(server, album):
    phone = await Phone.at(server)
    pictures = [
        ("image/jpeg", album.jpeg()), ("image/png", png(300, 200)), ("image/webp", album.webp()),
        ("image/heic", album.heic()),
    ]
    for kind, picture in pictures:
        url = await phone.ticket(picture, kind)
        path = album.folder / "upload"
        path.write_bytes(picture)
        output = subprocess.run(
            ["curl", "--silent", "--show-error", "--fail", "-T", str(path), f"http://{server.address}{url}"],
            check=True, capture_output=True, text=True,
        ).stdout
        check(output.startswith('{"mediaId":"'), f"{kind}: {output}")
        again = ask_http(server, "HEAD", url)
        check(again.headers["Media-Id"] in output, "a lost answer is had again by HEAD")


async def test_an_upload_goes_on_where_it_was_cut_off(server, album, seed):
    phone = await Phone.at(server)
    draw = random.Random(seed)
    picture = album.jpeg(1_200, 900)
    url = await phone.ticket(picture)
    sent, cuts = 0, 0
    while sent < len(picture) and cuts < 8:
        connection = begin(server, "PATCH", url, len(picture) - sent, "".join(
            f"{name}: {value}\r\n" for name, value in (TUS | {"Upload-Offset": str(sent)}).items()
        ))
        connection.sendall(picture[sent:sent + draw.randrange(1, len(picture) // 8)])
        if draw.random() < 0.5:
            # A reset loses what the kernel has not delivered.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()
        before, sent, cuts = sent, await settled(server, url), cuts + 1
        check(before <= sent <= len(picture), f"{before} bytes had come, then {sent}")
    wrong = patch(server, url, picture[:1], sent + 1)
    check((wrong.status, wrong.code) == (409, "UPLOAD_OFFSET_DIFFERS"), f"a gap: {wrong.status} {wrong.body}")
    # A part by itself, then the rest.
    half = sent + (len(picture) - sent) // 2
    part = patch(server, url, picture[sent:half], sent)
    check((part.status, part.headers["Upload-Offset"]) == (204, str(half)), f"a part: {part.status} {part.body}")
    last = patch(server, url, picture[half:], half)
    check((last.status, last.body) == (204, b""), f"the last part is answered as tus wants it: {last.status} {last.body}")
    check(last.media_id and last.headers["Upload-Offset"] == str(len(picture)), "the rest makes it a picture")
    head = ask_http(server, "HEAD", url, headers={"Tus-Resumable": "1.0.0"})
    check((head.status, head.headers["Media-Id"]) == (200, last.media_id), "HEAD has it too")


async def settled(server, url):
    """How far an upload has come, once the server has noticed that its connection is gone."""
    for _ in range(200):
        offset = offset_of(server, url)
        probe = patch(server, url, b"", offset)
        if probe.status == 204:
            return offset
        check(probe.code in ("UPLOAD_RUNNING", "UPLOAD_OFFSET_DIFFERS"), f"{probe.status} {probe.body}")
        await asyncio.sleep(0.05)
    raise AssertionError("the lost connection was never noticed")


async def test_tickets_are_for_one_picture_of_one_player(server, album):
    phone, other = await Phone.at(server), await Phone.at(server, "나래")
    picture = album.jpeg()
    url = await phone.ticket(picture)
    # Two uploads at once: the second is refused while the first goes on.
    first = begin(server, "PUT", url, len(picture))
    first.sendall(picture[:1_000])
    while offset_of(server, url) < 1_000:
        await asyncio.sleep(0.01)
    second = put(server, url, picture)
    check((second.status, second.code) == (409, "UPLOAD_RUNNING"), f"at once: {second.status} {second.body}")
    first.sendall(picture[1_000:])
    media_id = answer_on(first).media_id
    used = put(server, url, picture)
    check((used.status, used.code) == (410, "TICKET_USED"), f"again: {used.status} {used.body}")
    # The picture is its uploader's alone.
    await other.expect_error(
        "MEDIA_NOT_FOUND", "buryCapsule", title="a", text="b", memoryDate="2020-08-15", latE7=1, lngE7=1, pictures=[media_id]
    )
    await other.expect_error(
        "MEDIA_NOT_FOUND", "buryCapsule", title="a", text="b", memoryDate="2020-08-15", latE7=1, lngE7=1, pictures=["../x"]
    )
    await phone.bury(media_id)
    unknown = put(server, "/v1/media/uploads/" + "0" * 32, picture)
    check((unknown.status, unknown.code) == (404, "TICKET_NOT_FOUND"), f"no ticket: {unknown.status}")


async def test_an_upload_takes_over_from_a_connection_that_has_gone_silent(server, album):
    phone = await Phone.at(server)
    picture = album.jpeg()
    url = await phone.ticket(picture)
    silent = begin(server, "PUT", url, len(picture))
    silent.sendall(picture[:500])
    while offset_of(server, url) < 500:
        await asyncio.sleep(0.01)
    answer = patch(server, url, picture[500:], 500)
    while answer.status == 409:
        await asyncio.sleep(0.5)
        answer = patch(server, url, picture[500:], 500)
    check(answer.media_id, "the newer connection brings the rest")
    silent.sendall(picture[500:])
    check(answer_on(silent).status == 409, "the older one is told so")


async def test_what_is_no_picture_is_refused_with_a_code_of_its_own(server, album):
    phone = await Phone.at(server)
    jpeg = album.jpeg()
    await phone.expect_error("MEDIA_TOO_LARGE", "askUpload", bytes=5_242_881, type="image/jpeg")
    await phone.expect_error("OUT_OF_RANGE", "askUpload", bytes=0, type="image/jpeg")
    for kind in ("", "image/gif", "image/svg+xml", "image/avif", "text/html", "image/jpeg; x"):
        await phone.expect_error("MEDIA_TYPE_REFUSED", "askUpload", bytes=10, type=kind)
    bomb = png(64, 64, claims=(30_000, 30_000))
    wide = png(12_001, 1)
    # It is what it claims, a hundred megabytes, in a hundred kilobytes.
    black = png(7_300, 7_300, lambda y: b"\0" * (3 * 7_300))
    cases = [
        (b"GIF89a" + b"\0" * 50, "image/png", 422, "MEDIA_NOT_A_PICTURE"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/jpeg", 422, "MEDIA_NOT_A_PICTURE"),
        (png(20, 20), "image/jpeg", 415, "MEDIA_TYPE_REFUSED"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg", 422, "MEDIA_DAMAGED"),
        (jpeg[:len(jpeg) * 6 // 10], "image/jpeg", 422, "MEDIA_DAMAGED"),
        (bomb, "image/png", 422, "MEDIA_TOO_MANY_PIXELS"),
        (wide, "image/png", 422, "MEDIA_TOO_MANY_PIXELS"),
        (black, "image/png", 422, "MEDIA_TOO_MANY_PIXELS"),
    ]
    for picture, kind, status, code in cases:
        url = await phone.ticket(picture, kind)
        answer = put(server, url, picture)
        check((answer.status, answer.code) == (status, code), f"{code}: {answer.status} {answer.body}")
        check(put(server, url, picture).code == "TICKET_USED", f"{code}: the ticket is used up")
    # Ten of a guest's day.
    for _ in range(2):
        await phone.ticket(5_000_000)
    limited = await phone.expect_error("RATE_LIMITED", "askUpload", bytes=1, type="image/jpeg")
    check(limited["retryAfterMs"] > 60_000, f"a day has its uploads: {limited}")
    # Files are deleted beside the answers.
    for _ in range(100):
        if len(list((server.data / "uploads").rglob("*"))) == 1:
            break
        await asyncio.sleep(0.05)
    check(len(list((server.data / "uploads").rglob("*"))) == 1, "nothing is half-kept but the folder itself")
    check(not (server.data / "media").exists() or not list((server.data / "media").rglob("*.*")), "nothing kept")


async def test_requests_that_break_the_rules_are_refused(server, album):
    phone = await Phone.at(server)
    picture = album.jpeg()
    url = await phone.ticket(picture)
    for method, headers, status in [
        ("PATCH", {"Upload-Offset": "0", "Content-Type": TUS["Content-Type"]}, 412),
        ("PATCH", {"Upload-Offset": "0", "Tus-Resumable": "1.0.0"}, 415),
        ("PATCH", TUS, 400),
        ("PATCH", TUS | {"Upload-Offset": "-1"}, 400),
        ("PATCH", TUS | {"Upload-Offset": "9" * 30}, 400),
        ("POST", {}, 405),
    ]:
        answer = ask_http(server, method, url, picture, headers)
        check(answer.status == status, f"{method} {headers}: {answer.status}")
    for length in (len(picture) - 1, len(picture) + 1):
        answer = put(server, url, (picture + b"x")[:length])
        check((answer.status, answer.code) == (400, "UPLOAD_LENGTH_DIFFERS"), f"{length}: {answer.status} {answer.body}")
    answer = answer_on(begin(server, "PUT", url, 6_000_000))
    check((answer.status, answer.code) == (413, "MEDIA_TOO_LARGE"), f"too large: {answer.status}")
    chunked = socket.create_connection(("127.0.0.1", server.port), 10)
    chunked.sendall(f"PUT {url} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
    check(answer_on(chunked).status == 501, "chunks are not understood")
    # A client that waits for leave to send gets it, or its refusal at once.
    waiting = begin(server, "PUT", url, len(picture), "Expect: 100-continue\r\n")
    check(waiting.recv(100).startswith(b"HTTP/1.1 100 "), "go on")
    waiting.sendall(picture)
    check(answer_on(waiting).media_id, "it has gone on")
    refused = begin(server, "PUT", url, len(picture), "Expect: 100-continue\r\n")
    check(answer_on(refused).status == 410, "refused before the body")


@pytest.mark.parametrize("path, code", [
    ("/v1/media/", "MEDIA_ADDRESS_INVALID"),
    ("/v1/media/uploads", "MEDIA_ADDRESS_INVALID"),
    ("/v1/media/uploads/", "TICKET_NOT_FOUND"),
    ("/v1/media/uploads/..", "TICKET_NOT_FOUND"),
    ("/v1/media/uploads/%2e%2e", "TICKET_NOT_FOUND"),
    ("/v1/media/uploads/upload-0", "TICKET_NOT_FOUND"),
    ("/v1/media/../../etc/passwd", "MEDIA_ADDRESS_INVALID"),
    ("/v1/media/..%2f..%2fetc%2fpasswd/original?expires=1&signature=00", "MEDIA_ADDRESS_INVALID"),
    ("/v1/media/%2e%2e/%2e%2e/etc/passwd", "MEDIA_ADDRESS_INVALID"),
    ("/v1/media/uploads/../../x", "MEDIA_ADDRESS_INVALID"),
    ("/v1/media//uploads/" + "0" * 32, "MEDIA_ADDRESS_INVALID"),
])
async def test_tricks_with_paths_lead_nowhere(server, path, code):
    answer = ask_http(server, "GET", path)
    # An address with the form of a picture's is forbidden, every other path is none.
    status = 403 if path.startswith("/v1/media/..%2f") else 404
    check((answer.status, answer.code) == (status, code), f"GET {path}: {answer.status} {answer.body}")
    answer = put(server, path, b"x")
    check((answer.status, answer.code) == (404, "TICKET_NOT_FOUND"), f"PUT {path}: {answer.status} {answer.body}")


@pytest.mark.parametrize("path", ["/v1/media", "/v1/mediax/uploads/1"])
async def test_paths_beside_those_of_pictures_are_nobodys(server, path):
    answer = ask_http(server, "GET", path)
    check((answer.status, answer.body) == (404, b"not found\n"), f"GET {path}: {answer.status} {answer.body}")
    check(put(server, path, b"x").status == 405, f"PUT {path}")


async def test_slow_uploads_at_once_cost_little_memory(server, album):
    """Many phones on poor lines at the same time, with the rest of the server answering."""
    picture = album.jpeg()
    picture += b"\0" * (SLOW_BYTES - len(picture))
    urls = []
    for _ in range(SLOW_UPLOADS // 5):
        phone = await Phone.at(server)
        urls += [await phone.ticket(picture) for _ in range(5)]
    asker = await Phone.at(server)
    before = resident_bytes(server)
    connections = [begin(server, "PUT", url, len(picture)) for url in urls]
    step, slowest_s, most = 20_000, 0, 0
    for start in range(0, len(picture) - step, step):
        for connection in connections:
            connection.sendall(picture[start:start + step])
        began = time.monotonic()
        await asker.expect("time", "time")
        slowest_s = max(slowest_s, time.monotonic() - began)
        most = max(most, resident_bytes(server))
        await asyncio.sleep(0.1)
    each = (most - before) / SLOW_UPLOADS
    print(f"\n{SLOW_UPLOADS} slow uploads: {each / 1_024:.1f} KiB each, an answer beside them took {1_000 * slowest_s:.1f} ms")
    check(each <= UPLOAD_BYTES_MAX, f"an upload costs {each} bytes")
    for connection in connections:
        connection.sendall(picture[-step - (len(picture) % step):] if len(picture) % step else picture[-step:])
    answers = [await asyncio.to_thread(answer_on, connection) for connection in connections]
    check(len({answer.media_id for answer in answers}) == SLOW_UPLOADS, "each is a picture of its own")
    check(len(list((server.data / "media").rglob("*.original"))) == 1, "equal bytes are kept once")


def resident_bytes(server):
    with open(f"/proc/{server.pid}/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * 4_096
