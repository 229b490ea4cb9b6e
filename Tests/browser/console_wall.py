"""The wall of the operators' console: the busiest game large and live, the others as tiles."""
from playwright.sync_api import expect

from browser import check
from console_window import go, wait_for


def see_the_wall(window, feed):
    before = len(feed.open)
    go(window, "wall")
    expect(window.find(".wall-tile")).to_have_count(199)
    large = window.find(".wall-large")
    # All others are on further pages, and the large room stays with them.
    expect(window.find(".wall .pager")).to_contain_text(f"1–200 of {len(feed.server.rooms):,}")
    expect(large.locator("h2")).not_to_be_empty()
    first, busy = window.find(".wall-tile a").first.inner_text(), large.locator("h2").inner_text()
    window.find(".wall .pager button").last.click()
    expect(window.find(".wall .pager")).to_contain_text("201–400 of")
    expect(window.find(".wall-tile")).to_have_count(200)
    check(first not in window.find(".wall-tiles").inner_text(), "the second page has other rooms")
    expect(large.locator("h2")).to_have_text(busy)
    window.find(".wall .pager button").first.click()
    expect(window.find(".wall-tile")).to_have_count(199)
    expect(large.locator(".wall-standings li").first).to_be_visible()
    code = large.locator("h2").inner_text()
    room = next(room for room in feed.server.rooms if room.get("code") == code)
    check(room["phase"] == "PLAYING", f"a game that is on is large: {room}")
    check(code not in window.find(".wall-tiles").inner_text(), "the large room is no tile")
    check(len(feed.open) == before + 1, "the large room comes by a connection of its own")
    steps = feed.server.room(room["id"]).steps
    wait_for("further ticks", lambda: feed.server.room(room["id"]).steps >= steps + 5)
    window.picture("console-18-wall")
    tile = window.find(".wall-tile a").first
    other = tile.inner_text()
    tile.click()
    expect(window.find(".room h1")).to_have_text(other)
    wait_for("the end of its connection", lambda: len(feed.open) == before)
    go(window, "overview")
