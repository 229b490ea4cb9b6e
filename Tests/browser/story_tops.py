"""The best stories in the browser: the week's, and a country's hot ones, which tell that their order is another."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from stories import check_fits, come_in
from story_guest import ask_as, write_as


def like(window, post_ids, *nicknames):
    for nickname in nicknames:
        answers = ask_as(window, nickname, *(["like", {"postId": post_id}] for post_id in post_ids))
        check(all("postCounts" in answer for answer in answers), f"{nickname} likes: {answers}")


def titles(window):
    return window.find("#posts h2")


def follow_the_best(browser, origin):
    """The top tab says so when others are the best now, and so does a country's list of hot posts."""
    reader = browser.window("who follows", PHONE, KOREAN)
    come_in(reader, origin, "보는 이")
    ids = write_as(reader, "가람", *({"title": f"글 {n}", "text": "순위", "countries": ["KR"]} for n in range(7)))
    like(reader, ids[:5], "하나")
    like(reader, ids[:4], "둘")
    like(reader, ids[:3], "셋")
    like(reader, ids[:2], "넷")
    like(reader, ids[:1], "다섯")
    reader.page.click("#feed-tabs a[data-list=top]")
    expect(titles(reader)).to_have_text(["글 0", "글 1", "글 2", "글 3", "글 4"])
    expect(reader.find("#fresh")).to_be_hidden()
    like(reader, ids[6:], "하나", "둘", "셋", "넷", "다섯", "여섯")
    expect(reader.find("#fresh")).to_have_text("바뀐 순위 보기")
    expect(titles(reader).first).to_have_text("글 0")
    check_fits(reader)
    reader.picture("stories-8-top-phone")
    reader.page.click("#fresh")
    expect(titles(reader)).to_have_text(["글 6", "글 0", "글 1", "글 2", "글 3"])
    expect(reader.find("#fresh")).to_be_hidden()
    # One that is gone goes by itself, and its successor is offered.
    ask_as(reader, "가람", ["deletePost", {"postId": ids[0]}])
    expect(titles(reader)).to_have_text(["글 6", "글 1", "글 2", "글 3"])
    expect(reader.find("#fresh")).to_have_text("바뀐 순위 보기")

    visitor = browser.window("who visits", DESKTOP, ENGLISH, DARK)
    come_in(visitor, origin, "Visitor", "#/country/KR")
    expect(visitor.find("#country-top a")).to_have_text(["글 6"])
    expect(visitor.find("#country-hot a")).to_have_text(["글 1", "글 2"])
    visitor.page.select_option("#feed-sort", "HOT")
    expect(titles(visitor)).to_have_text(["글 6", "글 1", "글 2", "글 3", "글 4", "글 5"])
    like(visitor, ids[5:6], "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱")
    expect(visitor.find("#fresh")).to_have_text("The order has changed")
    check_fits(visitor)
    visitor.picture("stories-8-hot-desktop")
    visitor.page.click("#fresh")
    expect(titles(visitor).first).to_have_text("글 5")
    # The order is a country's alone.
    visitor.page.click(".sections a[data-section=mine]")
    expect(visitor.find("#feed-sort option")).to_have_text(["Newest", "Likes", "Views"])
