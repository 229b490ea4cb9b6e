"""The operators' console shows fences, lands and capsules on a map, and changes the fences: over a made-up feed, where each
message is as in the contract, and with a real server."""
import hashlib
import json

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import confirm, fill_dialog, go, open_console, wait_for
from feed import Feed
from made_up_acts import now_ms
from made_up_places import MIDDLE

FENCES, CAPSULES = ".places-lists .card:first-child tbody tr", ".places-lists .card:last-child tbody tr"
FILE = "input[type=file]"
MIDDLE_OF_EARTH = {"latE7": MIDDLE[0], "lngE7": MIDDLE[1], "scale": 1}


def look_at_places(browser):
    feed = Feed()
    window = open_console(browser, feed.origin, "who sees places", DESKTOP, ENGLISH)
    see_all(window, feed)
    press_on_the_map(window, feed)
    move_the_map(window, feed)
    cross_the_antimeridian(window, feed)
    remove_a_fence(window, feed)
    import_a_file(window, feed)
    refuse_a_file(window, feed)
    see_clusters(window, feed)
    see_the_store_fail(window, feed)
    see_a_suspect_outside(window, feed)
    dark = open_console(browser, feed.origin, "who sees places in the dark", DESKTOP, ENGLISH, DARK, at=at_the_middle(feed))
    expect(dark.find(FENCES)).to_have_count(6)
    settle(dark)
    dark.picture("console-17-places-dark")
    narrow = open_console(browser, feed.origin, "who has a narrow window", {"viewport": {"width": 900, "height": 700}}, KOREAN, DARK)
    go(narrow, "places")
    expect(narrow.find(FENCES)).to_have_count(7)
    settle(narrow)
    narrow.picture("console-17-places-narrow")
    phone = open_console(browser, feed.origin, "who sees places on a telephone", PHONE, KOREAN)
    go(phone, "places")
    expect(phone.find("h1")).to_have_text("장소")
    expect(phone.find(FENCES).first).to_be_visible()
    settle(phone)
    phone.picture("console-17-places-phone")
    phone.find(FENCES).first.scroll_into_view_if_needed()
    phone.page.mouse.wheel(0, 500)
    phone.picture("console-17-places-phone-lists")
    wide = phone.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    check(wide <= 0, f"places are {wide} wider than the telephone")
    for each in phone.find(FENCES).first.locator("td.tools button").all():
        box = each.bounding_box()
        check(box["x"] >= 0 and box["x"] + box["width"] <= 390, f"a fence can be changed and removed on a telephone: {box}")
    for each in (window, dark, narrow, phone):
        check(each.page.evaluate("window.hacked === undefined"), "no name became more than text")
    check(not feed.breaches, f"the page kept to the contract: {feed.breaches}")


def at_the_middle(feed, **changes):
    look = MIDDLE_OF_EARTH | changes
    return "#/places?" + "&".join(f"{name}={value}" for name, value in look.items())


def show(window, feed, **changes):
    """Opens the map at a place, and waits until its part is watched."""
    told = len(feed.watched)
    window.page.goto(f"{feed.origin}/{at_the_middle(feed, **changes)}")
    wait_for("the part of the map", lambda: any("southE7" in view for view in feed.watched[told:]))
    return seen(feed)


def seen(feed):
    """The part of the map that was watched last."""
    return next(view for view in reversed(feed.watched) if "southE7" in view)


def settle(window):
    """Waits for two frames, which have drawn what has come."""
    window.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def see_all(window, feed):
    """The first look has all places of the Earth, then the part that the map shows."""
    go(window, "places")
    expect(window.find(FENCES)).to_have_count(4)
    check({"watch": "places"} in feed.watched, f"at first all: {feed.watched[-3:]}")
    expect(window.find(CAPSULES)).to_have_count(24)
    expect(window.find(FENCES, has_text="<b>뜰</b>")).to_contain_text("not yet")
    expect(window.find(FENCES, has_text="지난 축제")).to_contain_text("closed")
    expect(window.find(FENCES, has_text="남문")).to_contain_text("gate")
    expect(window.find(FENCES, has_text="남문")).to_contain_text("always")
    facts = window.find(".view-head .facts")
    for name, value in (("Fences", 4), ("Capsules", 24), ("Openings", 276), ("Watching", 12), ("At rest", 3)):
        expect(facts.locator("div", has_text=name)).to_contain_text(f"{value}")
    wait_for("the part that is shown", lambda: "southE7" in feed.watched[-1])
    settle(window)
    window.picture("console-17-places-all")


