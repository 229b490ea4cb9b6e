"""A player in the browser whose nickname the operator's list of words has."""
import signal

from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, PHONE
from console_window import wait_for
from stories import check_fits, come_in


def be_asked_for_another_nickname(browser, server, words):
    """A known player whose nickname is listed is told, and changes it; a new one chooses another before they are in."""
    origin = f"http://{server.address}"
    known = browser.window("who was there before", PHONE, KOREAN)
    come_in(known, origin, "나쁜말")
    expect(known.find(".announcement")).to_have_count(0)
    words.write_text("나쁜말\nbad\n")
    server.signal(signal.SIGHUP)
    wait_for("the list to be read again", lambda: server.said("list of words read again"))

    new = browser.window("who is new", DESKTOP, ENGLISH)
    new.page.goto(f"{origin}/stories")
    new.page.fill("#nickname", "b a d")
    new.page.click("#enter-button")
    expect(new.find("#enter-fault")).to_have_text("It has a word that can't be used here")
    new.page.fill("#nickname", "badge")
    new.page.click("#enter-button")
    expect(new.find("#feed")).to_be_visible()

    known.page.reload()
    expect(known.find(".announcement")).to_contain_text("별명 ‘나쁜말’에 쓸 수 없는 말이 있어요")
    check_fits(known)
    known.picture("stories-9-nickname-phone")
    # A room is made with another nickname alone.
    known.page.goto(f"{origin}/")
    known.page.fill("#nickname", "나쁜말")
    known.page.click("#make")
    expect(known.find("#make-fault")).to_have_text("쓸 수 없는 말이 있어요")
    known.page.goto(f"{origin}/stories")
    known.find(".announcement a").click()
    known.page.click("#profile-edit-open")
    known.page.fill("#edit-nickname", "나쁜말이다")
    known.page.click("#edit-send")
    expect(known.find("#edit-fault")).to_have_text("쓸 수 없는 말이 있어요")
    known.page.fill("#edit-nickname", "좋은말")
    known.page.click("#edit-send")
    expect(known.find("#profile-name")).to_have_text("좋은말")
    known.page.reload()
    expect(known.find("#profile-name")).to_have_text("좋은말")
    expect(known.find(".announcement")).to_have_count(0)
