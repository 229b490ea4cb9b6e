"""Solo runs in the browser: a land that an operator has imported is found, run around in practice, and ranked; a walk
without a land goes on over a lost network and is proposed as a land; badges, the week and past games are shown."""
import json
import re
import subprocess
import time

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, check
from cutter import Cutter
from host_acts import SMALLEST, fits
from page_checks import SHIFTS, check_readable, check_shifts
from rooms import join, points

FIRST_LOAD_BYTES_MAX = 60 * 1024
# The place where a practice walk begins without a map, and the metres of a degree there.
LAWN = (126.978, 37.5655)
METRES = (88_154, 111_195)
SIDE_M = 12
RUN_M_S = 4.2


def square(name, north_m=0, start=LAWN, metres=METRES):
    """A land of four sides whose first corner is so far to the north of the start."""
    east, north = (SIDE_M / each for each in metres)
    west, south = start[0], start[1] + north_m / metres[1]
    ring = [[west, south], [west + east, south], [west + east, south + north], [west, south + north], [west, south]]
    return {
        "type": "Feature", "properties": {"name": name},
        "geometry": {"type": "Polygon", "coordinates": [[[round(x, 7), round(y, 7)] for x, y in ring]]},
    }


def import_lands(server, folder, *start):
    """Two lands, one where a practice walk begins; `start` is that place and the metres of its degrees."""
    file = folder / "lands.geojson"
    lands = [square("운동장", 0, *start), square("먼 마당", 900, *start)]
    file.write_text(json.dumps({"type": "FeatureCollection", "features": lands}))
    command = [server.program, "lands", "import", file, "--data", server.data]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    check("2 added" in output, f"imported: {output}")


def come_in(window, origin, nickname):
    """Opens the page as a stranger; returns the bytes that were loaded."""
    loaded = []
    devtools = window.context.new_cdp_session(window.page)
    devtools.send("Network.enable")
    window.context.add_init_script(SHIFTS)
    devtools.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    window.page.goto(f"{origin}/runs")
    window.see("#enter")
    window.page.fill("#nickname", nickname)
    window.page.click("#enter-button")
    window.see("#runs")
    devtools.detach()
    return sum(loaded)


def run_around(window):
    """Runs along the four sides of a land from its first corner, until the run is over."""
    window.page.keyboard.down("Shift")
    for key in ("KeyD", "KeyW", "KeyA"):
        window.walk(key, SIDE_M / RUN_M_S)
    window.page.keyboard.down("KeyS")
    window.see("#result")
    window.page.keyboard.up("KeyS")
    window.page.keyboard.up("Shift")


def run_around_a_land(browser, server, folder):
    origin = f"http://{server.address}"
    import_lands(server, folder)
    runner = browser.window("the runner", SMALLEST, KOREAN)
    loaded = come_in(runner, origin, "가람")
    print(f"{loaded} bytes loaded", flush=True)
    check(5_000 < loaded < FIRST_LOAD_BYTES_MAX, f"the first load is {loaded} bytes")
    # A phone uses its receiver, which this one may not.
    expect(runner.find("#lands-none")).to_contain_text("내 위치를 알 수 없어요")
    runner.page.check("#runs-positions input[value=practice]", force=True)
    runner.page.click("#look")
    expect(runner.find("#lands li")).to_have_count(2)
    expect(runner.find("#lands li").first).to_contain_text("운동장")
    expect(runner.find("#land-name")).to_have_text("운동장")
    expect(runner.find("#land-facts")).to_contain_text("아직 기록 없음")
    expect(runner.find("#land-ranking-none")).to_contain_text("첫 기록을")
    fits(runner, "the page of lands")
    check_readable(runner, "the page of lands")
    check_shifts(runner, "the page of lands")
    runner.picture("runs-1-lands-small")
    runner.find("#land").scroll_into_view_if_needed()
    runner.picture("runs-1-land-small")

    runner.page.click("#land-run")
    runner.see("#run-panel")
    expect(runner.find("#run-best")).to_contain_text("첫 도전!")
    check_readable(runner, "a run")
    runner.picture("runs-2-run-small")
    run_around(runner)
    expect(runner.find("#result-title")).to_contain_text(re.compile(r"기록 0:\d\d\.\d"))
    expect(runner.find("#result-facts")).to_contain_text("1등")
    expect(runner.find("#result-ranking li")).to_have_count(1)
    runner.see(".track-canvas")
    fits(runner, "the result")
    check_readable(runner, "the result of a run")
    runner.picture("runs-3-result-small")

    # Once more: the time to beat is shown; a run that is stopped has no time.
    runner.page.click("#run-again")
    runner.see("#run-panel")
    expect(runner.find("#run-best")).to_contain_text("내 최고 0:")
    runner.page.reload()
    runner.see("#run-panel")
    runner.page.click(".leave.in-play")
    runner.see("#runs")
    expect(runner.find("#land-own li")).to_have_count(1)
    expect(runner.find("#land-ranking li")).to_have_count(1)
    expect(runner.find(".track-card")).to_be_hidden()
    for span in ("THIS_MONTH", "ALL_TIME"):
        runner.page.click(f"[data-span={span}]")
        expect(runner.find(f"[data-span={span}]")).to_have_attribute("aria-pressed", "true")
        expect(runner.find("#land-ranking li")).to_have_count(1)
    see_rank_of_others(browser, origin)
    see_own_records(runner, origin)
    run_with_friends(browser, origin, runner)


