"""The rules that the console keeps to, as the players' pages do: contrast and sizes of texts, names of controls, and a layout
that stays where it is while its figures change, in each view, by day and by night, in both languages."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, check
from console_window import go, go_through, wait_for
from page_checks import CONTRAST, NAMES, SHIFTS, TAKE_SHIFTS, check_shifts

STEADY_MAX = 0.02
OVERVIEWS = 3


def check_view(window, feed, view, found):
    """Judges the view, and how it stays in its place over some looks of the server."""
    window.page.evaluate(TAKE_SHIFTS)
    last = feed.overviews + OVERVIEWS
    wait_for("further looks of the server", lambda: feed.overviews >= last)
    check_shifts(window, view, STEADY_MAX)
    faults = [*window.page.evaluate(CONTRAST), *window.page.evaluate(NAMES)]
    found += [f"{view} of {window.name}: {fault}" for fault in faults]
    window.picture(f"console-checks-{view.split()[-1]}-{window.name.split()[-1]}")


def check_all(browser, feed):
    feed.server.say("warning", "shard 1 is overloaded")
    feed.server.say("error", "the disk is nearly full")
    found = []
    for name, settings in (("by day", KOREAN), ("by night", {**ENGLISH, **DARK})):
        window = browser.window(f"the console {name}", DESKTOP, settings)
        window.context.add_init_script(SHIFTS)
        window.page.goto(feed.origin)
        expect(window.find("#feed-state")).to_have_attribute("data-state", "open")
        for view in go_through(window, feed):
            check_view(window, feed, f"the view {view}", found)
        check_dialogs(window, feed, found)
    check(not found, f"{found}")


def check_dialogs(window, feed, found):
    window.page.keyboard.press("Escape")
    window.page.keyboard.press("?")
    window.see("dialog.keys")
    check_view(window, feed, "the list of keys", found)
    window.page.keyboard.press("Escape")
    for press in ("announce", "close-season", "drain"):
        window.page.click(f"#{press}")
        window.see("dialog.ask")
        check_view(window, feed, f"the dialog {press}", found)
        window.page.keyboard.press("Escape")
    go(window, "schools")
    window.page.click(".race li button >> nth=0")
    window.see(".menu")
    check_view(window, feed, "the menu of a school", found)
    window.page.keyboard.press("Escape")
    go(window, "places")
    window.page.click("#view .head-tools button >> nth=0")
    window.page.click(".menu button >> nth=0")
    window.see(".draft")
    check_view(window, feed, "a draft", found)
    window.page.keyboard.press("Escape")
    feed.server.is_failing = True
    expect(window.find(".warning.bad")).to_be_visible()
    check_view(window, feed, "a failing store", found)
    feed.server.is_failing = False
