"""The operators' console over a made-up feed: every view shows the feed's data, every action is as in the contract
and needs a confirmation, hostile names are text, a lost connection and an ended session are shown. Prints how fast a
room of twenty-five is drawn, from the made-up feed and from a recorded one."""
import re
import time

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_acts import act_by_identifier, act_on_members, act_on_the_server, act_without_answers, close_the_room
from console_lost import lose_the_line
from console_late import choose_while_the_map_settles, hear_news_once, leave_a_room, leave_nothing_behind
from console_proposals import see_proposals
from console_reports import see_reports
from console_tables import work_in_tables
from console_thumbs import check_room, check_thumbs
from console_wall import see_the_wall
from console_webhooks import see_webhooks
from console_window import confirm, figures, go, measure_frames, open_console, wait_for
from feed import RECORDING, Feed
from made_up_room import HOSTILE

COLOURS = """
(canvas, [from, to]) => {
  const width = canvas.width * (to - from);
  const { data } = canvas.getContext('2d').getImageData(canvas.width * from, 0, width, canvas.height * 0.85);
  return new Set(new Uint32Array(data.buffer)).size;
}
"""
MISTYPED = [
    "#/room/nonsense",
    "#/room/{room}?game={room}-0",
    "#/room/{room}?game=../../etc/passwd",
    "#/suspects/nonsense",
    "#/toString",
    "#/constructor",
    "#/__proto__",
    "#/schools?limit=2e1",
    "#/rooms?sort=nonsense&offset=-1&mode=x",
    "#/connections?sort=9",
    *(f"#/audit?before={number}" for number in ("{", "{}", "0", "-1", "1.5", "1e2", "9007199254740993", "[2]", "true")),
    "#/%zz",
]

# What a view shows once it has its data.
SHOWN = {
    "overview": ".overview tbody tr", "rooms": "#view tbody tr", "schools": ".race li", "suspects": ".split tbody tr",
    "connections": "#view tbody tr", "sanctions": "#view tbody tr", "proposals": "#view tbody tr",
    "reports": "#view tbody tr", "audit": "#view tbody tr", "operators": "#view tbody tr",
    "webhooks": "#view tbody tr", "wall": ".wall-standings li",
}


def watch_steps(feed, room, count):
    """Waits for so many further ticks of a room, for a picture of what they have drawn."""
    made_up = feed.server.room(room["id"])
    last = made_up.steps + count
    wait_for(f"{count} ticks", lambda: made_up.steps >= last)


def see_overview(window, feed):
    expect(window.find(".chart-players .figure b").first).to_have_text(re.compile(r"\d,\d{3}"))
    # The time before the first look is drawn, too.
    check(window.find(".chart-players canvas").evaluate(COLOURS, [0.3, 0.5]) > 4, "ten minutes are drawn")
    shown = figures(window.find(".chart-players .figure b").first.inner_text())
    check(abs(shown - feed.last["overview"]["connections"]["players"]) < 60, f"players: {shown}")
    expect(window.find(".chart-messages .figure b").first).to_have_text(re.compile(r"\d{2},\d{3}"))
    expect(window.find(".chart-lateness .figure b")).to_have_text(re.compile(r"^\d(\.\d)? ms$"))
    expect(window.find(".facts")).to_contain_text("2,500")
    expect(window.find(".overview tbody tr")).to_have_count(5)
    check(window.find(".chart-cpu canvas").evaluate(COLOURS, [0, 1]) > 4, "a chart is drawn")
    feed.server.is_failing = True
    expect(window.find(".warning.bad")).to_contain_text("store is failing")
    window.picture("console-1-overview")
    feed.server.is_failing = False
    expect(window.find(".warning")).to_have_count(0)


