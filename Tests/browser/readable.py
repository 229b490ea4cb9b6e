"""Pages that are read in the sun and used with one thumb: contrast of texts, sizes of texts and of controls, and no motion
for who asked for none."""
from playwright.sync_api import expect

from browser import DARK, ENGLISH, KOREAN, PHONE, check
from page_checks import check_readable
from rooms import join, make_room

SMALL = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
STILL = {"reduced_motion": "reduce"}


def play_readably(browser, origin):
    """Each view of a game, light and dark, in both languages, on phones' sizes."""
    host = browser.window("the host in the sun", PHONE, KOREAN)
    guest = browser.window("the guest at night", SMALL, ENGLISH, DARK, STILL)
    symbols = make_room(host, origin, "TERRITORY", 60, "다솜")
    guest.page.goto(f"{origin}/j/{symbols}")
    guest.see("#enter")
    check_readable(guest, "the entrance")
    join(guest, f"{origin}/j/{symbols}", "Robin")
    check_readable(host, "the lobby")
    check_readable(guest, "the lobby")
    host.page.click("#start")
    for window in (host, guest):
        window.see("#ground")
        window.see("#sound")
        expect(window.find("#standings li")).to_have_count(2)
        check_readable(window, "the game")
        window.picture(f"readable-game-{window.name.split()[-1]}")
    check_switch(host)
    for window in (host, guest):
        window.see("#result", within_s=90)
        check_readable(window, "the result")
        window.picture(f"readable-result-{window.name.split()[-1]}")
    expect(guest.find(".shower")).to_be_hidden()


def check_switch(window):
    """Sound is on, is turned off, and stays so over a reload."""
    expect(window.find("#sound")).to_have_attribute("aria-pressed", "true")
    window.page.click("#sound")
    expect(window.find("#sound")).to_have_attribute("aria-pressed", "false")
    window.page.reload()
    window.see("#sound")
    expect(window.find("#sound")).to_have_attribute("aria-pressed", "false")


# A map of its own on the page: a player takes a step of ten metres while the map follows them. The answer has all places
# at which the player was drawn, and all middles of the map, in metres from the first.
STEP = """async () => {
  const { GroundMap } = await import(new URL("map.js", document.querySelector("script[type=module]").src));
  const canvas = document.createElement("canvas");
  canvas.style.cssText = "position: fixed; inset: 0; width: 200px; height: 200px";
  document.body.append(canvas);
  const map = new GroundMap(canvas);
  const drawn = [];
  map.layer = ({ centre }) => drawn.push([map.actors.where(0).x, centre.x]);
  map.place(0, { latE7: 0, lngE7: 0 });
  map.follow(0);
  map.start();
  const until = (x) => new Promise((done) => {
    const look = () => {
      const [at, centre] = drawn.at(-1) ?? [];
      if (Math.abs(at - x) < 0.01 && Math.abs(centre - x) < 0.3) done();
      else requestAnimationFrame(look);
    };
    look();
  });
  await until(0);
  map.place(0, { latE7: 0, lngE7: 898 });
  const end = map.metresOf({ latE7: 0, lngE7: 898 }).x;
  await until(end);
  map.stop();
  canvas.remove();
  return { end, places: drawn.map(([at]) => at), middles: drawn.map(([, centre]) => centre) };
}"""


def step_without_a_glide(browser, origin):
    """Who asked for no motion sees players and the middle of the map where they are, and never on the way."""
    window = browser.window("who asked for no motion", PHONE, KOREAN, STILL)
    window.page.goto(f"{origin}/")
    still = window.page.evaluate(STEP)
    check(still["end"] > 9, f"a step of {still['end']} m")
    check(set(still["places"]) == {0, still["end"]}, f"a player jumps: {still['places']}")
    check(set(still["middles"]) <= {0, still["end"]}, f"the map jumps: {still['middles']}")
    # The same for everybody else: a glide.
    window.page.emulate_media(reduced_motion="no-preference")
    glide = window.page.evaluate(STEP)
    for seen in ("places", "middles"):
        between = [x for x in glide[seen] if 0.1 < x < glide["end"] - 0.4]
        check(len(between) > 0, f"a glide is drawn: {glide[seen]}")
