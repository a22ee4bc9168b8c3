"""The tax summary: hand-computed components, the loss limit, and corrected forms."""

from datetime import date

import msgspec
import pytest

from teller_gym.scenarios.wealth.tasks.tax_summary.expert import Expert
from teller_gym.scenarios.wealth.tasks.tax_summary.facts import Dividend, Facts, Interest, Sales, WageStatement
from teller_gym.scenarios.wealth.tasks.tax_summary.solving import Answer, solve
from teller_gym.scenarios.wealth.works import cases
from tests.scenarios.wealth.desks import FROZEN, after, delivered, passed

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
        # Interest of 1 January and 31 December 2025 counts, that of 1 January 2026 and of the county does not.
        interest=1_001 + 3_003,
        ordinary=700 + 600,
        qualified=450,
        # 500 less 4,000, plus 100 distributed, less 300 carried over: a loss of 3,700, of which 3,000 count.
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


def test_each_component_is_judged_where_it_belongs() -> None:
    header, *rows = delivered(NAME)["tax_summary.csv"].decode().splitlines()

    def lost(changed: list[str]) -> set[str]:
        return set(cases(FROZEN)[NAME].work.checkpoints) - set(passed(after(NAME, "\n".join([header, *changed]))))

    for number, checkpoint in enumerate(["wages", *["investment_income"] * 5, "total"]):
        wrong = f"{rows[number].partition(',')[0]},1.11"
        assert lost([*rows[:number], wrong, *rows[number + 1 :]]) == {checkpoint}
        assert lost([*rows[:number], *rows[number + 1 :]]) == {"delivered", checkpoint}
        assert lost([*rows, wrong]) == {"delivered", checkpoint}, "which of the two is meant?"
