"""Further ways through stories: blocks and reports, lists that become empty, a crowd's comments, an upload over a broken
line."""
import json
import re

from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import wait_for
from cutter import Cutter
from stories import await_picture, card, check_fits, come_in, open_card
from story_guest import ask_as, write_as


def block(browser, origin):
    """A blocked player's posts are gone, and come back."""
    reader = browser.window("who blocks", DESKTOP, ENGLISH)
    come_in(reader, origin, "Blocker")
    write_as(reader, "시끄러운 사람", {"title": "광고입니다", "text": "사세요"})
    reader.page.reload()
    open_card(reader, "광고입니다")
    reader.page.click("#post-block")
    reader.page.click("#post-block")
    reader.see("#feed")
    expect(reader.find("#posts-busy")).to_be_hidden()
    expect(card(reader, "광고입니다")).to_have_count(0)
    check_nothing_of_theirs_is_new(reader, "시끄러운 사람")
    reader.page.click("#blocked-open")
    reader.picture("stories-9-blocked-desktop")
    button = reader.find("#blocked-list button")
    button.click()
    button.click()
    expect(reader.find("#blocked-list li")).to_have_count(0)
    reader.page.keyboard.press("Escape")
    reader.page.reload()
    expect(card(reader, "광고입니다")).to_have_count(1)


def check_nothing_of_theirs_is_new(reader, blocked=None):
    """What the reader does not get is not called new: of two new posts one, and none when that is gone."""
    expect(reader.find("#posts-busy")).to_be_hidden()
    if blocked:
        write_as(reader, blocked, {"title": "또 하나의 전단", "text": "또 사세요"})
    title = f"{reader.name}: 조용한 글"
    (post_id,) = write_as(reader, "조용한 사람", {"title": title, "text": "아무 일도 없었다"})
    expect(reader.find("#fresh")).to_have_text(re.compile("^새 글 1개 보기$|^1 new post$"))
    reader.page.click("#fresh")
    expect(card(reader, title)).to_have_count(1)
    expect(reader.find("#fresh")).to_be_hidden()
    ask_as(reader, "조용한 사람", ["deletePost", {"postId": post_id}])
    expect(card(reader, title)).to_have_count(0)
    expect(reader.find("#fresh")).to_be_hidden()


def report(browser, origin):
    """What a player reports is gone for them: a comment, and then the post."""
    reader = browser.window("who reports", PHONE, KOREAN)
    other = browser.window("who talks", DESKTOP, ENGLISH)
    come_in(reader, origin, "신고하는 이")
    (post_id,) = write_as(reader, "나쁜 사람", {"title": "나쁜 글", "text": "나쁜 말"})
    come_in(other, origin, "Talker", f"#/post/{post_id}")
    other.see("#post-whole")
    other.page.fill("#comment-text", "A bad word")
    other.page.click("#comment-send")
    reader.page.goto(f"{origin}/stories#/post/{post_id}")
    comment = reader.find("#comments .comment", has_text="A bad word")
    comment.locator("button", has_text="신고").click()
    reader.page.click("#report-send")
    expect(reader.find("#report-fault")).to_contain_text("이유를 하나 이상")
    for reason in ("SPAM", "HATE", "OTHER"):
        reader.page.check(f"#report-reasons [value={reason}]")
    expect(reader.find("#report-reasons [value=SEXUAL]")).to_be_disabled()
    reader.page.fill("#report-text", "이런 말은 싫어요")
    check_fits(reader)
    reader.picture("stories-9-report-phone")
    reader.page.click("#report-send")
    expect(reader.find("#report")).to_be_hidden()
    expect(comment).to_have_count(0)
    expect(other.find("#comments .said")).to_have_count(1)
    reader.page.click("#post-report")
    reader.page.check("#report-reasons [value=VIOLENCE]")
    reader.page.click("#report-send")
    reader.see("#feed")
    expect(card(reader, "나쁜 글")).to_have_count(0)
    check_nothing_of_theirs_is_new(reader)
    reader.page.reload()
    reader.see("#feed")
    expect(reader.find("#posts-busy")).to_be_hidden()
    expect(card(reader, "나쁜 글")).to_have_count(0)


def empty_a_list(browser, origin):
    """The last post of a list goes from the page of who looks at it."""
    reader = browser.window("who looks on", PHONE, KOREAN)
    come_in(reader, origin, "보는 이")
    (post_id,) = write_as(reader, "한 번 쓰는 이", {"title": "하나뿐인 글", "text": "곧 지울 글 #하나뿐"})
    reader.page.goto(f"{origin}/stories#/tag/하나뿐")
    expect(card(reader, "하나뿐인 글")).to_have_count(1)
    answers = ask_as(reader, "한 번 쓰는 이", ["deletePost", {"postId": post_id}])
    check("ok" in answers[0], f"the post is deleted: {answers}")
    expect(reader.find("#posts li")).to_have_count(0)
    reader.see("#posts-none")
    expect(reader.find("#fresh")).to_be_hidden()
    # It is watched on.
    write_as(reader, "한 번 쓰는 이", {"title": "새 하나", "text": "#하나뿐"})
    expect(reader.find("#fresh")).to_have_text("새 글 1개 보기")


