"""Argument types that natural science shares."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Formula = Annotated[str, Meta(pattern="^[A-Za-z0-9().]{1,60}$")]
