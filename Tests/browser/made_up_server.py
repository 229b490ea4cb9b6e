"""A whole server, made up from a seed: its messages in the operators' feed, and operators' actions on it."""
import math
import random
import time

from made_up_acts import Acts, now_ms, webhook
from made_up_places import Places
from made_up_room import HOSTILE, MadeUpRoom, NAMES, place, player_id
from made_up_schools import Schools

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BOUNDS = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100, 150, 250, 500, 1_000]
REGIONS = ["서울특별시", "부산광역시", "인천광역시", "경기도", "강원특별자치도", "제주특별자치도"]
MODES, PHASES = ("FOOTPRINT", "TERRITORY", "LAND"), ("LOBBY", "PLAYING", "ENDED")
ROOMS, SCHOOLS, CONNECTIONS = 2_500, 12_000, 6_000


class MadeUpServer(Acts, Places, Schools):
    def __init__(self, seed=7):
        self.rng = random.Random(seed)
        self.began = time.monotonic() - 3 * 3_600
        self.counts = {"received": 4e6, "sent": 3e7, "cpu": 900.0, "ticks": 1e6, "late": [0.0] * len(BOUNDS)}
        self.counted_at = time.monotonic()
        self.is_draining = self.is_failing = False
        self.overloaded = set()
        self.season = 3
        self.rooms = [self.row(number) for number in range(ROOMS)]
        self.schools = [self.school(number) for number in range(SCHOOLS)]
        self.make_untapped()
        self.connections = [self.connection(number) for number in range(CONNECTIONS)]
        self.live, self.closed, self.sanctions, self.audit = {}, {}, {}, []
        now = now_ms()
        self.operators = [
            {"name": name, "kind": kind, "role": role, "createdAtMs": now - 86_400_000 * age, **more}
            for name, kind, role, age, more in (
                ("가람", "operator", "admin", 90, {"hasPassword": True, "hasCodes": True}),
                ("nari", "operator", "moderator", 30, {"hasPassword": True, "hasCodes": False}),
                ("yuna", "operator", "viewer", 0, {"hasPassword": False, "linkExpiresAtMs": now + 80_000_000}),
                ("grafana", "token", "viewer", 60, {}),
            )
        ]
        self.sessions = [
            {"session": f"{number:016x}", "startedAtMs": now - 3_600_000 * number, "seenAtMs": now - 60_000 * number,
             "address": f"192.0.2.{number}", "browser": browser, "consoles": number % 2, **who}
            for number, browser, who in (
                (1, "Firefox, Linux", {"own": True, "this": True}), (2, "Chrome, Windows", {"operator": "가람"}),
                (3, "Safari, iPhone", {"operator": "nari"}),
            )
        ]
        self.proposals = {row["proposal"]: row for row in map(self.proposal, range(4))}
        self.webhooks = {row["webhook"]: row for row in map(webhook, range(3))}
        self.reports = {(row["kind"], row["id"]): row for row in map(self.reported, range(25))}
        # The reason why nothing stored can be read; None while the store works.
        self.store_fault = None
        self.make_places()
        self.start_anew()
        self.history = self.ten_minutes()
        self.refusals = {player_id(number): self.refused(number) for number in range(4)}
        self.tappers = [self.tapper(number) for number in range(5)]
        for number in range(130):
            self.note("127.0.0.1", "mute", f"for an hour: reason {number}", player=player_id(number))

    # The server's rows.

    def row(self, number):
        """A room; the first three have chosen values, the many others random ones."""
        rng = self.rng
        code = "".join(rng.choice(ALPHABET) for _ in range(10))
        featured = {0: ("TERRITORY", 25, 30), 1: ("FOOTPRINT", 12, 16), 2: ("LAND", 8, 8)}
        mode, players, capacity = featured.get(number, (None, None, None))
        phase = "PLAYING" if number < 3 else rng.choices(PHASES, [3, 6, 1])[0]
        capacity = capacity or rng.choice([2, 4, 8, 16])
        players = players or rng.randint(1, capacity)
        return {
            "number": number,
            "id": f"{rng.getrandbits(128):032x}",
            "code": f"{code[:5]}-{code[5:]}",
            "mode": mode or rng.choice(["FOOTPRINT", "FOOTPRINT", "TERRITORY", "LAND"]),
            "phase": phase,
            "shard": number % 2,
            "players": players,
            "connected": max(0, players - rng.choice([0, 0, 0, 1])),
            "capacity": capacity,
            "game": 3 if number < 3 else 0 if phase == "LOBBY" else rng.randint(1, 5),
            "suspects": 1 if number == 0 else int(rng.random() < 0.01),
            **({"locked": True, "consent": True} if number == 1 else {}),
        }

    def school(self, number):
        name = self.rng.choice(["별무늬", "노을빛", "한가람", "새솔", "푸른"]) + self.rng.choice(["마루", "나루", "누리"])
        kind = self.rng.choice(["초등학교", "중학교", "고등학교"])
        count = round(4e6 * math.exp(-number / 9) + 6e5 * math.exp(-number / 300) + self.rng.random() * 900)
        return {
            "school": f"B{number:09d}",
            "name": f"{name}{kind}" if number else "<b>첫째</b>학교",
            "region": REGIONS[number % len(REGIONS)],
            "count": count,
            "speed": self.rng.uniform(0.2, 1) * 400 / (1 + number / 4),
        }

    def connection(self, number):
        rng = self.rng
        room = rng.choice(self.rooms)
        return {
            "player": player_id(number),
            "nickname": HOSTILE[number] if number < len(HOSTILE) else f"{rng.choice(NAMES)} {number}",
            "address": f"198.51.{number // 250}.{number % 250}",
            "shard": number % 2,
            "room": room["id"],
            "code": room["code"],
            "subprotocol": rng.choice(["madang.v1.json", "madang.v1.proto"]),
            "unsentBytes": round(rng.paretovariate(1.2) * 40) if rng.random() < 0.3 else 0,
            "behind": number == 11,
            "roundTripMs": round(rng.paretovariate(1.6) * 18),
            "openedAtMs": now_ms() - rng.randint(4_000, 9_000_000),
        }

    def refused(self, number):
        x, y, refusals = self.rng.uniform(-50, 50), self.rng.uniform(-50, 50), []
        for each in range(3 + 2 * number):
            leap = self.rng.uniform(90, 2_400)
            x, y = x + leap * self.rng.uniform(-1, 1), y + leap * self.rng.uniform(-1, 1)
            lat, lng = place(x, y)
            refusals.append(
                {
                    "atMs": now_ms() - 400_000 + 31_000 * each,
                    "refusal": "MOCKED" if each % 4 == 3 else "TOO_FAST",
                    "latE7": lat,
                    "lngE7": lng,
                    "accuracyM": self.rng.randint(4, 60),
                    "metersFromLast": round(leap),
                    "secondsFromLast": self.rng.randint(1, 20),
                }
            )
        room = self.rooms[0]
        return {
            "player": player_id(number),
            "nickname": HOSTILE[number],
            "room": room["id"],
            "code": room["code"],
            "suspect": number < 3,
            "refusals": refusals[::-1][:10],
        }

    def tapper(self, number):
        school = {"school": self.schools[number]["school"], "schoolName": self.schools[number]["name"]}
        counts = [{**school, "season": 2, "count": 12_000, "voided": 12_000 if number == 1 else 0}]
        counts.append({**school, "season": 3, "count": 90_000 - 9_000 * number, "voided": 0})
        return {
            "player": player_id(200 + number),
            "nickname": f"두드림 {number}",
            **school,
            "abnormalBatches": 9 - number,
            # One has tapped too fast and nothing else.
            "counts": counts if number < 4 else [],
        }

    # The server's activity.

    def start_anew(self):
        """Begins the log as after a restart of the server."""
        self.started_at_ms, self.news = now_ms(), []

    def say(self, level, text):
        self.news.append({"number": len(self.news) + 1, "atMs": now_ms(), "level": level, "text": text})

    def ten_minutes(self):
        """The overviews of the last ten minutes, one for each ten seconds."""
        told = []
        for ago_s in range(600, 0, -10):
            self.counted_at -= 10
            overview = self.overview()
            overview["atMs"] -= ago_s * 1_000
            overview["uptimeSeconds"] -= ago_s
            told.append({name: value for name, value in overview.items() if name not in ("shards", "news")})
        self.counted_at -= 10
        return told

    def minutes(self):
        """The minutes of the last day, with two hours in which the server was not there."""
        now, told = now_ms() // 60_000 * 60_000, []
        for ago in range(1_439, -1, -1):
            if 300 <= ago < 420:
                continue
            wave = 1 + 0.4 * math.sin(ago / 200)
            minute = {
                "atMs": now - ago * 60_000, "spanMs": 60_000, "players": round(5_000 * wave),
                "connections": round(5_190 * wave), "rooms": 2_500, "games": round(1_400 * wave),
                "received": round(350_000 * wave), "sent": round(2.4e6 * wave), "bytesReceived": 3e7, "bytesSent": 1e8,
                "frames": round(2.2e6 * wave), "errors": 90, "taps": 4_000, "commits": 11_000, "commitFailures": 0,
                "cpuSeconds": round(46 * wave, 3), "residentBytes": round(4e8 * wave), "sendQueueBytes": 40_000,
                "load": round(0.3 * wave, 3), "commitMs": 3.1,
            }
            # A minute without a tick has none that was late.
            told.append(minute if ago % 97 == 0 else minute | {"latenessMs": round(2 * wave, 3)})
        return told

    def pass_time(self):
        """Advances the counts by the time since the last call."""
        now = time.monotonic()
        seconds, self.counted_at = now - self.counted_at, now
        wave = 1 + 0.2 * math.sin(now / 23) + 0.05 * math.sin(now / 3)
        counts = self.counts
        counts["received"] += 5_900 * wave * seconds
        counts["sent"] += 41_000 * wave * seconds
        counts["cpu"] += 0.78 * wave * seconds
        ticks = 14_000 * seconds
        counts["ticks"] += ticks
        for index, bound in enumerate(BOUNDS):
            counts["late"][index] += ticks * (1 - math.exp(-bound / (0.7 * wave)))
        for school in self.schools[:300]:
            school["count"] += school["speed"] * seconds * self.rng.uniform(0.4, 1.6)

    def overview(self, after=0):
        """The overview, with the newest log entries after a number."""
        self.pass_time()
        counts, wave = self.counts, 1 + 0.1 * math.sin(time.monotonic() / 40)
        uptime = time.monotonic() - self.began
        durations = {
            "p50Seconds": 0.0004,
            "p99Seconds": 0.0031,
            "maxSeconds": 0.04,
            "upToMilliseconds": {f"{bound}": round(count) for bound, count in zip(BOUNDS, counts["late"])},
            "count": round(counts["ticks"]),
        }
        players = round(5_600 * wave)
        kinds = [(mode, phase) for mode in MODES for phase in PHASES]
        here = {kind: [row for row in self.rooms if (row["mode"], row["phase"]) == kind] for kind in kinds}
        return {
            "atMs": now_ms(),
            "uptimeSeconds": round(uptime, 6),
            "version": "0.0.0",
            "draining": self.is_draining,
            "connections": {
                "open": players + 190,
                "players": players,
                "behind": 1,
                "accepted": round(uptime * 3),
                "refused": 0,
                "webSocketsOpened": round(uptime * 3),
                "webSocketsClosed": {"1001": 9},
            },
            "messages": {
                "received": round(counts["received"]),
                "sent": round(counts["sent"]),
                "errors": 1_290,
                "conflated": 2_100,
                "overRate": 12,
                "bytesReceived": round(counts["received"] * 92),
                "bytesSent": round(counts["sent"] * 61),
                "sendQueueBytes": round(48_000 * wave),
            },
            "rooms": {
                "open": len(self.rooms),
                "suspects": sum(row["suspects"] for row in self.rooms),
                "byKind": [
                    {"mode": mode, "phase": phase, "rooms": len(rows), "players": sum(row["players"] for row in rows)}
                    for (mode, phase), rows in here.items()
                ],
                "busiest": [],
            },
            "ticks": {"ticks": durations["count"], "frames": durations["count"] * 3, "lateness": durations},
            "taps": {"season": self.season, "counted": round(uptime * 900), "batches": round(uptime * 100), "abnormalBatches": 31},
            "commits": {
                "commits": round(uptime * 18),
                "failures": 7 if self.is_failing else 0,
                "failing": self.is_failing,
                "journalBytes": round(uptime * 400_000),
                "journalWaitingBytes": 12_000,
                "journalLagSeconds": 0.041,
                "duration": durations,
            },
            "shards": [
                {
                    "shard": shard,
                    "connections": players // 2,
                    "rooms": len(self.rooms) // 2,
                    "cpuSeconds": round(counts["cpu"] / 2, 6),
                    "turns": round(uptime * 900),
                    "atBeat": False,
                    "load": 0.2,
                    "overloaded": shard in self.overloaded,
                    "messagesReceived": round(counts["received"] / 2),
                    "sendQueueBytes": round(24_000 * wave),
                    "lateness": durations,
                    "journalLagSeconds": 0.02,
                }
                for shard in range(2)
            ],
            "process": {
                "cpuSeconds": round(counts["cpu"], 6),
                "residentBytes": round(410e6 + 20e6 * wave),
                "virtualBytes": round(2e9),
                "openDescriptors": players + 240,
                "descriptorsMax": 65_536,
            },
            "news": self.news[after:][-20:],
        }

    def note(self, address, action, detail, **target):
        row = {"number": len(self.audit) + 1, "atMs": now_ms(), "address": address, "action": action, "detail": detail}
        row["operator"] = "token"
        known = next((each for each in self.connections if each["player"] == target.get("player")), None)
        named = {"nickname": known["nickname"]} if known else {}
        self.audit.insert(0, row | target | named)

    # The views.

    def view_rooms(self, wish):
        text = wish.get("filter", "").upper().replace("-", "")
        rows = [
            row
            for row in self.rooms
            if (text in row["code"].replace("-", "") or row["id"].upper().startswith(text))
            and row["mode"] == wish.get("mode", row["mode"])
            and row["phase"] == wish.get("phase", row["phase"])
        ]
        return self.page(rows, self.rooms, wish)

    def view_connections(self, wish):
        text = wish.get("filter", "").lower()
        rows = [
            row
            for row in self.connections
            if text in row["nickname"].lower() or row["player"].startswith(text) or row["address"].startswith(text)
        ]
        return self.page(rows, self.connections, wish)

    @staticmethod
    def page(rows, everything, wish):
        offset, limit = wish.get("offset", 0), wish["limit"]
        ordered = sorted(rows, key=lambda row: row[wish["sort"]], reverse=wish["descending"])
        shown = [{name: value for name, value in row.items() if name != "number"} for row in ordered[offset:][:limit]]
        return {"total": len(everything), "matching": len(rows), "offset": offset, "rows": shown}

    def view_suspects(self, _):
        return {"players": list(self.refusals.values()), "tappers": self.tappers}

    def view_sanctions(self, _):
        return {"error": self.store_fault} if self.store_fault else {"rows": list(self.sanctions.values())}

    def proposal(self, number):
        """A proposed land: a polygon with a name that would be markup."""
        corners = [(0, 0), (0, 9_000), (5_000, 12_000), (7_200, 9_000), (7_200, 0)]
        return {
            "proposal": f"{number + 1:032x}", "player": player_id(number), "nickname": "<b>가람</b>",
            "game": f"{self.rooms[number]['id']}-1", "name": f"<i>마당</i> {number}", "lengthM": 320 + number,
            "proposedAtMs": now_ms() - 3_600_000 * number,
            "latE7": [375_000_000 + north for north, _ in corners], "lngE7": [1_267_000_000 + east for _, east in corners],
        }

    def view_webhooks(self, _):
        return {"error": self.store_fault} if self.store_fault else {"rows": list(self.webhooks.values())}

    def view_proposals(self, _):
        return {"error": self.store_fault} if self.store_fault else {"rows": list(self.proposals.values())}

    def reported(self, number):
        """A reported thing: the first ones with pictures, and words that would be markup."""
        kind = ("post", "comment", "capsule", "profile")[number % 4]
        state = "hiddenByReports" if number in (0, 5) else "shown"
        return {
            "kind": kind, "id": f"{number + 1:032x}", "player": player_id(number), "nickname": "<b>나래</b>",
            **({"title": f"<i>바다</i> {number}"} if kind in ("post", "capsule") else {}),
            **({"text": "도소 바다에서 본 것\n" * (1 + number % 3)} if kind != "profile" else {}),
            **({"media": [f"{picture + 1:032x}" for picture in range(3)]} if number == 0 else {}),
            "state": state, "waiting": True, "reports": 3 if state == "hiddenByReports" else 1,
            "reportedAtMs": now_ms() - 60_000 * number, "reasons": [{"reason": "SPAM", "count": 1}, {"reason": "NEWER", "count": 1}],
            "texts": [{"atMs": now_ms(), "reasons": ["SPAM"], "text": "<u>광고</u>예요"}],
        }

    def view_reports(self, wish):
        if self.store_fault:
            return {"error": self.store_fault}
        state = wish.get("filter", "waiting")
        rows = [row for row in self.reports.values() if (row["waiting"] if state == "waiting" else row["state"] == state)]
        start = int(wish.get("after", "0").split(".")[0])
        more = {"next": f"{start + 20}.1.{start:032x}"} if len(rows) > start + 20 else {}
        return {"rows": rows[start:start + 20], **more}

    def view_audit(self, wish):
        if self.store_fault:
            return {"error": self.store_fault}
        before = wish.get("before", len(self.audit) + 1)
        rows = [row for row in self.audit if row["number"] < before][:100]
        more = rows and rows[-1]["number"] > 1
        return {"rows": rows, **({"next": rows[-1]["number"]} if more else {})}

    def view_operators(self, _):
        return {"operators": self.operators, "sessions": self.sessions}

    def room(self, identifier):
        """The made-up room itself; made on the first look, in the middle of its game."""
        return None if identifier in self.closed else self.known_room(identifier)

    def known_room(self, identifier):
        """The same, also for a closed room."""
        row = self.known_row(identifier)
        if row and identifier not in self.live:
            self.live[identifier] = MadeUpRoom(row, seed=row["number"])
            for _ in range(400 if row["phase"] == "PLAYING" else 0):
                self.live[identifier].step()
        return self.live.get(identifier) if row else None

    def known_row(self, identifier):
        return self.closed.get(identifier) or next((row for row in self.rooms if row["id"] == identifier), None)

    def games(self, identifier):
        row = self.known_row(identifier)
        if row is None:
            return []
        began = now_ms() - 100_000
        games = [{"game": f"{identifier}-{row['game']}", "mode": row["mode"], "startedAtMs": began}] if row["game"] else []
        if games and identifier in self.closed:
            games[0]["endedAtMs"] = began + 90_000
        for number in range(row["game"] - 1, 0, -1):
            began -= 400_000
            games.append(
                {"game": f"{identifier}-{number}", "mode": row["mode"], "startedAtMs": began, "endedAtMs": began + 120_000}
            )
        return games

    def track(self, game):
        """The track of a game; a made-up one for an older game. None where there is no game."""
        identifier, _, number = game.rpartition("-")
        room = self.known_room(identifier)
        if room is None or not number.isdecimal():
            return None
        row = room.row
        if int(number) != row["game"]:
            room = MadeUpRoom(row | {"phase": "PLAYING", "game": int(number)}, seed=int(number) + 1_000, duration_s=120)
            for _ in range(480):
                room.step()
        known = next((each for each in self.games(identifier) if each["game"] == game), None)
        track = {"room": room.begun | {"code": ""}, "ticks": room.history, "authors": dict(room.authors)}
        return known and known | track
