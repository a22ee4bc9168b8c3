"""What the tools of taxes and payroll take and answer; amounts in dollars."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Rate = Annotated[float, Meta(ge=0, le=100, extra={"unit": "percent"})]
Hours = Annotated[float, Meta(ge=0, le=168, extra={"unit": "hours"})]
