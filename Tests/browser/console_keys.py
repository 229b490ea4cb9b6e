"""The console by the keyboard alone: every view is reached, its rows are walked, opened and acted on, dialogs and menus
close, and what has the focus is seen. No step here uses a pointer."""
import re

from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, check
from console_window import open_console, wait_for

LETTERS = {
    "overview": "o", "rooms": "r", "schools": "s", "suspects": "u", "connections": "c", "sanctions": "b",
    "proposals": "l", "places": "p", "reports": "f", "audit": "a", "operators": "t", "webhooks": "h",
    "playerSearch": "n", "wall": "w",
}
# Views whose rows are not those of a table.
ROWS = {"schools": ".race li", "wall": ".wall-tile"}
FOCUS = """
() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {
    name: element.tagName + '.' + element.className,
    isSeen: element.matches('main, body') || style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
    isInside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
}
"""


def use_keys(browser, feed):
    window = open_console(browser, feed.origin, "the console by keys", DESKTOP, ENGLISH)
    read_the_list(window)
    for name in LETTERS:
        visit(window, feed, name)
    walk_a_table(window, feed)
    go_into_a_room_and_back(window, feed)
    act(window, feed)
    move_maps(window, feed)
    walk_the_wall(window)
    tab_through(window)
    korean_keyboard(browser, feed)
    check(not feed.breaches, f"{feed.breaches}")


def press(window, *keys):
    for key in keys:
        window.page.keyboard.press(key)


def go_by_keys(window, name):
    press(window, "g", LETTERS[name])
    expect(window.find(f"#nav a[data-view={name}]")).to_have_attribute("aria-current", "page")
    expect(window.find("#view")).to_be_focused()


def see_focus(window, where):
    focus = window.page.evaluate(FOCUS)
    check(focus["isSeen"] and focus["isInside"], f"the focus is seen {where}: {focus}")


def read_the_list(window):
    press(window, "?")
    dialog = window.find("dialog.keys")
    expect(dialog).to_be_visible()
    for name, letter in LETTERS.items():
        title = window.find(f"#nav a[data-view={name}] span").inner_text()
        expect(dialog.locator("dl div", has=window.page.get_by_text(title, exact=True)).locator("kbd").last).to_have_text(letter)
    window.picture("console-20-keys")
    press(window, "?", "g", "r")
    expect(window.find("dialog.keys")).to_have_count(1)
    press(window, "Escape")
    expect(dialog).to_have_count(0)
    check("rooms" not in window.page.url, "keys of a dialog are its own")


def visit(window, feed, name):
    """Goes to a view, and down its rows if it has some."""
    go_by_keys(window, name)
    if name == "playerSearch":
        press(window, "/")
        expect(window.find("#view input[type=search]")).to_be_focused()
        return press(window, "Escape")
    rows = window.find(f"#view {ROWS.get(name, 'tbody tr')}")
    if name == "sanctions" and rows.count() == 0:
        return None
    expect(rows.first).to_be_visible()
    press(window, "ArrowDown")
    expect(window.find("#view :focus")).to_have_attribute("tabindex", "0")
    see_focus(window, f"in {name}")
    press(window, "Escape")
    return expect(window.find("#view")).to_be_focused()


def walk_a_table(window, feed):
    go_by_keys(window, "rooms")
    rows = window.find("#view tbody tr")
    expect(rows).to_have_count(50)
    press(window, "ArrowDown")
    expect(rows.nth(0)).to_be_focused()
    press(window, "ArrowDown", "ArrowDown")
    code = rows.nth(2).locator("a").inner_text()
    focused = window.find("#view tr:focus")
    expect(focused).to_contain_text(code)
    told = feed.last["rooms"]
    wait_for("an update", lambda: feed.last["rooms"] is not told or feed.last["rooms"] == told)
    expect(focused).to_contain_text(code)
    check(window.find("#view tbody tr[tabindex='0']").count() == 1, "one row is in the order of Tab")
    press(window, "End")
    expect(rows.last).to_be_focused()
    see_focus(window, "at the last row")
    press(window, "Home", "ArrowRight")
    expect(rows.first.locator("a")).to_be_focused()
    press(window, "ArrowLeft")
    expect(rows.first).to_be_focused()
    # The filter, and from it back to the rows.
    press(window, "/")
    expect(window.find(".filter")).to_be_focused()
    window.page.keyboard.type(code)
    expect(rows).to_have_count(1)
    press(window, "Escape")
    expect(rows.first).to_be_focused()


def go_into_a_room_and_back(window, feed):
    press(window, "Enter")
    expect(window.find(".members tbody tr").first).to_be_visible()
    expect(window.find("#view")).to_be_focused()
    press(window, "ArrowDown")
    expect(window.find(".members tr:focus")).to_have_count(1)
    press(window, "Enter")
    expect(window.find(".members tr.is-chosen")).to_have_count(1)
    # The menu of the row's acts.
    press(window, "ArrowRight", "ArrowRight")
    expect(window.find(".members td.tools button:focus")).to_have_count(1)
    press(window, "Enter")
    expect(window.find(".menu button").first).to_be_focused()
    press(window, "Escape")
    expect(window.find(".menu")).to_have_count(0)
    expect(window.find(".members td.tools button:focus")).to_have_count(1)
    scrub(window, feed)
    press(window, "Escape", "Escape")
    expect(window.find("#nav a[data-view=rooms]")).to_have_attribute("aria-current", "page")
    check("/room/" not in window.page.url, window.page.url)


