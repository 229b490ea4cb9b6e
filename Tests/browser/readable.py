"""Pages that are read in the sun and used with one thumb: contrast of texts, sizes of texts and of controls, and no motion
for who asked for none."""
from playwright.sync_api import expect

from browser import DARK, ENGLISH, KOREAN, PHONE, check
from page_checks import check_readable
from rooms import join, make_room

SMALL = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
STILL = {"reduced_motion": "reduce"}


def play_readably(browser, origin):
    """Each view of a game, light and dark, in both languages, on phones' sizes; one of three players is away."""
    host = browser.window("the host in the sun", PHONE, KOREAN)
    guest = browser.window("the guest at night", SMALL, ENGLISH, DARK, STILL)
    symbols = make_room(host, origin, "TERRITORY", 60, "다솜")
    guest.page.goto(f"{origin}/j/{symbols}")
    guest.see("#enter")
    check_readable(guest, "the entrance")
    join(guest, f"{origin}/j/{symbols}", "Robin")
    leave_with_a_seat(browser, f"{origin}/j/{symbols}")
    for window in (host, guest):
        expect(window.find("#lobby-players .held")).to_have_count(1)
        check_readable(window, "the lobby")
        window.picture(f"readable-lobby-{window.name.split()[-1]}")
        check_sheets(window)
    host.page.click("#start")
    for window in (host, guest):
        window.see("#ground")
        window.see("#sound")
        expect(window.find("#standings li")).to_have_count(3)
        expect(window.find("#standings .held")).to_have_count(1)
        check_readable(window, "the game")
        window.picture(f"readable-game-{window.name.split()[-1]}")
    check_switch(host)
    for window in (host, guest):
        window.see("#result", within_s=90)
        check_readable(window, "the result")
        window.picture(f"readable-result-{window.name.split()[-1]}")
    expect(guest.find(".shower")).to_be_hidden()


def leave_with_a_seat(browser, address):
    """A third player joins and is away from then on."""
    away = browser.window("who is away", PHONE, KOREAN)
    join(away, address, "나들이")
    away.context.close()
    browser.windows.remove(away)


def check_sheets(window):
    """The chat, everybody in the room, and what one can do about one of them."""
    window.page.click("#chat-open")
    window.see("#chat")
    check_readable(window, "the chat")
    window.page.click("#chat-people")
    window.see(".people-sheet")
    expect(window.find(".people-sheet .held")).to_have_count(1)
    check_readable(window, "the list of everybody")
    window.picture(f"readable-people-{window.name.split()[-1]}")
    window.find(".people-sheet .more").first.click()
    window.see(".player-sheet")
    check_readable(window, "what one can do about a player")
    window.picture(f"readable-player-{window.name.split()[-1]}")
    for sheet in (".player-sheet", ".people-sheet"):
        window.page.keyboard.press("Escape")
        expect(window.find(sheet)).to_be_hidden()
    window.page.click("#chat-close")
    expect(window.find("#chat")).to_be_hidden()


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