def see_rooms(window, feed):
    go(window, "rooms")
    rows = window.find("#view tbody tr")
    expect(rows).to_have_count(50)
    told = feed.last["rooms"]["rows"]
    expect(rows.first).to_contain_text(told[0]["code"])
    expect(rows.first).to_contain_text(f"{told[0]['players']} / {told[0]['capacity']}")
    expect(window.find(".pager-text")).to_have_text("1–50 of 2,500")
    window.picture("console-2-rooms")
    window.page.click(".pager button:last-child")
    expect(window.find(".pager-text")).to_have_text("51–100 of 2,500")
    expect(rows.first).to_contain_text(feed.last["rooms"]["rows"][0]["code"])
    window.page.click("th button:has-text('Code')")
    expect(window.find("th[aria-sort=ascending]")).to_contain_text("Code")
    expect(rows.first).to_contain_text(min(room["code"] for room in feed.server.rooms))
    window.page.select_option("#view select >> nth=0", "LAND")
    window.page.select_option("#view select >> nth=1", "PLAYING")
    lands = [room for room in feed.server.rooms if (room["mode"], room["phase"]) == ("LAND", "PLAYING")]
    expect(window.find(".pager-text")).to_contain_text(f"of {len(lands)}")
    code = feed.server.rooms[0]["code"]
    window.page.select_option("#view select >> nth=0", "")
    window.page.keyboard.press("/")
    window.page.fill(".filter", code.replace("-", "").lower())
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text(code)
    # The second room is locked, and its host is asked about newcomers.
    expect(rows.first).not_to_contain_text("locked")
    shut = feed.server.rooms[1]["code"]
    window.page.fill(".filter", shut)
    expect(rows.first).to_contain_text(shut)
    expect(rows.first).to_contain_text("locked · asks consent")
    window.page.fill(".filter", code.replace("-", "").lower())
    # The address names the view, so it can be shared.
    expect(rows.first).to_contain_text(code)
    window.page.reload()
    expect(rows).to_have_count(1)
    expect(window.find(".filter")).to_have_value(code.replace("-", "").lower())
    window.page.fill(".filter", "nothing like that")
    expect(window.find("#view .empty")).to_be_visible()
    window.page.fill(".filter", code)
    window.page.click(f"#view a:has-text('{code}')")


def see_room(window, feed):
    room = feed.server.rooms[0]
    rows = window.find(".members tbody tr")
    expect(rows).to_have_count(25)
    expect(window.find(".map-badge")).to_have_text("LIVE")
    names = set(window.find(".members td.name button").all_inner_texts())
    check(set(HOSTILE) - names == {"\u202eevil", "אבג"} and {"evil", "\u2068אבג\u2069"} <= names, f"names are text: {sorted(names)[:6]}")
    expect(window.find(".members .tag", has_text="suspect")).to_have_count(1)
    best = max(feed.server.room(room["id"]).walkers.values(), key=lambda walker: walker.points)
    expect(rows.first).to_contain_text(best.nickname if best.nickname in names else "")
    wait_for("somebody to talk", lambda: window.find(".log .chat").count() >= 2)
    expect(window.find(".log .chat", has_text="<b>bold?</b>").first).to_be_attached()
    window.page.click(".members td.name button >> nth=3")
    expect(window.find(".members tr.is-chosen")).to_have_count(1)
    watch_steps(feed, room, 4)
    window.picture("console-3-room-follow")
    window.page.click(".map-tools button >> nth=2")
    expect(window.find(".members tr.is-chosen")).to_have_count(0)
    window.find(".room-map").focus()
    for key in ("ArrowLeft", "ArrowUp", "+", "-", "Home"):
        window.page.keyboard.press(key)


def go_back_in_time(window, feed):
    room = feed.server.rooms[0]
    games = window.find(".games option")
    expect(games).to_have_count(4)
    window.page.select_option(".games", f"{room['id']}-2")
    expect(window.find(".map-badge")).to_have_text("RECORDED")
    wait_for("the recording to play", lambda: seconds_of(window) > 3)
    window.page.click(".scrubber .icon")
    at = seconds_of(window)
    # A recording that still played would move in real time. It shows whole seconds.
    time.sleep(1.2)
    check(seconds_of(window) == at, "it stands still")
    window.page.evaluate(
        """() => {
          const range = document.querySelector('.scrubber input');
          range.value = 100000;
          range.dispatchEvent(new Event('input'));
        }"""
    )
    expect(window.find(".scrub-time")).to_have_text(re.compile("^1:40 / 2:00"))
    track = feed.server.track(f"{room['id']}-2")
    points = {}
    for tick in track["ticks"]:
        if tick["gameMs"] <= 100_000:
            points |= dict(zip(tick.get("seats", []), tick.get("points", [])))
    expect(window.find(".members tbody tr td.strong").first).to_have_text(f"{max(points.values()):,}")
    window.picture("console-4-room-recorded")
    width = window.find(".games").bounding_box()["width"]
    check(width >= 220, f"a game's number, time and length can be read in {width} px")
    for number in range(window.find(".members td.tools button").count()):
        expect(window.find(".members td.tools button").nth(number)).to_be_disabled()
    # A recording has an address too.
    window.page.reload()
    expect(window.find(".map-badge")).to_have_text("RECORDED")
    window.page.select_option(".scrubber select >> nth=1", "16")
    wait_for("the end", lambda: seconds_of(window) == 120, seconds=20)
    window.page.click(".live-button")
    expect(window.find(".map-badge")).to_have_text("LIVE")
    expect(window.find(".members td.tools button").first).to_be_enabled()


