"""The lapses of the savings expert: one for every judgement of the SOP, none that falls over."""

from collections import Counter
from importlib import resources

import msgspec
import pytest

from teller_gym.procedure.graph import How
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.branching import Trunk
from teller_gym.tasks.store import split_tasks

SAVINGS = load_scenario("savings")
LEFT_OUT = {clause for lapse in SAVINGS.lapses.values() for clause in lapse.clauses}
REASONS: dict[str, str] = msgspec.yaml.decode(
    resources.files("teller_gym.scenarios.savings.lapses").joinpath("no_lapse.yaml").read_bytes(), type=dict[str, str]
)
SOP = SAVINGS.sop_document
CLAUSES = [clause.id for step in SOP.steps for clause in step.clauses]
DEFINITIONS = [definition.id for definition in SOP.definitions]
ROWS = [f"{table.id}.{row}" for table in SOP.tables for row in range(1, len(table.rows) + 1)]
ARGUMENTS = [f"{name}.{argument}" for name, node in SAVINGS.graph.nodes.items() for argument in node.inputs]
JUDGED = [
    f"{name}.{argument}"
    for name, node in SAVINGS.graph.nodes.items()
    for argument, node_input in node.inputs.items()
    if node_input.how in (How.DERIVE, How.DECIDE)
]


def is_settled(rule: str, by: set[str]) -> bool:
    """Whether a rule, or the table of a row, is among those settled."""
    return rule in by or (rule in ROWS and rule.partition(".")[0] in by)


@pytest.mark.parametrize("rule", [*CLAUSES, *DEFINITIONS, *ROWS, *JUDGED])
def test_every_rule_has_a_lapse_or_a_reason_why_it_has_none(rule: str) -> None:
    assert is_settled(rule, LEFT_OUT) != (rule in REASONS), rule


def test_lapses_and_reasons_name_rules_that_there_are() -> None:
    known = {*CLAUSES, *DEFINITIONS, *ROWS, *ARGUMENTS, *(table.id for table in SOP.tables)}
    assert known >= LEFT_OUT
    assert known >= REASONS.keys()


def test_names_say_what_is_left_out_and_sentences_what_is_done_instead() -> None:
    assert len({lapse.sentence for lapse in SAVINGS.lapses.values()}) == len(SAVINGS.lapses)
    for name, lapse in SAVINGS.lapses.items():
        assert lapse.name == name and lapse.clauses
        assert lapse.sentence.endswith(".") and "\n" not in lapse.sentence


def test_every_gate_is_among_what_lapses_leave_out() -> None:
    gates = [clause.id for step in SOP.steps for clause in step.clauses if clause.gate]
    assert gates and set(gates) <= LEFT_OUT


@pytest.mark.slow
def test_the_expert_lapses_nowhere_and_every_lapse_somewhere() -> None:
    shows: Counter[str] = Counter()
    for task in split_tasks("savings", Split.HELDOUT):
        trunk = Trunk(task)
        assert trunk.play(SAVINGS.expert) is trunk.end and trunk.end.grader.success, task.id
        for name, lapse in SAVINGS.lapses.items():
            shows[name] += trunk.play(lapse.expert) is not trunk.end
    assert [name for name in SAVINGS.lapses if not shows[name]] == []
