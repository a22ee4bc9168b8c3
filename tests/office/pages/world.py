"""Texts that would break unescaped HTML, and a client for the web pages without a browser."""

import html
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from examples.small_office import SmallOffice, open_office
from teller_gym.office.pages import with_pages
from teller_gym.office.web import Request, Response
from tests.office.multipart import MULTIPART, multipart

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)> & \"two\" 'quotes'"
NAME = "<script>alert(1)<b> & 'quotes'.csv"
FORM = "application/x-www-form-urlencoded"


class Visitor:
    """A visitor of the web pages of one service, who stores its cookie."""

    def __init__(self, office: SmallOffice, service: str) -> None:
        self.office = office
        self.service = with_pages(office.services)[service]
        self.cookie = ""

    def ask(self, method: str, address: str, body: bytes = b"", **headers: str) -> Response:
        path, _, query = address.partition("?")
        sent = {
            "host": "office",
            "cookie": self.cookie,
            **{name.replace("_", "-"): one for name, one in headers.items()},
        }
        return self.service.handle(self.office.store, Request(method, path, query, sent, body))

    def get(self, address: str) -> str:
        """Return the HTML of a page, which must exist."""
        found = self.ask("GET", address)
        assert found.status == 200, (address, found.status, found.body[-300:])
        return found.body.decode()

    def sign_in(self, user: str = "ada", password: str | None = None) -> Response:
        given = {"username": user, "password": f"password-of-{user}" if password is None else password}
        found = self.ask("POST", "/web/login", urlencode(given).encode(), content_type=FORM, origin="http://office")
        cookie = found.header("Set-Cookie")
        if cookie is not None:
            self.cookie = cookie.partition(";")[0]
        return found

    def send(self, address: str, values: Mapping[str, Any], **headers: str) -> Response:
        """Submit a form."""
        body = urlencode(values, doseq=True).encode()
        return self.ask("POST", address, body, content_type=FORM, **headers)

    def upload(self, address: str, values: Mapping[str, str], name: str, content: bytes) -> Response:
        """Submit a form with a file in the field ``file``."""
        body = multipart(values, content, name)
        return self.ask("POST", address, body, content_type=MULTIPART)

    def links(self, page: str) -> list[str]:
        return [html.unescape(one) for one in re.findall(r'href="(/web/[^"]*)"', self.get(page))]


def visitor(service: str, user: str = "ada") -> Visitor:
    """Return a visitor who has signed in to a service of a small office."""
    found = Visitor(open_office(), service)
    assert found.sign_in(user).status == 303
    return found
