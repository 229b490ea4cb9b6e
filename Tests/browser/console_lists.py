"""The operators' console finds every school by a part of its name, with or without taps, and shows lands on the map, where
an admin gives them other names."""
import re

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_places import at_the_middle, settle
from console_thumbs import check_thumbs
from console_window import confirm, fill_dialog, go, open_console, wait_for
from page_checks import NARROW

FIELD, FOUND = "#view .filter", ".school-search tbody tr"
LANDS = ".places-lists .card:nth-child(2) tbody tr"
RENAMED = "덕수궁 한 바퀴"


def look_through_lists(browser, feed):
    window = open_console(browser, feed.origin, "who looks through lists", DESKTOP, ENGLISH)
    find_schools(window, feed)
    turn_pages(window, feed)
    find_by_keys(window, feed)
    see_lands(window, feed)
    rename_a_land(window, feed)
    be_told_of_more(window, feed)
    look_as_a_viewer(browser, feed)
    look_in_other_ways(browser, feed)
    check(window.page.evaluate("window.hacked === undefined"), "no name became more than text")
    check(not feed.breaches, f"the page kept to the contract: {feed.breaches}")


# Schools.


def find_schools(window, feed):
    """A school without taps is in no race; it is found, corrected, and found under its new name."""
    go(window, "schools")
    expect(window.find(".race li")).to_have_count(50)
    expect(window.find(".school-search")).to_be_hidden()
    window.page.fill(FIELD, "들007")
    expect(window.find(FOUND)).to_have_count(1)
    for part in ("너른들007중학교", "middle", "경기도", "들길 7"):
        expect(window.find(FOUND)).to_contain_text(part)
    expect(window.find(f"{FOUND} td.number")).to_have_text("0")
    expect(window.find(".race li")).to_have_count(50)
    check("text=" in window.page.url, window.page.url)
    window.picture("console-25-school-found")
    window.page.click(f"{FOUND} td.tools button")
    window.page.click(".menu button:has-text('Correct the name')")
    school = f"C{7:09d}"
    name = "너른들가람중학교"
    confirm(window, feed, {"act": "editSchool", "school": school, "name": name, "reason": "it moved"}, fill=[("name", name), ("reason", "it moved")])
    expect(window.find(FOUND)).to_have_count(0)
    expect(window.find(".school-search .empty")).to_be_visible()
    window.page.fill(FIELD, "가람중")
    row = window.find(FOUND, has_text=name)
    expect(row).to_have_count(1)
    row.locator("td.tools button").click()
    window.page.click(".menu button:has-text('Close…')")
    confirm(window, feed, {"act": "editSchool", "school": school, "closed": True})
    expect(row.locator(".tag")).to_have_text("closed")
    # A school of the race is found too, and hostile text stays text.
    window.page.fill(FIELD, "<")
    expect(window.find(FOUND)).to_have_count(2)
    expect(window.find(FOUND, has_text="<b>첫째</b>학교")).to_have_count(1)
    expect(window.find(FOUND, has_text="<i>빈</i> 분교").locator(".tag")).to_have_text("closed")


def turn_pages(window, feed):
    window.page.fill(FIELD, "너른들")
    expect(window.find(FOUND)).to_have_count(50)
    count, more = window.find(".school-search .count"), window.find(".school-more button")
    expect(count).to_have_text("over 50")
    more.click()
    expect(window.find(FOUND)).to_have_count(100)
    more.click()
    expect(window.find(FOUND)).to_have_count(119)
    expect(count).to_have_text("119")
    expect(more).to_be_hidden()
    # The address leads to the same search, and an empty field back to the race alone.
    window.page.reload()
    expect(window.find(FIELD)).to_have_value("너른들")
    expect(window.find(FOUND)).to_have_count(50)
    window.page.fill(FIELD, "")
    expect(window.find(".school-search")).to_be_hidden()
    check("text=" not in window.page.url, window.page.url)


def find_by_keys(window, feed):
    keys = window.page.keyboard
    window.find("#view").focus()
    keys.press("/")
    expect(window.find(FIELD)).to_be_focused()
    keys.type("빈")
    expect(window.find(FOUND)).to_have_count(1)
    keys.press("Escape")
    keys.press("ArrowDown")
    expect(window.find(f"{FOUND}:focus")).to_have_count(1)
    keys.press("Enter")
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(window.find("dialog .ask-details")).to_contain_text("closed → open")
    keys.press("Escape")
    expect(window.find("dialog")).to_have_count(0)
    window.page.fill(FIELD, "")
    expect(window.find(FOUND)).to_have_count(0)


# Lands.


