"""Made-up schools: their race, the search through the whole list, and corrections, as in the contract."""
from made_up_acts import Refused

LEVELS = {"초등학교": "elementary", "중학교": "middle", "고등학교": "high"}
UNTAPPED = 120


class Schools:
    """The part of a `MadeUpServer` that has schools; those without taps are in no race."""

    def make_untapped(self):
        self.untapped = [
            {"school": f"C{number:09d}", "name": f"너른들{number:03d}중학교", "region": "경기도", "address": f"들길 {number}", "count": 0}
            for number in range(UNTAPPED)
        ]
        self.untapped[0] |= {"name": "<i>빈</i> 분교", "closed": True}

    def view_schools(self, wish):
        order = sorted(self.schools, key=lambda school: -school["count"])
        rows = [
            {name: school[name] for name in ("school", "name", "region", "closed") if name in school} | {"rank": rank + 1, "count": round(school["count"])}
            for rank, school in enumerate(order[: wish["limit"]])
        ]
        taps = sum(round(school["count"]) for school in self.schools)
        return {"season": self.season, "taps": taps, "rows": rows}

    def find_schools(self, wish):
        """A page of the schools that a text finds: those whose names begin with it, then the others."""
        text = wish.get("text", "")
        found = [school for school in [*self.schools, *self.untapped] if text in school["name"]]
        found.sort(key=lambda school: (not school["name"].startswith(text), school["name"], school["school"]))
        begin = int(wish.get("after", 0))
        end = begin + wish.get("limit", 50)
        rows = [
            {"id": school["school"], "level": next((level for kind, level in LEVELS.items() if school["name"].endswith(kind)), "other")}
            | {name: school[name] for name in ("name", "region", "address") if name in school}
            | ({"closed": True} if school.get("closed") else {})
            for school in found[begin:end]
        ]
        page = {"rows": rows, "counts": [round(school["count"]) for school in found[begin:end]]}
        return page | ({"next": f"{end}"} if end < len(found) else {})

    def act_editSchool(self, wish):
        school = next((each for each in [*self.schools, *self.untapped] if each["school"] == wish["school"]), None)
        if school is None:
            raise Refused("there is no such school")
        school["name"] = wish.get("name", school["name"])
        school["closed"] = wish.get("closed", school.get("closed", False))
        return "0 added, 1 changed, 0 closed"
