"""The emergency fund: hand-computed totals, boundaries, and parsing of the message to the adviser."""

from datetime import date, timedelta

import pytest

from teller_gym.office_tasks.verdict import Verdict
from teller_gym.scenarios.wealth.contract import Case, Look
from teller_gym.scenarios.wealth.tasks.emergency_fund import WORK
from teller_gym.scenarios.wealth.tasks.emergency_fund.checking import message_of, verdict_of
from teller_gym.scenarios.wealth.tasks.emergency_fund.facts import Account, Expense, Facts
from teller_gym.scenarios.wealth.tasks.emergency_fund.solving import Answer, solve
from teller_gym.scenarios.wealth.works import cases
from tests.scenarios.wealth.desks import FROZEN, call, desk_of, judged, passed

TODAY = date(2026, 3, 2)
RULES = WORK.rules


def day(days: int) -> date:
    return TODAY + timedelta(days=days)


def test_a_fund_by_hand() -> None:
    expenses = (
        Expense("Rent", "Monthly", 210_050),
        Expense("Groceries", "Weekly", 15_001),  # 150.01 x 52 / 12 = 650.0433.. -> 650.04
        Expense("Water", "Quarterly", 20_000),  # 66.666.. -> 66.67
        Expense("Tax", "Annual", 400_006),  # 333.33833.. -> 333.34
        Expense("Wine Club", "Monthly", 9_900, essential=False),
        Expense("Car Loan", "Monthly", 30_000, last_payment=day(90)),
        Expense("Student Loan", "Monthly", 20_000, last_payment=day(91)),
    )
    accounts = (
        Account("Checking", "Checking", 100, 500_001, 0, limit=100_000),
        Account("Joint", "Savings", 35, 300_001, 0),  # 1,050.0035 -> 1,050.00
        Account("Notice", "Savings", 100, 200_000, 30),
        Account("Longer Notice", "Savings", 100, 700_000, 31),
        Account("Certificate", "Certificate", 100, 100_001, 5, penalty=25, matures=day(31)),  # less 25.00025 -> 25.00
        Account("Old Certificate", "Certificate", 100, 100_000, 5, penalty=40, matures=day(30)),
        Account("Retirement", "Retirement", 100, 9_000_000, 2),
        Account("Line", "Credit Line", 100, -50_000, 1, limit=2_000_000),
    )
    # 2,100.50 + 650.04 + 66.67 + 333.34 + 200.00 = 3,350.55; times 6 = 20,103.30
    # 5,000.01 + 1,050.00 + 2,000.00 + 975.01 + 1,000.00 = 10,025.02
    answer = solve(Facts(TODAY, expenses, accounts), RULES)
    assert answer == Answer(2_010_330, 1_002_502)
    assert not answer.passes and answer.difference == 1_007_828


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Verdict: PASS", "PASS"),
        ("**Verdict:** FAIL.", "FAIL"),
        ("Verdict = passes", "PASS"),
        ("Verdict: does not pass", "FAIL"),
        ("Verdict: the fund fails to pass", "FAIL"),
        ("Verdict: not a fail", "PASS"),
        ("Verdict: FAIL since it is not enough", "FAIL"),
        ("Verdict: PASS without any doubt", "PASS"),
        ("Verdict: PASS or FAIL", ""),
        ("Verdict: PASS\nThe fund does not pass.", ""),
        ("Verdict: PASS, and then\nVerdict: FAIL", ""),
        ("Verdict: FAIL\nA fund would pass if 10,000.00 were there.", "FAIL"),
        ("Verdict: see below", ""),
    ],
)
def test_a_verdict_is_read_as_it_is_meant(text: str, verdict: str) -> None:
    assert verdict_of(message_of(text, RULES), RULES) == verdict


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Required: 1234.50", 123_450),
        ("- **Required:** $1,234.50", 123_450),
        ("| Required | x", None),
        ("required: 1,234.50 USD, Available: 99.00", 123_450),
        ("Required: 1,234.50 (6 x 205.75)", 123_450),
        ("Required (6 months): 1,234.50", 123_450),
        ("Required: 1,234.50 for 6 months", 123_450),
        ("Required: (1,234.50)", 123_450),
        ("Required: 1,234.50 or 1,300.00", None),
        ("Required: 1,234.50\nRequired: 1,300.00", None),
        ("Required: unknown", None),
    ],
)
def test_an_amount_is_what_stands_behind_its_label(text: str, amount: int | None) -> None:
    assert message_of(text, RULES).amount("Required") == amount


