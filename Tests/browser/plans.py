"""Travel plans in the browser: one is made and put in order, edited where another device was first, shared by a post, and
taken over by another player with its dates moved."""
import json

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import wait_for
from page_checks import check_readable
from stories import check_fits, come_in, open_card

# The days of the plan, and its stops: day, title, text, latitude and longitude.
FIRST, LAST = "2026-12-24", "2026-12-26"
STOPS = (
    (1, "황금 <b>해변</b>", "해 지기 전에\n맨발로", "11", "122.9"),
    (1, "시장", "", "11.02", "122.93"),
    (2, "쉬는 날", "늦잠", "", ""),
)


def titles(window):
    return window.find(".stop .name span").all_inner_texts()


def day(window, number):
    return window.find(".day").nth(number - 1)


def add_stop(window, number, title, text, latitude, longitude):
    day(window, number).locator(".add").click()
    window.page.fill("#stop-name", title)
    window.page.fill("#stop-text", text)
    window.page.fill("#stop-lat", latitude)
    window.page.fill("#stop-lng", longitude)
    check_readable(window, "the dialog of a stop")
    window.picture("plans-2-stop-" + window.name.replace(" ", "-"))
    window.page.click("#stop-send")
    expect(window.find("#stop")).to_be_hidden()
    expect(window.find(".stop", has_text=title)).to_have_count(1)


def plan_share_and_take_over(browser, origin):
    author = browser.window("the author", PHONE, KOREAN)
    taker = browser.window("the taker", DESKTOP, ENGLISH, DARK)
    wishes = Lateness(author)
    come_in(author, origin, "보람")
    author.page.click(".sections a[data-section=plans]")
    author.see("#plans-none")
    author.page.fill("#plan-name", "겨울 바다")
    author.page.fill("#plan-first", FIRST)
    author.page.fill("#plan-last", LAST)
    check_fits(author)
    author.picture("plans-1-list-phone")
    author.page.click("#plan-make")
    author.see("#plan-whole")
    expect(author.find(".day")).to_have_count(3)
    for stop in STOPS:
        add_stop(author, *stop)
    check(author.find(".stop b b").count() == 0, "a title is text")
    check_fits(author)
    check_readable(author, "a plan")
    author.picture("plans-3-plan-phone")
    put_in_order(author)
    set_by_the_map(author)
    edit_behind_another(author, wishes)
    share(author)
    report(browser, origin)
    take_over(author, taker, origin)


def put_in_order(window):
    """By buttons within a day and into the next one, and by dragging."""
    window.find(".stop", has_text="시장").locator("[data-act=up]").click()
    wait_for("the market to be the first", lambda: titles(window)[0] == "시장")
    window.find(".stop", has_text="해변").locator("[data-act=down]").click()
    expect(day(window, 2).locator(".stop")).to_have_count(2)
    expect(day(window, 2).locator(".stop").first).to_contain_text("해변")
    window.page.drag_and_drop(".stop:has-text('쉬는 날')", ".stop:has-text('시장')")
    expect(day(window, 1).locator(".stop")).to_have_count(2)
    wait_for("the day of rest to be the first", lambda: titles(window)[0] == "쉬는 날")
    window.page.reload()
    window.see("#plan-whole")
    check(titles(window) == ["쉬는 날", "시장", STOPS[0][1]], f"the order is the server's too: {titles(window)}")
    # Each day has its own map.
    window.find("#plan-days button").nth(1).click()
    expect(window.find(".stop")).to_have_count(2)
    window.find("#plan-days button").first.click()
    expect(window.find(".stop")).to_have_count(3)


def set_by_the_map(window):
    """A tap on the small map sets the place of a stop."""
    window.find(".stop", has_text="쉬는 날").locator("[data-act=edit]").click()
    expect(window.find("#stop-lat")).to_have_value("")
    window.page.click("#stop-ground", position={"x": 60, "y": 100})
    expect(window.find("#stop-lat")).not_to_have_value("")
    window.page.click("#stop-send")
    expect(window.find("#stop")).to_be_hidden()
    expect(window.find(".stop", has_text="쉬는 날").locator(".hint")).to_contain_text("°")