def press_on_the_map(window, feed):
    """A press on a fence and on a capsule marks its row; a name in the list shows its fence."""
    show(window, feed)
    expect(window.find(FENCES)).to_have_count(3)
    settle(window)
    window.picture("console-17-places")
    canvas = window.find(".places canvas").bounding_box()
    x, y = canvas["x"] + canvas["width"] / 2, canvas["y"] + canvas["height"] / 2
    chosen = window.find(".places-lists tr.is-chosen")
    window.page.mouse.click(x + 30, y + 20)
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text("남문")
    # A capsule's mark stands on a foot.
    window.page.mouse.click(x, y - 26)
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text("<i>첫눈</i>")
    window.find(FENCES, has_text="<b>뜰</b>").locator("button.as-link").click()
    expect(chosen).to_contain_text("<b>뜰</b>")
    wait_for("the fence to fill the map", lambda: height_of(seen(feed)) < 40_000)


def height_of(view):
    return view["northE7"] - view["southE7"]


def move_the_map(window, feed):
    """Keys and the wheel pan and zoom; each change is watched when the map rests, and is in the address."""
    first = show(window, feed)
    window.find(".places canvas").focus()
    window.page.keyboard.press("+")
    wait_for("to be nearer", lambda: abs(height_of(seen(feed)) * 1.5 - height_of(first)) < 10)
    nearer = seen(feed)
    window.page.keyboard.press("ArrowRight")
    wait_for("to be further east", lambda: seen(feed)["westE7"] > nearer["westE7"])
    check(height_of(seen(feed)) == height_of(nearer), "a pan is no zoom")
    address = window.page.evaluate("location.hash")
    window.page.reload()
    wait_for("the same part", lambda: abs(height_of(seen(feed)) - height_of(nearer)) < 10)
    hash_after = window.page.evaluate("location.hash")
    check(hash_after == address, f"{address} leads to {hash_after}")
    window.find(".places canvas").hover()
    window.page.mouse.wheel(0, 800)
    wait_for("to be further away", lambda: height_of(seen(feed)) > 5 * height_of(nearer))
    told = len(feed.watched)
    window.page.keyboard.press("Tab")
    window.find(".places canvas").focus()
    window.page.keyboard.press("Home")
    wait_for("all places", lambda: {"watch": "places"} in feed.watched[told:])
    expect(window.find(FENCES)).to_have_count(4)


def cross_the_antimeridian(window, feed):
    view = show(window, feed, latE7=-168_000_000, lngE7=-1_799_999_000, scale=0.02)
    check(view["westE7"] > view["eastE7"], f"the box lies across: {view}")
    expect(window.find(FENCES)).to_have_count(1)
    expect(window.find(FENCES)).to_contain_text("Taveuni")
    settle(window)
    window.picture("console-17-places-antimeridian")
    # The whole Earth, and beyond it.
    view = show(window, feed, scale=0.000001)
    check((view["westE7"], view["eastE7"]) == (-1_800_000_000, 1_800_000_000), f"all around: {view}")
    check((view["southE7"], view["northE7"]) == (-900_000_000, 900_000_000), f"from pole to pole: {view}")
    expect(window.find(FENCES)).to_have_count(4)


def remove_a_fence(window, feed):
    show(window, feed)
    row = window.find(FENCES, has_text="지난 축제")
    fence = next(each["fenceId"] for each in feed.server.fences.values() if each["name"] == "지난 축제")
    row.locator("button", has_text="Remove").click()
    expect(window.find("dialog .ask-details")).to_have_text("3 players are inside now")
    confirm(window, feed, {"act": "removeFences", "fenceIds": [fence]}, picture="console-17-places-remove")
    expect(row).to_have_count(0)


def feature(name, kind, coordinates, identifier=None, **properties):
    known = {} if identifier is None else {"id": identifier}
    return {"type": "Feature", **known, "properties": {"name": name, **properties}, "geometry": {"type": kind, "coordinates": coordinates}}


def choose_file(window, *features):
    text = json.dumps({"type": "FeatureCollection", "features": features}, ensure_ascii=False)
    window.find(FILE).set_input_files({"name": "places.geojson", "mimeType": "application/json", "buffer": text.encode()})


def identifier(text):
    """The identifier that `madang fences import` makes."""
    return hashlib.sha256(f"madang fence {text}".encode()).hexdigest()[:32]


SQUARE = [[126.9785, 37.5660], [126.9795, 37.5660], [126.9795, 37.5668], [126.9785, 37.5668], [126.9785, 37.5660]]
SQUARE_E7 = {
    "ringLatE7": [375_660_000, 375_660_000, 375_668_000, 375_668_000, 375_660_000],
    "ringLngE7": [1_269_785_000, 1_269_795_000, 1_269_795_000, 1_269_785_000, 1_269_785_000],
}