def shorten_a_list(browser, origin):
    """Where a post is deleted from a long list, the one that moves up to the first twenty is not called new."""
    reader = browser.window("who scrolls", PHONE, ENGLISH)
    come_in(reader, origin, "Scroller")
    ids = []
    for author in ("First writer", "Second writer", "Third writer"):
        posts = [{"title": f"{author} {number}", "text": "One of many. #longlist"} for number in range(8)]
        ids += write_as(reader, author, *posts)
    reader.page.goto(f"{origin}/stories#/tag/longlist")
    expect(reader.find("#posts li")).to_have_count(20)
    answers = ask_as(reader, "Third writer", ["deletePost", {"postId": ids[-1]}])
    check("ok" in answers[0], f"the newest is deleted: {answers}")
    expect(reader.find("#posts li")).to_have_count(19)
    expect(reader.find("#fresh")).to_be_hidden()
    reader.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(reader.find("#posts li")).to_have_count(23)
    write_as(reader, "First writer", {"title": "A new one", "text": "#longlist"})
    expect(reader.find("#fresh")).to_have_text("1 new post")


# The comments that are shown after each change.
NOTE_COMMENTS = """
window.noted = [];
new MutationObserver(() => {
  noted.push([document.querySelector("#comments-title").textContent, document.querySelectorAll("#comments .said").length]);
}).observe(document.querySelector("#post-whole"), { childList: true, characterData: true, subtree: true });
"""


def hear_a_crowd(browser, origin):
    """Where comments come faster than news can tell, the page reads the newest again, and not for each of the news."""
    window = browser.window("in a crowd", DESKTOP, ENGLISH)
    lines = []
    asked = []

    def connect(line):
        server = line.connect_to_server()
        lines.append(line)

        def ask(text):
            if '"listComments"' in text:
                asked.append(text)
            server.send(text)

        line.on_message(ask)

    window.page.route_web_socket("**/v1/play", connect)
    come_in(window, origin, "Crowded")
    (post_id,) = write_as(window, "A busy author", {"title": "Everyone talks", "text": "Here"})
    window.page.goto(f"{origin}/stories#/post/{post_id}")
    window.see("#post-whole")
    window.page.fill("#comment-text", "I was here")
    window.page.click("#comment-send")
    expect(window.find("#comments .said")).to_have_count(1)
    window.page.evaluate(NOTE_COMMENTS)
    for number in range(30):
        comment = {"commentId": f"{number:032x}", "postId": post_id, "authorId": "0" * 32, "nickname": "Many",
                   "text": f"Made up {number}", "writtenAtMs": "1790000000000", "number": number + 2}
        news = {"postId": post_id, "commentCount": 99, "comments": [comment], "gap": True}
        lines[0].send(json.dumps({"postNews": news}))
    # The news are shown until they are read again, however soon that is. The server knows of one comment alone.
    window.page.wait_for_function("noted.some(([title, count]) => title === '99 comments' && count > 1)")
    expect(window.find("#comments .said")).to_have_text(["I was here"])
    check(len(asked) == 1, f"thirty news led to {len(asked)} questions")


def resume_an_upload(browser, origin):
    """An upload that loses its line goes on where it was, and the list watches on after it."""
    host, port = origin.removeprefix("http://").split(":")
    wire = Cutter(host, int(port))
    window = browser.window("who uploads", PHONE, ENGLISH)
    come_in(window, f"http://127.0.0.1:{wire.port}", "Uploader")
    offsets = []
    window.page.on(
        "request",
        lambda request: request.method == "PATCH" and offsets.append(int(request.headers["upload-offset"])),
    )
    window.page.click(".sections .write")
    window.see("#write-form")
    slow(window, 150_000)
    noise = window.page.evaluate_handle(
        """async () => {
          const canvas = new OffscreenCanvas(700, 700);
          const context = canvas.getContext("2d");
          const data = context.createImageData(700, 700);
          for (let at = 0; at < data.data.length; at += 65_536) {
            crypto.getRandomValues(data.data.subarray(at, at + 65_536));
          }
          for (let at = 3; at < data.data.length; at += 4) data.data[at] = 255;
          context.putImageData(data, 0, 0);
          const file = new File([await canvas.convertToBlob()], "noise.png", { type: "image/png" });
          const chosen = new DataTransfer();
          chosen.items.add(file);
          const field = document.querySelector("#tray-files");
          field.files = chosen.files;
          field.dispatchEvent(new Event("change"));
          return file.size;
        }"""
    ).json_value()
    check(1_000_000 < noise < 2_000_000, f"the file has {noise} bytes")
    under_way = "document.querySelector('.shot progress')?.value > 0.3"
    wait_for("the upload to be under way", lambda: window.page.evaluate(under_way))
    window.picture("stories-6-uploading-phone")
    wire.refuse()
    expect(window.find(".shot .state")).to_contain_text("Waiting for the network")
    window.picture("stories-6-resting-phone")
    slow(window, -1)
    wire.admit()
    expect(window.find(".shot .good")).to_be_visible(timeout=60_000)
    check(offsets and offsets[0] > 0, f"the rest was sent, not the whole: {offsets}")
    expect(window.find("#line")).to_be_hidden()
    window.page.fill("#write-name", "Through the tunnel")
    window.page.fill("#write-text", "It went on.")
    window.page.click("#write-send")
    window.see("#post-whole")
    await_picture(window, "#pictures img")
    # After another loss the open post is watched again.
    wire.cut()
    other = browser.window("the other", DESKTOP, ENGLISH)
    come_in(other, origin, "Other", f"#/post/{window.page.url.rsplit('/', 1)[1]}")
    other.see("#post-whole")
    expect(window.find("#line")).to_be_hidden()
    other.page.fill("#comment-text", "Still there?")
    other.page.click("#comment-send")
    expect(window.find("#comments .said")).to_have_text("Still there?")
    window.forget("ERR_", "WebSocket", "/v1/media/uploads/")


def slow(window, bytes_per_second):
    """Lets the window send no more than so many bytes a second; -1 for no bound."""
    devtools = window.context.new_cdp_session(window.page)
    devtools.send("Network.enable")
    devtools.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second},
    )
    # The bound is the session's, so that it must not end.
    window.throttle = devtools