def see_rank_of_others(browser, origin):
    """Another player on a desk sees the time, and lands wherever they are."""
    other = browser.window("the other", DESKTOP, ENGLISH, DARK)
    come_in(other, origin, "Jimin")
    expect(other.find("#lands li")).to_have_count(2)
    expect(other.find("#land-ranking li")).to_contain_text("가람")
    expect(other.find("#land-own-none")).to_contain_text("no time here yet")
    other.page.select_option("#within", "0")
    other.page.click("#look")
    expect(other.find("#lands li")).to_have_count(2)
    other.find("#lands button", has_text="먼 마당").click()
    expect(other.find("#land-name")).to_have_text("먼 마당")
    expect(other.find("#land-ranking-none")).to_contain_text("Nobody has a time yet")
    other.find("#lands button", has_text="운동장").click()
    expect(other.find("#land-ranking li")).to_contain_text("가람")
    # For the picture alone: the small map is drawn with its frames.
    time.sleep(0.5)
    other.picture("runs-4-lands-desktop-dark")
    other.page.goto(f"{origin}/me")
    other.see("#me")
    expect(other.find("#history-none")).to_have_text("No game yet")
    expect(other.find("#badges .won")).to_have_count(0)
    check_readable(other, "an empty page of records")
    other.picture("me-2-empty-desktop-dark")


def run_with_friends(browser, origin, host):
    """A room around the land: a friend comes by its code."""
    host.page.goto(f"{origin}/runs")
    host.see("#runs")
    host.page.click("#look")
    expect(host.find("#land-name")).to_have_text("운동장")
    host.page.click("#land-friends")
    host.see("#lobby")
    expect(host.find("#lobby-title")).to_have_text("학교 돌기")
    friend = browser.window("the friend", SMALLEST, ENGLISH)
    join(friend, host.page.url, "Robin")
    host.page.click("#start")
    for window in (host, friend):
        window.see("#ground")
        expect(window.find("#standings li")).to_have_count(2)
        window.picture(f"runs-7-with-friends-{window.name.split()[-1]}")


def see_own_records(window, origin):
    """The badge of the first record, the week's chart by each figure and as a table, and the games."""
    window.page.goto(f"{origin}/me")
    window.see("#me")
    expect(window.find("#badges li")).to_have_count(7)
    expect(window.find("#badges .won")).to_have_count(1)
    expect(window.find("#badges .won")).to_contain_text("기록 1개")
    expect(window.find("#history li")).to_have_count(2)
    expect(window.find("#history li").last).to_contain_text("학교 돌기 · 운동장")
    chart = window.find("#chart svg")
    expect(chart.locator(".bar-of-day")).to_have_count(7)
    for figure, unit in (("timeS", "초"), ("calories", "kcal"), ("distanceM", " m")):
        window.page.click(f"[data-figure={figure}]")
        expect(chart).to_have_attribute("aria-label", re.compile(unit))
        heights = chart.locator(".bar-of-day").evaluate_all("(bars) => bars.map((bar) => Number(bar.getAttribute('height')))")
        check(heights[-1] > 0 and sum(heights[:-1]) == 0, f"today's bar of {figure} alone: {heights}")
    fits(window, "the page of records")
    check_readable(window, "the page of records")
    check_shifts(window, "the page of records")
    window.picture("me-1-records-small")
    window.page.click("#me summary")
    expect(window.find("#week-table tbody tr")).to_have_count(7)
    fits(window, "the table of the week")
    check_readable(window, "the table of the week")
    window.find("#badges").scroll_into_view_if_needed()
    window.picture("me-1-badges-small")
    see_past_games(window)


