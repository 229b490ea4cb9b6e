"""The page of a room's link before anybody comes in, installed pages without a network, and addresses that lead
nowhere."""
import json
import re
import shutil
import time

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, PICTURES, check
from console_window import wait_for
from rooms import join, make_room, say

SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
LONGEST = "가나다라마바사아자차카타파하가나다라마바"
# A phone on a weak mobile network, as DevTools throttle it: 1.6 Mbit/s and 150 ms.
WEAK = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
CODE_OF_NONE = "0000000000"


def see_what_one_joins(browser, origin):
    """Game, host, faces, phase and what a newcomer does stand there before any tap, and follow the room."""
    host = browser.window("the host", DESKTOP, KOREAN)
    second = browser.window("the second", PHONE, ENGLISH)
    newcomer = browser.window("the newcomer", SMALL, ENGLISH)
    dark = browser.window("another newcomer", PHONE, KOREAN, DARK)
    symbols = make_room(host, origin, "TERRITORY", 60, "가람")
    address = f"{origin}/j/{symbols}"
    newcomer.page.goto(address)
    expect(newcomer.find("#invitation")).to_contain_text("가람 invites you")
    expect(newcomer.find(".invitation-game")).to_contain_text("Territory")
    expect(newcomer.find(".invitation-now")).to_have_text("In the lobby: 1 of 8 players. You play.")
    expect(newcomer.find("#enter-button")).to_be_in_viewport(ratio=1)
    check(newcomer.page.evaluate("document.documentElement.scrollWidth") <= 360, "the page is as wide as the phone")
    newcomer.picture("invitation-1-lobby-small")

    join(second, address, LONGEST)
    dark.page.goto(address)
    expect(dark.find(".invitation-now")).to_have_text("대기실 · 2/8명. 바로 함께 놀아요.")
    expect(dark.find(".faces li")).to_have_count(2)
    dark.picture("invitation-2-lobby-dark")
    dark.page.click("#language")
    expect(dark.find(".invitation-now")).to_have_text("In the lobby: 2 of 8 players. You play.")
    expect(host.find("#lobby-players li")).to_have_count(2)
    host.page.click("#start")
    host.see("#ground")
    newcomer.page.reload()
    expect(newcomer.find(".invitation-now")).to_have_text(
        re.compile(r"Playing, (0:[0-5]\d|1:00) left: 2 of 8 players\. You watch now, and play the next game\.")
    )
    newcomer.picture("invitation-3-playing-small")
    preview = newcomer.find('meta[property="og:description"]').get_attribute("content")
    check("2 are playing" in preview, f"the preview tells of the game: {preview}")
    picture = newcomer.find('meta[property="og:image"]').get_attribute("content")
    answer = newcomer.context.request.get(picture)
    check(answer.ok and answer.headers["content-type"] == "image/png", "the preview has a picture")
    (PICTURES / "invitation-4-preview.png").write_bytes(answer.body())


# Notes which parts of the lobby the first toast covers, once it has dropped to its place: it stays for seconds alone.
NOTE_COVERED = """
() => {
  window.noted = null;
  const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const boxOf = (name) => document.querySelector(name).getBoundingClientRect();
  const note = (toast) => {
    const box = toast.getBoundingClientRect();
    window.noted = { covered: ["#start", ".bar", "#lobby-qr"].filter((name) => overlap(boxOf(name), box)) };
  };
  const observer = new MutationObserver(() => {
    const toast = document.querySelector(".toast");
    if (!toast) return;
    observer.disconnect();
    Promise.all(toast.getAnimations().map(({ finished }) => finished)).then(() => note(toast));
  });
  observer.observe(document.querySelector("#toasts"), { childList: true });
}
"""


