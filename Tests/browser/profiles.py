"""Profiles in the browser: one's own is edited with a picture, what is earned comes by itself, another player comes by an
author's name, reports and blocks."""
import json

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from page_checks import check_readable
from stories import SMALLEST, await_picture, check_fits, come_in, open_card, picture, write

INTRODUCTION = "바다를 따라 걷는 <b>사람</b>\n여름을 좋아해요"
TITLE = "부산의 여름"


def see_and_edit(browser, origin):
    player = browser.window("the player", PHONE, KOREAN)
    other = browser.window("the other", DESKTOP, ENGLISH, DARK)
    lines = []

    def connect(line):
        line.connect_to_server()
        lines.append(line)

    player.page.route_web_socket("**/v1/play", connect)
    come_in(player, origin, "걷는 이")
    player.page.click(".me")
    expect(player.find("#profile-name")).to_have_text("걷는 이")
    expect(player.find("#profile-grade")).to_have_text("이코노미")
    expect(player.find("#profile-next")).to_have_text("비즈니스까지 100")
    expect(player.find("#medals li")).to_have_count(12)
    expect(player.find("#medals .won")).to_have_count(0)
    expect(player.find(".me")).to_have_attribute("aria-current", "page")
    expect(player.find("#profile-block")).to_be_hidden()
    expect(player.find("#profile-report")).to_be_hidden()
    check_fits(player)
    player.picture("profiles-1-own-phone")
    edit(player)
    earn(player, lines[0])
    meet(player, other, origin)


def edit(window):
    """Wrong fields are refused in words, and all three are changed together."""
    window.page.click("#profile-edit-open")
    window.page.fill("#edit-introduction", "가" * 301)
    window.page.click("#edit-send")
    expect(window.find("#edit-fault")).to_have_text("너무 길어요")
    window.page.set_input_files("#edit-file", [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"no picture"}])
    expect(window.find("#edit-fault")).to_contain_text("a.txt")
    window.page.set_input_files("#edit-file", [{"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"}])
    expect(window.find("#edit-state.fault")).to_be_visible()
    window.picture("profiles-2-refused-phone")
    window.page.fill("#edit-nickname", "바다 걷는 이")
    window.page.fill("#edit-introduction", INTRODUCTION)
    window.page.click("#edit-send")
    expect(window.find("#edit-fault")).to_contain_text("올리지 못한 사진")
    window.page.set_input_files("#edit-file", [picture((40, 120, 200))])
    expect(window.find("#edit-state")).to_have_text("올라갔어요")
    check_fits(window)
    check_readable(window, "the dialog of a profile")
    window.picture("profiles-2-edit-phone")
    window.page.click("#edit-send")
    expect(window.find("#profile-edit")).to_be_hidden()
    expect(window.find("#profile-name")).to_have_text("바다 걷는 이")
    expect(window.find("#profile-introduction")).to_have_text(INTRODUCTION, use_inner_text=True)
    check(window.find("#profile-introduction b").count() == 0, "an introduction is text")
    await_picture(window, "#profile-face img")
    check_fits(window)
    window.picture("profiles-3-edited-phone")
    # The browser logs the refused upload.
    window.forget("/v1/media/uploads/")


def earn(window, line):
    """What a post earns, and another grade, are told at once."""
    write(window, TITLE, "해운대를 걸었다.")
    window.page.fill("#write-country", "대한민국")
    window.page.click("#write-found button")
    for number, sound in enumerate(("설레는 피서", "조용한 해변가", "고요한 숲 속", "산들바람"), 1):
        window.page.select_option(f"#mixer .channel:nth-child({number}) select", sound)
    window.page.click("#write-send")
    window.see("#post-whole")
    for name in ("아시아 여행자", "소리 감독"):
        expect(window.find(".toast", has_text=f"새 수집품: {name}")).to_be_visible()
    check_readable(window, "a profile with medals")
    window.picture("profiles-4-earned-phone")
    window.page.click(".me")
    expect(window.find("#medals .won b")).to_have_text(["아시아 여행자", "소리 감독"])
    expect(window.find("#medals-title")).to_have_text("수집품 2/12")
    expect(window.find("#profile-experience")).to_have_text("경험 5")
    expect(window.find("#profile-posts h2")).to_have_text([TITLE])
    window.find("#profile-posts h2 a").click()
    window.see("#post-whole")
    line.send(json.dumps({"grade": {"grade": "BUSINESS", "experience": 100}}))
    expect(window.find(".toast", has_text="이제 비즈니스 등급이에요")).to_be_visible()
    window.page.fill("#comment-text", "또 가고 싶다")
    window.page.click("#comment-send")
    share_a_plan(window)
    window.page.click(".me")
    expect(window.find("#profile-plans-list h2")).to_have_text(["겨울 부산"])
    expect(window.find("#profile-posts li")).to_have_count(2)
    check_fits(window)
    window.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    window.picture("profiles-4-lists-phone")


