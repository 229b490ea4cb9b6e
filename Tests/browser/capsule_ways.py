"""Further ways to capsules: over a broken line, with a room, by the device's receiver."""
import json
import time

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from capsules import MARK_FOOT, await_on_map, bury, come_in, is_on_map, keep_place, north, open_list, row
from cutter import Cutter
from rooms import join, make_room


def come_back(browser, origin):
    """After a broken line the page resumes, watches again, and opens what is near."""
    host, port = origin.removeprefix("http://").split(":")
    wire = Cutter(host, int(port))
    window = browser.window("who comes back", PHONE, ENGLISH, DARK)
    come_in(window, f"http://127.0.0.1:{wire.port}", north(9_000), "Back")
    bury(window, "Stays", "It stays", "me")
    expect(window.find("#openable-count")).to_have_text("1")
    window.picture("capsules-9-phone-dark")
    wire.cut()
    time.sleep(1)
    bury_again(window)
    expect(window.find("#openable-count")).to_have_text("2")
    window.find("#openable .capsule").first.click()
    window.page.click("#capsule-open")
    expect(window.find("#capsule-text")).to_be_visible()
    window.picture("capsules-9-opened-phone-dark")
    # Another page of the same browser takes the session over. This one says so, and shows the text no more.
    other = window.context.new_page()
    other.goto(window.page.url)
    expect(other.locator("#stick")).to_be_visible()
    window.see("#notice-go")
    expect(window.find("#capsule-text")).to_be_hidden()
    window.picture("capsules-9-elsewhere-phone-dark")
    other.close()


def bury_again(window):
    """Buries until it is done: the connection may be broken."""
    window.page.click("#bury-open")
    window.page.fill("#bury-name", "After")
    window.page.fill("#bury-text", "Afterwards")
    for _ in range(20):
        window.page.click("#bury-send")
        time.sleep(0.5)
        if window.find("#bury").is_hidden():
            return
    check(False, "the page did not come back by itself")


def share_with_a_room(browser, origin):
    """Those who are in the room open it, others do not see it; the start page leads here."""
    owner = browser.window("the host", DESKTOP, KOREAN)
    friend = browser.window("the friend", DESKTOP, ENGLISH)
    stranger = browser.window("the stranger", PHONE, ENGLISH)
    symbols = make_room(owner, origin, "FOOTPRINT", 60, "가람")
    join(friend, f"{origin}/j/{symbols}", "Jimin")
    for window in (owner, friend):
        keep_place(window, north(20_000))
        window.page.goto(f"{origin}/")
        window.page.click("a[href='/capsules']")
        window.see("#stick")
    come_in(stranger, origin, north(20_000), "Robin")
    bury(owner, "방 친구에게", "우리끼리만", "room")
    friend.page.select_option("#scope", "SHARED")
    expect(row(friend, "방 친구에게")).to_be_visible()
    # It was buried here after the friend had come: the page notices it by itself.
    expect(friend.find("#openable-count")).to_have_text("1", timeout=60_000)
    friend.find("#openable .capsule").click()
    friend.page.click("#capsule-open")
    expect(friend.find("#capsule-text")).to_have_text("우리끼리만")
    friend.picture("capsules-9-shared-desktop")
    open_list(stranger)
    for scope in ("OWN", "SHARED"):
        stranger.page.select_option("#scope", scope)
        expect(stranger.find("#list .capsule")).to_have_count(0)
        stranger.see("#list-none")
    expect(stranger.find("#openable-count")).to_have_text("0")
    check(not is_on_map(stranger, "soft"), "a stranger's map has nothing of it")


def open_by_receiver(browser, origin):
    """By the device's own position: unknown at first, then grey, then green; and still open for who stands still."""
    owner = browser.window("who buries", DESKTOP, ENGLISH)
    come_in(owner, origin, north(40_000), "Owner")
    bury(owner, "By receiver", "Found", "everyone")
    walker = browser.window("who walks", PHONE, KOREAN, {"permissions": ["geolocation"]})
    walker.context.set_geolocation(None)
    walker.page.goto(f"{origin}/capsules")
    walker.see("#enter")
    walker.page.check("#enter-positions input[value=receiver]", force=True)
    walker.page.click("#enter-button")
    expect(walker.find("#tip-text")).to_contain_text("아직 내 위치를 몰라요")
    walker.see("#tip-offer")
    walker.page.click("#bury-open")
    walker.page.fill("#bury-name", "어디에")
    walker.page.fill("#bury-text", "묻을까")
    walker.page.click("#bury-send")
    expect(walker.find("#bury-fault")).to_contain_text("아직 내 위치를 몰라요")
    walker.page.click("#bury-close")
    walker.picture("capsules-9-no-position-phone")
    for metres in range(122, 80, -7):
        stand(walker, metres)
        time.sleep(1.1)
    expect(walker.find("#tip")).to_be_hidden()
    expect(walker.find("#openable-count")).to_have_text("1")
    walker.picture("capsules-9-receiver-phone")
    # Longer than a position is good for.
    time.sleep(35)
    walker.find("#openable .capsule").click()
    walker.page.click("#capsule-open")
    expect(walker.find("#capsule-text")).to_have_text("Found")
    walker.forget("geolocation", "Geolocation", "location provider")


def stand(window, metres):
    place = north(40_000 + metres)
    at = {"latitude": place["latE7"] / 1e7, "longitude": place["lngE7"] / 1e7, "accuracy": 8}
    window.context.set_geolocation(at)


def look_at_clusters(browser, origin):
    """Clusters of the server are marks with their numbers, and a tap on one goes nearer and asks again."""
    window = browser.window("above many", PHONE, ENGLISH)
    asked = []

    def connect(line):
        server = line.connect_to_server()

        def answer(text):
            message = json.loads(text)
            if message.get("capsuleMap") is not None:
                message["capsuleMap"] = {"clusters": [
                    {**north(60_000), "count": 12_345},
                    {**north(60_120), "count": 321},
                ]}
            line.send(json.dumps(message))

        def ask(text):
            if "capsuleMap" in text:
                asked.append(json.loads(text)["capsuleMap"])
            server.send(text)

        server.on_message(answer)
        line.on_message(ask)

    window.page.route_web_socket("**/v1/play", connect)
    come_in(window, origin, north(60_000), "Over")
    await_on_map(window, "soft")
    window.picture("capsules-9-clusters-phone")
    box = window.find("#ground").bounding_box()
    before = len(asked)
    scopes = {request["scope"] for request in asked}
    check(scopes == {"OWN", "SHARED", "EVERYONE"}, f"all are asked for: {scopes}")
    window.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - MARK_FOOT)
    for _ in range(3):
        window.page.click("#zoom-in")
    end = time.monotonic() + 15
    while len(asked) == before and time.monotonic() < end:
        window.page.wait_for_timeout(200)
    check(len(asked) > before, "the page asks again from nearer by")
    tall = [request["northE7"] - request["southE7"] for request in (asked[before - 1], asked[-1])]
    check(tall[1] * 3 < tall[0], f"it asks for less: {tall}")
    window.picture("capsules-9-nearer-phone")
