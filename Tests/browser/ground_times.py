"""The work and the script of each frame of ground with two hundred holders: ten of them take ground each second, the scale
changes, and all ground comes anew. The page's clock is stepped. The work has a bound that holds on every machine, the ground
never vanishes meanwhile, and nothing is drawn once all work is done; the time is printed."""
from browser import DESKTOP, KOREAN, check
from crowd import GROUND
from frame_times import STEPPED, STEPS, trace

# The cells that a frame looks at, and the points of outlines that it traces: four for each of a thousand corners, and those
# of the corner at which its share is used up.
CELLS_MAX = 40_000
POINTS_MAX = 4 * 1_000 + 4
# The areas that a frame draws on the shown sheet, on the next one, and as they grow.
AREAS_MAX = 3 * 8
# Steps through frames without ticks: the scale changes, then all ground goes to others, then nothing happens. Each frame tells
# its work, and how many of the players' grounds are bare. A player's cells reach four cells around their place and more.
LOOK = """
  map.layer = (shown) => { window.view = shown; };
  map.redraw();
  await new Promise((resolve) => setTimeout(resolve, 500));
  window.look = async (count) => {
    stepping = true;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    let clock = performance.now();
    performance.now = () => clock;
    const context = document.querySelector('#ground').getContext('2d');
    const style = getComputedStyle(document.documentElement);
    const bare = ['ground', 'ground-line', 'ground-strong'].map((name) => style.getPropertyValue(`--${name}`).trim());
    const colourAt = (seat) => {
      const { x, y } = map.actors.where(seat);
      const { data } = context.getImageData((view.x(x) - 15 * view.scale) * view.ratio, (view.y(y) + 15 * view.scale) * view.ratio, 1, 1);
      return `#${[...data.slice(0, 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
    };
    const frames = [];
    for (let number = 1; number <= count; number++) {
      clock += 1000 / 60;
      window.work = newWork();
      if (number === 80) map.zoom(1.1);
      if (number === 160) {
        for (let cell = 0; cell < cells.length; cell++) if (cells[cell] >= 0) cells[cell] = (cells[cell] + 1) % 200;
        map.cellsChanged();
      }
      drawDue(clock);
      const seats = Array.from({ length: 200 }, (_, seat) => seat);
      frames.push({ ...work, bare: seats.filter((seat) => bare.includes(colourAt(seat))).length });
    }
    return frames;
  };
"""
# Counts the cells that are read.
COUNTED = """new Proxy(cells, {
    get: (target, key) => {
      if (typeof key === 'string' && key[0] >= '0' && key[0] <= '9') work.cells += 1;
      return target[key];
    },
  })"""


def open_ground(browser, origin, symbols, name, *changes):
    """A page with the ground of two hundred, whose frames are stepped through."""
    window = browser.window(name, DESKTOP, KOREAN)
    window.context.add_init_script(STEPPED)
    window.page.goto(f"{origin}/j/{symbols}")
    window.see("#enter")
    script = GROUND
    end = script.index("  await new Promise((resolve) => setTimeout(resolve, 6000));")
    script = f"{script[:end]}  await new Promise((resolve) => setTimeout(resolve, 3000));\n{{STEPS}}}}\n"
    for old, new in (("const timer = setInterval(() => {", "const tickNow = () => {"), ("  }, 100);", "  };"), *changes):
        check(old in script, f"the script has {old!r}")
        script = script.replace(old, new)
    window.page.evaluate(script)
    return window


def time_ground(browser, origin, symbols):
    window = open_ground(browser, origin, symbols, "ground in a trace", ("{STEPS}", STEPS))
    frames = trace(browser, window)
    window.picture("ground-frames")
    points = [frame["points"] for frame in frames]
    areas = [frame["areas"] for frame in frames]
    print(f"work of a frame: at most {max(points)} points of {sum(points)}, {max(areas)} areas of {sum(areas)}", flush=True)
    check(max(points) <= POINTS_MAX, f"{max(points)} points are traced in a frame")
    check(max(areas) <= AREAS_MAX, f"{max(areas)} areas are drawn in a frame")
    check(sum(points) > 5 * POINTS_MAX and sum(areas) > 50 * AREAS_MAX, f"{sum(points)} points and {sum(areas)} areas in all")


def keep_ground(browser, origin, symbols):
    """The shown ground stays until the next is ready, and a frame looks at a bounded number of cells."""
    changes = (("cells: 400 }, cells, colour)", f"cells: 400 }}, {COUNTED}, colour)"), ("{STEPS}", LOOK))
    window = open_ground(browser, origin, symbols, "ground that stays", *changes)
    frames = window.page.evaluate("look(300)")
    window.forget("willReadFrequently")
    window.picture("ground-stays")
    cells = [frame["cells"] for frame in frames]
    print(f"at most {max(cells)} cells of {sum(cells)} are looked at in a frame", flush=True)
    check(max(cells) <= CELLS_MAX, f"{max(cells)} cells are looked at in a frame")
    check(sum(cells) >= 400 * 400, f"all cells are looked at: {sum(cells)}")
    check(max(frame["points"] for frame in frames[159:]) > 0, "all ground is traced anew")
    bare = [frame["bare"] for frame in frames]
    check(max(bare) == 0, f"bare ground in some frames: {bare}")
    check(not any(frame["strokes"] for frame in frames[-30:]), f"nothing is drawn when all is done: {frames[-30:]}")
