"""Stories in the browser: one player writes with pictures, another reads, comments and likes, and each sees by itself what
the other does. Lists, the search, countries, blocks, and both languages are looked at."""
import struct
import zlib

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import wait_for
from page_checks import check_readable
from story_guest import write_as

FIRST_LOAD_BYTES_MAX = 60 * 1024
SMALLEST = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
TITLE = "여름 바닷가 <i>여기</i>"
TEXT = "파도 소리를 들었다. #바다 #여름\n<b>태그</b>가 아니라 글이에요 & 그대로 보여요."


def picture(colour, side=240):
    """A PNG of one colour, as a file for a chooser."""
    rows = (b"\0" + bytes(colour) * side) * side
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    file = b"\x89PNG\r\n\x1a\n"
    for kind, data in ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
        file += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return {"name": "picture.png", "mimeType": "image/png", "buffer": file}


PICTURES = [picture(colour) for colour in ((200, 60, 40), (40, 120, 200), (60, 160, 80))]


def come_in(window, origin, nickname, where=""):
    """Opens the page; returns the bytes that were loaded."""
    loaded = []
    devtools = window.context.new_cdp_session(window.page)
    devtools.send("Network.enable")
    devtools.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    window.page.goto(f"{origin}/stories{where}")
    window.see("#enter")
    window.picture(f"stories-0-enter-{window.name}")
    window.page.fill("#nickname", nickname)
    window.page.click("#enter-button")
    expect(window.find("#enter")).to_be_hidden()
    expect(window.find("#posts-busy")).to_be_hidden()
    devtools.detach()
    return sum(loaded)


def check_fits(window):
    """Nothing is wider than the screen."""
    over = window.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    check(over <= 0, f"{window.name}'s page is {over} pixels too wide at {window.page.url}")


def card(window, title):
    return window.find("#posts li", has_text=title)


def write(window, title, text, pictures=()):
    """Fills the form and uploads; the post is not sent yet."""
    window.page.click(".sections .write")
    window.see("#write-form")
    window.page.fill("#write-name", title)
    window.page.fill("#write-text", text)
    if pictures:
        window.page.set_input_files("#tray-files", list(pictures))
        expect(window.find(".shot .good")).to_have_count(len(pictures))


def open_card(window, title):
    card(window, title).locator("h2 a").click()
    window.see("#post-whole")
    expect(window.find("#post-title")).to_have_text(title)


def write_and_see_it_live(browser, origin):
    writer = browser.window("the writer", PHONE, KOREAN)
    reader = browser.window("the reader", DESKTOP, ENGLISH, DARK)
    loaded = come_in(writer, origin, "가람")
    print(f"{loaded} bytes loaded", flush=True)
    check(5_000 < loaded < FIRST_LOAD_BYTES_MAX, f"the first load is {loaded} bytes")
    come_in(reader, origin, "Jimin")
    expect(reader.find("#fresh")).to_be_hidden()

    write(writer, TITLE, TEXT, PICTURES)
    writer.picture("stories-1-pictures-phone")
    # The third one becomes the first.
    for place in (2, 1):
        writer.find(".shot").nth(place).locator("button", has_text="◀").click()
    writer.page.fill("#write-country", "필리")
    writer.page.click("#write-found button")
    writer.page.select_option("#mixer .channel:nth-child(1) select", "설레는 피서")
    writer.page.select_option("#mixer .channel:nth-child(2) select", "조용한 해변가")
    writer.page.click("#place-country")
    expect(writer.find("#place-lat")).not_to_have_value("")
    check_fits(writer)
    check_readable(writer, "a story with pictures that is written")
    writer.picture("stories-1-write-phone")
    writer.page.click("#write-send")
    writer.see("#post-whole")
    expect(writer.find("#post-title")).to_have_text(TITLE)
    check(writer.find("#post-text b").count() == 0, "a text is text")
    check(writer.find("#post-title i").count() == 0, "a title is text")
    check_fits(writer)
    check_readable(writer, "a story")
    writer.picture("stories-2-post-phone")

    # The reader's list says so, and does not move by itself.
    expect(reader.find("#fresh")).to_have_text("1 new post")
    expect(card(reader, TITLE)).to_have_count(0)
    reader.page.click("#fresh")
    expect(card(reader, TITLE)).to_have_count(1)
    expect(reader.find("#fresh")).to_be_hidden()
    check_readable(reader, "the feed")
    reader.picture("stories-3-feed-desktop")
    open_card(reader, TITLE)
    expect(reader.find("#pictures img")).to_have_count(3)
    await_picture(reader, "#pictures img")
    red, green, blue = first_pixel(reader)
    check(green > max(red, blue), f"the last picture is the first now: {red, green, blue}")
    expect(reader.find("#pictures-at")).to_have_text("1 / 3")
    reader.page.click("#pictures-after")
    expect(reader.find("#pictures-at")).to_have_text("2 / 3")
    expect(reader.find("#sounds .sound")).to_have_count(2)
    expect(reader.find("#post-countries")).to_contain_text("Philippines")
    mix(reader)
    reader.picture("stories-3-post-desktop")
    look_at_picture(reader)
    talk(writer, reader)
    change(writer, reader)


