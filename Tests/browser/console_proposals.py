"""Lands that players propose, in the console of a made-up server."""
from console_window import check, confirm, go
from playwright.sync_api import expect


def see_proposals(window, feed):
    """Each has a picture of its ring; one is accepted under another name, one as it is, and one is declined."""
    go(window, "proposals")
    rows = window.find("#view tbody tr")
    expect(rows).to_have_count(4)
    check(rows.first.locator(".ring-picture polygon").get_attribute("points").count(",") == 5, "a ring of five corners")
    expect(rows.first).to_contain_text("<i>마당</i> 0")
    expect(rows.first).to_contain_text("320 m")
    window.picture("console-11-proposals")
    first, second, third, _ = list(feed.server.proposals)
    window.find("#view tbody tr", has_text="마당</i> 0").locator("button", has_text="Accept").click()
    confirm(window, feed, {"act": "acceptLand", "proposal": first, "name": "운동장"}, [("name", "운동장")])
    expect(rows).to_have_count(3)
    window.find("#view tbody tr", has_text="마당</i> 1").locator("button", has_text="Accept").click()
    confirm(window, feed, {"act": "acceptLand", "proposal": second})
    window.find("#view tbody tr", has_text="마당</i> 2").locator("button", has_text="Decline").click()
    confirm(window, feed, {"act": "declineLand", "proposal": third, "reason": "a garden"}, [("reason", "a garden")])
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("<i>마당</i> 3")