def seconds_of(window):
    minutes, seconds = window.find(".scrub-time").inner_text().split(" / ")[0].split(":")
    return int(minutes) * 60 + int(seconds)


def see_schools(window, feed):
    go(window, "schools")
    rows = window.find(".race li")
    expect(rows).to_have_count(50)
    expect(window.find(".race li", has_text="<b>첫째</b>학교")).to_have_count(1)
    wait_for("rates", lambda: window.find(".race .rate:not(:empty)").count() > 20)
    # Two close schools: the second overtakes the first, and the page shows it.
    order = sorted(feed.server.schools, key=lambda school: -school["count"])
    order[1]["count"] = order[0]["count"] + 50_000
    first = window.find(".race li", has=window.page.get_by_text(re.compile("^1$"))).first
    expect(first).to_contain_text(order[1]["name"])
    window.picture("console-6-schools")
    window.page.select_option("#view select", "200")
    expect(rows).to_have_count(200)


def see_suspects(window, feed):
    go(window, "suspects")
    wait_for("suspects", lambda: "suspects" in feed.last)
    players = feed.last["suspects"]["players"]
    expect(window.find(".split tbody tr >> nth=0")).to_contain_text(players[0]["nickname"])
    expect(window.find(".evidence h2")).to_contain_text(players[0]["nickname"])
    expect(window.find(".evidence tbody tr")).to_have_count(len(players[0]["refusals"]))
    newest = players[0]["refusals"][0]
    expect(window.find(".evidence tbody tr").first).to_contain_text(f"±{newest['accuracyM']} m")
    speed = round(newest["metersFromLast"] / newest["secondsFromLast"] * 3.6)
    expect(window.find(".evidence tbody tr").first).to_contain_text(f"{speed:,} km/h")
    window.page.click(".split td.name button >> nth=2")
    expect(window.find(".evidence tbody tr")).to_have_count(len(players[2]["refusals"]))
    over = window.find(".evidence .table").evaluate("(table) => table.scrollWidth - table.clientWidth")
    check(over <= 0, f"the table of refused fixes is {over} pixels wider than its place")
    window.picture("console-7-suspects")
    keep_to_one_suspect(window, feed, players)
    tapper = feed.server.tappers[1]
    row = window.find("#view tbody tr", has_text=tapper["nickname"])
    expect(row).to_contain_text("12,000 void")
    row.locator("button", has_text="Void taps").click()
    expect(window.find(".ask-who")).to_have_text(f"{tapper['nickname']} · {tapper['player'][:8]}…")
    confirm(window, feed, {"act": "voidTaps", "player": tapper["player"], "season": 2}, [("season", "2")])
    row.locator("button", has_text="Void taps").click()
    confirm(window, feed, {"act": "voidTaps", "player": tapper["player"], "season": 3})


