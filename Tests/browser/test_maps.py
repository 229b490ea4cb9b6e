"""The map of streets in a real Chromium, under a practice walk and an operator's view of it: drawn, light and dark, at
rest while nothing moves, and missed by nobody where it can't be drawn. Screenshots are in .build/browser."""
import contextlib
import time

import pytest
from playwright.sync_api import expect

import frame_times
import solo_runs
import tracks
from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, Browser, check
from console_window import go, open_console
from crowd import CROWD
from invitations import WEAK
from program import running
from rooms import join, make_room

CREDIT = "© OpenStreetMap contributors"
# Near where a practice walk begins on the map that ships, and the metres of a degree there.
HARBOUR = (24.9442, 60.1713)
METRES_THERE = (55_313, 111_195)
AT_THE_HARBOUR = "latE7=601713000&lngE7=249442000&scale=1"
MAP_BYTES_MAX = 400 * 1_024
# Counts what WebGL and the ground's canvas draw: the ground has the scale's text in each frame.
COUNT = """
window.draws = { streets: 0, ground: 0 };
for (const name of ['drawElements', 'drawArrays', 'clear']) {
  const draw = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...rest) { draws.streets += 1; return draw.apply(this, rest); };
}
const fill = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (...rest) { draws.ground += 1; return fill.apply(this, rest); };
"""
# Resolves once both have drawn nothing for fifty frames.
COME_TO_REST = """
() => new Promise((resolve) => {
  let [before, frames] = ['', 0];
  const look = () => {
    const now = JSON.stringify(draws);
    frames = now === before ? frames + 1 : 0;
    before = now;
    frames === 50 ? resolve(draws) : requestAnimationFrame(look);
  };
  look();
})
"""
# The share of the ground's canvas that is clear, so that the map below is seen.
CLEAR_SHARE = """
(canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let clear = 0;
  for (let index = 3; index < data.length; index += 4) clear += data[index] === 0;
  return clear / (data.length / 4);
}
"""
# The share of a canvas through which the map below is seen: around an arena it is darker.
THROUGH_SHARE = CLEAR_SHARE.replace("data[index] === 0", "data[index] < 200").replace("clear", "through")
STREETS_DRAWN = "() => performance.getEntriesByName('streets-drawn').length > 0"
LIBRARY_LOADED = "() => Boolean(window.maplibregl)"
NO_WEBGL = """
const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return kind.startsWith('webgl') ? null : get.call(this, kind, ...rest);
};
"""


@pytest.fixture(scope="module")
def server(madang, tmp_path_factory):
    """A server with the map that ships."""
    with running(madang, tmp_path_factory.mktemp("map"), "--admin-port", "0") as server:
        yield server


@pytest.fixture
def origin(server):
    return f"http://{server.address}"


def begin(browser, window, origin, mode):
    """Begins a game for two as a practice walk; returns the symbols of its room."""
    symbols = make_room(window, origin, mode, 300, "가람")
    friend = browser.window("a friend", DESKTOP, ENGLISH)
    friend.context.add_init_script(NO_WEBGL)
    before = count_bytes(friend)
    join(friend, f"{origin}/j/{symbols}", "Robin")
    check(not before, f"no lobby waits for the map: {list(before)}")
    window.page.check("#lobby-positions input[value=practice]", force=True)
    window.page.click("#start")
    window.see("#ground")
    return symbols


def wait_until(window, holds):
    """Asks in each frame; the pages' policy lets no text be evaluated in them."""
    script = f"() => new Promise((resolve) => {{ const holds = {holds};"
    window.page.evaluate(f"{script} const look = () => (holds() ? resolve() : requestAnimationFrame(look)); look(); }})")


def wait_for_streets(window):
    wait_until(window, STREETS_DRAWN)


@pytest.fixture
def opened(chromium):
    """Opens windows whose log may say that a screenshot waits for WebGL: with opened(part) as ..."""

    @contextlib.contextmanager
    def opened(part):
        with Browser(part, chromium) as browser:
            yield browser
            for window in browser.windows:
                window.forget("GPU stall due to ReadPixels")

    return opened


def count_bytes(window):
    """The bytes of the map that the page and its worker load, by their paths."""
    loaded = {}

    def note(response):
        path = "/" + response.url.split("/", 3)[3]
        if path.startswith(("/tiles/", "/map/")) or "/street-" in path:
            loaded[path] = int(response.headers.get("content-length", 0))

    window.context.on("response", note)
    return loaded


