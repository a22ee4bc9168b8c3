"""The estate tax: hand-computed taxes, dates around the years that count, and limits of bands."""

from datetime import date

import pytest

from teller_gym.scenarios.wealth.tasks.tax_threshold.expert import Band as Read
from teller_gym.scenarios.wealth.tasks.tax_threshold.expert import Expert
from teller_gym.scenarios.wealth.tasks.tax_threshold.facts import Band, Facts, Line, Schedule, years_before
from teller_gym.scenarios.wealth.tasks.tax_threshold.solving import Due, solve
from teller_gym.scenarios.wealth.works import cases
from tests.scenarios.wealth.desks import FROZEN

RULES = cases(FROZEN)["tax_threshold"].rules
DEATH = date(2025, 5, 10)


def facts(*lines: Line, death: date = DEATH) -> Facts:
    """Return assets of 1,000,000.00 plus lines; in 2025, 900,000.00 are free and a band ends at 50,000.00."""
    return Facts(
        decedent="Ada Poe",
        death=death,
        lines=(Line("Asset", "House", 100_000_000, current=120_000_000), *lines),
        schedules=(
            Schedule(2025, 90_000_000, (Band("Low", 0, 5_000_000, 805), Band("High", 5_000_000, None, 1005))),
            Schedule(2026, 99_000_000, (Band("Low", 0, 6_000_000, 900), Band("High", 6_000_000, None, 1100))),
        ),
    )


def taxable(*lines: Line, death: date = DEATH) -> int:
    return solve(facts(*lines, death=death), RULES).amount


def gift(day: date, relation: str = "Friend") -> Line:
    return Line("Gift", "Gift", 700_000, "Ben", relation, day)


def test_each_band_has_its_part_and_its_rounded_tax() -> None:
    # 1,000,000.00 - 900,000.00 = 100,000.00; a debt of 33,333.67 leaves 66,666.33: 50,000.00 and 16,666.33.
    # 50,000.00 x 8.05% = 4,025.00; 16,666.33 x 10.05% = 1,674.966165, so 1,674.97; together 5,699.97.
    answer = solve(facts(Line("Debt", "Loan", 3_333_367, day=DEATH)), RULES)
    assert answer.bands == (Due("Low", 5_000_000, 805, 402_500), Due("High", 1_666_633, 1005, 167_497))
    # 5,699.97 / 66,666.33 = 8.5499893 percent, so 8.55.
    assert (answer.amount, answer.tax, answer.rate) == (6_666_633, 569_997, 855)


def test_half_a_cent_is_rounded_up() -> None:
    # 1.00 x 8.05% is 8.05 cents; 10.00 x 8.05% is 80.5 cents, rounded to 81, and 81 / 1000 is 8.10 percent.
    answer = solve(facts(Line("Debt", "Loan", 9_999_000, day=DEATH)), RULES)
    assert answer.bands == (Due("Low", 1_000, 805, 81), Due("High", 0, 1005, 0))
    assert answer.rate == 810


@pytest.mark.parametrize(("debt", "low", "high"), [(5_000_000, 5_000_000, 0), (4_999_999, 5_000_000, 1)])
def test_the_end_of_a_band_belongs_to_it(debt: int, low: int, high: int) -> None:
    answer = solve(facts(Line("Debt", "Loan", debt, day=DEATH)), RULES)
    assert [one.amount for one in answer.bands] == [low, high]
    expert = Expert("", RULES)
    bands = (Read("Low", 0, 5_000_000, 8), Read("High", 5_000_000, None, 10))  # type: ignore[arg-type]
    assert [expert.in_band(band, low + high) for band in bands] == [low, high]


@pytest.mark.parametrize("debt", [10_000_000, 20_000_000])
def test_an_estate_up_to_the_threshold_is_free(debt: int) -> None:
    answer = solve(facts(Line("Debt", "Loan", debt, day=DEATH)), RULES)
    assert [one.tax for one in answer.bands] == [0, 0]
    assert (answer.amount, answer.tax, answer.rate) == (0, 0, 0)


def test_what_comes_off_and_what_does_not() -> None:
    whole = 10_000_000
    assert taxable() == whole
    assert taxable(Line("Debt", "Bill", 100, day=date(2025, 5, 11))) == whole
    assert taxable(Line("Debt", "Bill", 100, day=DEATH)) == whole - 100
    assert taxable(Line("Bequest", "Bequest", 100, "Cleo", "Spouse")) == whole - 100
    assert taxable(Line("Bequest", "Bequest", 100, "Home", "Registered Charity")) == whole - 100
    assert taxable(Line("Bequest", "Bequest", 100, "Club", "Organization")) == whole
    assert taxable(Line("Bequest", "Bequest", 100, "Dan", "Sibling")) == whole
    assert taxable(Line("Decedent", "Estate", 0, day=DEATH)) == whole


def test_funeral_costs_come_off_up_to_their_cap() -> None:
    burial, stone = Line("Funeral Cost", "Burial", 1_400_000), Line("Funeral Cost", "Stone", 100_000)
    assert taxable(burial) == 10_000_000 - 1_400_000
    assert taxable(burial, stone) == 10_000_000 - 1_500_000
    assert taxable(burial, stone, stone) == 10_000_000 - 1_500_000


@pytest.mark.parametrize(
    ("day", "death", "counts"),
    [
        (date(2022, 5, 10), DEATH, True),
        (date(2022, 5, 9), DEATH, False),
        (date(2025, 5, 9), DEATH, True),
        (date(2025, 3, 1), date(2028, 2, 29), True),
        (date(2025, 2, 28), date(2028, 2, 29), False),
        (date(2022, 2, 28), date(2025, 2, 28), True),
    ],
)
def test_the_first_day_of_the_years_counts(day: date, death: date, counts: bool) -> None:
    assert (day >= years_before(death, 3)) is counts
    assert Expert("", RULES).is_recent(day, death) is counts
    if death.year == 2025:
        assert taxable(gift(day), death=death) == 10_000_000 + 700_000 * counts
        assert taxable(gift(day, "Spouse"), death=death) == 10_000_000


def test_the_year_of_the_death_chooses_threshold_and_bands() -> None:
    # In 2026 990,000.00 are free: 10,000.00 x 9.00% = 900.00.
    answer = solve(facts(death=date(2026, 1, 1)), RULES)
    assert answer.bands == (Due("Low", 1_000_000, 900, 90_000), Due("High", 0, 1100, 0))
