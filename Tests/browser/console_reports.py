"""What players report, in the console of a made-up server."""
from console_window import check, confirm, go
from playwright.sync_api import expect


def see_reports(window, feed):
    """Each has its words, pictures and reasons; one is hidden, one restored and one's author warned, by keys too."""
    go(window, "reports")
    rows = window.find("#view tbody tr")
    expect(rows).to_have_count(20)
    first = rows.first
    expect(first).to_contain_text("<i>바다</i> 0")
    expect(first).to_contain_text("hidden by reports")
    expect(first).to_contain_text("<u>광고</u>예요")
    expect(first).to_contain_text("NEWER 1")
    expect(first.locator("img")).to_have_count(3)
    check(first.locator("img").first.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0, "a picture")
    window.picture("console-12-reports")
    window.find("#view button", has_text="Older").click()
    expect(rows).to_have_count(5)
    window.find("#view button", has_text="Newest").click()
    expect(rows).to_have_count(20)
    things = list(feed.server.reports.values())
    window.find("#view tbody tr", has_text="바다</i> 0").locator("button", has_text="Hide").focus()
    window.page.keyboard.press("Enter")
    act = {"act": "hide", "kind": "post", "subject": things[0]["id"], "reason": "rude"}
    confirm(window, feed, act, [("reason", "rude")])
    expect(window.find("#view tbody tr", has_text="바다</i> 0")).to_have_count(0)
    window.find("#view tbody tr", has_text="바다</i> 2").first.locator("button", has_text="Restore").click()
    confirm(window, feed, {"act": "restore", "kind": "capsule", "subject": things[2]["id"]})
    window.find("#view tbody tr", has_text="바다</i> 8").locator("button", has_text="Warn").click()
    warning = {"act": "warn", "player": things[8]["player"], "kind": "post", "subject": things[8]["id"], "text": "no spam"}
    confirm(window, feed, warning, [("text", "no spam")])
    window.find("#view select").select_option("hiddenByOperator")
    expect(rows).to_have_count(1)
    expect(rows.first.locator("button", has_text="Hide")).to_be_disabled()
    expect(rows.first.locator("button", has_text="Restore")).to_be_enabled()
