"""Schools from a list to a search: editions imported by the command line, sound and broken ones, and found by a
client."""
import asyncio
import csv
import io
import json
import pathlib
import re
import secrets
import unicodedata

import pytest
import websockets

from program import Program

# The country's list, which may not be part of the project.
NATIONAL = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data" / "schools.csv"

HEADER = "학교ID,학교명,학교급구분,운영상태,소재지지번주소,소재지도로명주소,시도교육청명"
SAMPLE_COUNT = 200


def rows(count, first=1):
    """Sound rows, numbered."""
    return [f"B{number},가람{number}초등학교,초등학교,운영,,세종대로 {number},서울특별시교육청"
            for number in range(first, first + count)]


class Lists:
    """Files of a folder, imported into the data folders beside them."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    async def run(self, content, data="lists", *options):
        """Imports a text, or bytes, as a list, or such by their files' names as one list of several; the exit
        status, the printed lines, and the errors."""
        contents = content if isinstance(content, dict) else {"list": content}
        for name, content in contents.items():
            (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        paths = [str(self.folder / name) for name in contents]
        status, output, errors = await self.program.command(
            "schools", "import", *paths, *options, data=str(self.folder / data)
        )
        assert all(line.isprintable() for line in (output + errors).splitlines()), (
            f"control characters: {output}{errors}"
        )
        return status, output.splitlines(), errors

    async def taken(self, content, totals, *lines, data="lists", options=()):
        """Imports a list that must be taken, with these totals; each of `lines` must be a part of a line printed."""
        status, printed, errors = await self.run(content, data, *options)
        assert status == 0 and not errors, f"the import ended with {status}: {errors}"
        assert printed[-1] == totals, f"totals: {printed[-1]!r}, not {totals!r}"
        for line in lines:
            assert any(line in other for other in printed), f"no line with {line!r}: {printed[:20]}"

    async def refused(self, content, words, data="lists"):
        """Imports a list that must be refused with a reason, and change nothing."""
        before = await self.listed(data)
        status, printed, errors = await self.run(content, data)
        assert status == 64 and errors.count("\n") == 1 and words in errors, (
            f"not refused for {words!r}: {status} {errors}"
        )
        assert "Nothing has changed" in errors, f"{errors}"
        assert all(line.startswith("refused") for line in printed), f"printed: {printed[:5]}"
        assert await self.listed(data) == before, f"a list that was refused for {words!r} has changed something"

    async def listed(self, data="lists", *arguments):
        if not (self.folder / data).exists():
            return None
        status, output, errors = await self.program.command("schools", "list", *arguments, data=str(self.folder / data))
        assert status == 0, f"the list ended with {status}: {errors}"
        return output.splitlines()


@pytest.fixture
def program(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log")
    yield program
    program.destroy()


@pytest.fixture
def lists(program, tmp_path):
    return Lists(program, tmp_path)


async def test_editions_add_change_close_and_open_again(lists):
    """The same edition changes nothing, however it is written."""
    sound = [HEADER] + rows(20)
    text = "\n".join(sound) + "\n"
    await lists.taken(text, "20 added, 0 changed, 0 closed, 0 refused of 20 rows",
                      "added    line 2: B1  가람1초등학교  초등학교  서울특별시  세종대로 1", "added    line 21: B20")
    same = "0 added, 0 changed, 0 closed, 0 refused of 20 rows"
    decomposed = unicodedata.normalize("NFD", text)
    blank = text.replace("\n", "\r\n\r\n")
    quoted = "\n".join(",".join(f'"{field}"' for field in line.split(",")) for line in sound)
    order = "\n".join(",".join(reversed(line.split(",") + ["x"])) for line in sound)
    for form in (text, text.rstrip("\n"), "\ufeff" + text, text.encode("cp949"), decomposed, blank, quoted, order):
        await lists.taken(form, same)
    newer = [line for line in sound if not line.startswith(("B3,", "B7,"))] + rows(1, 21)
    newer[1] = "B1,가람일초등학교,초등학교,운영,,세종대로 1,서울특별시교육청"
    newer[2] = 'B2,가람2초등학교,중학교,운영,"세종로 2, ""나"" 동",,부산광역시교육청'
    newer.append("B7,가람7초등학교,초등학교,폐교,,세종대로 7,서울특별시교육청")
    await lists.taken("\n".join(newer), "1 added, 2 changed, 2 closed, 0 refused of 20 rows",
                      "added    line 20: B21", "changed  line 2: B1  name 가람1초등학교 → 가람일초등학교",
                      "changed  line 3: B2  가람2초등학교  level 초등학교 → 중학교  region 서울특별시 → 부산광역시  "
                      'address 세종대로 2 → 세종로 2, "나" 동',
                      "closed   not in the list: B3", "closed   line 21: B7")
    assert len(await lists.listed()) == 19, "closed schools are listed"
    assert len(await lists.listed("lists", "가람2초")) == 1, "the list does not find a name"
    assert len(await lists.listed("lists", "--region", "부산광역시")) == 1, "the list does not find a region"
    closed = await lists.listed("lists", "--closed")
    assert [line.split()[0] for line in closed] == ["B3", "B7"], f"closed: {closed}"
    assert await lists.listed("lists", "가람7초", "--closed") == closed[1:], (
        "the list of closed ones does not find what it should"
    )
    await lists.taken(text, "0 added, 4 changed, 1 closed, 0 refused of 20 rows",
                      "changed  line 4: B3  가람3초등학교  opened again", "changed  line 8: B7  가람7초등학교  opened again")
    search = {"dataSearch": {"content": [
        {"seq": "101", "schoolName": "나루고등학교", "schoolGubun": "고등학교", "region": "경기도", "adres": "나루로 1"},
        {"seq": 102, "schoolName": "나루학교", "schoolGubun": "특수학교", "region": "경기도", "adres": None, "link": {}},
    ] + [{"seq": str(number), "schoolName": "나루초등학교", "schoolGubun": "초등학교"} for number in range(103, 121)] + [5]}}
    await lists.taken(json.dumps(search), "20 added, 0 changed, 0 closed, 1 refused of 21 rows",
                      "added    entry 1: E101  나루고등학교  고등학교  경기도  나루로 1", "added    entry 2: E102  나루학교  특수학교  경기도",
                      "refused  entry 21: a broken line", data="json")
    for data in ("lists", "json"):
        await lists.program.check_is_whole(data=str(lists.folder / data))


def search_list(rows):
    """One of career.go.kr's lists in its own form: all values are texts, and the numbers are the list's own."""
    return json.dumps({"dataSearch": {"content": [
        {"link": "http://naru.example", "adres": f"나루로 {number}", "schoolName": name, "region": "경기도",
         "totalCount": str(len(rows)), "estType": "공립", "seq": str(number), **kind}
        for number, (name, kind) in enumerate(rows, 1)
    ]}}, ensure_ascii=False)


async def test_lists_that_number_their_schools_alike_are_one_edition_together(lists):
    """A country's list in three downloads; none closes another's schools."""
    kinds = ["일반고", "특성화고", "특수목적고", "자율고"]
    three = {
        "elem.json": search_list([(f"가람{number}초등학교", {}) for number in range(1, 61)]),
        "midd.json": search_list([(f"나루{number}중학교", {}) for number in range(1, 30)] + [("다리학교", {})]),
        "high.json": search_list([(f"마을{number}고등학교", {"schoolGubun": kinds[number % 4], "schoolType": "공립"})
                                  for number in range(1, 20)] + [("마을중고등학교", {"schoolGubun": "각종학교"})]),
    }
    await lists.taken(three, "110 added, 0 changed, 0 closed, 0 refused of 110 rows",
                      "added    elem.json entry 1: E1  가람1초등학교  초등학교  경기도  나루로 1",
                      "added    midd.json entry 1: M1  나루1중학교  중학교", "added    midd.json entry 30: M30  다리학교  중학교",
                      "added    high.json entry 1: H1  마을1고등학교  고등학교", "added    high.json entry 20: H20  마을중고등학교  기타",
                      data="several")
    same = "0 added, 0 changed, 0 closed, 0 refused of 110 rows"
    await lists.taken(three, same, data="several")
    await lists.taken(dict(reversed(three.items())), same, data="several")
    for name, content in three.items():
        left = {"elem.json": 50, "midd.json": 80, "high.json": 90}[name]
        for words in (f"{name} would close {left} of the 110 schools", "import all of them by one command", "--allow-closing"):
            await lists.refused({name: content}, words, data="several")
    # A file of another kind, and one that adds to a list.
    await lists.taken({**three, "more.csv": "\n".join([HEADER] + rows(3))}, "3 added, 0 changed, 0 closed, 0 refused of 113 rows",
                      "added    more.csv line 2: B1", data="several")
    await lists.taken({**three, "midd.json": search_list([(f"나루{number}중학교", {}) for number in range(1, 30)])},
                      "0 added, 0 changed, 4 closed, 0 refused of 109 rows", "closed   not in the list: M30", data="several")

    broken = json.loads(three["high.json"])
    broken["dataSearch"]["content"][0]["seq"] = 1.5
    broken["dataSearch"]["content"][1]["schoolName"] = ""
    two = {**three, "high.json": json.dumps(broken)}
    await lists.taken(two, "0 added, 1 changed, 0 closed, 2 refused of 110 rows",
                      "refused  high.json entry 1: its seq is no text and no whole number",
                      "refused  high.json entry 2: it has no name", "kept     high.json entry 2: H2  마을2고등학교",
                      "changed  midd.json entry 30: M30  다리학교  opened again", data="several")
    broken["dataSearch"]["content"][2]["schoolName"] = ""
    reason = "high.json is no list of schools: 3 of its 20 rows are refused, more than one in ten"
    await lists.refused({**three, "high.json": json.dumps(broken)}, reason, data="several")
    await lists.refused({**three, "high.json": "{"}, "high.json is no list of schools: it is not JSON", data="several")
    await lists.refused({**three, "elem.json": ""}, "elem.json is no list of schools: it is empty", data="several")
    again = {**three, "again.json": three["elem.json"]}
    await lists.refused(again, "again.json is no list of schools: 60 of its 60 rows are refused, more than one in ten; "
                        "60 of them have the id of a row before them", data="several")
    await lists.refused({**three, "a\x1b[2Jb": "x"}, "a\ufffd[2Jb is no list of schools", data="several")
    await lists.program.check_is_whole(data=str(lists.folder / "several"))


async def test_broken_rows_are_told_with_their_lines_and_broken_lists_change_nothing(lists):
    sound = [HEADER] + rows(100)
    broken = {
        12: ("B11,가람,초등학교", "a broken line: 3 fields, where the header has 7"),
        23: ("B22,가람,초등학교,운영,,\"세종대로 22,서울특별시교육청", "a broken line: something between a closing quote"),
        34: ("B33,가\"람,초등학교,운영,,,서울특별시교육청", "a broken line: a quote inside"),
        45: ("B44,\"가\"람,초등학교,운영,,,서울특별시교육청", "a broken line: something between a closing quote"),
        56: (",가람,초등학교,운영,,,서울특별시교육청", "it has no id"),
        67: ("B66, ,초등학교,운영,,,서울특별시교육청", "it has no name"),
        78: ("B-77,가람,초등학교,운영,,,서울특별시교육청", 'its id "B-77" is not'),
        89: ("B1,가람,초등학교,운영,,,서울특별시교육청", "line 2 has the id B1 already"),
        90: ("B89," + "가" * 101 + ",초등학교,운영,,,서울특별시교육청", "its name: the text is longer"),
        91: ("B90,가\x01람,초등학교,운영,,,서울특별시교육청", "its name: the text has a control character"),
    }
    for line, (row, _) in broken.items():
        sound[line - 1] = row
    wanted = [f"refused  line {line}: {words}" for line, (_, words) in broken.items()]
    await lists.taken("\n".join(sound), "90 added, 0 changed, 0 closed, 10 refused of 100 rows", *wanted, data="broken")
    # The rows after an unclosed quote are not lost.
    await lists.taken("\n".join([HEADER] + rows(10) + ['B11,"가람'] + rows(9, 12)),
                      "19 added, 0 changed, 0 closed, 1 refused of 20 rows",
                      "refused  line 12: a broken line: a quote that is never closed", data="open")
    # Bytes that are no character cost their row alone, wherever the characters around them end.
    torn = ("\n".join([HEADER] + rows(100))).encode("cp949").replace("가람50초".encode("cp949"), b"\xff\xb0\x20\xfe")
    # Such a row's school stays as it was.
    await lists.taken(torn, "10 added, 0 changed, 0 closed, 1 refused of 100 rows",
                      "refused  line 51: a broken line: bytes that are no character", "kept     line 51: B50  가람50초등학교", data="broken")
    marked = b"\xef\xbb\xbf" + "\n".join([HEADER] + rows(100)).encode().replace("가람50초".encode(), b"\xb0\xa1")
    await lists.taken(marked, "0 added, 0 changed, 0 closed, 1 refused of 100 rows", "refused  line 51", data="broken")
    assert "B50  가람50초등학교" in "\n".join(await lists.listed("broken")), "a refused row closes its school"
    # The same without the mark: most of a file's bytes tell its encoding.
    unmarked = "\n".join([HEADER] + rows(100)).encode().replace("가람50초".encode(), b"\xb0\xa1").replace("가람60초".encode(), b"\xff")
    await lists.taken(unmarked, "0 added, 0 changed, 0 closed, 2 refused of 100 rows", "refused  line 51: a broken line: bytes",
                      "refused  line 61: a broken line: bytes", "kept     line 61: B60  가람60초등학교", data="broken")
    damaged_search = json.dumps({"dataSearch": {"content": [
        {"seq": str(number), "schoolName": f"나루{number}초등학교"} for number in range(1, 21)
    ]}}, ensure_ascii=False).encode().replace("나루7초".encode(), b"\xff")
    await lists.taken(damaged_search, "19 added, 0 changed, 0 closed, 1 refused of 20 rows",
                      "refused  entry 7: a broken line: bytes that are no character", data="damaged")
    # A broken row without a sure number may belong to any school.
    nameless = "\n".join([HEADER] + rows(95) + ["B96,가람,초등학교"])
    await lists.taken(nameless, "0 added, 0 changed, 0 closed, 1 refused of 96 rows", "refused  line 97: a broken line",
                      "kept     5 open schools are not in the list or closed there, and stay open", data="broken")
    assert len(await lists.listed("broken")) == 100, "a broken line closes schools"
    await lists.taken(nameless, "0 added, 0 changed, 5 closed, 1 refused of 96 rows", "closed   not in the list: B96",
                      data="broken", options=["--allow-closing"])

    eleven = [HEADER] + rows(89) + ["x"] * 11
    await lists.refused("\n".join(eleven), "11 of its 100 rows are refused", data="broken")
    await lists.refused("\n".join(eleven), "11 of its 100 rows are refused", data="new")
    assert not (lists.folder / "new").exists(), "a list that is refused makes a store"
    text = "\n".join([HEADER] + rows(30))
    for content, words in [
        ("", "it is empty"), ("\n \r\n", "it is empty"), (HEADER, "it has no schools"), ("\n".join(rows(30)), "no header"),
        (text.replace("학교ID", "ID"), "no header with 학교ID"), (b"\x00" * 100, "no header"),
        (text.encode("utf-16"), "it is UTF-16; save it"), (text.encode("utf-16-le"), "it is UTF-16; save it"), ("{}".encode("utf-16-be"), "it is UTF-16; save it"),
        (text.replace("학교ID", "ID").encode("cp949"), "(read as CP949, for it is no UTF-8) is no header with 학교ID"),
        (text.replace("운영상태", "상태"), "no header with 운영상태"), (text.replace("소재지지번주소", "학교명"), "has the column 학교명 twice"),
        ("{", "it is not JSON"), ("[]", "no dataSearch.content"), ('{"dataSearch":{"content":{}}}', "no dataSearch.content"),
        ('{"dataSearch":{"content":[]}}', "it has no schools"), ('{"dataSearch":{"content":[1]}}', "1 of its 1 rows"),
    ]:
        await lists.refused(content, words, data="broken")
    status, _, errors = await lists.program.command("schools", "import", str(lists.folder / "none"))
    assert status == 64 and "can't read" in errors and errors.count("\n") == 1, f"no file: {errors}"
    for data in ("broken", "open", "damaged"):
        await lists.program.check_is_whole(data=str(lists.folder / data))


async def test_a_list_that_would_close_more_than_one_school_in_ten_changes_nothing_unless_allowed(lists):
    """So a list that was cut off behind a whole line closes nothing by itself."""
    await lists.taken("\n".join([HEADER] + rows(100)), "100 added, 0 changed, 0 closed, 0 refused of 100 rows", data="cut")
    cut = "\n".join([HEADER] + rows(89))
    await lists.refused(cut, "would close 11 of the 100 schools that are open, more than one in ten", data="cut")
    await lists.refused(cut + "\nB9", "would close 11 of the 100 schools that are open, more than one in ten", data="cut")
    called_closed = [row.replace("운영", "폐교") if row.startswith("B1") else row for row in rows(100)]
    await lists.refused("\n".join([HEADER] + called_closed), "would close 12 of the 100 schools that are open", data="cut")
    search = {"dataSearch": {"content": [{"seq": "7", "schoolName": "나루초등학교", "schoolGubun": "초등학교"}]}}
    await lists.refused(json.dumps(search), "would close 100 of the 100 schools", data="cut")
    await lists.taken("\n".join([HEADER] + rows(90)), "0 added, 0 changed, 10 closed, 0 refused of 90 rows", data="cut")
    # One in ten of the open schools, which are fewer now.
    await lists.refused("\n".join([HEADER] + rows(80)), "would close 10 of the 90 schools", data="cut")
    await lists.taken(cut, "0 added, 0 changed, 1 closed, 0 refused of 89 rows", data="cut")
    await lists.taken(json.dumps(search), "1 added, 0 changed, 89 closed, 0 refused of 1 rows",
                      data="cut", options=["--allow-closing"])
    await lists.program.check_is_whole(data=str(lists.folder / "cut"))


class Player:
    """One connection that asks and waits."""

    def __init__(self, socket):
        self.socket = socket
        self.last_id = 0

    async def ask(self, name, **fields):
        self.last_id += 1
        await self.socket.send(json.dumps({"id": self.last_id, name: fields}, ensure_ascii=False))
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), 20))
            if message.get("replyTo") == self.last_id:
                return message

    async def find(self, **fields):
        """All results, page by page."""
        found = []
        cursor = ""
        while True:
            answer = await self.ask("searchSchools", **fields, cursor=cursor)
            assert "schools" in answer, f"no schools: {answer}"
            found += answer["schools"].get("schools", [])
            cursor = answer["schools"].get("nextCursor", "")
            if not cursor:
                return found


async def connect(program, body):
    async with websockets.connect(program.url, subprotocols=["madang.v1.json"]) as socket:
        player = Player(socket)
        await player.ask("hello", nickname="가람", deviceSecret=secrets.token_hex(16))
        await body(player)


async def test_a_server_without_a_list_has_two_hundred_invented_schools(program):
    """They are the same after a restart, and the log mentions them once."""
    await program.start()

    async def look(player):
        found = await player.find(limit=50)
        assert len(found) == len({row["schoolId"] for row in found}) == SAMPLE_COUNT, f"{len(found)} invented schools"
        assert {row["level"] for row in found} == {"ELEMENTARY", "MIDDLE", "HIGH", "SPECIAL", "OTHER"}, "levels"
        assert len({row["region"] for row in found}) == 17, "regions"

    await connect(program, look)
    await program.end()
    assert len(program.said("invented")) == 1, "the operator is not told of the invented schools"
    await program.start()
    await connect(program, look)
    await program.end()
    assert len(program.said("invented")) == 1, "invented schools are reported again"
    await program.check_is_whole()


async def test_no_list_is_imported_beside_a_server_without_operators(program, lists):
    (lists.folder / "list").write_text("\n".join([HEADER] + rows(20)))
    await program.start()
    status, _, errors = await program.command("schools", "import", str(lists.folder / "list"))
    assert status == 64 and "without --admin-port" in errors and errors.count("\n") == 1, f"beside a server: {errors}"
    await program.end()


async def test_a_running_server_applies_editions_itself_and_players_find_the_schools_at_once(program, lists):
    program.options = ("--admin-port", "0")
    await program.start()
    first = "\n".join([HEADER] + rows(1500))
    await lists.taken(first, f"1500 added, 0 changed, {SAMPLE_COUNT} closed, 0 refused of 1500 rows",
                      "added    line 2: B1  가람1초등학교", data="data")

    async def look(app):
        found = await app.find(query="가람1499")
        assert [row["schoolId"] for row in found] == ["B1499"], f"found {found}"

    await connect(program, look)
    newer = [line for line in first.splitlines() if not line.startswith("B3,")]
    newer[1] = newer[1].replace("가람1초", "나래1초")
    await lists.taken("\n".join(newer), "0 added, 1 changed, 1 closed, 0 refused of 1499 rows",
                      "changed  line 2: B1  name 가람1초등학교 → 나래1초등학교", "closed   not in the list: B3", data="data")

    async def look_again(app):
        assert [row["schoolId"] for row in await app.find(query="나래1")] == ["B1"], "the new name is not found"
        assert not await app.find(query="가람3초"), "a closed school is found"

    await connect(program, look_again)
    await lists.refused("학교ID\n", "no", data="data")
    await lists.refused("\n".join(newer[:200]), "more than one in ten", data="data")
    await connect(program, look_again)
    _, audit, _ = await program.command("audit")
    assert audit.count("importSchools") == 2 and "0 added, 1 changed, 1 closed" in audit, f"audit log: {audit}"
    await program.end()
    await program.start()
    await connect(program, look_again)
    await program.end()
    await program.check_is_whole()


@pytest.mark.skipif(not NATIONAL.exists(), reason="the national list is not here")
async def test_the_national_list_is_imported_once_and_searched(program):
    """Eleven schools of one name are found, and a region's page by page. Invented schools are closed by the import."""
    await program.start()
    await program.end()
    content = NATIONAL.read_bytes()
    expected = [tuple(row[name] for name in ("학교ID", "학교명", "학교급구분", "시도교육청명"))
                for row in csv.DictReader(io.StringIO(content.decode("cp949")))]
    status, output, errors = await program.command("schools", "import", str(NATIONAL))
    lines = output.splitlines()
    totals = f"{len(expected)} added, 0 changed, {SAMPLE_COUNT} closed, 0 refused of {len(expected)} rows"
    assert status == 0 and lines[-1] == totals, f"the national list: {status} {lines[-1:]} {errors}"
    status, output, _ = await program.command("schools", "import", str(NATIONAL))
    assert output == f"0 added, 0 changed, 0 closed, 0 refused of {len(expected)} rows\n", f"again: {output[-200:]}"
    await program.start()

    async def look(player):
        same = [row for row in expected if row[1] == "금성초등학교"]
        for text in ("금성초등학교", unicodedata.normalize("NFD", "금성초등학교"), " 금성 초등학교"):
            found = await player.find(query=text, limit=5)
            exact = [row for row in found if row["name"] == "금성초등학교"]
            assert [row["schoolId"] for row in exact] == sorted(row[0] for row in same), f"{text}: {found}"
            assert found[:len(exact)] == exact and len(exact) == 11, f"{len(exact)} of one name, not first"
            assert all(row["level"] == "ELEMENTARY" and row["region"] and row["address"] for row in exact), f"{exact}"
        found = await player.find(query="금성", level="MIDDLE", limit=50)
        wanted = {row[0] for row in expected if "금성" in re.sub(r"\s", "", row[1]) and row[2] == "중학교"}
        assert {row["schoolId"] for row in found} == wanted and len(found) == len(wanted), "금성, middle schools"
        found = await player.find(query="초등학교", region="세종특별자치시", limit=50)
        assert found and {row["region"] for row in found} == {"세종특별자치시"}, "a region"
        found = await player.find(region="서울특별시", limit=50)
        there = sorted((row[1], row[0]) for row in expected if row[3] == "서울특별시교육청")
        assert [(row["name"], row["schoolId"]) for row in found] == there, "all pages are not all schools of a region"

    await connect(program, look)
    await program.end()
    await program.check_is_whole()
