"""The rules that every page of the players keeps to: names of controls and fields, one heading, a main part, a language,
contrast and sizes, and a layout that stays where it is while the page comes."""
from browser import DARK, DESKTOP, ENGLISH, KOREAN, check

NARROW = {"viewport": {"width": 320, "height": 640}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
# Google's bound for a good page.
SHIFT_MAX = 0.1
SETTLED_MS = 2_500

NAMES = """
() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const faults = [];
  const brief = (element) => element.outerHTML.slice(0, 90);
  const named = (element) => {
    const by = (element.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
    const texts = by.map((id) => document.getElementById(id)?.textContent ?? "");
    const labels = [...(element.labels ?? [])].map((label) => label.textContent);
    const own = element.matches("button, a, summary") ? [element.textContent, ...[...element.querySelectorAll("img")].map(({ alt }) => alt)] : [];
    return [element.getAttribute("aria-label") ?? "", ...texts, ...labels, ...own, element.title].join("").trim() !== "";
  };
  for (const control of document.querySelectorAll("button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=application], canvas")) {
    if (isShown(control) && !named(control)) faults.push(`without a name: ${brief(control)}`);
  }
  for (const picture of document.images) if (!picture.hasAttribute("alt")) faults.push(`without a text: ${brief(picture)}`);
  for (const dialog of document.querySelectorAll("dialog[open]")) if (!named(dialog)) faults.push(`a dialog without a name: ${brief(dialog)}`);
  if (!/^(ko|en)$/.test(document.documentElement.lang)) faults.push(`the language ${document.documentElement.lang}`);
  if (document.title.trim() === "") faults.push("no title");
  if (document.querySelectorAll("main").length !== 1) faults.push(`${document.querySelectorAll("main").length} main parts`);
  const headings = [...document.querySelectorAll("h1")].filter(isShown);
  if (headings.length > 1) faults.push(`${headings.length} first headings: ${headings.map(({ textContent }) => textContent)}`);
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) faults.push(`two elements ${id}`);
  for (const element of document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby]")) {
    for (const name of ["aria-controls", "aria-labelledby", "aria-describedby"]) {
      for (const id of (element.getAttribute(name) ?? "").split(" ").filter(Boolean)) if (!document.getElementById(id)) faults.push(`${name} of nothing: ${brief(element)}`);
    }
  }
  return faults;
}
"""

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
  // An element that comes or goes just now is faint on its way alone.
  const isMoving = (element) => element.getAnimations().some(({ playState }) => playState === "running");
  const opacity = (element) => {
    if (element === null) return 1;
    return (isMoving(element) ? 1 : Number(getComputedStyle(element).opacity)) * opacity(element.parentElement);
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
    if (element.closest("option, :disabled, noscript, script, style, template")) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const { rgb, alpha } = parse(style.color);
    const ink = over({ rgb, alpha: alpha * opacity(element) }, ground);
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

# A thumb needs 44 pixels in a game; elsewhere WCAG's 24 are the least, but for links within a sentence. A link may reach
# over its whole card.
SIZES = """
() => [...document.querySelectorAll("button, a[href], input, select, summary")]
  .filter((control) => control.checkVisibility({ visibilityProperty: true }))
  .filter((control) => !control.closest("label") && control.getBoundingClientRect().width > 0)
  .flatMap((control) => {
    const isOfCard = getComputedStyle(control, "::after").position === "absolute" && control.matches("a");
    const { width, height } = (isOfCard ? control.offsetParent : control).getBoundingClientRect();
    const isInSentence = getComputedStyle(control).display === "inline" && control.parentElement.textContent.trim() !== control.textContent.trim();
    const least = document.body.dataset.view === "play" && control.matches("button") ? 44 : 24;
    const name = control.getAttribute("aria-label") || control.textContent.trim();
    const faults = [];
    if (!isInSentence && Math.min(width, height) < least - 0.5) faults.push(`${name}: ${Math.round(width)} × ${Math.round(height)}`);
    if (!name && !control.labels?.length && !control.title) faults.push(`a control without a name: ${control.outerHTML.slice(0, 80)}`);
    return faults;
  })
"""

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    const sides = ({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round);
    const moved = ({ node, previousRect, currentRect }) =>
      `${node?.id || node?.className || node?.nodeName} from ${sides(previousRect)} to ${sides(currentRect)}`;
    if (!hadRecentInput) shifts.push({ value, of: sources.map(moved).join("; ") });
  }
}).observe({ type: "layout-shift", buffered: true });
"""

# The browser tells of a frame's shifts behind it. The next view is judged by its own.
TAKE_SHIFTS = """
async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
  return shifts.splice(0);
}
"""


def check_page(window, view):
    faults = window.page.evaluate(NAMES)
    check(not faults, f"{view} of {window.name}: {faults}")


def check_readable(window, view):
    for what in (CONTRAST, SIZES):
        faults = window.page.evaluate(what)
        check(not faults, f"{view} of {window.name}: {faults}")
    check_page(window, view)


def check_shifts(window, view, most=SHIFT_MAX):
    shifts = window.page.evaluate(TAKE_SHIFTS)
    total = sum(shift["value"] for shift in shifts)
    print(f"{view} of {window.name}: layout shift {total:.3f}", *(shift for shift in shifts if shift["value"] >= 0.004), flush=True)
    check(total < most, f"{view} of {window.name} shifts by {total:.3f}: {shifts}")


def look_at_all_pages(browser, origin, symbols):
    """Each page of a newcomer, at the narrowest phone's width and on a desk, light and dark, in both languages."""
    pages = ["", "tap", "capsules", "stories", "stories#/countries", "stories#/plans", "runs", "me", "reset", "offline", "nowhere", f"j/{symbols}", f"screen/{symbols}"]
    for name, settings in (("phone", (NARROW, KOREAN)), ("desk", (DESKTOP, ENGLISH, DARK))):
        windows = {}
        for page in pages:
            window = windows[page] = browser.window(f"a newcomer on a {name}", *settings)
            window.context.add_init_script(SHIFTS)
            window.page.goto(f"{origin}/{page}")
            window.see("h1:visible")
        # The last page needs as long as the others to settle.
        window.page.wait_for_timeout(SETTLED_MS)
        for page, window in windows.items():
            check_readable(window, f"/{page}")
            check_shifts(window, f"/{page}")
            check_width(window, f"/{page}")
            window.picture(f"checked-{name}-{page.replace('/', '-').replace('#', '') or 'start'}")
            window.forget("404")
            check(not window.complaints, f"/{page}: {window.complaints[:3]}")
            window.context.close()
            browser.windows.remove(window)


def check_width(window, view):
    wide = window.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    check(wide <= 0, f"{view} of {window.name} is {wide} px wider than the screen")
