"""All that the pages do, in a real Chromium: python run.py WEBSOCKET_URL OPERATORS_URL [PART]...

Parts are rooms, territory, taps, crowd, small-screens, copy, lost, dead-line, no-position, restart, store-fails (the last two
start servers of their own, by the program that MADANG names, or the release build), console-page (which needs no server) and
console.
"""
import sys
import time

import console
import console_page
import crowd
import dead_line
import no_position
import rooms
import server_away
import small_screens
import taps
from browser import DESKTOP, KOREAN, PICTURES, Browser, origin_of


def see_a_crowd(browser, origin):
    host = browser.window("whose room it is", DESKTOP, KOREAN)
    symbols = rooms.make_room(host, origin, "FOOTPRINT", 60, "가람")
    crowd.draw_a_crowd(browser, origin, symbols)


PARTS = {
    "rooms": rooms.play_footprints,
    "territory": rooms.play_territory,
    "taps": taps.tap_for_schools,
    "crowd": see_a_crowd,
    "small-screens": small_screens.play_on_small_screens,
    "copy": rooms.copy_by_hand,
    "lost": rooms.lose_the_way,
    "dead-line": dead_line.lose_a_line_in_silence,
    "no-position": no_position.wait_for_a_position,
    "restart": server_away.restart_the_server,
    "store-fails": server_away.fail_the_store,
    "console-page": console_page.look_at_console,
    "console": lambda browser, origin: console.operate(browser, origin, sys.argv[2]),
}


def main():
    origin = origin_of(sys.argv[1])
    for name in sys.argv[3:] or PARTS:
        began = time.monotonic()
        with Browser() as browser:
            try:
                PARTS[name](browser, origin)
                browser.check_logs()
            except BaseException:
                for number, window in enumerate(browser.windows):
                    window.picture(f"failed-{name}-{number}")
                    print(f"{window.name}: {list(dict.fromkeys(window.complaints))[:5]}", file=sys.stderr)
                raise
        print(f"{name}: as it should be, {time.monotonic() - began:.0f} s", flush=True)
    print(f"screenshots are in {PICTURES}")


main()
