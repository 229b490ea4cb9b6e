"""Rooms in the browser: two people meet by the address of a QR, play to the end, and play again."""
import re
import time

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from cutter import Cutter
from page_checks import check_readable

FIRST_LOAD_BYTES_MAX = 60 * 1024


def make_room(window, origin, mode, seconds, nickname):
    """Makes a room on the start page; returns the ten symbols of its code."""
    window.page.goto(f"{origin}/")
    window.picture(f"{mode.lower()}-1-start")
    window.page.check(f"input[value={mode}]", force=True)
    window.page.select_option("#duration", str(seconds))
    window.page.fill("#nickname", nickname)
    window.page.click("#make")
    window.see("#lobby")
    return window.page.url.rsplit("/", 1)[1]


def join(window, address, nickname):
    """Joins by a room's address; returns the time it took, and the bytes loaded."""
    loaded = []
    devtools = window.context.new_cdp_session(window.page)
    devtools.send("Network.enable")
    devtools.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    began = time.monotonic()
    window.page.goto(address)
    window.see("#enter")
    window.picture("join")
    window.page.fill("#nickname", nickname)
    window.page.click("#enter-button")
    window.see("#lobby")
    took = time.monotonic() - began
    devtools.detach()
    return took, sum(loaded)


def say(window, text):
    if window.find("#chat-open").is_visible():
        window.page.click("#chat-open")
    window.page.fill("#chat-text", text)
    window.page.press("#chat-text", "Enter")
    expect(window.find("#chat-text")).to_have_value("")


def hears(window, text):
    expect(window.find("#chat-lines li", has_text=text)).to_have_count(1)


def points(window):
    return int("".join(filter(str.isdecimal, window.find("#score-points").inner_text())) or 0)


def play_footprints(browser, origin):
    """A game to its end, with a reload and a broken connection in the middle, and the next game."""
    host_name, port = origin.removeprefix("http://").split(":")
    wire = Cutter(host_name, int(port))
    host = browser.window("the host", PHONE, KOREAN)
    guest = browser.window("the guest", DESKTOP, ENGLISH, DARK)
    symbols = make_room(host, origin, "FOOTPRINT", 30, "가람")
    # The QR holds the address in upper case.
    took, loaded = join(guest, f"http://127.0.0.1:{wire.port}/J/{symbols}", "Jimin")
    print(f"in the room {took:.2f} s after the address was opened, with screenshots; {loaded} bytes loaded", flush=True)
    check(loaded > 5_000, "the first load was counted")
    check(loaded < FIRST_LOAD_BYTES_MAX, f"the first load is {loaded} bytes")
    expect(host.find("#lobby-players li")).to_have_count(2)
    expect(guest.find("#start")).to_be_hidden()
    host.picture("footprint-2-lobby-phone")
    guest.picture("footprint-2-lobby-desktop")
    # A phone uses its receiver in anybody's room; a desk does not move.
    for window, chosen in ((host, "receiver"), (guest, "practice")):
        expect(window.find("#lobby-positions input:checked")).to_have_value(chosen)
    host.page.check("#lobby-positions input[value=practice]", force=True)

    host.page.click("#start")
    host.see("#ground")
    guest.see("#ground")
    guest.walk("KeyD", 4)
    expect(guest.find("#standings .mine")).to_contain_text("Jimin")
    say(host, "안녕, 지민!")
    hears(guest, "안녕, 지민!")
    say(guest, "Hello!")
    hears(host, "Hello!")
    host.picture("footprint-3-chat-phone")
    host.page.click("#chat-close")
    stick = host.find("#stick").bounding_box()
    host.page.mouse.move(stick["x"] + 68, stick["y"] + 68)
    host.page.mouse.down()
    host.page.mouse.move(stick["x"] + 110, stick["y"] + 20, steps=3)

    had = points(guest)
    check(had >= 2, f"the guest has walked, and has {had} points")
    guest.page.reload()
    guest.see("#ground")
    expect(guest.find("#standings .mine")).to_contain_text("Jimin")
    hears(guest, "안녕, 지민!")
    check(points(guest) >= had, "points are there after a reload")
    wire.cut()
    say_again(guest, "I am back")
    hears(host, "I am back")
    guest.walk("ArrowDown", 3)
    host.picture("footprint-4-play-phone")
    guest.picture("footprint-4-play-desktop")
    host.page.mouse.up()

    host.see("#result", within_s=90)
    guest.see("#result")
    # Moments end with the ground that they lie over; a badge's ends by itself.
    for window in (host, guest):
        expect(window.find(".moment")).to_have_count(0)
    boards = [window.find("#board li b").all_inner_texts() for window in (host, guest)]
    figures = [["".join(filter(str.isdecimal, text)) for text in board] for board in boards]
    check(figures[0] == figures[1] and len(figures[0]) == 2, f"both see one board: {boards}")
    host.picture("footprint-5-result-phone")
    guest.picture("footprint-5-result-desktop")
    host.page.click("#again")
    host.see("#lobby")
    guest.see("#lobby")
    host.page.click("#start")
    host.see("#ground")
    guest.see("#ground")
    guest.page.click(".leave.in-play")
    guest.see("#home")
    # Nobody is left to play against.
    host.see("#result")
    expect(host.find("#board li")).to_have_count(2)


