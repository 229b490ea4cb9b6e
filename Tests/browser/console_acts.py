"""Actions from the console of a made-up feed: sent only after a confirmation, and exactly as the contract has them."""
from playwright.sync_api import expect

from browser import check
from console_window import confirm, fill_dialog, go, wait_for
from made_up_room import HOSTILE


def act_on_members(window, feed):
    room = feed.server.room(feed.server.rooms[0]["id"])
    walkers = sorted(room.walkers.values(), key=lambda walker: walker.seat)

    def open_menu(walker, item):
        row = window.find(".members tbody tr", has=window.page.get_by_text(walker.nickname, exact=True))
        row.locator("td.tools button").click()
        window.page.click(f".menu button:text-is('{item}')")

    def named(*, but=()):
        return next(each for each in walkers if each.seat >= len(HOSTILE) and each not in but)

    first = named()
    second = named(but=[first])
    open_menu(first, "Kick")
    expect(window.find(".ask-who")).to_have_text(f"{first.nickname} · {first.id[:8]}… · room {room.row['code']}")
    window.page.keyboard.press("Escape")
    expect(window.find("dialog")).to_have_count(0)
    check(feed.acts == [], "what was not wanted was not sent")
    open_menu(first, "Mute")
    fill = [("minutes", "1440"), ("reason", "shouting")]
    confirm(window, feed, {"act": "mute", "player": first.id, "minutes": 1440, "reason": "shouting"}, fill, "console-5-mute")
    expect(window.find(".members .tag", has_text="muted")).to_have_count(1)
    expect(window.find(".toast")).to_contain_text("mute put on")
    told, bar = window.find(".toast").bounding_box(), window.find(".scrubber").bounding_box()
    check(told["x"] + told["width"] < bar["x"], f"what was done is told beside the bar: {told}, {bar}")
    window.picture("console-5-toast")
    open_menu(first, "Lift mute")
    confirm(window, feed, {"act": "unmute", "player": first.id})
    expect(window.find(".members .tag", has_text="muted")).to_have_count(0)
    open_menu(first, "Kick")
    confirm(window, feed, {"act": "kick", "player": first.id}, picture="console-5-kick")
    expect(window.find(".members tbody tr")).to_have_count(24)
    expect(window.find(".log")).to_contain_text(f"{first.nickname} left")
    open_menu(second, "Ban")
    confirm(window, feed, {"act": "ban", "player": second.id, "minutes": 60})
    expect(window.find(".members tbody tr")).to_have_count(23)
    window.page.click(".head-tools button >> nth=0")
    text = "모두 모여요 <b>now</b>"
    confirm(window, feed, {"act": "announce", "text": text, "room": room.row["id"]}, [("text", text)], "console-5-announce")
    return second


def act_by_identifier(window, feed):
    """Acts on a player who is only in the audit log; refuses a text that is no identifier."""
    go(window, "audit")
    row = next(each for each in feed.server.audit if "nickname" in each)
    target = window.find("#view tbody tr >> nth=" + str(feed.server.audit.index(row))).locator("td", has=window.find("a"))
    expect(target).to_have_text(f"{row['nickname']} {row['player'][:8]}…")
    target.locator("a").click()
    field = window.find(".sanction-form input")
    expect(field).to_have_value(row["player"])
    buttons = window.find(".sanction-form button")
    for text in ("", "nobody", row["player"][:31], row["player"] + "0", row["player"][:31] + "g"):
        field.fill(text)
        for number in range(2):
            expect(buttons.nth(number)).to_be_disabled()
    stranger = "c0ffee00" * 4
    field.fill(f" {stranger.upper()} ")
    window.picture("console-9-sanction-form")
    buttons.nth(1).click()
    expect(window.find(".ask-who")).to_have_text("name unknown · c0ffee00…")
    reason = [("minutes", ""), ("reason", "reported")]
    confirm(window, feed, {"act": "ban", "player": stranger, "reason": "reported"}, reason)
    expect(window.find("#view tbody tr", has_text=stranger)).to_contain_text("reported")
    buttons.nth(0).click()
    confirm(window, feed, {"act": "mute", "player": stranger, "minutes": 60})
    field.press("Enter")
    expect(window.find("dialog")).to_have_count(0)


