"""Foreign exchange at the counter; expected values are worked out by hand from the rate card, or anew."""

from datetime import date, timedelta
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.scenarios.distractors.financial._rate_card import fewest_notes, rate_card
from tests.scenarios.distractors.desk import TODAY, call, empty_bank

CURRENCIES = {currency.code: currency for currency in rate_card().currencies}
codes = st.sampled_from(sorted(CURRENCIES))
rates = st.integers(1, 10**6).map(lambda n: n / 1000)


def refused(name: str, /, **arguments: Any) -> str | None:
    """Return the argument that is refused."""
    with pytest.raises(ToolError) as found:
        call(name, **arguments)
    assert found.value.kind == ErrorKind.VALIDATION
    assert found.value.field is not None and found.value.message.startswith(f"{found.value.field}: expected ")
    return found.value.field


def test_the_rate_card_is_sound() -> None:
    assert len(CURRENCIES) == len({c.numeric for c in CURRENCIES.values()}) == len(rate_card().currencies) == 22
    assert CURRENCIES["USD"].per_usd == 1
    for currency in CURRENCIES.values():
        assert list(currency.notes) == sorted(set(currency.notes)), currency.code
        assert currency.per_usd > 0 and len(currency.numeric) == 3
        assert all(note % currency.smallest_coin == 0 for note in currency.notes), currency.code
        assert currency.smallest_coin * 10**currency.decimals % 1 == 0, currency.code


# Rates


def test_cross_rates() -> None:
    pair: dict[str, Any] = {"base_currency": "EUR", "quote_currency": "USD"}
    mid = call("quote_cross_rate", **pair, basis="mid")
    assert mid == {"rate": 1.17233, "inverse_rate": 0.853, "margin_percent": 0, "card_date": "2026-01-05"}
    assert call("quote_cross_rate", **pair, basis="customer_buys_base")["rate"] == 1.19578
    pounds = call("quote_cross_rate", base_currency="GBP", quote_currency="JPY", basis="customer_sells_base")
    assert (pounds["rate"], pounds["margin_percent"]) == (201.175, -4.5)
    short = call("quote_cross_rate", base_currency="GBP", quote_currency="JPY", basis="mid", significant_digits=3)
    assert short["rate"] == 211
    assert refused("quote_cross_rate", base_currency="EUR", quote_currency="EUR", basis="mid") == "quote_currency"
    assert refused("quote_cross_rate", base_currency="XAU", quote_currency="EUR", basis="mid") == "base_currency"


@given(codes, codes)
def test_a_customer_never_gains_at_the_counter(base: str, quote: str) -> None:
    if base == quote:
        return
    pair: dict[str, Any] = {"base_currency": base, "quote_currency": quote, "significant_digits": 10}
    buys, mid, sells = (
        call("quote_cross_rate", **pair, basis=basis) for basis in ("customer_buys_base", "mid", "customer_sells_base")
    )
    assert buys["rate"] > mid["rate"] > sells["rate"]
    assert mid["rate"] * mid["inverse_rate"] == pytest.approx(1, rel=1e-8)


def test_rate_triangles() -> None:
    rates: dict[str, Any] = {"rate_a_to_b": 2, "rate_b_to_c": 3, "tolerance_basis_points": 5, "start_amount": 100}
    agreed = call("check_rate_triangle", **rates, rate_a_to_c=6)
    assert agreed == {
        "implied_rate": 6,
        "gap_basis_points": 0,
        "within_tolerance": True,
        "better_loop": "a_b_c_a",
        "end_amount": 100,
    }
    off = call("check_rate_triangle", **rates, rate_a_to_c=5, leg_cost_percent=10)
    assert (off["gap_basis_points"], off["within_tolerance"], off["end_amount"]) == (2000, False, 87.48)
    other = call("check_rate_triangle", **rates, rate_a_to_c=8)
    assert (other["gap_basis_points"], other["better_loop"], other["end_amount"]) == (-2500, "a_c_b_a", 133.33)


@given(rates, rates, rates)
def test_without_cost_the_better_loop_loses_nothing(first: float, second: float, direct: float) -> None:
    found = call(
        "check_rate_triangle",
        rate_a_to_b=first,
        rate_b_to_c=second,
        rate_a_to_c=direct,
        tolerance_basis_points=0,
        start_amount=1000,
    )
    assert found["end_amount"] >= 1000
    assert (found["better_loop"] == "a_b_c_a") == (found["gap_basis_points"] >= 0)