def await_picture(window, selector):
    is_there = f"document.querySelector('{selector}')?.naturalWidth > 0"
    wait_for("the picture to come", lambda: window.page.evaluate(is_there))


def first_pixel(window):
    return window.page.evaluate(
        """() => {
          const context = new OffscreenCanvas(1, 1).getContext("2d");
          context.drawImage(document.querySelector("#pictures img"), 0, 0, 1, 1);
          return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
        }"""
    )


def mix(window):
    """The meters move when they are told to, and a slider sets its volume."""
    slider = window.find(".sound input").first
    slider.fill("20")
    expect(window.find(".sound output").first).to_have_text("20%")
    window.page.click("#sound-move")
    expect(window.find("#sound-move")).to_have_text("Rest the meters")
    share = "document.querySelector('.meter').style.getPropertyValue('--share')"
    wait_for("the meter to move", lambda: window.page.evaluate(f"{share} !== '0.2' && {share} <= 0.2"))
    window.page.click("#sound-move")
    check(window.page.evaluate(share) == "0.2", "at rest a meter shows its volume")


def look_at_picture(window):
    window.find("#pictures .slide").nth(1).click()
    expect(window.find("#picture-at")).to_have_text("2 / 3")
    window.page.keyboard.press("ArrowRight")
    expect(window.find("#picture-at")).to_have_text("3 / 3")
    await_picture(window, "#picture-whole")
    window.picture("stories-4-picture-desktop")
    window.page.keyboard.press("Escape")
    expect(window.find("#picture")).to_be_hidden()


def talk(writer, reader):
    """Comments and likes come to the other by themselves."""
    reader.page.fill("#comment-text", "사진이 좋아요 <b>!</b>")
    reader.page.click("#comment-send")
    expect(writer.find("#comments .said")).to_have_text("사진이 좋아요 <b>!</b>")
    expect(writer.find("#comments-title")).to_have_text("댓글 1")
    reader.page.click("#like")
    expect(reader.find("#like")).to_have_attribute("aria-pressed", "true")
    expect(writer.find("#like-count")).to_have_text("1")
    expect(writer.find("#like")).to_be_disabled()
    writer.page.fill("#comment-text", "고마워요")
    writer.page.click("#comment-send")
    expect(reader.find("#comments .said")).to_have_text(["고마워요", "사진이 좋아요 <b>!</b>"])
    # One's own is edited and deleted, and the other sees that too.
    mine = reader.find("#comments .comment", has_text="사진이")
    mine.locator("button", has_text="Edit").click()
    reader.find("#comments textarea").fill("사진이 아주 좋아요")
    reader.find("#comments button", has_text="Save").click()
    expect(writer.find("#comments .said").nth(1)).to_have_text("사진이 아주 좋아요")
    mine.locator("button", has_text="Delete").click()
    mine.locator("button", has_text="Really delete").click()
    expect(writer.find("#comments .said")).to_have_text(["고마워요"])
    reader.page.click("#like")
    expect(writer.find("#like-count")).to_have_text("0")
    writer.picture("stories-5-comments-phone")


