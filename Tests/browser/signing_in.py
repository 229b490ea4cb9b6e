"""Operators with names in the pages of a real server: they are added, set a password by their link, turn on one-time
codes, sign in, see what their role may, and are out when their session is ended."""
import base64
import hashlib
import hmac
import re
import struct
import subprocess
import time

from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE, check
from console_window import fill_dialog, go, open_console, wait_for

PASSWORD = "correct horse battery staple"
ADMINS_BUTTONS = ("#announce", "#close-season", "#drain")


def come_in(browser, server):
    admin = open_console(browser, server.admin, "the admin", DESKTOP, ENGLISH)
    expect(admin.find("#who")).to_have_text("server token")
    for button in ADMINS_BUTTONS:
        expect(admin.find(button)).to_be_visible()

    link = command(server, "operators", "add", "yuna", "--role", "viewer").split()[-1]
    viewer = set_password(browser, link, "yuna", PHONE, KOREAN)
    look_without_buttons(viewer)

    link = add_by_the_page(admin, "nari", "admin")
    codes = {}
    nari = set_password(browser, link, "nari", DESKTOP, ENGLISH, DARK, codes=codes)
    spend_again(browser, link)
    sign_out_and_in(nari, codes)

    end_session(nari, viewer)
    machine(admin, server)
    check("[operator yuna]" in (server.data / "madang.operators").read_text(), "the file can be read")
    reasons(nari)


