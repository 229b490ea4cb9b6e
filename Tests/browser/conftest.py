"""Fixtures of the tests in a real Chromium."""
import pytest

from browser import Chromium


@pytest.fixture(scope="module")
def chromium():
    """The Chromium of a module. Not of the whole run: tests that await have no event loop beside Playwright's."""
    with Chromium() as chromium:
        yield chromium
