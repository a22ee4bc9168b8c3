"""The credit card scenario's lapses: every rule of the SOP has one, or a reason why it has none."""

import importlib.resources
from collections import Counter

import pytest
import yaml

from teller_gym.procedure.graph import How
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.proof.branching import Trunk
from teller_gym.tasks.store import generate_task

CARDS = load_scenario("credit_cards")
LEFT_OUT = {clause for lapse in CARDS.lapses.values() for clause in lapse.clauses}
REASONS: dict[str, str] = yaml.safe_load(
    importlib.resources.files("teller_gym.scenarios.credit_cards.lapses").joinpath("no_lapse.yaml").read_text("utf-8")
)
SOP = CARDS.sop_document
CLAUSES = [clause.id for step in SOP.steps for clause in step.clauses]
DEFINITIONS = [definition.id for definition in SOP.definitions]
ROWS = [f"{table.id}.{row}" for table in SOP.tables for row in range(1, len(table.rows) + 1)]
ARGUMENTS = [f"{name}.{argument}" for name, node in CARDS.graph.nodes.items() for argument in node.inputs]
JUDGED = [
    f"{name}.{argument}"
    for name, node in CARDS.graph.nodes.items()
    for argument, node_input in node.inputs.items()
    if node_input.how in (How.DERIVE, How.DECIDE)
]


def is_settled(rule: str, by: set[str]) -> bool:
    """Whether a rule, or the table of a row, is among those settled."""
    return rule in by or (rule in ROWS and rule.partition(".")[0] in by)


@pytest.mark.parametrize("rule", [*CLAUSES, *DEFINITIONS, *ROWS, *JUDGED])
def test_every_rule_has_a_lapse_or_a_reason_why_it_has_none(rule: str) -> None:
    assert is_settled(rule, LEFT_OUT) or is_settled(rule, set(REASONS)), rule


def test_lapses_and_reasons_name_rules_that_there_are() -> None:
    known = {*CLAUSES, *DEFINITIONS, *ROWS, *ARGUMENTS, *(table.id for table in SOP.tables)}
    assert known >= LEFT_OUT
    assert known >= REASONS.keys()
    assert not LEFT_OUT & REASONS.keys()


def test_every_gate_is_passed_over_by_a_lapse() -> None:
    gates = [clause.id for step in SOP.steps for clause in step.clauses if clause.gate]
    assert gates and set(gates) <= LEFT_OUT


def test_names_say_what_is_left_out_and_sentences_what_is_done_instead() -> None:
    assert len({lapse.sentence for lapse in CARDS.lapses.values()}) == len(CARDS.lapses)
    for name, lapse in CARDS.lapses.items():
        assert lapse.name == name and lapse.clauses
        assert lapse.sentence.endswith(".") and "\n" not in lapse.sentence


@pytest.fixture(scope="module")
def trunks() -> list[Trunk]:
    """Plays of generated cases."""
    tasks: list[Task] = [generate_task("credit_cards", 6_700_000 + number) for number in range(60)]
    return [Trunk(task) for task in tasks]


@pytest.mark.slow
def test_the_expert_wins_and_no_lapse_falls_over(trunks: list[Trunk]) -> None:
    shows: Counter[str] = Counter()
    for trunk in trunks:
        assert trunk.play(CARDS.expert) is trunk.end
        assert trunk.end.grader.success, trunk.task.id
        for name, lapse in CARDS.lapses.items():
            shows[name] += not trunk.play(lapse.expert).grader.success
        for expert in CARDS.clean_paths.values():
            trunk.play(expert)
    assert sum(shows[name] > 0 for name in CARDS.lapses) >= 0.9 * len(CARDS.lapses)
