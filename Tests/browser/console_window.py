"""Shared steps of the operators' console tests: open it, go from view to view, confirm a dialog."""
import time

from playwright.sync_api import expect

from browser import WITHIN_S, check

VIEWS = [
    "overview", "rooms", "schools", "suspects", "connections", "sanctions", "proposals", "places", "reports", "audit",
    "operators", "webhooks", "playerSearch", "wall",
]
FRAMES = """
(seconds) => new Promise((resolve) => {
  const gaps = [];
  let last = performance.now();
  const begun = last;
  const next = (time) => {
    gaps.push(time - last);
    last = time;
    if (time - begun < seconds * 1000) requestAnimationFrame(next);
    else resolve(gaps.slice(1).sort((a, b) => a - b));
  };
  requestAnimationFrame(next);
})
"""


def figures(text):
    return int("".join(filter(str.isdecimal, text)) or 0)


def open_console(browser, origin, name, *settings, at=""):
    window = browser.window(name, *settings)
    window.page.goto(f"{origin}/{at}" if at else origin)
    expect(window.find("#feed-state")).to_have_attribute("data-state", "open")
    return window


def go(window, place):
    window.page.click(f"#nav a[data-view={place}]")
    expect(window.find(f"#nav a[data-view={place}]")).to_have_attribute("aria-current", "page")


def go_through(window, feed):
    """Opens each view of the console in turn, and waits for its content; the views' names."""
    for view in VIEWS:
        go(window, view)
        settle(window, view)
        yield view
    window.page.goto(f"{feed.origin}/#/room/{feed.server.rooms[0]['id']}")
    expect(window.find(".members tbody tr").first).to_be_visible()
    settle(window, "room")
    yield "room"


def settle(window, view):
    window.see("#view h1")
    shown = {"schools": ".race li", "wall": ".wall-tile", "playerSearch": "#view input"}.get(view, "#view tbody tr")
    # Nobody may be barred or banned.
    if view != "sanctions":
        expect(window.find(shown).first).to_be_visible()


def wait_for(what, holds, seconds=WITHIN_S):
    until = time.monotonic() + seconds
    while not holds():
        check(time.monotonic() < until, f"in vain waited for: {what}")
        time.sleep(0.02)


def fill_dialog(window, fill=(), picture=None, typed=None):
    """Fills the open dialog; returns its button."""
    window.see("dialog.ask")
    if picture:
        window.picture(picture)
    for name, value in fill:
        field = window.find(f"dialog [name={name}]")
        if field.evaluate("(field) => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    button = window.find("dialog .ask-buttons button[type=submit]")
    if typed:
        expect(button).to_be_disabled()
        window.page.fill("dialog [name=typed]", "something else")
        window.page.press("dialog [name=typed]", "Enter")
        expect(button).to_be_disabled()
        window.page.fill("dialog [name=typed]", typed)
    return button


def confirm(window, feed, expected, fill=(), picture=None, typed=None):
    """Confirms the open dialog: nothing was sent before, and the action is sent as expected."""
    before = len(feed.acts)
    button = fill_dialog(window, fill, picture, typed)
    check(len(feed.acts) == before, "nothing goes before it is confirmed")
    button.click()
    expect(window.find("dialog")).to_have_count(0)
    check(len(feed.acts) == before + 1, "one press, one act")
    sent = {name: value for name, value in feed.acts[-1].items() if name != "id"}
    check(sent == expected, f"sent {sent}, not {expected}")


def measure_frames(window, what, seconds=10):
    gaps = window.page.evaluate(FRAMES, seconds)
    check(len(gaps) > 10, "frames are drawn")
    late = gaps[int(len(gaps) * 0.99)]
    print(
        f"{what}: {1_000 * len(gaps) / sum(gaps):.0f} frames a second over {seconds} s,"
        f" p50 {gaps[len(gaps) // 2]:.1f} ms, p99 {late:.1f} ms between two",
        flush=True,
    )
