"""One player alone in the browser: a game against practice opponents, from the start page by what the page says."""
import time

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, PICTURES, check
from console_window import go, open_console
from rooms import MOMENTS, points, points_of_first

SMALL_PHONE = {"viewport": {"width": 320, "height": 568}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}


def pull(window, east, north, seconds):
    """Pulls the joystick as a walking player does; `east` and `north` are -1, 0 or 1."""
    box = window.find("#stick").bounding_box()
    x, y, reach = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] / 2 - 2
    window.page.mouse.move(x, y)
    window.page.mouse.down()
    window.page.mouse.move(x + east * reach, y - north * reach, steps=3)
    time.sleep(seconds)
    window.page.mouse.up()


def take_first_ground(browser, origin):
    """A newcomer on a desk, and one with a phone that has no position, press the first button, and walk around ground
    until some is theirs. The page says that the receiver is denied and goes on with a practice walk."""
    for name, device in (("desktop", DESKTOP), ("phone", PHONE)):
        newcomer = browser.window(f"the newcomer, {name}", device, ENGLISH)
        began = time.monotonic()
        newcomer.page.goto(f"{origin}/")
        newcomer.picture(f"alone-1-start-{name}")
        newcomer.page.get_by_role("button", name="Play now with practice opponents").click()
        newcomer.see("#ground")
        expect(newcomer.find("#standings .mine")).to_be_visible()
        print(f"{name}: a game is on {time.monotonic() - began:.1f} s after the start page was asked for", flush=True)
        expect(newcomer.find("#standings li")).to_have_count(4)
        for number in (1, 2, 3):
            expect(newcomer.find("#standings li", has_text=f"Practice {number}")).to_have_count(1)
        newcomer.see("#stick")
        # Three sides of a square, and down over the first one.
        for east, north, seconds in ((1, 0, 5), (0, 1, 5), (-1, 0, 3), (0, -1, 6)):
            pull(newcomer, east, north, seconds)
        expect(newcomer.find("#score-points")).not_to_have_text("0 m²")
        print(f"{name}: the first ground is taken {time.monotonic() - began:.1f} s after it", flush=True)
        check(points(newcomer) >= 100, f"ground was taken: {points(newcomer)} m²")
        newcomer.picture(f"alone-2-taken-{name}")
        newcomer.page.click(".leave.in-play")
        newcomer.see("#home")
        newcomer.forget("geolocation", "Geolocation", "location provider")


def come_around_too_near(browser, origin):
    """A square that never was 30 m away from its start is walked around, and the page says why it is nobody's."""
    walker = browser.window("who comes around", PHONE, KOREAN)
    walker.page.goto(f"{origin}/")
    walker.page.click("#quick")
    walker.see("#ground")
    expect(walker.find("#standings .mine")).to_be_visible()
    walker.page.keyboard.down("Shift")
    for key, seconds in (("KeyD", 3.6), ("KeyW", 3), ("KeyA", 3)):
        walker.walk(key, seconds)
    walker.page.keyboard.up("Shift")
    # Slowly beside the start, before the first side is crossed.
    walker.page.keyboard.down("KeyS")
    expect(walker.find(".toast", has_text="30 m")).to_be_visible()
    walker.page.keyboard.up("KeyS")
    walker.picture("alone-7-too-near-phone")
    expect(walker.find("#score-points")).to_have_text("0 m²")


def see_opponents(window, name, rows="#standings"):
    """Two practice opponents have diamonds for marks, and their names say what they are; the player has a dot."""
    expect(window.find(f"{rows} li:has(.dot.walker)")).to_have_count(2)
    expect(window.find(f"{rows} li:has(.dot:not(.walker))")).to_have_count(1)
    for number in (1, 2):
        expect(window.find(f"{rows} li:has(.dot.walker)", has_text=f"{name} {number}")).to_have_count(1)
    # The mark is a diamond.
    expect(window.find(f"{rows} .dot.walker").first).to_have_css("rotate", "45deg")


def see_by_the_console(browser, admin, code):
    """Operators see the marks in the list of the members and on the map, and the names in their language."""
    operator = open_console(browser, admin, "the operator", DESKTOP, KOREAN)
    go(operator, "rooms")
    operator.page.fill(".filter", code.lower())
    operator.find("#view tbody tr a", has_text=code).click()
    expect(operator.find(".members .dot.walker")).to_have_count(2)
    expect(operator.find(".members tbody tr:has(.dot.walker)", has_text="연습 상대 2")).to_have_count(1)
    # For the picture alone: the map is drawn in the next frames.
    time.sleep(1)
    operator.picture("alone-5-console")
    go(operator, "wall")
    expect(operator.find(".wall-standings .walker").first).to_be_visible()