def import_a_file(window, feed):
    """The sound features of a file are imported with the identifiers of the command, and the others named."""
    times = {"opensAt": "2026-12-24T18:00:00+09:00", "closesAt": "2026-12-25T02:00:00.250Z"}
    choose_file(
        window,
        feature("북문", "Point", [126.9779, 37.5670], "north", topic="gate", radiusM=25.5, dwellS=30),
        feature("광장", "Polygon", [SQUARE], 7, **times),
        feature("두 곳", "MultiPolygon", [[SQUARE], [SQUARE]]),
        feature("작은", "Point", [126.9779, 37.5670], radiusM=4),
        feature("구멍", "Polygon", [SQUARE, SQUARE]),
        feature("북문 둘", "Point", [126.9, 37.5], "north", radiusM=25),
        feature("2월", "Point", [126.9, 37.5], radiusM=25, opensAt="2026-02-30T00:00:00Z"),
        {"type": "Feature", "properties": {}, "geometry": None},
    )
    expect(window.find(".ask-text")).to_contain_text("It adds 4 fences")
    expect(window.find(".ask-details li")).to_have_count(5)
    details = " ".join(window.find(".ask-details li").all_inner_texts())
    for part in ("작은", "radiusM", "holes", "Feature 0 has the same identifier", "opensAt", "Feature 7: A feature without geometry"):
        check(part in details, f"{part} is not in {details}")
    expected = [
        {
            "fenceId": identifier("id north"), "name": "북문", "topic": "gate", "dwellS": 30, "latE7": 375_670_000,
            "lngE7": 1_269_779_000, "radiusMm": 25_500,
        },
        {"fenceId": identifier("id 7"), "name": "광장", "opensAtMs": 1_798_102_800_000, "closesAtMs": 1_798_164_000_250, **SQUARE_E7},
        {"fenceId": identifier("name 두 곳 1"), "name": "두 곳 1", **SQUARE_E7},
        {"fenceId": identifier("name 두 곳 2"), "name": "두 곳 2", **SQUARE_E7},
    ]
    expect(window.find(".ask-changes li")).to_have_text("4 added: 북문, 광장, 두 곳 1, 두 곳 2")
    confirm(window, feed, {"act": "importFences", "fences": expected}, picture="console-17-places-import")
    expect(window.find(FENCES, has_text="북문")).to_have_count(1)
    expect(window.find(".toast").last).to_contain_text("4 fences are imported")
    window.picture("console-17-places-imported")
    see_what_changes(window, feed)
    # A file that does not fit one message comes in parts.
    before = len(feed.acts)
    many = [feature(f"점 {number}", "Point", [126.97 + number / 1e5, 37.5], radiusM=20) for number in range(2_500)]
    choose_file(window, *many)
    fill_dialog(window).click()
    expect(window.find("dialog")).to_have_count(0)
    sent = [len(act["fences"]) for act in feed.acts[before:]]
    check(len(sent) > 2 and sum(sent) == 2_500 and max(sent) <= 1_000, f"the parts: {sent}")
    for fence in [each["fenceId"] for each in feed.server.fences.values() if each["name"].startswith("점 ")]:
        del feed.server.fences[fence]


def see_what_changes(window, feed):
    """Before it is sent the dialog says which fences would be changed, and leaves out those that the server refuses."""
    before = len(feed.acts)
    butterfly = [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3], SQUARE[0]]
    choose_file(
        window,
        feature("북문", "Point", [126.9779, 37.5670], "north", topic="gate", radiusM=40),
        feature("광장", "Polygon", [SQUARE], 7, opensAt="2026-12-24T18:00:00+09:00", closesAt="2026-12-25T02:00:00.250Z"),
        feature("나비", "Polygon", [butterfly]),
    )
    changes = window.find(".ask-changes li")
    expect(changes).to_have_count(2)
    expect(changes.first).to_have_text("1 changed: 북문 · 3 players are inside now")
    expect(changes.last).to_have_text("1 without a change: 광장")
    expect(window.find(".ask-details")).to_contain_text("Feature 2 “나비”: the polygon crosses or touches itself")
    window.picture("console-17-places-import-changes")
    check(len(feed.acts) == before, "nothing is sent before")
    fill_dialog(window).click()
    expect(window.find("dialog")).to_have_count(0)
    check([fence["name"] for fence in feed.acts[-1]["fences"]] == ["북문", "광장"], f"the sound ones: {feed.acts[-1]}")


