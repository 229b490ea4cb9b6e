"""Made-up places: fences, lands and capsules in the operators' feed, and actions on fences and lands, as in the contract."""
import math
import random

from made_up_acts import Refused, now_ms

MIDDLE = (375_665_000, 1_269_780_000)
FENCES_MAX = CAPSULES_MAX = 200
LANDS_MAX = 100
HOUR_MS = 3_600_000
TURN_E7 = 3_600_000_000


def east_of(west_e7, lng_e7):
    return (lng_e7 - west_e7) % TURN_E7


def opened(fence):
    """A fence as a view has it: its ring without the repeated corner."""
    return {name: value[:-1] if name.startswith("ring") else value for name, value in fence.items()}


def closed(fence):
    """A fence as it is offered: its last corner repeats the first."""
    return {name: [*value, value[0]] if name.startswith("ring") else value for name, value in fence.items()}


def fault_of(fence):
    if not fence["name"]:
        return "its name: a text has at least one character"
    if not 1 <= fence.get("dwellS", 1) <= 86_400:
        return f"{fence['dwellS']} s of dwelling is not within 1 to 86400 s"
    return crossing(fence.get("ringLatE7", []), fence.get("ringLngE7", []))


def crossing(lats, lngs):
    """The words for two sides of a ring that cross; None without any."""
    points = list(zip(lats, lngs))

    def turn(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    sides = list(zip(points, points[1:]))
    for first, (a, b) in enumerate(sides):
        for second, (c, d) in enumerate(sides[first + 2 :], first + 2):
            if (first, second) != (0, len(sides) - 1) and turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0:
                return f"the polygon crosses or touches itself: the sides that begin at coordinates {first} and {second} meet"
    return None


class Places:
    """The part of a `MadeUpServer` that has fences, lands and capsules."""

    def make_places(self):
        lat, lng = MIDDLE
        yard = [(0, 0), (0, 9_000), (5_000, 12_000), (7_200, 9_000), (7_200, 0)]
        made = [
            {"name": "남문", "topic": "gate", "dwellS": 60, "latE7": lat, "lngE7": lng, "radiusMm": 50_000},
            {
                "name": "<b>뜰</b>",
                "ringLatE7": [lat + 12_000 + north for north, _ in yard],
                "ringLngE7": [lng + 6_000 + east for _, east in yard],
                "opensAtMs": now_ms() + HOUR_MS, "closesAtMs": now_ms() + 3 * HOUR_MS,
            },
            {
                "name": "지난 축제", "topic": "festival", "latE7": lat - 14_000, "lngE7": lng - 9_000, "radiusMm": 90_000,
                "closesAtMs": now_ms() - HOUR_MS,
            },
            {"name": "Taveuni", "latE7": -168_000_000, "lngE7": 1_799_990_000, "radiusMm": 20_000_000},
        ]
        self.fences = {f"{number + 1:032x}": {"fenceId": f"{number + 1:032x}", "topic": ""} | row for number, row in enumerate(made)}
        self.capsules = [self.capsule(number) for number in range(24)]
        around = [(0, 0), (0, 16_000), (6_000, 20_000), (11_000, 15_000), (11_000, 0)]
        self.known_lands = [
            {
                "land": f"a{number + 1:031x}", "name": name, "lengthM": length,
                "ringLatE7": [lat + dlat + north for north, _ in around], "ringLngE7": [lng + dlng + east for _, east in around],
            }
            for number, (name, length, dlat, dlng) in enumerate(
                [("덕수궁 둘레", 420, -22_000, -30_000), ("<u>솔숲</u> 길", 430, 4_000, -26_000), ("섬 한 바퀴", 440, -168_000_000 - lat, 1_799_970_000 - lng)]
            )
        ]

    @staticmethod
    def capsule(number):
        rng = random.Random(number)
        spread = 0 if number == 0 else 30_000
        return {
            "capsuleId": f"{number + 1:032x}",
            "title": "<i>첫눈</i>" if number == 0 else f"기억 {number}",
            "memoryDate": f"2026-01-{number % 28 + 1:02}",
            "latE7": MIDDLE[0] + rng.randint(-spread, spread),
            "lngE7": MIDDLE[1] + rng.randint(-spread, spread),
            "buriedAtMs": now_ms() - 1_000 * number,
            "opens": number,
        }

    def view_places(self, wish):
        if self.store_fault:
            return {"error": self.store_fault}
        south, west = wish.get("southE7", -900_000_000), wish.get("westE7", -1_800_000_000)
        north, east = wish.get("northE7", 900_000_000), wish.get("eastE7", 1_800_000_000)
        width = east - west if east - west == TURN_E7 else east_of(west, east)

        def is_in(lat_e7, lng_e7):
            return south <= lat_e7 <= north and east_of(west, lng_e7) <= width

        def meets(fence):
            if "radiusMm" not in fence:
                return any(map(is_in, fence["ringLatE7"], fence["ringLngE7"]))
            reach = fence["radiusMm"] / 11.119508
            across = reach / math.cos(math.radians(fence["latE7"] / 1e7))
            sides = [(lat, lng) for lat in (-reach, 0, reach) for lng in (-across, 0, across)]
            return any(is_in(fence["latE7"] + lat, fence["lngE7"] + lng) for lat, lng in sides)

        fences = [fence for fence in self.fences.values() if meets(fence)]
        capsules = [each for each in self.capsules if is_in(each["latE7"], each["lngE7"])]
        clusters = []
        if len(capsules) > CAPSULES_MAX:
            middle = {name: sum(each[name] for each in capsules) // len(capsules) for name in ("latE7", "lngE7")}
            capsules, clusters = [], [middle | {"count": len(capsules)}]
        totals = {
            "fences": len(self.fences), "capsules": len(self.capsules), "openings": sum(each["opens"] for each in self.capsules),
            "capsuleBytes": 40 * len(self.capsules), "watching": 12, "resting": 3,
        }
        lands = [land for land in self.known_lands if meets(land)]
        shown = {"fences": fences[:FENCES_MAX], "fenceCount": len(fences), "lands": lands[:LANDS_MAX]}
        if len(lands) > LANDS_MAX:
            shown["moreLands"] = True
        return shown | {"capsules": capsules, "clusters": clusters, "totals": totals}

    def preview(self, wish):
        """The rows of the changes that an import would make; a ring of which two sides cross is refused."""
        rows = []
        for fence in wish.get("fences", []):
            row = {"id": fence["fenceId"], "name": fence["name"]}
            fault = fault_of(fence)
            known = self.fences.get(fence["fenceId"])
            if fault:
                rows.append(row | {"change": "refused", "error": f"fence {fence['fenceId']}: {fault}"})
            else:
                is_same = known is not None and {"topic": ""} | fence == {"topic": ""} | closed(known)
                change = "unchanged" if is_same else "replaced" if known else "added"
                rows.append(row | {"change": change, "playersInside": 3})
        for fence in wish.get("removedFenceIds", []):
            known = self.fences.get(fence)
            rows.append({"id": fence, "change": "removed", "name": known["name"], "playersInside": 3} if known else {"id": fence, "change": "unknown"})
        for land in wish.get("lands", []):
            fault = "its name: a text has at least one character" if not land["name"] else crossing(land["latE7"], land["lngE7"])
            rows.append({"name": land["name"], **({"change": "refused", "error": fault} if fault else {"change": "added", "lengthM": 400})})
        return rows

    def act_importLands(self, wish):
        self.lands = [*getattr(self, "lands", []), *wish["lands"]]
        return f"{len(wish['lands'])} added, 0 there already"

    def act_renameLand(self, wish):
        land = next((each for each in self.known_lands if each["land"] == wish["land"]), None)
        if land is None:
            raise Refused("there is no such land")
        before, land["name"] = land["name"], wish["name"]
        return f"{before} is renamed"

    def act_importFences(self, wish):
        for fence in wish["fences"]:
            if fence["name"].startswith("crossed"):
                raise Refused(f"fence {fence['fenceId']}: its sides 0 and 2 meet")
        for fence in wish["fences"]:
            self.fences[fence["fenceId"]] = {"topic": ""} | opened(fence)
        return f"{len(wish['fences'])} added, 0 replaced, 0 there already"

    def act_removeFences(self, wish):
        removed = [self.fences.pop(fence, None) for fence in wish["fenceIds"]]
        return f"{len([each for each in removed if each])} removed"
