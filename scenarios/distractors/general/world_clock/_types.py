"""Argument types that the world clock shares."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Few = Annotated[int, Meta(ge=1, le=10)]
