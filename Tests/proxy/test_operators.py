"""The operators' listener behind a proxy, by the blocks of docs/OPERATING.md as they stand there: sign-in, console, feed,
API and metrics; foreign pages are refused, and wrong tokens are counted by the operator's own address."""
import json
import pathlib
import re
import urllib.parse

import pytest
import websockets

from recipes import CaddyRecipe, NginxRecipe

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "OPERATING.md"
HOST = "ops.example.org"
PASSWORD = "correct horse battery staple"
# Clients' addresses: an operator's, a scraper's, and that of somebody who guesses.
OPERATOR, SCRAPER, GUESSER = "127.0.0.55", "127.0.0.56", "127.0.0.57"


def block(beginning):
    """The document's one block that begins so."""
    blocks = re.findall(r"^```\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    (found,) = [each for each in blocks if each.startswith(beginning)]
    return found


class OperatorsRecipe:
    """The operators' listener in place of the players'."""

    host = HOST
    server_options = (
        "--trusted-proxies", "127.0.0.1", "--admin-port", "{admin_port}", "--admin-origin", f"https://{HOST}:{{port}}",
    )

    def is_well(self, answer):
        # The listener tells strangers nothing, and a proxy answers by itself while there is no server.
        return answer.status < 500

    def block(self, beginning):
        return self.changed(block(beginning), ("127.0.0.1:9100", f"127.0.0.1:{self.admin_port}"))

    def send(self, method, path, source=OPERATOR, origin=None, body=None, **headers):
        """The answer of one request, its body as JSON where there is one."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if origin:
            headers["Origin"] = origin
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        return self.ask(method, path, source, headers, body)

    def feed(self, origin, cookie, source=OPERATOR):
        return websockets.connect(
            f"wss://{HOST}:{self.port}/console/feed", origin=origin, additional_headers={"Cookie": cookie},
            host="127.0.0.1", port=self.port, local_addr=(source, 0), ssl=self.trust(),
        )


class NginxOperators(OperatorsRecipe, NginxRecipe):
    def configuration(self):
        chain, key, _ = self.authority.sign(HOST)
        return self.around(
            f"server {{\nlisten 127.0.0.1:{self.port} ssl;\nserver_name {HOST};\n"
            f"ssl_certificate {chain};\nssl_certificate_key {key};\n{self.block('location / {')}\n}}"
        )


class CaddyOperators(OperatorsRecipe, CaddyRecipe):
    def configuration(self):
        return self.settings() + self.block(f"{HOST} {{")


@pytest.fixture(params=[NginxOperators, CaddyOperators], ids=["nginx", "caddy"])
def proxy(request, madang, tmp_path):
    with request.param(tmp_path / "proxy").before_a_server(madang) as proxy:
        yield proxy


async def added(proxy, *words):
    """The last word of a command's output: a link or a token."""
    status, output, errors = await proxy.server.command("operators", *words)
    assert status == 0, errors
    return output.split()[-1]


def session(answer):
    """The cookie of an answer, which must be for TLS alone."""
    assert answer.status == 200, answer.content
    cookie = answer.headers["Set-Cookie"]
    assert "; Secure" in cookie and "; SameSite=Strict" in cookie and "; HttpOnly" in cookie, cookie
    return cookie.split(";")[0]


async def signed_in(proxy):
    """The cookie of an operator who has set a password by their link and signed in with it."""
    link = await added(proxy, "add", "yuna", "--role", "admin")
    assert link.startswith(f"{proxy.base}/join#"), link
    page = proxy.send("GET", "/join")
    assert page.status == 200 and b"<!doctype html>" in page.content[:200].lower()
    form = {"link": urllib.parse.urlsplit(link).fragment, "password": PASSWORD}
    session(proxy.send("PUT", "/console/password", origin=proxy.base, body=form))
    form = {"name": "yuna", "password": PASSWORD}
    refused = proxy.send("PUT", "/console/sign-in", origin="https://evil.example", body=form)
    assert (refused.status, refused.headers["Set-Cookie"]) == (403, None), refused.content
    return session(proxy.send("PUT", "/console/sign-in", origin=proxy.base, body=form))


async def told(feed, name):
    """The next message of the feed that has this member."""
    while True:
        message = json.loads(await feed.recv())
        if name in message:
            return message


async def test_operators_sign_in_act_and_are_named_by_their_own_address(proxy):
    cookie = await signed_in(proxy)
    page = proxy.send("GET", "/", Cookie=cookie)
    assert page.status == 200 and b"console.js" in page.content
    async with proxy.feed(proxy.base, cookie) as feed:
        await feed.send(json.dumps({"watch": "overview"}))
        assert (await told(feed, "overview"))["overview"]
        await feed.send(json.dumps({"id": 1, "act": "announce", "text": "곧 다시 시작합니다"}))
        reply = await told(feed, "reply")
        assert reply["ok"], reply
        await feed.send(json.dumps({"watch": "audit"}))
        row = (await told(feed, "audit"))["audit"]["rows"][0]
    assert (row["action"], row["operator"], row["address"]) == ("announce", "yuna", OPERATOR), row


async def test_pages_of_other_sites_get_nothing(proxy):
    cookie = await signed_in(proxy)
    for path in ("/", "/stats", "/console/feed"):
        refused = proxy.send("GET", path, origin="https://evil.example", Cookie=cookie)
        assert refused.status == 403, f"{path}: {refused.status} {refused.content}"
        assert refused.headers["Access-Control-Allow-Origin"] is None
    with pytest.raises(websockets.InvalidStatus) as refused:
        async with proxy.feed("https://evil.example", cookie):
            pass
    assert refused.value.response.status_code == 403
    # Nor does a page that had its own name lead here.
    if proxy.program == "nginx":
        assert proxy.send("GET", "/", Host="evil.example", Cookie=cookie).status == 403


async def test_tools_read_and_act_by_their_tokens(proxy):
    viewer = {"Authorization": f"Bearer {await added(proxy, 'token', 'grafana', '--role', 'viewer')}"}
    admin = {"Authorization": f"Bearer {await added(proxy, 'token', 'backend', '--role', 'admin')}"}
    server = proxy.send("GET", "/v1/server", SCRAPER, **viewer)
    assert server.status == 200 and json.loads(server.content)["role"] == "viewer", server.content
    assert b"madang_connections" in proxy.send("GET", "/metrics", SCRAPER, **viewer).content
    told_to_all = {"text": "곧 다시 시작합니다"}
    refused = proxy.send("POST", "/v1/announcements", SCRAPER, body=told_to_all, **viewer)
    assert (refused.status, json.loads(refused.content)["code"]) == (403, "ROLE_TOO_LOW"), refused.content
    assert proxy.send("POST", "/v1/announcements", SCRAPER, body=told_to_all, **admin).status == 200
    # A list of schools passes, and is the server's to judge.
    judged = proxy.send("PUT", "/v1/schools", SCRAPER, body={"schools": [], "padding": "x" * 7_000_000}, **admin)
    assert judged.status == 400 and json.loads(judged.content)["code"], f"{judged.status} {judged.content[:300]}"
    # A guesser is kept out, and nobody else.
    guesses = [
        proxy.send("GET", "/v1/server", GUESSER, Authorization=f"Bearer {number}").status for number in range(7)
    ]
    assert guesses == [401] * 5 + [429] * 2, guesses
    assert proxy.send("GET", "/v1/server", SCRAPER, **viewer).status == 200
    assert proxy.send("GET", "/v1/server", SCRAPER, Authorization="Bearer wrong").status == 401

