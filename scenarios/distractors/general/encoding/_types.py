"""Argument types that the tools of encoding share."""

from __future__ import annotations

from typing import Literal

Direction = Literal["encode", "decode"]
