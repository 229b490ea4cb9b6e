"""A slow network for a page: its files come slowly, what the server says is held until it is passed on, and chosen requests
fail."""
import json

from browser import check
from console_window import wait_for

# A phone at the edge of a cell, as DevTools throttle it: 400 kbit/s and 400 ms.
EDGE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


def slow_down(window):
    devtools = window.context.new_cdp_session(window.page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", EDGE)


class SlowLine:
    """The connection of a window's page. It holds what the server says until it is told to pass it on."""

    def __init__(self, window):
        self.window = window
        self.held = []
        self.is_holding = True
        # The requests that are answered by a fault.
        self.fails = set()
        window.page.route_web_socket("**/v1/play", self.begin)

    def begin(self, line):
        def told(message):
            if self.is_holding:
                self.held.append((line, message))
            else:
                line.send(message)

        def asked(message):
            request = json.loads(message)
            if self.fails.isdisjoint(request):
                return server.send(message)
            error = {"code": "STORE_UNAVAILABLE", "message": "not now", "retryAfterMs": 1_000}
            line.send(json.dumps({"replyTo": request["id"], "error": error}))

        # Messages of a connection before are nobody's any more.
        self.held = []
        server = line.connect_to_server()
        server.on_message(told)
        line.on_message(asked)

    def index(self, kind):
        return next((at for at, (_, message) in enumerate(self.held) if kind in json.loads(message)), None)

    def holds(self, kind):
        """Waits until a message of this kind is held."""

        def is_held():
            # Messages come while the browser is waited for.
            self.window.page.evaluate("0")
            return self.index(kind) is not None

        wait_for(f"{kind} of the server", is_held)

    def pass_on(self, kind):
        """Passes on the first message of this kind, when it is there."""
        self.holds(kind)
        line, message = self.held.pop(self.index(kind))
        line.send(message)

    def let_all_pass(self):
        self.is_holding = False
        for line, message in self.held:
            line.send(message)
        self.held = []

    def hold_all(self):
        check(not self.held, "nothing is held")
        self.is_holding = True
