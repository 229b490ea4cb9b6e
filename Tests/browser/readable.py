"""Pages that are read in the sun and used with one thumb: contrast of texts, sizes of texts and of controls, and no motion
for who asked for none."""
from playwright.sync_api import expect

from browser import DARK, ENGLISH, KOREAN, PHONE
from page_checks import check_readable
from rooms import join, make_room

SMALL = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
STILL = {"reduced_motion": "reduce"}


def play_readably(browser, origin):
    """Each view of a game, light and dark, in both languages, on phones' sizes."""
    host = browser.window("the host in the sun", PHONE, KOREAN)
    guest = browser.window("the guest at night", SMALL, ENGLISH, DARK, STILL)
    symbols = make_room(host, origin, "TERRITORY", 60, "다솜")
    guest.page.goto(f"{origin}/j/{symbols}")
    guest.see("#enter")
    check_readable(guest, "the entrance")
    join(guest, f"{origin}/j/{symbols}", "Robin")
    check_readable(host, "the lobby")
    check_readable(guest, "the lobby")
    host.page.click("#start")
    for window in (host, guest):
        window.see("#ground")
        window.see("#sound")
        expect(window.find("#standings li")).to_have_count(2)
        check_readable(window, "the game")
        window.picture(f"readable-game-{window.name.split()[-1]}")
    check_switch(host)
    for window in (host, guest):
        window.see("#result", within_s=90)
        check_readable(window, "the result")
        window.picture(f"readable-result-{window.name.split()[-1]}")
    expect(guest.find(".shower")).to_be_hidden()


def check_switch(window):
    """Sound is on, is turned off, and stays so over a reload."""
    expect(window.find("#sound")).to_have_attribute("aria-pressed", "true")
    window.page.click("#sound")
    expect(window.find("#sound")).to_have_attribute("aria-pressed", "false")
    window.page.reload()
    window.see("#sound")
    expect(window.find("#sound")).to_have_attribute("aria-pressed", "false")