def frozen() -> tuple[Case, dict[str, str]]:
    """Return the frozen case, and the lines of a correct message."""
    case = cases(FROZEN)[WORK.name]
    answer = case.answer
    word = "Surplus" if answer.passes else "Shortfall"
    lines = {
        "client": f"Emergency fund of {case.client.name}",
        "required": f"Required: {answer.required / 100:.2f}",
        "available": f"Available: {answer.available / 100:.2f}",
        "verdict": f"Verdict: {'PASS' if answer.passes else 'FAIL'}",
        "difference": f"{word}: {answer.difference / 100:.2f}",
    }
    return case, lines


def after(messages: list[tuple[str, str]]) -> Verdict:
    desk = desk_of(FROZEN)
    for to, text in messages:
        assert "error" not in call(desk, "send_message", to=to, text=text)
    return judged(desk, cases(FROZEN)[WORK.name])


def test_each_line_counts_for_its_checkpoint() -> None:
    case, lines = frozen()
    adviser = f"@{case.client.adviser}"
    assert after([(adviser, "\n".join(lines.values()))]).success
    wrong: dict[str, tuple[str, list[str]]] = {
        "client": ("Emergency fund", ["required", "available", "verdict"]),
        "required": ("Required: 1.00", ["available", "verdict", "message"]),
        "available": ("Available: 1.00", ["required", "verdict", "message"]),
        "verdict": ("Verdict: see above", ["required", "available", "message"]),
        "difference": ("Surplus: 1.00\nShortfall: 1.00", ["required", "available", "verdict"]),
    }
    for name, (line, left) in wrong.items():
        assert passed(after([(adviser, "\n".join((lines | {name: line}).values()))])) == left, name
    for name in ("required", "available", "verdict"):
        rest = [line for other, line in lines.items() if other != name]
        assert not passed(after([(adviser, "\n".join(rest))])), name


def test_the_last_message_with_the_figures_counts() -> None:
    case, lines = frozen()
    adviser, right = f"@{case.client.adviser}", "\n".join(lines.values())
    early = "\n".join((lines | {"required": "Required: 1.00"}).values())
    assert after([(adviser, early), (adviser, right), (adviser, "Thank you!")]).success
    assert passed(after([(adviser, right), (adviser, early)])) == ["available", "verdict", "message"]


def test_the_word_has_to_fit() -> None:
    case, lines = frozen()
    word = "Shortfall" if case.answer.passes else "Surplus"
    wrong = lines | {"difference": f"{word}: {case.answer.difference / 100:.2f}"}
    assert "message" not in passed(after([(f"@{case.client.adviser}", "\n".join(wrong.values()))]))


def test_who_else_is_told_takes_the_message_away() -> None:
    case, lines = frozen()
    adviser, right = f"@{case.client.adviser}", "\n".join(lines.values())
    for to in (f"@{case.world.staff['compliance'].username}", "#client-work"):
        verdict = after([(adviser, right), (to, f"By the way: {lines['required']}")])
        assert passed(verdict) == ["required", "available", "verdict"] and verdict.collateral
        assert not passed(after([(to, right)]))


def test_loose_amounts_are_within_a_percent() -> None:
    case, lines = frozen()
    desk = desk_of(FROZEN)
    near = lines | {"required": f"Required: {(case.answer.required + case.answer.required // 200) / 100:.2f}"}
    call(desk, "send_message", to=f"@{case.client.adviser}", text="\n".join(near.values()))
    assert not judged(desk, case).success
    assert all(one.passed for one in WORK.check(Look(desk.store, case, loose=True)))
