"""Expense categories in small hand-computed examples."""

from datetime import date

import msgspec
import pytest

from teller_gym.scenarios.wealth.contract import Failure
from teller_gym.scenarios.wealth.tasks.expense_categorisation import WORK
from teller_gym.scenarios.wealth.tasks.expense_categorisation.expert import Expert
from teller_gym.scenarios.wealth.tasks.expense_categorisation.facts import (
    LONG,
    PAIRS,
    PAYEES,
    RULES,
    SHORT,
    UNKNOWN,
    Accounts,
    Facts,
    Rule,
    Transaction,
    _quarter_before,
)
from teller_gym.scenarios.wealth.tasks.expense_categorisation.placing import lines_of
from teller_gym.scenarios.wealth.tasks.expense_categorisation.solving import category, solve
from tests.scenarios.wealth.desks import after, delivered

WORDS = WORK.rules
ACCOUNTS = Accounts("x4417", "x5580", "x9023", "x7731")
LINES = (
    Rule(10, "harbor hardware", "Home"),
    Rule(9, "harbor", "Dining"),
    Rule(2, "parkside pharm", "Health"),
    Rule(3, "park", "Transport"),
    Rule(5, "insur", "Insurance"),
    Rule(6, "x7731", "Family"),
)


def _row(number: str, description: str, cents: int, posted: date = date(2026, 8, 10)) -> Transaction:
    return Transaction(number, posted, posted, "x4417", description, cents, "Posted")


def _facts(*rows: Transaction) -> Facts:
    return Facts(2026, 3, ACCOUNTS, LINES, rows)


def test_a_quarter_worked_out_by_hand() -> None:
    bought = _row("TX-1", "CITY PARK GARAGE", -2_010)
    facts = _facts(
        bought,
        bought,
        _row("TX-2", "CITY PARK GARAGE", -2_010),
        _row("TX-3", "REFUND CITY PARK GARAGE", 1_525),
        _row("TX-4", "SHOE REPAIR", 700),
        _row("TX-5", "TRANSFER TO X9023 INSURANCE FUND", -50_000),
        _row("TX-6", "TRANSFER TO X7731", -12_345),
        msgspec.structs.replace(bought, id="TX-7", status="Pending"),
    )
    answer = solve(facts, WORDS)
    # Transport 20.10 + 20.10 - 15.25 = 24.95; Other 0 - 7.00 = -7.00; Family 123.45; together 141.40.
    assert answer.totals == {"Transport": 2_495, "Other": -700, "Family": 12_345} and answer.total == 14_140
    assert answer.labels["TX-5"] == "Transfer" and "TX-7" not in answer.labels and len(answer.labels) == 6


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("HARBOR HARDWARE", "Dining"),  # rule 9 precedes rule 10, although 10 is written first and is more specific
        ("PARKSIDE PHARMACY", "Health"),
        ("Parkside Grill", "Transport"),  # within a word
        ("SHIELD INSURANCE", "Insurance"),
        ("AIRPORT TRANSFER", "Other"),
        ("ONLINE PAYMENT TO X5580", "Transfer"),
        ("payment received x4417 insurance", "Transfer"),
        ("ONLINE PAYMENT TO X7731", "Family"),
        ("NOTARY #4417", "Other"),
    ],
)
def test_solver_and_expert_label_alike(description: str, expected: str) -> None:
    facts, expert = _facts(), Expert("in Q3 2026", WORDS)
    text = "\n".join(lines_of(facts))
    rules = expert.tried(expert.rules_in(text))
    assert [rule.number for rule in rules] == [2, 3, 5, 6, 9, 10]
    assert expert.label(description, expert.own_accounts(text, []), rules) == expected
    assert category(description, facts, WORDS) == expected


@pytest.mark.parametrize(
    ("posted", "counts"),
    [
        (date(2026, 6, 30), False),
        (date(2026, 7, 1), True),
        (date(2026, 9, 30), True),
        (date(2026, 10, 1), False),
        (date(2025, 8, 10), False),
    ],
)
def test_the_posting_date_says_whether_it_counts(posted: date, counts: bool) -> None:
    made = date(2026, 8, 10)
    row = msgspec.structs.replace(_row("TX-1", "HARBOR", -100, posted), made=made)
    assert bool(solve(_facts(row), WORDS).labels) is counts
    cells = {"posting_date": posted.isoformat(), "transaction_date": made.isoformat()}
    assert Expert("Spending in Q3 2026. Today is 2026-10-14.", WORDS).is_in_period(cells) is counts


@pytest.mark.parametrize(
    ("day", "expected", "first", "last"),
    [
        (date(2026, 1, 1), (2025, 4), date(2025, 10, 1), date(2025, 12, 31)),
        (date(2026, 3, 31), (2025, 4), date(2025, 10, 1), date(2025, 12, 31)),
        (date(2026, 4, 1), (2026, 1), date(2026, 1, 1), date(2026, 3, 31)),
        (date(2026, 12, 31), (2026, 3), date(2026, 7, 1), date(2026, 9, 30)),
    ],
)
def test_the_last_quarter_that_is_over(day: date, expected: tuple[int, int], first: date, last: date) -> None:
    assert _quarter_before(day) == expected
    facts = Facts(*expected, ACCOUNTS, (), ())
    assert (facts.start, facts.end) == (first, last)


def test_each_payee_is_fitted_by_its_own_rule_alone() -> None:
    words = [*RULES, *(one for pair in PAIRS for one in pair)]
    fitting = {name: [one for one in words if one[0] in name.casefold()] for name in (*SHORT, *LONG, *UNKNOWN)}
    assert [fitting[name] for name in SHORT] == [[short] for short, _ in PAIRS]
    assert [fitting[name] for name in LONG] == [list(pair) for pair in PAIRS]
    assert not any(fitting[name] for name in UNKNOWN)
    for (name, *_), rule in zip(PAYEES, RULES, strict=True):
        assert [one for one in words if one[0] in name.casefold()] == [rule]
    assert all(short[1] != longer[1] for short, longer in PAIRS)


def test_wrong_tables_cost_their_checkpoints() -> None:
    labels, summary = (one.decode() for one in delivered(WORK.name).values())
    first = summary.splitlines()[1].split(",")[0]
    for tables, is_passed in (
        ((labels, None), [False, True, False, False]),
        ((None, summary), [False, False, True, True]),
        # An extra row costs only the row checkpoint; a row that is listed twice does not count at all.
        ((labels + "TX-1,Other\n", summary), [False, True, True, True]),
        ((labels + labels.splitlines()[1] + "\n", summary), [False, False, True, True]),
        ((labels, summary + "Transfer,0.00\n"), [False, True, True, True]),
        ((labels, summary.replace(first + ",", first + ",9")), [True, True, False, True]),
        ((labels, summary.replace("TOTAL,", "TOTAL,9")), [True, True, True, False]),
    ):
        assert [one.passed for one in after(WORK.name, *tables).findings] == is_passed, tables


@pytest.mark.parametrize(
    "text", ["Category,Total\n,\n", "Category,Total\nTOTAL,\u00b2\n", "Category,Total\nx," + "9" * 99]
)
def test_a_summary_without_amounts_is_wrong(text: str) -> None:
    verdict = after(WORK.name, delivered(WORK.name)["categorised.csv"], text)
    assert [one.passed for one in verdict.findings] == [False, True, False, False]
    assert verdict.findings[0].failure is Failure.LOGIC
    assert after(WORK.name, text, text).findings[0].failure is Failure.DELIVERY
