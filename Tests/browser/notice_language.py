"""Texts that stand on a page follow the language: toasts, notices, announcements, those who ask to come in, faults of forms,
and the big screen's notice."""
from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, KOREAN, PHONE
from small_screens import check_nothing_covers

# Toasts stay: they would go before a busy test looks at them.
STAY = "const later = setTimeout; window.setTimeout = (act, ms, ...rest) => ms === 4500 ? 0 : later(act, ms, ...rest);"
ANNOUNCE = """
async () => {
  const { announce } = await import(new URL("dom.js", document.querySelector("script[type=module]").src));
  announce("☂ 15:00");
}
"""


def follow(window, expected):
    """Each text is there in the language of now, in the other one, and back again."""
    for turn in (0, 1, 0):
        for selector, texts in expected.items():
            expect(window.find(selector)).to_have_text(texts[turn])
        window.page.click("#language")
    window.page.click("#language")


def change_the_language(browser, origin):
    host = browser.window("the host", PHONE, KOREAN)
    guest = browser.window("the guest", DESKTOP, ENGLISH)
    screen = browser.window("the screen", DESKTOP, ENGLISH)
    for window in (host, guest):
        window.context.add_init_script(STAY)
    address = make_a_room_that_asks(host, origin)
    screen.page.goto(address.replace("/j/", "/screen/"))
    asking = ("Waiting for the host to let the screen in…", "방장이 화면을 들여보내 주기를 기다려요…")
    for text in (*asking, asking[0]):
        expect(screen.find("#notice-text")).to_have_text(text)
        screen.page.keyboard.press("l")
    guest.page.goto(address)
    guest.page.fill("#nickname", "Jimin")
    guest.page.click("#enter-button")
    waiting = ("Waiting for the host to let you in…", "방장이 들여보내 주기를 기다려요…")
    follow(guest, {"#enter-fault": waiting})
    ask = ".ask-in:has-text('Jimin')"
    follow(host, {
        f"{ask} b": ("들어오고 싶어 해요", "Asks to come in"),
        f"{ask} .primary": ("들이기", "Let in"),
        f"{ask} .quiet": ("거절", "Refuse"),
    })
    host.find(f"{ask} .primary").click()
    guest.see("#lobby")
    follow(host, {".toast:has-text('Jimin')": ("Jimin 님이 들어왔어요", "Jimin came in")})
    host.page.evaluate(ANNOUNCE)
    announcement = ".announcement:not(.ask-in)"
    expect(host.find(f"{announcement} .quiet")).to_have_attribute("aria-label", "알림 닫기")
    follow(host, {f"{announcement} b": ("운영자 알림", "From the operators")})
    host.page.click("#language")
    host.picture("language-1-toast-and-announcement")
    expect(host.find(f"{announcement} .quiet")).to_have_attribute("aria-label", "Dismiss")
    host.page.click(f"{announcement} .quiet")
    remove(host, guest)
    expect(guest.find("#notice")).to_be_visible()
    follow(guest, {
        "#notice-title": ("The host has removed you", "방장이 내보냈어요"),
        "#notice-text": (
            "You can't come back into this room. Other rooms are open.",
            "이 방에는 다시 들어갈 수 없어요. 다른 방에는 들어갈 수 있어요.",
        ),
        "#notice-go": ("Home", "처음으로"),
    })
    check_nothing_covers(guest, "#notice-go")
    guest.page.goto(f"{origin}/")
    guest.page.fill("#code", "7K3F9-QXA52")
    guest.page.press("#code", "Enter")
    expect(guest.find("#code-fault")).to_be_visible()
    korean, english = "코드를 다시 확인해 주세요", "Please check the code"
    follow(guest, {"#code-fault": (english, korean)})
    for window in (host, guest, screen):
        window.forget("404")


def make_a_room_that_asks(host, origin):
    host.page.goto(f"{origin}/")
    host.page.check("input[name=consent]")
    host.page.fill("#nickname", "가람")
    host.page.click("#make")
    host.see("#lobby")
    return host.page.url


def remove(host, guest):
    """The host, whose page is in English by now, removes the guest; the toast about it follows the language."""
    host.find("#lobby-players .more").click()
    host.see(".player-sheet")
    host.page.get_by_role("button", name="Remove from the room").click()
    host.page.get_by_role("button", name="Remove Jimin").click()
    expect(host.find(".player-sheet")).to_have_count(0)
    follow(host, {".toast.good": ("Jimin is removed", "Jimin 님을 내보냈어요")})
