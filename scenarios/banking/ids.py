"""Argument types that tools of several scenarios share."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

CaseId = Annotated[str, Meta(pattern="^[A-Z]{2}-[0-9]{6}$")]
"""Id of a case of any kind, such as ``LA-482913``."""
CustomerId = Annotated[str, Meta(pattern="^CU-[0-9]{6}$")]
AccountId = Annotated[str, Meta(pattern="^AC-[0-9]{6}$")]
VerificationId = Annotated[str, Meta(pattern="^ID-[0-9]{6}$")]
ScreeningId = Annotated[str, Meta(pattern="^SC-[0-9]{6}$")]
ListEntryId = Annotated[str, Meta(pattern="^WL-[0-9]{6}$")]
LastFour = Annotated[str, Meta(pattern="^[0-9]{4}$")]
FullName = Annotated[str, Meta(min_length=1, max_length=80)]
Country = Annotated[str, Meta(pattern="^[A-Z]{2}$")]
"""Two-letter country code (ISO 3166-1)."""
State = Annotated[str, Meta(pattern="^[A-Z]{2}$")]
"""Postal code of a US state."""
Code = Annotated[str, Meta(pattern="^[a-z_]{3,40}$")]
"""Code that the SOP lists, such as that of a registry."""
IdDocument = Literal["passport", "driver_license", "state_id"]
Routing = Literal["intake", "branch", "senior_credit", "compliance"]
"""Desk of the bank."""
Limit = Annotated[int, Meta(ge=1, le=10)]
"""Largest number of rows that a listing returns."""
