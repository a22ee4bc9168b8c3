"""Argument types that the tools of tables share."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

CsvText = Annotated[str, Meta(min_length=1, max_length=1200)]
ColumnName = Annotated[str, Meta(min_length=1, max_length=60)]
