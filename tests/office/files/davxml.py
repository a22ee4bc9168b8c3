"""Bodies of PROPPATCH and LOCK requests for tests, and readers of the answers."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree

from teller_gym.office.store import Store
from teller_gym.office.web import Response
from tests.office.files.office import ask

D = "{DAV:}"


class Active(NamedTuple):
    """An activelock element."""

    token: str
    root: str
    depth: str
    scope: str
    seconds: int


def proppatch(*acts: str) -> bytes:
    """Return a body from pieces such as ``set <a/>`` and ``remove <b/>``."""
    parts = [act.partition(" ") for act in acts]
    inner = "".join(f"<d:{kind}><d:prop>{props}</d:prop></d:{kind}>" for kind, _, props in parts)
    return f'<d:propertyupdate xmlns:d="DAV:">{inner}</d:propertyupdate>'.encode()


def lockinfo(scope: str = "exclusive", owner: str = "") -> bytes:
    named = f"<owner>{owner}</owner>" if owner else ""
    return (
        f'<lockinfo xmlns="DAV:"><lockscope><{scope}/></lockscope><locktype><write/></locktype>{named}</lockinfo>'
    ).encode()


def lock(store: Store, address: str, scope: str = "exclusive", **headers: str) -> str:
    """Take a lock and return its token."""
    response = ask(store, "LOCK", address, lockinfo(scope), **headers)
    assert response.status in (200, 201), (response.status, response.body)
    match = re.fullmatch(r"<(opaquelocktoken:[0-9a-f-]{36})>", response.header("Lock-Token") or "")
    assert match is not None and [one.token for one in locks_in(response)] == [match[1]]
    return match[1]


def locks_in(response: Response) -> list[Active]:
    """Return the active locks listed in a body."""
    return [
        Active(
            one.findtext(f"{D}locktoken/{D}href") or "",
            one.findtext(f"{D}lockroot/{D}href") or "",
            one.findtext(f"{D}depth") or "",
            next(iter(one.find(f"{D}lockscope") or ())).tag.removeprefix(D),
            int((one.findtext(f"{D}timeout") or "").removeprefix("Second-")),
        )
        for one in ElementTree.fromstring(response.body).iter(f"{D}activelock")
    ]


def locks_of(store: Store, address: str) -> list[Active]:
    """Return the active locks that lockdiscovery reports for an address."""
    body = b'<propfind xmlns="DAV:"><prop><lockdiscovery/></prop></propfind>'
    return locks_in(ask(store, "PROPFIND", address, body, depth="0"))


def refused(response: Response) -> tuple[int, str, list[str]]:
    """Return the status, the condition and its addresses from an error body."""
    root = ElementTree.fromstring(response.body)
    assert root.tag == f"{D}error"
    (condition,) = [child for child in root if child.tag.startswith(D)]
    return response.status, condition.tag.removeprefix(D), [one.text or "" for one in condition]


def failed(response: Response) -> dict[str, str]:
    """Return the statuses of members in a 207, by address."""
    assert response.status == 207
    found = ElementTree.fromstring(response.body).findall(f"{D}response")
    return {one.findtext(f"{D}href") or "": one.findtext(f"{D}status") or "" for one in found}
