"""The big screen as a hall reads it: texts are large, none is cut, and none lies over another, at the two usual sizes of
projectors and with a full room."""
import json

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, check
from page_checks import CONTRAST, check_page

WIDE = {"viewport": {"width": 1280, "height": 720}}
FULL_HD = {"viewport": {"width": 1920, "height": 1080}}
NAMES = ("Robin", "가람", "날쌘 다람쥐", "Merry Hedgehog", "반짝이는 고슴도치", "Bright Raccoon", "용감한 두루미", "Jimin")
PEOPLE = 60

# A 1/45 of the height is read from the end of a hall: 24 pixels of 1080, 16 of 720. A name of more than twelve letters may
# end in an ellipsis. The buttons, which go with the pointer, are not for the hall.
SIZES = """
() => {
  const faults = [];
  const least = innerHeight / 45;
  const seen = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const boxOf = (rect) => ({ left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom });
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const text = node.textContent.trim();
    const element = node.parentElement;
    if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || element.closest(".moment")) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < least) faults.push(`${text.slice(0, 30)}: ${size.toFixed(1)} px of ${innerHeight}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    const isLongName = element.matches("span, b") && text.length > 12;
    for (const rect of range.getClientRects()) {
      // A line is less high than the letters' box.
      const trim = rect.height * 0.18;
      const box = { ...boxOf(rect), top: rect.top + trim, bottom: rect.bottom - trim };
      if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) faults.push(`${text.slice(0, 30)}: beyond the edge`);
      let isCut = false;
      for (let around = element; around; around = around.parentElement) {
        if (getComputedStyle(around).overflowX === "visible") continue;
        const { left, top, right, bottom } = around.getBoundingClientRect();
        if (box.top < top - 1 || box.bottom > bottom + 1) isCut = true;
        if (!isLongName && (box.left < left - 1 || box.right > right + 1)) isCut = true;
        Object.assign(box, { left: Math.max(box.left, left), right: Math.min(box.right, right) });
        Object.assign(box, { top: Math.max(box.top, top), bottom: Math.min(box.bottom, bottom) });
      }
      if (isCut) faults.push(`${text.slice(0, 30)}: cut`);
      seen.push({ what: text.slice(0, 30), element, box });
    }
  }
  for (const picture of document.querySelectorAll("main img")) {
    if (picture.checkVisibility({ visibilityProperty: true })) seen.push({ what: picture.alt, element: picture, box: boxOf(picture.getBoundingClientRect()) });
  }
  for (const [at, one] of seen.entries()) {
    for (const other of seen.slice(at + 1)) {
      if (one.element === other.element) continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const along = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (across > 1 && along > 1) faults.push(`${one.what} and ${other.what}: one over the other`);
    }
  }
  return [...new Set(faults)];
}
"""


def check_sizes(screen, view):
    faults = screen.page.evaluate(SIZES)
    check(not faults, f"{view} of {screen.name}: {faults}")


class FullRoom:
    """The line of a screen, on which the server says that the room is full."""

    def __init__(self, screen):
        screen.page.route_web_socket("**/v1/play", self.begin)

    def begin(self, line):
        server = line.connect_to_server()
        server.on_message(lambda message: line.send(json.dumps(self.filled(json.loads(message)))))
        line.on_message(server.send)

    def filled(self, told):
        room = told.get("room") or told.get("welcome", {}).get("room")
        if room:
            self.fill(room)
        for event in told.get("tick", {}).get("events", []):
            self.fill_phase(event.get("phase", {}))
        return told

    def fill(self, room):
        seats = {player.get("seat") for player in room["players"]}
        free = [seat for seat in range(PEOPLE) if seat not in seats]
        room["players"] += [{"seat": seat, "playerId": f"made-up-{seat}", "nickname": name(seat)} for seat in free]
        room["capacity"] = PEOPLE
        self.fill_phase(room)

    def fill_phase(self, phase):
        board = phase.get("board", [])
        if board:
            phase["board"] = [row(seat) for seat in range(PEOPLE)]


def name(seat):
    return NAMES[seat % len(NAMES)]


def row(seat):
    points = 40_000 // (seat + 1)
    return {"seat": seat, "playerId": f"made-up-{seat}", "nickname": name(seat), "rank": seat + 1, "points": points, "won": seat == 0}


def show_a_full_room(browser, origin):
    """The lobby, the game and the board of a room of sixty on projectors, light and dark, in both languages."""
    host = browser.window("the host", DESKTOP, KOREAN)
    host.page.goto(f"{origin}/")
    host.page.check("input[value=TERRITORY]", force=True)
    host.page.select_option("#duration", "30")
    host.page.select_option("#fill", "1")
    host.page.fill("#nickname", "다솜")
    host.page.click("#make")
    host.see("#lobby")
    screens = [browser.window("the projector of 720", WIDE, ENGLISH), browser.window("the projector of 1080", FULL_HD, KOREAN, DARK)]
    for screen in screens:
        FullRoom(screen)
        screen.page.goto(host.page.url.replace("/j/", "/screen/"))
        expect(screen.find("#lobby-count")).to_have_text(f"{PEOPLE} / {PEOPLE}")
        judge(screen, "a full lobby")
    host.page.click("#start")
    for screen in screens:
        screen.see("#ground")
        expect(screen.find("#standings .rest")).to_be_visible()
        judge(screen, "a full game")
    host.see("#result", within_s=90)
    for screen in screens:
        screen.see("#result", within_s=90)
        expect(screen.find("#podium li")).to_have_count(3)
        expect(screen.find("#board .rest")).to_be_visible()
        judge(screen, "a full board")


def judge(screen, view):
    screen.page.evaluate("Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined))).then(() => 0)")
    screen.picture(f"screen-sizes-{view.split()[-1]}-{screen.name.split()[-1]}")
    check_sizes(screen, view)
    faults = screen.page.evaluate(CONTRAST)
    check(not faults, f"{view} of {screen.name}: {faults}")
    check_page(screen, view)
