"""Tables that are updated while somebody works in them: a press hits the row that it began on, the focus stays, no row
moves without need, and the sort mark fits the order."""
from playwright.sync_api import expect

from browser import check
from console_window import go, wait_for

COUNT_MOVES = """
(body) => {
  window.moves = 0;
  new MutationObserver((all) => (moves += all.flatMap(({ addedNodes }) => [...addedNodes]).length)).observe(body, { childList: true });
}
"""


def work_in_tables(window, feed):
    go(window, "connections")
    rows = window.find("#view tbody tr")
    expect(rows).to_have_count(50)
    ordered = sorted(feed.server.connections, key=lambda row: -row["unsentBytes"])[:50]
    last, middle = ordered[-1], ordered[25]
    button = window.find("#view tbody tr", has_text=middle["player"][:8]).locator("td.tools button")
    button.focus()
    window.find("#view tbody").evaluate(COUNT_MOVES)
    highest = ordered[0]["unsentBytes"]
    last["unsentBytes"] = highest + 1_000
    expect(rows.first).to_contain_text(last["player"][:8])
    expect(button).to_be_focused()
    moved = window.page.evaluate("moves")
    check(moved == 1, f"one row is another's neighbour, and {moved} were moved")
    # The focused row keeps its place: the others move around it.
    middle["unsentBytes"] = highest + 2_000
    expect(rows.first).to_contain_text(middle["player"][:8])
    expect(button).to_be_focused()
    press_during_an_update(window, feed, button, middle, highest)
    see_the_mark_change(window, feed)


def press_during_an_update(window, feed, button, pressed, highest):
    rows = window.find("#view tbody tr")
    button.hover()
    window.page.mouse.down()
    told = feed.last["connections"]
    pressed["unsentBytes"] = highest + 500
    wait_for("an update", lambda: feed.last["connections"] is not told)
    # Time for the page to show the update, which must not move the row under the press.
    window.page.wait_for_timeout(300)
    window.page.mouse.up()
    window.see(".menu")
    window.page.keyboard.press("Escape")
    expect(rows.nth(1)).to_contain_text(pressed["player"][:8])


def see_the_mark_change(window, feed):
    expect(window.find("th[aria-sort=descending]")).to_contain_text("Queue")
    feed.holds_lists = True
    watched = len(feed.watched)
    window.page.click("th button:has-text('Nickname')")
    wait_for("the wish", lambda: len(feed.watched) > watched)
    # Time in which the mark must stay, for no list has come.
    window.page.wait_for_timeout(300)
    expect(window.find("th[aria-sort]")).to_contain_text("Queue", timeout=1_000)
    feed.holds_lists = False
    expect(window.find("th[aria-sort=ascending]")).to_contain_text("Nickname")