def host_on_a_small_phone(browser, origin):
    """The host's QR and Start are on the first screen, and the chat's button covers neither. Words that come in cover
    neither the bar nor Start."""
    # Both games run at once.
    hosts = []
    for number, settings in enumerate(((SMALL, ENGLISH), (PHONE, KOREAN, DARK))):
        host = browser.window(f"the host {number}", *settings)
        guest = browser.window(f"the guest {number}", DESKTOP, ENGLISH)
        symbols = make_room(host, origin, "FOOTPRINT", 30, LONGEST)
        expect(host.find("#lobby-qr")).to_be_in_viewport(ratio=1)
        expect(host.find("#start")).to_be_in_viewport(ratio=1)
        host.page.evaluate(NOTE_COVERED)
        join(guest, f"{origin}/j/{symbols}", LONGEST)
        wait_for("a word that comes in", lambda: host.page.evaluate("noted"))
        covered = host.page.evaluate("noted.covered")
        check(not covered, f"a word that comes in covers {covered}")
        width = host.page.evaluate("document.documentElement.scrollWidth")
        check(width <= settings[0]["viewport"]["width"], f"the lobby is {width} wide")
        for part in ("#start", ".bar", "#lobby-qr"):
            check(not overlap(host, part, "#chat-open"), f"the chat's button covers {part}")
        host.picture(f"small-host-{number}-lobby")
        host.page.click("#start")
        guest.page.click("#start") if guest.find("#start").is_visible() else None
        hosts.append(host)
    for number, host in enumerate(hosts):
        host.see("#result", within_s=90)
        names = host.find("#podium b")
        expect(names).to_have_count(2)
        check(
            names.evaluate_all("(all) => all.every((name) => name.scrollHeight <= name.clientHeight + 1)"),
            "names on the podium are whole",
        )
        check(not overlap(host, "#again", "#chat-open"), "the chat's button covers the next game's")
        host.picture(f"small-host-{number}-result")


def overlap(window, first, second):
    boxes = [box for box in (window.find(part).first.bounding_box() for part in (first, second)) if box]
    if len(boxes) < 2:
        return False
    one, other = boxes
    return (
        one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]
    )


def lead_on(browser, origin):
    """The pages of a lost room and of an unknown path have a field for a code, in both languages."""
    host = browser.window("the host", DESKTOP, ENGLISH)
    symbols = make_room(host, origin, "FOOTPRINT", 60, "Host")
    for path, language, title in (
        (f"/j/{CODE_OF_NONE}", KOREAN, "방이 없어졌어요"),
        ("/nowhere/at/all", ENGLISH, "There is nothing here"),
    ):
        stray = browser.window(f"the stray at {path}", SMALL, language)
        stray.page.goto(f"{origin}{path}")
        expect(stray.find("h1")).to_have_text(title)
        stray.picture(f"lost-{language['locale'][:2]}-small")
        stray.page.fill("#code", "7K3F9-QXA52")
        stray.page.press("#code", "Enter")
        stray.see("#code-fault")
        stray.page.fill("#code", f"{symbols[:5].lower()} {symbols[5:]}")
        stray.page.press("#code", "Enter")
        stray.see("#enter")
        # The browser logs a missing page; that entry is no fault of ours.
        stray.forget("404")


def tell_why_there_is_no_position(browser, origin):
    """At an address without TLS the page says why it has no position, and leads to the secure address."""
    visitor = browser.window("who is not secure", SMALL, ENGLISH)
    visitor.context.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    visitor.page.route(
        "**/reach",
        lambda route: route.fulfill(json={"address": "1.2.3.4", "joinBase": "https://play.example.org", "hasPublicUrl": True, "serverTimeMs": "1"}),
    )
    host = browser.window("the host", DESKTOP, ENGLISH)
    symbols = make_room(host, origin, "FOOTPRINT", 60, "Host")
    visitor.page.goto(f"{origin}/j/{symbols}")
    text = visitor.find("#enter .insecure")
    expect(text).to_contain_text("Browsers tell a position only to a secure address (https).")
    expect(text.locator("a")).to_have_attribute("href", f"https://play.example.org/j/{symbols}")
    expect(visitor.find("#enter-positions input[value=practice]")).to_be_checked()
    text.scroll_into_view_if_needed()
    visitor.picture("insecure-small")


