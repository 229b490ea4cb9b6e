"""The feel of a game, over a made-up one: sounds and their switch, a theft for both sides, the hint at where a path closes,
ground that grows from there, patterns that tell grounds apart without colours, and names that nothing covers."""
import time

from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, PHONE, WITHIN_S, check
from made_up_play import MadeUpPlay

# Where the made-up game is. The browser's receiver is there too, and the page's own place comes from the game.
AT_HOME = {"permissions": ["geolocation"], "geolocation": {"latitude": 37.5655, "longitude": 126.978, "accuracy": 5}}
WIDE_PHONE = {**PHONE, "viewport": {"width": 800, "height": 800}}
STILL = {"reduced_motion": "reduce"}
# Notes the tones that begin, and each moment with its kind and text.
TOLD = """
window.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { tones.push(this.frequency.value); return start.apply(this, when); };
window.moments = [];
new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
  if (node.classList?.contains('moment')) moments.push([node.classList[1], node.textContent]);
}))).observe(document, { childList: true, subtree: true });
"""
CAPTURE_TONES, THEFT_TONES, OTHER_TONES = [523, 659, 784], [330, 233], [392]


def until(window, script, holds):
    """Asks the page until an answer holds, and returns it."""
    end = time.monotonic() + WITHIN_S
    while not holds(answer := window.page.evaluate(script)):
        check(time.monotonic() < end, f"{window.name}: {script} is still {str(answer)[:200]}")
        window.page.wait_for_timeout(20)
    return answer


def play(browser, address, places, *settings, mode="TERRITORY", seats=(0,), spy=TOLD):
    """A made-up game with players at places, and the windows of some of them."""
    game = MadeUpPlay(mode, places)
    windows = []
    for seat in seats:
        window = browser.window(f"the player of seat {seat}", *settings, AT_HOME)
        window.context.add_init_script(spy)
        game.open(window, address, seat)
        windows.append(window)
    return game, *windows


def hear_a_game(browser, address):
    """A capture of one's own sounds, one of another sounds otherwise, and nothing sounds while sound is off."""
    game, window = play(browser, address, [(0, 0), (300, 0)], DESKTOP, ENGLISH)
    window.page.evaluate("tones.length = 0")
    game.capture(0, 4)
    until(window, "moments.map(([kind]) => kind)", lambda kinds: kinds == ["capture"])
    check(window.page.evaluate("tones") == CAPTURE_TONES, "a capture sounds")
    game.capture(1, 2)
    until(window, "tones", lambda tones: tones == CAPTURE_TONES + OTHER_TONES)
    window.page.click("#sound")
    expect(window.find("#sound")).to_have_attribute("aria-pressed", "false")
    for seat, radius in ((0, 6), (1, 4)):
        game.capture(seat, radius)
    until(window, "moments.length", lambda count: count == 2)
    # The notification of a badge comes behind both.
    game.tell("badge", {"badge": "FIRST_WIN"})
    until(window, "moments.map(([kind]) => kind).at(-1)", lambda kind: kind == "badge")
    check(window.page.evaluate("tones") == CAPTURE_TONES + OTHER_TONES, "nothing sounds while sound is off")
    window.page.click("#sound")
    until(window, "tones.length", lambda count: count > 4)


def steal(browser, address):
    """One takes ground of another: the taker has a capture, the other a theft with what is lost, each with its sound."""
    game, thief, victim = play(browser, address, [(0, 0), (0, 0)], PHONE, ENGLISH, seats=(0, 1))
    game.capture(1, 6)
    until(victim, "moments.length", lambda count: count == 1)
    had = game.walker(1).points
    for window in (thief, victim):
        until(window, "tones.length", lambda count: count > 0)
        window.page.evaluate("tones.length = moments.length = 0")
    gain = game.capture(0, 4)
    lost = had - game.walker(1).points
    check(gain == lost > 0, f"{gain} m² of {lost} are stolen")
    for window, told, tones in (
        (thief, ["capture", f"+{gain:,} m²"], CAPTURE_TONES), (victim, ["theft", f"−{lost:,} m²: stolen!"], THEFT_TONES),
    ):
        until(window, "moments", lambda moments: moments == [told])
        check(window.page.evaluate("tones") == tones, f"{window.name} hears {tones}")
    victim.picture("feel-1-stolen")
    thief.picture("feel-1-taken")


# The disc around the start, as the ground's last frame has filled it: its radius in pixels of the page, and how strongly.
DISC = """
window.disc = null;
const { arc, fill, setTransform } = CanvasRenderingContext2D.prototype;
let radius = 0;
CanvasRenderingContext2D.prototype.arc = function (...given) { radius = given[2]; return arc.apply(this, given); };
CanvasRenderingContext2D.prototype.fill = function (...given) {
  if (this.canvas.id === 'ground' && radius > 40) window.disc = { radius, alpha: this.globalAlpha };
  return fill.apply(this, given);
};
"""