def say_again(window, text):
    """Chats until the text arrives: the connection may be broken."""
    for _ in range(20):
        window.page.fill("#chat-text", text)
        window.page.press("#chat-text", "Enter")
        time.sleep(0.5)
        if window.find("#chat-lines li", has_text=text).count() > 0:
            return
    check(False, "the page did not come back by itself")


# Notes each moment with its kind and text: it ends after a second.
MOMENTS = """
() => {
  window.moments = [];
  const note = ({ addedNodes }) => {
    for (const node of addedNodes) {
      if (node.classList?.contains("moment")) moments.push([node.classList[1], node.textContent]);
    }
  };
  new MutationObserver((changes) => changes.forEach(note)).observe(document.body, { childList: true, subtree: true });
}
"""


def close_path(window):
    """Walks south until the path closes: on a busy machine its sides differ by metres."""
    window.page.keyboard.down("KeyS")
    expect(window.find("#score-points")).not_to_have_text("0 m²")
    window.page.keyboard.up("KeyS")


def play_territory(browser, origin):
    """Ground is walked around and taken; both see it."""
    host = browser.window("the taker", DESKTOP, KOREAN)
    guest = browser.window("the watcher", PHONE, ENGLISH, DARK)
    symbols = make_room(host, origin, "TERRITORY", 60, "다솜")
    join(guest, f"{origin}/j/{symbols}", "Robin")
    for window in (host, guest):
        window.page.evaluate(MOMENTS)
    host.page.click("#start")
    host.see("#ground")
    expect(host.find("#standings .mine")).to_be_visible()
    host.page.keyboard.down("Shift")
    for key, seconds in (("KeyD", 9), ("KeyW", 6), ("KeyA", 9)):
        host.walk(key, seconds)
    host.picture("territory-2-path-desktop")
    close_path(host)
    host.page.keyboard.up("Shift")
    check(points(host) >= 100, f"ground was taken: {points(host)} m²")
    expect(guest.find("#standings li").first).to_contain_text("다솜")
    expect(guest.find("#standings li").first).not_to_contain_text(re.compile(r"\D0 m²"))
    guest.page.click("#everyone")
    guest.page.click("#zoom-out")
    # For the pictures alone: the map glides to its new scale in real time.
    time.sleep(1)
    host.picture("territory-3-taken-desktop")
    guest.picture("territory-3-taken-phone")
    host.see("#result", within_s=90)
    guest.see("#result")
    check(points_of_first(host) >= 100, "the board has the ground")
    kinds = [{kind for kind, _ in window.page.evaluate("moments")} for window in (host, guest)]
    check({"capture", "count"} <= kinds[0], f"the taker has a moment of it, and of the last ten seconds: {kinds[0]}")
    check("count" in kinds[1] and not kinds[1] & {"capture", "theft"}, f"the watcher has no capture: {kinds[1]}")
    # Another window of the same browser takes the session over; the first says so.
    other = host.context.new_page()
    other.goto(f"{origin}/j/{symbols}")
    expect(other.locator("#result")).to_be_visible()
    host.see("#notice")
    host.picture("notice-desktop")
    other.close()