def see_lands(window, feed):
    """The lands in sight are on the map and in a list; a press on either chooses one."""
    window.page.goto(f"{feed.origin}/{at_the_middle(feed)}")
    rows = window.find(LANDS)
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("420 m")
    expect(window.find(".places-lists .card:nth-child(2) .count")).to_have_text("2 in sight")
    settle(window)
    window.picture("console-26-lands")
    # Inside its ring, beside the capsules and outside the fence that lies across it.
    x, y = on_the_map(window, -20_000, -18_000)
    window.page.mouse.click(x, y)
    chosen = window.find(".places-lists tr.is-chosen")
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text("덕수궁 둘레")
    settle(window)
    check(has_colour(window, "--warn"), "the chosen land has another colour")
    window.picture("console-26-land-chosen")
    told = len(feed.watched)
    window.find(LANDS, has_text="솔숲").locator("button.as-link").click()
    expect(chosen).to_contain_text("<u>솔숲</u> 길")
    wait_for("the land to fill the map", lambda: any("southE7" in view for view in feed.watched[told:]))


def on_the_map(window, north_e7, east_e7):
    """The point of a place so far from the middle, at one pixel a metre."""
    box = window.find(".places canvas").bounding_box()
    metres = 0.011119508
    return box["x"] + box["width"] / 2 + east_e7 * metres * 0.7926, box["y"] + box["height"] / 2 - north_e7 * metres


def has_colour(window, name):
    """Whether the map has pixels of one of the page's colours."""
    return window.page.evaluate(
        """(name) => {
          const canvas = document.querySelector(".places canvas");
          const probe = document.createElement("canvas").getContext("2d");
          probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
          probe.fillRect(0, 0, 1, 1);
          const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let count = 0;
          for (let at = 0; at < data.length; at += 4) count += data[at] === red && data[at + 1] === green && data[at + 2] === blue;
          return count > 50;
        }""",
        name,
    )


def rename_a_land(window, feed):
    """The new name is shown before it is sent; the map and the list have it then."""
    window.page.goto(f"{feed.origin}/{at_the_middle(feed)}")
    row = window.find(LANDS, has_text="덕수궁 둘레")
    row.locator("button", has_text="Rename…").click()
    submit = window.find("dialog .ask-buttons button[type=submit]")
    expect(window.find("dialog .ask-text")).to_contain_text("420 m around")
    expect(window.find("dialog [name=name]")).to_have_value("덕수궁 둘레")
    expect(submit).to_be_disabled()
    window.page.fill("dialog [name=name]", "")
    expect(submit).to_be_disabled()
    window.page.fill("dialog [name=name]", RENAMED)
    expect(window.find("dialog .ask-changes")).to_have_text(f"Name: 덕수궁 둘레 → {RENAMED}")
    check(all(act["act"] != "renameLand" for act in feed.acts), "nothing is sent before")
    land = feed.server.known_lands[0]["land"]
    expected = {"act": "renameLand", "land": land, "name": RENAMED, "reason": "as on the signs"}
    confirm(window, feed, expected, fill=[("reason", "as on the signs")], picture="console-26-land-rename")
    expect(window.find(LANDS, has_text=RENAMED)).to_have_count(1)
    expect(window.find(LANDS, has_text="덕수궁 둘레")).to_have_count(0)
    # A land that is gone by then is refused as the server says it.
    window.find(LANDS, has_text=RENAMED).locator("button", has_text="Rename…").click()
    feed.server.known_lands[0]["land"] = "f" * 32
    fill_dialog(window, [("name", "다른 이름")]).click()
    expect(window.find("dialog .fault")).to_have_text("there is no such land")
    feed.server.known_lands[0]["land"] = land
    window.page.click("dialog .ask-buttons button >> nth=0")
    expect(window.find("dialog")).to_have_count(0)


def be_told_of_more(window, feed):
    few = feed.server.known_lands
    feed.server.known_lands = [few[0] | {"land": f"{number + 1:032x}", "name": f"땅 {number}"} for number in range(101)]
    expect(window.find(LANDS)).to_have_count(100)
    expect(window.find(".places-lists .card:nth-child(2) .count")).to_have_text("over 100 in sight")
    feed.server.known_lands = few
    expect(window.find(LANDS)).to_have_count(2)


# Others.


