"""A console without a connection: it says so, names a known reason, and shows nothing as live."""
import time

from playwright.sync_api import expect

from browser import check
from console_window import wait_for

SAYS_TIME = "document.querySelector('.scrub-time').textContent"


def lose_the_line(window, feed):
    room = feed.server.rooms[0]
    window.page.goto(f"{feed.origin}/#/room/{room['id']}")
    expect(window.find(".members tbody tr")).to_have_count(23)
    stand_still(window, feed)
    expect(window.find(".map-badge")).to_have_text("LIVE")
    watched = len(feed.watched)
    check(feed.watched[-1] == {"watch": "room", "room": room["id"]}, "it watches on")
    feed.is_expired = True
    feed.cut()
    window.see("#expired")
    expect(window.find("#feed-state")).to_have_text("Session expired")
    expect(window.find("#expired")).to_contain_text("madang.admin")
    window.picture("console-13-expired")
    for text in ("세션 만료", "Session expired"):
        window.page.click("#language")
        expect(window.find("#feed-state")).to_have_text(text)
        expect(window.find("#expired")).to_be_visible()
    feed.is_expired = False
    window.page.click("#expired button")
    expect(window.find("#feed-state")).to_have_attribute("data-state", "open")
    expect(window.find("#expired")).to_have_count(0)
    wait_for("the view to be told again", lambda: len(feed.watched) > watched)
    window.forget("WebSocket connection", "status of 401", "status of 503", "ERR_CONNECTION")


def stand_still(window, feed):
    """Without a line a room is not live and its clock stands; a ninth console learns that there are too many."""
    expect(window.find(".map-time")).to_contain_text("left")
    feed.is_full = True
    feed.cut()
    expect(window.find(".map-badge")).to_have_text("NO LINE")
    expect(window.find(".map-time")).to_be_empty()
    at = window.page.evaluate(SAYS_TIME)
    expect(window.find("#feed-state")).to_contain_text("Too many consoles are open")
    window.picture("console-13-lost")
    # A clock that still ran would move in real time. It shows whole seconds.
    time.sleep(1.2)
    check(window.page.evaluate(SAYS_TIME) == at, "the clock stands still")
    feed.is_full = False
    expect(window.find("#feed-state")).to_have_attribute("data-state", "open")
