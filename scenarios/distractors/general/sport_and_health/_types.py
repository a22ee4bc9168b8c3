"""What the tools of sport share."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Height = Annotated[float, Meta(ge=100, le=230)]
Minutes = Annotated[int, Meta(ge=10, le=600)]
