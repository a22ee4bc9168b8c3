"""Alternatives to words and descriptions under a shifted schema."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Alternatives(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Alternatives to a word or a description, in training and in held-out schemas."""

    train: tuple[str, ...]
    heldout: tuple[str, ...]


Wordings = Mapping[str, Alternatives]
"""Descriptions in other words, by the tool's name."""
