"""A line that dies without a word, as a phone's does that changes networks: the page notices by itself, says so, and is back in
its seat while the place is held."""
from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import wait_for
from cutter import Cutter
from rooms import hears, join, make_room, points, say

# Says that the network is another; whether the page says something of its line.
HURRY = "dispatchEvent(new Event('online')) && !document.querySelector('#line').hidden"


def lose_a_line_in_silence(browser, origin):
    host_name, port = origin.removeprefix("http://").split(":")
    wire = Cutter(host_name, int(port))
    host = browser.window("the host", DESKTOP, KOREAN)
    guest = browser.window("the guest", PHONE, ENGLISH)
    symbols = make_room(host, origin, "FOOTPRINT", 180, "가람")
    join(guest, f"http://127.0.0.1:{wire.port}/j/{symbols}", "Jimin")

    # In a lobby nobody need say anything for long: what the phone tells of its network makes the page ask.
    lose_and_return(wire, guest, told=True)
    host.page.click("#start")
    host.see("#ground")
    guest.see("#ground")
    lose_and_return(wire, guest, told=False)

    check(guest.find("#ground").is_visible(), "the guest still plays")
    expect(guest.find("#standings .mine")).to_contain_text("Jimin")
    expect(host.find("#standings li", has_text="Jimin")).not_to_have_class("held")
    expect(host.find(".toast", has_text="나갔어요")).to_have_count(0)
    had = points(guest)
    guest.walk("KeyD", 4)
    wait_for("the guest's steps to count again", lambda: points(guest) > had)
    say(host, "다시 왔네!")
    guest.page.click("#chat-open")
    hears(guest, "다시 왔네!")


def lose_and_return(wire, guest, told):
    """The line dies; the page says so and dials anew, sooner than a page would that waits for a word of its own."""
    dialled = wire.accepted
    wire.swallow()
    if told:
        # Again and again: what was on its way when the line died may have come as a sign of life.
        wait_for("the page to doubt its line", lambda: guest.page.evaluate(HURRY))
    expect(guest.find("#line")).to_be_visible(timeout=15_000)
    guest.picture(f"dead-line-{'told' if told else 'silent'}")
    expect(guest.find("#line")).to_be_hidden(timeout=15_000)
    check(wire.accepted > dialled, "the page has dialled anew")
