"""The pension projection in small hand-computed examples."""

from datetime import date

import msgspec
import pytest

from teller_gym.scenarios.wealth.contract import Failure
from teller_gym.scenarios.wealth.tasks.pension import WORK
from teller_gym.scenarios.wealth.tasks.pension.expert import Expert
from teller_gym.scenarios.wealth.tasks.pension.facts import Edition, Facts, Scenario, Valuation
from teller_gym.scenarios.wealth.tasks.pension.placing import _lines
from teller_gym.scenarios.wealth.tasks.pension.solving import Year, retires, solve
from tests.scenarios.wealth.desks import after, delivered, passed

RULES = WORK.rules
TODAY = date(2026, 8, 14)
PLAN = Valuation("Lab 401(k)", "Trust", "Active", date(2026, 6, 30), 10_000_000, 50_000, "Monthly", 50, 200_000)
CASES = (Scenario("Low", 200, 100), Scenario("Middle", 400, 200), Scenario("High", 600, 300))
EDITION = Edition(date(2026, 1, 1), CASES, 50, "in equal parts over the year")
FACTS = Facts(TODAY, date(1968, 12, 1), 60, "Balanced", (PLAN,), (EDITION,))


def test_two_years_worked_out_by_hand() -> None:
    # Paid in: 500.00 x 12 = 6,000.00; half of it is 3,000.00, capped at 2,000.00; together 8,000.00.
    # Year 1: growth 4% of 100,000.00 + 4,000.00 = 4,160.00; fee 0.5% of 112,160.00 = 560.80; closing 111,599.20.
    # Year 2: paid 8,160.00; growth 4% of 111,599.20 + 4,080.00 = 115,679.20 is 4,627.168;
    # fee 0.5% of 111,599.20 + 8,160.00 + 4,627.17 = 124,386.37 is 621.93185; closing 123,764.44.
    first, second = solve(FACTS, RULES).years
    assert first == Year(1, 10_000_000, 800_000, 416_000, 56_080) and first.closing == 11_159_920
    assert second == Year(2, 11_159_920, 816_000, 462_717, 62_193) and second.closing == 12_376_444


@pytest.mark.parametrize(
    ("timing", "growth"),
    [
        ("at the beginning of the year", 432_000),  # 4% of 108,000.00
        ("in equal parts over the year", 416_000),  # 4% of 104,000.00
        ("at the end of each quarter", 412_000),  # 4% of 103,000.00
        ("at the end of the year", 400_000),  # 4% of 100,000.00
    ],
)
def test_when_it_is_paid_makes_a_difference(timing: str, growth: int) -> None:
    facts = msgspec.structs.replace(FACTS, editions=(msgspec.structs.replace(EDITION, timing=timing),))
    assert solve(facts, RULES).years[0].growth == growth


@pytest.mark.parametrize(
    ("born", "age", "years"),
    [
        (date(1968, 8, 14), 60, 2),  # retires on 2028-08-14, when year 2 ends
        (date(1968, 8, 13), 60, 1),  # one day earlier
        (date(1968, 12, 31), 60, 2),
        (date(1968, 2, 29), 61, 2),  # 1 March 2029
    ],
)
def test_whole_years_alone_are_projected(born: date, age: int, years: int) -> None:
    facts = msgspec.structs.replace(FACTS, born=born, retirement_age=age)
    assert len(solve(facts, RULES).years) == years
    assert _expert(TODAY, born, age).years() == years


@pytest.mark.parametrize(
    ("today", "years"), [(date(2026, 2, 28), 3), (date(2026, 3, 1), 3), (date(2026, 3, 2), 2)], ids=str
)
def test_a_birthday_on_a_leap_day_is_on_1_march(today: date, years: int) -> None:
    born = date(1968, 2, 29)
    facts = msgspec.structs.replace(FACTS, today=today, born=born, retirement_age=61)
    assert retires(facts) == date(2029, 3, 1) and _expert(today, born, 61).retirement() == date(2029, 3, 1)
    assert len(solve(facts, RULES).years) == _expert(today, born, 61).years() == years
    assert _expert(today, born, 60).retirement() == date(2028, 2, 29)