def keep_to_one_suspect(window, feed, players):
    """The evidence stays that of one player when another becomes the first, and of nobody when the player is gone."""
    heading = window.find(".evidence h2")
    evidence = window.find(".evidence tbody tr")
    first = feed.server.refusals.pop(players[0]["player"])
    expect(window.find(".split .card:first-child tbody tr")).to_have_count(3)
    expect(heading).to_contain_text(players[2]["nickname"])
    window.page.goto(f"{feed.origin}/#/suspects")
    expect(heading).to_contain_text(players[1]["nickname"])
    others, feed.server.refusals = feed.server.refusals, {first["player"]: first} | feed.server.refusals
    expect(window.find(".split .card:first-child tbody tr")).to_have_count(4)
    expect(heading).to_contain_text(players[1]["nickname"])
    expect(evidence).to_have_count(len(players[1]["refusals"]))
    second = feed.server.refusals.pop(players[1]["player"])
    expect(window.find(".evidence .empty").first).to_contain_text("in the list no more")
    expect(heading).to_contain_text(players[1]["nickname"])
    expect(evidence).to_have_count(0)
    expect(window.find(".split tr.is-chosen")).to_have_count(0)
    feed.server.refusals = {first["player"]: first, second["player"]: second} | others
    expect(evidence).to_have_count(len(second["refusals"]))


def see_connections(window, feed):
    go(window, "connections")
    rows = window.find("#view tbody tr")
    expect(rows).to_have_count(50)
    most = max(feed.server.connections, key=lambda row: row["unsentBytes"])
    expect(rows.first).to_contain_text(most["nickname"])
    window.page.fill(".filter", HOSTILE[0][:12])
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text(HOSTILE[0])
    window.page.fill(".filter", "198.51.3.")
    expect(window.find(".pager-text")).to_contain_text("of 250")
    window.page.click("th button:has-text('Nickname')")
    expect(window.find("th[aria-sort=ascending]")).to_contain_text("Nickname")
    window.picture("console-8-connections")
    target = min(
        (row for row in feed.server.connections if row["address"].startswith("198.51.3.")), key=lambda row: row["nickname"]
    )
    expect(rows.first).to_contain_text(target["player"][:8])
    rows.first.locator("td.tools button").click()
    window.page.keyboard.press("ArrowDown")
    window.page.keyboard.press("Enter")
    fill = [("minutes", "")]
    confirm(window, feed, {"act": "mute", "player": target["player"]}, fill)


def see_sanctions(window, feed, banned):
    go(window, "sanctions")
    rows = window.find("#view tbody tr")
    expect(rows).to_have_count(2)
    row = window.find("#view tbody tr", has_text=banned.id)
    expect(row).to_contain_text(re.compile("59 min|1 h"))
    expect(window.find("#view tbody tr", has_text="until lifted")).to_have_count(1)
    window.picture("console-9-sanctions")
    see_the_store_fail(window, feed)
    row.locator("button").click()
    confirm(window, feed, {"act": "unban", "player": banned.id})
    expect(rows).to_have_count(1)


def see_the_store_fail(window, feed):
    """The page shows an error in place of data that can't be read, and the data again by itself."""
    fault, rows = window.find("#view .fault"), window.find("#view .card tbody tr:visible")
    expect(fault).to_be_hidden()
    count = rows.count()
    feed.server.store_fault = "the disk is <b>gone</b>"
    expect(fault).to_have_text("The store can't be read: the disk is <b>gone</b>")
    expect(rows).to_have_count(0)
    feed.server.store_fault = None
    expect(fault).to_be_hidden()
    expect(rows).to_have_count(count)


def see_audit(window, feed):
    go(window, "audit")
    rows = window.find("#view tbody tr")
    expect(rows).to_have_count(100)
    shown = window.find("#view td.strong").all_inner_texts()
    check(shown == [row["action"] for row in feed.server.audit[:100]], "the log is what was done, newest first")
    check(shown[:3] == ["unban", "mute", "voidTaps"], f"the newest: {shown[:3]}")
    see_the_store_fail(window, feed)
    window.picture("console-10-audit")
    window.page.click(".pager button:has-text('Older')")
    expect(rows).to_have_count(len(feed.server.audit) - 100)
    window.page.reload()
    expect(rows).to_have_count(len(feed.server.audit) - 100)
    expect(window.find(".pager button:has-text('Older')")).to_be_disabled()
    window.page.click(".pager button:has-text('Newest')")
    expect(rows).to_have_count(100)


