"""The photo of a country in the browser, with who made it: at the first visit, for which the server fetches it."""
from playwright.sync_api import expect

from browser import DARK, DESKTOP, ENGLISH, KOREAN, PHONE
from stories import await_picture, check_fits, come_in, picture

MAKER = "사진: Jürgen 100 %"


def fill(folder):
    """Makes a source of one photo."""
    folder.mkdir()
    (folder / "it.png").write_bytes(picture((210, 120, 60), side=640)["buffer"])
    (folder / "it.txt").write_text(MAKER)


def look_at_a_photo(browser, origin):
    """The first visitor sees who made the photo, as later ones do."""
    for name, settings in (("the first visitor", (PHONE, KOREAN)), ("the next visitor", (DESKTOP, ENGLISH, DARK))):
        window = browser.window(name, *settings)
        come_in(window, origin, "Visitor", "#/country/IT")
        window.see("#country-photo")
        await_picture(window, "#country-photo")
        expect(window.find("#country-by")).to_have_text(MAKER)
        check_fits(window)
        window.picture(f"stories-8-photo-{name.split()[1]}")
        # A country without a photo has nobody's name.
        window.page.goto(f"{origin}/stories#/country/FR")
        expect(window.find("#country-facts")).to_contain_text("파리" if name == "the first visitor" else "Paris")
        expect(window.find("#country-by")).to_have_text("")
        expect(window.find("#country-figure")).to_be_hidden()
        # The browser logs a photo that is not there.
        window.forget("/photo/FR")
