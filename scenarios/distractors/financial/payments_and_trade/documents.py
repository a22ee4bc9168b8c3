"""Documents under a letter of credit."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.financial._checks import check_day
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class PresentationDeadline(Result):
    """Last day for the documents and the last day to send them; days left are counted from today, below 0 if late."""

    present_by: date
    limited_by: Literal["presentation_period", "expiry_date"]
    send_by: date
    days_left_to_send: int
    shipped_in_time: bool


@tool(category=Category.FINANCIAL_DISTRACTOR)
def find_presentation_deadline(
    bank: Bank,
    shipment_date: date,
    expiry_date: date,
    presentation_days: Annotated[int, Meta(ge=1, le=90)] = 21,
    latest_shipment_date: date | None = None,
    transit_days: Annotated[int, Meta(ge=0, le=60)] = 0,
) -> PresentationDeadline:
    """Find the last calendar day on which an exporter can present documents under a letter of credit: some days after
    shipment, but not after the credit expires. Bank holidays are left aside.

    Args:
        shipment_date: Day of shipment on the transport document.
        expiry_date: Day on which the credit expires.
        presentation_days: Calendar days after shipment that the credit allows.
        latest_shipment_date: Latest day of shipment by the credit, if it names one.
        transit_days: Calendar days that a courier needs for the documents.
    """
    return find_deadline(bank, shipment_date, expiry_date, presentation_days, latest_shipment_date, transit_days)


def find_deadline(
    bank: Bank,
    shipment_date: date,
    expiry_date: date,
    presentation_days: int,
    latest_shipment_date: date | None,
    transit_days: int,
) -> PresentationDeadline:
    """Find the last day for documents; see the tool ``find_presentation_deadline``."""
    check_day("shipment_date", shipment_date)
    check_day("expiry_date", expiry_date)
    if expiry_date < shipment_date:
        raise invalid("expiry_date", f"expected the day of shipment, {shipment_date}, or later, got {expiry_date}")
    if latest_shipment_date is not None and latest_shipment_date > expiry_date:
        raise invalid("latest_shipment_date", f"expected {expiry_date} or earlier, got {latest_shipment_date}")
    period_end = shipment_date + timedelta(days=presentation_days)
    present_by = min(period_end, expiry_date)
    send_by = present_by - timedelta(days=transit_days)
    return PresentationDeadline(
        present_by=present_by,
        limited_by="presentation_period" if period_end <= expiry_date else "expiry_date",
        send_by=send_by,
        days_left_to_send=(send_by - bank.today).days,
        shipped_in_time=latest_shipment_date is None or shipment_date <= latest_shipment_date,
    )
