"""What comes too late for who has gone on: a view that was left stays left, whatever was on its way to it."""
import time

from playwright.sync_api import expect

from browser import check
from console_window import go, wait_for

COUNT_FRAMES = """
() => new Promise((resolve) => {
  const real = window.requestAnimationFrame;
  let count = 0;
  window.requestAnimationFrame = (act) => { count += 1; return real(act); };
  setTimeout(() => { window.requestAnimationFrame = real; resolve(count); }, 500);
})
"""


def leave_a_room(window, feed):
    """A recording that arrives after its view was left neither takes the address nor draws."""
    room = feed.server.rooms[0]
    feed.slow_tracks_s = 1
    window.page.goto(f"{feed.origin}/#/room/{room['id']}")
    expect(window.find(".games option")).to_have_count(4)
    window.page.evaluate("performance.clearResourceTimings()")
    window.page.select_option(".games", f"{room['id']}-2")
    go(window, "audit")
    arrived = "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/track'))"
    wait_for("the track", lambda: window.page.evaluate(arrived))
    time.sleep(0.3)
    check(window.page.url.endswith("#/audit"), f"the address is the audit log's: {window.page.url}")
    drawn = window.page.evaluate(COUNT_FRAMES)
    check(drawn == 0, f"nothing is drawn for a view that was left, not {drawn} times")
    feed.slow_tracks_s = 0
