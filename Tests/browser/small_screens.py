"""The smallest phones, upright and on their side: no text and no button is cut off or covered."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, check
from rooms import hears, join, make_room, say

UPRIGHT = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
ON_ITS_SIDE = {"viewport": {"width": 740, "height": 340}, "has_touch": True, "is_mobile": True}
LONGEST = "가나다라마바사아자차카타파하가나다라마바"
# Each mark is drawn above the one before.
TOWER = "a" + "\u0301" * 150


def play_on_small_screens(browser, origin):
    upright = browser.window("upright", UPRIGHT, ENGLISH)
    sideways = browser.window("on its side", ON_ITS_SIDE, KOREAN, DARK)
    watcher = browser.window("on a desk", DESKTOP, ENGLISH)
    symbols = make_room(upright, origin, "FOOTPRINT", 60, "Host")
    join(sideways, f"{origin}/j/{symbols}", LONGEST)
    join(watcher, f"{origin}/j/{symbols}", "Robin")
    upright.page.click("#start")
    for window in (upright, sideways, watcher):
        window.see("#ground")
        expect(window.find("#standings b")).to_have_count(3)
    for window in (upright, sideways):
        check_nothing_is_covered(window)
        window.picture(f"small-{window.name.replace(' ', '-')}")
    for text in ("above", TOWER):
        say(watcher, text)
    upright.page.click("#chat-open")
    hears(upright, TOWER)
    upright.picture("small-chat")
    check_tower_stays_in_its_line(upright)
    # The sheet is open, and would cover the button at the end of the game, which ends when nobody else plays.
    for window in (sideways, watcher):
        window.page.click(".leave.in-play")
        window.see("#home")
    upright.see("#result", within_s=90)
    expect(upright.find("#chat")).to_be_hidden()
    check_nothing_covers(upright, "#rematch", "#again")
    upright.picture("small-result")
    upright.page.click("#again")
    upright.see("#lobby")


def check_nothing_covers(window, *selectors):
    """Each of them is what a tap meets, at its edges too, and shows its whole text."""
    for selector in selectors:
        fault = window.find(selector).evaluate(
            """(part) => {
              part.scrollIntoView({ block: "nearest" });
              const { left, right, top, bottom } = part.getBoundingClientRect();
              const points = [[left + 9, top + 9], [right - 9, bottom - 9], [(left + right) / 2, (top + bottom) / 2]];
              if (points.some(([x, y]) => !part.contains(document.elementFromPoint(x, y)))) return "covered";
              return part.scrollWidth > part.clientWidth ? "cut" : "";
            }"""
        )
        check(not fault, f"{selector} of {window.name} is {fault}")


def check_nothing_is_covered(window):
    for selector in ("#standings b", ".tools button", "#chat-open", ".brand", ".bar-code", ".bar .leave", "#time", "#score"):
        for number in range(window.find(selector).count()):
            part = window.find(selector).nth(number)
            check(is_whole(part), f"{selector} {number} is cut off or covered on {window.name}")
    lines = window.find(".bar-code").evaluate("(code) => code.getClientRects().length")
    check(lines == 1, f"the code stands in {lines} lines")


def is_whole(part):
    """Whether a visible part is wholly on the screen, and no text or button covers it."""
    return part.evaluate(
        """(part) => {
          const { left, right, top, bottom } = part.getBoundingClientRect();
          if (right === left) return true;
          if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return false;
          const covers = [...document.querySelectorAll(".tools button, #chat-open, #stick, .hud.top .pill, .bar .quiet")];
          return covers.every((other) => {
            if (other === part || other.contains(part) || part.contains(other)) return true;
            const box = other.getBoundingClientRect();
            return box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom;
          });
        }"""
    )


def check_tower_stays_in_its_line(window):
    """The line above looks as it does beside a letter without marks."""
    above, tower = window.find("#chat-lines li").all()
    beside_tower = above.screenshot()
    tower.locator("span").evaluate("(text) => (text.textContent = 'a')")
    check(above.screenshot() == beside_tower, "marks are drawn over the line above")
