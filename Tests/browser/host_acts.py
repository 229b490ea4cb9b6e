"""The host of a room in the browser: removes players, in the lobby and in a game, and locks the room."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, check
from page_checks import check_readable
from rooms import join, make_room

SMALLEST = {"viewport": {"width": 320, "height": 568}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}


def fits(window, what):
    """Nothing is wider than the screen."""
    # A phone's own inner width grows with what is too wide.
    width = window.page.evaluate("document.documentElement.scrollWidth") - window.page.viewport_size["width"]
    check(width <= 0, f"{what} is {width} pixels too wide")


def remove_and_lock(browser, origin):
    host = browser.window("the host", SMALLEST, KOREAN)
    guest = browser.window("the guest", DESKTOP, ENGLISH, DARK)
    third = browser.window("the third", DESKTOP, ENGLISH)
    symbols = make_room(host, origin, "FOOTPRINT", 300, "가람")
    address = f"{origin}/j/{symbols}"
    join(guest, address, "Jimin")
    # The first screen has the QR and the start; the big screen is one tap away.
    host.page.evaluate("scrollTo(0, 0)")
    for selector in ("#lobby-qr", "#start"):
        expect(host.find(selector)).to_be_in_viewport(ratio=1)
    expect(host.find("#big-screen")).to_be_visible()
    host.picture("host-acts-0-lobby-small")

    # In the lobby: the guest sees why, and can't come back.
    expect(guest.find("#lock")).to_be_hidden()
    host.find("#lobby-players .more").click()
    host.see(".player-sheet")
    host.page.get_by_role("button", name="방에서 내보내기").click()
    expect(host.page.get_by_role("button", name="Jimin 님 내보내기")).to_be_focused()
    check_readable(host, "a removal")
    host.picture("host-acts-1-confirm-small")
    host.page.get_by_role("button", name="Jimin 님 내보내기").click()
    guest.see("#notice")
    expect(guest.find("#notice-title")).to_have_text("The host has removed you")
    guest.picture("host-acts-2-removed-dark")
    expect(host.find("#lobby-players li")).to_have_count(1)
    guest.page.goto(address)
    guest.see("#enter")
    guest.page.click("#enter-button")
    guest.see("#notice")
    expect(guest.find("#notice-title")).to_have_text("You can't come into this room")

    # A locked room says so before a tap, and behind it.
    host.page.click("#lock")
    host.see("#lobby-locked")
    fits(host, "the lobby")
    host.picture("host-acts-3-locked-small")
    third.page.goto(address)
    third.see("#enter")
    expect(third.find(".invitation-now")).to_contain_text("The host has locked the room")
    check_readable(third, "the invitation into a locked room")
    third.picture("host-acts-4-locked-invitation")
    third.page.fill("#nickname", "Third")
    third.page.click("#enter-button")
    third.see("#notice")
    expect(third.find("#notice-title")).to_have_text("This room is locked")
    check_readable(third, "the notice of a locked room")
    third.picture("host-acts-5-locked")
    third.page.click("#notice-go")
    expect(third.find("#notice-title")).to_have_text("This room is locked")
    host.page.click("#lock")
    expect(host.find("#lobby-locked")).to_be_hidden()
    third.page.click("#notice-go")
    third.see("#lobby")
    expect(host.find("#lobby-players li")).to_have_count(2)

    # In a game: the list of everybody leads to the same sheet, and has the lock.
    host.page.click("#start")
    host.see("#ground")
    third.see("#ground")
    host.page.click("#chat-open")
    host.page.click("#chat-people")
    host.see(".people-sheet")
    expect(host.find(".people-sheet .people li")).to_have_count(2)
    host.page.get_by_role("button", name="방 잠그기").click()
    expect(host.page.get_by_role("button", name="방 열기")).to_be_visible()
    check_readable(host, "the list of everybody")
    host.picture("host-acts-6-people-small")
    third.page.click("#chat-people")
    third.see(".people-sheet")
    expect(third.find(".people-sheet")).to_contain_text("The room is locked")
    expect(third.page.get_by_role("button", name="Open the room")).to_have_count(0)
    host.find(".people-sheet .more").click()
    host.see(".player-sheet")
    host.page.get_by_role("button", name="방에서 내보내기").click()
    host.page.get_by_role("button", name="Third 님 내보내기").click()
    third.see("#notice")
    expect(third.find("#notice-title")).to_have_text("The host has removed you")
    # Nobody is left to play against, and both are on the board.
    host.page.keyboard.press("Escape")
    host.see("#result")
    expect(host.find("#board li")).to_have_count(2)
