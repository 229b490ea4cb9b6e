"""The map's speed with a room of two hundred, each of whom has moved and left footprints. Printed, not checked."""
from browser import DESKTOP, KOREAN, PHONE

CROWD = """
async () => {
  const play = document.querySelector('script[type=module]').src;
  const { GroundMap } = await import(play.replace(/[^/]*$/, 'map.js'));
  document.body.dataset.view = 'play';
  document.querySelector('#play').hidden = false;
  document.querySelector('#enter').hidden = true;
  const map = new GroundMap(document.querySelector('#ground'));
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
