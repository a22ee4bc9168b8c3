"""The documents of Savings: sizes, the SOP's two renderings, and that every number comes from the policy."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
import yaml

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.sop import Abstraction, fill
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.scenarios.savings.tools.aux_policy import Topic
from teller_gym.scenarios.savings.tools.decision import NOTICES
from teller_gym.scenarios.savings.tools.types import Reason
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.run import run_action
from teller_gym.tools.tool import Category

SAVINGS = load_scenario("savings")
SOP = SAVINGS.sop_document
RAW: dict[str, Any] = yaml.safe_load(SAVINGS.document("sop.yaml"))
PLAIN: dict[str, Any] = yaml.safe_load(SAVINGS.document("policy.yaml"))
TASKS = list(frozen_tasks("savings").values())
POLICY: SavingsPolicy = SAVINGS.policy
ABSTRACTED = [clause for clause in SOP.clauses().values() if clause.abstract]
NAME = re.compile(r"[a-z]+(?:_[a-z]+)+|\d[\d,.]*\d|\b\d\b")


def table_of(name: str) -> Any:
    return next(table for table in SOP.tables if table.id == name)


def test_the_sizes_are_those_of_the_benchmark() -> None:
    assert (len(SAVINGS.graph.nodes), len(SAVINGS.graph.edges)) == (13, 26)
    assert Counter(tool.category for tool in SAVINGS.tools.values()) == {Category.CORE: 13, Category.AUXILIARY: 19}
    assert sum(len(tool.parameters) > 6 for tool in SAVINGS.tools.values()) > 32 / 2
    taken = [parameter.name for parameter in SAVINGS.tools[SAVINGS.submit].parameters]
    assert taken == ["request_id", *SAVINGS.output_fields] and len(SAVINGS.output_fields) == 3
    assert len((*SAVINGS.template.existing, *SAVINGS.template.obtained)) <= 50


def test_every_node_is_needed_by_some_kind_of_request() -> None:
    assert {call.name for task in TASKS for call in task.standard.calls} == set(SAVINGS.graph.nodes)


def test_the_record_has_the_fields_of_the_template() -> None:
    own = {field.name for field in SAVINGS.template.existing if field.group is None}
    groups = {name: {field.name for field in fields} for name, fields in SAVINGS.template.groups().items()}
    for task in TASKS:
        record = task.tables["requests"][task.case_id]
        assert record.keys() == own | groups.keys(), task.id
        assert all(row.keys() == names for group, names in groups.items() for row in record[group]), task.id


def test_many_decision_points_of_which_some_are_implicit() -> None:
    outcomes: dict[str, set[str]] = {}
    for task in TASKS:
        for point, outcome in task.branches.items():
            outcomes.setdefault(point, set()).add(outcome)
    assert len([point for point, found in outcomes.items() if len(found) > 1]) >= 12
    kinds = Counter(clause.abstraction for clause in SOP.clauses().values())
    assert kinds[Abstraction.IMPLICIT_DECISION] >= 4
    assert all(kinds[kind] > 0 for kind in Abstraction)


def place_text(place: str) -> str:
    """Return what a reader finds at a place that ``found_in`` names, filled in."""
    kind, _, name = place.partition(":")
    if kind == "definition":
        text = next(f"{d.term} {d.text}" for d in SOP.definitions if d.id == name)
    elif kind == "table":
        table = table_of(name)
        text = " ".join([table.title, *table.columns, *(cell for row in table.rows for cell in row)])
    elif kind == "clause":
        clause = SOP.clauses()[name]
        text = clause.abstract or clause.explicit
    else:
        tool = SAVINGS.tools[name]
        answer = tool.result_type.__doc__ or ""
        parameters = (f"{parameter.name} {parameter.schema}" for parameter in tool.parameters)
        return " ".join([tool.name, tool.description, *parameters, *tool.outputs, answer])
    return fill(text, POLICY)


@pytest.mark.parametrize("clause", ABSTRACTED, ids=lambda clause: clause.id)
def test_every_name_and_number_that_an_abstraction_drops_is_found_where_it_says(clause: Any) -> None:
    said = set(NAME.findall(fill(clause.abstract, POLICY)))
    explicit = re.sub(r"\b[DT]\d+\b|\b5(\.\d+)+\b", "", fill(clause.explicit, POLICY))  # references
    found = " ".join(map(place_text, clause.found_in))
    assert {item for item in set(NAME.findall(explicit)) - said if item not in found} == set()


def test_the_renderings_differ_only_where_marked() -> None:
    explicit, abstract = (SAVINGS.sop(name).splitlines() for name in ("explicit", "abstract"))
    changed = [one.split()[0] for one, other in zip(explicit, abstract, strict=True) if one != other]
    assert changed == [clause.id for clause in ABSTRACTED]


def test_every_rule_that_the_solver_names_is_in_the_sop_and_every_clause_is_named() -> None:
    named = {rule for task in TASKS for rule in SAVINGS.solve(task).rules}
    assert named <= SOP.rule_ids()
    assert set(SOP.clauses()) <= named


def test_every_ending_of_the_table_is_met_by_a_frozen_case() -> None:
    met = {task.branches["ending"] for task in TASKS}
    for _, finding, decision, reason, *_ in table_of("T7").rows:
        words = set(re.findall(r"[a-z_]+", reason)) & set(get_args(Reason))
        assert {f"{decision}_{word}" for word in words} & met, finding


def test_the_table_of_notices_is_that_of_the_tool() -> None:
    rows = dict(table_of("T9").rows)
    assert {decision: notice for decision, notice in rows.items() if notice != "none"} == NOTICES


def test_tables_have_a_row_for_each_entry_of_the_policy() -> None:
    first = {table.id: [row[0] for row in table.rows] for table in SOP.tables}
    assert first["T1"] == list(POLICY.products)
    assert len(first["T2"]) == len(POLICY.charges) and len(first["T3"]) == len(POLICY.rate_sheets)
    assert first["T4"] == list(POLICY.bonus_plans)
    assert first["T5"] == list(POLICY.custodial_ages)
    assert first["T6"][:-1] == list(POLICY.purposes)
    assert first["T11"] == list(POLICY.file_codes)
    said = {name.partition(", ")[2] for name in first["T8"] if ", " in name}
    assert said == {*POLICY.payout_days, *POLICY.refer_days}


def test_no_two_file_codes_are_the_same() -> None:
    assert len(set(POLICY.all_file_codes)) == len(POLICY.all_file_codes) == 20


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every number of a policy as plain data, but for the days of grace of products without terms."""
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    elif isinstance(value, int) and path[1:] not in (("bonus_saver", "grace_days"), ("young_saver", "grace_days")):
        yield path