@pytest.mark.parametrize("name, settings", [("phone", (PHONE, KOREAN)), ("desktop", (DESKTOP, ENGLISH, DARK))])
def test_maps_come_behind_the_lobby_are_small_and_rest_with_the_player(opened, origin, name, settings):
    with opened(f"map-{name}") as browser:
        window = browser.window(f"the walker on a {name}", *settings)
        window.context.add_init_script(COUNT)
        loaded = count_bytes(window)
        begin(browser, window, origin, "TERRITORY")
        wait_for_streets(window)
        expect(window.find(".streets-credit")).to_have_text(CREDIT)
        window.see(".streets canvas")
        window.page.evaluate(COME_TO_REST)
        check(window.find("#ground").evaluate(CLEAR_SHARE) > 0.5, "the streets are seen")
        window.picture(f"map-1-{name}")
        before = window.page.evaluate("({ ...draws })")
        window.walk("KeyD", 3)
        after = window.page.evaluate(COME_TO_REST)
        check(after["streets"] > before["streets"], "the streets move with the player")
        for _ in range(3):
            window.page.click("#zoom-out")
        window.page.evaluate(COME_TO_REST)
        window.picture(f"map-2-{name}")
        print(f"the map on a {name}: {sum(loaded.values())} bytes in {len(loaded)} files", flush=True)
        check(sum(loaded.values()) < MAP_BYTES_MAX, f"the map is {loaded}")


def test_maps_on_a_weak_network_are_drawn_for_the_first_time_and_again(opened, origin):
    """Measures alone: from the tap that starts the game, and from a reload of its page."""
    with opened("maps-weak") as browser:
        phone = browser.window("a phone", PHONE, ENGLISH)
        symbols = make_room(phone, origin, "FOOTPRINT", 300, "가람")
        join(browser.window("a friend", DESKTOP, ENGLISH), f"{origin}/j/{symbols}", "Robin")
        phone.page.check("#lobby-positions input[value=practice]", force=True)
        devtools = phone.context.new_cdp_session(phone.page)
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", WEAK)
        for way, act in (("cold", lambda: phone.page.click("#start")), ("warm", phone.page.reload)):
            began = time.monotonic()
            act()
            phone.see("#ground")
            wait_for_streets(phone)
            print(f"{way}: streets are drawn {time.monotonic() - began:.1f} s after it", flush=True)


def test_maps_change_between_light_and_dark(opened, origin):
    with opened("map-colours") as browser:
        window = browser.window("the walker at dusk", DESKTOP, KOREAN)
        begin(browser, window, origin, "FOOTPRINT")
        wait_for_streets(window)
        window.page.emulate_media(color_scheme="dark")
        window.picture("map-3-dusk")
        window.see(".streets canvas")


def test_maps_are_missed_by_nobody_without_webgl(opened, origin):
    """The plain ground, without an error and without the map's makers."""
    with opened("map-without-webgl") as browser:
        window = browser.window("a browser without WebGL", DESKTOP, ENGLISH)
        window.context.add_init_script(NO_WEBGL)
        begin(browser, window, origin, "TERRITORY")
        wait_until(window, LIBRARY_LOADED)
        expect(window.find(".streets")).to_have_count(0)
        window.walk("KeyD", 2)
        check(window.find("#ground").evaluate(CLEAR_SHARE) == 0, "the ground is drawn whole")
        window.picture("map-4-without-webgl")


def test_maps_are_under_an_operator_s_room_and_are_left_with_it(opened, serve):
    """On a server of its own: no other room is busier."""
    server = serve("--admin-port", "0")
    origin = f"http://{server.address}"
    with opened("map-console") as browser:
        operator = open_console(browser, server.admin, "the operator", DESKTOP, ENGLISH)
        host = browser.window("the host", PHONE, KOREAN)
        symbols = begin(browser, host, origin, "FOOTPRINT")
        wait_for_streets(host)
        host.walk("KeyD", 3)
        go(operator, "rooms")
        operator.page.fill(".filter", symbols.lower())
        code = f"{symbols[:5]}-{symbols[5:]}"
        operator.find("#view tbody tr a", has_text=code).click()
        expect(operator.find(".room h1")).to_have_text(code)
        wait_for_streets(operator)
        expect(operator.find(".streets-credit")).to_have_text(CREDIT)
        operator.picture("map-5-console")
        # A room that is left keeps no map.
        go(operator, "rooms")
        expect(operator.find(".streets")).to_have_count(0)
        # The wall's large room has it too, and so has the map of places.
        operator.page.evaluate("location.hash = '#/wall'")
        expect(operator.find(".wall-large h2")).to_have_text(code)
        operator.see(".wall-large .streets canvas")
        expect(operator.find(".wall-large .streets-credit")).to_have_text(CREDIT)
        operator.picture("map-5-console-wall")
        operator.page.evaluate(f"location.hash = '#/places?{AT_THE_HARBOUR}'")
        expect(operator.find(".wall")).to_have_count(0)
        operator.see(".streets canvas")
        expect(operator.find(".streets-credit")).to_be_visible()
        operator.picture("map-5-console-places")
        go(operator, "rooms")
        expect(operator.find(".streets")).to_have_count(0)


