"""The console in Korean has no English, and in English no Korean, but for names, codes and what the server says."""
import json
import pathlib
import re

from browser import DESKTOP, ENGLISH, KOREAN, check
from console_window import go, go_through, open_console

# Words of no language, or of both: names, units, formats, keys.
NEUTRAL = set(
    "Madang CPU p50 p99 ms s k M B KB MB GB TB ID JSON GeoJSON FeatureCollection Feature Point Polygon MultiPolygon API"
    " UTC IP http https token id name madang fences import SIGTERM Esc Home End Enter Delete g English m km h x v t English"
    " bold b i script img close drain".split()
)
TEXTS = """
() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || element.closest('script, noscript, #language, kbd') || !element.checkVisibility()) continue;
    found.push(text);
  }
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder']) {
      if (element.hasAttribute(name)) found.push(element.getAttribute(name));
    }
  }
  found.push(document.title);
  return [...new Set(found)];
}
"""
MISSING = """
async (path) => {
  const { words } = await import(path);
  return Object.entries(words).flatMap(([key, [korean, english]]) => [
    ...(korean && english ? [] : [`${key} lacks a language`]),
    ...(/[\\uac00-\\ud7a3]/.test(english ?? '') ? [`${key} has Korean in its English`] : []),
  ]);
}
"""


# Fixed details of acts, which the page has in its own language.
THING = "0a" * 16
FIXED = {
    "removeFences": "2 removed", "endOwnSession": "all", "hide": f"post {THING}", "restore": f"capsule {THING}",
    "acceptLand": f"land {THING}, there already", "addWebhook": f"{THING} at https://10.0.0.9",
    "editSchool": "school 2072: 9, open again",
    "ban": "60 min; new guests of their address: 60 min, in that room", "mute": "until it is lifted",
    "closeRoom": "3 in it", "closeSeason": "season 2", "voidTaps": "9 taps of season 2",
    "setRole": "7: viewer", "importLands": "2 added, 1 there already",
    "importSchools": "2 added, 1 changed, 0 closed", "importFences": "1 added, 0 replaced, 2 there already",
    "renameLand": f"land {THING}: 7 is 9",
}
# The reasons why fences and lands are refused.
REFUSALS = [
    "its name: the text is empty", "its topic: the text is longer than 60 characters", "a land's name: the text has a line break",
    "a land's name: the text is only white space", "its name: the text has a control character", "its name: the text has more than 9 bytes",
    "90000 s of dwelling is not within 1 to 86400 s", "its opening or closing is before 1970 or too far ahead",
    "it closes before it opens", "the fence has 70000 bytes, more than 65536", "a radius of 4000 mm is not within 5 m to 50 km",
    "coordinate 3 is not on Earth: up to 180° east and west, 90° north and south", "coordinate 3 is beyond 85° north or south",
    "coordinate 3 is not on Earth, or beyond 85° north or south", "the polygon is not closed: its last coordinate is not its first",
    "the ring has fewer than three different corners", "the polygon has 1001 vertices, more than 1000",
    "the ring takes 9000 vertices, more than 8192", "coordinate 2 is more than 100 km from the first",
    "coordinate 2 is more than 100 km from the first, or from the one before",
    "the ring crosses or touches itself: the sides that begin at coordinates 0 and 2 meet",
    "its area divided by its perimeter is 12 mm, less than 1 m", "the ring is 12 m around, less than 40 m",
]
REFUSED = """
async ([path, all]) => {
  const { refusalText } = await import(path);
  return all.map((text) => refusalText(`fence 7: ${text}`));
}
"""
# Why deliveries fail, with a code that both languages show.
DELIVERIES = [
    "STATUS_500: the answer has the status 500", "nothing delivered for a day: TIMEOUT: no response in time",
    "REDIRECT_REFUSED: the answer is a redirect, which is not followed; and its address is private",
    "HOST_NOT_FOUND: the host's name has no address", "TLS_FAILED: no secure connection: expired",
]
DELIVERED = """
async ([path, all]) => {
  const { deliveryFaultText } = await import(path);
  return all.map((text) => deliveryFaultText(text).replace(/[A-Z_]{4,}(_\\d+)?/, ""));
}
"""
TOLD = """
async (path) => {
  const { faultText } = await import(path);
  return faultText({ code: "ROOM_NOT_FOUND", message: "there is no such room" });
}
"""


SOURCES = pathlib.Path(__file__).parents[2] / "Sources"
# `code: "NAME"` of a refusal, and `case .name: "NAME"` of an enumeration's codes.
CODE = re.compile(r'(?:code: |case \.\w+: )"([A-Z]+(?:_[A-Z]+)+|BUSY|CONFLICT)"')


