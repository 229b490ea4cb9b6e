"""Looking back in the browser: two people play, look at the final map, go through its time, and share it; a third one opens
the link and sees what they may."""
import time

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, PICTURES, check
from page_checks import NARROW, SHIFTS, check_readable, check_shifts, check_width
from rooms import close_path, join, make_room
from slow_line import slow_down


def look_back_and_share(browser, origin):
    host = browser.window("the host", PHONE, KOREAN)
    guest = browser.window("the guest", DESKTOP, ENGLISH, DARK)
    symbols = make_room(host, origin, "TERRITORY", 30, "가람")
    join(guest, f"{origin}/j/{symbols}", "Robin")
    host.page.check("#lobby-positions input[value=practice]", force=True)
    host.page.click("#start")
    for window in (host, guest):
        window.see("#ground")
        expect(window.find("#standings .mine")).to_be_visible()
    # One tap from the board to the next game, for both.
    host.see("#result", within_s=90)
    host.page.click("#rematch")
    for window in (host, guest):
        window.see("#ground")
        expect(window.find("#standings li")).to_have_count(2)
    walk_around(host)
    for window in (host, guest):
        window.see("#result", within_s=90)
        window.see(".track-canvas")
    expect(host.find(".track-legend li")).to_have_count(2)
    check(ground_shown(host) > 0, "the final map has the ground")
    # For the pictures alone: the map is drawn in the next frames.
    time.sleep(1)
    for window, name in ((host, "phone"), (guest, "desktop")):
        check_readable(window, "the result with its map")
        window.find(".track-card").scroll_into_view_if_needed()
        window.picture(f"track-1-final-{name}")
    scrub(host)
    consent(guest)
    address = share(host)
    check("/g/" in address, f"a link: {address}")
    seen = open_link(browser, address, "the friend", NARROW, KOREAN)
    check([row.get("nickname") for row in seen["board"] if row.get("nickname")] != [], "the sharer is named")
    check({row.get("nickname", "") for row in seen["board"]} == {"가람", "Robin"}, "both agreed to be named")
    check(not seen.get("ways"), "ways of less than 400 m are not shown")
    check(all("playerId" not in row for row in seen["board"]), "nobody's identifier is told")
    open_on_a_slow_network(browser, address, seen)
    guest.page.uncheck(".track-consent input")
    expect(guest.find(".track-consent input")).to_be_enabled()
    seen = open_link(browser, address, "the late friend", DESKTOP, ENGLISH, DARK)
    check([row.get("nickname", "") for row in seen["board"]] in (["가람", ""], ["", "가람"]), "consent was taken back")
    picture(host)
    host.find(".track-links button").click()
    expect(host.find(".track-links")).to_be_hidden()
    gone = browser.window("too late", PHONE, KOREAN)
    gone.page.goto(address)
    gone.see("#game-fault")
    check_readable(gone, "the page of a link that is gone")
    gone.picture("track-5-gone-phone")
    gone.forget("404")
    # The map stays in the lobby that follows by itself, and goes with the next game.
    host.see("#lobby", within_s=90)
    expect(host.find(".track-canvas")).to_be_visible()
    host.page.click("#start")
    host.see("#ground")
    expect(host.find(".track-card")).to_be_hidden()


def walk_around(window):
    window.page.focus("#ground")
    window.page.keyboard.down("Shift")
    # Three sides of a square, and down to the first one.
    for key, seconds in (("KeyD", 6), ("KeyW", 5), ("KeyA", 3)):
        window.walk(key, seconds)
    close_path(window)
    window.page.keyboard.up("Shift")


def ground_shown(window):
    """The points that the legend shows for the best."""
    texts = window.find(".track-legend b").all_inner_texts()
    return max(int("".join(filter(str.isdecimal, text.replace("m²", ""))) or 0) for text in texts)


