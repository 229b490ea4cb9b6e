"""A real Chromium for the tests of the pages: windows that are watched for errors, and screenshots to look at."""
import pathlib
import shutil
import sys

from playwright.sync_api import expect, sync_playwright

from client import check

PICTURES = pathlib.Path(__file__).parents[2] / ".build" / "browser"
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
KOREAN = {"locale": "ko-KR"}
ENGLISH = {"locale": "en-GB"}
DARK = {"color_scheme": "dark"}

# The longest wait for a page that will come to it. A loaded machine may stand still for many seconds.
WITHIN_S = 60

expect.set_options(timeout=1_000 * WITHIN_S)

# Holds a key. As in a walk, the time between two steps counts at most 1.2 s, however long the page stood still.
HOLD_KEY = """
([code, seconds]) => new Promise((resolve) => {
  const press = (kind) =>
    document.activeElement.dispatchEvent(new KeyboardEvent(kind, { code, bubbles: true, cancelable: true }));
  let [at, held] = [performance.now(), 0];
  press('keydown');
  const timer = setInterval(() => {
    const now = performance.now();
    held += Math.min((now - at) / 1000, 1.2);
    at = now;
    if (held < seconds) return;
    clearInterval(timer);
    press('keyup');
    resolve();
  }, 20);
})
"""


def chromium():
    """The path of Chromium; None where there is none."""
    return next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


class Chromium:
    """The one process of Chromium that the parts of a module share, for its start takes seconds. It is begun when a part
    needs it, and again when it has died."""

    def __enter__(self):
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.playwright = sync_playwright().start()
        self.process = None
        return self

    def __exit__(self, *_):
        try:
            if self.process:
                self.process.close()
        finally:
            self.playwright.stop()

    def running(self):
        if self.process is None or not self.process.is_connected():
            self.process = self.playwright.chromium.launch(
                executable_path=chromium(), args=["--no-sandbox"], timeout=1_000 * WITHIN_S
            )
        return self.process


class Browser:
    """The windows of one part. Each window is a browser of its own, with its own storage, and ends with the part. At the
    end no window's log may have a complaint. When something fails, screenshots of all windows are kept by the name of the
    part."""

    def __init__(self, part, shared):
        self.part = part
        self.shared = shared

    def __enter__(self):
        self.chromium = self.shared.running()
        self.windows = []
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.check_logs()
            else:
                self.tell_failure()
        finally:
            for window in self.windows:
                window.context.close()

    def window(self, name, *settings):
        merged = {key: value for each in settings for key, value in each.items()}
        window = Window(name, self.chromium.new_context(**merged))
        self.windows.append(window)
        return window

    def tell_failure(self):
        for number, window in enumerate(self.windows):
            window.picture(f"failed-{self.part}-{number}")
            print(f"{window.name}: {list(dict.fromkeys(window.complaints))[:5]}", file=sys.stderr)

    def check_logs(self):
        for window in self.windows:
            first = list(dict.fromkeys(window.complaints))[:5]
            check(not first, f"{window.name}'s browser complains: {first}")


class Window:
    """A page of somebody's browser, and that browser's complaints."""

    def __init__(self, name, context):
        self.name = name
        self.context = context
        context.set_default_timeout(1_000 * WITHIN_S)
        self.complaints = []
        # The browser reports it for every breach of the Content-Security-Policy, of this page and later ones.
        context.add_init_script(
            "addEventListener('securitypolicyviolation',"
            " (event) => console.error('CSP', event.violatedDirective, event.blockedURI))"
        )
        self.page = context.new_page()
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda error: self.complaints.append(f"thrown: {error}"))

    def note(self, message):
        # Taking a picture of a page with WebGL makes the driver wait, of which it tells.
        if message.type in ("error", "warning") and "GPU stall due to ReadPixels" not in message.text:
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def forget(self, *parts):
        """Drops expected entries: a browser logs refused and broken connections, also those of a test."""
        self.complaints = [text for text in self.complaints if not any(part in text for part in parts)]

    def find(self, selector, **which):
        return self.page.locator(selector, **which)

    def see(self, selector, within_s=WITHIN_S):
        expect(self.page.locator(selector)).to_be_visible(timeout=within_s * 1_000)

    def picture(self, name):
        self.page.screenshot(path=PICTURES / f"{name}.png")

    def walk(self, key, seconds):
        """Holds a key for so long by the page's own clock, so that a walk has its length on a busy machine too."""
        self.page.evaluate(HOLD_KEY, [key, seconds])