def points_of_first(window):
    return int("".join(filter(str.isdecimal, window.find("#board li b").first.inner_text())))


def choose_address(browser, origin):
    """At the loopback a page says that phones do not reach it, or offers the machine's addresses for QR and sharing."""
    host = browser.window("the host", PHONE, ENGLISH)
    host.context.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    symbols = make_room(host, origin, "FOOTPRINT", 60, "Host")
    expect(host.find("#reach-text")).to_contain_text(re.compile(r"--host 0\.0\.0\.0|in no network"))
    expect(host.find("#reach-address")).to_be_hidden()
    host.find("#reach-text").scroll_into_view_if_needed()
    host.picture("address-1-unreached-phone")
    bases = ["http://192.0.2.1:8080", "http://198.51.100.1:8080"]
    answer = {
        "address": "127.0.0.1", "joinBase": bases[0], "hasPublicUrl": False, "serverTimeMs": "1", "listensOnAll": True,
        "addresses": [{"interface": name, "base": base} for name, base in zip(("eth0", "tun0"), bases)],
    }
    host.page.route("**/reach", lambda route: route.fulfill(json=answer))
    host.page.reload()
    host.see("#reach-address")
    expect(host.find("#reach-address")).to_have_value(bases[0])
    expect(host.find("#lobby-qr")).to_have_attribute("src", f"/qr/{symbols}.svg?host=192.0.2.1:8080")
    host.page.select_option("#reach-address", bases[1])
    expect(host.find("#lobby-qr")).to_have_attribute("src", f"/qr/{symbols}.svg?host=198.51.100.1:8080")
    host.find("#reach-text").scroll_into_view_if_needed()
    host.picture("address-2-chosen-phone")
    # The lobby's link to the big screen takes the choice along.
    screen = browser.window("the big screen at a chosen address", DESKTOP, ENGLISH)
    screen.page.goto(f"{origin}/screen/{symbols}?host=198.51.100.1%3A8080")
    expect(screen.find(".qr").first).to_have_attribute("src", f"{origin}/qr/{symbols}.svg?host=198.51.100.1:8080")
    host.page.click("#copy")
    host.see("#address")
    check(host.page.evaluate("String(getSelection())") == f"{bases[1]}/j/{symbols}", "the chosen address is shared")


def copy_by_hand(browser, origin):
    """Without write access to the clipboard the page shows the address, selected, until it is dismissed."""
    host = browser.window("the host", PHONE, ENGLISH)
    host.context.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    symbols = make_room(host, origin, "FOOTPRINT", 60, "Host")
    expect(host.find("#lobby-rules")).to_have_text("A point for each new place · 1 min")
    host.page.click("#copy")
    host.see("#address")
    check(host.page.evaluate("String(getSelection())") == f"{origin}/j/{symbols}", "the address is selected")
    check_readable(host, "the dialog of the address")
    host.picture("copy-by-hand-phone")
    host.page.click("#address button")
    expect(host.find("#address")).to_be_hidden()

    # The name for another room is the nickname there.
    host.page.click("#lobby .leave")
    host.page.wait_for_url(f"{origin}/")
    make_room(host, origin, "FOOTPRINT", 60, "Another")
    expect(host.find("#lobby-players")).to_contain_text("Another")


def lose_the_way(browser, origin):
    """A room that does not exist, and an invalid code."""
    stray = browser.window("the stray", PHONE, ENGLISH)
    stray.page.goto(f"{origin}/j/0000000000")
    expect(stray.page.locator("h1")).to_be_visible()
    stray.picture("lost-phone")
    # The browser logs a missing page; that entry is no fault of ours.
    stray.complaints = [text for text in stray.complaints if "404" not in text]
    stray.page.goto(f"{origin}/")
    stray.page.fill("#code", "7K3F9-QXA52")
    stray.page.press("#code", "Enter")
    stray.see("#code-fault")


