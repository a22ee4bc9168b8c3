"""Capital gains: small hand-computed cases, boundary dates, parsed fees, and judged rows."""

from datetime import date
from fractions import Fraction

import pytest

from teller_gym.office.documents.csv_files import csv_bytes, read_table
from teller_gym.office.documents.tables import TextTable
from teller_gym.scenarios.wealth.tasks.capital_gains import WORK
from teller_gym.scenarios.wealth.tasks.capital_gains.expert import Expert
from teller_gym.scenarios.wealth.tasks.capital_gains.facts import Facts, Terms, Trade
from teller_gym.scenarios.wealth.tasks.capital_gains.solving import Answer, Lot, is_long, solve
from tests.scenarios.wealth.desks import after, delivered, passed

TODAY = date(2026, 5, 4)
UNTIL = Terms(date(2024, 6, 30), False, 50, 1_000, 5_000)
SINCE = Terms(date(2024, 7, 1), True, 25, 500, 4_000)
FREE = Terms(date(2000, 1, 1), True, 0, 0, 0)
FEES = """Trades from 1 July 2024: 0.25% of the gross amount, at least $5.00, at most $40.00.
Trades until 30 June 2024: 0.50% of the gross amount, at least $10.00, at most $50.00.
$20.00 for each $1,000,000.00 of the gross amount.
"""


def _trade(number: int, day: str, action: str, quantity: int = 0, price: int = 0, ratio: int = 1) -> Trade:
    """Return a trade at a price in whole dollars."""
    on = date.fromisoformat(day)
    return Trade(number, on, on, action, "Blue Mesa Energy", quantity, price * 10_000, ratio)


TRADES = (
    _trade(21, "2025-09-02", "Sell", 170, 15),
    _trade(11, "2024-09-02", "Buy", 50, 12),
    _trade(22, "2026-01-05", "Sell", 20, 15),
    _trade(12, "2024-09-02", "Split", ratio=2),
    _trade(20, "2024-10-01", "Sell", 60, 13),
    _trade(9, "2024-03-04", "Buy", 100, 20),
)
"""T-9 costs 2,000.00 + 10.00 (0.50 %), and has 200 shares after the split. T-11, on the day of the split, costs 600.00
+ 5.00 (0.25 % would be 1.50, below the minimum of 5.00). T-20 takes 60 of 200 from T-9: 2,010.00 x 60 / 200 = 603.00.

T-21 brings 2,550.00 - 6.38 (0.25 % are 6.375) - 0.05 (20 per million are 0.051) = 2,543.57. It takes the last 140 from
T-9, so their cost is 2,010.00 - 603.00 = 1,407.00, and 30 of 50 from T-11: 605.00 x 30 / 50 = 363.00. Their proceeds:
2,543.57 x 140 / 170 = 2,094.7047, and 2,543.57 - 2,094.70 = 448.87. It is exactly one year after T-11.
"""
FIRST = Lot("T-21", "T-9", 140, 209_470, 140_700, True)
SECOND = Lot("T-21", "T-11", 30, 44_887, 36_300, False)


def _expert() -> Expert:
    expert = Expert("Please work it out. Today is 2026-05-04.", WORK.rules)
    expert.read_fees(FEES)
    return expert


def _row(trade: Trade) -> dict[str, str]:
    """Return a trade as a row of the table."""
    is_split = trade.ratio > 1
    return {
        "trade_id": trade.key,
        "trade_date": trade.day.isoformat(),
        "settlement_date": trade.settled.isoformat(),
        "action": trade.action,
        "security_name": trade.security,
        "quantity": "" if is_split else str(trade.quantity),
        "gross_amount": "" if is_split else f"${trade.gross // 100:,}.{trade.gross % 100:02d}",
        "split_ratio": f"{trade.ratio}:1" if is_split else "",
    }


def test_a_case_worked_out_by_hand() -> None:
    answer = solve(Facts(TODAY, "", TRADES, (SINCE, UNTIL), 2_000), WORK.rules)
    assert answer == Answer((FIRST, SECOND))
    assert (FIRST.gain, SECOND.gain) == (68_770, 8_587)
    assert answer.sums(True) == (209_470, 140_700, 68_770)
    assert answer.sums(False) == (44_887, 36_300, 8_587)


