"""Pages that are read in the sun and used with one thumb: contrast of texts, sizes of texts and of controls, and no motion
for who asked for none."""
from playwright.sync_api import expect

from browser import DARK, ENGLISH, KOREAN, PHONE, check
from page_checks import check_page
from rooms import join, make_room

SMALL = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
STILL = {"reduced_motion": "reduce"}

# WCAG 2.2 AA: 4.5, and 3 for large texts. Whatever lies on the map is taken to lie on its ground.
CONTRAST = """
() => {
  const dot = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (colour) => {
    dot.clearRect(0, 0, 1, 1);
    dot.fillStyle = colour;
    dot.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = dot.getImageData(0, 0, 1, 1).data;
    return { rgb: [red, green, blue], alpha: alpha / 255 };
  };
  const over = ({ rgb, alpha }, below) => rgb.map((value, index) => value * alpha + below[index] * (1 - alpha));
  const root = getComputedStyle(document.documentElement);
  const named = (name) => parse(root.getPropertyValue(name).trim()).rgb;
  const behind = (element) => {
    if (element === null) return named("--back");
    if (element.id === "play") return named("--ground");
    return over(parse(getComputedStyle(element).backgroundColor), behind(element.parentElement));
  };
  const light = (rgb) => {
    const [red, green, blue] = rgb.map((value) => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const faults = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim();
    const element = texts.currentNode.parentElement;
    if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest("option, :disabled, .held, noscript, script, style, template")) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const ink = over(parse(style.color), ground);
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) faults.push(`${text.slice(0, 30)}: contrast ${ratio.toFixed(2)}`);
    if (size < 11) faults.push(`${text.slice(0, 30)}: ${size} px`);
  }
  return [...new Set(faults)];
}
"""

# A thumb needs 44 pixels in a game; elsewhere WCAG's 24 are the least.
SIZES = """
() => [...document.querySelectorAll("button, a[href], input, select, summary")]
  .filter((control) => control.checkVisibility({ visibilityProperty: true }))
  .filter((control) => !control.closest("label") && control.getBoundingClientRect().width > 0)
  .flatMap((control) => {
    const { width, height } = control.getBoundingClientRect();
    const least = document.body.dataset.view === "play" && control.matches("button") ? 44 : 24;
    const name = control.getAttribute("aria-label") || control.textContent.trim();
    const faults = [];
    if (Math.min(width, height) < least - 0.5) faults.push(`${name}: ${Math.round(width)} × ${Math.round(height)}`);
    if (!name && !control.labels?.length && !control.title) faults.push(`a control without a name: ${control.outerHTML.slice(0, 80)}`);
    return faults;
  })
"""


def check_readable(window, view):
    for what in (CONTRAST, SIZES):
        faults = window.page.evaluate(what)
        check(not faults, f"{view} of {window.name}: {faults}")
    check_page(window, view)


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
