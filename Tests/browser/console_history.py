"""The console's last 24 hours, and the ways from a warning, an alert and an address to what it is about."""
import pathlib
import re

from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, check
from console_window import open_console, wait_for

ROOT = pathlib.Path(__file__).parents[2]
# The columns of a chart's drawing in which a line is, as a text of 0 and 1: the grid has lines of its own everywhere.
COLUMNS = """
(canvas) => {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height * 0.85);
  let drawn = '';
  for (let x = 60; x < width - 10; x += 1) {
    let filled = 0;
    for (let y = 4; y < height * 0.85; y += 1) filled += data[4 * (Math.floor(y) * width + x) + 3] > 0;
    drawn += filled > height * 0.2 ? 1 : 0;
  }
  return drawn;
}
"""


def look_at_a_day(browser, feed):
    window = open_console(browser, feed.origin, "the console's day", DESKTOP, ENGLISH)
    see_the_day(window, feed)
    read_the_table(window, feed)
    choose_a_moment(window)
    keep_up(window, feed)
    follow_warnings(window, feed)
    follow_alerts(window, feed)
    check(not feed.breaches, f"{feed.breaches}")


def see_the_day(window, feed):
    asked = feed.minutes_asked
    expect(window.find(".chart-players .figure b").first).to_have_text(re.compile(r"\d,\d{3}"))
    check(feed.minutes_asked == asked, "nothing is asked before it is needed")
    window.page.select_option(".view-head select", "1440")
    wait_for("the minutes", lambda: feed.minutes_asked == asked + 1)
    wait_for("the day", lambda: gaps(window, ".chart-players canvas") == 1)
    expect(window.find(".charts .chart")).to_have_count(9)
    check(gaps(window, ".chart-memory canvas") == 1, "the hours without a server are a gap")
    window.picture("console-19-day")
    check(window.page.url.endswith("#/overview?span=1440"), window.page.url)
    window.page.reload()
    expect(window.find(".view-head select")).to_have_value("1440")
    wait_for("the day again", lambda: gaps(window, ".chart-players canvas") == 1)
    window.page.select_option(".view-head select", "60")
    wait_for("the hour", lambda: gaps(window, ".chart-players canvas") == 0)
    window.page.select_option(".view-head select", "1440")


def gaps(window, chart):
    """The number of gaps of more than a few pixels between drawn parts of a chart."""
    drawn = window.find(chart).evaluate(COLUMNS).strip("0")
    return len([gap for gap in re.findall("0+", drawn) if len(gap) > 12]) if drawn else None


def read_the_table(window, feed):
    """The charts are a table too: twelve moments, and dashes where the server was not there."""
    table = window.find(".figures-table")
    expect(table.locator("tbody tr")).to_have_count(0)
    table.locator("summary").focus()
    window.page.keyboard.press("Enter")
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(12)
    heads = table.locator("th").all_inner_texts()
    check(heads[:4] == ["At", "Players", "Players, Connections", "Messages, out"], f"{heads}")
    texts = [row.locator("td").nth(1).inner_text() for row in rows.all()]
    check(texts.count("–") == 1, f"two hours of twelve are missing: {texts}")
    minutes = feed.server.minutes()
    told = int(texts[2].replace(",", ""))
    check(min(abs(told - minute["players"]) for minute in minutes[-260:-220]) < 200, f"four hours ago: {texts}")
    window.page.keyboard.press("Enter")
    expect(rows.first).to_be_hidden()


def choose_a_moment(window):
    """Arrows choose a moment, all charts show it, and it is told."""
    canvas = window.find(".chart-players canvas")
    canvas.focus()
    expect(canvas).to_have_attribute("aria-valuetext", re.compile("^Now: "))
    for _ in range(6):
        window.page.keyboard.press("ArrowDown")
    expect(canvas).to_have_attribute("aria-valuetext", re.compile(r"\d\d:\d\d:\d\d: \d,\d{3} ?players, "))
    check(-3_700 < int(canvas.get_attribute("aria-valuenow")) < -3_400, canvas.get_attribute("aria-valuenow"))
    shown = window.find(".chart-memory canvas").get_attribute("aria-valuenow")
    check(shown == canvas.get_attribute("aria-valuenow"), "all charts show one moment")
    window.page.keyboard.press("Escape")
    expect(canvas).to_have_attribute("aria-valuetext", re.compile("^Now: "))


def keep_up(window, feed):
    """A minute that ends is added; after a lost line those that are missing are asked for."""
    asked = feed.minutes_asked
    feed.cut()
    wait_for("the missing minutes", lambda: feed.minutes_asked == asked + 1)
    check(feed.minutes_after > 0, "the known ones are not asked for again")
    expect(window.find("#feed-state")).to_have_attribute("data-state", "open")


def follow_warnings(window, feed):
    feed.server.is_failing = True
    window.page.click("#nav a[data-view=rooms]")
    window.find(".warning.bad", has_text="store is failing").click()
    expect(window.find(".chart-commits")).to_have_class(re.compile("is-led"))
    expect(window.find(".chart-commits canvas")).to_be_focused()
    feed.server.is_failing = False
    feed.server.overloaded = {1}
    warning = window.find(".warning.bad", has_text="Overloaded: shard 1")
    warning.focus()
    window.page.keyboard.press("Enter")
    row = window.find(".columns tr.is-chosen")
    expect(row.locator("td").first).to_have_text("1")
    expect(row).to_be_focused()
    expect(row).to_be_in_viewport()
    feed.server.overloaded = set()
    expect(window.find(".warning")).to_have_count(0)


def follow_alerts(window, feed):
    """The address of each alert rule opens a view, and shows the part that it names."""
    rules = (ROOT / "docs/prometheus/alerts.yml").read_text()
    alerts = set(re.findall(r"- alert: (\w+)", rules))
    addresses = re.findall(r"console: '(#/[^']+)'", rules)
    check(len(addresses) == len(alerts) - 1, "every alert but that of a server that is down has a view")
    known = (ROOT / "docs/OPERATING.md").read_text()
    rows = [line for line in known.splitlines() if line.startswith("| `Madang") and "MadangDown" not in line]
    check(all("| console: " in row for row in rows), "each row names the view")
    for address in sorted(set(addresses)):
        address = address.replace("{{ $labels.shard }}", "1")
        name, _, settings = address.removeprefix("#/").partition("?")
        window.page.goto(f"{feed.origin}/{address}")
        expect(window.find(f"#nav a[data-view={name}]")).to_have_attribute("aria-current", "page")
        if "at=" in settings:
            expect(window.find(".is-led, .columns tr.is-chosen")).to_have_count(1)
