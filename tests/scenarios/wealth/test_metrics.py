"""Quarterly metrics: reporting dates, hand-computed figures, rules of the channel, and the work item."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest

from teller_gym.office.desk.desk import Desk
from teller_gym.scenarios.wealth.prompts import request_of
from teller_gym.scenarios.wealth.tasks.metrics import WORK
from teller_gym.scenarios.wealth.tasks.metrics.checking import item_name
from teller_gym.scenarios.wealth.tasks.metrics.facts import (
    Facts,
    Message,
    Past,
    Quarter,
    quarter_before,
)
from teller_gym.scenarios.wealth.tasks.metrics.lapses import ItemLeftOpen
from teller_gym.scenarios.wealth.tasks.metrics.solving import solve
from teller_gym.scenarios.wealth.works import cases
from tests.scenarios.wealth.desks import FROZEN, call, desk_of, judged, passed, work

CASE = cases(FROZEN)[WORK.name]
OWNERS = {
    "Closing Assets": "ops", "New Money": "ops", "Withdrawals": "ops", "Operating Costs": "ops",
    "Fee Revenue": "senior", "New Clients": "senior", "Lost Clients": "senior", "Trust Fees": "trusts",
}  # fmt: skip


@pytest.mark.parametrize(
    ("today", "label"),
    [
        (date(2026, 10, 14), "Q3 2026"),  # exactly 14 days after 30 September
        (date(2026, 10, 13), "Q2 2026"),
        (date(2026, 12, 31), "Q3 2026"),
        (date(2027, 1, 13), "Q3 2026"),
        (date(2027, 1, 14), "Q4 2026"),
        (date(2026, 4, 14), "Q1 2026"),
    ],
)
def test_a_quarter_is_reported_two_weeks_after_its_end(today: date, label: str) -> None:
    assert quarter_before(today, 14).label == label
    request = f"Please compile the firm's quarterly metrics for the report to Ada Moss. Today is {today}."
    assert ItemLeftOpen(request, WORK.rules).quarter() == label


def messages() -> tuple[Message, ...]:
    """Return messages of a channel in which every rule matters."""
    this, other = "Q3 2026", "Q2 2026"
    return (
        Message("ops", "thousand", this, "Closing Assets", 110_000_000_00),
        Message("ops", "part", this, "New Money", 3_000_000_10, part=1),
        Message("ops", "part", this, "New Money", 2_000_000_05, part=2),
        Message("ops", "figure", this, "Withdrawals", 1_900_000_00, key="w"),
        Message("ops", "correction", this, "Withdrawals", 1_800_000_00, thread="w"),
        Message("ops", "correction", this, "Withdrawals", 1_700_000_00, thread="w"),
        Message("tax", "doubt", this, "Withdrawals", 1_600_000_00, thread="w"),
        Message("ops", "aside", this, "Withdrawals", 1_500_000_00, thread="w"),
        Message("ops", "figure", this, "Operating Costs", 150_000_00),
        Message("ops", "figure", this, "Operating Costs", 165_000_00),
        Message("ops", "target", this, "Operating Costs", 140_000_00),
        Message("senior", "figure", this, "Fee Revenue", 200_000_00),
        Message("tax", "figure", this, "Fee Revenue", 210_000_00),
        Message("senior", "audited", other, "Fee Revenue", 190_000_00),
        Message("trusts", "figure", this, "Trust Fees", 40_000_00),
        Message("senior", "figure", this, "New Clients", 12),
        Message("senior", "figure", this, "Lost Clients", 5),
        Message("senior", "interim", "Q4 2026", "Lost Clients", 1),
    )


def hand(on_average: bool, yearly: tuple[str, ...]) -> Facts:
    past = (
        Past("Q2 2026", "Closing Assets", 100_000_000_00),
        Past("Q2 2026", "Fee Revenue", 192_000_00),
        Past("Q2 2026", "Active Clients", 300),
        Past("Q3 2025", "Closing Assets", 88_000_000_00),
        Past("Q3 2025", "Fee Revenue", 240_000_00),
        Past("Q3 2025", "Active Clients", 280),
    )
    return Facts(Quarter(2026, 3), OWNERS, messages(), ("Withdrawals", "Operating Costs"), past, on_average, yearly, ())


def test_metrics_by_hand() -> None:
    answer = solve(hand(on_average=True, yearly=("Revenue Growth %",)), WORK.rules)
    assert answer.posted == {
        "Closing Assets": 110_000_000_00,
        "New Money": 5_000_000_15,  # both parts
        "Withdrawals": 1_700_000_00,  # the second correction
        "Operating Costs": 165_000_00,  # the second figure, not the target
        "Fee Revenue": 200_000_00,  # by the owner of the figure
        "Trust Fees": 40_000_00,
    }
    assert answer.counts == {"New Clients": 12, "Lost Clients": 5}
    assert answer.flows == 3_300_000_15  # 5,000,000.15 - 1,700,000.00
    assert answer.clients == 307  # 300 + 12 - 5
    assert answer.percents == {
        "Operating Margin %": Decimal("31.25"),  # (240,000 - 165,000) / 240,000
        "Fee Margin %": Decimal("0.76"),  # 800,000 / 105,000,000 = 0.7619..
        "Asset Growth %": Decimal(10),  # 10 of 100 millions
        "Revenue Growth %": Decimal("-16.67"),  # -40,000 of 240,000
    }


def test_the_definitions_decide() -> None:
    percents = solve(hand(on_average=False, yearly=("Asset Growth %",)), WORK.rules).percents
    assert percents["Fee Margin %"] == Decimal("0.80")  # 800,000 / 100,000,000
    assert percents["Asset Growth %"] == Decimal(25)  # 22 of 88 millions
    assert percents["Revenue Growth %"] == Decimal("4.17")  # 8,000 of 192,000 = 4.1666..


def done(change: Callable[[str], str] = str, close: bool = True) -> Desk:
    """Return the frozen office after the expert's work, with the deliverable changed; the work item may stay open."""
    desk = desk_of(FROZEN)
    steps = WORK.expert if close else (lambda request, rules: ItemLeftOpen(request, rules).work())
    work(desk, steps(request_of(CASE, "high"), CASE.rules))
    path = f"{CASE.client.folder}/metrics.csv"
    call(desk, "write_file", path=path, text=change(call(desk, "read_file", path=path)["text"]))
    return desk


