"""Root causes of failures, their cost, their consequences, and the decision points at which they occur."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from teller_gym.evaluation.measures.failure_tables import failure_tables
from teller_gym.evaluation.measures.failures import measure_failures
from teller_gym.evaluation.measures.report import make_report
from teller_gym.evaluation.measures.root_causes import FAULTS, UNTOLD, cause_of, consequences, name_of, root_cause
from teller_gym.evaluation.measures.sums import valid
from teller_gym.evaluation.records.episode import Episode, FaultRecord, Kind, Turn
from teller_gym.grading.faults import FaultKind
from tests.evaluation.samples import config, episode, fault, runs, turn

REFUSED = {"kind": "validation", "message": "no", "field": "x"}


def steps(*accepted: bool) -> list[Turn]:
    return [{**turn(Kind.CALL), "error": None if fine else REFUSED} for fine in accepted]


def forgetful() -> list[Episode]:
    """Return 50 episodes: 27 fail by a forgotten exclusion, which has consequences, and two by a letter."""
    debts = fault("wrong_value", "calculate_monthly_debts", "excluded_tradelines", clause="5.9", field="tradelines")
    ratio = fault("wrong_value", "calculate_dti", "monthly_debts", step=3, clause="5.10")
    answer = fault("wrong_output", "submit_final_review", "dti", step=9, clause="5.12")
    letter = fault("wrong_act", "send_letter", step=8, clause="5.11")
    found = []
    for i in range(50):
        faults = [debts, ratio, answer][: 3 if i % 2 else 2] if i < 27 else [letter, ratio] if i < 29 else []
        branches = {"exclusions": "some" if i < 30 else "none", "letter": "a" if i % 5 else "b"}
        found.append(
            episode(
                task_id=f"t-{i:02}", success=not faults, faults=faults, branches=branches, trace=steps(*[True] * 10)
            )
        )
    return found


def test_a_forgotten_exclusion_reads_as_one() -> None:
    found = measure_failures(forgetful())
    first, second, *rest = found.causes
    assert (found.episodes, found.failed) == (50, 29)
    assert (first.name, first.episodes) == ("calculate_monthly_debts.excluded_tradelines wrong", 27)
    assert (first.clauses, first.fields, first.later) == (("5.9",), ("tradelines",), 0)
    assert first.share.value == 27 / 50
    assert first.share.low is not None and first.share.high is not None
    assert 0.35 < first.share.low < 0.54 < first.share.high < 0.73
    assert first.example is not None
    assert (first.example.task_id, first.example.step) == ("t-00", 1), "the episode with the fewest consequences"
    assert (second.name, second.episodes) == ("send_letter not to be done", 2)
    assert [(one.name, one.episodes, one.later) for one in rest] == [
        ("calculate_dti.monthly_debts wrong", 0, 29),
        ("submit_final_review.dti wrong in the answer", 0, 13),
    ]


def test_decision_points_stand_in_the_order_of_what_they_cost_beyond_the_average() -> None:
    found = measure_failures(forgetful()).branches
    assert [(one.point, one.branch, one.failed, one.episodes) for one in found] == [
        ("exclusions", "some", 29, 30),
        ("letter", "b", 6, 10),
        ("letter", "a", 23, 40),
    ]
    assert found[0].causes == {
        "calculate_monthly_debts.excluded_tradelines wrong": 27, "send_letter not to be done": 2,
    }  # fmt: skip


def test_the_terminal_names_the_cause_first() -> None:
    run = forgetful()
    table = make_report(config(run), run, {}).table()
    line = next(line for line in table.splitlines() if "excluded_tradelines" in line)
    assert line.startswith("calculate_monthly_debts.excluded_tradelines wrong")
    assert "27 of 50" in line
    assert line.endswith("5.9")
    assert "\n2 further consequences " in table
    assert "calculate_dti" not in table
    assert table.index("excluded_tradelines") < table.index("decision point") < table.index("clean success")


LOOKED = fault("wrong_value", "look", "id", made_good=True)
SENT, LEFT_OUT = fault("wrong_act", "send_letter", step=2), fault("missing_call", "call_employer", step=4)


@pytest.mark.parametrize("faults", [[SENT, LEFT_OUT, LOOKED], [LOOKED, SENT, LEFT_OUT], [SENT, LOOKED, LEFT_OUT]])
def test_what_was_made_good_is_neither_cause_nor_consequence(faults: list[FaultRecord]) -> None:
    one = episode(faults=faults)
    assert root_cause(one) == SENT
    assert consequences(one) == [LEFT_OUT]


def test_all_made_good_leaves_the_first_and_none_at_all_says_so() -> None:
    one = episode(faults=[LOOKED, {**LOOKED, "argument": "other"}])
    assert (root_cause(one), consequences(one)) == (LOOKED, [])
    assert (cause_of(episode()), root_cause(episode()), consequences(episode())) == (UNTOLD, None, [])
    (cause,) = measure_failures([episode()]).causes
    assert (cause.name, cause.episodes, cause.kind, cause.example and cause.example.step) == (UNTOLD, 1, "", 0)


@pytest.mark.parametrize(
    ("one", "name"),
    [
        (fault("failed_call", ""), "a call refused"),
        (fault("failed_call", "look", "id"), "look.id refused"),
        (fault("wrong_state", "", field="letters"), "letters left wrong"),
        (fault("wrong_state", "record_decision", field="cases.reason"), "record_decision leaves cases.reason wrong"),
        (fault("new_kind", "look"), "look new kind"),
    ],
)
def test_a_fault_is_named_by_what_it_is_about(one: FaultRecord, name: str) -> None:
    assert name_of(one) == name


@pytest.mark.parametrize("values", [{"success": True}, {"status": "invalid"}, {"stage": 1}])
def test_only_failed_episodes_of_stage_2_have_causes(values: dict[str, Any]) -> None:
    one = episode(faults=[SENT], **values)
    assert (cause_of(one), root_cause(one), consequences(one)) == (None, None, [])


def test_every_kind_of_fault_has_a_name_of_its_own() -> None:
    assert set(FAULTS) == set(FaultKind)
    assert len({name_of(fault(kind, "look", "id")) for kind in FaultKind}) == len(FaultKind)


def test_clauses_stand_in_the_order_of_the_sop() -> None:
    run = [
        episode(task_id=f"t-{i}", faults=[fault("missing_call", "look", clause=clause)])
        for i, clause in enumerate(["5.10", "D3", "5.2", None, "5.2"])
    ]
    assert measure_failures(run).causes[0].clauses == ("5.2", "5.10", "D3")


@given(runs())
@settings(deadline=None, max_examples=25)
def test_a_slow_count_gives_the_same(run: list[Episode]) -> None:
    found = measure_failures(valid(run))
    counted = [one for one in run if one["status"] != "invalid"]
    losers = [one for one in counted if not one["success"]]
    causes: Counter[str] = Counter()
    later: Counter[str] = Counter()
    for one in losers:
        left = [name_of(each) for each in one["faults"] if not each["made_good"]]
        good = [name_of(each) for each in one["faults"] if each["made_good"]]
        root = [*left, *good, UNTOLD][0]
        causes[root] += 1
        later.update(set(left[1:]) - {root})
    assert (found.episodes, found.failed) == (len(counted), len(losers))
    assert {one.name: one.episodes for one in found.causes if one.episodes} == dict(causes)
    assert {one.name: one.later for one in found.causes if one.later} == dict(later)
    assert sum(one.share.value or 0 for one in found.causes) == pytest.approx(len(losers) / max(1, len(counted)))
    assert [one.episodes for one in found.causes] == sorted((one.episodes for one in found.causes), reverse=True)
    for branch in found.branches:
        mine = [one for one in counted if one["branches"].get(branch.point) == branch.branch]
        assert (branch.episodes, branch.failed) == (len(mine), sum(not one["success"] for one in mine))
        assert sum(branch.causes.values()) == branch.failed > 0
    assert measure_failures(list(reversed(valid(run)))) == found
    assert bool(failure_tables(found)) == bool(losers)
