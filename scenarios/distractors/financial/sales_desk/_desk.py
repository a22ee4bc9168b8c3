"""What the tools of the sales desk share."""

from __future__ import annotations

from typing import Literal

OfferedProduct = Literal["home", "auto", "personal", "credit_card", "savings", "investment", "insurance"]
