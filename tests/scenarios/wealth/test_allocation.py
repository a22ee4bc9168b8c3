"""Asset allocation: a hand-computed case, boundary dates, and judged rows."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from teller_gym.base.draw import Draw
from teller_gym.office.documents.csv_files import csv_bytes, read_table
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.tasks.allocation import WORK
from teller_gym.scenarios.wealth.tasks.allocation.drawing import draw_facts
from teller_gym.scenarios.wealth.tasks.allocation.expert import Expert
from teller_gym.scenarios.wealth.tasks.allocation.facts import Facts, Holding, Price, Share
from teller_gym.scenarios.wealth.tasks.allocation.solving import solve
from teller_gym.scenarios.wealth.works import cases
from tests.scenarios.wealth.desks import FROZEN, after, delivered, passed

TODAY = date(2026, 5, 14)
HOLDINGS = (
    ("A", "Equity", "10", "1.0000", "", ""),
    ("B", "Equity", "-3", "1.0000", "", ""),
    ("C", "Bond", "10000", "55.0000", "12.34", ""),
    ("D", "Fund", "1.5", "20.0000", "", ""),
    ("E", "Equity", "2", "7.0000", "", ""),
    ("", "Cash", "", "", "", "100.00"),
    ("", "Cash", "", "", "", "-40.00"),
)
PRICES = (
    ("A", "2026-04-30", "12.3455"), ("A", "2026-05-01", "99.0000"), ("A", "2026-04-29", "11.0000"),
    ("B", "2026-04-24", "1.5050"), ("C", "2026-04-20", "98.7654"), ("D", "2026-04-19", "30.0000"),
    ("E", "2026-05-04", "9.0000"), ("F", "2026-04-30", "5.0000"),
)  # fmt: skip
CLASSES = (
    ("A", "US Equity", "100.0"), ("B", "US Equity", "100.0"), ("C", "Fixed Income", "100.0"),
    ("F", "Commodities", "100.0"), ("D", "US Equity", "33.3"), ("D", "International Equity", "33.3"),
)  # fmt: skip
"""On 30 April: A is 10 x 12.3455 = 123.455, rounded to 123.46. B is -3 x 1.5050 = -4.515, rounded to -4.52. The price
of C is exactly 10 days old: 10,000 x 98.7654 / 100 + 12.34 = 9,888.88. That of D is 11 days old: 1.5 x 20 = 30.00, of
which 33.3 % are 9.99, twice; the other 33.4 % are 10.02 and unclassified, as is E with 2 x 7 = 14.00. F is not held."""
VALUES = {
    "US Equity": 12_893,  # 123.46 - 4.52 + 9.99
    "International Equity": 999,
    "Fixed Income": 988_888,
    "Unclassified": 2_402,  # 10.02 + 14.00
    "Cash": 6_000,  # 100.00 - 40.00
}
WEIGHTS = {  # of 10,111.82
    "US Equity": 128,  # 1.27504...
    "International Equity": 10,  # 0.0988
    "Fixed Income": 9_780,  # 97.7953
    "Unclassified": 24,  # 0.2375
    "Cash": 59,  # 0.5934
}


def _number(text: str, places: int) -> int:
    return int(Decimal(text or "0").scaleb(places))


def _facts(today: date = TODAY) -> Facts:
    return Facts(
        today,
        tuple(
            Holding("", name, "", kind, _number(size, 3), _number(book, 4), _number(accrued, 2), _number(cash, 2))
            for name, kind, size, book, accrued, cash in HOLDINGS
        ),
        tuple(Price(name, date.fromisoformat(day), _number(price, 4)) for name, day, price in PRICES),
        tuple(Share(name, of, _number(percent, 1)) for name, of, percent in CLASSES),
    )


def _expert(today: date = TODAY) -> Expert:
    expert = Expert(f"Please prepare it. Today is {today}.", WORK.rules)
    expert.quotes = expert.quoted([dict(zip(("symbol", "price_date", "price"), row, strict=True)) for row in PRICES])
    expert.classes = expert.mapped([dict(zip(("symbol", "asset_class", "share"), row, strict=True)) for row in CLASSES])
    return expert


def test_a_case_worked_out_by_hand() -> None:
    answer = solve(_facts(), WORK.rules)
    assert answer.values == VALUES and answer.total == 1_011_182
    assert answer.weights == WEIGHTS and answer.total_weight == 10_001


@pytest.mark.parametrize(
    ("today", "valuation"),
    [
        ("2026-05-01", "2026-04-30"),
        ("2026-05-31", "2026-04-30"),
        ("2026-03-31", "2026-02-28"),
        ("2028-03-02", "2028-02-29"),
        ("2027-01-04", "2026-12-31"),
    ],
)
def test_the_valuation_date_is_the_last_day_of_the_month_before(today: str, valuation: str) -> None:
    day = date.fromisoformat(valuation)
    assert _expert(date.fromisoformat(today)).valuation_date == day
    one = Holding("", "A", "", "Equity", 1000, 70_000)
    for price_day, cents in ((day, 500), (day + timedelta(days=1), 700), (day - timedelta(days=11), 700)):
        facts = Facts(date.fromisoformat(today), (one,), (Price("A", price_day, 50_000),), ())
        assert solve(facts, WORK.rules).values == {"Unclassified": cents}, price_day


def test_a_price_of_ten_days_is_fresh_and_one_of_eleven_is_not() -> None:
    expert = _expert()
    assert not expert.is_stale(date(2026, 4, 20)) and expert.is_stale(date(2026, 4, 19))
    assert expert.is_known(date(2026, 4, 30)) and not expert.is_known(date(2026, 5, 1))


def test_weights_never_add_up_to_a_hundred() -> None:
    case = cases(FROZEN)["allocation"]
    for seed in range(30):
        facts = draw_facts(case.world, case.client, Draw(seed), WORK.rules)
        assert solve(facts, WORK.rules).total_weight != 10_000


def _passed(*rows: tuple[str, ...]) -> list[str]:
    columns = read_table(delivered("allocation")["allocation.csv"]).columns
    return passed(after("allocation", csv_bytes(TextTable(columns, rows))))


def test_wrong_rows_cost_their_checkpoints() -> None:
    rows = read_table(delivered("allocation")["allocation.csv"]).rows
    fractions = [(name, value, str(Decimal(weight) / 100)) for name, value, weight in rows]
    assert _passed(*fractions) == ["delivered", "values"], "weights are percentages"
    strange = ("Commodities", "0.00", "0.00")
    assert _passed(*rows, strange) == _passed(*rows, strange, strange) == ["values", "weights", "total"]
    assert _passed(*rows, rows[0]) == ["total"], "of a class that is listed twice, no row counts"