def come_near_the_start(browser, address):
    """The place where a path closes is hinted at once the player has been away, and glows within 15 m."""
    game, window = play(browser, address, [(0, 0), (300, 0)], PHONE, KOREAN, spy=DISC)
    game.go(0, 0, 0)
    game.tell("path", {"state": "OPEN"}, 0)
    game.go(0, 20, 0)
    expect(window.find("#tip")).to_be_visible()
    check(window.page.evaluate("disc") is None, "nothing is hinted at before the player was away")
    for x, y in ((40, 0), (60, 0), (60, 30)):
        game.go(0, x, y)
    far = until(window, "disc", lambda disc: disc is not None and disc["alpha"] < 0.1)
    check(abs(far["radius"] - 15 * 5) < 1, f"the path closes within 15 m: {far}")
    window.picture("feel-2-away")
    # In between, and within 15 m.
    game.go(0, 30, 0)
    until(window, "disc.alpha", lambda alpha: 0.1 < alpha < 0.3)
    game.go(0, 10, 8)
    until(window, "disc.alpha", lambda alpha: alpha > 0.34)
    window.picture("feel-2-near")


# The colour of the ground's canvas at places in metres east and north of its middle, at the scale of a new game.
COLOURS = """
(places) => {
  const canvas = document.querySelector('#ground');
  const ratio = canvas.width / canvas.clientWidth;
  const context = canvas.getContext('2d');
  return places.map(([x, y]) => {
    const { data } = context.getImageData(canvas.width / 2 + x * 5 * ratio, canvas.height / 2 - y * 5 * ratio, 1, 1);
    return [...data.slice(0, 3)].join(' ');
  });
}
"""
# Places within the captured ground: near the closing point, and far from it. None is on a line of the grid.
NEAR, FAR = (-12, 13), (-42, 3)


def colours(window, *places):
    return window.page.evaluate(COLOURS, places)


def take_ground_slowly(browser, address):
    """Captured ground grows from the closing point; for who asked for no motion it is there at once."""
    seen = {}
    for name, settings in (("moving", ()), ("still", (STILL,))):
        game = MadeUpPlay("TERRITORY", [(0, 0), (65, 65)])
        game.claim(1, 65, 65, 1)
        window = browser.window(f"the taker, {name}", WIDE_PHONE, KOREAN, AT_HOME, *settings)
        window.page.clock.install()
        game.open(window, address, 0)
        # Ground that was there is drawn: the next comes as new ground.
        until(window, f"({COLOURS})([[62, 63], [-42, 33]])", lambda seen: seen[0] != seen[1])
        window.page.clock.pause_at(window.page.evaluate("Date.now()") / 1_000 + 5)
        game.go(0, 0, 0)
        window.page.clock.run_for(3_000)
        before = colours(window, NEAR, FAR)
        game.capture(0, 5)
        expect(window.find(".toast", has_text="m²")).to_be_visible()
        frames = []
        for _ in range(80):
            window.page.clock.run_for(16)
            frames.append(colours(window, NEAR, FAR))
            if len(frames) == 14:
                window.picture(f"feel-3-growing-{name}")
        first = [next((index for index, frame in enumerate(frames) if frame[place] != before[place]), None) for place in (0, 1)]
        check(None not in first, f"both places are taken: {first}")
        seen[name] = first
        window.picture(f"feel-3-taken-{name}")
        window.forget("willReadFrequently")
    near, far = seen["moving"]
    check(near < far, f"ground grows from the closing point: {seen}")
    near, far = seen["still"]
    check(near == far, f"ground is there at once: {seen}")


# How strongly each of the squares differs from its most common colour, from 0 to 1 in each pixel; a square is one repetition
# of a pattern, sixteen pixels of the page. Places are in metres east and north of the canvas's middle.
SQUARES = """
([places, scale]) => {
  const canvas = document.querySelector('#ground');
  const ratio = canvas.width / canvas.clientWidth;
  const size = 16 * ratio;
  const context = canvas.getContext('2d');
  return places.map(([x, y]) => {
    const left = Math.round(canvas.width / 2 + x * scale * ratio - size / 2);
    const top = Math.round(canvas.height / 2 - y * scale * ratio - size / 2);
    const { data } = context.getImageData(left, top, size, size);
    const lights = Array.from({ length: size * size }, (_, pixel) => data[pixel * 4] + data[pixel * 4 + 1] + data[pixel * 4 + 2]);
    const counts = new Map();
    for (const light of lights) counts.set(light, (counts.get(light) ?? 0) + 1);
    const [plain] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most));
    return lights.map((light) => Math.min(1, Math.abs(light - plain) / 60));
  });
}
"""
# Counts what is drawn, and resolves once that was nothing for thirty frames.
DRAWS = """
window.draws = 0;
const drawImage = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (...given) { draws += 1; return drawImage.apply(this, given); };
"""
COME_TO_REST = """
() => new Promise((resolve) => {
  let [before, frames] = [draws, 0];
  const look = () => {
    frames = draws === before ? frames + 1 : 0;
    before = draws;
    frames === 30 ? resolve() : requestAnimationFrame(look);
  };
  look();
})
"""
PATTERN_MIN = 0.05
EIGHT = [(x, y) for y in (60, 0, -60) for x in (-60, 0, 60)][:8]
# The page's scale of a new game, after two steps out.
SCALE = 5 / 1.5 / 1.5


