"""The own path and the end of a game, over a made-up one: a change of the language keeps the path and its hint, an end of the
path takes both away, and the winner has a moment that the others have not."""
from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, PHONE, check
from feel import STILL, play, until

# Counts the frames of the ground with the own open path, and of those the ones with the disc around its start.
DRAWN = """
window.drawn = { lines: 0, discs: 0 };
const { arc, fill, stroke } = CanvasRenderingContext2D.prototype;
let radius = 0;
CanvasRenderingContext2D.prototype.arc = function (...given) { radius = given[2]; return arc.apply(this, given); };
CanvasRenderingContext2D.prototype.fill = function (...given) {
  if (this.canvas.id === 'ground' && radius > 40) drawn.discs += 1;
  return fill.apply(this, given);
};
CanvasRenderingContext2D.prototype.stroke = function (...given) {
  if (this.canvas.id === 'ground' && this.lineWidth === 4 && Math.abs(this.globalAlpha - 0.9) < 0.01) drawn.lines += 1;
  return stroke.apply(this, given);
};
window.forgetDrawn = () => Object.assign(drawn, { lines: 0, discs: 0 });
"""
# Notes the pulses of the phone, and whether paper has fallen for a winner.
NOTED = """
window.pulses = [];
Object.defineProperty(Navigator.prototype, 'vibrate', { value: (pulse) => pulses.push(pulse.join(' ')) });
window.showers = 0;
new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
  if (node.classList?.contains('shower')) showers += 1;
}))).observe(document, { childList: true, subtree: true });
"""
# Notes each toast.
TOASTS = """
window.toasts = [];
new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
  if (node.classList?.contains('toast')) toasts.push(node.textContent);
}))).observe(document, { childList: true, subtree: true });
"""
OWN = "This ground is yours already: walk out of it to take more"
WON = "80 60 80 60 160"


def keep_the_path(browser, address):
    """The path and its hint stay through changes of the language, and end with the path."""
    game, window = play(browser, address, [(0, 0), (300, 0)], PHONE, KOREAN, spy=DRAWN)
    game.go(0, 0, 0)
    game.tell("path", {"state": "OPEN"}, 0)
    for x, y in ((20, 0), (40, 0), (60, 0), (60, 20)):
        game.go(0, x, y)
    until(window, "drawn", lambda drawn: drawn["lines"] > 0 and drawn["discs"] > 0)
    for language in ("English", "Korean"):
        window.page.click("#language")
        window.page.evaluate("forgetDrawn()")
        game.go(0, 60, 21 if language == "English" else 22)
        until(window, "drawn", lambda drawn: drawn["lines"] > 0 and drawn["discs"] > 0)
    game.tell("path", {"state": "DROPPED", "reason": "TOO_LONG"}, 0)
    expect(window.find(".toast", has_text="길이 너무 오래되어")).to_be_visible()
    window.page.click("#language")
    window.page.evaluate("forgetDrawn()")
    walk_until_drawn(window, game)
    drawn = window.page.evaluate("drawn")
    check(drawn == {"lines": 0, "discs": 0}, f"a path that has ended is drawn no more: {drawn}")


def walk_until_drawn(window, game):
    """Moves the player until the ground has drawn them at a new place."""
    before = window.page.evaluate("document.querySelector('#ground').toDataURL()")
    game.go(0, 80, 40)
    until(window, "document.querySelector('#ground').toDataURL()", lambda now: now != before)


def walk_own_ground(browser, address):
    """A player who walks on their own ground, where no path opens, is told so once; with an open path nothing is said."""
    game, window = play(browser, address, [(0, 0), (300, 0)], PHONE, ENGLISH, STILL, spy=TOASTS)
    game.capture(0, 9)
    game.tell("path", {"state": "OPEN"}, 0)
    walk(game)
    game.tell("path", {"state": "TAKEN"}, 0)
    walk(game)
    walk(game)
    # Another path, and a stay at home anew. A loop tells something else in between.
    game.tell("path", {"state": "OPEN"}, 0)
    walk(game)
    game.tell("path", {"state": "LOOPED", "areaM2": 30}, 0)
    game.tell("path", {"state": "TAKEN"}, 0)
    walk(game)
    until(window, "toasts", lambda toasts: toasts[-1] == OWN and len(toasts) > 2)
    window.picture("feel-5-own-ground")
    toasts = window.page.evaluate("toasts")
    check([text == OWN for text in toasts] == [False, True, False, True], f"it is told once for each stay: {toasts}")


def walk(game):
    """A way of 140 m to and fro."""
    for step in range(8):
        game.go(0, -10 if step % 2 else 10, 0)


def end_a_game(browser, address):
    """A game ends: paper falls for the winner's page and the others', and only the winner's phone pulses as for a win."""
    game, winner, other = play(browser, address, [(0, 0), (300, 0)], DESKTOP, ENGLISH, seats=(0, 1), spy=NOTED)
    for window in (winner, other):
        # Pulses and sounds come behind a touch.
        window.page.mouse.click(640, 400)
    game.capture(0, 4)
    until(winner, "pulses", lambda pulses: pulses == ["60"])
    game.tell("badge", {"badge": "FIRST_WIN"}, 0)
    until(winner, "pulses", lambda pulses: pulses == ["60", "30 40 30"])
    rows = [
        {"seat": seat, "playerId": game.walker(seat).id, "nickname": game.walker(seat).nickname,
         "points": game.walker(seat).points, "rank": seat + 1, "won": seat == 0, "completed": True}
        for seat in (0, 1)
    ]
    game.tick(events=[{"phase": {"phase": "ENDED", "board": rows}}])
    for window in (winner, other):
        window.see("#result")
        until(window, "showers", lambda showers: showers == 1)
    until(winner, "pulses.at(-1)", lambda pulse: pulse == WON)
    check(WON not in other.page.evaluate("pulses"), "the other has not won")
