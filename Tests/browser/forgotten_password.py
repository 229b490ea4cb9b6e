"""A player has forgotten a password: an operator finds them, absent as they are, and makes a link, by which the player sets
a new one, once."""
import json
import secrets
import unicodedata

from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import fill_dialog, go, open_console

NICKNAME, EMAIL, OLD, NEW = "가람", "garam@example.org", "the old password", "나의 새 비밀번호"


def find_and_reset(browser, server):
    player_id = register(server)
    operator = open_console(browser, server.admin, "the operator", DESKTOP, ENGLISH)
    find(operator, player_id)
    link = make_link(operator)
    set_password(browser, link)
    check(login(server, NEW) == player_id, "the new password lets in")
    check(login(server, OLD) is None, "the old password lets nobody in")
    spend_again(browser, link)


def ask(socket, body, **fields):
    """The answer to a request, by its name."""
    number = secrets.randbelow(1 << 30) + 1
    socket.send(json.dumps({"id": number, body: fields}))
    while True:
        message = json.loads(socket.recv(timeout=20))
        if message.get("replyTo") == number:
            return message


def dial(server):
    return connect(server.url, subprotocols=["madang.v1.json"])


def register(server):
    """Makes an account and a guest, and leaves; returns the account's identifier."""
    with dial(server) as socket:
        hello(socket, f"{NICKNAME}이 아닌")
    with dial(server) as socket:
        player_id = hello(socket, NICKNAME)
        answer = ask(socket, "register", email=EMAIL, password=OLD, nickname=NICKNAME)
        check("ok" in answer, f"register: {answer}")
        return player_id


def hello(socket, nickname):
    return ask(socket, "hello", nickname=nickname, deviceSecret=secrets.token_hex(16))["welcome"]["playerId"]


def login(server, password):
    """The identifier of who comes in by a password; None for a wrong one."""
    with dial(server) as socket:
        try:
            answer = ask(socket, "login", email=EMAIL, password=password)
        except ConnectionClosed:
            return None
        return answer.get("welcome", {}).get("playerId")


def find(operator, player_id):
    """Finds by a name as another keyboard composes it, by an e-mail and by an identifier."""
    go(operator, "playerSearch")
    rows = operator.find("#view tbody tr")
    for text, count in ((unicodedata.normalize("NFD", NICKNAME), 2), ("GARAM@", 1), (player_id[:12], 1), ("nobody", 0), (NICKNAME, 2)):
        operator.page.fill(".filter", text)
        expect(rows).to_have_count(count)
    operator.picture("players-1-found")
    operator.find("#view tbody a", has_text=NICKNAME).first.click()
    expect(operator.find(".player-file h2")).to_have_text(NICKNAME)
    expect(operator.find(".player-file .facts")).to_contain_text(EMAIL)
    expect(operator.find(".player-file .facts")).to_contain_text(player_id)
    operator.page.go_back()
    expect(operator.find(".player-file")).to_have_count(0)
    operator.page.go_forward()
    expect(operator.find(".player-file h2")).to_have_text(NICKNAME)
    operator.picture("players-2-one")


def make_link(operator):
    """The link, which is shown once."""
    operator.page.click(".player-file header button:text-is('Password link…')")
    fill_dialog(operator, [("reason", "asked by post")]).click()
    expect(operator.find("dialog")).to_have_count(0)
    link = operator.find("input.secret").input_value()
    check("/reset#" in link, f"the link is {link}")
    # A server without a public URL says so.
    expect(operator.find(".shown-once .hint").last).to_contain_text("--public-url")
    operator.page.reload()
    expect(operator.find(".player-file h2")).to_have_text(NICKNAME)
    expect(operator.find("input.secret")).to_have_count(0)
    return link


def fill(window, first, second):
    window.page.fill("#password", first)
    window.page.fill("#again", second)
    window.page.click("#set")


def set_password(browser, link):
    player = browser.window("the player", PHONE, KOREAN)
    player.page.goto(link)
    player.see("#reset")
    player.picture("reset-1-phone")
    fill(player, NEW, f"{NEW}!")
    expect(player.find("#fault")).to_have_text("두 비밀번호가 달라요")
    fill(player, NEW, NEW)
    player.see("#done")
    expect(player.find("#reset")).to_be_hidden()
    check("#" not in player.page.url, f"the secret stays in no history: {player.page.url}")
    player.picture("reset-2-done")


def spend_again(browser, link):
    """A link that was used is good no more, and its page says so in the reader's language."""
    late = browser.window("who comes late", DESKTOP, ENGLISH, DARK)
    late.page.goto(link)
    late.see("#reset")
    fill(late, "another password", "another password")
    expect(late.find("#fault")).to_contain_text("This link was used")
    expect(late.find("#set")).to_be_enabled()
    late.picture("reset-3-spent")
    # The browser logs the refused request.
    late.forget("status of 4")
