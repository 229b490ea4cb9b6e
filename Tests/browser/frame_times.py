"""The script of each frame of a crowd on streets: its work, counted, and its time on the page's thread, taken from a trace.
The work has a bound that holds on every machine; the time is printed. The page's clock is stepped, so the figures don't
hang on how many frames the machine draws; WebGL's drawing is left out, because a machine without a graphics card does it
on the same cores."""
import json

from browser import KOREAN, PHONE, check
from crowd import CROWD

STEPPED = """
// The same crowd in each run.
let lastRandom = 7;
Math.random = () => (lastRandom = (lastRandom * 48271) % 2147483647) / 2147483647;
window.stepping = false;
// The frames that are asked for, by their numbers, which are negative. One that is taken back is not drawn.
const due = new Map();
let lastNumber = 0;
const frame = requestAnimationFrame.bind(window);
const cancel = cancelAnimationFrame.bind(window);
window.requestAnimationFrame = (act) => (stepping ? due.set(--lastNumber, act) && lastNumber : frame(act));
window.cancelAnimationFrame = (number) => (due.delete(number) || cancel(number));
window.drawDue = (now) => {
  for (const [number, act] of [...due]) if (due.delete(number)) act(now);
};
for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced']) {
  const draw = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...rest) { if (!stepping) draw.apply(this, rest); };
}
window.newWork = () => ({ feet: 0, pictures: 0, points: 0, areas: 0, cells: 0, strokes: 0 });
window.work = newWork();
const ellipse = CanvasRenderingContext2D.prototype.ellipse;
CanvasRenderingContext2D.prototype.ellipse = function (...rest) { work.feet += 0.5; ellipse.apply(this, rest); };
const rect = CanvasRenderingContext2D.prototype.rect;
CanvasRenderingContext2D.prototype.rect = function (...rest) { work.feet += 1; rect.apply(this, rest); };
for (const name of ['moveTo', 'lineTo']) {
  const draw = Path2D.prototype[name];
  Path2D.prototype[name] = function (...rest) { work.points += 1; draw.apply(this, rest); };
}
const stroke = CanvasRenderingContext2D.prototype.stroke;
CanvasRenderingContext2D.prototype.stroke = function (...rest) { work.strokes += 1; work.areas += rest.length; stroke.apply(this, rest); };
const create = document.createElement;
document.createElement = function (name, ...rest) { if (name === 'canvas') work.pictures += 1; return create.call(this, name, ...rest); };
"""
STEPS = """
  window.steps = async (count) => {
    stepping = true;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    let clock = performance.now();
    performance.now = () => clock;
    const frames = [];
    for (let number = 1; number <= count; number++) {
      clock += 1000 / 60;
      window.work = newWork();
      // With a pause as between two frames of a page, in which a browser collects garbage.
      await new Promise((resolve) => setTimeout(function drawFrame() { drawDue(clock); resolve(); }, 12));
      frames.push(work);
      if (number % 6 === 0) tickNow();
      // Each scale needs the footprints anew, and the pictures of the marks come anew with new colours of theirs.
      if (number % 200 === 50) map.zoom(1.1);
      if (number % 200 === 150) map.zoom(1 / 1.1);
      if (number === 100) map.actors.repaint();
    }
    // The answer is made in a timer of its own, and not in the last frame.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return frames;
  };
"""
WARM_STEPS = 240
STEPS_COUNT = 600
# A frame goes on with the next sheet of footprints, and draws the newest above the shown one: 150 each at most.
FEET_MAX = 300
# The pictures of players' marks that a frame makes.
PICTURES_MAX = 6


def time_frames(browser, origin, symbols):
    """Checks the work and prints the times with the view behind a walker."""
    window = browser.window("the crowd in a trace", PHONE, KOREAN)
    window.context.add_init_script(STEPPED)
    window.page.goto(f"{origin}/j/{symbols}")
    window.see("#enter")
    script = CROWD.replace("375655000", "601713000").replace("1269780000", "249442000")
    for old, new in (
        ("map.start();", "map.hasStreets = true; map.start(); map.zoom(4); map.follow(0);"),
        ("const timer = setInterval(() => {", "const tickNow = () => {"),
        ("  }, 100);", "  };"),
        ("setTimeout(resolve, 6000)", "setTimeout(resolve, 3000)"),
        ("  clearInterval(timer);\n  return map.figures;", STEPS),
    ):
        check(old in script, f"the crowd's script has {old!r}")
        script = script.replace(old, new)
    window.page.evaluate(script)
    window.see(".streets canvas")
    frames = trace(browser, window)
    feet = [frame["feet"] for frame in frames]
    pictures = [frame["pictures"] for frame in frames]
    print(f"work of a frame: at most {max(feet):.0f} footprints of {sum(feet):.0f}, {max(pictures)} pictures of {sum(pictures)}", flush=True)
    check(max(feet) <= FEET_MAX, f"{max(feet)} footprints in a frame")
    check(max(pictures) <= PICTURES_MAX, f"{max(pictures)} pictures in a frame")
    # Far more than fit into one frame.
    check(sum(feet) > 20 * FEET_MAX and sum(pictures) > 2 * PICTURES_MAX, f"{sum(feet)} footprints and {sum(pictures)} pictures in all")


def trace(browser, window):
    """Steps through the frames of the page in a trace, and prints their times; returns the work of each."""
    window.page.evaluate(f"steps({WARM_STEPS})")
    browser.chromium.start_tracing(page=window.page, categories=["devtools.timeline"])
    frames = window.page.evaluate(f"steps({STEPS_COUNT})")
    events = json.loads(browser.chromium.stop_tracing())["traceEvents"]
    drawn = [event for event in events if is_frame(event)]
    check(len(drawn) == STEPS_COUNT, f"{len(drawn)} frames are in the trace")
    times = sorted(event["tdur"] / 1_000 for event in drawn)
    collections = [event for event in events if event["name"] in ("MinorGC", "MajorGC") and "tdur" in event]
    apart = sorted((event["tdur"] - collected(event, collections)) / 1_000 for event in drawn)
    tell("script of a frame", times)
    tell("collections of garbage apart", apart)
    return frames


def is_frame(event):
    return event["name"] == "FunctionCall" and event["args"].get("data", {}).get("functionName") == "drawFrame"


def collected(frame, collections):
    """The time of the page's thread that a frame's collections of garbage took, microseconds."""
    begin, end = frame["ts"], frame["ts"] + frame["dur"]
    mine = [event for event in collections if event["tid"] == frame["tid"] and begin <= event["ts"] < end]
    return sum(event["tdur"] for event in mine)


def tell(what, times):
    at = lambda share: times[int(share * (STEPS_COUNT - 1))]
    print(f"{what}: median {at(0.5):.2f}, p95 {at(0.95):.2f}, p99 {at(0.99):.2f}, at most {times[-1]:.1f} ms", flush=True)