def test_margins_in_pips_percent_and_money() -> None:
    euros: dict[str, Any] = {"base_currency": "EUR", "quote_currency": "USD", "mid_rate": 1.1, "base_amount": 1000}
    found = call("measure_rate_margin", **euros, offered_rate=1.115, customer_side="buys_base")
    assert found == {
        "pips": 150,
        "margin_percent": 1.3636,
        "margin_in_quote": 15,
        "margin_in_base": 13.64,
        "pip_size": 0.0001,
    }
    favored = call("measure_rate_margin", **euros, offered_rate=1.115, customer_side="sells_base", pip_decimals=2)
    assert (favored["pips"], favored["margin_in_quote"]) == (-1.5, -15)
    yen: dict[str, Any] = {"base_currency": "USD", "quote_currency": "JPY", "mid_rate": 150, "base_amount": 10}
    assert call("measure_rate_margin", **yen, offered_rate=149.4, customer_side="sells_base")["pips"] == 60
    twice: dict[str, Any] = {**euros, "quote_currency": "EUR"}
    assert refused("measure_rate_margin", **twice, offered_rate=1, customer_side="buys_base") == "quote_currency"


# Cash


@pytest.mark.parametrize(
    ("amount", "currency", "direction", "cash"),
    [
        (12.37, "CHF", "nearest", 12.35),
        (12.38, "CHF", "nearest", 12.4),
        (12.36, "CHF", "up", 12.4),
        (12.39, "CHF", "down", 12.35),
        (1.05, "NZD", "nearest", 1.1),
        (99.5, "SEK", "nearest", 100),
        (7.25, "DKK", "nearest", 7.5),
        (1232, "HUF", "nearest", 1230),
        (1233, "HUF", "nearest", 1235),
        (994, "KRW", "nearest", 990),
        (1.002, "BHD", "nearest", 1),
        (0, "USD", "up", 0),
    ],
)
def test_cash_is_rounded_to_the_smallest_coin(amount: float, currency: str, direction: str, cash: float) -> None:
    found = call("round_cash_amount", amount=amount, currency=currency, direction=direction)
    assert found["cash_amount"] == cash
    assert found["difference"] == round(cash - amount, 3)


def test_amounts_that_a_currency_does_not_have() -> None:
    assert refused("round_cash_amount", amount=10.5, currency="JPY") == "amount"
    assert refused("round_cash_amount", amount=1.2345, currency="BHD") == "amount"
    assert refused("round_cash_amount", amount=1, currency="XYZ") == "currency"


@given(st.integers(0, 10**9), codes)
def test_rounding_moves_by_less_than_a_coin(units: int, code: str) -> None:
    amount = units / 10 ** CURRENCIES[code].decimals
    if amount > 10_000_000:
        return
    found = {way: call("round_cash_amount", amount=amount, currency=code, direction=way) for way in ("up", "down")}
    near = call("round_cash_amount", amount=amount, currency=code)
    assert 0 <= found["up"]["difference"] < near["smallest_coin"]
    assert 0 <= -found["down"]["difference"] < near["smallest_coin"]
    assert abs(near["difference"]) <= near["smallest_coin"] / 2


def test_travel_notes() -> None:
    sheqels = call("plan_travel_notes", currency="ILS", amount=60)
    assert sheqels == {
        "envelope": [{"note": 20, "count": 3}],
        "envelope_amount": 60,
        "notes_in_all": 3,
        "not_in_notes": 0,
    }
    family = call("plan_travel_notes", currency="EUR", amount=385, travelers=2)
    assert family["envelope"] == [{"note": 100, "count": 1}, {"note": 50, "count": 1}, {"note": 20, "count": 2}]
    assert (family["envelope_amount"], family["notes_in_all"], family["not_in_notes"]) == (190, 8, 5)
    small = call("plan_travel_notes", currency="EUR", amount=385, travelers=2, largest_note=50)
    assert small["envelope"] == [{"note": 50, "count": 3}, {"note": 20, "count": 2}]
    assert call("plan_travel_notes", currency="BHD", amount=3.75)["not_in_notes"] == 0.25
    assert refused("plan_travel_notes", currency="JPY", amount=5000, largest_note=500) == "largest_note"
    assert refused("plan_travel_notes", currency="JPY", amount=5000, travelers=6) == "amount"