def scrub(window):
    bar = window.find(".track-bar input")
    bar.focus()
    window.page.keyboard.press("Home")
    expect(bar).to_have_attribute("aria-valuetext", "0:00")
    window.picture("track-2-begin-phone")
    window.page.keyboard.press("ArrowRight")
    check(float(bar.input_value()) > 0, "a key goes on")
    play = window.find(".track-bar button")
    play.click()
    before = float(bar.input_value())
    expect(play).to_have_attribute("data-icon", "pause")
    window.page.wait_for_function("value => Number(document.querySelector('.track-bar input').value) > value", arg=before)
    play.click()
    expect(play).to_have_attribute("data-icon", "play")
    window.page.keyboard.press("Tab")
    bar.focus()
    window.page.keyboard.press("End")
    expect(bar).to_have_attribute("aria-valuetext", "0:30")


def consent(window):
    window.page.check(".track-consent input")
    expect(window.find(".track-consent input")).to_be_enabled()
    expect(window.find(".track-consent input")).to_be_checked()


def share(window):
    """Makes a link, and returns its address."""
    window.page.get_by_role("button", name="링크로 나누기").click()
    field = window.find(".track-links input")
    expect(field).to_be_visible()
    window.find(".track-links").scroll_into_view_if_needed()
    window.picture("track-3-shared-phone")
    # A text that stands there in another language is said anew.
    line = window.find(".track-links .hint")
    expect(line).to_have_text("내 링크 1개가 열려 있어요")
    window.page.click("#language")
    expect(line).to_have_text("1 link of mine is open")
    window.page.click("#language")
    expect(line).to_have_text("내 링크 1개가 열려 있어요")
    return field.input_value()


def open_link(browser, address, name, *settings):
    """Opens a link in a browser of its own; returns the game that it was told."""
    window = browser.window(name, *settings)
    window.context.add_init_script(SHIFTS)
    with window.page.expect_response("**/g/*.json") as told:
        window.page.goto(address)
    window.see(".track-canvas")
    expect(window.find(".track-legend li")).to_have_count(2)
    time.sleep(1)
    check_readable(window, "the page of a link")
    check_shifts(window, "the page of a link")
    check_width(window, "the page of a link")
    window.picture(f"track-4-{name.replace(' ', '-')}")
    return told.value.json()["gameTrack"]


def open_on_a_slow_network(browser, address, told):
    """The game comes long behind the page, or never, and then the page says so: nothing on the page moves."""
    answers = {
        "comes": lambda route: route.fulfill(json={"gameTrack": told}),
        "is refused": lambda route: route.fulfill(status=503, body=""),
        "is lost": lambda route: route.abort(),
    }
    for settings in ((NARROW, ENGLISH), (DESKTOP, KOREAN, DARK)):
        for what, answer in answers.items():
            window = browser.window(f"whose game {what}", *settings)
            window.context.add_init_script(SHIFTS)
            slow_down(window)
            held = []
            window.page.route("**/g/*.json", lambda route: held.append(route))
            with window.page.expect_request("**/g/*.json"):
                window.page.goto(address)
            expect(window.find("#game-title")).to_have_attribute("data-say", "loading")
            expect(window.find(".play-too")).to_be_hidden()
            width = window.page.viewport_size["width"]
            window.picture(f"track-7-waits-{width}")
            answer(held[0])
            if what == "comes":
                expect(window.find(".track-legend li")).to_have_count(2)
            else:
                expect(window.find("#game-fault")).to_have_attribute("data-say", "busy")
            expect(window.find(".play-too")).to_be_visible()
            check_shifts(window, f"the page of a link whose game {what}")
            window.picture(f"track-7-{what.replace(' ', '-')}-{width}")
            window.forget("503", "ERR_FAILED")


def picture(window):
    """The picture comes as a file where there is no share sheet."""
    with window.page.expect_download() as coming:
        window.page.get_by_role("button", name="사진으로 나누기").click()
    path = coming.value.path()
    head = path.read_bytes()[:8]
    check(head == b"\x89PNG\r\n\x1a\n" and path.stat().st_size > 20_000, "a picture")
    (PICTURES / "track-6-picture.png").write_bytes(path.read_bytes())
