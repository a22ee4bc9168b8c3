"""The tax summary: components by hand, the limit of a loss, and forms that replace others."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest

from teller_gym.office.files.writing import write_file
from teller_gym.office_tasks.verdict import Verdict
from teller_gym.scenarios.wealth.tasks.tax_summary.expert import Expert
from teller_gym.scenarios.wealth.tasks.tax_summary.facts import Dividend, Facts, Interest, Sales, WageStatement
from teller_gym.scenarios.wealth.tasks.tax_summary.solving import Answer, solve
from teller_gym.scenarios.wealth.works import cases
from tests.scenarios.wealth.desks import FROZEN, SEEDS, desk_of, judged

NAME = "tax_summary"
RULES = cases(FROZEN)[NAME].rules
LIMIT = 300_000

FACTS = Facts(
    year=2025,
    wages=(
        WageStatement("Redbud Medical Group", "11-1", 2025, True, 1_000_000, 100_000, 50_000, 90_000),
        WageStatement("Redbud Medical Group", "11-1", 2025, False, 900_000, 80_000, 50_000, 90_000),
        WageStatement("Harrow and Pine LLC", "22-2", 2025, False, 500_000, 0, 0, 70_000),
        WageStatement("Harrow and Pine LLC", "22-2", 2024, True, 400_000, 10_000, 0, 60_000),
    ),
    interest=(
        Interest("Old Ferry Bank", "Savings Account", "2024-12", date(2025, 1, 1), 1_001),
        Interest("Old Ferry Bank", "Savings Account", "2025-12", date(2026, 1, 1), 2_002),
        Interest("US Treasury", "Treasury Note", "2025-12", date(2025, 12, 31), 3_003),
        Interest("Ashford County", "Municipal Bond", "2025-06", date(2025, 6, 1), 4_004),
    ),
    dividends=(
        Dividend("Timberland Trust", "Ordinary Dividend", date(2025, 12, 31), 700, 0),
        Dividend("Timberland Trust", "Return of Capital", date(2025, 12, 31), 800, None),
        Dividend("Balanced Income Fund", "Ordinary Dividend", date(2025, 1, 1), 600, 450),
        Dividend("Balanced Income Fund", "Ordinary Dividend", date(2026, 1, 1), 90, 90),
        Dividend("Balanced Income Fund", "Capital Gain Distribution", date(2025, 12, 5), 10_000, None),
        Dividend("Balanced Income Fund", "Capital Gain Distribution", date(2024, 12, 31), 20_000, None),
    ),
    sales=(Sales(2025, "long-term", 50_000), Sales(2026, "long-term", 9_999), Sales(2025, "short-term", -400_000)),
    carried=30_000,
    rollover=8_000_000,
    rolled=date(2025, 5, 5),
    plan="Gallatin Instruments Inc.",
    gift=1_000_000,
    giver="an aunt",
    order=(0, 1, 2, 3),
)


def test_each_component_by_hand() -> None:
    answer = solve(FACTS, RULES)
    assert answer == Answer(
        # The corrected statement: 10,000 less 1,000; the other employer's: 5,000. That of 2024 does not count.
        wages=900_000 + 500_000,
        # New Year's Day of 2025 and New Year's Eve count, the first of January 2026 and the county do not.
        interest=1_001 + 3_003,
        ordinary=700 + 600,
        qualified=450,
        # 500 less 4,000, plus 100 distributed, less 300 carried: a loss of 3,700, of which 3,000 count.
        capital=-300_000,
        carried=70_000,
    )
    assert answer.total == 1_400_000 + 4_004 + 1_300 - 300_000, "qualified dividends are not added again"
    assert answer.amounts == (1_400_000, 4_004, 1_300, 450, -300_000, 70_000, 1_105_304)


@pytest.mark.parametrize(
    ("result", "counts", "left"),
    [(1, 1, 0), (0, 0, 0), (-1, -1, 0), (-LIMIT, -LIMIT, 0), (-LIMIT - 1, -LIMIT, 1), (-9 * LIMIT, -LIMIT, 8 * LIMIT)],
)
def test_a_loss_counts_up_to_the_limit_and_the_rest_is_carried(result: int, counts: int, left: int) -> None:
    facts = msgspec.structs.replace(FACTS, sales=(Sales(2025, "short-term", result),), dividends=(), carried=0)
    assert (solve(facts, RULES).capital, solve(facts, RULES).carried) == (counts, left)
    expert = Expert("", RULES)
    assert (expert.limited(result), expert.left(result)) == (counts, left)


def test_the_notes_are_read_line_by_line() -> None:
    expert = Expert("", RULES)
    expert.year = 2025
    notes = """Tax notes for Alina Quigley
