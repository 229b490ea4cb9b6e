"""Photos of countries by the real program and libvips, from a source of the test's own, over a crash."""
import http.server
import json
import threading

import pytest

from client import check
from phone import ask_http
from pictures import DEVICE, Album, png
from program import Program

KEY = "s3cretkey"


class Source(http.server.ThreadingHTTPServer):
    """An API that answers JSON, and beside it the pictures that it names."""

    daemon_threads = True

    def __init__(self, pictures):
        super().__init__(("127.0.0.1", 0), Answers)
        self.pictures = pictures
        # The path of each request, and the key that came with it.
        self.asked = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append((self.path, self.headers.get("Authorization", "")))
        name = self.path.split("/")[-1]
        if self.path.startswith("/pictures/"):
            return self.answer(200, self.server.pictures[name])
        photo = {"src": f"{self.server.url}/pictures/{name}", "photographer": "Jürgen"}
        self.answer(200, json.dumps({"photos": [photo]}).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def source(tmp_path):
    bomb = png(20, 20, claims=(60_000, 60_000))
    source = Source({"KR": Album(tmp_path).jpeg(1_600, 1_200), "JP": b"<html></html>", "FR": bomb, "IT": png(300, 200)})
    thread = threading.Thread(target=source.serve_forever)
    thread.start()
    yield source
    source.shutdown()
    thread.join()
    source.server_close()


@pytest.fixture
def program(madang, tmp_path, source):
    key = tmp_path / "key"
    key.write_text(KEY + "\n")
    program = Program(
        madang, tmp_path / "data", tmp_path / "log", "--photo-source", source.url + "/search/{country}", "--photo-pointer",
        "/photos/0/src", "--photo-attribution", "Photo by {/photos/0/photographer}", "--photo-key-file", key,
        "--photo-header", "Authorization: Client-ID {key}", "--photo-requests-per-day", "8", "--photo-private-addresses",
        "--log-level", "debug",
    )
    yield program
    program.destroy()


async def test_photos_are_fetched_once_cleaned_and_kept_over_a_crash(program, source, tmp_path):
    await program.start()
    first = ask_http(program, "GET", "/photo/KR")
    check((first.status, first.headers["Content-Type"]) == (200, "image/jpeg"), f"{first.status}")
    check(first.headers["Photo-Attribution"] == '%"Photo by J%c3%bcrgen"', "with its attribution")
    # The picture was to be turned by its metadata.
    check(Album(tmp_path).dimensions(first.body, "kr.jpg") == (960, 1_280), "a phone's size")
    check(DEVICE not in first.body and b"Exif" not in first.body, "without place and device")
    for country in ("JP", "FR"):
        check(ask_http(program, "GET", f"/photo/{country}").status == 404, f"{country} has something that is no photo")
    check(len(source.asked) == 6, f"two requests for each: {source.asked}")
    check(all((KEY in key) == path.startswith("/search/") for path, key in source.asked), "the key is for the source")
    await program.kill()
    await program.start()
    again = ask_http(program, "GET", "/photo/KR")
    check(again.body == first.body and again.headers["ETag"] == first.headers["ETag"], "kept over a crash")
    check(ask_http(program, "GET", "/photo/KR", headers={"If-None-Match": first.headers["ETag"]}).status == 304, "same")
    check(ask_http(program, "GET", "/photo/JP").status == 404 and len(source.asked) == 6, "not asked again today")
    check(ask_http(program, "GET", "/photo/IT").status == 200 and len(source.asked) == 8, "the last of the day's")
    check(ask_http(program, "GET", "/photo/GB").status == 404 and len(source.asked) == 8, "the quota is used up")
    await program.end()
    check(KEY not in program.log.read_text(), "the key is in no log")
