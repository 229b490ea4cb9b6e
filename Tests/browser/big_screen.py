"""A room on a big screen: opened from the host's page, it shows lobby, game, board and the next lobby without a touch, takes
no seat, and comes back by itself when the server was away."""
import re
import signal

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from page_checks import CONTRAST, check_page
from rooms import FIRST_LOAD_BYTES_MAX, close_path, join, make_room
from screen_sizes import FULL_HD, WIDE, check_sizes

UPRIGHT = {"viewport": {"width": 1080, "height": 1920}}
BACK_WITHIN_MS = 90_000
END_WITHIN_S = 60
# The first load ends where the lobby is shown. The views of the game come behind it, and a busy test sees them come.
NOTE_LOBBY = """
const look = () => {
  if (document.querySelector('#lobby')?.checkVisibility()) window.lobbyAtMs = performance.now();
  else requestAnimationFrame(look);
};
look();
"""
LOADED_BEFORE_LOBBY = """
async () => {
  while (window.lobbyAtMs === undefined) await new Promise(requestAnimationFrame);
  const all = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
  return all.filter(({ responseEnd }) => responseEnd <= lobbyAtMs).reduce((sum, { transferSize }) => sum + transferSize, 0);
}
"""
# The number of pictures that the ground has drawn in half a second.
DRAWN = """
async () => {
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  let drawn = 0;
  CanvasRenderingContext2D.prototype.drawImage = function (...given) { drawn += 1; return draw.apply(this, given); };
  await new Promise((resolve) => setTimeout(resolve, 500));
  CanvasRenderingContext2D.prototype.drawImage = draw;
  return drawn;
}
"""


def open_screen(browser, origin, symbols, name, *settings):
    screen = browser.window(name, *settings)
    screen.context.add_init_script(NOTE_LOBBY)
    screen.page.goto(f"{origin}/screen/{symbols}")
    screen.see("#lobby")
    loaded = screen.page.evaluate(LOADED_BEFORE_LOBBY)
    print(f"{loaded} bytes loaded", flush=True)
    check(5_000 < loaded < FIRST_LOAD_BYTES_MAX, f"the first load of the screen is {loaded} bytes")
    return screen


def check_screen(screen, view):
    faults = screen.page.evaluate(CONTRAST)
    check(not faults, f"{view} of {screen.name}: {faults}")
    check_page(screen, view)
    if screen.page.viewport_size["width"] > screen.page.viewport_size["height"]:
        check_sizes(screen, view)
    hidden = screen.page.evaluate("document.documentElement.scrollHeight > innerHeight + 1")
    check(not hidden, f"{view} of {screen.name} is larger than the screen")
    screen.picture(f"screen-{view}-{screen.name.split()[-1]}")


def show_a_room(browser, server):
    origin = f"http://{server.address}"
    host = browser.window("the host", DESKTOP, KOREAN)
    guest = browser.window("the guest", PHONE, ENGLISH)
    symbols = make_room(host, origin, "TERRITORY", 60, "다솜")
    # One tap opens it in a window of its own.
    with host.context.expect_page() as opened:
        host.page.click("#big-screen")
    expect(opened.value.locator("#lobby-players li")).to_have_count(1)
    check(opened.value.url == f"{origin}/screen/{symbols}", f"the host's screen is at {opened.value.url}")
    expect(host.find("#lobby-watching")).to_have_text("구경 1명")
    opened.value.close()
    screens = [
        open_screen(browser, origin, symbols, "the screen wide", WIDE, ENGLISH),
        open_screen(browser, origin, symbols, "the screen large", FULL_HD, KOREAN, DARK),
        open_screen(browser, origin, symbols, "the screen upright", UPRIGHT, ENGLISH),
    ]
    join(guest, f"{origin}/j/{symbols}", "Robin")
    expect(guest.find("#big-screen")).to_be_hidden()
    for screen in screens:
        expect(screen.find("#lobby-players li")).to_have_count(2)
        check_screen(screen, "lobby")
    take_ground(host, screens)
    for screen in screens:
        screen.see("#result", within_s=90)
        expect(screen.find("#podium li")).to_have_count(1)
        expect(screen.find("#result-title")).to_contain_text("다솜")
        check_screen(screen, "board")
    host.see("#again")
    host.page.click("#again")
    for screen in screens:
        screen.see("#lobby")
        expect(screen.find("#lobby-count")).to_have_text("2 / 8")
    # Three screens watch, and two seats are free.
    expect(host.find("#lobby-watching")).to_have_text(re.compile("구경 [34]명"))
    restart(server, host, screens)
    for window in (host, guest, *screens):
        window.forget("WebSocket", "503", "ERR_CONNECTION_REFUSED", "net::ERR")


