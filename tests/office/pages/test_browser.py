"""Uses the web pages of a served office in a real browser, and checks the store afterwards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.small_office import open_office
from teller_gym.office.serving import Serving
from teller_gym.office.store import Store
from tests.office.pages.world import MARKUP, NAME
from tests.viewer.browsing import PATIENCE_S, headless_chromium

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with headless_chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def serving() -> Iterator[Serving]:
    with Serving(open_office()) as found:
        yield found


def press(browser: Any, element: Any) -> None:
    """Click on an element that opens another page, and wait until it has loaded."""
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.support.expected_conditions import staleness_of
    from selenium.webdriver.support.ui import WebDriverWait

    left = browser.find_element("css selector", "html")
    element.click()
    # While the page is being replaced, the driver may raise other errors than the one for a stale element.
    waiting = WebDriverWait(browser, PATIENCE_S, poll_frequency=0.02, ignored_exceptions=(WebDriverException,))
    waiting.until(staleness_of(left))
    waiting.until(lambda _: browser.execute_script("return document.readyState") == "complete")


class Person:
    """A signed-in user of a browser, who uses only visible elements."""

    def __init__(self, browser: Any, serving: Serving, service: str) -> None:
        self.browser = browser
        self.serving = serving
        browser.delete_all_cookies()
        browser.get(serving.addresses[service] + "/")
        assert self.title == "Sign in"
        self.fill(username="ada", password="password-of-ada")
        self.press("#login button")

    @property
    def title(self) -> str:
        return str(self.one("h1").text)

    def one(self, css: str) -> Any:
        return self.browser.find_element("css selector", css)

    def fill(self, **fields: str) -> None:
        for name, text in fields.items():
            field = self.one(f"main [name={name}]")
            if field.get_attribute("type") != "file":
                field.clear()
            field.send_keys(text)

    def press(self, css: str) -> None:
        press(self.browser, self.one(css))

    def follow(self, text: str) -> None:
        press(self.browser, self.browser.find_element("link text", text))

    def choose(self, css: str, text: str) -> None:
        from selenium.webdriver.support.ui import Select

        Select(self.one(css)).select_by_visible_text(text)

    def sees(self, text: str, css: str = "body") -> None:
        assert text in self.one(css).text, self.one(css).text

    def look(self, what: Any) -> Any:
        return self.serving.look(what)


def test_a_browser_is_asked_once_and_a_wrong_password_is_said_to_be_wrong(chromium: Any, serving: Serving) -> None:
    chromium.delete_all_cookies()
    for service in ("crm", "files", "chat", "tracker"):
        for door in ("/", "/index.php", "/login"):
            chromium.get(serving.addresses[service] + door)
            assert chromium.current_url == serving.addresses[service] + "/web/login", "a log-in form that can be sent"
        chromium.find_element("name", "username").send_keys("ada")
        chromium.find_element("name", "password").send_keys("guess")
        press(chromium, chromium.find_element("css selector", "#login button"))
        assert "wrong" in chromium.find_element("css selector", "[role=alert]").text
        chromium.find_element("name", "password").send_keys("password-of-ada")
        press(chromium, chromium.find_element("css selector", "#login button"))
        assert chromium.current_url == serving.addresses[service] + "/web/", "signed in, not back at the form"
        press(chromium, chromium.find_element("id", "logout"))
        chromium.get(serving.addresses[service] + "/web/")
        assert chromium.current_url == serving.addresses[service] + "/web/login"


def test_the_file_store(chromium: Any, serving: Serving, tmp_path: Path) -> None:
    person = Person(chromium, serving, "files")
    person.follow("Clients/")
    person.follow("Kerr/")
    person.follow("assets.csv")
    person.sees("house,250000", "#content")
    person.follow("Kerr")
    local = tmp_path / NAME
    local.write_bytes(b"a,b\r\n1,2\r\n")
    person.one("#upload [name=file]").send_keys(str(local))
    person.press("#upload button")
    person.sees("The file was uploaded.")
    person.sees(NAME, "#entries")
    person.one("#write [name=name]").send_keys("summary.csv")
    person.one("#write [name=text]").send_keys("total\n250000")
    person.press("#write button")
    person.sees("total\n250000", "#content")
    person.follow("Kerr")
    person.one("#folder [name=name]").send_keys("Archive & more")
    person.press("#folder button")
    assert person.title == "/Clients/Kerr/Archive & more"

    def written(store: Store) -> list[bytes | None]:
        names = (NAME, "summary.csv", "Archive & more")
        rows = [store.get("files.nodes", f"ada/Clients/Kerr/{name}") or {} for name in names]
        return [row.get("content") for row in rows]

    assert person.look(written) == [b"a,b\r\n1,2\r\n", b"total\n250000", None]


def test_the_crm(chromium: Any, serving: Serving) -> None:
    chromium.get_log("browser")
    person = Person(chromium, serving, "crm")
    person.follow("Contacts")
    person.follow("Mona Kerr")
    person.sees("mona@example.com", "#fields")
    person.press("#edit")
    person.fill(description=MARKUP, addressCity="Leith")
    person.press("#save button")
    person.sees("It was saved.")
    person.sees("Leith", "#fields")
    person.sees(MARKUP, "#fields")
    assert chromium.find_elements("css selector", "main img, main script") == []
    assert [one for one in chromium.get_log("browser") if "favicon" not in one["message"]] == [], "no page complains"
    person.one("#post textarea").send_keys("Rang her.")
    person.press("#post button")
    person.sees("Rang her.", "#stream")
    person.press("header a")
    person.follow("Tasks")
    person.press("#new")
    person.fill(name="Send the form")
    person.choose("#assignedUserId", "Ben Okafor")
    person.choose("#parentType", "Contact")
    person.fill(parentId=person.look(lambda store: next(store.rows("crm.Contact"))[0]))
    person.press("#save button")
    assert person.title == "Send the form"
    person.follow("Mona Kerr")
    person.sees("Send the form")

    def kept(store: Store) -> list[Any]:
        _, contact = next(store.rows("crm.Contact"))
        tasks = [(one["name"], one["parentId"] == contact["id"]) for _, one in store.rows("crm.Task")]
        posts = [one["post"] for _, one in store.rows("crm.Note") if one["type"] == "Post"]
        return [contact["description"], contact["addressCity"], contact["emailAddress"], tasks, posts]

    expected = [MARKUP, "Leith", "mona@example.com", [("Send the form", True)], ["Rang her."]]
    assert person.look(kept) == expected
