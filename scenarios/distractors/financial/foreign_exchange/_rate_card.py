"""The house rate card: currencies with their coins and notes, mid rates and spreads, and exact rounding."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import cache
from importlib import resources
from math import ceil, floor
from typing import Literal

import msgspec

from teller_gym.base.errors import invalid
from teller_gym.base.money import round_half_up

Basis = Literal["mid", "customer_buys_base", "customer_sells_base"]
Direction = Literal["nearest", "up", "down"]
Ending = Literal["exact", "smallest_coin", "whole"]


class Currency(msgspec.Struct, frozen=True):
    """A currency of the card; ``spread_percent`` is what a counter adds to or takes off the mid rate."""

    code: str
    numeric: str
    name: str
    issuer: str
    decimals: int
    smallest_coin: Decimal
    notes: tuple[Decimal, ...]
    per_usd: Decimal
    spread_percent: Decimal

    def rounded(self, value: Fraction) -> float:
        """Return an amount to the currency's decimals, halves up."""
        return rounded(value, self.decimals)

    def in_cash(self, value: Fraction, direction: Direction) -> Fraction:
        """Return the amount in multiples of the smallest coin."""
        coin = Fraction(self.smallest_coin)
        ways: dict[Direction, Callable[[Fraction], int]] = {"nearest": round_half_up, "up": ceil, "down": floor}
        return ways[direction](value / coin) * coin

    def priced(self, value: Fraction, ending: Ending) -> float:
        """Return an amount that ends as prices shall end."""
        if ending == "whole":
            return float(ceil(value))
        return self.rounded(self.in_cash(value, "up") if ending == "smallest_coin" else value)


def rounded(value: Fraction, places: int) -> float:
    """Return the value to some decimal places, halves away from zero."""
    return float(Fraction(round_half_up(value * 10**places), 10**places))


class Service(msgspec.Struct, frozen=True):
    """A partner of the remittance desk; fees and limits in dollars."""

    name: str
    fixed_fee: Decimal
    fee_percent: Decimal
    margin_percent: Decimal
    least: Decimal
    most: Decimal
    hours: int
    payouts: tuple[str, ...]

    def takes(self, amount: Fraction, payout: str, within_hours: int) -> bool:
        """Whether the partner would send this amount in this way and in time."""
        return payout in self.payouts and self.hours <= within_hours and self.least <= amount <= self.most

    def charge(self, amount: Fraction, on_top: bool) -> tuple[Fraction, Fraction]:
        """Return the fee, and what is left to be sent."""
        fee = Fraction(self.fixed_fee) + amount * Fraction(self.fee_percent) / 100
        fee = Fraction(round_half_up(fee * 100), 100)
        return fee, amount if on_top else amount - fee

    def pay_out(self, sent: Fraction, target: Currency) -> float:
        """Return what arrives, rounded down to the decimals of the currency."""
        arrives = sent * Fraction(target.per_usd) * (1 - Fraction(self.margin_percent) / 100)
        return float(Fraction(floor(arrives * 10**target.decimals), 10**target.decimals))


class RateCard(msgspec.Struct, frozen=True):
    """The card as it stands in the file."""

    card_date: date
    currencies: tuple[Currency, ...]
    services: tuple[Service, ...]


@cache
def rate_card() -> RateCard:
    """Return the house rate card."""
    folder = resources.files("teller_gym.scenarios.distractors.financial.foreign_exchange")
    return msgspec.yaml.decode(folder.joinpath("foreign_exchange.yaml").read_bytes(), type=RateCard)


@cache
def _currencies() -> dict[str, Currency]:
    return {currency.code: currency for currency in rate_card().currencies}


def find_currency(code: str, field: str) -> Currency:
    """Return the currency, or tell the agent which ones the card has."""
    found = _currencies().get(code)
    if found is None:
        raise invalid(field, f"expected a currency of the rate card ({', '.join(_currencies())}), got {code}")
    return found


def find_pair(base: str, quote: str, base_field: str, quote_field: str) -> tuple[Currency, Currency]:
    """Return two currencies that must differ."""
    if base == quote:
        raise invalid(quote_field, f"expected another currency than {base_field}, got {quote} twice")
    return find_currency(base, base_field), find_currency(quote, quote_field)


def significant(value: Fraction, digits: int) -> float:
    """Return the value to some significant digits, halves up."""
    context = Context(prec=digits, rounding=ROUND_HALF_UP)
    return float(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def margin_of(base: Currency, quote: Currency, basis: Basis) -> Fraction:
    """Return what the counter adds to the mid rate, in percent: both spreads, against the customer."""
    spread = Fraction(base.spread_percent + quote.spread_percent)
    return {"mid": Fraction(0), "customer_buys_base": spread, "customer_sells_base": -spread}[basis]


def rate_between(base: Currency, quote: Currency, basis: Basis = "mid") -> Fraction:
    """Return units of the quote currency for one of the base currency."""
    return Fraction(quote.per_usd) / Fraction(base.per_usd) * (1 + margin_of(base, quote, basis) / 100)
