"""The console under a thumb: controls of a touch screen are large enough, and nothing is wider than the screen."""
from browser import check
from page_checks import check_width

# WCAG's enhanced size of a target. It excepts a link in a line of text, as the names in a room's log are.
SIZES = """
() => [...document.querySelectorAll("button, a[href], input, select, summary, textarea")]
  .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest("label.choice, .log"))
  .flatMap((control) => {
    const { width, height } = control.getBoundingClientRect();
    if (width === 0 || Math.min(width, height) >= 43.5) return [];
    return [`${Math.round(width)} × ${Math.round(height)} ${control.outerHTML.slice(0, 110)}`];
  })
"""


def check_thumbs(window, view):
    faults = window.page.evaluate(SIZES)
    check(not faults, f"{view} of {window.name}: {faults}")
    check_width(window, view)


def check_room(window, origin, room):
    """A room with its members, a menu and a dialog."""
    window.page.goto(f"{origin}/#/room/{room}")
    window.see(".members tbody tr >> nth=0")
    check_thumbs(window, "room")
    window.picture("console-15-phone-room")
    window.page.click(".members td.tools button >> nth=0")
    window.see(".menu")
    check_thumbs(window, "a menu")
    window.page.click(".menu button >> nth=0")
    window.see("dialog.ask")
    check_thumbs(window, "a dialog")
    window.picture("console-15-phone-dialog")
    window.page.keyboard.press("Escape")
