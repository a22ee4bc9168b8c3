"""A headless browser that looks at the pages, and what tests ask of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from teller_gym.evaluation.records.episode import Episode

OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1280,800",
)  # fmt: skip
PATIENCE_S = 20.0


@contextmanager
def headless_chromium(profile: Path) -> Iterator[Any]:
    """A WebDriver of a Chromium of its own; the test fails, and says what to install, where there is none.

    profile: an empty folder for the browser's files.
    """
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.fail("browser tests need chromium and chromedriver: apt-get install chromium chromium-driver")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for option in (*OPTIONS, f"--user-data-dir={profile}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chromium = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield chromium
    finally:
        chromium.quit()


class Pages:
    """The pages in a browser.

    base: address of the first page, as a file or from a server.
    """

    def __init__(self, browser: Any, base: str) -> None:
        self.browser = browser
        self.base = base

    def open(self, **state: object) -> None:
        """Open the pages at a state, as one does who follows a link from elsewhere."""
        self.browser.get("about:blank")
        self.browser.get(f"{self.base}#{urlencode(state)}")
        self.until(lambda: self.js("return document.querySelector('#main').dataset.shown !== undefined"))

    def js(self, script: str, *arguments: object) -> Any:
        """Return the result of a script."""
        return self.browser.execute_script(script, *arguments)

    def until(self, holds: Callable[[], Any]) -> Any:
        """Wait until something holds; returns what it came to."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.browser, PATIENCE_S, poll_frequency=0.02).until(lambda _: holds())

    def all(self, css: str) -> list[Any]:
        """Elements of a selector."""
        found: list[Any] = self.browser.find_elements("css selector", css)
        return found

    def texts(self, css: str) -> list[str]:
        """Texts of the elements of a selector, hidden ones, too."""
        found: list[str] = self.js("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", css)
        return found

    def click(self, css: str) -> None:
        """Click on the first element of a selector, once it is there."""
        self.until(lambda: self.all(css))
        self.all(css)[0].click()

    def choose(self, css: str, text: str) -> None:
        """Choose an option of a select by its text."""
        from selenium.webdriver.support.ui import Select

        Select(self.all(css)[0]).select_by_visible_text(text)

    def type(self, css: str, text: str) -> None:
        """Type into a field."""
        self.all(css)[0].send_keys(text)

    def press(self, key: str) -> None:
        """Press a key with the focus where it is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).send_keys(key).perform()

    def state(self) -> dict[str, str]:
        """Return the part of the address after #."""
        found: dict[str, str] = self.js("return Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")
        return found

    def heading(self, text: str) -> None:
        """Wait until the page's heading begins with a text."""
        self.until(lambda: any(heading.startswith(text) for heading in self.texts("h1")))

    def busy_ms(self) -> float:
        """Milliseconds of processor time that the page's main thread has worked; from the first call on they count."""
        self.browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        metrics = self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return 1000 * float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))

    def complaints(self) -> list[str]:
        """Return the output of the browser's console since the last call."""
        return [entry["message"] for entry in self.browser.get_log("browser")]


def everything(records: dict[str, list[Episode]]) -> list[Episode]:
    """The episodes of several runs."""
    return [one for run in records.values() for one in run]


def valid(episodes: list[Episode]) -> list[Episode]:
    """The valid ones of some episodes."""
    return [one for one in episodes if one["status"] != "invalid"]
