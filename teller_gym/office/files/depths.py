"""The Depth header of methods that work on folders."""

from __future__ import annotations

from teller_gym.office.files.errors import bad_request
from teller_gym.office.web import Request


def depth_of(request: Request, *known: str) -> str:
    """Return a request's Depth; infinity if it has none.

    Raises:
        FilesError: 400 for an unknown one.
    """
    depth = request.headers.get("depth", "infinity").strip().lower()
    if depth not in known:
        raise bad_request(f"Expected a Depth of {' or '.join(known)} for {request.method}; got {depth[:20]!a}")
    return depth