Tax year: 2025

Securities sold in 2026, long-term: gain of 99.99
Securities sold in 2025, long-term: gain of 1,500.00
Securities sold in 2025, short-term: loss of 4,000.25

Capital loss carried forward from 2024: 300.10
"""
    assert expert.sales(notes) == 150_000 - 400_025
    assert expert.carried(notes) == 30_010


def test_a_correction_replaces_the_statement_of_its_own_employer_and_year() -> None:
    def statement(mark: str, employer: str, year: str) -> dict[str, str]:
        return {"Statement": mark, "Employer ID": employer, "Tax Year": year}

    kept = [
        statement("Original", "1", "2025"),
        statement("CORRECTED", "2", "2025"),
        statement("CORRECTED", "1", "2024"),
    ]
    assert Expert("", RULES).latest([*kept, statement("Original", "2", "2025")]) == kept


def test_every_office_has_its_traps() -> None:
    years, over = set(), 0
    for seed in SEEDS:
        case = cases(seed)[NAME]
        facts, answer = case.facts, case.answer
        years.add(case.world.today.year - facts.year)
        over += answer.carried > 0
        assert sum(one.year == facts.year for one in facts.wages) == 3
        assert sum(one.is_corrected and one.year == facts.year for one in facts.wages) == 1
        for day in (one.credited for one in facts.interest if one.earned < f"{facts.year}"):
            assert day <= date(facts.year, 1, 6)
        assert max(one.credited for one in facts.interest).year == facts.year + 1
        assert 0 < answer.qualified < answer.ordinary
        assert answer.capital < 0 or answer.carried == 0
    assert years == {1, 2}, "which year it is stands in the notes alone"
    assert len(SEEDS) // 2 < over < len(SEEDS), "mostly a loss is over the limit, now and then there is a gain"


def _verdict(rows: list[tuple[str, str]]) -> Verdict:
    desk, case = desk_of(FROZEN), cases(FROZEN)[NAME]
    text = "\n".join(["component;AMT", *(";".join(row) for row in rows)])
    write_file(desk.store, desk.user, f"{case.client.folder}/tax_summary.csv", text.encode())
    return judged(desk, case)


def _rows() -> list[tuple[str, str]]:
    return [
        (item, f"{cents / 100:.2f}")
        for item, cents in zip(RULES["items"], cases(FROZEN)[NAME].answer.amounts, strict=True)
    ]


def _lost(verdict: Verdict) -> list[str]:
    return [one.checkpoint for one in verdict.findings if not one.passed]


def test_each_component_is_judged_where_it_belongs() -> None:
    assert _verdict([(item.upper(), f"${amount}") for item, amount in _rows()]).success
    expected = ["wages", *["investment_income"] * 5, "total"]
    for number, checkpoint in enumerate(expected):
        rows = _rows()
        rows[number] = (rows[number][0], "1.11")
        assert _lost(_verdict(rows)) == [checkpoint]
        assert _lost(_verdict([*rows[:number], *rows[number + 1 :]])) == ["delivered", checkpoint]
        assert _lost(_verdict([*_rows(), rows[number]])) == ["delivered", checkpoint], "which of the two is meant?"


@pytest.mark.parametrize("cell", ["", "\x00", "'", "(", "١٢", "9" * 5_000, "1.234", "-"])
def test_no_cell_makes_the_judge_stumble(cell: str) -> None:
    rows = _rows()
    assert _lost(_verdict([(rows[0][0], cell), *rows[1:]])) == ["wages"]
    assert _lost(_verdict([(cell, rows[0][1]), *rows[1:]])) == ["delivered", "wages"]
