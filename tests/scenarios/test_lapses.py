"""Lapses of each expert: every judgement of the SOP has one, or a reason for having none.

The claim ``lapses`` of ``teller-gym check`` shows that each lapse loses cases and none crashes.
"""

from importlib import resources

import msgspec
import pytest

from teller_gym.procedure.graph import How
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.task import Split
from teller_gym.scenarios.loans.lapses.careless import Careless, Late
from teller_gym.tasks.store import split_tasks
from tests.scenarios.bank_scenarios import NAMES, each_scenario


def left_out(scenario: Scenario) -> set[str]:
    """Return the rules that at least one lapse breaks."""
    return {rule for lapse in scenario.lapses.values() for rule in lapse.clauses}


def reasons(scenario: Scenario) -> set[str]:
    """Return the rules that are excused from having a lapse."""
    text = resources.files(f"{scenario.package}.lapses").joinpath("no_lapse.yaml").read_bytes()
    return set(msgspec.yaml.decode(text, type=dict[str, str]))


def clauses_rows_and_judged(scenario: Scenario) -> tuple[list[str], list[str], list[str]]:
    """Return the clauses and definitions, the rows of tables, and the judged arguments."""
    sop = scenario.sop_document
    judged = [
        f"{name}.{argument}"
        for name, node in scenario.graph.nodes.items()
        for argument, item in node.inputs.items()
        if item.how in (How.DERIVE, How.DECIDE)
    ]
    rows = [f"{table.id}.{row}" for table in sop.tables for row in range(1, len(table.rows) + 1)]
    return [*sop.clauses(), *(definition.id for definition in sop.definitions)], rows, judged


@each_scenario
def test_every_rule_has_a_lapse_or_a_reason_why_it_has_none(scenario: Scenario) -> None:
    named, excused = left_out(scenario), reasons(scenario)
    assert not named & excused
    texts, rows, judged = clauses_rows_and_judged(scenario)
    both = named | excused
    assert [rule for rule in (*texts, *judged) if rule not in both] == []
    # A row counts as covered if its whole table is.
    assert [row for row in rows if row not in both and row.partition(".")[0] not in both] == []


@each_scenario
def test_lapses_and_reasons_name_rules_that_there_are(scenario: Scenario) -> None:
    texts, rows, _ = clauses_rows_and_judged(scenario)
    arguments = {f"{name}.{argument}" for name, node in scenario.graph.nodes.items() for argument in node.inputs}
    known = {*texts, *rows, *arguments, *(table.id for table in scenario.sop_document.tables)}
    assert left_out(scenario) | reasons(scenario) <= known


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"accounts"}))  # its reasons name three of its gates
def test_every_gate_is_passed_over_by_a_lapse(name: str) -> None:
    scenario = load_scenario(name)
    gates = [clause.id for clause in scenario.sop_document.clauses().values() if clause.gate]
    assert gates and set(gates) <= left_out(scenario)


@each_scenario
def test_names_say_what_is_left_out_and_sentences_what_is_done_instead(scenario: Scenario) -> None:
    assert len({lapse.sentence for lapse in scenario.lapses.values()}) == len(scenario.lapses)
    for name, lapse in scenario.lapses.items():
        assert lapse.name == name and lapse.clauses
        assert lapse.sentence.endswith(".") and "\n" not in lapse.sentence


def test_a_careless_officer_stops_when_a_tool_refuses() -> None:
    loans, task = load_scenario("loans"), split_tasks("loans", Split.HELDOUT)[0]
    steps = Careless(task.request, loans.policy_of(task)).work()
    assert next(steps).name == "get_application_data"
    with pytest.raises(StopIteration):
        steps.send({"error": {"kind": "validation", "message": "no"}})


def test_a_late_officer_does_what_was_left_out_once_and_then_stops() -> None:
    class Hasty(Late):
        def catch_up(self):  # type: ignore[no-untyped-def]
            yield from self.ask("check_something")

    loans, task = load_scenario("loans"), split_tasks("loans", Split.HELDOUT)[0]
    refusal = {"error": {"kind": "order", "message": "check_something comes first"}}
    steps = Hasty(task.request, loans.policy_of(task)).work()
    assert next(steps).name == "get_application_data"
    assert steps.send(refusal).name == "check_something"
    assert steps.send({}).name == "get_application_data"
    with pytest.raises(StopIteration):
        steps.send(refusal)
