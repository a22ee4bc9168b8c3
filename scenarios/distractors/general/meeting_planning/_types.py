"""Argument types that meeting planning shares."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Share = Annotated[int, Meta(ge=0, le=100)]
