"""Prices in other currencies, and partners that send money abroad."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.financial.foreign_exchange._rate_card import (
    Ending,
    find_currency,
    find_pair,
    rate_between,
    rate_card,
    rounded,
)
from teller_gym.scenarios.distractors.financial.foreign_exchange._types import Amount, Code
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class ForeignPrice(msgspec.Struct):
    """A price in one currency."""

    currency: str
    price: float


class PriceList(Result):
    """The prices in the order asked for."""

    prices: list[ForeignPrice]
    card_date: date


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_foreign_prices(
    bank: Bank,
    price: Amount,
    price_currency: Code,
    target_currencies: Annotated[list[Code], Meta(min_length=1, max_length=12)],
    markup_percent: Annotated[float, Meta(ge=0, le=50)] = 0,
    ending: Ending = "exact",
) -> PriceList:
    """Work out what an article costs in several currencies at the mid rates of the house rate card.

    Args:
        price: The price as it is.
        price_currency: ISO 4217 code of that price.
        target_currencies: Currencies to price it in, each once.
        markup_percent: Added to cover moves of the rates.
        ending: Rounded half up to the currency's decimals, or up to its smallest coin or to whole units.
    """
    home = find_currency(price_currency, "price_currency")
    if len(set(target_currencies)) < len(target_currencies):
        raise invalid("target_currencies", f"expected each currency once, got {', '.join(target_currencies)}")
    marked_up = exact(price) * (1 + exact(markup_percent) / 100)
    targets = [find_currency(code, "target_currencies") for code in target_currencies]
    prices = [ForeignPrice(t.code, t.priced(marked_up * rate_between(home, t), ending)) for t in targets]
    return PriceList(prices=prices, card_date=rate_card().card_date)


class RemittanceOffer(msgspec.Struct):
    """What one partner would do; ``received`` is in the target currency."""

    service: str
    fee: float
    paid: float
    received: float
    hours: int


class RemittanceOffers(Result):
    """The partners that can do it, best first."""

    offers: list[RemittanceOffer]
    services_left_out: int


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compare_remittance_services(
    bank: Bank,
    amount_usd: Annotated[float, Meta(ge=1, le=50_000, extra={"unit": "usd"})],
    target_currency: Code,
    payout: Literal["account", "cash", "wallet"],
    within_hours: Annotated[int, Meta(ge=1, le=240)],
    fee_handling: Literal["on_top", "deducted"],
    rank_by: Literal["received", "paid", "speed"] = "received",
) -> RemittanceOffers:
    """Compare the remittance desk's partners for sending dollars abroad: fee, what is paid and what arrives, rounded
    down to the currency's decimals.

    Args:
        amount_usd: Dollars to send.
        target_currency: ISO 4217 code of the currency that is paid out.
        payout: How the receiver gets the money.
        within_hours: Leave out partners that take longer.
        fee_handling: Whether the fee is paid on top or taken out of the amount.
        rank_by: What makes an offer the best: most received, least paid, or fewest hours.
    """
    _, target = find_pair("USD", target_currency, "the dollars sent", "target_currency")
    amount = exact(amount_usd)
    offers = []
    for service in rate_card().services:
        fee, sent = service.charge(amount, fee_handling == "on_top")
        if not service.takes(amount, payout, within_hours) or sent <= 0:
            continue
        paid, received = rounded(sent + fee, 2), service.pay_out(sent, target)
        offers.append(RemittanceOffer(service.name, float(fee), paid, received, service.hours))
    offers.sort(
        key=lambda o: ({"received": -o.received, "paid": o.paid, "speed": o.hours}[rank_by], -o.received, o.service)
    )
    return RemittanceOffers(offers=offers, services_left_out=len(rate_card().services) - len(offers))
