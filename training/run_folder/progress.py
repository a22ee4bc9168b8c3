"""Progress lines on stderr."""

from __future__ import annotations

import sys


def tell(text: str) -> None:
    """Print a progress line to stderr."""
    print(text, file=sys.stderr, flush=True)