class Lateness:
    """Has a window's next edit name an older version, as that of another device would."""

    def __init__(self, window):
        self.is_next = False
        window.page.route_web_socket("**/v1/play", self.connect)

    def connect(self, line):
        server = line.connect_to_server()

        def ask(text):
            message = json.loads(text)
            kind = next((kind for kind in ("editPlan", "moveStop") if kind in message), None)
            if kind and self.is_next:
                self.is_next = False
                message[kind]["version"] = 1
            server.send(json.dumps(message))

        line.on_message(ask)


def edit_behind_another(window, wishes):
    """A stale edit changes nothing, is told kindly, keeps what was typed, and is done when it is sent again."""
    wishes.is_next = True
    window.page.click("#plan-edit")
    window.page.fill("#dates-name", "새해 바다")
    window.page.fill("#dates-first", "2026-12-31")
    window.page.fill("#dates-last", "2027-01-02")
    window.page.click("#dates-send")
    expect(window.find("#dates-fault")).to_contain_text("다른 곳에서 먼저 고쳐서")
    expect(window.find("#dates-name")).to_have_value("새해 바다")
    expect(window.find("#plan-title")).to_have_text("겨울 바다")
    window.picture("plans-4-stale-phone")
    window.page.click("#dates-send")
    expect(window.find("#plan-title")).to_have_text("새해 바다")
    # The stops went along with the first day.
    expect(day(window, 1).locator(".stop")).to_have_count(2)
    wishes.is_next = True
    before = titles(window)
    window.find(".stop").first.locator("[data-act=down]").click()
    expect(window.find(".toast", has_text="다른 곳에서 먼저 고쳐서")).to_be_visible()
    check(titles(window) == before, "a stale move moves nothing")


def share(window):
    window.page.click("#plan-share")
    window.see("#write-plan")
    window.page.fill("#write-name", "같이 가요")
    window.page.fill("#write-text", "내 계획을 나눠요 #계획")
    window.page.click("#write-send")
    window.see("#post-plan")


def report(browser, origin):
    """A plan that a player reports is gone for them, at once and for good; its author and others have it still."""
    reporter = browser.window("who reports", PHONE, KOREAN, DARK)
    come_in(reporter, origin, "알리는 이")
    open_card(reporter, "같이 가요")
    reporter.page.click("#post-plan-link")
    reporter.see("#plan-take")
    check_fits(reporter)
    reporter.picture("plans-5-before-report-phone-dark")
    reporter.page.click("#plan-report")
    reporter.page.check("#report-reasons [value=COPYRIGHT]")
    check_readable(reporter, "the dialog of a report")
    reporter.picture("plans-5-report-phone-dark")
    reporter.page.click("#report-send")
    reporter.see("#plan-gone")
    expect(reporter.find("#plan-whole")).to_be_hidden()
    reporter.page.reload()
    reporter.see("#plan-gone")
    check_readable(reporter, "a plan that is gone")
    reporter.picture("plans-5-reported-phone-dark")


def take_over(author, taker, origin):
    come_in(taker, origin, "Taker")
    open_card(taker, "같이 가요")
    taker.page.click("#post-plan-link")
    taker.see("#plan-take")
    expect(taker.find("#plan-own")).to_be_hidden()
    expect(taker.find("#plan-report")).to_be_visible()
    expect(taker.find(".stop")).to_have_count(3)
    taker.picture("plans-5-shared-desktop")
    taker.page.fill("#take-date", "2027-05-01")
    taker.page.click("#take-button")
    expect(taker.find("#plan-meta")).to_contain_text("From a plan of 보람")
    expect(taker.find("#plan-meta")).to_contain_text("May 1")
    expect(taker.find(".stop")).to_have_count(3)
    check_readable(taker, "a plan that was taken over")
    taker.picture("plans-6-taken-desktop")
    author.page.click("#post-plan-link")
    expect(author.find("#plan-meta")).to_contain_text("1명이 가져갔어요")
    author.page.click("#plan-delete")
    author.page.click("#plan-delete")
    author.see("#plans-none")
    # The copy stays, without its source.
    taker.page.reload()
    taker.see("#plan-own")
    expect(taker.find("#plan-meta a", has_text="From a plan")).to_have_count(0)
    taker.page.click(".sections a[data-section=plans]")
    expect(taker.find("#plans-list li")).to_have_count(1)
    check_readable(taker, "the list of plans")
    taker.picture("plans-7-list-desktop")
