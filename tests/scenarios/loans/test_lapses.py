"""The lapses of the loans expert: one for every judgement of the SOP, each alive, none that falls over."""

from collections import Counter
from importlib import resources

import msgspec
import pytest

from teller_gym.procedure.graph import How
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.branching import Trunk
from teller_gym.scenarios.loans.lapses.careless import Careless, Late
from teller_gym.tasks.store import generate_task, split_tasks

LOANS = load_scenario("loans")
LEFT_OUT = {clause for lapse in LOANS.lapses.values() for clause in lapse.clauses}
REASONS: dict[str, str] = msgspec.yaml.decode(
    resources.files("teller_gym.scenarios.loans.lapses").joinpath("no_lapse.yaml").read_bytes(), type=dict[str, str]
)
SOP = LOANS.sop_document
CLAUSES = [clause.id for step in SOP.steps for clause in step.clauses]
DEFINITIONS = [definition.id for definition in SOP.definitions]
ROWS = [f"{table.id}.{row}" for table in SOP.tables for row in range(1, len(table.rows) + 1)]
ARGUMENTS = [f"{name}.{argument}" for name, node in LOANS.graph.nodes.items() for argument in node.inputs]
JUDGED = [
    f"{name}.{argument}"
    for name, node in LOANS.graph.nodes.items()
    for argument, node_input in node.inputs.items()
    if node_input.how in (How.DERIVE, How.DECIDE)
]


def is_settled(rule: str, by: set[str]) -> bool:
    """Whether a rule, or the table of a row, is among those settled."""
    return rule in by or (rule in ROWS and rule.partition(".")[0] in by)


@pytest.mark.parametrize("rule", [*CLAUSES, *DEFINITIONS, *ROWS, *JUDGED])
def test_every_rule_has_a_lapse_or_a_reason_why_it_has_none(rule: str) -> None:
    assert is_settled(rule, LEFT_OUT) != is_settled(rule, set(REASONS)), rule


def test_lapses_and_reasons_name_rules_that_there_are() -> None:
    known = {*CLAUSES, *DEFINITIONS, *ROWS, *ARGUMENTS, *(table.id for table in SOP.tables)}
    assert known >= LEFT_OUT
    assert known >= REASONS.keys()


def test_every_gate_is_passed_over_by_a_lapse() -> None:
    gates = [clause.id for step in SOP.steps for clause in step.clauses if clause.gate]
    assert gates and set(gates) <= LEFT_OUT


def test_names_say_what_is_left_out_and_sentences_what_is_done_instead() -> None:
    assert len({lapse.sentence for lapse in LOANS.lapses.values()}) == len(LOANS.lapses)
    for name, lapse in LOANS.lapses.items():
        assert lapse.name == name and lapse.clauses
        assert lapse.sentence.endswith(".") and "\n" not in lapse.sentence


@pytest.fixture(scope="module")
def trunks() -> list[Trunk]:
    """Plays of held-out, withheld and generated cases, and of cases by other policies."""
    tasks: list[Task] = [*split_tasks("loans", Split.HELDOUT), *split_tasks("loans", Split.VALIDATION)]
    tasks += [*split_tasks("loans", Split.HELDOUT_POLICY)[:20], *split_tasks("loans", Split.HELDOUT_BRANCH)[:20]]
    tasks += [generate_task("loans", 6_700_000 + number) for number in range(60)]
    return [Trunk(task) for task in tasks]


def test_the_expert_itself_lapses_nowhere(trunks: list[Trunk]) -> None:
    for trunk in trunks:
        assert trunk.play(LOANS.expert) is trunk.end
        assert trunk.end.grader.success, trunk.task.id


def test_every_lapse_shows_somewhere_and_none_falls_over(trunks: list[Trunk]) -> None:
    shows: Counter[str] = Counter()
    for trunk in trunks:
        for name, lapse in LOANS.lapses.items():
            shows[name] += trunk.play(lapse.expert) is not trunk.end
        for expert in LOANS.clean_paths.values():
            trunk.play(expert)
    assert [name for name in LOANS.lapses if not shows[name]] == []


def test_a_careless_officer_stops_when_a_tool_refuses() -> None:
    task = split_tasks("loans", Split.HELDOUT)[0]
    steps = Careless(task.request, LOANS.policy_of(task)).work()
    assert next(steps).name == "get_application_data"
    with pytest.raises(StopIteration):
        steps.send({"error": {"kind": "validation", "message": "no"}})


def test_a_late_officer_does_what_was_left_out_once_and_then_stops() -> None:
    class Hasty(Late):
        def catch_up(self):  # type: ignore[no-untyped-def]
            yield from self.ask("check_something")

    task = split_tasks("loans", Split.HELDOUT)[0]
    refusal = {"error": {"kind": "order", "message": "check_something comes first"}}
    steps = Hasty(task.request, LOANS.policy_of(task)).work()
    assert next(steps).name == "get_application_data"
    assert steps.send(refusal).name == "check_something"
    assert steps.send({}).name == "get_application_data"
    with pytest.raises(StopIteration):
        steps.send(refusal)
