"""Argument types that language help shares."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

ShortText = Annotated[str, Meta(min_length=1, max_length=40)]