def key_of(desk: Desk, name: str) -> tuple[str, str, dict[str, str]]:
    """Return an item's key, its project's id, and the ids of the project's states by name."""
    for project in call(desk, "list_projects")["projects"]:
        for item in call(desk, "list_items", project_id=project["id"])["items"]:
            if item["name"] == name:
                states = call(desk, "list_states", project_id=project["id"])["states"]
                return item["key"], project["id"], {one["name"]: one["id"] for one in states}
    raise AssertionError(name)


@pytest.mark.parametrize(
    ("metric", "checkpoint"),
    [
        (CASE.answer.corrected[0], "corrections"),
        (next(one for one in CASE.answer.posted if one not in CASE.answer.corrected), "figures"),
        ("New Clients", "figures"),
        ("Net Flows", "ratios"),
        ("Fee Margin %", "ratios"),
    ],
)
def test_each_metric_counts_for_its_checkpoint(metric: str, checkpoint: str) -> None:
    def changed(text: str) -> str:
        return "\n".join(f"{metric},7.77" if line.startswith(f"{metric},") else line for line in text.splitlines())

    assert passed(judged(done(changed), CASE)) == [one for one in WORK.checkpoints if one != checkpoint]


def test_rows_too_many_or_twice_are_no_right_figures() -> None:
    rest = ["corrections", "ratios"]
    assert passed(judged(done(lambda text: text + "Client Satisfaction %,98.00\n"), CASE)) == rest
    assert "figures" not in passed(judged(done(lambda text: text + text.splitlines()[1] + "\n"), CASE))


def test_the_item_has_to_be_completed() -> None:
    desk = done(close=False)
    assert passed(judged(desk, CASE)) == ["figures", "corrections", "ratios"]
    key, _, states = key_of(desk, item_name(CASE))
    call(desk, "update_item", key=key, state_id=states["Cancelled"])
    verdict = judged(desk, CASE)
    assert "item_closed" not in passed(verdict) and not verdict.collateral
    call(desk, "update_item", key=key, state_id=states["Done"])
    assert judged(desk, CASE).success


def test_an_item_closed_before_the_table_is_there_does_not_count() -> None:
    desk = desk_of(FROZEN)
    key, _, states = key_of(desk, item_name(CASE))
    call(desk, "update_item", key=key, state_id=states["Done"])
    assert not passed(judged(desk, CASE))


def test_another_item_closed_takes_the_checkpoint_away() -> None:
    others = [one for one in CASE.facts.items if one.name != item_name(CASE)]
    assert len(others) == 4
    for other in others:
        desk = done()
        key, _, states = key_of(desk, other.name)
        call(desk, "update_item", key=key, state_id=states["Done"])
        verdict = judged(desk, CASE)
        assert passed(verdict) == ["figures", "corrections", "ratios"] and verdict.collateral, other


def test_the_item_is_changed_in_its_state_alone() -> None:
    desk = done()
    key, project, _ = key_of(desk, item_name(CASE))
    call(desk, "update_item", key=key, priority="urgent")
    assert judged(desk, CASE).collateral
    desk = done()
    call(desk, "create_item", project_id=project, name=item_name(CASE))
    assert not judged(desk, CASE).success
    desk = done()
    call(desk, "comment_on_item", key=key, text="Done.")
    assert judged(desk, CASE).collateral
