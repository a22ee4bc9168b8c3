"""The lapses of the accounts expert: one for every judgement of the SOP, none that falls over."""

from importlib import resources

import msgspec
import pytest

from teller_gym.procedure.graph import How
from teller_gym.procedure.scenario import load_scenario

ACCOUNTS = load_scenario("accounts")
LEFT_OUT = {clause for lapse in ACCOUNTS.lapses.values() for clause in lapse.clauses}
REASONS: dict[str, str] = msgspec.yaml.decode(
    resources.files("teller_gym.scenarios.accounts.lapses").joinpath("no_lapse.yaml").read_bytes(), type=dict[str, str]
)
SOP = ACCOUNTS.sop_document
CLAUSES = [clause.id for step in SOP.steps for clause in step.clauses]
DEFINITIONS = [definition.id for definition in SOP.definitions]
ROWS = [f"{table.id}.{row}" for table in SOP.tables for row in range(1, len(table.rows) + 1)]
ARGUMENTS = [f"{name}.{argument}" for name, node in ACCOUNTS.graph.nodes.items() for argument in node.inputs]
JUDGED = [
    f"{name}.{argument}"
    for name, node in ACCOUNTS.graph.nodes.items()
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
    assert len({lapse.sentence for lapse in ACCOUNTS.lapses.values()}) == len(ACCOUNTS.lapses)
    for name, lapse in ACCOUNTS.lapses.items():
        assert lapse.name == name and lapse.clauses
        assert lapse.sentence.endswith(".") and "\n" not in lapse.sentence
