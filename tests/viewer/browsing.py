"""A headless browser for the pages, with helpers for tests."""

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
    """Start a Chromium with an empty profile folder; yield its WebDriver. If it is not installed, the test fails."""
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
    """The pages in a browser; `base` is the address of the first one, as a file or on a server."""

    def __init__(self, browser: Any, base: str) -> None:
        self.browser = browser
        self.base = base

    def open(self, **state: object) -> None:
        """Open the pages at a state, like a user who follows a link."""
        self.browser.get("about:blank")
        self.browser.get(f"{self.base}#{urlencode(state)}")
        self.until(lambda: self.js("return document.querySelector('#main').dataset.shown !== undefined"))

    def js(self, script: str, *arguments: object) -> Any:
        return self.browser.execute_script(script, *arguments)

    def until(self, holds: Callable[[], Any]) -> Any:
        """Wait until the function returns something true, and return that."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.browser, PATIENCE_S, poll_frequency=0.02).until(lambda _: holds())

    def all(self, css: str) -> list[Any]:
        found: list[Any] = self.browser.find_elements("css selector", css)
        return found

    def texts(self, css: str) -> list[str]:
        """Return the texts of all elements of a selector, including hidden ones."""
        found: list[str] = self.js("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", css)
        return found

    def click(self, css: str) -> None:
        """Click the first element of a selector as soon as it exists."""
        self.until(lambda: self.all(css))
        self.all(css)[0].click()

    def choose(self, css: str, text: str) -> None:
        from selenium.webdriver.support.ui import Select

        Select(self.all(css)[0]).select_by_visible_text(text)

    def type(self, css: str, text: str) -> None:
        self.all(css)[0].send_keys(text)

    def press(self, key: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).send_keys(key).perform()

    def state(self) -> dict[str, str]:
        """Return the parameters in the address after #."""
        found: dict[str, str] = self.js("return Object.fromEntries(new URLSearchParams(location.hash.slice(1)))")
        return found

    def heading(self, text: str) -> None:
        """Wait until the page's heading begins with a text."""
        self.until(lambda: any(heading.startswith(text) for heading in self.texts("h1")))

    def busy_ms(self) -> float:
        """Return the processor time of the page's main thread in milliseconds, counted from the first call."""
        self.browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        metrics = self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return 1000 * float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))

    def complaints(self) -> list[str]:
        """Return the output of the browser's console since the last call."""
        return [entry["message"] for entry in self.browser.get_log("browser")]


def everything(records: dict[str, list[Episode]]) -> list[Episode]:
    return [one for run in records.values() for one in run]


def valid(episodes: list[Episode]) -> list[Episode]:
    return [one for one in episodes if one["status"] != "invalid"]
