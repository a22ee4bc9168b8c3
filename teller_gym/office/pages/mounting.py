"""Adds web pages to the office services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from teller_gym.office.pages import chat, crm, files, tracker
from teller_gym.office.pages.rendering import ROOT, environment, go
from teller_gym.office.pages.site import Routes, answer
from teller_gym.office.store import Store
from teller_gym.office.web import Request, Response, Service, refusal

ROUTES: Final[Mapping[str, Routes]] = {
    "crm": crm.ROUTES,
    "files": files.ROUTES,
    "chat": chat.ROUTES,
    "tracker": tracker.ROUTES,
}
"""Pages of each service, by service name."""

_DOORS: Final = frozenset({"", "/", "/index.php", "/login", "/index.php/login", "/home", ROOT.removesuffix("/")})
"""Addresses that redirect browsers to the pages."""


class WithPages:
    """One of the four services, with its pages."""

    has_pages = True
    """Marker that prevents `with_pages` from adding pages twice. A service that wraps this one may set it, too."""

    def __init__(self, service: Service) -> None:
        self.name = service.name
        self.service = service

    def handle(self, store: Store, request: Request) -> Response:
        """Answer with a page below ``/web/``, and elsewhere with the service's response."""
        if request.path.startswith(ROOT):
            return answer(self.service, ROUTES[self.name], store, request)
        reads = request.method in ("GET", "HEAD")
        if reads and request.path in _DOORS and "text/html" in request.headers.get("accept", ""):
            return go(ROOT)
        return self.service.handle(store, request)

    def refusal(self, status: int, message: str) -> Response:
        """Return an error response in the service's own format, or as JSON if it has none."""
        return refusal(self.service, status, message)


def with_pages(services: Mapping[str, Service]) -> dict[str, Service]:
    """Add pages to those of the four services that have none, and return all services by name.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    if any(map(_lacks_pages, services.values())):
        environment()
    return {name: WithPages(one) if _lacks_pages(one) else one for name, one in services.items()}


def _lacks_pages(service: Service) -> bool:
    return service.name in ROUTES and not getattr(service, "has_pages", False)
