"""Status codes of HTTP."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

_CLASSES = {1: "informational", 2: "success", 3: "redirection", 4: "client_error", 5: "server_error"}
_CACHEABLE = {200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501}
_PASSING = {408, 425, 429, 500, 502, 503, 504}
_NOT_PROCESSED = {408, 425, 429, 503}


class HttpStatus(Result):
    """What a status means for a request; ``redirect_method`` is null unless it redirects."""

    name: str
    status_class: str
    may_have_content: bool
    cacheable: bool
    repeat: Literal["pointless", "later", "only_if_harmless"]
    redirect_method: str | None


@cache
def _statuses() -> dict[int, str]:
    folder = resources.files("teller_gym.scenarios.distractors.general.it_reference")
    table = folder.joinpath("it_reference.yaml").read_bytes()
    return msgspec.yaml.decode(table, type=dict[int, str])


@tool(category=Category.GENERAL_DISTRACTOR)
def explain_http_status(
    bank: Bank, status_code: Annotated[int, Meta(ge=100, le=599)], request_method: Method = "GET"
) -> HttpStatus:
    """Explain an HTTP status code for a request: name, class, content, caching, and whether to send it again.

    Args:
        status_code: The code, such as 404.
        request_method: Method of the request.
    """
    name = _statuses().get(status_code)
    if name is None:
        near = min(_statuses(), key=lambda code: (abs(code - status_code), code))
        raise invalid("status_code", f"expected a registered code, got {status_code}; the nearest one is {near}")
    repeatable = status_code in _NOT_PROCESSED or request_method not in ("POST", "PATCH")
    method: str | None = None
    if status_code in (301, 302, 303, 307, 308):
        to_get = status_code == 303 or (status_code in (301, 302) and request_method == "POST")
        method = "GET" if to_get and request_method != "HEAD" else request_method
    return HttpStatus(
        name=name,
        status_class=_CLASSES[status_code // 100],
        may_have_content=request_method != "HEAD" and status_code >= 200 and status_code not in (204, 205, 304),
        cacheable=status_code in _CACHEABLE and request_method in ("GET", "HEAD"),
        repeat="pointless" if status_code not in _PASSING else "later" if repeatable else "only_if_harmless",
        redirect_method=method,
    )