def see_shared_picture(window):
    """The shared picture lists practice opponents behind the people: their ground is on it too."""
    window.page.evaluate(
        "() => { const { prototype } = CanvasRenderingContext2D; const { fillText } = prototype;"
        " window.written = []; prototype.fillText = function (text, ...place) {"
        " if (this.canvas.width === 1080) window.written.push(text); return fillText.call(this, text, ...place); }; }"
    )
    with window.page.expect_download() as coming:
        window.page.get_by_role("button", name="사진으로 나누기").click()
    written = window.page.evaluate("window.written")
    rows = [text for text in written if text == "가람" or text.startswith("연습 상대")]
    check(rows == ["가람", "연습 상대 1", "연습 상대 2"], f"the picture says {written}")
    check(written.count("–") >= 2, f"practice opponents have no rank: {written}")
    (PICTURES / "alone-7-picture.png").write_bytes(coming.value.path().read_bytes())


def play_to_the_end(browser, origin, admin):
    """A room with practice opponents: the lobby tells of them, the board names them, and nobody has won."""
    player = browser.window("the player", SMALL_PHONE, KOREAN)
    player.page.goto(f"{origin}/")
    player.picture("alone-3-start-small-phone")
    player.page.select_option("#duration", "60")
    player.page.select_option("#fill", "2")
    player.page.select_option("#fill-strength", "HARD")
    player.page.fill("#nickname", "가람")
    player.page.click("#make")
    player.see("#lobby")
    expect(player.find("#lobby-watching")).to_contain_text("연습 상대 2명")
    expect(player.find("#lobby-players li")).to_have_count(1)
    player.page.check("#lobby-positions input[value=practice]", force=True)
    player.picture("alone-4-lobby-small-phone")
    newcomer = browser.window("the newcomer", PHONE, ENGLISH)
    newcomer.page.goto(player.page.url)
    expect(newcomer.find(".invitation-now")).to_have_text("In the lobby: 1 of 8 players, with 2 practice opponents. You play.")
    newcomer.picture("alone-4-invitation-phone")
    newcomer.page.click("#language")
    expect(newcomer.find(".invitation-now")).to_have_text("대기실 · 1/8명, 연습 상대 2명. 바로 함께 놀아요.")
    screen = browser.window("the screen", DESKTOP, ENGLISH, DARK)
    screen.page.goto(player.page.url.replace("/j/", "/screen/"))
    expect(screen.find("#lobby-hint")).to_have_text("Waiting for the start · 2 practice opponents will join")
    screen.page.evaluate(MOMENTS)
    player.page.click("#start")
    player.see("#ground")
    newcomer.page.reload()
    expect(newcomer.find(".invitation-now")).to_contain_text("1/8명, 연습 상대 2명")
    pull(player, 1, 0, 4)
    see_opponents(player, "연습 상대")
    see_opponents(screen, "Practice")
    see_by_the_console(browser, admin, player.find(".bar-code").inner_text())
    player.picture("alone-5-play-small-phone")
    screen.picture("alone-5-screen-dark")
    # Another language renames them at once.
    screen.page.keyboard.press("l")
    see_opponents(screen, "연습 상대")
    player.see("#result", within_s=90)
    see_opponents(player, "연습 상대", "#board")
    screen.see("#podium")
    expect(screen.find("#podium .medal")).to_have_count(3)
    moments = screen.page.evaluate("moments")
    check(any(kind == "count" for kind, _ in moments), "moments were noted")
    leads = [text for _, text in moments if "takes the lead" in text or "1등" in text]
    check(not any("Practice" in text or "연습 상대" in text for text in leads), f"no practice opponent leads: {leads}")
    check("undefined" not in screen.find("#result").inner_text(), "a practice opponent has no rank")
    screen.picture("alone-6-screen-dark")
    player.see(".track-canvas")
    see_opponents(player, "연습 상대", ".track-legend")
    player.find(".track-card").scroll_into_view_if_needed()
    expect(player.find("#result-title")).to_have_text("연습이 끝났어요")
    expect(player.find("#board li")).to_have_count(3)
    expect(player.find("#board li", has_text="연습 상대")).to_have_count(2)
    check(points_of_first(player) > 0, "somebody has walked")
    player.picture("alone-6-result-small-phone")
    see_shared_picture(player)
    # The card of the game speaks the language of now, and stays at its moment.
    player.find(".track-bar input").focus()
    player.page.keyboard.press("Home")
    player.page.click("#language")
    see_opponents(player, "Practice", ".track-legend")
    expect(player.find(".track-card h2")).to_have_text("Map and replay")
    expect(player.find(".track-bar input")).to_have_attribute("aria-valuetext", "0:00")
    player.page.click("#language")
    see_opponents(player, "연습 상대", ".track-legend")
    player.page.click("#again")
    player.see("#lobby")
    expect(player.find("#lobby-players li")).to_have_count(1)
    see_practice_among_the_records(player, origin)


def see_practice_among_the_records(player, origin):
    """The record of a game without another person says that it was practice, and has no rank."""
    player.page.goto(f"{origin}/me")
    game = player.find("#history li")
    expect(game).to_have_count(1)
    for practice, rank in (("연습", "1등"), ("practice", "No. 1")):
        expect(game.locator("small").first).to_contain_text(f" · {practice} · ")
        expect(game).not_to_contain_text(rank)
        player.picture(f"alone-8-records-{practice}")
        player.page.click("#language")