def test_the_last_part_takes_the_cents_that_are_left() -> None:
    # 100.00 over three purchases of one share each are 33.33, 33.33 and 33.34; 10.00 over three parts of a purchase of
    # three shares are 3.33, 3.33 and 3.34.
    buys = tuple(_trade(number, f"2024-03-0{number}", "Buy", 1, 7) for number in (4, 5, 6))
    sale = Trade(7, date(2025, 3, 3), date(2025, 3, 4), "Sell", "Blue Mesa Energy", 3, 333_333)
    assert sale.gross == 10_000
    lots = solve(Facts(TODAY, "", (*buys, sale), (FREE,), 0), WORK.rules).lots
    assert [one.proceeds for one in lots] == [3_333, 3_333, 3_334]
    buy = Trade(4, date(2024, 3, 4), date(2024, 3, 5), "Buy", "Blue Mesa Energy", 3, 33_333)
    assert buy.gross == 1_000
    sales = tuple(_trade(number, f"2025-03-0{number}", "Sell", 1, 7) for number in (4, 5, 6))
    lots = solve(Facts(TODAY, "", (*sales, buy), (FREE,), 0), WORK.rules).lots
    assert [one.cost for one in lots] == [333, 333, 334]


def test_ids_of_a_day_are_numbers_and_splits_come_first() -> None:
    expert = _expert()
    trades = [_trade(1003, "2024-09-02", "Buy", 1, 1), _trade(998, "2024-09-02", "Buy", 1, 1)]
    trades += [_trade(1200, "2024-09-02", "Split", ratio=2), _trade(5, "2024-09-03", "Buy", 1, 1)]
    ordered = sorted((expert.trade(_row(one)) for one in trades), key=expert.order)
    assert [one.key for one in ordered] == ["T-1200", "T-998", "T-1003", "T-5"]


@pytest.mark.parametrize(
    ("bought", "sold", "expected"),
    [
        ("2024-09-02", "2025-09-01", False),
        ("2024-09-02", "2025-09-02", False),
        ("2024-09-02", "2025-09-03", True),
        ("2024-01-05", "2024-12-31", False),
        ("2024-12-31", "2025-01-02", False),
        ("2024-02-29", "2025-02-28", False),
        ("2024-02-29", "2025-03-01", True),
        ("2023-02-28", "2024-02-28", False),
        ("2023-02-28", "2024-02-29", True),
    ],
)
def test_a_year_and_a_day_are_long(bought: str, sold: str, expected: bool) -> None:
    days = date.fromisoformat(bought), date.fromisoformat(sold)
    assert is_long(*days, 1) is expected
    assert _expert().is_long(*days) is expected


@pytest.mark.parametrize(
    ("day", "action", "dollars", "cents"),
    [
        ("2024-06-30", "Buy", 1_000, 1_000),  # 0.50 % are 5.00, below the minimum of 10.00
        ("2024-06-30", "Buy", 3_000, 1_500),  # 0.50 %
        ("2024-06-30", "Buy", 90_000, 5_000),  # 0.50 % are 450.00, above the maximum of 50.00
        ("2024-07-01", "Buy", 3_000, 750),  # 0.25 % from this day on
        ("2024-07-01", "Sell", 3_000, 756),  # plus 20 per million, 0.06
        ("2024-07-01", "Sell", 250, 501),  # the minimum of 5.00; 20 per million are 0.005, rounded to 0.01
    ],
)
def test_fees_as_they_are_written(day: str, action: str, dollars: int, cents: int) -> None:
    expert = _expert()
    assert expert.fees(expert.trade(_row(_trade(1, day, action, 1, dollars)))) == cents


def test_a_text_without_fees_is_not_taken_for_one() -> None:
    with pytest.raises(LookupError):
        _expert().read_fees("Trades are free of charge.")
    assert _expert().levy_rate == Fraction(20, 1_000_000)


def test_wrong_rows_cost_their_checkpoints() -> None:
    table = read_table(delivered(WORK.name)["gains.csv"])

    def left(*rows: tuple[str, ...]) -> list[str]:
        return passed(after(WORK.name, csv_bytes(TextTable(table.columns, rows))))

    wrong = (table.rows[0][0], "T-1", *table.rows[0][2:])
    assert left(*table.rows, wrong) == left(*table.rows, wrong, wrong) == ["delivered", "gains", "totals"]
    assert "delivered" not in left(*table.rows, ("T-1", *wrong[1:]))
    assert left(*table.rows[-2:]) == ["totals"] and left(*table.rows[:-2]) == ["gains"]
