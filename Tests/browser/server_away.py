"""A server that restarts and one that can't write: players and newcomers read the reason, and the game goes on by
itself."""
import contextlib
import signal

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from rooms import join, make_room, points

# All players return at different moments of the grace time, and within the 30 s that places are held.
GRACE_S = 25
BACK_WITHIN_MS = 90_000
END_WITHIN_S = 60


@contextlib.contextmanager
def kept_from_writing(server):
    """Takes the data folder away for a while, so that nothing can be committed."""
    elsewhere = server.data.with_name("elsewhere")
    server.data.rename(elsewhere)
    try:
        yield
    finally:
        elsewhere.rename(server.data)


def fill_in(window, address, nickname):
    window.page.goto(address)
    window.see("#enter")
    window.page.fill("#nickname", nickname)


def restart_the_server(browser, server):
    origin = f"http://{server.address}"
    host = browser.window("the host", PHONE, KOREAN)
    guest = browser.window("the guest", DESKTOP, ENGLISH, DARK)
    late = browser.window("who comes late", PHONE, ENGLISH)
    symbols = make_room(host, origin, "FOOTPRINT", 600, "가람")
    join(guest, f"{origin}/j/{symbols}", "Jimin")
    host.page.click("#start")
    for window in (host, guest):
        window.see("#ground")
    guest.walk("KeyD", 4)
    had = points(guest)
    fill_in(late, f"{origin}/j/{symbols}", "Robin")

    # From now on nothing new begins, and running games may end within the grace time.
    server.signal(signal.SIGTERM)
    expect(host.find("#line")).to_have_text("서버가 다시 시작해요. 모두 그대로예요")
    for window in (host, guest):
        expect(window.find("#line")).to_be_visible()
        check(window.find("#ground").is_visible(), "the game goes on meanwhile")
    late.page.click("#enter-button")
    expect(late.find("#enter-fault")).to_contain_text("The server restarts")
    expect(late.find("#line")).to_contain_text("The server restarts")
    expect(late.find("#line")).to_be_visible()
    for window, name in ((host, "phone"), (guest, "desktop"), (late, "late")):
        window.picture(f"restart-{name}")
    # The second signal ends the server without a wait.
    server.signal(signal.SIGTERM)
    server.wait(END_WITHIN_S)
    expect(guest.find("#line")).to_contain_text("The server restarts")

    server.launch()
    for window in (host, guest):
        expect(window.find("#line")).to_be_hidden(timeout=BACK_WITHIN_MS)
        window.see("#ground")
    check(points(guest) >= had, f"the guest had {had} points, and has {points(guest)}")
    late.see("#ground", within_s=BACK_WITHIN_MS / 1_000)
    expect(late.find("#line")).to_be_hidden()
    for window in (host, guest, late):
        window.forget("WebSocket", "503", "ERR_CONNECTION_REFUSED", "net::ERR")


def fail_the_store(browser, server):
    origin = f"http://{server.address}"
    host = browser.window("the host", PHONE, KOREAN)
    late = browser.window("who comes late", PHONE, ENGLISH)
    known = browser.window("who is known already", DESKTOP, ENGLISH)
    symbols = make_room(host, origin, "FOOTPRINT", 60, "가람")
    # The page has a session, but no place in the room.
    make_room(known, origin, "FOOTPRINT", 60, "Robin")
    known.page.click("#lobby .leave")
    known.see("#home")
    fill_in(known, f"{origin}/j/{symbols}", "Robin")
    fill_in(late, f"{origin}/j/{symbols}", "Jimin")
    with kept_from_writing(server):
        for window in (late, known):
            window.page.click("#enter-button")
            expect(window.find("#enter-fault")).to_contain_text("The server needs a moment")
            expect(window.find("#enter-button")).to_be_disabled()
        host.page.reload()
        expect(host.find("#line")).to_have_text("서버가 잠시 쉬고 있어요. 조금만요…")
        expect(host.find("#line")).to_be_visible()
        late.picture("store-fails-late")
    for window in (host, late, known):
        window.see("#lobby", within_s=BACK_WITHIN_MS / 1_000)
        expect(window.find("#line")).to_be_hidden()
    expect(host.find("#lobby-players li")).to_have_count(3)
    for window in (host, late, known):
        window.forget("WebSocket")
