"""Argument types that the tools of foreign exchange share."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Code = Annotated[str, Meta(pattern="^[A-Z]{3}$", max_length=3)]
Amount = Annotated[float, Meta(ge=0.001, le=10_000_000)]
Rate = Annotated[float, Meta(ge=0.0001, le=100_000)]