@pytest.mark.parametrize(
    ("match", "cap", "paid"),
    [
        (50, 300_000, 900_000),  # exactly the cap
        (50, 299_999, 899_999),
        (50, None, 900_000),
        (None, None, 600_000),
        (None, 300_000, 600_000),
    ],
)
def test_the_match_and_its_cap(match: int | None, cap: int | None, paid: int) -> None:
    plan = msgspec.structs.replace(PLAN, match=match, cap=cap)
    facts = msgspec.structs.replace(FACTS, valuations=(plan,))
    assert solve(facts, RULES).years[0].contributions == paid
    cells = {
        "employee_contribution": "500.00",
        "frequency": "monthly",
        "match": "" if match is None else str(match),
        "match_cap": "" if cap is None else f"{cap / 100:.2f}",
    }
    assert _expert(TODAY, FACTS.born, 60).paid(cells) == paid


def test_the_latest_row_of_a_plan_says_whether_it_counts() -> None:
    moved = msgspec.structs.replace(PLAN, plan="Mill 403(b)", balance=5_000_000, on=date(2025, 6, 30))
    rows = (PLAN, moved, msgspec.structs.replace(moved, status="Transferred", on=date(2026, 7, 1)))
    first = solve(msgspec.structs.replace(FACTS, valuations=rows), RULES).years[0]
    assert (first.opening, first.contributions) == (10_000_000, 800_000)
    rows = (PLAN, moved, msgspec.structs.replace(moved, status="Paid up", on=date(2026, 7, 1)))
    first = solve(msgspec.structs.replace(FACTS, valuations=rows), RULES).years[0]
    assert (first.opening, first.contributions) == (15_000_000, 800_000)


def test_an_edition_counts_from_its_very_day() -> None:
    other = tuple(Scenario(one.name, one.growth + 100, one.rise) for one in CASES)
    for since, growth in ((TODAY, 520_000), (date(2026, 8, 15), 416_000)):  # 5% or 4% of 104,000.00
        editions = (Edition(since, other, 50, EDITION.timing), EDITION)
        facts = msgspec.structs.replace(FACTS, editions=editions)
        assert solve(facts, RULES).years[0].growth == growth
        text = "\n".join(line for one in editions for line in _lines(one))
        assert _expert(TODAY, FACTS.born, 60).assumptions(text).growth * 104_000 == growth


def test_each_profile_has_its_case() -> None:
    for profile, growth in (("Cautious", 208_000), ("Balanced", 416_000), ("Adventurous", 624_000)):
        assert solve(msgspec.structs.replace(FACTS, profile=profile), RULES).years[0].growth == growth


def _expert(today: date, born: date, age: int) -> Expert:
    made = Expert(f"Today is {today}.", RULES)
    made.contact = {"cDateOfBirth": born.isoformat(), "cRetirementAge": age, "cRiskProfile": "Balanced"}
    return made


def test_wrong_years_cost_their_checkpoints() -> None:
    right = delivered("pension")["projection.csv"].decode()
    lines = right.splitlines()
    # An extra year costs the row checkpoints, but not the contents of the right years.
    more = right + f"{len(lines)},1.00,1.00,1.00,1.00,1.00\n"
    assert passed(after("pension", more)) == ["contributions", "yearly_balances"]
    assert "delivered" not in passed(after("pension", right + lines[1] + "\n")), "a year that is listed twice"
    assert not passed(after("pension", "\n".join(lines[:-1])))


@pytest.mark.parametrize("year", ["²", "9" * 5000, "", "one", "-1", "1.5"])
def test_a_year_that_is_no_number_is_wrong(year: str) -> None:
    verdict = after("pension", delivered("pension")["projection.csv"].decode().replace("\n1,", f"\n{year},"))
    assert not verdict.success and verdict.findings[0].failure is Failure.LOGIC
