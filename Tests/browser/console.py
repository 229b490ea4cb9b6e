"""The operators' console of a real server: operators watch two players, announce something,
mute, kick, ban and lift bans, replay a game, close the room, and find all of it in the audit log."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import fill_dialog, go, open_console, wait_for
from rooms import hears, join, make_room, points, say
from taps import choose as choose_school

DURATION_S = 300


def operate(browser, origin, link):
    operator = open_console(browser, link, "the operator", DESKTOP, ENGLISH)
    check("token" not in operator.page.url, f"the token stays in no history: {operator.page.url}")
    host = browser.window("the host", PHONE, KOREAN)
    guest = browser.window("the guest", DESKTOP, ENGLISH, DARK)
    symbols = make_room(host, origin, "FOOTPRINT", DURATION_S, "가람")
    # The QR holds the address in upper case.
    join(guest, f"{origin}/J/{symbols}", "Jimin")
    host.page.click("#start")
    guest.see("#ground")
    guest.walk("KeyD", 4)
    say(host, "안녕, 지민!")
    hears(guest, "안녕, 지민!")
    host.page.click("#chat-close")

    find_room(operator, symbols)
    watch_room(operator, host, guest)
    announce(operator, host, guest)
    mute(operator, host, guest)
    kick(operator, host, guest)
    look_back(operator)
    guest = come_again(browser, operator, host, guest, f"{origin}/j/{symbols}")
    ban(operator, host, guest, f"{origin}/j/{symbols}")
    kick_and_ban_a_tapper(browser, operator, origin)
    close_room(operator, host, guest, symbols)
    ban_by_identifier(operator)
    close_season(operator)
    see_audit(operator)


def find_room(operator, symbols):
    code = f"{symbols[:5]}-{symbols[5:]}"
    expect(operator.find(".chart-players .figure b").first).to_have_text("2")
    operator.picture("operator-1-overview")
    go(operator, "rooms")
    operator.page.fill(".filter", symbols.lower())
    row = operator.find("#view tbody tr", has_text=code)
    expect(operator.find("#view tbody tr")).to_have_count(1)
    expect(row).to_contain_text("Footprints")
    expect(row).to_contain_text("Playing")
    expect(row).to_contain_text("2 / 8")
    operator.picture("operator-1-rooms")
    row.locator("a").click()
    expect(operator.find(".room h1")).to_have_text(code)


def member(operator, name):
    return operator.find(".members tbody tr", has=operator.page.get_by_text(name, exact=True))


def watch_room(operator, host, guest):
    expect(operator.find(".members tbody tr")).to_have_count(2)
    expect(member(operator, "가람")).to_contain_text("host")
    check(points(guest) >= 2, f"the guest has walked, and has {points(guest)} points")
    expect(member(operator, "Jimin").locator("td.strong")).to_have_text(f"{points(guest)}")
    expect(operator.find(".log .chat", has_text="안녕, 지민!")).to_have_count(1)
    say(guest, "<b>hello</b>")
    expect(operator.find(".log .chat", has_text="<b>hello</b>")).to_have_count(1)
    expect(operator.find(".map-badge")).to_have_text("LIVE")
    had = points(guest)
    guest.page.evaluate("document.activeElement.blur()")
    guest.walk("KeyS", 3)
    wait_for("the guest to have walked on", lambda: points(guest) > had)
    expect(member(operator, "Jimin").locator("td.strong")).to_have_text(f"{points(guest)}")
    operator.picture("operator-2-room")
    go(operator, "connections")
    operator.page.fill(".filter", "Jimin")
    expect(operator.find("#view tbody tr")).to_have_count(1)
    expect(operator.find("#view tbody tr")).to_contain_text("127.0.0.1")
    operator.page.click("#view tbody a")
    expect(operator.find(".members tbody tr")).to_have_count(2)


def choose(operator, name, item):
    member(operator, name).locator("td.tools button").click()
    operator.page.click(f".menu button:text-is('{item}')")


def confirm(operator, fill=(), picture=None):
    """Confirms the dialog; the server acknowledges the action."""
    fill_dialog(operator, fill, picture).click()
    expect(operator.find("dialog")).to_have_count(0)
    expect(operator.find(".toast").last).to_be_visible()


def announce(operator, host, guest):
    text = "곧 <b>점검</b>합니다"
    operator.page.click(".head-tools button >> nth=0")
    confirm(operator, [("text", text)], "operator-3-announce")
    for window in (host, guest):
        expect(window.find(".announcement", has_text=text)).to_be_visible()
    host.picture("operator-3-announced-phone")
    guest.picture("operator-3-announced-desktop")
    for window in (host, guest):
        window.page.click(".announcement button")
        expect(window.find(".announcement")).to_have_count(0)


def mute(operator, host, guest):
    choose(operator, "Jimin", "Mute")
    confirm(operator, [("minutes", "10"), ("reason", "shouting")])
    expect(member(operator, "Jimin").locator(".tag", has_text="muted")).to_be_visible()
    guest.page.fill("#chat-text", "Can you hear me?")
    guest.page.press("#chat-text", "Enter")
    expect(guest.find("#chat-muted")).to_contain_text("An operator has muted you until")
    expect(guest.find("#chat-text")).to_have_value("Can you hear me?")
    guest.picture("operator-4-muted")
    # The host's chat reaches all members, so an earlier chat would have reached them too.
    say(host, "아무 말도 안 들려")
    hears(guest, "아무 말도 안 들려")
    hears(host, "아무 말도 안 들려")
    expect(host.find("#chat-lines li", has_text="Can you hear me?")).to_have_count(0)
    host.page.click("#chat-close")


def kick(operator, host, guest):
    choose(operator, "Jimin", "Kick")
    confirm(operator, picture="operator-5-kick")
    guest.see("#notice")
    expect(guest.find("#notice-title")).to_have_text("Removed by an operator")
    expect(guest.find("#notice-text")).to_contain_text("You may come again")
    guest.picture("operator-5-kicked")
    expect(operator.find(".members tbody tr")).to_have_count(1)
    expect(operator.find(".log")).to_contain_text("Jimin left")
    # A newly opened room has no seat for Jimin's chats.
    operator.page.reload()
    expect(operator.find(".log .chat", has_text="<b>hello</b>")).to_have_count(1)
    author = operator.find(".log .chat", has_text="<b>hello</b>").locator(".author")
    expect(author).not_to_have_text("…")
    expect(author).to_be_enabled()
    # The room goes on; one of two players is left, so the game is over.
    host.see("#result")
    expect(operator.find(".view-head .tags")).to_contain_text("Ended")


def look_back(operator):
    """Replays the game that is over from its track."""
    expect(operator.find(".games option")).to_have_count(2)
    operator.page.select_option(".games", index=1)
    expect(operator.find(".map-badge")).to_have_text("RECORDED")
    operator.page.select_option(".scrubber select >> nth=1", "16")
    expect(operator.find(".log")).to_contain_text("<b>hello</b>")
    expect(operator.find(".log")).to_contain_text("Jimin left")
    expect(operator.find(".members tbody tr")).to_have_count(1)
    operator.picture("operator-6-recorded")
    operator.page.click(".live-button")
    expect(operator.find(".map-badge")).to_have_text("LIVE")


def come_again(browser, operator, host, guest, address):
    """A kicked player can't come back into the room by the same browser; another browser's can. A mute stays until it is
    lifted. Returns the window of the next guest."""
    host.page.click("#again")
    host.see("#lobby")
    guest.page.goto(address)
    guest.see("#enter")
    guest.page.click("#enter-button")
    guest.see("#notice")
    expect(guest.find("#notice-title")).to_have_text("You can't come into this room")
    guest.page.evaluate("localStorage.clear()")
    guest.page.goto(address)
    guest.see("#enter")
    guest.page.click("#enter-button")
    guest.see("#notice")
    expect(guest.find("#notice-title")).to_have_text("You can't come into this room")
    guest.picture("operator-5-barred")
    guest = browser.window("the next guest", DESKTOP, ENGLISH, DARK)
    join(guest, address, "Jimin")
    expect(operator.find(".members tbody tr")).to_have_count(2)
    go(operator, "sanctions")
    row = operator.find("#view tbody tr", has_text="Jimin")
    expect(row).to_contain_text("mute")
    expect(row).to_contain_text("shouting")
    operator.picture("operator-7-sanctions")
    row.locator("button").click()
    confirm(operator)
    expect(operator.find("#view tbody tr")).to_have_count(0)
    say(guest, "I am here")
    hears(host, "I am here")
    operator.page.go_back()
    expect(operator.find(".members tbody tr")).to_have_count(2)
    return guest


def ban(operator, host, guest, address):
    choose(operator, "Jimin", "Ban")
    confirm(operator, [("minutes", "10"), ("reason", "twice")])
    # At once, and once more whenever the page is opened.
    for _ in range(2):
        guest.see("#notice")
        expect(guest.find("#notice-title")).to_have_text("You can't play here")
        expect(guest.find("#notice-text")).to_contain_text("An operator has shut you out until")
        guest.picture("operator-8-banned")
        guest.page.reload()
    expect(operator.find(".members tbody tr")).to_have_count(1)
    go(operator, "sanctions")
    row = operator.find("#view tbody tr", has_text="twice")
    expect(row).to_contain_text("ban")
    row.locator("button").click()
    confirm(operator)
    expect(operator.find("#view tbody tr")).to_have_count(0)
    guest.page.reload()
    join(guest, address, "Jimin")
    expect(host.find("#lobby-players li")).to_have_count(2)


def kick_and_ban_a_tapper(browser, operator, origin):
    """A tapper gets the same notifications, and goes on after a kick by a button."""
    tapper = browser.window("the tapper", PHONE, ENGLISH)
    tapper.page.goto(f"{origin}/tap")
    choose_school(tapper, "별무늬마루", "서울특별시")
    go(operator, "connections")
    row = operator.find("#view tbody tr", has_text=tapper.page.evaluate("localStorage['madang.nickname']"))
    row.locator("td.tools button").click()
    operator.page.click(".menu button:text-is('Kick')")
    confirm(operator)
    expect(tapper.find("#race")).to_contain_text("Removed by an operator")
    expect(tapper.find("#race")).to_contain_text("You may go on")
    expect(tapper.find("#pad")).to_be_hidden()
    tapper.picture("operator-8-kicked-tapper")
    tapper.page.click("#race button")
    tapper.see("#pad")
    row.locator("td.tools button").click()
    operator.page.click(".menu button:text-is('Ban')")
    confirm(operator, [("minutes", "10"), ("reason", "a machine")])
    expect(tapper.find("#race")).to_contain_text("You can't play here")
    expect(tapper.find("#race")).to_contain_text("until")
    expect(tapper.find("#race button")).to_have_count(0)
    tapper.picture("operator-8-banned-tapper")


def close_room(operator, host, guest, symbols):
    go(operator, "rooms")
    operator.page.fill(".filter", symbols)
    operator.page.click("#view tbody a")
    expect(operator.find(".members tbody tr")).to_have_count(2)
    operator.page.click(".head-tools .danger")
    confirm(operator, picture="operator-9-close")
    for window, title in ((host, "방이 닫혔어요"), (guest, "The room was closed")):
        window.see("#home")
        expect(window.find(".announcement")).to_contain_text(title)
    host.picture("operator-9-closed-phone")
    expect(operator.find(".map-notice")).to_be_visible()
    expect(operator.find(".map-badge")).to_have_text("GONE")
    operator.page.reload()
    expect(operator.find(".map-notice")).to_contain_text("no more")
    operator.page.click(".map-notice button")
    expect(operator.find(".map-badge")).to_have_text("RECORDED")
    expect(operator.find(".members tbody tr")).to_have_count(2)
    for number in range(2):
        expect(operator.find(".members td.tools button").nth(number)).to_be_disabled()
    operator.picture("operator-9-gone")


def ban_by_identifier(operator):
    """The audit log names the player of an action; a ban from there needs no connected player."""
    go(operator, "audit")
    operator.page.click("#view tbody a[href^='#/sanctions']")
    operator.page.click(".sanction-form .danger")
    confirm(operator, [("minutes", "10"), ("reason", "reported")], "operator-9-ban")
    row = operator.find("#view tbody tr", has_text="reported")
    row.locator("button").click()
    confirm(operator)
    expect(operator.find("#view tbody tr")).to_have_count(0)


def close_season(operator):
    """The running season is named and closed, and the next one runs."""
    operator.page.click("#close-season")
    expect(operator.find("dialog h2")).to_have_text("Close season 1")
    fill_dialog(operator, typed="close").click()
    expect(operator.find("dialog")).to_have_count(0)
    expect(operator.find(".toast").last).to_contain_text("season 2 has begun")
    go(operator, "schools")
    expect(operator.find(".facts dd").first).to_have_text("2")


def see_audit(operator):
    done = ["announce", "mute", "kick", "unmute", "ban", "unban", "kick", "ban", "closeRoom", "ban", "unban", "closeSeason"]
    go(operator, "audit")
    rows = operator.find("#view tbody tr")
    expect(rows).to_have_count(len(done))
    shown = operator.find("#view td.strong").all_inner_texts()
    check(shown == done[::-1], f"the audit log has {shown}")
    operator.picture("operator-10-audit")