def act_on_the_server(window, feed):
    window.page.click("#announce")
    confirm(window, feed, {"act": "announce", "text": "곧 점검합니다"}, [("text", "  곧 점검합니다 ")])
    window.page.click("#announce")
    window.find("dialog [name=text]").evaluate("(field) => (field.value = 'one\\ntwo\\r\\nthree')")
    window.page.click("dialog button[type=submit]")
    expect(window.find("dialog")).to_have_count(0)
    check(feed.acts[-1]["text"] == "onetwothree", f"an announcement is one line: {feed.acts[-1]}")
    window.page.click("#announce")
    window.page.fill("dialog [name=text]", "   ")
    window.page.click("dialog button[type=submit]")
    expect(window.find("dialog .fault")).to_have_text("a text has 1 to 500 characters")
    window.page.keyboard.press("Escape")
    feed.acts.pop()
    window.page.click("#close-season")
    expect(window.find("dialog h2")).to_have_text("Close season 3")
    confirm(window, feed, {"act": "closeSeason", "season": 3}, picture="console-11-close-season", typed="close")
    expect(window.find(".toast").last).to_contain_text("season 3 closed")
    window.page.click("#drain")
    confirm(window, feed, {"act": "drain"}, picture="console-11-drain", typed="drain")
    expect(window.find(".warning")).to_contain_text("draining")
    numbers = [act["id"] for act in feed.acts[-3:]]
    check(len(set(numbers)) == len(numbers), f"each act has a number of its own: {numbers}")


def close_the_room(window, feed):
    room = feed.server.rooms[1]
    window.page.goto(f"{feed.origin}/#/room/{room['id']}")
    expect(window.find(".room h1")).to_have_text(room["code"])
    expect(window.find(".members tbody tr")).to_have_count(room["players"])
    window.picture("console-12-footprints")
    window.page.click(".head-tools .danger")
    expect(window.find("dialog h2")).to_have_text(f"Close room {room['code']}")
    confirm(window, feed, {"act": "closeRoom", "room": room["id"]})
    expect(window.find(".map-notice")).to_be_visible()
    expect(window.find(".map-badge")).to_have_text("GONE")
    expect(window.find(".head-tools .danger")).to_be_disabled()
    look_at_what_is_left(window, feed, room)


def look_at_what_is_left(window, feed, room):
    """A closed room has its games, whether it was seen before or is opened by its address alone."""
    games = window.find(".map-notice button")
    expect(games).to_have_count(3)
    window.page.reload()
    expect(window.find(".map-notice")).to_contain_text("no more")
    expect(window.find(".map-badge")).to_have_text("GONE")
    window.picture("console-12-gone")
    games.nth(1).click()
    expect(window.find(".map-badge")).to_have_text("RECORDED")
    for _ in range(2):
        expect(window.find(".room h1")).to_have_text(f"{room['id'][:8]}…")
        expect(window.find(".room .tag.bad")).to_have_text("no more")
        expect(window.find(".members tbody tr")).to_have_count(room["players"])
        expect(window.find(".map-notice")).to_be_hidden()
        check(f"game={room['id']}-2" in window.page.url, f"a recording is an address: {window.page.url}")
        # The address alone leads there too.
        window.page.reload()
        expect(window.find(".map-badge")).to_have_text("RECORDED")
    window.picture("console-12-gone-recorded")
    window.page.goto(f"{feed.origin}/#/room/{'0' * 32}")
    expect(window.find(".map-notice")).to_contain_text("There is no such room")
    expect(games).to_have_count(0)


def act_without_answers(window, feed):
    """The page shows an action's outcome in every case. A second press repeats no act that may have been done."""
    button = window.find("dialog .ask-buttons button[type=submit]")

    def begin():
        window.page.click("#close-season")
        fill_dialog(window, typed="close").click()
        wait_for("the act", lambda: len(feed.acts) > before)
        window.page.keyboard.press("Escape")
        window.page.keyboard.press("Escape")
        expect(window.find("dialog .ask-buttons button").first).to_be_disabled()
        expect(window.find("dialog[open]")).to_be_visible()

    def end(fault):
        expect(window.find("dialog .fault")).to_contain_text(fault)
        window.page.fill("dialog [name=typed]", "x")
        window.page.fill("dialog [name=typed]", "close")
        expect(button).to_be_disabled()
        window.page.press("dialog [name=typed]", "Enter")
        check(len(feed.acts) == before + 1, "what may have been done is not sent again")
        window.page.click("dialog .ask-buttons button:text-is('Close')")
        expect(window.find("dialog")).to_have_count(0)
        feed.acts.pop()

    before = len(feed.acts)
    feed.is_mute = True
    begin()
    end("no answer came. Whether it was done is in the audit log")
    begin()
    feed.cut()
    end("line was lost before an answer came. Whether it was done is in the audit log")
    feed.is_mute = False
    feed.is_expired = True
    feed.cut()
    window.see("#expired")
    window.page.click("#close-season")
    fill_dialog(window, typed="close").click()
    expect(window.find("dialog .fault")).to_contain_text("it was not sent")
    expect(button).to_be_enabled()
    feed.is_expired = False
    feed.server.season += 1
    window.page.evaluate("dispatchEvent(new Event('online'))")
    expect(window.find("#feed-state")).to_have_attribute("data-state", "open")
    button.click()
    expect(window.find("dialog .fault")).to_have_text("season 5 runs, not 4")
    feed.acts.pop()
    feed.server.season -= 1
    window.page.keyboard.press("Escape")
    expect(window.find("dialog")).to_have_count(0)