def test_maps_are_under_lands_and_past_games(opened, origin, server, tmp_path):
    """On a phone, by day and at dusk: a land that is run around, and its final map among the player's past games."""
    solo_runs.import_lands(server, tmp_path, HARBOUR, METRES_THERE)
    for name, settings in (("day", (PHONE, KOREAN)), ("dusk", (PHONE, ENGLISH, DARK))):
        with opened(f"map-lands-{name}") as browser:
            window = browser.window(f"who runs by {name}", *settings)
            solo_runs.come_in(window, origin, f"Runner {name}")
            window.page.check("#runs-positions input[value=practice]", force=True)
            window.page.click("#look")
            expect(window.find("#lands li")).to_have_count(2)
            wait_for_streets(window)
            window.find(".lands-map").scroll_into_view_if_needed()
            window.picture(f"map-7-lands-{name}")
            window.page.click("#land-run")
            window.see("#run-panel")
            solo_runs.run_around(window)
            window.page.goto(f"{origin}/me")
            window.page.click("#history a")
            window.see(".track-canvas")
            wait_for_streets(window)
            window.find(".track").scroll_into_view_if_needed()
            window.picture(f"map-8-past-{name}")


def test_maps_are_under_a_big_screen_and_under_a_game_behind_a_link(opened, origin):
    """By day and at dusk; both rest when nothing moves."""
    with opened("map-screen") as browser:
        host = browser.window("the host", PHONE, KOREAN)
        symbols = begin(browser, host, origin, "TERRITORY")
        screens = [
            browser.window("the screen by day", DESKTOP, ENGLISH),
            browser.window("the screen at dusk", DESKTOP, KOREAN, DARK),
        ]
        for screen in screens:
            see_streets(screen, f"{origin}/screen/{symbols}", "#ground", "map-9-screen")
        tracks.walk_around(host)
        for screen in screens:
            screen.page.evaluate(COME_TO_REST)
            screen.picture(f"map-9-taken-{screen.name.split()[-1]}")
        # A game of five minutes ends when all but one have left.
        browser.windows[1].page.click(".leave.in-play")
        host.see(".track-canvas")
        address = tracks.share(host)
        for name, settings in (("day", (PHONE, KOREAN)), ("dusk", (DESKTOP, ENGLISH, DARK))):
            seen = browser.window(f"who follows the link by {name}", *settings)
            see_streets(seen, address, ".track-canvas", "map-9-link")


def see_streets(window, address, canvas, picture):
    """Opens an address, and sees streets below a canvas, and whose they are; all comes to rest."""
    window.context.add_init_script(COUNT)
    window.page.goto(address)
    window.see(canvas)
    wait_for_streets(window)
    window.see(".streets canvas")
    expect(window.find(".streets-credit")).to_have_text(CREDIT)
    expect(window.find(".streets-credit")).to_be_visible()
    window.page.evaluate(COME_TO_REST)
    check(window.find(canvas).evaluate(THROUGH_SHARE) > 0.5, "the streets are seen")
    window.forget("willReadFrequently")
    window.picture(f"{picture}-{window.name.split()[-1]}")


def test_maps_under_a_crowd_of_two_hundred(opened, origin):
    """Printed, not checked."""
    with opened("map-crowd") as browser:
        host = browser.window("whose room it is", DESKTOP, KOREAN)
        symbols = make_room(host, origin, "FOOTPRINT", 300, "가람")
        window = browser.window("the crowd on streets", PHONE, KOREAN)
        window.page.goto(f"{origin}/j/{symbols}")
        window.see("#enter")
        on_streets = CROWD.replace("375655000", "601713000").replace("1269780000", "249442000")
        figures = window.page.evaluate(on_streets.replace("map.start();", "map.hasStreets = true; map.start();"))
        print(f"200 players on streets: {figures['perSecond']:.0f} frames a second, {figures['busyMs']:.1f} ms", flush=True)
        window.see(".streets canvas")
        window.picture("map-6-crowd")


def test_maps_under_a_crowd_cost_little_script_a_frame(opened, origin):
    """The work of each frame has a bound; its time is printed."""
    with opened("map-frames") as browser:
        host = browser.window("whose room it is", DESKTOP, KOREAN)
        frame_times.time_frames(browser, origin, make_room(host, origin, "FOOTPRINT", 300, "가람"))
