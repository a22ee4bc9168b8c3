"""Argument types that the tools of geometry share."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Length = Annotated[float, Meta(ge=0.001, le=1_000_000)]
Coordinate = Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]
