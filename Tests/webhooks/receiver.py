"""An operator's backend: a slow receiver of webhooks that checks signatures and keeps every event, as OPERATING.md says."""
import asyncio
import base64
import hashlib
import hmac
import json
import time

from client import check


def is_genuine(secret, headers, body):
    """Whether a request is from your server, and not an old one; `body` is its bytes."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    ours = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    theirs = headers["webhook-signature"].split(" ")
    return fresh and any(hmac.compare_digest(f"v1,{ours}", each) for each in theirs)


class Receiver:
    """Takes `delay_s` for each request, and fails some of them by `random`: before it has kept the events, or after."""

    def __init__(self, random, delay_s, fails_percent):
        self.random = random
        self.delay_s = delay_s
        self.fails_percent = fails_percent
        self.secret = None
        # First deliveries in their order, and how many events and requests came at all.
        self.events = []
        self.ids = set()
        self.deliveries = 0
        self.requests = 0
        self.failure = None

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 20)
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/hook"

    async def serve(self, reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = head.decode().split("\r\n")
                fields = (line.partition(":") for line in lines[1:] if line)
                headers = {name.lower(): value.strip() for name, _, value in fields}
                body = await reader.readexactly(int(headers["content-length"]))
                status = await self.answer(headers, body)
                writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def answer(self, headers, body):
        """Keeps the events of a request; returns the status."""
        self.requests += 1
        try:
            check(is_genuine(self.secret, headers, body), f"a forged request: {headers}")
            await asyncio.sleep(self.delay_s)
            fails = self.random.randrange(100) < self.fails_percent
            if fails and self.random.random() < 0.5:
                return "500 Internal Server Error"
            for event in json.loads(body)["events"]:
                self.deliveries += 1
                if event["id"] not in self.ids:
                    self.ids.add(event["id"])
                    self.events.append(event)
            return "503 Service Unavailable" if fails else "204 No Content"
        except Exception as failure:
            self.failure = failure
            raise

    def stop(self):
        self.server.close()