def command(server, *words):
    done = subprocess.run([server.program, *words, "--data", server.data], capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, f"{words} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def code_of(secret, later=0):
    """The code that an app shows, by Python's own hand (RFC 6238)."""
    key = base64.b32decode(secret)
    mac = hmac.new(key, struct.pack(">Q", int(time.time()) // 30 + later), hashlib.sha1).digest()
    offset = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


def set_password(browser, link, name, *settings, codes=None):
    window = browser.window(name, *settings)
    window.page.goto(link)
    expect(window.find("#door h1")).to_be_visible()
    expect(window.find("#door .strong")).to_contain_text(name)
    window.picture(f"operators-1-link-{name}")
    window.page.fill("[name=password]", PASSWORD)
    window.page.fill("[name=again]", PASSWORD + "!")
    window.page.click("#door button.primary")
    expect(window.find("#door .fault")).to_be_visible()
    window.page.fill("[name=again]", PASSWORD)
    if codes is not None:
        window.page.check("[name=useCodes]")
        codes["secret"] = window.find(".codes-secret").inner_text().replace(" ", "")
        expect(window.find(".codes-picture")).to_be_visible()
        window.picture(f"operators-2-codes-{name}")
        codes["used"] = code_of(codes["secret"])
        window.page.fill("[name=code]", codes["used"])
    window.page.click("#door button.primary")
    expect(window.find("#feed-state")).to_have_attribute("data-state", "open")
    expect(window.find("#who")).to_contain_text(name)
    check(link.split("#")[1] not in window.page.url, f"the secret stays in no address: {window.page.url}")
    return window


def look_without_buttons(viewer):
    """A viewer sees all views and no button that does something to anybody."""
    for place in ("overview", "rooms", "suspects", "connections", "sanctions", "proposals", "places", "reports", "audit"):
        go(viewer, place)
        for button in ADMINS_BUTTONS:
            expect(viewer.find(button)).to_be_hidden()
        for element in viewer.find("[data-act]").all():
            check(not element.is_visible(), f"{place} shows {element.get_attribute('data-act')}")
        wide = viewer.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        check(wide <= 0, f"{place} is {wide} wider than the telephone")
    go(viewer, "operators")
    expect(viewer.find("#view tbody tr", has_text="yuna").first).to_be_visible()
    expect(viewer.find("#view button:visible", has_text="추가")).to_have_count(0)
    viewer.picture("operators-3-viewer-phone")


def add_by_the_page(admin, name, role):
    go(admin, "operators")
    admin.page.click("#view .head-tools button.primary")
    fill_dialog(admin, [("name", name), ("role", role)], "operators-4-add").click()
    expect(admin.find("dialog")).to_have_count(0)
    link = admin.find(".shown-once input").input_value()
    check(re.fullmatch(r"http://127\.0\.0\.1:\d+/join#[0-9a-f]{64}", link), f"the link is {link}")
    expect(admin.find("#view tbody tr", has_text=name).first).to_contain_text("link until")
    admin.picture("operators-5-added")
    return link


def spend_again(browser, link):
    again = browser.window("with a spent link", PHONE, ENGLISH)
    again.page.goto(link)
    expect(again.find("#door .fault")).to_contain_text("This link was used")
    again.forget("404")
    again.picture("operators-6-spent")


def sign_out_and_in(window, codes):
    window.page.click("#sign-out")
    expect(window.find("#door h1")).to_have_text("Operators sign in")
    # The address of an alert's view, which the sign-in keeps.
    window.page.evaluate("location.hash = '#/webhooks'")
    window.picture("operators-7-sign-in")
    for password, code in (("wrong horse battery", ""), (PASSWORD, ""), (PASSWORD, codes["used"])):
        window.page.fill("[name=name]", "nari")
        window.page.fill("[name=password]", password)
        window.page.fill("[name=code]", code)
        window.page.click("#door button.primary")
        expect(window.find("#door .fault")).to_contain_text("is wrong")
        expect(window.find("#door button.primary")).to_be_enabled()
    window.picture("operators-8-wrong")
    window.page.fill("[name=code]", code_of(codes["secret"], 1))
    window.page.click("#door button.primary")
    expect(window.find("#feed-state")).to_have_attribute("data-state", "open")
    expect(window.find("#nav a[data-view=webhooks]")).to_have_attribute("aria-current", "page")
    # What the browser logs of refused forms, and of the page that is refused with its own contents.
    window.forget("401")


def end_session(admin, viewer):
    go(admin, "operators")
    rows = admin.find("#view .card >> nth=1").locator("tbody tr", has_text="yuna")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("one console")
    admin.picture("operators-9-sessions")
    rows.locator("button").click()
    fill_dialog(admin).click()
    expect(viewer.find("#feed-state")).to_have_attribute("data-state", "expired")
    viewer.picture("operators-10-ended")
    viewer.page.click("#expired button")
    expect(viewer.find("#door h1")).to_be_visible()
    viewer.forget("401")
    viewer.picture("operators-11-out")


def machine(admin, server):
    admin.page.click("#view .head-tools button >> nth=1")
    fill_dialog(admin, [("name", "grafana"), ("role", "viewer")]).click()
    expect(admin.find(".shown-once .strong")).to_contain_text("Bearer")
    token = admin.find(".shown-once input").input_value()
    host = server.admin.split("/?")[0]
    answer = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"Authorization: Bearer {token}", f"{host}/metrics"]
    status = lambda: subprocess.run(answer, capture_output=True, text=True, timeout=60).stdout
    check(status() == "200", "the token lets in")
    row = admin.find("#view tbody tr", has_text="grafana")
    row.locator("button").click()
    admin.page.click(".menu button.danger")
    fill_dialog(admin).click()
    expect(row).to_have_count(0)
    wait_for("the token to end", lambda: status() == "401")


def reasons(admin):
    """A person says why they ban, and the audit log has it with their name."""
    go(admin, "audit")
    rows = admin.find("#view tbody tr")
    expect(rows.first).to_be_visible()
    shown = admin.find("#view td.strong").all_inner_texts()
    check(
        shown == ["removeOperator", "addToken", "endSession", "setPassword", "addOperator", "setPassword", "addOperator"],
        f"the audit log has {shown}",
    )
    expect(rows.nth(2)).to_contain_text("nari")
    expect(rows.first).to_contain_text("server token")
    admin.picture("operators-12-audit")
    go(admin, "sanctions")
    admin.page.fill(".sanction-form input", "0a" * 16)
    admin.page.click(".sanction-form .danger")
    button = fill_dialog(admin, picture="operators-13-reason")
    expect(admin.find("dialog [name=reason]")).to_have_attribute("required", "")
    button.click()
    expect(admin.find("dialog .fault")).to_be_hidden()
    expect(admin.find("dialog")).to_be_visible()
    admin.page.fill("dialog [name=reason]", "a test")
    button.click()
    expect(admin.find("dialog .fault")).to_contain_text("there is no player")
    admin.page.keyboard.press("Escape")
