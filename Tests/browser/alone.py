"""One player alone in the browser: a game against practice opponents, from the start page by what the page says."""
import time

from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, check
from rooms import points, points_of_first

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
    """A newcomer presses the first button, and walks around ground until some is theirs."""
    newcomer = browser.window("the newcomer", DESKTOP, ENGLISH)
    began = time.monotonic()
    newcomer.page.goto(f"{origin}/")
    newcomer.picture("alone-1-start-desktop")
    newcomer.page.get_by_role("button", name="Play now with practice opponents").click()
    newcomer.see("#ground")
    expect(newcomer.find("#standings .mine")).to_be_visible()
    print(f"a game is on {time.monotonic() - began:.1f} s after the start page was asked for", flush=True)
    expect(newcomer.find("#standings li")).to_have_count(4)
    for number in (1, 2, 3):
        expect(newcomer.find("#standings li", has_text=f"Practice {number}")).to_have_count(1)
    # Three sides of a square, and down over the first one.
    for east, north, seconds in ((1, 0, 5), (0, 1, 5), (-1, 0, 3), (0, -1, 6)):
        pull(newcomer, east, north, seconds)
    expect(newcomer.find("#score-points")).not_to_have_text("0 m²")
    print(f"the first ground is taken {time.monotonic() - began:.1f} s after it", flush=True)
    check(points(newcomer) >= 100, f"ground was taken: {points(newcomer)} m²")
    newcomer.picture("alone-2-taken-desktop")
    newcomer.page.click(".leave.in-play")
    newcomer.see("#home")


def play_to_the_end(browser, origin):
    """A room with practice opponents: the lobby tells of them, the board names them, and nobody has won."""
    player = browser.window("the player", SMALL_PHONE, KOREAN)
    player.page.goto(f"{origin}/")
    player.picture("alone-3-start-small-phone")
    player.page.select_option("#duration", "30")
    player.page.select_option("#fill", "2")
    player.page.select_option("#fill-strength", "HARD")
    player.page.fill("#nickname", "가람")
    player.page.click("#make")
    player.see("#lobby")
    expect(player.find("#lobby-watching")).to_contain_text("연습 상대 2명")
    expect(player.find("#lobby-players li")).to_have_count(1)
    player.page.check("#lobby-positions input[value=practice]", force=True)
    player.picture("alone-4-lobby-small-phone")
    player.page.click("#start")
    player.see("#ground")
    pull(player, 1, 0, 4)
    player.picture("alone-5-play-small-phone")
    player.see("#result", within_s=90)
    expect(player.find("#result-title")).to_have_text("연습이 끝났어요")
    expect(player.find("#board li")).to_have_count(3)
    expect(player.find("#board li", has_text="연습 상대")).to_have_count(2)
    check(points_of_first(player) > 0, "somebody has walked")
    player.picture("alone-6-result-small-phone")
    player.page.click("#again")
    player.see("#lobby")
    expect(player.find("#lobby-players li")).to_have_count(1)