def tell_grounds_apart(browser, address):
    """Eight players' grounds have eight patterns, wherever a pattern begins and whatever its colour."""
    game = MadeUpPlay("TERRITORY", [(0, 0), *[(900, 900)] * 7])
    for seat, (x, y) in enumerate(EIGHT):
        game.claim(seat, x, y, 2)
    window = browser.window("who looks at grounds", {**WIDE_PHONE, "device_scale_factor": 2}, KOREAN, AT_HOME)
    window.context.add_init_script(DRAWS)
    game.open(window, address, 0)
    for _ in range(2):
        window.page.click("#zoom-out")
    # Within each ground, and beside the mark of the player in the middle. One ground is plain.
    places = [[x + 18, y + 8] for x, y in EIGHT]
    until(window, f"({SQUARES})([{places}, {SCALE}])", lambda squares: sum(map(any, squares)) >= 7)
    window.page.evaluate(COME_TO_REST)
    squares = window.page.evaluate(SQUARES, [places, SCALE])
    window.picture("feel-4-patterns")
    window.forget("willReadFrequently")
    distances = {(a, b): distance(squares[a], squares[b]) for a in range(8) for b in range(a)}
    check(min(distances.values()) > PATTERN_MIN, f"patterns of two seats are alike: {distances}")


def distance(a, b):
    """The least mean difference of two squares over all shifts of one: they go on beyond their edges."""
    size = round(len(a) ** 0.5)
    rows = [b[row * size:(row + 1) * size] for row in range(size)]
    least = 1.0
    for down in range(size):
        for right in range(size):
            shifted = [light for row in rows[down:] + rows[:down] for light in row[right:] + row[:right]]
            least = min(least, sum(map(lambda x, y: abs(x - y), a, shifted)) / len(a))
    return least


# Notes for each frame which names are covered: by the name or the dot of a mark that is drawn after them.
COVERED = """
window.crowd = { frames: 0, most: 0, covered: [] };
const { roundRect, arc, drawImage } = CanvasRenderingContext2D.prototype;
const box = (left, top, right, bottom) => ({ left, top, right, bottom });
CanvasRenderingContext2D.prototype.roundRect = function (x, y, width, height, ...rest) {
  this.canvas.pill = box(x, y, x + width, y + height);
  return roundRect.call(this, x, y, width, height, ...rest);
};
CanvasRenderingContext2D.prototype.arc = function (x, y, radius, ...rest) {
  this.canvas.dot = box(x - radius, y - radius, x + radius, y + radius);
  return arc.call(this, x, y, radius, ...rest);
};
let drawn = [];
CanvasRenderingContext2D.prototype.drawImage = function (picture, x, y, ...rest) {
  const { pill, dot } = picture;
  const moved = (part) => part && box(part.left + x, part.top + y, part.right + x, part.bottom + y);
  if (this.canvas.id === 'ground' && dot) drawn.push({ pill: moved(pill), dot: moved(dot) });
  return drawImage.call(this, picture, x, y, ...rest);
};
const meet = (a, b) => a && b && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const look = () => {
  const names = drawn.filter(({ pill }) => pill);
  crowd.frames += drawn.length > 0;
  crowd.most = Math.max(crowd.most, names.length);
  drawn.forEach(({ pill }, index) => drawn.slice(index + 1).forEach((after) => {
    if (meet(pill, after.pill)) crowd.covered.push(['name', pill, after.pill]);
    if (meet(pill, after.dot)) crowd.covered.push(['dot', pill, after.dot]);
  }));
  drawn = [];
  requestAnimationFrame(look);
};
look();
"""


def write_names_in_a_crowd(browser, address):
    """Of forty-five players close together many have names, and no name is covered by another or by a dot."""
    places = [(6 * (seat % 9) - 24, 5 * (seat // 9) - 10) for seat in range(45)]
    game, window = play(browser, address, places, DESKTOP, KOREAN, mode="FOOTPRINT", spy=COVERED)
    window.page.evaluate("crowd.covered.length = crowd.most = 0")
    for step in range(12):
        walkers = [walker for walker in game.room.walkers.values() if walker.seat % 3 == step % 3]
        for walker in walkers:
            walker.walk(1)
        game.tick(walkers)
        window.page.wait_for_timeout(150)
    window.picture("feel-5-crowd")
    seen = until(window, "crowd", lambda crowd: crowd["frames"] >= 20)
    check(seen["most"] >= 8, f"names are written: at most {seen['most']}")
    check(not seen["covered"], f"{len(seen['covered'])} names are covered in {seen['frames']} frames: {seen['covered'][:3]}")