def mistype(window, feed):
    """Addresses that name nothing break no connection."""
    for address in MISTYPED:
        watched = len(feed.watched)
        window.page.goto(f"{feed.origin}/{address.replace('{room}', feed.server.rooms[0]['id'])}")
        window.see("#view h1")
        # No room has such a number, so the page asks for none.
        if address != "#/room/nonsense":
            wait_for(f"what {address} watches", lambda: len(feed.watched) > watched)
        if "audit" in address:
            check(feed.watched[-1] == {"watch": "audit"}, f"{address} asks for {feed.watched[-1]}")
        if "game=" in address:
            expect(window.find(".map-badge")).to_have_text("LIVE")
    check(not feed.breaches, f"{feed.breaches}")
    expect(window.find("#feed-state")).to_have_attribute("data-state", "open")


def look_elsewhere(browser, feed):
    """The same in the dark theme, on a telephone, in Korean."""
    room = next(room for room in feed.server.rooms if room["number"] == 2)
    dark = open_console(browser, feed.origin, "the console in the dark", DESKTOP, ENGLISH, DARK, at=f"#/room/{room['id']}")
    expect(dark.find(".members tbody tr")).to_have_count(8)
    watch_steps(feed, room, 8)
    dark.picture("console-14-lands-dark")
    phone = open_console(browser, feed.origin, "the console on a telephone", PHONE, KOREAN)
    for place in ("overview", "rooms", "schools", "suspects", "connections", "sanctions", "proposals", "reports", "operators", "webhooks", "wall", "audit"):
        go(phone, place)
        expect(phone.find(SHOWN[place]).first).to_be_visible()
        phone.picture(f"console-15-phone-{place}")
        check_thumbs(phone, place)
        for button in phone.find("#view td.tools button").all()[:3]:
            box = button.bounding_box()
            check(box["x"] >= 0 and box["x"] + box["width"] <= 390, f"what can be done is at hand in {place}: {box}")
    expect(phone.find("h1")).to_have_text("감사 기록")
    phone.page.click("#language")
    expect(phone.find("h1")).to_have_text("Audit log")
    check_room(phone, feed.origin, room["id"])
    return [dark, phone]


def see_recording(browser):
    """A room of 25 bots who take ground, recorded for 15 s from a real server's feed."""
    feed = Feed(recording=RECORDING)
    room = next(message["room"] for _, message in feed.recorded if "room" in message)
    window = open_console(browser, feed.origin, "of a recording", DESKTOP, at=f"#/room/{room['id']}")
    expect(window.find(".room h1")).to_have_text(room["state"]["code"])
    expect(window.find(".members tbody tr")).to_have_count(25)
    ticks = [message["tick"]["tick"] for _, message in feed.recorded if "tick" in message]
    points = {}
    for tick in [room["state"], *ticks]:
        points |= dict(zip(tick.get("seats", []), tick.get("points", [])))
    # At its end the page shows the last ticks.
    best = max(points.values())
    wait_for("the recording's end", lambda: figures(window.find(".members td.strong").first.inner_text()) == best, 20)
    measure_frames(window, "a recorded room of 25 who take ground")
    window.picture("console-16-recording")


def look_at_console(browser):
    feed = Feed()
    window = open_console(browser, feed.origin, "the console", DESKTOP, ENGLISH)
    see_overview(window, feed)
    see_rooms(window, feed)
    see_room(window, feed)
    measure_frames(window, "a made-up room of 25 on 200 x 200 cells")
    see_recording(browser)
    go_back_in_time(window, feed)
    banned = act_on_members(window, feed)
    see_schools(window, feed)
    see_suspects(window, feed)
    work_in_tables(window, feed)
    see_connections(window, feed)
    see_sanctions(window, feed, banned)
    see_audit(window, feed)
    see_proposals(window, feed)
    see_reports(window, feed)
    see_webhooks(window, feed)
    see_the_wall(window, feed)
    act_by_identifier(window, feed)
    act_on_the_server(window, feed)
    act_without_answers(window, feed)
    close_the_room(window, feed)
    leave_a_room(window, feed)
    choose_while_the_map_settles(window, feed)
    leave_nothing_behind(window, feed)
    hear_news_once(window, feed)
    mistype(window, feed)
    lose_the_line(window, feed)
    windows = [window, *look_elsewhere(browser, feed)]
    for each in windows:
        check(each.page.evaluate("window.hacked === undefined"), "no name became more than text")
    check(not feed.breaches, f"the page kept to the contract: {feed.breaches}")
