"""A connection that dies in silence, as on a change of a phone's network: the page notices by itself, says so, and is
back in its seat while the place is held."""
from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import wait_for
from cutter import Cutter
from rooms import hears, join, make_room, points, say

# Announces another network; returns whether the page shows a state of its connection.
HURRY = "dispatchEvent(new Event('online')) && !document.querySelector('#line').hidden"

# Resolves when the page has the views of a game, with all that they import.
GAME = """
() => {
  const play = document.querySelector('script[type=module]').src;
  return Promise.all(['game.js', 'result.js'].map((file) => import(play.replace(/[^/]*$/, file)))).then(() => true);
}
"""


def lose_a_line_in_silence(browser, origin):
    host_name, port = origin.removeprefix("http://").split(":")
    wire = Cutter(host_name, int(port))
    host = browser.window("the host", DESKTOP, KOREAN)
    guest = browser.window("the guest", PHONE, ENGLISH)
    symbols = make_room(host, origin, "FOOTPRINT", 180, "가람")
    join(guest, f"http://127.0.0.1:{wire.port}/j/{symbols}", "Jimin")

    # The game's modules come in the lobby, by the same line.
    check(guest.page.evaluate(GAME), "the game's modules")
    # In a lobby nobody need send anything for long: the phone's network event makes the page ask.
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
    """The connection dies. The page says so and reconnects, sooner than a page that waits for its own timeout."""
    dialled = wire.accepted
    wire.swallow()
    if told:
        # Repeated: a message in flight when the connection died may count as a sign of life.
        wait_for("the page to doubt its line", lambda: guest.page.evaluate(HURRY))
    expect(guest.find("#line")).to_be_visible(timeout=15_000)
    guest.picture(f"dead-line-{'told' if told else 'silent'}")
    expect(guest.find("#line")).to_be_hidden(timeout=15_000)
    check(wire.accepted > dialled, "the page has dialled anew")
