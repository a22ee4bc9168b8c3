"""Lines of progress on stderr."""

from __future__ import annotations

import sys


def tell(text: str) -> None:
    """Print a line of progress on stderr."""
    print(text, file=sys.stderr, flush=True)
