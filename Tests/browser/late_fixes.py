"""A phone without a network: the page keeps the walk and tells it when the network is back, also after the page was
closed meanwhile, and behind the end of the game."""
import re

from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import wait_for
from cutter import Cutter
from rooms import join, make_room, points

NAME = "Jimin"
# A page dials again up to 12 s after the network is back.
RETURN_S = 30


def play_without_a_network(browser, origin):
    wire, host, guest = begin_game(browser, origin, 180)
    walk_until_points(guest)

    # A tunnel: nobody sees the walk until the network is back.
    wire.refuse()
    expect(guest.find("#line")).to_be_visible()
    # The last steps before it have counted when the host sees the guest away.
    expect(host.find("#standings li", has_text=NAME)).to_have_class(re.compile("held"))
    had = points_of_guest(host)
    run(guest, "KeyD")
    check(points_of_guest(host) == had, "the server knows nothing of the walk")
    guest.picture("late-fixes-1-no-network")
    wire.admit()
    wait_for("the walk in the tunnel to count", lambda: points_of_guest(host) >= had + 3, RETURN_S)
    expect(guest.find("#line")).to_be_hidden()

    # The page is closed in the next tunnel.
    had = points_of_guest(host)
    address = guest.page.url
    wire.refuse()
    expect(guest.find("#line")).to_be_visible()
    run(guest, "KeyW")
    guest.page.close()
    wire.admit()
    guest.page = guest.context.new_page()
    guest.page.goto(address)
    wait_for("the walk before the page was closed to count", lambda: points_of_guest(host) >= had + 3, RETURN_S)
    guest.see("#ground")
    forget_network(guest)


def come_back_behind_the_end(browser, origin):
    wire, host, guest = begin_game(browser, origin, 30)
    walk_until_points(guest)
    had = points_of_guest(host)
    wire.refuse()
    expect(guest.find("#line")).to_be_visible()
    run(guest, "KeyD")
    expect(host.find("#tip-text")).to_contain_text("시간 끝!", timeout=60_000)
    host.picture("late-fixes-2-board-waits")
    wire.admit()
    host.see("#result", within_s=60)
    guest.see("#result", within_s=60)
    board = host.find("#board li", has_text=NAME).locator("b").inner_text()
    check(int(re.sub(r"\D", "", board)) >= had + 3, f"the board has the late walk: {had} before, now {board}")
    forget_network(guest)


def begin_game(browser, origin, seconds):
    """Two players in a game; the guest behind a network that can be taken away."""
    host_name, port = origin.removeprefix("http://").split(":")
    wire = Cutter(host_name, int(port))
    host = browser.window("the host", DESKTOP, KOREAN)
    guest = browser.window("the guest", PHONE, ENGLISH)
    symbols = make_room(host, origin, "FOOTPRINT", seconds, "가람")
    join(guest, f"http://127.0.0.1:{wire.port}/j/{symbols}", NAME)
    guest.page.check("#lobby-positions input[value=practice]", force=True)
    host.page.click("#start")
    host.see("#ground")
    guest.see("#ground")
    return wire, host, guest


def forget_network(window):
    window.forget("WebSocket connection", "net::ERR")


def walk_until_points(window):
    window.walk("KeyA", 3)
    wait_for("the first steps to count", lambda: points(window) > 0)


def run(window, key):
    """Runs some 33 m."""
    window.page.keyboard.down("Shift")
    window.walk(key, 8)
    window.page.keyboard.up("Shift")


def points_of_guest(host):
    """The guest's points as the host sees them: the server's."""
    row = host.find("#standings li", has_text=NAME).locator("b").inner_text()
    return int(re.sub(r"\D", "", row) or 0)