def take_ground(host, screens):
    host.page.click("#start")
    host.see("#ground")
    for screen in screens:
        screen.see("#ground")
        expect(screen.find("#standings li")).to_have_count(2)
    expect(host.find("#standings .mine")).to_be_visible()
    for screen in screens:
        screen.page.evaluate(
            "() => { window.told = []; new MutationObserver((changes) => changes.forEach((change) =>"
            " change.addedNodes.forEach((node) => node.className?.includes?.('moment') && told.push(node.textContent))))"
            ".observe(document.querySelector('.screen-ground'), { childList: true }); }"
        )
    host.page.keyboard.down("Shift")
    for key, seconds in (("KeyD", 9), ("KeyW", 6), ("KeyA", 9)):
        host.walk(key, seconds)
    close_path(host)
    host.page.keyboard.up("Shift")
    for screen in screens:
        expect(screen.find("#standings li").first).to_contain_text("다솜")
        check_screen(screen, "game")
    for screen in screens:
        told = screen.page.evaluate("told")
        check(any("다솜 +" in text for text in told), f"{screen.name} told of {told}")
    # Players who stand still are not drawn again.
    for screen in screens[:1]:
        drawn = min(screen.page.evaluate(DRAWN) for _ in range(4))
        check(drawn == 0, f"a still game is drawn: {drawn}")


def restart(server, host, screens):
    host.page.click("#start")
    for screen in screens:
        screen.see("#ground")
    for _ in range(2):
        server.signal(signal.SIGTERM)
    server.wait(END_WITHIN_S)
    for screen in screens:
        expect(screen.find("#line")).to_be_visible()
    server.launch()
    for screen in screens:
        expect(screen.find("#line")).to_be_hidden(timeout=BACK_WITHIN_MS)
        screen.see("#ground")
        expect(screen.find("#standings li")).to_have_count(2)


def refuse_a_screen(browser, origin):
    """A room with as many spectators as it takes, whose next free place is a screen's without a touch, and one that is gone."""
    host = browser.window("the host", DESKTOP, KOREAN)
    host.page.goto(f"{origin}/")
    host.page.select_option("#capacity", "4")
    host.page.fill("#nickname", "가람")
    host.page.click("#make")
    host.see("#lobby")
    symbols = host.page.url.rsplit("/", 1)[1]
    watcher = watch_by_the_page(browser, origin, symbols, host)
    for number in range(3):
        open_screen(browser, origin, symbols, f"screen {number}", WIDE, ENGLISH)
    late = browser.window("the fourth screen", WIDE, ENGLISH)
    late.page.goto(f"{origin}/screen/{symbols}")
    expect(late.find("#notice-title")).to_have_text("All places to watch are taken")
    late.picture("screen-crowded")
    watcher.page.click("#lobby .leave")
    late.see("#lobby", within_s=60)
    lost = browser.window("the screen of no room", WIDE, KOREAN)
    lost.page.goto(f"{origin}/screen/0000000000")
    expect(lost.find("h1")).to_have_text("방이 없어졌어요")
    lost.forget("404")


def watch_by_the_page(browser, origin, symbols, host):
    """The room's page offers to watch: the newcomer has no seat, though there are free ones."""
    watcher = browser.window("the watcher", PHONE, ENGLISH)
    watcher.page.goto(f"{origin}/j/{symbols}")
    watcher.see("#watch-button")
    watcher.page.fill("#nickname", "Robin")
    watcher.page.click("#watch-button")
    watcher.see("#lobby")
    expect(watcher.find("#lobby-hint")).to_contain_text("only watch")
    expect(host.find("#lobby-watching")).to_have_text("구경 1명")
    expect(host.find("#lobby-players li")).to_have_count(1)
    return watcher
