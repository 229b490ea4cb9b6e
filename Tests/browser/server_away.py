"""A server that restarts and one that can't write: whoever plays and whoever comes reads why nothing goes on, and it goes on
by itself."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from own_server import own_server
from rooms import join, make_room, points

# Everybody comes back within the grace time, each at a moment of their own; and within the 30 s that places are held.
GRACE_S = 25
BACK_WITHIN_MS = 90_000


def fill_in(window, address, nickname):
    window.page.goto(address)
    window.see("#enter")
    window.page.fill("#nickname", nickname)


def restart_the_server(browser, _):
    with own_server(GRACE_S) as server:
        host = browser.window("the host", PHONE, KOREAN)
        guest = browser.window("the guest", DESKTOP, ENGLISH, DARK)
        late = browser.window("who comes late", PHONE, ENGLISH)
        symbols = make_room(host, server.origin, "FOOTPRINT", 600, "가람")
        join(guest, f"{server.origin}/j/{symbols}", "Jimin")
        host.page.click("#start")
        for window in (host, guest):
            window.see("#ground")
        guest.walk("KeyD", 4)
        had = points(guest)
        fill_in(late, f"{server.origin}/j/{symbols}", "Robin")

        server.begin_to_end()
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
        server.end_at_once()
        expect(guest.find("#line")).to_contain_text("The server restarts")

        server.start()
        for window in (host, guest):
            expect(window.find("#line")).to_be_hidden(timeout=BACK_WITHIN_MS)
            window.see("#ground")
        check(points(guest) >= had, f"the guest had {had} points, and has {points(guest)}")
        late.see("#ground", within_s=BACK_WITHIN_MS / 1_000)
        expect(late.find("#line")).to_be_hidden()
        for window in (host, guest, late):
            window.forget("WebSocket", "503", "ERR_CONNECTION_REFUSED", "net::ERR")


def fail_the_store(browser, _):
    with own_server() as server:
        host = browser.window("the host", PHONE, KOREAN)
        late = browser.window("who comes late", PHONE, ENGLISH)
        known = browser.window("who is known already", DESKTOP, ENGLISH)
        symbols = make_room(host, server.origin, "FOOTPRINT", 60, "가람")
        # Has a session, and no place in the room.
        make_room(known, server.origin, "FOOTPRINT", 60, "Robin")
        known.page.click("#lobby .leave")
        known.see("#home")
        fill_in(known, f"{server.origin}/j/{symbols}", "Robin")
        fill_in(late, f"{server.origin}/j/{symbols}", "Jimin")
        with server.kept_from_writing():
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
