"""Webhooks in the console of a made-up server."""
from console_window import check, confirm, go
from playwright.sync_api import expect


def see_webhooks(window, feed):
    """Each has its state; one is tried, one enabled, one removed, and one added, whose secret is shown once."""
    go(window, "webhooks")
    rows = window.find("#view tbody tr")
    expect(rows).to_have_count(3)
    for row, state in zip(("<i>hook</i> 0", "<i>hook</i> 1", "<i>hook</i> 2"), ("working", "failing", "switched off")):
        expect(window.find("#view tbody tr", has_text=row)).to_contain_text(state)
    expect(rows.nth(1)).to_contain_text("STATUS_500 <b>500</b>")
    window.picture("console-17-webhooks")
    first, second, third = list(feed.server.webhooks)
    for at, item, act, identifier in (
        (0, "Try", "testWebhook", first), (2, "Enable", "enableWebhook", third), (1, "Remove", "removeWebhook", second),
    ):
        rows.nth(at).locator("td.tools button").click()
        window.find(".menu button", has_text=item).click()
        confirm(window, feed, {"act": act, "webhook": identifier})
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("working")
    window.find("button", has_text="Add webhook").click()
    address = "https://example.org/new"
    act = {"act": "addWebhook", "url": address, "events": ["fence", "suspect"]}
    confirm(window, feed, act, [("url", address), ("events", "fence, suspect")])
    expect(window.find(".shown-once input")).to_have_value("whsec_" + "a" * 43 + "=")
    expect(rows).to_have_count(3)
    go(window, "operators")
    go(window, "webhooks")
    check(window.find(".shown-once").count() == 0, "a secret is shown once")
