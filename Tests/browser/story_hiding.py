"""What operators hide of a player's own is still there for the player, and says so."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import open_console
from stories import card, check_fits, come_in
from story_guest import ask_as

ACT = """
([act, kind, subject]) => new Promise((resolve) => {
  const socket = new WebSocket(`ws://${location.host}/console/feed`);
  socket.onopen = () => socket.send(JSON.stringify({ id: 1, act, kind, subject }));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.reply !== 1) return;
    socket.close();
    resolve(message);
  };
})
"""


def hide(browser, origin, link):
    author = browser.window("who is hidden", PHONE, KOREAN)
    reader = browser.window("who reads", DESKTOP, ENGLISH, DARK)
    operator = open_console(browser, link, "who hides", DESKTOP, ENGLISH)

    def act(name, kind, subject):
        reply = operator.page.evaluate(ACT, [name, kind, subject])
        check(reply["ok"], f"{name}: {reply}")

    come_in(author, origin, "숨은 이", "#/write")
    author.page.fill("#write-name", "숨은 글")
    author.page.fill("#write-text", "잠시 보이지 않을 글이에요.")
    author.page.click("#write-send")
    author.see("#post-whole")
    author.page.fill("#comment-text", "잠시 보이지 않을 댓글")
    author.page.click("#comment-send")
    post = author.page.url.rsplit("/", 1)[1]
    come_in(reader, origin, "Reader", f"#/post/{post}")
    expect(reader.find("#comments .comment")).to_have_count(1)

    (answer,) = ask_as(reader, "A lister", ["listComments", {"postId": post}])
    comment = answer["comments"]["comments"][0]["commentId"]
    act("hide", "comment", comment)
    expect(reader.find("#comments .comment")).to_have_count(0)
    expect(author.find("#comments .comment .mark")).to_have_text("나에게만 보임")
    check_fits(author)
    author.picture("stories-9-hidden-comment-phone")
    act("restore", "comment", comment)
    expect(reader.find("#comments .comment")).to_have_count(1)
    expect(author.find("#comments .comment")).to_have_count(1)
    expect(author.find("#comments .comment .mark")).to_have_count(0)

    expect(author.find("#post-hidden")).to_be_hidden()
    act("hide", "post", post)
    reader.see("#post-gone")
    author.see("#post-hidden")
    expect(author.find("#post-gone")).to_be_hidden()
    author.picture("stories-9-hidden-post-phone")
    author.page.click(".sections a[data-section=mine]")
    expect(card(author, "숨은 글").locator(".mark")).to_have_text("나에게만 보임")
    author.picture("stories-9-hidden-list-phone")
    reader.page.goto(f"{origin}/stories#/")
    expect(reader.find("#posts-busy")).to_be_hidden()
    expect(card(reader, "숨은 글")).to_have_count(0)
    act("restore", "post", post)
    author.page.reload()
    expect(card(author, "숨은 글")).to_have_count(1)
    expect(card(author, "숨은 글").locator(".mark")).to_have_count(0)