def change(writer, reader):
    """The author edits, over a stale version too, and deletes; the reader sees both."""
    writer.page.click("#post-edit")
    expect(writer.find("#write-name")).to_have_value(TITLE)
    expect(writer.find(".shot")).to_have_count(3)
    expect(writer.find("#mixer select").first).to_have_value("설레는 피서")
    writer.find(".shot").nth(2).locator("button", has_text="×").click()
    writer.page.fill("#write-name", "가을 바닷가")
    writer.picture("stories-6-edit-phone")
    writer.page.click("#write-send")
    writer.see("#post-whole")
    expect(reader.find("#post-title")).to_have_text("가을 바닷가")
    expect(reader.find("#post-meta")).to_contain_text("edited")
    expect(reader.find("#pictures img")).to_have_count(2)
    await_picture(reader, "#pictures img")

    reader.page.click("#post-back")
    reader.see("#feed")
    # Any syllable is enough.
    reader.page.fill("#query", "닷")
    expect(reader.find("#feed-title")).to_have_text("Posts with “닷”")
    expect(card(reader, "가을 바닷가")).to_have_count(1)
    reader.picture("stories-7-search-desktop")
    reader.page.fill("#query", "닷닷닷")
    reader.see("#posts-none")
    reader.page.fill("#query", "")
    expect(reader.find("#feed-title")).to_have_text("Stories")
    open_card(reader, "가을 바닷가")
    writer.page.click("#post-delete")
    expect(writer.find("#post-delete")).to_have_text("정말 지우기")
    writer.page.click("#post-delete")
    writer.see("#feed")
    expect(card(writer, "가을 바닷가")).to_have_count(0)
    reader.see("#post-gone")
    check_readable(reader, "a story that is gone")
    reader.picture("stories-7-gone-desktop")
    reader.find("#post-gone a").click()
    expect(card(reader, "가을 바닷가")).to_have_count(0)


def see_pictures_that_the_list_heard_of_first(browser, origin):
    """An edit's pictures are shown too when the news of the list come before those of the post."""
    writer = browser.window("the writer", DESKTOP, KOREAN)
    reader = browser.window("the reader", PHONE, ENGLISH)
    come_in(writer, origin, "먼저")
    write(writer, "두 소식", "사진이 바뀌어요", PICTURES[:2])
    writer.page.click("#write-send")
    writer.see("#post-whole")
    held = []

    def connect(line):
        server = line.connect_to_server()

        def tell(text):
            if '"postNews"' in text and '"media"' in text:
                return held.append(text)
            line.send(text)
            if '"feedNews"' in text and '"media"' in text:
                # From here on nothing is held; the list's news of this post have come.
                server.on_message(line.send)
                for late in held:
                    line.send(late)

        server.on_message(tell)

    reader.page.route_web_socket("**/v1/play", connect)
    come_in(reader, origin, "Late")
    open_card(reader, "두 소식")
    expect(reader.find("#pictures img")).to_have_count(2)
    writer.page.click("#post-edit")
    expect(writer.find(".shot")).to_have_count(2)
    writer.find(".shot").nth(1).locator("button", has_text="×").click()
    writer.page.click("#write-send")
    writer.see("#post-whole")
    expect(reader.find("#pictures img")).to_have_count(1)


def edit_a_stale_version(browser, origin):
    """An edit of an older version keeps what was typed, says so, and can be sent again."""
    window = browser.window("who edits late", DESKTOP, KOREAN)
    is_late = [True]

    def connect(line):
        server = line.connect_to_server()

        def ask(text):
            if '"editPost"' in text and is_late.pop():
                text = text.replace('"version":1', '"version":7')
                is_late.append(False)
            server.send(text)

        line.on_message(ask)

    window.page.route_web_socket("**/v1/play", connect)
    come_in(window, origin, "늦은이")
    write(window, "처음 제목", "처음 글")
    window.page.click("#write-send")
    window.see("#post-whole")
    window.page.click("#post-edit")
    expect(window.find("#write-name")).to_have_value("처음 제목")
    window.page.fill("#write-name", "나중 제목")
    window.page.click("#write-send")
    expect(window.find("#write-stale")).to_contain_text("처음 제목")
    expect(window.find("#write-name")).to_have_value("나중 제목")
    window.picture("stories-6-stale-desktop")
    window.page.click("#write-send")
    expect(window.find("#post-title")).to_have_text("나중 제목")


