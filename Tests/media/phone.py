"""A phone with pictures: it asks for tickets over its WebSocket, and uploads over plain HTTP."""
import http.client
import json
import secrets
import socket

from client import Client, check
from play_json import JSONCodec

TUS = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}
PLACE = {"latE7": 375_665_000, "lngE7": 1_269_780_000}


class Answer:
    """An answer over HTTP."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The error's code."""
        return self.json["error"]["code"]

    @property
    def media_id(self):
        """The picture of an upload that has come whole: by tus without a body, else with JSON."""
        if self.status == 204:
            check(self.headers["Tus-Resumable"] == "1.0.0" and not self.body, "an answer of tus")
            check(self.headers["Media-Id"], f"the picture is not there yet: {self.headers}")
            return self.headers["Media-Id"]
        check(self.status == 200, f"the upload was answered with {self.status} {self.body[:200]}")
        check(self.json["mediaId"] == self.headers["Media-Id"], "both name the picture")
        return self.json["mediaId"]


def ask_http(server, method, url, body=None, headers=None, within_s=60):
    """One request of a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=within_s)
    try:
        connection.request(method, url, body=body, headers=headers or {})
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


def put(server, url, picture):
    return ask_http(server, "PUT", url, picture)


def patch(server, url, picture, offset):
    return ask_http(server, "PATCH", url, picture, TUS | {"Upload-Offset": str(offset)})


def offset_of(server, url):
    answer = ask_http(server, "HEAD", url, headers={"Tus-Resumable": "1.0.0"})
    check(answer.status == 200, f"HEAD was answered with {answer.status}")
    return int(answer.headers["Upload-Offset"])


def begin(server, method, url, length, fields=""):
    """A connection that has sent the head of an upload, and nothing of its body."""
    connection = socket.create_connection(("127.0.0.1", server.port), 60)
    head = f"{method} {url} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n{fields}\r\n"
    connection.sendall(head.encode())
    return connection


def answer_on(connection):
    """The answer on a raw connection."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    return Answer(response.status, response.headers, response.read())


class Phone(Client):
    """A guest who has said hello."""

    @classmethod
    async def at(cls, server, name="가람"):
        phone = cls(server.url, JSONCodec(), name)
        await phone.connect()
        await phone.hello(name, secrets.token_hex(16))
        return phone

    async def ticket(self, picture, kind="image/jpeg"):
        """The address of a ticket for a picture, or for so many bytes."""
        count = picture if isinstance(picture, int) else len(picture)
        return (await self.expect("upload", "askUpload", bytes=count, type=kind))["url"]

    async def upload(self, server, picture, kind="image/jpeg"):
        return put(server, await self.ticket(picture, kind), picture).media_id

    async def bury(self, *media, **fields):
        return await self.expect(
            "capsule", "buryCapsule", title="바다", text="여름", memoryDate="2020-08-15", pictures=list(media), **PLACE, **fields
        )

    async def open(self, capsule_id):
        """Opens a capsule at its place; returns its pictures."""
        await self.expect("placesWatched", "watchPlaces")
        await self.expect("moved", "move", **PLACE, accuracyM=5)
        opened = await self.expect("openedCapsule", "openCapsule", capsuleId=capsule_id)
        return opened.get("pictures", [])
