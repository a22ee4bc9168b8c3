"""Foreign exchange at the counter: the house rate card, cash in foreign notes and coins, margins and remittances."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, to_cents, usd
from teller_gym.scenarios.distractors.financial import _exchange_answers as answers
from teller_gym.scenarios.distractors.financial._rate_card import (
    Basis,
    Direction,
    Ending,
    fewest_notes,
    find_currency,
    find_pair,
    margin_of,
    rate_between,
    rate_card,
    rounded,
    significant,
    weighted_sum,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, tool

Code = Annotated[str, Meta(pattern="^[A-Z]{3}$", max_length=3)]
Amount = Annotated[float, Meta(ge=0.001, le=10_000_000)]
Rate = Annotated[float, Meta(ge=0.0001, le=100_000)]
Prices = Annotated[list[Annotated[float, Meta(ge=0.001, le=1_000_000)]], Meta(min_length=1, max_length=20)]
Counter = Literal["north_tower", "harbor_hall", "airport_desk"]

_TABLE = "misc_note_reservations"
_LISTED = 15
_PICKUP_DAYS = range(2, 61)


@tool(category=Category.FINANCIAL_DISTRACTOR)
def quote_cross_rate(
    bank: Bank,
    base_currency: Code,
    quote_currency: Code,
    basis: Basis,
    significant_digits: Annotated[int, Meta(ge=3, le=10)] = 6,
) -> answers.CrossRate:
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
    return answers.CrossRate(
        rate=significant(rate, significant_digits),
        inverse_rate=significant(1 / rate, significant_digits),
        margin_percent=float(margin_of(base, quote, basis)),
        card_date=rate_card().card_date,
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def round_cash_amount(
    bank: Bank,
    amount: Annotated[float, Meta(ge=0, le=10_000_000)],
    currency: Code,
    direction: Direction = "nearest",
) -> answers.CashAmount:
    """Round an amount to what can be paid in coins and notes, by the smallest coin in use of the currency.

    Args:
        amount: The amount on the bill, with no more decimals than the currency has.
        currency: ISO 4217 code.
        direction: Nearest payable amount (halves up), or always up or down.
    """
    money = find_currency(currency, "currency")
    asked = exact(amount)
    if (asked * 10**money.decimals).denominator != 1:
        raise invalid("amount", f"expected at most {money.decimals} decimals for {currency}, got {amount!r}")
    cash, coin = money.in_cash(asked, direction), float(money.smallest_coin)
    return answers.CashAmount(cash_amount=float(cash), difference=float(cash - asked), smallest_coin=coin)


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_rate_triangle(
    bank: Bank,
    rate_a_to_b: Rate,
    rate_b_to_c: Rate,
    rate_a_to_c: Rate,
    tolerance_basis_points: Annotated[float, Meta(ge=0, le=1000)],
    start_amount: Amount,
    leg_cost_percent: Annotated[float, Meta(ge=0, le=20)] = 0,
) -> answers.Triangle:
    """Check three exchange rates against each other: whether the direct rate agrees with the way over a third currency,
    and what an amount becomes that is exchanged once around. Rates to eight digits, points and amounts to two decimals.

    Args:
        rate_a_to_b: Units of currency B for one A.
        rate_b_to_c: Units of currency C for one B.
        rate_a_to_c: Units of currency C for one A, as quoted directly.
        tolerance_basis_points: Largest gap that still counts as agreement, in hundredths of a percent.
        start_amount: Amount of currency A that goes around.
        leg_cost_percent: What each of the three exchanges costs, in percent.
    """
    implied, quoted = exact(rate_a_to_b) * exact(rate_b_to_c), exact(rate_a_to_c)
    gap = (implied / quoted - 1) * 10_000
    gain = max(implied / quoted, quoted / implied)
    return answers.Triangle(
        implied_rate=significant(implied, 8),
        gap_basis_points=rounded(gap, 2),
        within_tolerance=abs(gap) <= exact(tolerance_basis_points),
        better_loop="a_b_c_a" if implied >= quoted else "a_c_b_a",
        end_amount=rounded(exact(start_amount) * gain * (1 - exact(leg_cost_percent) / 100) ** 3, 2),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def plan_travel_notes(
    bank: Bank,
    currency: Code,
    amount: Amount,
    travelers: Annotated[int, Meta(ge=1, le=60)] = 1,
    largest_note: Annotated[float, Meta(ge=0.5, le=50_000)] | None = None,
) -> answers.NotePlan:
    """Plan travel money in banknotes: equal envelopes that come as close to the amount as notes can, with the fewest
    notes. Only notes that the counters stock are used.

    Args:
        currency: ISO 4217 code of the travel money.
        amount: Foreign money for all travelers together.
        travelers: Number of envelopes.
        largest_note: Leave out notes above this value.
    """
    money = find_currency(currency, "currency")
    scale = 10**money.decimals
    notes = [int(note * scale) for note in money.notes if largest_note is None or note <= Decimal(repr(largest_note))]
    if not notes:
        raise invalid("largest_note", f"expected at least {money.notes[0]} {currency}, got {largest_note}")
    counts = fewest_notes(floor(exact(amount) * scale / travelers), notes)
    if not counts:
        raise invalid("amount", f"expected at least {money.notes[0]} {currency} for each traveler, got {amount}")
    filled = sum(note * count for note, count in counts.items())
    return answers.NotePlan(
        envelope=[answers.NoteCount(note / scale, counts[note]) for note in reversed(notes) if note in counts],
        envelope_amount=filled / scale,
        notes_in_all=sum(counts.values()) * travelers,
        not_in_notes=rounded(exact(amount) - Fraction(filled * travelers, scale), 3),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def get_currency_facts(
    bank: Bank, currency_code: Annotated[str, Meta(pattern="^([A-Z]{3}|[0-9]{3})$", max_length=3)]
) -> answers.CurrencyFacts:
    """Look up a currency of the rate card by its letters or its number: name, issuer, decimals, coins and notes.

    Args:
        currency_code: ISO 4217 code, three letters such as CHF or three digits such as 756.
    """
    by_number = {currency.numeric: currency.code for currency in rate_card().currencies}
    money = find_currency(by_number.get(currency_code, currency_code), "currency_code")
    return answers.CurrencyFacts(
        code=money.code,
        numeric_code=money.numeric,
        name=money.name,
        issuer=money.issuer,
        decimals=money.decimals,
        smallest_coin=float(money.smallest_coin),
        stocked_notes=[float(note) for note in money.notes],
    )


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
) -> answers.RateMargin:
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
    return answers.RateMargin(
        pips=rounded(against * 10**places, 1),
        margin_percent=rounded(100 * against / mid, 4),
        margin_in_quote=quote.rounded(cost),
        margin_in_base=base.rounded(cost / mid),
        pip_size=1 / 10**places,
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_foreign_prices(
    bank: Bank,
    price: Amount,
    price_currency: Code,
    target_currencies: Annotated[list[Code], Meta(min_length=1, max_length=12)],
    markup_percent: Annotated[float, Meta(ge=0, le=50)] = 0,
    ending: Ending = "exact",
) -> answers.PriceList:
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
    prices = [answers.ForeignPrice(t.code, t.priced(marked_up * rate_between(home, t), ending)) for t in targets]
    return answers.PriceList(prices=prices, card_date=rate_card().card_date)


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compare_purchasing_power(
    bank: Bank,
    home_currency: Code,
    away_currency: Code,
    items: Annotated[list[Annotated[str, Meta(min_length=1, max_length=40)]], Meta(min_length=1, max_length=20)],
    quantities: Annotated[list[Annotated[float, Meta(ge=0.001, le=10_000)]], Meta(min_length=1, max_length=20)],
    home_prices: Prices,
    away_prices: Prices,
    market_rate: Rate | None = None,
) -> answers.PurchasingPower:
    """Compare what a basket of goods costs in two countries: parity rate (six digits), price level abroad (100 is the
    level at home, two decimals), and the goods that are relatively cheapest and dearest there.

    Args:
        home_currency: ISO 4217 code at home.
        away_currency: ISO 4217 code abroad.
        items: Names of the goods.
        quantities: How much of each good is in the basket.
        home_prices: Price of each good at home.
        away_prices: Price of each good abroad.
        market_rate: Away money for one of home money; by default the mid rate of the house rate card.
    """
    home, away = find_pair(home_currency, away_currency, "home_currency", "away_currency")
    for field, values in (("quantities", quantities), ("home_prices", home_prices), ("away_prices", away_prices)):
        if len(values) != len(items):
            raise invalid(field, f"expected one entry for each of the {len(items)} items, got {len(values)}")
    market = exact(market_rate) if market_rate is not None else rate_between(home, away)
    basket_home = weighted_sum(quantities, home_prices)
    basket_away = weighted_sum(quantities, away_prices)
    ratios = [exact(there) / exact(here) for there, here in zip(away_prices, home_prices, strict=True)]
    return answers.PurchasingPower(
        home_basket=home.rounded(basket_home),
        away_basket=away.rounded(basket_away),
        parity_rate=significant(basket_away / basket_home, 6),
        market_rate=significant(market, 6),
        away_price_level_percent=rounded(100 * basket_away / basket_home / market, 2),
        cheapest_away=items[ratios.index(min(ratios))],
        dearest_away=items[ratios.index(max(ratios))],
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compare_remittance_services(
    bank: Bank,
    amount_usd: Annotated[float, Meta(ge=1, le=50_000, extra={"unit": "usd"})],
    target_currency: Code,
    payout: Literal["account", "cash", "wallet"],
    within_hours: Annotated[int, Meta(ge=1, le=240)],
    fee_handling: Literal["on_top", "deducted"],
    rank_by: Literal["received", "paid", "speed"] = "received",
) -> answers.RemittanceOffers:
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
        offers.append(answers.RemittanceOffer(service.name, float(fee), paid, received, service.hours))
    offers.sort(
        key=lambda o: ({"received": -o.received, "paid": o.paid, "speed": o.hours}[rank_by], -o.received, o.service)
    )
    return answers.RemittanceOffers(offers=offers, services_left_out=len(rate_card().services) - len(offers))


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def reserve_foreign_notes(
    bank: Bank,
    counter: Counter,
    currency: Code,
    note_value: Annotated[float, Meta(ge=0.5, le=50_000)],
    note_count: Annotated[int, Meta(ge=1, le=500)],
    pickup_date: date,
    collector_name: Annotated[str, Meta(min_length=1, max_length=60)],
    hold_days: Annotated[int, Meta(ge=0, le=10)] = 3,
) -> answers.NoteReservation:
    """Reserve foreign banknotes of one value at a counter of the bank's tower, to be paid in dollars on collection at
    the counter rate of the house rate card.

    Args:
        counter: Where the notes are collected.
        currency: ISO 4217 code of the notes.
        note_value: Face value of a note, one that the counters stock.
        note_count: How many notes.
        pickup_date: Day of collection, from 2 to 60 days after today.
        collector_name: Who collects them.
        hold_days: Days after the day of collection for which the notes are kept.
    """
    home, base = find_pair("USD", currency, "the dollars due", "currency")
    if Decimal(repr(note_value)) not in base.notes:
        stocked = ", ".join(map(str, base.notes))
        raise invalid("note_value", f"expected a note that is stocked in {currency} ({stocked}), got {note_value}")
    if (pickup_date - bank.today).days not in _PICKUP_DAYS:
        raise invalid("pickup_date", f"expected a day from 2 to 60 days after {bank.today}, got {pickup_date}")
    if not collector_name.strip():
        raise invalid("collector_name", "expected a name, got only spaces")
    amount = exact(note_value) * note_count
    due = rounded(amount * rate_between(base, home, "customer_buys_base"), 2)
    last_day = pickup_date + timedelta(days=hold_days)
    order = {
        "counter": counter,
        "currency": currency,
        "note_value": note_value,
        "note_count": note_count,
        "pickup_date": pickup_date.isoformat(),
        "collector_name": collector_name.strip(),
        "last_pickup_date": last_day.isoformat(),
    }
    key = bank.reference("NOTE", *map(str, order.values()))
    bank.put(_TABLE, key, {"owner": "misc", **order, "dollars_due": due, "status": "reserved"})
    return answers.NoteReservation(
        reservation_id=key, foreign_amount=float(amount), dollars_due=due, last_pickup_date=last_day, status="reserved"
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_note_reservations(
    bank: Bank, counter: Counter | None = None, currency: Code | None = None, pickup_until: date | None = None
) -> answers.NoteReservations:
    """List reservations of foreign banknotes by day of collection, with what is due for them in dollars.

    Args:
        counter: Only those of one counter.
        currency: Only those in one currency, by its ISO 4217 code.
        pickup_until: Only those collected on or before this day.
    """
    if currency is not None:
        find_currency(currency, "currency")
    found = [
        msgspec.convert({**row, "reservation_id": key}, answers.ReservedNotes)
        for key, row in bank.rows(_TABLE)
        if counter in (None, row["counter"]) and currency in (None, row["currency"])
    ]
    due = [line for line in found if pickup_until is None or line.pickup_date <= pickup_until]
    due.sort(key=lambda line: (line.pickup_date, line.reservation_id))
    return answers.NoteReservations(
        reservations=due[:_LISTED],
        reservation_count=len(due),
        total_dollars_due=usd(sum(to_cents(line.dollars_due) for line in due)),
    )
