"""A device that has the permission for its position and no position: the page says so, offers practice, and plays as
soon as a position arrives."""
from playwright.sync_api import expect

from browser import DESKTOP, ENGLISH, PHONE, check
from rooms import make_room, points

GRANTED = {"permissions": ["geolocation"]}
FOUND = {"latitude": 37.5665, "longitude": 126.978, "accuracy": 8}


def wait_for_a_position(browser, origin):
    host = browser.window("the host", DESKTOP, ENGLISH)
    patient = browser.window("who waits", PHONE, ENGLISH, GRANTED)
    indoors = browser.window("who stays indoors", PHONE, ENGLISH, GRANTED)
    symbols = make_room(host, origin, "FOOTPRINT", 180, "Host")
    for window in (patient, indoors):
        window.context.set_geolocation(None)
        come_in(window, f"{origin}/j/{symbols}")
    host.page.click("#start")
    for window in (patient, indoors):
        expect(window.find("#tip-text")).to_contain_text("No position yet")
        expect(window.find("#tip-offer")).to_be_visible()
        expect(window.find("#stick")).to_be_hidden()
    patient.picture("no-position-phone")

    indoors.page.click("#tip-offer")
    indoors.see("#stick")
    expect(indoors.find("#tip-offer")).to_be_hidden()
    indoors.walk("KeyD", 4)
    expect(indoors.find("#score-points")).not_to_have_text("0 pts")

    # The page says so until there is a position, and then plays as if it had always had one.
    check(patient.find("#tip").is_visible(), "the word stays")
    patient.context.set_geolocation(FOUND)
    expect(patient.find("#tip")).to_be_hidden()
    expect(patient.find("#score-points")).to_have_text("1 pt")
    check(points(indoors) >= 2, f"practice counts: {points(indoors)}")
    for window in (patient, indoors):
        window.forget("geolocation", "Geolocation", "location provider")


def come_in(window, address):
    window.page.goto(address)
    window.see("#enter")
    window.page.check("input[value=receiver]", force=True)
    window.page.click("#enter-button")
    window.see("#lobby")


def wait_for_the_arena(browser, origin):
    """A guest whose position is known before the arena has a place, and far outside of it then, is told so."""
    host = browser.window("the host", PHONE, ENGLISH, GRANTED)
    guest = browser.window("a guest", PHONE, ENGLISH, GRANTED)
    symbols = make_room(host, origin, "TERRITORY", 180, "Host")
    host.context.set_geolocation(None)
    guest.context.set_geolocation(FOUND)
    come_in(guest, f"{origin}/j/{symbols}")
    host.page.click("#start")
    expect(guest.find("#tip-text")).to_contain_text("Waiting for Host")
    host.context.set_geolocation(FOUND | {"latitude": 37.5965})
    expect(guest.find("#tip-text")).to_contain_text("Outside the arena")
    expect(host.find("#tip")).to_be_hidden()
    guest.picture("arena-outside-phone")
    for window in (host, guest):
        window.forget("geolocation", "Geolocation", "location provider")
