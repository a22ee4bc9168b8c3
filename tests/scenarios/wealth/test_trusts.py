"""Trusts and beneficiaries: hand-computed shares, boundaries, the deed, and withheld checkpoints."""

from datetime import date, datetime

import pytest

from teller_gym.scenarios.wealth.tasks.trusts.facts import Amendment, Child, Death, Entry, Facts, Record
from teller_gym.scenarios.wealth.tasks.trusts.solving import solve
from teller_gym.scenarios.wealth.works import cases
from tests.scenarios.wealth.desks import FROZEN, SEEDS, after, call, delivered, done, judged, passed

TODAY = date(2026, 6, 1)
RULES = cases(FROZEN)["trusts"].rules


def record(
    name: str, share: int, modified: int = 1, status: str = "Active", trust: str = "T", owner: str = "1"
) -> Record:
    """Return a record modified on a day in May; records modified later were created earlier."""
    return Record(
        owner, trust, name, "Child", share, status, datetime(2025, 5, 29 - modified), datetime(2026, 5, modified)
    )


def facts(amendments: tuple[Amendment, ...] = (), records: tuple[Record, ...] = ()) -> Facts:
    """Return facts in which Ada (30.05) has died and left Ben (20.00) and Dan; Cleo, once Roe, has 49.95."""
    return Facts(
        today=TODAY,
        client="1",
        trust="T",
        trustee="Bank",
        signed=date(2010, 1, 1),
        schedule=(
            Entry("Ada Poe", "Child", 3005),
            Entry("Ben Poe", "Grandchild", 2000),
            Entry("Cleo Roe", "Cousin", 4995),
        ),
        amendments=amendments,
        death=Death("Ada Poe", date(2025, 1, 1), (Child("Ben Poe", False), Child("Dan Poe", True)), "Eve Low"),
        records=records,
    )


def amendment(effective: date, *entries: Entry, signed: date = date(2015, 1, 1)) -> Amendment:
    return Amendment(signed, effective, entries)


def test_half_a_hundredth_is_rounded_up_and_added_to_a_share_of_ones_own() -> None:
    # 30.05 / 2 = 15.025, rounded to 15.03 each; Ben has 20.00 + 15.03 = 35.03. The sum is 35.03 + 49.95 + 15.03 =
    # 100.01.
    answer = solve(facts(), RULES)
    assert answer.shares == {"Ben Poe": (3503, 0), "Cleo Roe": (4995, 0), "Dan Poe": (1503, 0)}
    assert (answer.deed, answer.crm, answer.apart) == (10_001, 0, 10_001)


def test_an_amendment_counts_from_its_day_on_and_passes_to_the_children() -> None:
    new = (Entry("Ada Poe", "Child", 1000), Entry("Cleo Fay", "Cousin", 7000, "Cleo Roe"))
    # 10.00 / 2 = 5.00; 20.00 + 5.00 = 25.00; Cleo has her new name.
    assert solve(facts((amendment(TODAY, *new),)), RULES).shares == {
        "Ben Poe": (2500, 0),
        "Cleo Fay": (7000, 0),
        "Dan Poe": (500, 0),
    }
    later = solve(facts((amendment(date(2026, 6, 2), *new),)), RULES)
    assert later.shares["Cleo Fay"] == (4995, 0), "the name is known, the share is not in effect yet"


def test_the_later_day_of_effect_counts_whatever_was_signed_last() -> None:
    late = amendment(date(2024, 1, 1), Entry("Cleo Roe", "Cousin", 100), signed=date(2015, 1, 1))
    early = amendment(date(2020, 1, 1), Entry("Cleo Roe", "Cousin", 200), signed=date(2019, 1, 1))
    assert solve(facts((late, early)), RULES).shares["Cleo Roe"] == (100, 0)


def test_records_that_count_and_the_sums() -> None:
    records = (
        record("Ben Poe", 3000, modified=9),
        record("Ben Poe", 2000, modified=2),  # modified earlier, although created later
        record("Cleo Roe", 4995, modified=3),
        record("Cleo Roe", 9000, modified=8, status="Revoked"),
        record("Ada Poe", 3005),
        record("Gil Moe", 500, trust="T Education"),
        record("Hal Moe", 600, owner="2"),
        record("Ivy Moe", 0),
    )
    answer = solve(facts(records=records), RULES)
    assert answer.shares == {
        "Ben Poe": (3503, 3000),
        "Cleo Roe": (4995, 4995),
        "Dan Poe": (1503, 0),
        "Ada Poe": (0, 3005),
    }
    # |30.00 - 35.03| + 0 + |0 - 15.03| + 30.05 = 5.03 + 15.03 + 30.05 = 50.11
    assert (answer.deed, answer.crm, answer.apart) == (10_001, 11_000, 5011)


def test_shares_of_each_state_of_the_deed_add_up_to_a_hundred() -> None:
    for seed in SEEDS:
        given: Facts = cases(seed)["trusts"].facts
        shares = {one.name: one.share for one in given.schedule}
        former = {one.name: one.former for made in given.amendments for one in made.entries if one.former}
        assert sum(shares.values()) == 10_000
        for one in sorted(given.amendments, key=lambda made: made.effective):
            shares |= {former.get(entry.name, entry.name): entry.share for entry in one.entries}
            assert sum(shares.values()) == 10_000 and min(shares.values()) >= 0


def test_no_checkpoint_is_passed_if_a_beneficiary_was_put_right_in_the_crm() -> None:
    case, desk = cases(FROZEN)["trusts"], done("trusts")
    one = call(desk, "search_crm", entity="CBeneficiary")["records"][0]
    call(desk, "update_crm_record", entity="CBeneficiary", record_id=one["id"], values={"share": 1.5})
    verdict = judged(desk, case)
    assert verdict.share == 0 and verdict.collateral
    assert all(one["name"] in finding.evidence for finding in verdict.findings)


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("Somebody Else,0.00,0.00,0.00", ["deed_shares", "differences", "total"]),
        ("Somebody Else,1.00,0.00,-1.00", ["total"]),
        ("Somebody Else,0.00,1.00,1.00", ["deed_shares", "total"]),
        ("TOTAL,1.00,1.00,0.00", ["deed_shares", "differences"]),
        ("Somebody Else,none,,n/a", ["total"]),
    ],
)
def test_a_row_too_many(line: str, left: list[str]) -> None:
    assert passed(after("trusts", delivered("trusts")["discrepancies.csv"] + f"{line}\n".encode())) == left