def walk_without_a_network(browser, origin):
    """A page that was here before shows a practice walk without a network, and comes back by itself."""
    player = browser.window("who loses the network", PHONE, KOREAN)
    player.page.goto(f"{origin}/")
    manifest = player.find('link[rel="manifest"]').get_attribute("href")
    check(player.context.request.get(f"{origin}{manifest}").json()["start_url"] == "/", "the page can be installed")
    player.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    expect(player.page.locator("body")).to_be_visible()
    player.page.wait_for_function("caches.match('/offline').then(Boolean)")
    player.context.set_offline(True)
    player.page.reload()
    expect(player.find("#line")).to_be_visible()
    player.walk("KeyD", 4)
    player.walk("KeyW", 3)
    expect(player.find("#prints")).not_to_have_text("1")
    player.picture("offline-phone")
    player.page.click("#language")
    expect(player.find("#line")).to_contain_text("out of reach")
    player.context.set_offline(False)
    player.see("#home")
    player.forget("ERR_INTERNET_DISCONNECTED", "Failed to load resource")


def take_over_after_an_upgrade(browser, server, tmp_path, web):
    """Another version of the pages is shown at once, and its worker leaves nothing of the one before."""
    player = browser.window("who stays", PHONE, ENGLISH)
    player.page.goto(f"http://{server.address}/")
    player.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    player.page.wait_for_function("caches.match('/offline').then(Boolean)")
    (before,) = player.page.evaluate("caches.keys()")
    folder = tmp_path / "upgraded"
    shutil.copytree(web, folder)
    with open(folder / "style.css", "a", encoding="utf-8") as style:
        style.write("\n:root { --upgraded: 1; }\n")
    server.shut_down()
    server.options = ("--web-root", folder)
    server.launch()
    player.page.goto(f"http://{server.address}/")
    shown = player.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--upgraded').trim()")
    check(shown == "1", "the new page is shown at once")
    player.page.wait_for_function(
        "(before) => caches.keys().then((keys) => keys.length === 1 && keys[0] !== before)", arg=before
    )
    player.forget("ERR_CONNECTION", "WebSocket")


def act_on_a_player(browser, origin):
    """In the lobby a player is blocked, so that their words are hidden, and reported to the operators."""
    host = browser.window("the host", SMALL, ENGLISH)
    guest = browser.window("the guest", DESKTOP, KOREAN)
    symbols = make_room(host, origin, "FOOTPRINT", 60, "Host")
    join(guest, f"{origin}/j/{symbols}", LONGEST)
    host.page.click("#lobby-players .more")
    host.see(".player-sheet")
    expect(host.find(".player-sheet")).not_to_contain_text("null")
    host.page.click(".player-sheet summary")
    host.page.get_by_role("button", name="Report").click()
    expect(host.find(".player-sheet .fault")).to_have_text("Choose a reason")
    host.page.check(".player-sheet input[value=SPAM]")
    host.picture("player-sheet-small")
    host.page.get_by_role("button", name="Report").click()
    expect(host.find(".player-sheet")).to_have_count(0)
    host.page.click("#lobby-players .more")
    host.page.get_by_role("button", name="Block").click()
    expect(host.find(".player-sheet")).to_have_count(0)
    say(guest, "unheard")
    host.page.click("#chat-open")
    expect(host.find("#chat-lines li")).to_contain_text("hidden: somebody you blocked")


def measure_the_way_in(browser, origin):
    """Prints how long a phone on a weak network takes from the scan to the lobby. No limit is asserted here: the
    machine of the tests may be busy."""
    host = browser.window("the host", DESKTOP, ENGLISH)
    symbols = make_room(host, origin, "FOOTPRINT", 60, "Host")
    for number in range(3):
        phone = browser.window(f"phone {number}", PHONE, KOREAN)
        devtools = phone.context.new_cdp_session(phone.page)
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", WEAK)
        began = time.monotonic()
        phone.page.goto(f"{origin}/j/{symbols}", wait_until="commit")
        phone.see("#enter")
        entered = time.monotonic() - began
        phone.page.click("#enter-button")
        phone.see("#lobby")
        lobby = time.monotonic() - began
        print(json.dumps({"enterS": round(entered, 2), "lobbyS": round(lobby, 2)}), flush=True)
