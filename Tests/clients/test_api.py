"""The HTTP API for a team's backend: its description is valid, each operation answers by it, and the document's examples
run."""
import asyncio
import http.client
import json
import os
import pathlib
import re
import secrets
import subprocess
import urllib.parse
import xml.etree.ElementTree

import jsonschema
import openapi_spec_validator
import pytest

from client import Client
from operators_listener import OperatorsListener
from play_json import JSONCodec

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "API.md"
DIGITS = "0a" * 16
DURATION_S = 10


class API:
    """The API as a client of its description uses it."""

    def __init__(self, link):
        self.listener = OperatorsListener(link)
        self.description = self.ask("GET", "/v1/openapi.json")[1]

    def ask(self, method, path, body=None, token=None, **headers):
        """The status of a request, and its answer."""
        headers = {"Authorization": f"Bearer {token or self.listener.token}"} | headers
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection(self.listener.host, self.listener.port, timeout=60)
        try:
            connection.request(method, path, None if body is None else json.dumps(body).encode(), headers)
            response = connection.getresponse()
            answer = response.read()
            is_json = response.headers["Content-Type"].endswith("json")
            return response.status, json.loads(answer) if is_json else answer.decode()
        finally:
            connection.close()

    @property
    def operations(self):
        """Each operation with its method and path, by its name."""
        return {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in self.description["paths"].items() for method, operation in methods.items()
        }

    def call(self, name, /, body=None, status=200, **members):
        """Calls an operation and holds its answer to the description."""
        method, path, operation = self.operations[name]
        query = {key: value for key, value in members.items() if f"{{{key}}}" not in path}
        parameters = [parameter.get("name") for parameter in operation.get("parameters", [])]
        assert set(members) <= set(parameters), f"{name} has no {set(members) - set(parameters)}"
        for key, value in members.items():
            path = path.replace(f"{{{key}}}", str(value))
        assert "{" not in path, f"{name}: {path}"
        if query:
            path += "?" + "&".join(f"{key}={value}" for key, value in query.items())
        if body is not None:
            self.hold(body, operation["requestBody"]["content"]["application/json"]["schema"], name)
        found, answer = self.ask(method, path, body)
        assert found == status, f"{name} answers {found}: {answer}"
        if status == 200:
            content, = operation["responses"]["200"]["content"].values()
            self.hold(answer, content["schema"], name)
        else:
            self.hold(answer, {"$ref": "#/components/schemas/Problem"}, name)
        return answer

    def hold(self, value, schema, name):
        """Holds a value to a schema of the description, which must describe all of it."""
        root = closed(schema) | {"components": closed(self.description["components"])}
        errors = list(jsonschema.Draft202012Validator(root).iter_errors(value))
        assert not errors, f"{name}: {errors[0].message} at {list(errors[0].absolute_path)}"