def refuse_a_file(window, feed):
    """A file without fences can't be imported; a fence that the server refuses is named as in the file."""
    before = len(feed.acts)
    swapped = json.dumps(feature("swapped", "Point", [37.5, 126.9], radiusM=20))
    for text, why in (
        ('{\n  "type": "Feature"\n  "id": 1}', "line 3 column 3"),
        ('{"type":"Point"}', "neither a FeatureCollection"),
        (swapped, "The latitude of coordinate 0 is beyond the poles: GeoJSON has the longitude first"),
    ):
        window.find(FILE).set_input_files({"name": "no.json", "mimeType": "application/json", "buffer": text.encode()})
        expect(window.find(".ask-details")).to_contain_text(why)
        expect(window.find("dialog .ask-buttons button[type=submit]")).to_be_disabled()
        window.page.keyboard.press("Escape")
        expect(window.find("dialog")).to_have_count(0)
    check(len(feed.acts) == before, "nothing is sent")
    choose_file(window, feature("crossed", "Polygon", [SQUARE]))
    fill_dialog(window).click()
    expect(window.find("dialog .fault")).to_contain_text("fence Feature 0 “crossed”: its sides 0 and 2 meet")
    window.page.click("dialog .ask-buttons button >> nth=0")
    expect(window.find("dialog")).to_have_count(0)


def see_clusters(window, feed):
    """Where there are many capsules the map has clusters, and a press on one goes nearer."""
    few = feed.server.capsules
    feed.server.capsules = [feed.server.capsule(number) for number in range(400)]
    view = show(window, feed, scale=0.5)
    expect(window.find(".places-lists .card:last-child .count")).to_contain_text("400 in clusters")
    expect(window.find(CAPSULES)).to_have_count(0)
    settle(window)
    window.picture("console-17-places-clusters")
    canvas = window.find(".places canvas").bounding_box()
    cluster = feed.last["places"]["clusters"][0]
    pixels = 0.011119508 * 0.5
    cosine = 0.7926
    x = canvas["x"] + canvas["width"] / 2 + (cluster["lngE7"] - MIDDLE[1]) * pixels * cosine
    y = canvas["y"] + canvas["height"] / 2 - (cluster["latE7"] - MIDDLE[0]) * pixels
    window.page.mouse.click(x, y - 40)
    wait_for("to be nearer", lambda: height_of(seen(feed)) < 0.5 * height_of(view))
    feed.server.capsules = few


def see_the_store_fail(window, feed):
    show(window, feed)
    fault = window.find("#view .fault")
    expect(fault).to_be_hidden()
    feed.server.store_fault = "the disk is <b>gone</b>"
    expect(fault).to_have_text("The store can't be read: the disk is <b>gone</b>")
    expect(window.find(".places")).to_be_hidden()
    feed.server.store_fault = None
    expect(fault).to_be_hidden()
    expect(window.find(FENCES).first).to_be_visible()


def see_a_suspect_outside(window, feed):
    """A player who is suspect outside of rooms has no room and no evidence, and the page says so."""
    player = "ab" * 16
    feed.server.refusals[player] = {"player": player, "suspect": True, "watchedAtMs": now_ms()}
    go(window, "suspects")
    row = window.find(".split tbody tr", has_text=player[:8])
    expect(row).to_contain_text("outside")
    row.locator("button.as-link").click()
    expect(window.find(".evidence .empty").first).to_contain_text("Suspect outside of rooms, where no refused fixes are kept")
    expect(window.find(".evidence canvas")).to_be_hidden()
    window.picture("console-17-suspect-outside")
    row.locator("td.tools button").click()
    window.page.keyboard.press("Enter")
    confirm(window, feed, {"act": "kick", "player": player})
    del feed.server.refusals[player]


def change_places(browser, link):
    """With a real server: a file's fences come, and one goes."""
    window = open_console(browser, link, "who changes places", DESKTOP, ENGLISH)
    go(window, "places")
    expect(window.find("#view .empty").first).to_contain_text("No fence is here")
    name = "이 시험의 문"
    choose_file(
        window,
        feature(name, "Point", [126.9780, 37.5665], "gate of this test", topic="gate", radiusM=50),
        feature("이 시험의 뜰", "Polygon", [SQUARE]),
    )
    fill_dialog(window).click()
    expect(window.find("dialog")).to_have_count(0)
    expect(window.find(".view-head .facts div").first).to_contain_text("2")
    window.page.click(".map-tools button >> nth=2")
    expect(window.find(FENCES)).to_have_count(2)
    settle(window)
    window.picture("operator-11-places")
    window.find(FENCES, has_text=name).locator("button", has_text="Remove").click()
    fill_dialog(window).click()
    expect(window.find("dialog")).to_have_count(0)
    expect(window.find(FENCES)).to_have_count(1)
    # A shape that crosses itself is refused by the server alone.
    crossed = [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3], SQUARE[0]]
    choose_file(window, feature("나비", "Polygon", [crossed]))
    expect(window.find("dialog .ask-details")).to_contain_text("Feature 0 “나비”: the polygon crosses or touches itself")
    expect(window.find("dialog .ask-buttons button[type=submit]")).to_be_disabled()
    window.page.keyboard.press("Escape")
    window.find(FENCES, has_text="이 시험의 뜰").locator("button", has_text="Remove").click()
    fill_dialog(window).click()
    expect(window.find(FENCES)).to_have_count(0)
