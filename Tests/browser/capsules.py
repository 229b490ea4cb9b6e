"""Capsules in the browser: one player buries for everyone, another sees it grey from afar, walks there, opens it while
it is green, and walks away. Owners edit, share and delete; lists, a cluster and refusals are looked at."""
import datetime
import json
import time

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, WITHIN_S, check
from page_checks import check_readable

FIRST_LOAD_BYTES_MAX = 60 * 1024
MARK_FOOT = 26
METRES_PER_UNIT = 0.011119508
LAWN = {"latE7": 375655000, "lngE7": 1269780000}
SMALLEST = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
TEXT = "여기서 처음 만났어요.\n<b>태그</b>가 아니라 글이에요 & 그대로 보여요."
TITLE = "첫 만남 <i>여기</i>"


def north(metres):
    return {**LAWN, "latE7": LAWN["latE7"] + round(metres / METRES_PER_UNIT)}


def keep_place(window, place):
    """Has the browser's first practice begin at a place."""
    kept = json.dumps(json.dumps(place))
    window.context.add_init_script(f"localStorage['madang.place'] ??= {kept}")


def come_in(window, origin, place, nickname):
    """Opens the page in practice at a place; returns the bytes that were loaded."""
    keep_place(window, place)
    loaded = []
    devtools = window.context.new_cdp_session(window.page)
    devtools.send("Network.enable")
    devtools.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    window.page.goto(f"{origin}/capsules")
    window.see("#enter")
    window.picture(f"capsules-0-enter-{window.name}")
    window.page.fill("#nickname", nickname)
    window.page.check("#enter-positions input[value=practice]", force=True)
    window.page.click("#enter-button")
    window.see("#ground")
    window.see("#stick")
    devtools.detach()
    return sum(loaded)


def bury(window, title, text, who, day=None):
    window.page.click("#bury-open")
    window.page.fill("#bury-name", title)
    window.page.fill("#bury-text", text)
    if day:
        window.page.fill("#bury-date", day)
    window.page.check(f"#who input[value={who}]", force=True)
    check_readable(window, "the dialog for a new capsule")
    window.picture(f"capsules-1-bury-{window.name}")
    window.page.click("#bury-send")
    expect(window.find("#bury")).to_be_hidden()


def row(window, title):
    return window.find("#list .capsule", has_text=title)


def open_list(window):
    if window.find("#panel-open").is_visible():
        window.page.click("#panel-open")
    else:
        window.page.click("#again")
    window.see("#scope")


def is_on_map(window, colour):
    """Whether the map has pixels of a mark in the page's colour of this name."""
    return window.page.evaluate(
        """(name) => {
          const canvas = document.querySelector("#ground");
          const dot = document.createElement("canvas").getContext("2d");
          dot.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
          dot.fillRect(0, 0, 1, 1);
          const [r, g, b] = dot.getImageData(0, 0, 1, 1).data;
          // The map's own canvas is not read, because that would slow it down.
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
          copy.drawImage(canvas, 0, 0);
          const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
          let count = 0;
          for (let at = 0; at < data.length; at += 4) {
            if (data[at] === r && data[at + 1] === g && data[at + 2] === b) count += 1;
          }
          return count > 120;
        }""",
        colour,
    )


def await_on_map(window, colour, is_there=True, within_s=WITHIN_S):
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if is_on_map(window, colour) == is_there:
            return
        time.sleep(0.25)
    check(False, f"{window.name}'s map {'lacks' if is_there else 'has'} marks of the colour {colour}")


def walk_until(window, key, condition, within_s):
    """Runs in a direction until a condition holds."""
    window.page.keyboard.down("Shift")
    window.page.keyboard.down(key)
    end = time.monotonic() + within_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.2)
    window.page.keyboard.up(key)
    window.page.keyboard.up("Shift")
    check(condition(), f"{window.name} has walked for {within_s} s in vain")


def count(window):
    return int(window.find("#openable-count").inner_text())


