"""The layout of a room's page and of its big screen stays where it is while others act: people come and go, the host
begins, ticks come, ground is taken, toasts show, sheets are open, the board comes."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from page_checks import NARROW, SHIFTS, TAKE_SHIFTS, check_shifts
from rooms import close_path, hears, join, make_room, points, say

WIDE = {"viewport": {"width": 1280, "height": 720}}
LONGEST = "가나다라마바사아자차카타파하가나다라마바"
# Nearly nothing moves. Moves within half a second of an own tap do not count.
STEADY_MAX = 0.05
SEATED = 3


def stay_in_place(browser, origin):
    host = watched(browser, "the host", PHONE, KOREAN)
    narrow = watched(browser, "the guest on a narrow phone", NARROW, ENGLISH, DARK)
    desk = watched(browser, "the guest on a desk", DESKTOP, KOREAN)
    newcomer = watched(browser, "the newcomer", PHONE, ENGLISH)
    screen = watched(browser, "the screen", WIDE, ENGLISH)
    symbols = make_room(host, origin, "TERRITORY", 60, "다솜")
    address = f"{origin}/j/{symbols}"
    join(narrow, address, "Robin")
    join(desk, address, "보람")
    for window in (host, narrow):
        window.page.check("#lobby-positions input[value=practice]", force=True)
    newcomer.page.goto(address)
    expect(newcomer.find(".invitation-now")).to_contain_text(f"{SEATED} of 8")
    screen.page.goto(f"{origin}/screen/{symbols}")
    players = [host, narrow, desk]
    for window in (*players, screen):
        expect(window.find("#lobby-players li")).to_have_count(SEATED)
    # On the server's own machine its addresses come behind the lobby.
    host.see("#reach-text")
    for window in (*players, newcomer, screen):
        window.page.evaluate(TAKE_SHIFTS)
    come_and_go(browser, address, host, [narrow, desk, screen], newcomer)
    for window in (*players, newcomer, screen):
        check_shifts(window, "a lobby where people come and go", STEADY_MAX)
        window.picture(f"steady-1-lobby-{window.name.split()[-1]}")
    open_sheets(browser, address, narrow, desk)
    play(host, narrow, desk, screen)
    see_the_end(host, narrow, desk, screen)


def watched(browser, name, *settings):
    window = browser.window(name, *settings)
    window.context.add_init_script(SHIFTS)
    return window


def come_and_go(browser, address, host, guests, newcomer):
    """Three more players and a spectator; one leaves, another loses the connection; the host locks the room for a while."""
    visitors = [browser.window(f"visitor {number}", DESKTOP, KOREAN) for number in range(4)]
    for visitor, name in zip(visitors, ("나들이", LONGEST, "The one who is last")):
        join(visitor, address, name)
    watcher = visitors[3]
    watcher.page.goto(address)
    watcher.see("#watch-button")
    watcher.page.fill("#nickname", "구경꾼")
    watcher.page.click("#watch-button")
    watcher.see("#lobby")
    for window in (host, *guests):
        expect(window.find("#lobby-players li")).to_have_count(SEATED + 3)
    for window in (host, guests[0]):
        expect(window.find("#lobby-watching")).not_to_be_empty()
        window.picture(f"steady-0-full-{window.name.split()[-1]}")
    expect(newcomer.find(".invitation-now")).to_contain_text(f"{SEATED + 3} of 8")
    leave(browser, visitors[0])
    visitors[1].page.click("#lobby .leave")
    host.page.click("#lock")
    for window in guests[:2]:
        window.see("#lobby-locked")
        expect(window.find("#lobby-players .held")).to_have_count(1)
        expect(window.find("#lobby-players li")).to_have_count(SEATED + 2)
    host.page.click("#lock")
    for window in guests[:2]:
        expect(window.find("#lobby-locked")).to_be_hidden()
    for visitor in visitors[1:]:
        leave(browser, visitor)


def leave(browser, window):
    window.context.close()
    browser.windows.remove(window)


def open_sheets(browser, address, narrow, desk):
    """The chat and the list of everybody are open while somebody comes, says something and is away."""
    narrow.page.click("#chat-open")
    narrow.see("#chat")
    desk.find("#lobby .people-open").click()
    desk.see(".people-sheet")
    for window in (narrow, desk):
        window.page.evaluate(TAKE_SHIFTS)
    visitor = browser.window("who visits", DESKTOP, KOREAN)
    join(visitor, address, "마실")
    for text in ("안녕!", "가나다라마바사 " * 12):
        say(visitor, text)
        hears(narrow, text.strip())
    expect(desk.find(".people-sheet li", has_text="마실")).to_have_count(1)
    leave(browser, visitor)
    expect(desk.find(".people-sheet li.held", has_text="마실")).to_have_count(1)
    check_shifts(narrow, "the chat", STEADY_MAX)
    check_shifts(desk, "the list of everybody", STEADY_MAX)
    for window in (narrow, desk):
        window.picture(f"steady-2-sheet-{window.name.split()[-1]}")
    desk.page.keyboard.press("Escape")
    narrow.page.click("#chat-close")


def play(host, narrow, desk, screen):
    """The host begins and takes ground; the guests stand still and see toasts."""
    watching = [narrow, desk, screen]
    for window in watching:
        window.page.evaluate(TAKE_SHIFTS)
    host.page.click("#start")
    for window in (host, *watching):
        window.see("#ground")
        expect(window.find("#standings li").first).to_be_visible()
    for window in watching:
        check_shifts(window, "the beginning", STEADY_MAX)
    expect(host.find("#standings .mine")).to_be_visible()
    host.page.keyboard.down("Shift")
    for key, seconds in (("KeyD", 9), ("KeyW", 6), ("KeyA", 9)):
        host.walk(key, seconds)
    close_path(host)
    host.page.keyboard.up("Shift")
    check(points(host) >= 100, f"ground was taken: {points(host)} m²")
    say(desk, "와!")
    expect(narrow.find("#chat-count")).to_be_visible()
    for window in (narrow, desk, screen):
        expect(window.find("#standings li").first).to_contain_text("다솜")
        check_shifts(window, "the game", STEADY_MAX)
        window.picture(f"steady-3-game-{window.name.split()[-1]}")


def see_the_end(host, narrow, desk, screen):
    """The board with its map, the chat over it, and the next lobby."""
    for window in (host, narrow, desk, screen):
        window.see("#result", within_s=90)
    for window in (narrow, desk):
        window.see(".track-canvas")
        expect(window.find(".track-legend li").first).to_be_visible()
    for window in (narrow, desk, screen):
        check_shifts(window, "the result", STEADY_MAX)
        window.picture(f"steady-4-result-{window.name.split()[-1]}")
    narrow.page.click("#chat-open")
    narrow.see("#chat")
    say(desk, "한 판 더!")
    hears(narrow, "한 판 더!")
    check_shifts(narrow, "the chat over the result", STEADY_MAX)
    narrow.page.click("#chat-close")
    host.page.click("#again")
    for window in (narrow, desk, screen):
        window.see("#lobby")
        expect(window.find("#lobby-players li").first).to_be_visible()
        check_shifts(window, "the next lobby", STEADY_MAX)
