"""The operators' listener of a server, for requests as a tool or a browser with the token sends them."""
import gzip
import http.client
import json
import urllib.parse

from client import check


class OperatorsListener:
    """Opened by the link that the server prints, whose token becomes a cookie too."""

    def __init__(self, link):
        parts = urllib.parse.urlsplit(link)
        self.host, self.port = parts.hostname, parts.port
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]
        self.feed_url = f"ws://{self.host}:{self.port}/console/feed"
        response, _ = self.ask(f"/?token={self.token}")
        check(response.status == 303, f"the link answers {response.status}")
        self.cookie = response.headers["Set-Cookie"].split(";")[0]

    def ask(self, path, method="GET", **headers):
        """Requests a path with only these headers."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=10)
        try:
            connection.request(method, path, headers=headers)
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    def get(self, path, **headers):
        """Requests a path with the token."""
        response, body = self.ask(path, Authorization=f"Bearer {self.token}", **headers)
        check(response.status == 200, f"{path} answers {response.status}: {body[:200]}")
        return response, body

    def metrics(self):
        """The values of /metrics by name with labels."""
        lines = self.get("/metrics")[1].decode().splitlines()
        values = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in values}

    def stats(self):
        return json.loads(self.get("/stats?rooms=0")[1])

    def track(self, game):
        response, body = self.get(f"/console/games/{game}/track", **{"Accept-Encoding": "gzip"})
        if response.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        return json.loads(body)
