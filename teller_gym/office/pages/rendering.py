"""Renders pages from templates, and builds HTML responses."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from teller_gym.base.errors import MissingExtraError
from teller_gym.office.web import Response

if TYPE_CHECKING:
    from jinja2 import Environment

ROOT: Final = "/web/"
"""Path prefix of a service's pages."""

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
)


@cache
def environment() -> Environment:
    """Return the template environment.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ImportError as error:
        raise MissingExtraError("an office's pages for browsers", "office") from error
    found = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["link"] = link
    return found


def page(template: str, values: dict[str, Any], status: int = 200, *headers: tuple[str, str]) -> Response:
    """Render a page from a template, which is a file in `templates`, named without its extension."""
    text = environment().get_template(template).render(values)
    return Response(status, (*_HEADERS, *headers), text.encode("utf-8", "replace"))


def link(place: str, /, **query: object) -> str:
    """Return the address of a page: ``link("room", to="#general")`` is ``/web/room?to=%23general``."""
    given = {name: str(value) for name, value in query.items() if value is not None and value != ""}
    return f"{ROOT}{place}" + (f"?{urlencode(given, quote_via=quote, errors='replace')}" if given else "")


def go(location: str, *headers: tuple[str, str]) -> Response:
    """Return a redirect to another page, which browsers then request with GET."""
    return Response(303, (("Location", location), ("Cache-Control", "no-store"), *headers))


def download(name: str, kind: str, content: bytes) -> Response:
    """Return a file download that browsers save and never show as a page."""
    plain = kind if kind.isascii() and kind.isprintable() else "application/octet-stream"
    named = f"attachment; filename*=UTF-8''{quote(name, safe='', errors='replace')}"
    return Response(
        200,
        (
            ("Content-Type", plain),
            ("Content-Disposition", named),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", "sandbox; default-src 'none'"),
            ("X-Content-Type-Options", "nosniff"),
        ),
        content,
    )


def _template(name: str) -> str:
    return (resources.files(__package__) / "templates" / f"{name}.html.j2").read_text("utf-8")
