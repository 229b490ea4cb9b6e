"""Late messages for a view that was left: the view stays closed."""
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

COUNT_LISTENERS = """
() => {
  const { addEventListener, removeEventListener } = MediaQueryList.prototype;
  window.listening = 0;
  MediaQueryList.prototype.addEventListener = function (...all) { listening += 1; addEventListener.apply(this, all); };
  MediaQueryList.prototype.removeEventListener = function (...all) { listening -= 1; removeEventListener.apply(this, all); };
}
"""

# Holds the events of new addresses while the page has `holdsAddresses`.
HOLD_ADDRESSES = "addEventListener('hashchange', (event) => window.holdsAddresses && event.stopImmediatePropagation())"


def leave_nothing_behind(window, feed):
    """Views have their listeners only while they are shown."""
    go(window, "audit")
    window.page.evaluate(COUNT_LISTENERS)
    for _ in range(2):
        for place, most in (("overview", 9), ("suspects", 1)):
            go(window, place)
            check(window.page.evaluate("listening") == most, f"{place} listens to colours")
        window.page.evaluate(f"location.hash = '#/room/{feed.server.rooms[0]['id']}'")
        expect(window.find(".members tbody tr").first).to_be_visible()
        check(window.page.evaluate("listening") == 1, "a room listens to colours")
        go(window, "audit")
        check(window.page.evaluate("listening") == 0, "who was left listens no more")
    window.page.reload()


def choose_while_the_map_settles(window, feed):
    """A view that is chosen is shown, though the map that is left writes its part of the Earth into the address."""
    window.page.add_init_script(HOLD_ADDRESSES)
    window.page.reload()
    go(window, "places")
    expect(window.find(".map-tools")).to_be_visible()
    window.page.evaluate("window.holdsAddresses = true")
    window.page.click("#nav a[data-view=reports]")
    asked = len(feed.watched)
    window.page.click(".map-tools button >> nth=0")
    wait_for("the map to settle", lambda: len(feed.watched) > asked)
    check(window.page.url.endswith("#/reports"), f"the address is the one that was chosen: {window.page.url}")
    window.page.evaluate("window.holdsAddresses = false; dispatchEvent(new HashChangeEvent('hashchange'))")
    expect(window.find("#nav a[data-view=reports]")).to_have_attribute("aria-current", "page")


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
    # Half a second in which nothing may happen.
    drawn = window.page.evaluate(COUNT_FRAMES)
    check(drawn == 0, f"nothing is drawn for a view that was left, not {drawn} times")
    check(window.page.url.endswith("#/audit"), f"the address is the audit log's: {window.page.url}")
    feed.slow_tracks_s = 0


def hear_news_once(window, feed):
    """The page shows a log entry once over all reconnects, and the entries of another start as new ones."""
    lines = window.find(".news li:not(.hint)")

    def cut_and_come_back():
        told = len(feed.watched)
        feed.cut()
        retry = "dispatchEvent(new Event('online'))"
        wait_for("the page to watch on", lambda: window.page.evaluate(retry) or len(feed.watched) > told)

    def texts():
        return [line.split("\n")[-1] for line in lines.all_inner_texts()]

    go(window, "overview")
    for start in ("one", "two"):
        had = lines.count()
        for item in ("a", "a", "b"):
            feed.server.say("notice", f"{start} {item}")
        expect(lines).to_have_count(had + 3)
        check(texts()[:3] == [f"{start} {item}" for item in "baa"], f"the newest first: {texts()}")
        cut_and_come_back()
        feed.server.say("notice", f"{start} c")
        expect(lines.first).to_contain_text(f"{start} c")
        expect(lines).to_have_count(had + 4)
        # Another start numbers from 1 again.
        feed.server.start_anew()
        cut_and_come_back()
    # The same from a server whose entries have no numbers yet.
    feed.numbers_news = False
    cut_and_come_back()
    had = lines.count()
    feed.server.say("notice", "three a")
    expect(lines).to_have_count(had + 1)
    cut_and_come_back()
    feed.server.say("notice", "three b")
    expect(lines.first).to_contain_text("three b")
    expect(lines).to_have_count(had + 2)
    feed.numbers_news = True
    cut_and_come_back()
    window.forget("ERR_CONNECTION", "WebSocket connection")
