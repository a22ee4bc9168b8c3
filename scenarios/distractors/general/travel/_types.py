"""Argument types that travel shares."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Place = Annotated[str, Meta(min_length=1, max_length=30)]
