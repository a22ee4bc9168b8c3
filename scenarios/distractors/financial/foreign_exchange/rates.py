"""Rates of the house rate card, and how far an offer lies from them."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.money import exact
from teller_gym.scenarios.distractors.financial.foreign_exchange._rate_card import (
    Basis,
    find_pair,
    margin_of,
    rate_between,
    rate_card,
    rounded,
    significant,
)
from teller_gym.scenarios.distractors.financial.foreign_exchange._types import Amount, Code, Rate
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class CrossRate(Result):
    """Units of the quote currency for one of the base currency, and the other way round."""

    rate: float
    inverse_rate: float
    margin_percent: float
    card_date: date


@tool(category=Category.FINANCIAL_DISTRACTOR)
def quote_cross_rate(
    bank: Bank,
    base_currency: Code,
    quote_currency: Code,
    basis: Basis,
    significant_digits: Annotated[int, Meta(ge=3, le=10)] = 6,
) -> CrossRate:
    """Quote the rate between two currencies through the US dollar from the house rate card. A counter rate moves the
    mid rate against the customer by the spreads of both currencies.

    Args:
        base_currency: ISO 4217 code of the currency that counts as one.
        quote_currency: ISO 4217 code of the currency in which it is priced.
        basis: Mid rate, or the counter's rate for a customer who buys or sells the base currency.
        significant_digits: How many digits the rates are rounded to, halves up.
    """
    base, quote = find_pair(base_currency, quote_currency, "base_currency", "quote_currency")
    rate = rate_between(base, quote, basis)
    return CrossRate(
        rate=significant(rate, significant_digits),
        inverse_rate=significant(1 / rate, significant_digits),
        margin_percent=float(margin_of(base, quote, basis)),
        card_date=rate_card().card_date,
    )


class RateMargin(Result):
    """The margin; above zero it costs the customer, below zero it favors the customer."""

    pips: float
    margin_percent: float
    margin_in_quote: float
    margin_in_base: float
    pip_size: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def measure_rate_margin(
    bank: Bank,
    base_currency: Code,
    quote_currency: Code,
    mid_rate: Rate,
    offered_rate: Rate,
    customer_side: Literal["buys_base", "sells_base"],
    base_amount: Amount,
    pip_decimals: Annotated[int, Meta(ge=0, le=6)] | None = None,
) -> RateMargin:
    """Measure how far an offered exchange rate lies from the mid rate, in pips (one decimal), percent (four) and money.

    Args:
        base_currency: ISO 4217 code of the currency that counts as one.
        quote_currency: ISO 4217 code of the currency in which it is priced.
        mid_rate: Mid rate, in quote currency for one of the base currency.
        offered_rate: Rate offered to the customer, in the same way.
        customer_side: Whether the customer buys or sells the base currency.
        base_amount: Amount exchanged, in the base currency.
        pip_decimals: Decimal place of a pip; by default the second for rates in yen and the fourth for others.
    """
    base, quote = find_pair(base_currency, quote_currency, "base_currency", "quote_currency")
    mid, offered = exact(mid_rate), exact(offered_rate)
    against = offered - mid if customer_side == "buys_base" else mid - offered
    places = pip_decimals if pip_decimals is not None else 2 if quote_currency == "JPY" else 4
    cost = against * exact(base_amount)
    return RateMargin(
        pips=rounded(against * 10**places, 1),
        margin_percent=rounded(100 * against / mid, 4),
        margin_in_quote=quote.rounded(cost),
        margin_in_base=base.rounded(cost / mid),
        pip_size=1 / 10**places,
    )