@given(st.integers(0, 60), st.sets(st.sampled_from([2, 5, 10, 20]), min_size=1))
def test_no_other_choice_of_notes_is_better(target: int, values: set[int]) -> None:
    notes = sorted(values)
    ways = [
        (filled, -sum(way))
        for way in product(*(range(target // note + 1) for note in notes))
        if (filled := sum(note * count for note, count in zip(notes, way, strict=True))) <= target
    ]
    counts = fewest_notes(target, notes)
    assert (sum(note * count for note, count in counts.items()), -sum(counts.values())) == max(ways)


@given(codes, st.integers(1, 10**7), st.integers(1, 60))
def test_envelopes_and_rest_make_the_amount(code: str, amount: int, travelers: int) -> None:
    if amount < CURRENCIES[code].notes[0] * travelers:
        return
    found = call("plan_travel_notes", currency=code, amount=amount, travelers=travelers)
    filled = sum(line["note"] * line["count"] for line in found["envelope"])
    assert filled == found["envelope_amount"]
    assert filled * travelers + found["not_in_notes"] == pytest.approx(amount)
    assert 0 <= found["not_in_notes"] < 4 * float(CURRENCIES[code].notes[0]) * travelers


def test_currency_facts() -> None:
    franc = call("get_currency_facts", currency_code="756")
    assert franc == call("get_currency_facts", currency_code="CHF")
    assert franc == {
        "code": "CHF",
        "numeric_code": "756",
        "name": "Swiss Franc",
        "issuer": "Switzerland",
        "decimals": 2,
        "smallest_coin": 0.05,
        "stocked_notes": [10, 20, 50, 100, 200, 1000],
    }
    assert call("get_currency_facts", currency_code="048")["decimals"] == 3
    assert refused("get_currency_facts", currency_code="999") == "currency_code"


# Prices


def prices(**arguments: Any) -> list[float]:
    return [line["price"] for line in call("list_foreign_prices", **arguments)["prices"]]


def test_prices_in_other_currencies() -> None:
    dollars: dict[str, Any] = {"price": 100, "price_currency": "USD"}
    assert prices(**dollars, target_currencies=["EUR", "JPY", "BHD", "USD"]) == [85.3, 15620, 37.6, 100]
    assert prices(**dollars, target_currencies=["EUR"], markup_percent=10) == [93.83]
    assert prices(**dollars, target_currencies=["EUR"], markup_percent=10, ending="whole") == [94]
    assert prices(price=9.99, price_currency="USD", target_currencies=["CAD"]) == [13.71]
    assert prices(price=9.99, price_currency="USD", target_currencies=["CAD"], ending="smallest_coin") == [13.75]
    assert prices(price=10, price_currency="EUR", target_currencies=["GBP"]) == [8.69]  # 7.415 / 0.853 = 8.6928…
    assert refused("list_foreign_prices", **dollars, target_currencies=["EUR", "EUR"]) == "target_currencies"


@given(st.integers(1, 10**6), codes, codes)
def test_endings_never_lower_a_price(cents: int, home: str, target: str) -> None:
    asked: dict[str, Any] = {"price": cents / 100, "price_currency": home, "target_currencies": [target]}
    plain, coin, whole = (prices(**asked, ending=ending)[0] for ending in ("exact", "smallest_coin", "whole"))
    assert plain <= coin + 0.005 and plain <= whole + 0.5 and whole == int(whole)


def test_purchasing_power() -> None:
    basket: dict[str, Any] = {
        "home_currency": "USD",
        "away_currency": "SGD",
        "items": ["coffee", "bread"],
        "quantities": [10, 2],
        "home_prices": [3, 5],
        "away_prices": [4, 10],
    }
    assert call("compare_purchasing_power", **basket, market_rate=2) == {
        "home_basket": 40,
        "away_basket": 60,
        "parity_rate": 1.5,
        "market_rate": 2,
        "away_price_level_percent": 75,
        "cheapest_away": "coffee",
        "dearest_away": "bread",
    }
    by_card = call("compare_purchasing_power", **basket)
    assert (by_card["market_rate"], by_card["away_price_level_percent"]) == (1.285, 116.73)  # 150 / 1.285
    assert refused("compare_purchasing_power", **{**basket, "quantities": [1]}) == "quantities"
    assert refused("compare_purchasing_power", **{**basket, "away_currency": "USD"}) == "away_currency"


@given(st.lists(st.tuples(rates, rates, rates), min_size=1, max_size=20))
def test_parity_lies_between_the_price_ratios(goods: list[tuple[float, float, float]]) -> None:
    found = call(
        "compare_purchasing_power",
        home_currency="USD",
        away_currency="EUR",
        items=[f"good {number}" for number in range(len(goods))],
        quantities=[good[0] for good in goods],
        home_prices=[good[1] for good in goods],
        away_prices=[good[2] for good in goods],
    )
    ratios = [away / home for _, home, away in goods]
    assert min(ratios) * 0.99999 <= found["parity_rate"] <= max(ratios) * 1.00001


# Remittances


def test_remittances() -> None:
    asked: dict[str, Any] = {"amount_usd": 1000, "target_currency": "EUR", "payout": "cash", "within_hours": 48}
    found = call("compare_remittance_services", **asked, fee_handling="on_top")
    assert found["services_left_out"] == 3
    assert found["offers"] == [
        {"service": "Heron Transfer", "fee": 4.9, "paid": 1004.9, "received": 842.76, "hours": 24},
        {"service": "Cordel Express", "fee": 9, "paid": 1009, "received": 832.52, "hours": 2},
        {"service": "Bluegate Remit", "fee": 0, "paid": 1000, "received": 828.26, "hours": 12},
    ]

    def order(**arguments: Any) -> list[str]:
        answer = call("compare_remittance_services", **asked, **arguments)
        return [offer["service"].split()[0] for offer in answer["offers"]]

    assert order(fee_handling="on_top", rank_by="paid") == ["Bluegate", "Heron", "Cordel"]
    assert order(fee_handling="on_top", rank_by="speed") == ["Cordel", "Bluegate", "Heron"]
    deducted = call("compare_remittance_services", **asked, fee_handling="deducted")["offers"][0]
    assert (deducted["paid"], deducted["received"]) == (1000, 838.63)
    dollars: dict[str, Any] = {**asked, "target_currency": "USD"}
    assert refused("compare_remittance_services", **dollars, fee_handling="on_top") == "target_currency"


def test_a_fee_that_eats_up_the_amount() -> None:
    found = call(
        "compare_remittance_services",
        amount_usd=1,
        target_currency="EUR",
        payout="wallet",
        within_hours=240,
        fee_handling="deducted",
    )
    assert found == {"offers": [], "services_left_out": 6}


@given(st.integers(100, 5_000_000), codes.filter(lambda code: code != "USD"))
def test_deducting_the_fee_never_delivers_more(cents: int, code: str) -> None:
    asked: dict[str, Any] = {
        "amount_usd": cents / 100,
        "target_currency": code,
        "payout": "account",
        "within_hours": 240,
    }
    above, within = (
        {offer["service"]: offer for offer in call("compare_remittance_services", **asked, fee_handling=way)["offers"]}
        for way in ("on_top", "deducted")
    )
    for name, offer in within.items():
        assert offer["received"] <= above[name]["received"]
        assert offer["paid"] == cents / 100 <= above[name]["paid"]


# Reservations

ORDER: dict[str, Any] = {
    "counter": "harbor_hall",
    "currency": "EUR",
    "note_value": 50,
    "note_count": 10,
    "pickup_date": "2026-03-06",
    "collector_name": "Ada Quill",
}


def test_reserving_and_listing_notes() -> None:
    bank = empty_bank()
    assert call("list_note_reservations", bank) == {
        "reservations": [],
        "reservation_count": 0,
        "total_dollars_due": 0,
    }
    euros = call("reserve_foreign_notes", bank, **ORDER)
    assert euros["foreign_amount"] == 500
    assert euros["dollars_due"] == 597.89  # 500 / 0.853 * 1.02
    assert euros["last_pickup_date"] == "2026-03-09"
    yen: dict[str, Any] = {
        **ORDER,
        "counter": "north_tower",
        "currency": "JPY",
        "note_value": 10_000,
        "pickup_date": "2026-05-03",
    }
    assert call("reserve_foreign_notes", bank, **yen, hold_days=0)["last_pickup_date"] == "2026-05-03"
    listed = call("list_note_reservations", bank)
    assert [line["currency"] for line in listed["reservations"]] == ["EUR", "JPY"]
    assert listed["total_dollars_due"] == 597.89 + 656.21  # 100,000 / 156.20 * 1.025
    choices: list[dict[str, Any]] = [{"currency": "EUR"}, {"counter": "harbor_hall"}, {"pickup_until": "2026-03-06"}]
    for chosen in choices:
        found = call("list_note_reservations", bank, **chosen)
        assert [line["reservation_id"] for line in found["reservations"]] == [euros["reservation_id"]]
    assert {record["owner"] for _, record in bank.rows("misc_note_reservations")} == {"misc"}


def test_the_same_reservation_twice_is_one() -> None:
    bank = empty_bank()
    first, again = call("reserve_foreign_notes", bank, **ORDER), call("reserve_foreign_notes", bank, **ORDER)
    assert first == again
    assert call("list_note_reservations", bank)["reservation_count"] == 1
    call("reserve_foreign_notes", bank, **{**ORDER, "collector_name": "Ben Rowe"})
    assert call("list_note_reservations", bank)["reservation_count"] == 2


def test_long_lists_are_cut() -> None:
    bank = empty_bank()
    for count in range(1, 21):
        call("reserve_foreign_notes", bank, **{**ORDER, "note_count": count})
    found = call("list_note_reservations", bank)
    assert (len(found["reservations"]), found["reservation_count"]) == (15, 20)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("note_value", 25),
        ("currency", "USD"),
        ("currency", "XYZ"),
        ("collector_name", "  "),
        ("pickup_date", (TODAY + timedelta(days=1)).isoformat()),
        ("pickup_date", (TODAY + timedelta(days=61)).isoformat()),
        ("pickup_date", date.max.isoformat()),
    ],
)
def test_reservations_that_are_refused(field: str, value: Any) -> None:
    assert refused("reserve_foreign_notes", **{**ORDER, field: value}) == field
    assert refused("list_note_reservations", currency="XYZ") == "currency"