def closed(schema):
    """The schema without room for members that are not described."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: closed(value) for key, value in schema.items()}
    if copy.get("type") == "object" and isinstance(copy.get("properties"), dict):
        copy.setdefault("additionalProperties", False)
    return copy


@pytest.fixture
def server(serve):
    return serve("--admin-port", "0")


@pytest.fixture
def api(server):
    return API(server.admin)


async def players(server, *nicknames):
    clients = []
    for nickname in nicknames:
        client = Client(f"{server.origin}/v1/play", JSONCodec(), nickname)
        await client.connect()
        await client.hello(nickname, secrets.token_hex(16))
        clients.append(client)
    return clients


def test_the_description_is_sound_openapi(api):
    openapi_spec_validator.validate(api.description)
    assert api.description["openapi"].startswith("3.1."), api.description["openapi"]
    methods = api.description["paths"].values()
    names = [operation["operationId"] for each in methods for operation in each.values()]
    assert len(names) == len(set(names)), "two operations have one name"


async def game(server, host, guest):
    await host.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=DURATION_S)
    await guest.expect("room", "joinRoom", code=host.room.code)
    await host.expect("ok", "startGame")
    await host.expect("ok", "move", latE7=375665000, lngE7=1269780000, accuracyM=5)
    await guest.expect("ok", "chat", text="안녕")
    await host.until("the end", lambda: host.room.phase == "ENDED", 30)
    return host.room.code


def check_gpx(text, game):
    """Holds a file to the one walk of `game`."""
    space = {"": "http://www.topografix.com/GPX/1/1"}
    root = xml.etree.ElementTree.fromstring(text)
    assert root.find("metadata/name", space).text == game, text
    tracks = root.findall("trk", space)
    assert [track.find("name", space).text for track in tracks] == ["가람", "나래"], text
    points = [[(point.get("lat"), point.get("lon")) for point in track.iter(f"{{{space['']}}}trkpt")] for track in tracks]
    assert points == [[("37.5665000", "126.9780000")], []], points


def read_all(api, code, guest):
    """Every operation that reads; returns the room."""
    row = api.call("rooms", filter=code.replace("-", ""))["rows"][0]
    room, number = row["id"], f"{row['id']}-1"
    assert api.call("server")["operator"] == "token"
    assert api.call("overview", rooms=1)["rooms"]["busiest"][0]["id"] == room
    minutes = api.call("history").get("rows", [])
    # The server is some seconds old: it has a minute if it was there when one began.
    assert len(minutes) <= 2 and all(minute["spanMs"] > 0 for minute in minutes), minutes
    api.call("history", afterMs=1_700_000_000_000)
    assert api.call("room", room=room)["state"]["phase"] == "ENDED"
    assert [game["game"] for game in api.call("games", room=room)["rows"]] == [number]
    results = api.call("game", game=number)["results"]
    assert [result["rank"] for result in results] == [1, 2], results
    assert api.call("track", game=number)["ticks"], "a track without ticks"
    check_gpx(api.call("gpx", game=number), number)
    api.call("gpx", status=404, game=f"{row['id']}-9")
    assert api.call("results", player=guest, limit=1)["rows"][0]["game"] == number
    found = api.call("players", text=guest[:12])["rows"]
    assert [player["player"] for player in found] == [guest], found
    file = api.call("player", player=guest)
    assert file["player"] == found[0] and [result["game"] for result in file["results"]][0] == number, file
    assert api.call("connections", filter=guest)["rows"][0]["player"] == guest
    api.call("places", southE7=370000000, westE7=1260000000, northE7=380000000, eastE7=1280000000)
    for name in ("suspects", "reports", "schools", "proposals", "webhooks", "operators", "sanctions", "audit"):
        api.call(name)
    api.call("openapi")
    return room


def act_on_players(api, room, guest):
    api.call("announce", {"text": "모두에게"})
    api.call("announce", {"text": "여기에", "room": room, "reason": "a word"})
    api.call("mute", {"minutes": 5, "reason": "loud"}, player=guest)
    assert [row["kind"] for row in api.call("sanctions")["rows"]] == ["mute"]
    api.call("unmute", player=guest, reason="quiet")
    api.call("warn", {"text": "천천히"}, player=guest)
    api.call("kick", {"reason": "rude"}, player=guest)
    api.call("kick", {}, status=404, player=DIGITS)
    api.call("ban", {"reason": "ruder"}, player=guest)
    api.call("unban", player=guest)
    api.call("voidTaps", {"season": 1}, status=404, player=guest)
    api.call("resetPassword", {}, status=404, player=guest)
    for name in ("hide", "restore"):
        api.call(name, {}, status=404, kind="post", subject=DIGITS)
    api.call("closeRoom", room=room, reason="the%20end")


def act_on_lists(api):
    square = [(0, 0), (0, 9000), (9000, 9000), (9000, 0), (0, 0)]
    ring = {"latE7": [375000000 + lat for lat, _ in square], "lngE7": [1270000000 + lng for _, lng in square]}
    api.call("importLands", {"lands": [{"name": "마당"} | ring]})
    lands = api.call("lands", southE7=370000000, westE7=1260000000, northE7=380000000, eastE7=1280000000)["rows"]
    assert [row["name"] for row in lands] == ["마당"]
    assert api.call("renameLand", {"name": "뒷마당", "reason": "moved"}, land=lands[0]["land"])["ok"]
    api.call("renameLand", {"name": ""}, status=400, land=lands[0]["land"])
    api.call("renameLand", {"name": "뒷마당"}, status=404, land=DIGITS)
    whole = api.call("land", land=lands[0]["land"])
    assert whole["name"] == "뒷마당" and whole["latE7"][0] == whole["latE7"][-1], whole
    assert api.call("importLands", {"lands": [whole]})["text"] == "0 added, 1 there already"
    api.call("land", status=404, land=DIGITS)
    api.call("importLands", {"lands": [{"name": "점", "latE7": [0], "lngE7": [0]}]}, status=422)
    fence = {"fenceId": DIGITS, "name": "문", "latE7": 375000000, "lngE7": 1270000000, "radiusMm": 50000}
    api.call("importFences", {"fences": [fence]})
    assert [row["fenceId"] for row in api.call("places")["fences"]] == [DIGITS]
    api.call("removeFences", {"fenceIds": [DIGITS]})
    api.call("importSchools", {"schools": [{"id": "E1", "name": "학교", "level": "elementary", "region": "서울"}]})
    api.call("editSchool", {"name": "새 학교", "reason": "renamed"}, school="E1")
    assert api.call("editSchool", {"closed": True}, school="E1")["text"] == "0 added, 0 changed, 1 closed"
    found = api.call("schoolList", text=urllib.parse.quote("새 학교"))
    assert found["counts"] == [0] and found["rows"][0]["name"] == "새 학교" and found["rows"][0]["closed"], found
    api.call("editSchool", {}, status=400, school="E1")
    api.call("editSchool", {"closed": True}, status=404, school="E2")
    for name in ("acceptLand", "declineLand"):
        api.call(name, {"reason": "no"}, status=404, proposal=DIGITS)
    added = api.call("addWebhook", {"url": "https://example.org/hook", "events": ["gameEnded"]})
    assert added["secret"].startswith("whsec_"), added
    webhook = added["webhook"]
    assert [row["webhook"] for row in api.call("webhooks")["rows"]] == [webhook]
    for name in ("testWebhook", "enableWebhook"):
        api.call(name, {}, webhook=webhook)
    api.call("removeWebhook", webhook=webhook)
    api.call("removeWebhook", status=404, webhook=webhook)


def act_on_server(api):
    assert "/join#" in api.call("addOperator", {"name": "yuna", "role": "viewer"})["link"]
    token = api.call("addToken", {"name": "bot", "role": "viewer"})["token"]
    assert api.ask("GET", "/v1/server", token=token)[1]["role"] == "viewer"
    api.call("setRole", {"role": "moderator"}, name="yuna")
    assert "/join#" in api.call("resetOperator", {}, name="yuna")["link"]
    api.call("endSessions", status=404, name="yuna")
    api.call("removeOperator", name="yuna")
    session = api.call("operators")["sessions"][0]["session"]
    api.call("endSession", session=session)
    api.call("closeSeason", {}, season=1)
    api.call("closeSeason", {}, status=409, season=1)
    assert {row["operator"] for row in api.call("audit")["rows"]} == {"token"}


async def test_each_operation_answers_by_its_description(server, api):
    host, guest = await players(server, "가람", "나래")
    code = await game(server, host, guest)
    called = []
    call = api.call
    api.call = lambda name, /, *arguments, **members: (called.append(name), call(name, *arguments, **members))[1]
    room = await asyncio.to_thread(read_all, api, code, guest.player_id)
    await asyncio.to_thread(act_on_players, api, room, guest.player_id)
    await asyncio.to_thread(act_on_lists, api)
    await asyncio.to_thread(act_on_server, api)
    missing = set(api.operations) - set(called)
    assert missing == {"drain"}, f"nobody has called {missing}"


def test_a_drain_ends_the_server_in_good_order(madang, tmp_path):
    from program import Program
    server = Program(madang, tmp_path / "data", tmp_path / "log", "--admin-port", "0")
    try:
        server.launch()
        API(server.admin).call("drain", {"reason": "an upgrade"})
        assert server.wait(60) == 0, "the drained server did not end well"
        server.is_down = True
    finally:
        server.destroy()


async def test_the_documents_examples_run_as_they_stand(server, api, tmp_path):
    walkers = await players(server, "다온", "라온")
    played_code = await game(server, *walkers)
    host, guest = await players(server, "가람", "나래")
    await host.expect("room", "createRoom", mode="FOOTPRINT", capacity=2, durationS=DURATION_S)
    await guest.expect("room", "joinRoom", code=host.room.code)
    room, played = [
        (await asyncio.to_thread(api.call, "rooms", filter=code.replace("-", "")))["rows"][0]["id"]
        for code in (host.room.code, played_code)
    ]
    blocks = re.findall(r"^```sh\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    address = f"http://{api.listener.host}:{api.listener.port}"
    script = "".join(blocks)
    assert script.count("API=http://127.0.0.1:9100\n") == 1 and len(blocks) >= 6, blocks
    script = script.replace("API=http://127.0.0.1:9100\n", f"API={address}\n")
    environment = os.environ | {"TOKEN": api.listener.token, "ROOM": room, "PLAYED": played, "PLAYER": guest.player_id}
    done = await asyncio.to_thread(
        subprocess.run, ["bash", "-euo", "pipefail", "-c", script], env=environment, cwd=tmp_path, capture_output=True,
        text=True, timeout=60, check=False,
    )
    assert done.returncode == 0, f"an example failed: {done.stdout[-500:]} {done.stderr}"
    assert json.loads((tmp_path / "openapi.json").read_text()) == api.description
    rows = (await asyncio.to_thread(api.call, "audit"))["rows"]
    actions = [row["action"] for row in reversed(rows)]
    assert actions == ["announce", "mute", "unmute", "kick", "closeRoom", "addWebhook", "announce", "announce"], actions
    assert (rows[-1]["reason"], rows[-3]["reason"], rows[0]["reason"]) == ("upgrade", "a mistake", "key 7f3a"), rows
    check_gpx((tmp_path / "game.gpx").read_text().replace("다온", "가람").replace("라온", "나래"), f"{played}-1")