def refuse_fields(browser, origin):
    """Wrong fields are refused in words, a draft survives a reload, and what is no picture is said."""
    window = browser.window("who errs", SMALLEST, ENGLISH)
    come_in(window, origin, "Robin")
    window.page.click(".sections .write")
    window.see("#write-form")
    for title, text, words in (
        ("", "A text", "Write a title and a text"),
        ("x" * 32, "A text", "Too long"),
        ("A title", "x" * 2_001, "Too long"),
    ):
        window.page.fill("#write-name", title)
        window.page.fill("#write-text", text)
        window.page.click("#write-send")
        expect(window.find("#write-fault")).to_contain_text(words)
    window.page.fill("#write-text", "A draft")
    window.page.fill("#place-lat", "11")
    window.page.click("#write-send")
    expect(window.find("#write-fault")).to_contain_text("Write both")
    window.page.set_input_files("#tray-files", [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"no picture"}])
    expect(window.find("#tray-said")).to_contain_text("a.txt")
    expect(window.find(".shot")).to_have_count(0)
    window.page.set_input_files("#tray-files", [{"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"}])
    expect(window.find(".shot .fault")).to_be_visible()
    check_fits(window)
    window.picture("stories-6-refused-small")
    window.page.click("#write-send")
    window.page.reload()
    window.see("#write-form")
    expect(window.find("#write-name")).to_have_value("A title")
    expect(window.find("#write-text")).to_have_value("A draft")
    window.page.click("#write-cancel")
    window.see("#feed")
    # The browser logs each refused upload.
    window.forget("/v1/media/uploads/")


def look_at_lists(browser, origin):
    """Pages follow pages while one scrolls; tabs, hashtags, countries, players; the smallest phone, light and dark."""
    small = browser.window("small", SMALLEST, KOREAN)
    come_in(small, origin, "하늘")
    for author, country in (("서연", "IT"), ("민준", "KR"), ("지민", "IT")):
        posts = [
            {"title": f"{author}의 글 {number}", "text": f"목록에 있는 글이다. #목록 #{author}", "countries": [country]}
            for number in range(9)
        ]
        ids = write_as(small, author, *posts)
        check(all(len(each) == 32 for each in ids), f"{author}'s posts are written: {ids}")
    small.page.reload()
    expect(small.find("#posts li")).to_have_count(20)
    check_fits(small)
    small.picture("stories-8-feed-small")
    small.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(small.find("#posts li").nth(26)).to_be_attached()
    check_fits(small)
    # The list is where it was after a look at a post.
    small.page.evaluate("scrollTo(0, 1200)")
    small.find("#posts h2 a").nth(5).evaluate("(link) => link.click()")
    small.see("#post-whole")
    check(small.page.evaluate("scrollY") == 0, "a post begins at its top")
    check_fits(small)
    small.page.click("#post-back")
    small.see("#feed")
    wait_for("the list to be where it was", lambda: small.page.evaluate("scrollY === 1200"))

    small.page.evaluate("scrollTo(0, 0)")
    for name in ("likes", "views", "top"):
        small.page.click(f"#feed-tabs a[data-list={name}]")
        expect(small.find(f"#feed-tabs a[data-list={name}]")).to_have_attribute("aria-current", "page")
        expect(small.find("#posts li").nth(4)).to_be_attached()
    expect(small.find("#posts li")).to_have_count(5)
    small.page.click("#feed-tabs a[data-list='']")
    small.find("#tags a", has_text="#목록").click()
    expect(small.find("#feed-title")).to_have_text("#목록")
    expect(small.find("#posts li").nth(19)).to_be_attached()
    small.page.click("#feed-back")
    expect(small.find("#feed-title")).to_have_text("이야기")

    small.page.click(".sections a[data-section=countries]")
    small.page.fill("#country-query", "이탈")
    expect(small.find("#countries-list a")).to_have_count(1)
    check_fits(small)
    small.picture("stories-8-countries-small")
    small.find("#countries-list a").click()
    expect(small.find("#country-facts")).to_contain_text("로마")
    expect(small.find("#posts li")).to_have_count(18)
    expect(small.find("#country-top")).to_be_hidden()
    small.find("#posts h2 a").nth(3).evaluate("(link) => link.click()")
    small.page.click("#like")
    expect(small.find("#like-count")).to_have_text("1")
    liked = small.find("#post-title").inner_text()
    small.page.click("#post-back")
    expect(small.find("#country-top a")).to_have_text(liked)
    small.page.emulate_media(color_scheme="dark")
    check_fits(small)
    small.picture("stories-8-country-small-dark")
    small.page.click("#language")
    expect(small.find("#country-facts")).to_contain_text("Rome")
    expect(small.find("#feed-title")).to_contain_text("Italy")
    small.picture("stories-8-country-small-english")