def share_a_plan(window):
    window.page.click(".sections a[data-section=plans]")
    window.page.fill("#plan-name", "겨울 부산")
    window.page.click("#plan-make")
    window.see("#plan-whole")
    window.page.click("#plan-share")
    window.page.fill("#write-name", "겨울에 같이")
    window.page.fill("#write-text", "가요")
    window.page.click("#write-send")
    window.see("#post-plan")


def meet(player, other, origin):
    """An author's name leads to their profile: from a post, a comment and a plan."""
    come_in(other, origin, "Other")
    open_card(other, TITLE)
    other.page.click("#post-meta .by")
    expect(other.find("#profile-name")).to_have_text("바다 걷는 이")
    expect(other.find("#profile-grade")).to_have_text("Economy")
    expect(other.find("#medals .won b")).to_have_text(["Traveller of Asia", "Sound director"])
    expect(other.find("#profile-plans-list h2")).to_have_text(["겨울 부산"])
    expect(other.find("#profile-posts-title")).to_have_text("2 posts")
    expect(other.find("#profile-edit-open")).to_be_hidden()
    await_picture(other, "#profile-face img")
    check_fits(other)
    check_readable(other, "another's profile")
    other.picture("profiles-5-others-desktop-dark")
    other.find("#profile-plans-list h2 a").click()
    other.page.click("#plan-meta .by")
    expect(other.find("#profile-name")).to_have_text("바다 걷는 이")
    other.page.click("#profile-back")
    other.see("#plan-whole")
    other.page.go_back()
    other.see("#profile-whole")
    other.page.go_back()
    other.see("#post-whole")
    other.find("#comments .by").click()
    expect(other.find("#profile-introduction")).to_contain_text("바다를 따라")
    look_at_the_smallest(other)
    report_and_block(other)
    # The player's own has all of it.
    player.page.reload()
    expect(player.find("#profile-introduction")).to_contain_text("바다를 따라")


def look_at_the_smallest(window):
    """On the smallest phone, light, in both languages."""
    window.page.set_viewport_size(SMALLEST["viewport"])
    window.page.emulate_media(color_scheme="light")
    check_fits(window)
    window.picture("profiles-5-others-small-english")
    window.page.click("#language")
    expect(window.find("#profile-grade")).to_have_text("이코노미")
    expect(window.find("#medals .won b").first).to_have_text("아시아 여행자")
    check_fits(window)
    window.page.evaluate("scrollTo(0, 420)")
    window.picture("profiles-5-others-small-korean")


def report_and_block(window):
    """Introduction and picture are gone for the reporter, and all of a blocked player is."""
    window.page.click("#profile-report")
    window.page.check("#report-reasons [value=SPAM]")
    window.page.click("#report-send")
    expect(window.find("#profile-introduction")).to_be_hidden()
    expect(window.find("#profile-face img")).to_have_count(0)
    window.page.evaluate("scrollTo(0, 0)")
    window.picture("profiles-6-reported-small")
    address = window.page.url
    window.page.click("#profile-block")
    window.page.click("#profile-block")
    window.see("#feed")
    window.page.goto(address)
    window.see("#profile-gone")
    check_readable(window, "a blocked profile")
    window.picture("profiles-6-blocked-small")