def look_as_a_viewer(browser, feed):
    """A viewer sees schools and lands, and nothing with which to change them."""
    role, allowed = feed.role, feed.allowed
    feed.role, feed.allowed = "viewer", ["endOwnSession"]
    viewer = open_console(browser, feed.origin, "a viewer of lists", DESKTOP, ENGLISH, at=at_the_middle(feed))
    expect(viewer.find(LANDS)).to_have_count(2)
    expect(viewer.find(f"{LANDS} td.tools button:visible")).to_have_count(0)
    # Neither by keys: Enter on a row looks at the land.
    viewer.find(LANDS).first.focus()
    viewer.page.keyboard.press("Enter")
    expect(viewer.find("dialog")).to_have_count(0)
    go(viewer, "schools")
    viewer.page.fill(FIELD, "들010")
    expect(viewer.find(FOUND)).to_have_count(1)
    expect(viewer.find("#view button:visible")).to_have_count(0)
    feed.role, feed.allowed = role, allowed


def look_in_other_ways(browser, feed):
    """In the dark, and on telephones, the narrowest one too: no control is too small, nothing is wider than the screen."""
    dark = open_console(browser, feed.origin, "who sees lands in the dark", DESKTOP, KOREAN, DARK, at=at_the_middle(feed))
    expect(dark.find(LANDS)).to_have_count(2)
    dark.page.mouse.click(*on_the_map(dark, 4_000 + 6_000, -26_000 + 8_000))
    expect(dark.find(".places-lists tr.is-chosen")).to_contain_text("솔숲")
    settle(dark)
    dark.picture("console-26-lands-dark")
    for name, size, theme in (("phone", PHONE, {}), ("narrow", NARROW, DARK)):
        phone = open_console(browser, feed.origin, f"who has a {name}", size, KOREAN, theme, at=at_the_middle(feed, scale=0.5))
        expect(phone.find(LANDS)).to_have_count(2)
        settle(phone)
        check_thumbs(phone, "lands")
        phone.picture(f"console-27-lands-{name}")
        phone.find(LANDS, has_text="솔숲").locator("td.tools button").click()
        phone.page.fill("dialog [name=name]", "솔숲 긴 길")
        expect(phone.find("dialog .ask-changes")).to_have_text("이름: <u>솔숲</u> 길 → 솔숲 긴 길")
        check_thumbs(phone, "a land's new name")
        phone.picture(f"console-27-land-rename-{name}")
        phone.page.click("dialog .ask-buttons button >> nth=0")
        phone.find(LANDS).first.scroll_into_view_if_needed()
        phone.picture(f"console-27-lands-{name}-list")
        go(phone, "schools")
        phone.page.fill(FIELD, "너른들")
        expect(phone.find(FOUND)).to_have_count(50)
        check_thumbs(phone, "schools")
        phone.picture(f"console-27-schools-{name}")


def work_on_lists(browser, link):
    """With a real server: a land is drawn, seen and renamed, and a school without taps is found and corrected."""
    window = open_console(browser, link, "who works on lists", DESKTOP, ENGLISH)
    window.page.evaluate("location.hash = '#/places?latE7=375665000&lngE7=1269780000&scale=2'")
    expect(window.find("h1")).to_have_text("Places")
    window.page.click("button:has-text('Draw…')")
    window.page.click(".menu button:has-text('A land')")
    box = window.find(".places canvas").bounding_box()
    for dx, dy in ((-150, -120), (150, -120), (150, 120), (-150, 120)):
        window.page.mouse.click(box["x"] + box["width"] / 2 + dx, box["y"] + box["height"] / 2 + dy)
    window.page.fill(".draft [name=name]", "이 시험의 둘레")
    expect(window.find(".draft-preview")).to_contain_text("m around")
    window.page.click(".draft button.primary")
    fill_dialog(window).click()
    expect(window.find("dialog")).to_have_count(0)
    row = window.find(LANDS, has_text="이 시험의 둘레")
    expect(row).to_contain_text(re.compile(r"\d+ m"))
    row.locator("button", has_text="Rename…").click()
    fill_dialog(window, [("name", "이 시험의 한 바퀴")]).click()
    expect(window.find("dialog")).to_have_count(0)
    expect(window.find(LANDS, has_text="이 시험의 한 바퀴")).to_have_count(1)
    expect(window.find(".toast").last).to_contain_text("이 시험의 둘레 is renamed")
    settle(window)
    window.picture("operator-12-lands")
    go(window, "schools")
    window.page.fill(FIELD, "노을빛")
    row = window.find(FOUND).last
    expect(row).to_be_visible()
    row.locator("td.tools button").click()
    window.page.click(".menu button:has-text('Correct the name')")
    fill_dialog(window, [("name", "이 시험의 학교")]).click()
    expect(window.find("dialog")).to_have_count(0)
    window.page.fill(FIELD, "시험의 학")
    expect(window.find(FOUND)).to_have_count(1)
    expect(window.find(f"{FOUND} td.number")).to_have_text("0")
    window.page.fill(FIELD, "no school has this")
    expect(window.find(".school-search .empty")).to_be_visible()
    expect(window.find(FOUND)).to_have_count(0)