def see_past_games(window):
    """A past game opens its map with the way by one tap, Back leads to the list, and a game without its track says so."""
    rows = window.find("#history a")
    address = rows.last.get_attribute("href")
    rows.last.click()
    window.see(".track-canvas")
    expect(window.find("#past-title")).to_have_text("학교 돌기 · 운동장")
    expect(window.find("#past-title")).to_be_focused()
    expect(window.find(".track-legend li")).to_have_count(1)
    expect(window.find("#me")).to_be_hidden()
    fits(window, "a past game")
    check_readable(window, "a past game")
    # For the picture alone: the map is drawn in the next frames.
    time.sleep(1)
    window.picture("me-3-past-small")
    # A reload and the other language leave it there.
    window.page.reload()
    window.see(".track-canvas")
    window.page.click("#language")
    expect(window.find("#past-title")).to_have_text("Lands · 운동장")
    window.page.go_back()
    window.see("#me")
    expect(window.find(".track-card")).to_be_hidden()
    expect(window.find("#history li")).to_have_count(2)
    forget_track(window, rows.last.get_attribute("href").removeprefix("#"))
    window.page.goto(window.page.url.split("#")[0] + address)
    window.page.reload()
    expect(window.find(".track-card .hint")).to_have_text("The ways of this game are no longer kept")
    expect(window.find(".track-canvas")).to_have_count(0)
    window.picture("me-4-gone-small")
    window.page.click("#past a")
    window.see("#me")
    expect(window.find("#history li").last.locator("a")).to_be_focused()
    window.page.click("#language")


def forget_track(window, game):
    """From now on the server's answer about a game's track is that it is not kept, as after its days are over."""

    def answer(line):
        def pass_on(message):
            told = json.loads(message)
            if told.get("gameTrack", {}).get("gameId") != game:
                return server.send(message)
            line.send(json.dumps({"replyTo": told["id"], "error": {"code": "TRACK_NOT_KEPT", "message": "not kept"}}))

        server = line.connect_to_server()
        line.on_message(pass_on)

    window.page.route_web_socket("**/v1/play", answer)


def walk_without_a_land(browser, server):
    """A walk of a minute in footprint mode: kept over a lost network, and proposed as a land."""
    host_name, port = server.address.split(":")
    wire = Cutter(host_name, int(port))
    walker = browser.window("the walker", DESKTOP, ENGLISH)
    come_in(walker, f"http://127.0.0.1:{wire.port}", "Robin")
    expect(walker.find("#lands-none")).to_contain_text("There is no land here yet")
    walker.page.select_option("#free-duration", "60")
    walker.picture("runs-5-free-desktop")
    walker.page.click("#free-run")
    walker.see("#ground")
    expect(walker.find("#run-panel")).to_be_hidden()
    walker.page.keyboard.down("Shift")
    walker.walk("KeyD", 5)
    wire.refuse()
    expect(walker.find("#line")).to_be_visible()
    had = points(walker)
    walker.walk("KeyW", 5)
    check(points(walker) == had, "the server knows nothing of the walk")
    wire.admit()
    walker.walk("KeyA", 5)
    walker.walk("KeyS", 5)
    walker.page.keyboard.up("Shift")
    walker.see("#result", within_s=90)
    walked = int(re.sub(r"\D", "", walker.find("#result-title").inner_text()))
    check(walked >= had + 3, f"the walk without a network counts: {had} before, {walked} in the end")
    walker.page.fill("#propose-name", "A new yard")
    walker.page.click("#propose")
    expect(walker.find("#propose-done")).to_contain_text("Proposed:")
    walker.picture("runs-6-proposed-desktop")
    walker.forget("WebSocket", "ERR_", "Failed to load")
