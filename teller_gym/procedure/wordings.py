"""Alternative words and descriptions for shifted schemas."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Alternatives(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Alternatives for a word or description, in training schemas and in held-out schemas."""

    train: tuple[str, ...]
    heldout: tuple[str, ...]


Wordings = Mapping[str, Alternatives]
"""Alternative descriptions by tool name."""