def meet_again(browser, origin):
    """A room is gone with its players: one tap of each who was in it makes another of the same kind, whose QR is shown."""
    host_name, port = origin.removeprefix("http://").split(":")
    wire = Cutter(host_name, int(port))
    host = browser.window("the host", PHONE, KOREAN)
    guest = browser.window("the guest", DESKTOP, ENGLISH, DARK)
    host.page.goto(f"{origin}/")
    host.page.check("input[value=TERRITORY]", force=True)
    host.page.select_option("#duration", "600")
    host.page.select_option("#fill", "3")
    host.page.select_option("#fill-strength", "HARD")
    host.page.fill("#nickname", "가람")
    host.page.click("#make")
    host.see("#lobby")
    symbols = host.page.url.rsplit("/", 1)[1]
    join(guest, f"http://127.0.0.1:{wire.port}/j/{symbols}", "Robin")
    host.page.click("#lobby .leave")
    host.see("#home")
    wire.refuse()
    # A room without anybody connected closes after a minute.
    until = time.monotonic() + 120
    while host.context.request.get(f"{origin}/r/{symbols}").ok:
        check(time.monotonic() < until, "the room closes")
        time.sleep(1)
    wire.admit()
    # The page that was left open, and the address that is opened again.
    expect(guest.find("#notice-title")).to_have_text("This room is gone", timeout=60_000)
    check_readable(guest, "the notice")
    guest.picture("again-1-gone-dark")
    guest.page.fill("#code", "7K3F9-QXA26")
    guest.page.press("#code", "Enter")
    expect(guest.find("#code-fault")).to_have_text("Please check the code")
    guest.page.click("#language")
    expect(guest.find("#code-form label")).to_have_text("방 코드")
    guest.page.click("#language")
    host.page.goto(f"{origin}/j/{symbols.lower()}")
    host.see("#again")
    host.picture("again-1-gone-phone")
    guest.page.click("#notice-go")
    host.page.click("#again")
    codes = set()
    for window, fill in ((guest, "3 practice opponents will join · hard"), (host, "연습 상대 3명이 함께해요 · 날쌔게")):
        window.see("#lobby")
        expect(window.find("#lobby-qr")).to_be_visible()
        expect(window.find("#lobby-watching")).to_contain_text(fill)
        expect(window.find("#lobby-rules")).to_contain_text(re.compile("10( min|분)"))
        expect(window.find("#lobby-players li")).to_have_count(1)
        codes.add(window.page.url.rsplit("/", 1)[1])
    check(len(codes) == 2 and symbols not in codes, f"two new rooms: {codes}")
    host.picture("again-2-lobby-phone")
    # A browser that was not in the room is offered no new one.
    stranger = browser.window("the stranger", PHONE, ENGLISH)
    stranger.page.goto(f"{origin}/j/{symbols}")
    stranger.see("#code-form")
    expect(stranger.find("#again")).to_be_hidden()
    for window in (host, guest, stranger):
        # A browser logs what it can't load without the server, its service worker too.
        window.forget("404", "WebSocket", "ERR_", "Failed to load", "fetching the script")


def ask_the_host(browser, origin):
    """A host lets one player in who asks, and refuses another, who can't come into the room any more."""
    host = browser.window("the host", PHONE, KOREAN)
    host.page.goto(f"{origin}/")
    host.page.check("input[name=consent]")
    host.page.fill("#nickname", "가람")
    host.page.click("#make")
    host.see("#lobby")
    guest = browser.window("the guest", DESKTOP, ENGLISH, DARK)
    stranger = browser.window("the stranger", DESKTOP, ENGLISH)
    for window, nickname in ((guest, "Jimin"), (stranger, "Nobody")):
        window.page.goto(host.page.url)
        window.see("#enter")
        window.page.fill("#nickname", nickname)
        window.page.click("#enter-button")
        expect(window.find("#enter-fault")).to_contain_text("Waiting for the host")
    expect(host.find(".ask-in")).to_have_count(2)
    host.picture("consent-1-asked")
    guest.picture("consent-1-waiting")
    host.find(".ask-in", has_text="Jimin").locator("button", has_text="들이기").click()
    guest.see("#lobby")
    host.find(".ask-in", has_text="Nobody").locator("button", has_text="거절").click()
    stranger.see("#notice")
    expect(stranger.find("#notice-title")).to_have_text("You can't come into this room")
    expect(host.find(".ask-in")).to_have_count(0)
    expect(host.find("#lobby-players li")).to_have_count(2)