def scrub(window, feed):
    """A game of the room, and a moment in it, by keys."""
    window.page.goto(f"{feed.origin}/#/room/{feed.server.rooms[0]['id']}")
    games = window.find(".games")
    expect(games.locator("option")).to_have_count(4)
    games.focus()
    press(window, "ArrowDown")
    if window.find(".map-badge").inner_text() != "RECORDED":
        press(window, "Enter")
    expect(window.find(".map-badge")).to_have_text("RECORDED")
    range_ = window.find(".scrubber input")
    range_.focus()
    press(window, "End")
    expect(window.find(".scrub-time")).to_have_text(re.compile(r"^(\d:\d\d) / \1$"))
    press(window, "Home", "ArrowRight")
    see_focus(window, "on the scrubber")


def act(window, feed):
    """An act from a row, with its dialog: Esc gives it up, and the focus comes back."""
    go_by_keys(window, "schools")
    expect(window.find(".race li")).to_have_count(50)
    press(window, "ArrowDown", "ArrowDown", "ArrowRight")
    more = window.find(".race li button:focus")
    expect(more).to_have_count(1)
    name = window.find(".race li:has(button:focus) .race-name span").first.inner_text()
    press(window, "Enter")
    expect(window.find(".menu button").first).to_be_focused()
    press(window, "Enter")
    field = window.find("dialog [name=name]")
    expect(field).to_have_value(name)
    expect(window.find("dialog button[type=submit]")).to_be_disabled()
    press(window, "Escape")
    expect(window.find("dialog")).to_have_count(0)
    expect(more).to_have_count(1)
    press(window, "Enter", "Enter")
    window.page.keyboard.type(" 새이름")
    expect(window.find(".ask-changes li")).to_have_text(re.compile("^Name: .+ → .+새이름$"))
    window.picture("console-21-school")
    before = len(feed.acts)
    press(window, "Enter")
    expect(window.find("dialog")).to_have_count(0)
    sent = feed.acts[before]
    check(sent["act"] == "editSchool" and sent["name"].endswith("새이름"), f"{sent}")
    expect(window.find(".race li", has_text="새이름")).to_have_count(1)
    close_a_school(window, feed)
    # The acts on the whole server.
    press(window, "Escape", "t")
    expect(window.find("#announce")).to_be_focused()
    press(window, "Enter")
    expect(window.find("dialog [name=text]")).to_be_focused()
    press(window, "Escape")
    expect(window.find("#announce")).to_be_focused()


def close_a_school(window, feed):
    before = len(feed.acts)
    press(window, "Enter", "ArrowDown", "Enter")
    expect(window.find("dialog .ask-details")).to_contain_text("open → closed")
    expect(window.find("dialog .ask-buttons button", has_text="Cancel")).to_be_focused()
    window.find("dialog button[type=submit]").focus()
    press(window, "Enter")
    wait_for("the act", lambda: len(feed.acts) == before + 1)
    sent = {name: value for name, value in feed.acts[-1].items() if name not in ("id", "school")}
    check(sent == {"act": "editSchool", "closed": True}, f"{sent}")
    expect(window.find(".race li .tag:visible")).to_have_text("closed")


def move_maps(window, feed):
    go_by_keys(window, "places")
    canvas = window.find(".places canvas")
    press(window, "Tab")
    for _ in range(12):
        if canvas.evaluate("(canvas) => canvas === document.activeElement"):
            break
        press(window, "Tab")
    expect(canvas).to_be_focused()
    watched = len(feed.watched)
    press(window, "ArrowLeft", "+")
    wait_for("another part of the map", lambda: len(feed.watched) > watched)
    press(window, "Home")


def walk_the_wall(window):
    go_by_keys(window, "wall")
    tiles = window.find(".wall-tile")
    expect(tiles.first).to_be_visible()
    press(window, "ArrowDown")
    expect(window.find(".wall-tile:focus")).to_have_count(1)
    press(window, "Home", "ArrowRight")
    expect(tiles.nth(1)).to_be_focused()
    press(window, "ArrowLeft", "ArrowDown")
    check(window.find(".wall-tile:focus").evaluate("(tile) => [...tile.parentElement.children].indexOf(tile)") >= 1, "down a row")
    code = window.find(".wall-tile:focus .code").inner_text()
    press(window, "Enter")
    expect(window.find(".room h1")).to_have_text(code)


def tab_through(window):
    """Tab leads on from the views to the content, and what has the focus is always seen."""
    go_by_keys(window, "overview")
    press(window, "v")
    expect(window.find("#nav a[aria-current]")).to_be_focused()
    seen = set()
    for _ in range(40):
        press(window, "Tab")
        see_focus(window, "in the order of Tab")
        seen.add(window.page.evaluate("document.activeElement.closest('#view, #nav, .top') ?.id ?? ''"))
    check("view" in seen, f"Tab leads to the view: {seen}")


def korean_keyboard(browser, feed):
    """A keyboard that types Hangul has the same keys."""
    window = open_console(browser, feed.origin, "the console by Korean keys", DESKTOP, KOREAN)
    dispatch = "([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true }))"
    for key, code in (("ㅎ", "KeyG"), ("ㄱ", "KeyR")):
        window.page.evaluate(dispatch, [key, code])
    expect(window.find("h1")).to_have_text("방")