def changed_policy(path: tuple[Any, ...]) -> SavingsPolicy:
    """Return the policy with one number changed."""
    plain = yaml.safe_load(SAVINGS.document("policy.yaml"))
    holder = plain
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] += 100
    return msgspec.convert(plain, SavingsPolicy)


def look_ups(policy: SavingsPolicy) -> list[Any]:
    bank = SAVINGS.bank(TASKS[0], policy)
    calls: list[tuple[str, dict[str, Any]]] = [("get_savings_policy", {"topic": topic}) for topic in get_args(Topic)]
    days = [sheet.since.isoformat() for sheet in policy.rate_sheets]
    calls += [("get_rate_sheet", {"on_day": day, "with_addition": True}) for day in days]
    texts = [msgspec.json.encode({"name": name, "arguments": arguments}).decode() for name, arguments in calls]
    return [run_action(bank, SAVINGS.tools, text) for text in texts]


@pytest.mark.parametrize("path", list(leaves(PLAIN)), ids=lambda path: ".".join(map(str, path)))
def test_a_number_of_the_policy_stands_in_both_renderings(path: tuple[Any, ...]) -> None:
    policy = changed_policy(path)
    for rendering in ("explicit", "abstract"):
        assert SAVINGS.sop(rendering, policy) != SAVINGS.sop(rendering)
    assert look_ups(policy) != look_ups(POLICY)


def test_no_number_is_typed_into_the_sop() -> None:
    texts = [(d["id"], d["text"]) for d in RAW["definitions"]]
    texts += [(t["id"], " ".join(cell for row in t["rows"] for cell in map(str, row))) for t in RAW["tables"]]
    texts += [(c["id"], f"{c['explicit']} {c.get('abstract', '')}") for s in RAW["steps"] for c in s["clauses"]]
    fixed = {"0", "365", "360", "30/360", "30", "31", "1", "29"}
    """The ways in which interest counts days, the first of January and a birthday on 29 February."""
    for where, text in texts:
        typed = re.sub(r"\{[^}]*\}", "", text)
        typed = re.sub(r"\b(5(\.\d+)+|[DT]\d+)\b", "", typed)  # references to clauses, definitions and tables
        assert set(re.findall(r"\d[\d,./]*\d|\d", typed)) <= fixed, where


def test_no_placeholder_is_left() -> None:
    for rendering in ("explicit", "abstract"):
        text = SAVINGS.sop(rendering)
        assert "{" not in text and "}" not in text and "None" not in text
