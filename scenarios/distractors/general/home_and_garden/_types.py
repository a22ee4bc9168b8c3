"""Argument types that the tools of house and garden share."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Metres = Annotated[float, Meta(ge=0.1, le=50)]
Centimetres = Annotated[int, Meta(ge=1, le=1000)]