def bury_walk_and_open(browser, origin):
    owner = browser.window("the owner", PHONE, KOREAN)
    seeker = browser.window("the seeker", DESKTOP, ENGLISH, DARK)
    loaded = come_in(owner, origin, LAWN, "가람")
    print(f"{loaded} bytes loaded", flush=True)
    check(5_000 < loaded < FIRST_LOAD_BYTES_MAX, f"the first load is {loaded} bytes")
    owner.picture("capsules-2-empty-phone")
    bury(owner, TITLE, TEXT, "everyone", "2020-02-29")
    bury(owner, "나만의 비밀", "아무도 몰라요", "me")
    expect(owner.find("#openable-count")).to_have_text("2")
    owner.picture("capsules-2-buried-phone")

    come_in(seeker, origin, north(300), "Jimin")
    expect(row(seeker, TITLE)).to_contain_text("30")
    expect(seeker.find("#list .capsule")).to_have_count(1)
    seeker.page.click("#zoom-out")
    seeker.page.click("#zoom-out")
    # For the pictures: a capsule in sight that is loaded.
    await_on_map(seeker, "soft")
    check(not is_on_map(seeker, "accent"), "nothing is green from afar")
    seeker.picture("capsules-3-afar-desktop")
    row(seeker, TITLE).click()
    expect(seeker.find("#capsule-title")).to_have_text(TITLE)
    expect(seeker.find("#capsule-state")).to_contain_text("Opens within 100 m")
    expect(seeker.find("#capsule-open")).to_be_hidden()
    expect(seeker.find("#capsule-own")).to_be_hidden()
    seeker.picture("capsules-3-closed-desktop")
    refuse_from_afar(seeker)
    seeker.page.keyboard.press("Escape")

    walk_until(seeker, "ArrowDown", lambda: count(seeker) == 1, within_s=80)
    expect(seeker.find(".toast")).to_contain_text("You can open")
    await_on_map(seeker, "accent")
    seeker.picture("capsules-4-green-desktop")
    seeker.find("#openable .capsule").click()
    seeker.page.click("#capsule-open")
    expect(seeker.find("#capsule-text")).to_have_text(TEXT, use_inner_text=True)
    check(seeker.find("#capsule-text *").count() == 0, "a text is text")
    expect(seeker.find("#capsule-opens")).to_contain_text("1 person")
    check_readable(seeker, "an open capsule")
    seeker.picture("capsules-5-opened-desktop")
    seeker.page.keyboard.press("Escape")
    expect(seeker.find("#capsule-text")).to_have_text("")

    walk_until(seeker, "ArrowUp", lambda: count(seeker) == 0, within_s=30)
    await_on_map(seeker, "accent", is_there=False)
    seeker.page.click("#language")
    expect(seeker.find("#bury-open")).to_have_text("묻기")
    row(seeker, TITLE).click()
    expect(seeker.find("#capsule-state")).to_contain_text("100 m 안으로 가면 열려요")
    expect(seeker.find("#capsule-open")).to_be_hidden()
    seeker.picture("capsules-6-closed-again-desktop")
    seeker.page.keyboard.press("Escape")
    change_own(owner, seeker)


def refuse_from_afar(window):
    """A request that the page does not offer is refused in words."""
    window.page.evaluate("document.querySelector('#capsule-open').click()")
    expect(window.find("#capsule-fault")).to_have_text("Too far away. Go within 100 m to open it")
    expect(window.find("#capsule-text")).to_be_hidden()
    window.picture("capsules-3-refused-desktop")


def change_own(owner, seeker):
    """The owner edits, keeps it from others again, and deletes; the other's list says so."""
    open_list(owner)
    owner.page.select_option("#scope", "OWN")
    expect(owner.find("#list .capsule")).to_have_count(2)
    expect(row(owner, TITLE)).to_contain_text("누구나")
    owner.page.click("#highlights summary")
    expect(owner.find("#standouts .capsule")).to_have_count(8)
    owner.picture("capsules-7-list-phone")
    row(owner, TITLE).click()
    owner.page.click("#capsule-open")
    expect(owner.find("#capsule-text")).to_have_text(TEXT, use_inner_text=True)
    expect(owner.find("#capsule-opens")).to_contain_text("1명")
    owner.picture("capsules-7-own-phone")
    owner.page.click("#capsule-edit")
    expect(owner.find("#bury-text")).to_have_value(TEXT)
    refuse_fields(owner)
    owner.page.fill("#bury-name", "우리의 자리")
    owner.page.fill("#bury-date", "2019-05-05")
    check_readable(owner, "the dialog of an own capsule")
    owner.picture("capsules-7-edit-phone")
    owner.page.click("#bury-send")
    expect(owner.find("#bury")).to_be_hidden()
    expect(row(owner, "우리의 자리")).to_contain_text("2019")
    seeker.page.click("#again")
    expect(row(seeker, "우리의 자리")).to_be_visible()

    row(owner, "우리의 자리").click()
    owner.page.uncheck("#capsule-everyone")
    expect(owner.find("#capsule-facts")).not_to_contain_text("누구나")
    seeker.page.click("#again")
    expect(seeker.find("#list .capsule")).to_have_count(0)
    seeker.see("#list-none")
    owner.page.click("#capsule-delete")
    expect(owner.find("#capsule-delete")).to_have_text("정말 지우기")
    owner.page.click("#capsule-delete")
    expect(owner.find("#capsule")).to_be_hidden()
    expect(owner.find("#list .capsule")).to_have_count(1)
    expect(owner.find("#openable-count")).to_have_text("1")


