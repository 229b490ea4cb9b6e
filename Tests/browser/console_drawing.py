"""Fences and lands are drawn and changed on the console's map, by pointer and by keys, with a preview before the one
confirming act."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, PHONE, check
from console_window import confirm, open_console, wait_for
from made_up_places import MIDDLE

LOOK = f"#/places?latE7={MIDDLE[0]}&lngE7={MIDDLE[1]}&scale=2"


def draw_places(browser, feed):
    window = open_console(browser, feed.origin, "the console that draws", DESKTOP, ENGLISH, at=LOOK)
    expect(window.find(".places tbody tr").first).to_be_visible()
    draw_a_polygon(window, feed)
    change_a_fence(window, feed)
    draw_a_land_by_keys(window, feed)
    look_on_a_phone(browser, feed)
    check(not feed.breaches, f"{feed.breaches}")


def begin(window, kind):
    window.page.click("button:has-text('Draw…')")
    window.page.click(f".menu button:has-text('{kind}')")
    expect(window.find(".draft")).to_be_visible()


def at(window, dx, dy):
    box = window.find(".places canvas").bounding_box()
    return box["x"] + box["width"] / 2 + dx, box["y"] + box["height"] / 2 + dy


def press_at(window, dx, dy):
    window.page.mouse.click(*at(window, dx, dy))


def drag(window, begin_at, end_at):
    window.page.mouse.move(*at(window, *begin_at))
    window.page.mouse.down()
    window.page.mouse.move(*at(window, *end_at), steps=4)
    window.page.mouse.up()


def corners(window):
    return window.find(".draft tbody tr")


def draw_a_polygon(window, feed):
    begin(window, "polygonal")
    save, preview = window.find(".draft button.primary"), window.find(".draft-preview")
    expect(preview).to_have_text("At least three corners are needed")
    for corner in ((-150, -120), (150, -120), (150, 120)):
        press_at(window, *corner)
    expect(corners(window)).to_have_count(3)
    expect(preview).to_contain_text("its name: ")
    expect(save).to_be_disabled()
    window.page.fill(".draft [name=name]", "새 뜰")
    expect(preview).to_contain_text("added")
    expect(preview).to_contain_text("3 players are inside now")
    # A fourth corner, dragged across another side, is refused as the server says it.
    press_at(window, -150, 120)
    expect(corners(window)).to_have_count(4)
    drag(window, (-150, 120), (0, -200))
    expect(preview).to_contain_text("the sides that begin at coordinates 0 and 2 meet")
    expect(save).to_be_disabled()
    window.picture("console-22-draft-refused")
    window.page.click(".draft button:has-text('Undo')")
    expect(preview).to_contain_text("added")
    # The small point in the middle of a side becomes a corner.
    drag(window, (0, 120), (0, 160))
    expect(corners(window)).to_have_count(5)
    window.page.fill(".draft [name=dwellS]", "90")
    expect(preview).to_contain_text("added")
    window.picture("console-22-draft")
    save.click()
    expect(window.find("dialog .ask-changes")).to_contain_text("added")
    feed_before = len(feed.acts)
    window.page.click("dialog button[type=submit]")
    expect(window.find("dialog")).to_have_count(0)
    sent = feed.acts[feed_before]["fences"][0]
    check(sent["name"] == "새 뜰" and sent["dwellS"] == 90 and len(sent["ringLatE7"]) == 6, f"{sent}")
    check(sent["ringLatE7"][0] == sent["ringLatE7"][-1], "the ring is closed")
    check(max(sent["ringLatE7"]) - min(sent["ringLatE7"]) > 10_000, "it is as large as it was drawn")
    expect(window.find(".draft")).to_have_count(0)
    expect(window.find(".places tbody tr", has_text="새 뜰")).to_have_count(1)


def change_a_fence(window, feed):
    """A circle gets another radius by its edge, another place and name; what changes is said, and others stay."""
    row = window.find(".places tbody tr", has_text="남문")
    row.locator("button", has_text="Edit…").click()
    preview = window.find(".draft-preview")
    expect(preview).to_contain_text("no change")
    expect(window.find(".draft button.primary")).to_be_disabled()
    window.page.fill(".draft [name=radiusM]", "80")
    window.page.fill(".draft [name=name]", "정문")
    expect(preview).to_contain_text("Name: 남문 → 정문")
    expect(preview).to_contain_text("Its shape or place changes")
    drag(window, (0, 0), (40, 30))
    expect(preview).to_contain_text("changed")
    before = dict(feed.server.fences[f"{1:032x}"])
    window.page.click(".draft button.primary")
    window.page.fill("dialog [name=reason]", "it has moved")
    window.page.click("dialog button[type=submit]")
    expect(window.find("dialog")).to_have_count(0)
    sent = feed.acts[-1]
    fence = sent["fences"][0]
    check(sent["reason"] == "it has moved" and fence["fenceId"] == before["fenceId"], f"{sent}")
    check(fence["radiusMm"] == 80_000 and fence["topic"] == "gate" and fence["dwellS"] == 60, f"the rest stays: {fence}")
    check(fence["lngE7"] > before["lngE7"] and fence["latE7"] < before["latE7"], f"east and south: {fence}")
    row = window.find(".places tbody tr", has_text="정문")
    row.locator("button", has_text="Edit…").click()
    window.page.click(".draft button:has-text('Cancel')")
    expect(window.find(".places tbody tr", has_text="정문")).to_have_count(1)


def draw_a_land_by_keys(window, feed):
    keys = window.page.keyboard
    draw = window.find("button", has_text="Draw…")
    draw.focus()
    for key in ("Enter", "End", "ArrowUp", "Enter"):
        keys.press(key)
    expect(window.find(".draft h2")).to_have_text("A land")
    canvas = window.find(".places canvas")
    expect(canvas).to_be_focused()
    # Four corners in the middle, each moved away by arrows.
    for key, count in (("ArrowLeft", 3), ("ArrowUp", 3), ("ArrowRight", 3), ("ArrowDown", 2)):
        keys.press("Enter")
        for _ in range(count):
            keys.press(f"Shift+{key}")
    expect(corners(window)).to_have_count(4)
    keys.press(".")
    expect(window.find(".draft tr.is-chosen td").first).to_have_text("0")
    keys.press(",")
    expect(window.find(".draft tr.is-chosen td").first).to_have_text("3")
    keys.press("Delete")
    expect(corners(window)).to_have_count(3)
    keys.press("Control+z")
    expect(corners(window)).to_have_count(4)
    field = window.find(".draft [name=name]")
    field.focus()
    keys.type("학교 뒷길")
    expect(window.find(".draft-preview")).to_contain_text("400 m around")
    window.picture("console-23-draft-land")
    save = window.find(".draft button.primary")
    save.focus()
    keys.press("Enter")
    confirm(window, feed, {"act": "importLands", "lands": [feed_land(window, feed)]})
    check(feed.server.lands[0]["name"] == "학교 뒷길", "it is a land")
    expect(window.find(".draft")).to_have_count(0)


def feed_land(window, feed):
    """The land that the page shows in its list of corners, as it must be sent."""
    texts = [cell.inner_text().split(", ") for cell in window.find(".draft td.mono").all()]
    asked = feed.previewed["lands"][0]
    check([f"{lat / 1e7:.5f}" for lat in asked["latE7"][:-1]] == [lat for lat, _ in texts], f"{asked} is {texts}")
    check([f"{lng / 1e7:.5f}" for lng in asked["lngE7"][:-1]] == [lng for _, lng in texts], f"{asked} is {texts}")
    return asked


def look_on_a_phone(browser, feed):
    phone = open_console(browser, feed.origin, "the console that draws on a telephone", PHONE, ENGLISH, DARK, at=LOOK)
    expect(phone.find(".places tbody tr").first).to_be_visible()
    begin(phone, "circular")
    box = phone.find(".places canvas").bounding_box()
    phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 200)
    phone.page.fill(".draft [name=name]", "둥근 뜰")
    expect(phone.find(".draft-preview")).to_contain_text("added")
    wide = phone.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    check(wide <= 0, f"the draft is {wide} wider than the telephone")
    phone.picture("console-24-draft-phone")
    wait_for("an asked preview", lambda: feed.previewed["fences"][0]["name"] == "둥근 뜰")
