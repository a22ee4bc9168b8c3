"""Letters about the bank's products."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.financial._banking import CustomerId, known_customer
from teller_gym.scenarios.distractors.financial.sales_desk._desk import OfferedProduct
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

_TABLE = "misc_product_letters"
_DAYS_AHEAD = 90


class ProductLetter(Result):
    """The letter as it is ordered from the printer."""

    letter_id: str
    send_on: date
    pages: int
    status: Literal["ordered", "already_ordered"]


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def send_product_notice(
    bank: Bank,
    customer_id: CustomerId,
    notice_type: Literal["welcome", "offer", "anniversary", "survey"],
    product: OfferedProduct,
    delivery_method: Literal["mail", "email", "branch_pickup"],
    send_on: date,
    offered_amount: Money = 0,
    language: Literal["english", "spanish", "french"] = "english",
    enclose_flyer: bool = False,
) -> ProductLetter:
    """Send a customer a notice of the sales desk about a product: a welcome, an offer, an anniversary, a survey. It is
    advertising: neither a disclosure nor a notice of a decision, and it answers no application.

    Args:
        customer_id: The customer.
        notice_type: Kind of notice.
        product: Product that it is about.
        delivery_method: How it goes out.
        send_on: Day on which it goes out, from today to 90 days on.
        offered_amount: Amount that an offer names, in dollars; only an offer has one.
        language: Language of the letter.
        enclose_flyer: Whether a flyer of two pages goes with it; not by email.
    """
    known_customer(bank, customer_id)
    latest = bank.today + timedelta(days=_DAYS_AHEAD)
    if not bank.today <= send_on <= latest:
        raise invalid("send_on", f"expected a day from {bank.today} to {latest}, got {send_on}")
    if offered_amount and notice_type != "offer":
        raise invalid("offered_amount", f"expected none for a notice of type {notice_type}, got {offered_amount}")
    if enclose_flyer and delivery_method == "email":
        raise invalid("enclose_flyer", "expected no flyer with an email, got one")
    letter_id = bank.reference("PL", customer_id, notice_type, product, str(send_on))
    ordered = bank.get(_TABLE, letter_id) is not None
    record = {
        "owner": "misc",
        "customer_id": customer_id,
        "notice_type": notice_type,
        "product": product,
        "delivery_method": delivery_method,
        "send_on": str(send_on),
        "offered_amount": offered_amount,
        "language": language,
        "flyer": enclose_flyer,
    }
    if not ordered:
        bank.put(_TABLE, letter_id, record)
    pages = {"welcome": 2, "offer": 2, "anniversary": 1, "survey": 3}[notice_type] + 2 * enclose_flyer
    return ProductLetter(
        letter_id=letter_id, send_on=send_on, pages=pages, status="already_ordered" if ordered else "ordered"
    )