def refuse_fields(window):
    """Each wrong field is refused in words, and nothing of it is kept."""
    tomorrow = (datetime.date.today() + datetime.timedelta(days=2)).isoformat()
    window.find("#bury-form").evaluate("(form) => (form.noValidate = true)")
    for field, value, words in (
        ("#bury-name", "열여섯 글자보다 더 긴 제목이에요", "너무 길어요"),
        ("#bury-name", "   ", "제목과 글을 적어 주세요"),
        ("#bury-date", tomorrow, "추억의 날은 오늘까지예요"),
    ):
        before = window.find(field).input_value()
        window.page.fill(field, value)
        window.page.click("#bury-send")
        expect(window.find("#bury-fault")).to_contain_text(words)
        window.page.fill(field, before)


def look_at_many(browser, origin):
    """Capsules at one spot are one mark with their number, offered one by one; pages follow pages; the smallest phone,
    light and dark."""
    small = browser.window("small", SMALLEST, ENGLISH)
    come_in(small, origin, north(5_000), "Robin")
    for number in range(12):
        bury(small, f"Memory {number}", f"Text {number}", "me", f"20{number + 10}-01-01")
    small.page.reload()
    expect(small.find("#openable-count")).to_have_text("12")
    expect(small.find("#openable .capsule")).to_have_count(3)
    await_on_map(small, "accent")
    small.picture("capsules-8-many-small")
    check_nothing_is_covered(small)
    box = small.find("#ground").bounding_box()
    small.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - MARK_FOOT)
    small.see("#choice")
    expect(small.find("#choice-list .capsule")).to_have_count(12)
    check_readable(small, "the choice among capsules")
    small.picture("capsules-8-choice-small")
    small.page.click("#choice form button")
    open_list(small)
    small.page.select_option("#scope", "OWN")
    small.page.select_option("#sort", "OLDEST")
    expect(small.find("#list .capsule b").first).to_have_text("Memory 0")
    expect(small.find("#list .capsule")).to_have_count(10)
    small.page.click("#more")
    expect(small.find("#list .capsule")).to_have_count(12)
    expect(small.find("#more")).to_be_hidden()
    small.page.select_option("#sort", "LATEST")
    expect(small.find("#list .capsule b").first).to_have_text("Memory 11")
    small.picture("capsules-8-list-small")
    small.page.emulate_media(color_scheme="dark")
    check_readable(small, "the list of capsules")
    small.picture("capsules-8-list-small-dark")
    small.page.click("#panel-close")
    expect(small.find("#panel-open")).to_be_focused()
    small.page.click("#bury-open")
    small.picture("capsules-8-bury-small-dark")
    small.page.click("#bury-close")
    for _ in range(12):
        small.page.click("#zoom-out")
    await_on_map(small, "accent")
    small.picture("capsules-8-far-small-dark")
    small.page.set_viewport_size({"width": 740, "height": 340})
    # The tip goes by itself.
    expect(small.find("#tip")).to_be_hidden()
    check_nothing_is_covered(small)
    small.picture("capsules-8-sideways")
    small.page.click("#panel-open")
    small.see("#scope")
    small.picture("capsules-8-sideways-list")


def check_nothing_is_covered(window):
    """The buttons of the map are wholly on the screen, and none lies on another."""
    selectors = ".tools button, .act:visible, #stick, #openable button, .near .pill, .bar .quiet"
    boxes = [part.bounding_box() for part in window.find(selectors).all() if part.is_visible()]
    size = window.page.viewport_size
    for box in boxes:
        check(box["x"] >= 0 and box["x"] + box["width"] <= size["width"], f"{box} is cut off at a side")
        check(box["y"] >= 0 and box["y"] + box["height"] <= size["height"], f"{box} is cut off above or below")
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            apart_x = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            apart_y = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            check(apart_x or apart_y, f"{one} and {other} cover each other")
