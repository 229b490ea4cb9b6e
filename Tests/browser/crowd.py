"""The map's speed with a room of two hundred, each of whom has moved and left footprints. Printed, not checked. The same with ground."""
from browser import DESKTOP, KOREAN, PHONE, check

CROWD = """
async () => {
  const play = document.querySelector('script[type=module]').src;
  const { GroundMap } = await import(play.replace(/[^/]*$/, 'map.js'));
  const { Labels } = await import(play.replace(/[^/]*$/, 'labels.js'));
  document.body.dataset.view = 'play';
  document.querySelector('#play').hidden = false;
  document.querySelector('#enter').hidden = true;
  const map = new GroundMap(document.querySelector('#ground'));
  map.actors.labels = new Labels();
  const places = [];
  const colour = (seat) => `hsl(${seat * 137} 62% 48%)`;
  for (let seat = 0; seat < 200; seat++) {
    places.push({ latE7: 375655000 + (Math.random() - 0.5) * 12000, lngE7: 1269780000 + (Math.random() - 0.5) * 6000 });
    map.dress(seat, { name: `걷는 이 ${seat}`, colour: colour(seat), isMe: seat === 0 });
    for (let step = 0; step < 80; step++) {
      places[seat].latE7 += (Math.random() - 0.5) * 700;
      places[seat].lngE7 += (Math.random() - 0.5) * 700;
      map.place(seat, places[seat], true);
      map.print(seat, places[seat]);
    }
  }
  map.showAll();
  map.start();
  // Ten ticks a second, a tenth of the room in each, as phones with a fix a second come.
  let tick = 0;
  const timer = setInterval(() => {
    for (let seat = tick++ % 10; seat < 200; seat += 10) {
      places[seat].latE7 += (Math.random() - 0.5) * 500;
      places[seat].lngE7 += (Math.random() - 0.5) * 500;
      map.place(seat, places[seat]);
      map.print(seat, places[seat]);
    }
  }, 100);
  await new Promise((resolve) => setTimeout(resolve, 6000));
  clearInterval(timer);
  return map.figures;
}
"""


# A room of two hundred who hold all of an arena of 2 km, ten of whom take ground each second.
GROUND = """
async () => {
  const play = document.querySelector('script[type=module]').src;
  const { GroundMap } = await import(play.replace(/[^/]*$/, 'map.js'));
  document.body.dataset.view = 'play';
  document.querySelector('#play').hidden = false;
  document.querySelector('#enter').hidden = true;
  const map = new GroundMap(document.querySelector('#ground'));
  const middle = { latE7: 375655000, lngE7: 1269780000 };
  const cells = new Int16Array(400 * 400).fill(-1);
  const take = (seat, column, row, radius) => {
    for (let y = -radius; y <= radius; y++) {
      for (let x = -radius; x <= radius; x++) {
        if (x * x + y * y <= radius * radius && cells[(row + y) * 400 + column + x] !== undefined) cells[(row + y) * 400 + column + x] = seat;
      }
    }
  };
  const colour = (seat) => `hsl(${seat * 137} 62% 48%)`;
  const places = [];
  for (let seat = 0; seat < 200; seat++) {
    places.push({ column: 20 + (seat % 20) * 19, row: 20 + Math.floor(seat / 20) * 39 });
    take(seat, places[seat].column, places[seat].row, 8 + (seat % 7));
    map.dress(seat, { name: `걷는 이 ${seat}`, colour: colour(seat), isMe: seat === 0 });
  }
  const where = ({ column, row }) => ({
    latE7: middle.latE7 + ((row - 200) * 5) / 0.011119508,
    lngE7: middle.lngE7 + ((column - 200) * 5) / 0.011119508 / Math.cos(37.5655 * Math.PI / 180),
  });
  map.setArena({ ...middle, cellM: 5, cells: 400 }, cells, colour);
  for (let seat = 0; seat < 200; seat++) map.place(seat, where(places[seat]), true);
  map.showGround();
  map.start();
  let tick = 0;
  const timer = setInterval(() => {
    for (let seat = tick++ % 10; seat < 200; seat += 10) {
      places[seat].column = Math.max(12, Math.min(387, places[seat].column + Math.round((Math.random() - 0.5) * 6)));
      places[seat].row = Math.max(12, Math.min(387, places[seat].row + Math.round((Math.random() - 0.5) * 6)));
      map.place(seat, where(places[seat]));
    }
    const taker = (tick * 7) % 200;
    take(taker, places[taker].column, places[taker].row, 9);
    map.cellsChanged([[taker, where(places[taker])]]);
  }, 100);
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const figures = map.figures;
  clearInterval(timer);
  // Everything stands still: no frame is drawn.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  const stroke = CanvasRenderingContext2D.prototype.stroke;
  let strokes = 0;
  CanvasRenderingContext2D.prototype.stroke = function (...given) { strokes += 1; return stroke.apply(this, given); };
  await new Promise((resolve) => setTimeout(resolve, 500));
  CanvasRenderingContext2D.prototype.stroke = stroke;
  return { ...figures, strokes };
}
"""


def draw_ground(browser, origin, symbols):
    for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
        window = browser.window(f"ground on a {name}", size, KOREAN)
        window.page.goto(f"{origin}/j/{symbols}")
        window.see("#enter")
        figures = window.page.evaluate(GROUND)
        print(
            f"200 holders on a {name}: {figures['perSecond']:.0f} frames a second, {figures['busyMs']:.1f} ms to draw one",
            flush=True,
        )
        window.picture(f"ground-{name}")
        check(figures["strokes"] == 0, "a still map draws nothing")


def draw_a_crowd(browser, origin, symbols):
    for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
        window = browser.window(f"the crowd on a {name}", size, KOREAN)
        window.page.goto(f"{origin}/j/{symbols}")
        window.see("#enter")
        figures = window.page.evaluate(CROWD)
        print(
            f"200 players on a {name}: {figures['perSecond']:.0f} frames a second, {figures['busyMs']:.1f} ms to draw one",
            flush=True,
        )
        window.picture(f"crowd-{name}")
