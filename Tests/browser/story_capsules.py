"""A post names a capsule of its author's, and its readers are shown where it lies."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE
from capsules import await_on_map, bury, come_in as come_to_capsules, keep_place, north
from stories import check_fits, come_in

OPEN_TO_ALL, OWN = "모두의 추억", "나만의 추억"


def choose(window, title):
    value = window.find("#write-capsule option", has_text=title).get_attribute("value")
    window.page.select_option("#write-capsule", value)
    return value


def name_and_follow(browser, origin):
    author = browser.window("who buries", PHONE, KOREAN)
    reader = browser.window("who follows", DESKTOP, ENGLISH, DARK)
    come_to_capsules(author, origin, north(9_000), "묻는 이")
    bury(author, OPEN_TO_ALL, "여기 있어요", "everyone", "2021-03-01")
    bury(author, OWN, "아무도 몰라요", "me", "2020-03-01")

    author.page.goto(f"{origin}/stories#/write")
    author.page.fill("#write-name", "추억의 자리")
    author.page.fill("#write-text", "가 보세요.")
    # The author's own one is not for everyone, and no post may name it.
    expect(author.find("#write-capsule option")).to_have_count(2)
    capsule_id = choose(author, OPEN_TO_ALL)
    author.find("#write-capsules").scroll_into_view_if_needed()
    check_fits(author)
    author.picture("stories-6-capsule-phone")
    author.page.click("#write-send")
    author.see("#post-capsule")
    check_fits(author)
    author.picture("stories-2-capsule-phone")
    post = author.page.url

    # An edit takes it away, and brings it back.
    for title, isThere in (("캡슐 없음", False), (OPEN_TO_ALL, True)):
        author.page.click("#post-edit")
        expect(author.find("#write-name")).to_have_value("추억의 자리")
        expect(author.find("#write-capsule")).to_have_value("" if isThere else capsule_id)
        expect(author.find("#write-capsule option")).to_have_count(2)
        choose(author, title)
        author.page.click("#write-send")
        author.see("#post-whole")
        expect(author.find("#post-capsule")).to_be_visible(visible=isThere)

    keep_place(reader, north(8_000))
    come_in(reader, origin, "Reader", post.removeprefix(f"{origin}/stories"))
    reader.page.click("#post-capsule-link")
    reader.see("#capsule")
    expect(reader.find("#capsule-title")).to_have_text(OPEN_TO_ALL)
    expect(reader.find("#capsule-state")).to_contain_text("Opens within 100 m")
    # It is afar, and the map shows it.
    await_on_map(reader, "soft")
    reader.picture("capsules-9-linked-desktop")
    reader.page.keyboard.press("Escape")
    reader.picture("capsules-9-linked-map-desktop")
    reader.page.evaluate("() => (location.hash = '0'.repeat(32))")
    expect(reader.find(".toast", has_text="not shared with you")).to_be_visible()
    expect(reader.find("#capsule")).to_be_hidden()
