"""The schools' race in the browser: a school is searched and chosen, fingers are counted, and two pages see it move."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from page_checks import NARROW, SHIFTS, check_readable, check_shifts
from slow_line import SlowLine, slow_down


def choose(window, query, region):
    """Searches a school and chooses the first result; returns its name."""
    window.see("#choose")
    window.page.fill("#school-name", query)
    window.page.select_option("#region", region)
    row = window.find("#schools button", has_text=query).first
    expect(row).to_be_visible()
    window.picture(f"tap-1-choose-{window.name}")
    name = row.locator("b").inner_text()
    row.click()
    window.see("#pad")
    return name


def touch(window, fingers, times):
    """Puts this number of fingers down at once, this many times."""
    box = window.find("#pad").bounding_box()
    devtools = window.context.new_cdp_session(window.page)
    for time in range(times):
        points = [
            {"x": box["x"] + 60 + 70 * finger, "y": box["y"] + 60 + 30 * (time % 4), "id": finger}
            for finger in range(fingers)
        ]
        devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        if time == 1:
            window.picture("tap-2-fingers-phone")
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    devtools.detach()


def tap_for_schools(browser, origin):
    many = browser.window("many", PHONE, KOREAN)
    one = browser.window("one", DESKTOP, ENGLISH, DARK)
    for window in (many, one):
        window.page.goto(f"{origin}/tap")
    first = choose(many, "별무늬마루", "서울특별시")
    second = choose(one, "노을빛나루", "부산광역시")
    check(first != second, "two schools")
    touch(many, fingers=3, times=8)
    expect(many.find("#my-count")).to_have_text("24")
    expect(many.find("#waiting")).to_have_text("")
    for _ in range(5):
        one.page.click("#pad")
    expect(one.find("#my-count")).to_have_text("5")
    for window in (many, one):
        for name, count in ((first, "24"), (second, "5")):
            expect(window.find("#race li", has_text=name).locator("b")).to_have_text(count)
    touch(many, fingers=2, times=1)
    expect(one.find("#race li", has_text=first).locator("b")).to_have_text("26")
    many.picture("tap-3-race-phone")
    one.picture("tap-3-race-desktop")
    # Taps in flight at the end of the page count once.
    touch(many, fingers=3, times=2)
    many.page.reload()
    expect(many.find("#my-count")).to_have_text("32")
    expect(many.find("#waiting")).to_have_text("")
    expect(one.find("#race li", has_text=first).locator("b")).to_have_text("32")
    many.page.click("#change")
    many.see("#choose")
    many.page.click("#choose-close")
    many.see("#pad")
    change_school(many, one)


def change_school(window, other):
    """Taps for a school count for that school or for none, and the next school begins at 0."""
    # Far more taps than are sent during the change.
    tap = "document.querySelector('#pad').dispatchEvent(new PointerEvent('pointerdown'))"
    window.page.evaluate(f"for (let i = 0; i < 1200; i += 1) {tap}")
    expect(window.find("#my-count")).to_have_text("1,232")
    window.page.click("#change")
    name = choose(window, "잔물결다리", "경기도")
    expect(window.find(".toast")).to_contain_text("번은 세지 않았어요")
    expect(window.find("#my-count")).to_have_text("0")
    expect(window.find("#waiting")).to_have_text("")
    touch(window, fingers=1, times=3)
    expect(window.find("#my-count")).to_have_text("3")
    expect(other.find("#race li", has_text=name).locator("b")).to_have_text("3")


def wait_for_the_race(browser, origin):
    """On a slow network nothing of the page moves as its parts come; a list or a race that fails says so, and comes later."""
    for name, settings in (("a newcomer on a narrow phone", (NARROW, ENGLISH)), ("a newcomer on a desk", (DESKTOP, KOREAN, DARK))):
        window = browser.window(name, *settings)
        window.context.add_init_script(SHIFTS)
        slow_down(window)
        line = SlowLine(window)
        window.page.goto(f"{origin}/tap")
        line.holds("welcome")
        window.see("#wait")
        expect(window.find("#race-card")).to_be_hidden()
        window.picture(f"tap-4-waits-{name.split()[-1]}")
        line.pass_on("welcome")
        window.see("#choose")
        line.pass_on("ranking")
        line.holds("schools")
        expect(window.find("#race li")).not_to_have_count(0)
        expect(window.find("#race-card")).to_have_css("visibility", "hidden")
        line.pass_on("schools")
        expect(window.find("#race-card")).to_have_css("visibility", "visible")
        check_shifts(window, "the race of a newcomer on a slow network")
        window.picture(f"tap-4-came-{name.split()[-1]}")
        line.let_all_pass()
        choose(window, "별무늬마루", "서울특별시")
        come_back_slowly(window, line)
        fail(window, line)


def come_back_slowly(window, line):
    line.hold_all()
    window.page.reload()
    line.holds("welcome")
    window.see("#wait")
    expect(window.find("#race-card")).to_be_hidden()
    line.pass_on("welcome")
    window.see("#pad")
    line.pass_on("ranking")
    expect(window.find("#race li")).not_to_have_count(0)
    check_shifts(window, "the race of a player on a slow network")
    line.let_all_pass()


def fail(window, line):
    """Without the list of schools there is still a race, and without a race a list; both come when the server has them."""
    line.fails = {"searchSchools", "watchRanking"}
    window.page.reload()
    fault = window.find("#race [data-say='error.STORE_UNAVAILABLE']")
    expect(fault).to_be_visible()
    window.page.click("#change")
    expect(window.find("#schools .fault")).to_be_visible()
    expect(window.find("#race-card")).to_have_css("visibility", "visible")
    check_readable(window, "the race that fails")
    window.picture(f"tap-5-fails-{window.name.split()[-1]}")
    line.fails = set()
    expect(window.find("#schools button").first).to_be_visible()
    expect(fault).to_have_count(0)
    expect(window.find("#race li").first).to_be_visible()
