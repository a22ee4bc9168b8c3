"""The accounts scenario's documents: sizes, the SOP's two renderings, and that every number comes from the policy."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
import yaml

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.sop import Abstraction, fill
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.accounts.tools.aux_policy import Topic
from teller_gym.scenarios.accounts.tools.decision import NOTICES
from teller_gym.scenarios.accounts.tools.types import Reason
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.run import run_action
from teller_gym.tools.tool import Category

ACCOUNTS = load_scenario("accounts")
SOP = ACCOUNTS.sop_document
RAW: dict[str, Any] = yaml.safe_load(ACCOUNTS.document("sop.yaml"))
PLAIN: dict[str, Any] = yaml.safe_load(ACCOUNTS.document("policy.yaml"))
TASKS = list(frozen_tasks("accounts").values())
POLICY: AccountPolicy = ACCOUNTS.policy


def test_the_sizes_are_those_of_the_benchmark() -> None:
    assert (len(ACCOUNTS.graph.nodes), len(ACCOUNTS.graph.edges)) == (10, 16)
    assert Counter(tool.category for tool in ACCOUNTS.tools.values()) == {Category.CORE: 10, Category.AUXILIARY: 21}
    assert sum(len(tool.parameters) > 6 for tool in ACCOUNTS.tools.values()) > 31 / 2
    taken = [parameter.name for parameter in ACCOUNTS.tools[ACCOUNTS.submit].parameters]
    assert taken == ["request_id", *ACCOUNTS.output_fields] and len(ACCOUNTS.output_fields) == 6
    assert len((*ACCOUNTS.template.existing, *ACCOUNTS.template.obtained)) <= 50


def test_every_node_is_needed_by_some_kind_of_request() -> None:
    called = {call.name for task in TASKS for call in task.standard.calls}
    assert called == set(ACCOUNTS.graph.nodes)


def test_the_record_has_the_fields_of_the_template() -> None:
    own = {field.name for field in ACCOUNTS.template.existing if field.group is None}
    groups = {name: {field.name for field in fields} for name, fields in ACCOUNTS.template.groups().items()}
    for task in TASKS:
        record = task.tables["requests"][task.case_id]
        assert record.keys() == own | groups.keys(), task.id
        assert all(row.keys() == names for group, names in groups.items() for row in record[group]), task.id


# Decision points and abstractions


def test_many_decision_points_of_which_some_are_implicit() -> None:
    outcomes: dict[str, set[str]] = {}
    for task in TASKS:
        for point, outcome in task.branches.items():
            outcomes.setdefault(point, set()).add(outcome)
    assert len([point for point, found in outcomes.items() if len(found - {"not_reached"}) > 1]) >= 12
    kinds = Counter(clause.abstraction for clause in SOP.clauses().values())
    assert kinds[Abstraction.IMPLICIT_DECISION] >= 4
    assert all(kinds[kind] > 0 for kind in Abstraction)


def place_text(place: str) -> str:
    """Return what a reader finds at a place that ``found_in`` names, filled in."""
    kind, _, name = place.partition(":")
    if kind == "definition":
        text = next(f"{d.term} {d.text}" for d in SOP.definitions if d.id == name)
    elif kind == "table":
        table = next(t for t in SOP.tables if t.id == name)
        text = " ".join([table.title, *table.columns, *(cell for row in table.rows for cell in row)])
    elif kind == "clause":
        clause = SOP.clauses()[name]
        text = clause.abstract or clause.explicit
    else:
        tool = ACCOUNTS.tools[name]
        answer = tool.result_type.__doc__ or ""
        parameters = (f"{parameter.name} {parameter.schema}" for parameter in tool.parameters)
        return " ".join([tool.name, tool.description, *parameters, *tool.outputs, answer])
    return fill(text, POLICY)


ABSTRACTED = [clause for clause in SOP.clauses().values() if clause.abstract]
NAME = re.compile(r"[a-z]+(?:_[a-z]+)+|\d[\d,.]*\d|\b\d\b")


@pytest.mark.parametrize("clause", ABSTRACTED, ids=lambda clause: clause.id)
def test_every_name_and_number_that_an_abstraction_drops_is_found_where_it_says(clause: Any) -> None:
    said = set(NAME.findall(fill(clause.abstract, POLICY)))
    explicit = re.sub(r"\b[DT]\d+\b", "", fill(clause.explicit, POLICY))  # references
    dropped = set(NAME.findall(explicit)) - said
    dropped = {item for item in dropped if item not in SOP.clauses() and item not in {step.id for step in SOP.steps}}
    found = " ".join(map(place_text, clause.found_in))
    assert {item for item in dropped if item not in found} == set()


def test_the_renderings_differ_only_where_marked() -> None:
    explicit, abstract = (ACCOUNTS.sop(name).splitlines() for name in ("explicit", "abstract"))
    changed = [one.split()[0] for one, other in zip(explicit, abstract, strict=True) if one != other]
    assert changed == [clause.id for clause in ABSTRACTED]


# Rules and numbers


def test_every_rule_that_the_solver_names_is_in_the_sop_and_every_rule_of_the_sop_is_named() -> None:
    named = {rule for task in TASKS for rule in ACCOUNTS.solve(task).rules}
    assert named == SOP.rule_ids()


def test_every_ending_of_the_table_is_met_by_a_frozen_case() -> None:
    met = {(task.standard.outputs["decision"], task.standard.outputs["reason"]) for task in TASKS}
    table = next(table for table in SOP.tables if table.id == "T5")
    for _, finding, decision, reason in table.rows:
        words = set(re.findall(r"[a-z_]+", reason)) & set(get_args(Reason))
        assert any((decision, word) in met for word in words), finding


def test_the_table_of_notices_is_that_of_the_tool() -> None:
    table = next(table for table in SOP.tables if table.id == "T9")
    for kind, carried, declined, pending in table.rows:
        for decision, cell in (("decline", declined), ("pend", pending)):
            if (kind, cell) != ("stop_payment", "none"):
                assert NOTICES.get((kind, decision), "none") == cell
        assert NOTICES[kind, "carry_out"] == carried.split(";")[0]


def test_the_tables_of_clocks_and_states_have_a_row_for_each() -> None:
    rows = {table.id: [row[0] for row in table.rows] for table in SOP.tables}
    assert rows["T7"] == list(POLICY.clocks)
    assert rows["T3"] == sorted(POLICY.states)
    assert rows["T8"] == list(POLICY.escalation_business_days)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every number of a policy given as plain data."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, int):
        yield path


def changed_policy(path: tuple[Any, ...]) -> AccountPolicy:
    """Return the policy with one number changed."""
    plain = yaml.safe_load(ACCOUNTS.document("policy.yaml"))
    holder = plain
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] += -1 if str(path[-1]).startswith("report_") or "year_end" in str(path[-1]) else 1
    return msgspec.convert(plain, AccountPolicy)


@pytest.mark.parametrize("path", list(leaves(PLAIN)), ids=lambda path: ".".join(map(str, path)))
def test_a_number_of_the_policy_stands_in_both_renderings_and_in_the_look_ups(path: tuple[Any, ...]) -> None:
    policy = changed_policy(path)
    for rendering in ("explicit", "abstract"):
        assert ACCOUNTS.sop(rendering, policy) != ACCOUNTS.sop(rendering)
    assert look_ups(policy) != look_ups(POLICY)


def look_ups(policy: AccountPolicy) -> list[Any]:
    bank = ACCOUNTS.bank(TASKS[0], policy)
    calls: list[tuple[str, dict[str, str]]] = [("get_account_policy", {"topic": topic}) for topic in get_args(Topic)]
    calls.append(("get_deadline_table", {}))
    texts = [msgspec.json.encode({"name": name, "arguments": arguments}).decode() for name, arguments in calls]
    return [run_action(bank, ACCOUNTS.tools, text) for text in texts]


def test_no_number_is_typed_into_the_sop() -> None:
    texts = [(d["id"], d["text"]) for d in RAW["definitions"]]
    texts += [(t["id"], " ".join(cell for row in t["rows"] for cell in map(str, row))) for t in RAW["tables"]]
    texts += [(c["id"], f"{c['explicit']} {c.get('abstract', '')}") for s in RAW["steps"] for c in s["clauses"]]
    for where, text in texts:
        typed = re.sub(r"\{[^}]*\}", "", text)
        typed = re.sub(r"\b(5(\.\d+)+|[DT]\d+)\b", "", typed)  # references to clauses, definitions and tables
        assert set(re.findall(r"\d[\d,.]*\d|\d", typed)) <= {"0"}, where


def test_no_placeholder_is_left() -> None:
    for rendering in ("explicit", "abstract"):
        text = ACCOUNTS.sop(rendering)
        assert "{" not in text and "}" not in text and "None" not in text
