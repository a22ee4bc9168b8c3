"""Number types for settings, with their valid ranges."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Gt, Le, Lt

Count = Annotated[int, Ge(1)]
Number = Annotated[int, Ge(0)]
Positive = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Lt(1)]
"""Fraction of at least 0 and below 1."""
Reached = Annotated[float, Gt(0), Le(1)]