def check_each_fault_has_words():
    """A code of a refusal that the page does not know leaves the server's English in the Korean page."""
    folders = [SOURCES / "Server" / "Operations", SOURCES / "OperatorAccounts"]
    files = [file for folder in folders for file in folder.rglob("*.swift")]
    codes = {code for file in files for code in CODE.findall(file.read_text())}
    check(len(codes) > 20, f"these are few: {sorted(codes)}")
    words = (SOURCES / "Server" / "Web" / "console-told-words.js").read_text()
    missing = sorted(code for code in codes if f'"fault.{code}"' not in words)
    check(not missing, f"faults without words: {missing}")


def read_all(browser, feed):
    check_each_fault_has_words()
    feed.server.say("warning", "shard 1 is overloaded")
    for action, detail in FIXED.items():
        feed.server.note("command line", action, detail)
    for name, settings, is_foreign in (("in Korean", KOREAN, latin), ("in English", ENGLISH, hangul)):
        window = open_console(browser, feed.origin, f"the console {name}", DESKTOP, settings)
        for view in go_through(window, feed):
            read(window, feed, view, is_foreign)
        read_dialogs(window, feed, is_foreign)
        read_a_toast(window, feed, is_foreign)
        told = window.page.evaluate(TOLD, "/web/made-up/console-told.js")
        check(not is_foreign(told, set()), f"a fault is in another language: {told}")
        refused = window.page.evaluate(REFUSED, ["/web/made-up/console-refusals.js", REFUSALS])
        foreign = [text for text in refused if is_foreign(text, set())]
        failures = window.page.evaluate(DELIVERED, ["/web/made-up/console-told.js", DELIVERIES])
        foreign += [text for text in failures if is_foreign(text, set())]
        check(not foreign, f"refusals are in another language: {foreign}")
    missing = window.page.evaluate(MISSING, "/web/made-up/console-words.js")
    check(not missing, f"{missing}")


def read_dialogs(window, feed, is_foreign):
    window.page.keyboard.press("Escape")
    window.page.keyboard.press("?")
    window.see("dialog.keys")
    read(window, feed, "the list of keys", is_foreign)
    window.page.keyboard.press("Escape")
    for press in ("#announce", "#close-season", "#drain"):
        window.page.click(press)
        window.see("dialog.ask")
        read(window, feed, press, is_foreign)
        window.page.keyboard.press("Escape")
    go(window, "schools")
    window.page.click(".race li button >> nth=0")
    read(window, feed, "a school's menu", is_foreign)
    window.page.click(".menu button >> nth=0")
    window.see("dialog.ask")
    read(window, feed, "a school's name", is_foreign)
    window.page.keyboard.press("Escape")
    go(window, "places")
    for number in range(3):
        window.page.click("#view .head-tools button >> nth=0")
        read(window, feed, "the menu of shapes", is_foreign)
        window.page.click(f".menu button >> nth={number}")
        window.see(".draft")
        read(window, feed, "a draft", is_foreign)


def read_a_toast(window, feed, is_foreign):
    window.page.keyboard.press("Escape")
    window.page.click("#announce")
    window.page.fill("dialog [name=text]", "123")
    window.page.click("dialog button[type=submit]")
    window.see(".toast")
    read(window, feed, "a toast", is_foreign)


def read(window, feed, place, is_foreign):
    told = said_by(feed)
    foreign = [text for text in window.page.evaluate(TEXTS) if is_foreign(text, told)]
    check(not foreign, f"in {place} there is another language: {foreign[:8]}")


def said_by(feed):
    """All words of the feed's data."""
    # The text of an operator is as it was written; fixed details are the page's own words.
    audit = [row for row in feed.server.audit if FIXED.get(row["action"]) != row["detail"]]
    last = {kind: body for kind, body in feed.last.items() if kind != "audit"}
    data = json.dumps([last, feed.server.history[-1:], audit, feed.server.news], ensure_ascii=False)
    return set(re.findall(r"[A-Za-z]+", data)) | set(re.findall(r"[\uac00-\ud7a3]+", data)) | hosts(feed)


def hosts(feed):
    return set(re.findall(r"[A-Za-z]+", feed.origin)) | {"ws", "web", "made", "up"}


def latin(text, told):
    """Whether a text has a Latin word that is neither the feed's nor of no language."""
    # Identifiers and codes are cut.
    rest = re.sub(r"\b[0-9a-f]{6,32}…?|\b[0-9A-Z]{5}-[0-9A-Z]{5}\b|§\S*", " ", text)
    words = re.findall(r"[A-Za-z]+", rest)
    # A single letter is a key.
    return any(len(word) > 1 and word not in NEUTRAL and word not in told for word in words)


def hangul(text, told):
    return any(word not in told and word != "한국어" for word in re.findall(r"[\uac00-\ud7a3]+", text))
