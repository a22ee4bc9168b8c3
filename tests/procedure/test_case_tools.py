"""Tests of tools, graph nodes and cases that are generated from a scenario's documents."""

from datetime import date
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind, ScenarioError, ToolError
from teller_gym.procedure.from_template.case_tools import (
    field_type,
    filing_node,
    filing_tool,
    find,
    reading_node,
    reading_tool,
)
from teller_gym.procedure.from_template.drawn_case import complaints, draw_case
from teller_gym.procedure.graph import EdgeKind, Source, completed, load_graph
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.procedure.template import Field, Template, load_template
from teller_gym.tools.bank import Bank

TEXT = """
table: card_orders
prefix: CO
request: "Please look at {case_id}; today is {today}."
rows: {charges: [1, 3]}
existing:
  - {name: limit, type: cents, description: The limit, draw: [100, 5000]}
  - {name: issued_on, type: date, description: When it was issued, draw: [5, 90]}
  - {name: kind, type: debit | credit, description: Which card}
  - {name: lost, type: boolean, description: Whether it is lost}
  - {name: note, type: string, description: A note, draw: [It is late., It is early.], unread: true}
  - {name: amount, type: cents, group: charges, description: How much, draw: [1, 900]}
obtained:
  - {name: charged, type: cents, description: Sum of the charges}
outputs:
  - {name: decision, type: keep | block, description: What is done, from: [read_order.kind], how: decide}
  - {name: rest, type: cents, description: What is left, from: [read_order.limit]}
  - {name: until, type: date | null, description: How long, from: [read_order.issued_on]}
"""
TEMPLATE = load_template(TEXT)
READ, FILE = reading_tool(TEMPLATE, "read_order"), filing_tool(TEMPLATE, "file_order")
CASE = "CO-123456"
RECORD: dict[str, Any] = {
    "limit": 1234,
    "issued_on": "2026-03-02",
    "kind": "debit",
    "lost": False,
    "note": "It is late.",
    "charges": [{"amount": 250}],
    "hidden": 1,
}


def bank(**changes: Any) -> Bank:
    return Bank({TEMPLATE.table: {CASE: RECORD | changes}}, date(2026, 3, 9), None, CASE)


def called(tool: Any, on: Bank, **arguments: Any) -> Any:
    return msgspec.to_builtins(tool.call(on, tool.decode(msgspec.json.encode(arguments))))


def test_the_reader_shows_the_existing_fields_in_dollars_and_nothing_else() -> None:
    assert called(READ, bank(), card_order_id=CASE) == {
        "card_order_id": CASE,
        "business_date": "2026-03-09",
        "limit": 12.34,
        "issued_on": "2026-03-02",
        "kind": "debit",
        "lost": False,
        "note": "It is late.",
        "charges": [{"amount": 2.5}],
    }
    assert not READ.writes
    assert READ.description == "Read the card order under review, amounts in US dollars."


def test_the_filer_waits_for_what_must_be_obtained_and_touches_only_its_review() -> None:
    outputs = {"decision": "block", "rest": 9.84, "until": None}
    with pytest.raises(ToolError, match="charged must be obtained first") as caught:
        called(FILE, bank(), card_order_id=CASE, **outputs)
    assert caught.value.kind is ErrorKind.ORDER
    ready = bank(charged=250)
    assert called(FILE, ready, card_order_id=CASE, **outputs) == {"status": "filed"}
    (change,) = ready.diff()
    assert change.before is None
    assert change.after == {"owner": CASE, **outputs}


def test_schemas_come_from_the_template() -> None:
    properties = FILE.schema()["function"]["parameters"]["properties"]
    assert list(properties) == ["card_order_id", "decision", "rest", "until"]
    assert properties["card_order_id"]["pattern"] == "^CO-[0-9]{6}$"
    assert properties["decision"]["enum"] == ["block", "keep"] or properties["decision"]["enum"] == ["keep", "block"]
    assert properties["rest"]["description"] == "What is left"
    with pytest.raises(msgspec.ValidationError):
        FILE.decode(msgspec.json.encode({"card_order_id": "CO-1", "decision": "keep", "rest": 1.0, "until": None}))


def test_a_wrong_id_is_told() -> None:
    with pytest.raises(ToolError, match="card_order_id: there is no CO-000001 here"):
        find(bank(), TEMPLATE.table, "CO-000001")


def test_an_unknown_type_is_told() -> None:
    with pytest.raises(ScenarioError, match=r"template.yaml, x: expected a type of cents, .* got 'colour'"):
        field_type(Field(name="x", type="colour", description=""))


def test_a_template_without_what_cases_need_is_told() -> None:
    with pytest.raises(ScenarioError, match="expected 'prefix'"):
        reading_tool(msgspec.structs.replace(TEMPLATE, prefix=""), "read_order")
    with pytest.raises(ScenarioError, match="expected a 'request' that names the case"):
        draw_case(msgspec.structs.replace(TEMPLATE, request="Please look."), 1)


def test_a_hidden_field_is_not_read() -> None:
    fields = tuple(msgspec.structs.replace(field, hidden=field.name == "kind") for field in TEMPLATE.existing)
    reader = reading_tool(msgspec.structs.replace(TEMPLATE, existing=fields), "read_order")
    assert set(READ.outputs) - set(reader.outputs) == {"kind"}


# -- the graph -----------------------------------------------------------------------------------------------------


def test_nodes_of_made_tools_say_where_outputs_come_from() -> None:
    read, file = reading_node(TEMPLATE), filing_node(TEMPLATE, "read_order")
    assert [item.source for item in read.inputs.values()] == [Source.USER_INPUT]
    assert file.inputs["rest"].origin == ("read_order.limit",)
    bare = msgspec.structs.replace(TEMPLATE, outputs=(Field(name="rest", type="cents", description=""),))
    with pytest.raises(ScenarioError, match=r"template.yaml, rest: expected 'from' .* such as \[read_order"):
        filing_node(bare, "read_order")


def test_outputs_and_data_edges_that_are_left_out_follow() -> None:
    tools = {tool.name: tool for tool in (READ, FILE)}
    graph = completed(
        load_graph("nodes: {}"),
        tools,
        {"read_order": reading_node(TEMPLATE)},
        {"file_order": filing_node(TEMPLATE, "read_order")},
    )
    graph.check(tools)
    assert [(edge.upstream, edge.downstream, edge.kind) for edge in graph.edges] == [
        ("read_order", "file_order", EdgeKind.DATA)
    ]
    assert graph.nodes["read_order"].outputs == READ.outputs


def test_what_is_written_down_is_checked_and_not_mended() -> None:
    scenario = load_scenario("loans")
    assert completed(scenario.graph, scenario.tools, {}, {}) == scenario.graph
    missing = msgspec.structs.replace(scenario.graph, edges=scenario.graph.edges[1:])
    assert completed(missing, scenario.tools, {}, {}) == missing


# -- cases ---------------------------------------------------------------------------------------------------------


def task(seed: int, template: Template = TEMPLATE) -> Task:
    drawn = draw_case(template, seed)
    blank: dict[str, Any] = {"id": "", "scenario": "", "seed": seed, "split": "train", "owners": [], "tags": []}
    blank |= {"standard": {"calls": [], "outputs": {}}, "branches": {}, "fingerprint": ""}
    return msgspec.convert(blank | drawn._asdict(), Task)


@given(st.integers(0, 10**18 - 1))
def test_drawn_cases_are_what_the_template_says(seed: int) -> None:
    drawn = draw_case(TEMPLATE, seed)
    record = drawn.tables[TEMPLATE.table][drawn.case_id]
    assert drawn == draw_case(TEMPLATE, seed)
    assert 100 <= record["limit"] <= 5000
    assert 5 <= (drawn.today - date.fromisoformat(record["issued_on"])).days <= 90
    assert 1 <= len(record["charges"]) <= 3
    assert drawn.request == f"Please look at {drawn.case_id}; today is {drawn.today}."
    assert list(complaints(TEMPLATE, task(seed))) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [("limit", 99), ("limit", "many"), ("issued_on", "2031-01-01"), ("kind", "gold"), ("note", "?"), ("lost", None)],
)
def test_what_the_template_could_not_draw_is_told(field: str, value: Any) -> None:
    made = task(7)
    made.tables[TEMPLATE.table][made.case_id][field] = value
    (complaint,) = complaints(TEMPLATE, made)
    assert complaint.startswith(f"{field} is {value!r}, which ")


@pytest.mark.parametrize(
    "field",
    [
        Field(name="x", type="cents", description=""),
        Field(name="x", type="cents", description="", draw=(9, 1)),
        Field(name="x", type="string", description="", draw=(1, 2)),
    ],
)
def test_a_field_that_cannot_be_drawn_is_told(field: Field) -> None:
    with pytest.raises(ScenarioError, match=r"template.yaml, x: expected"):
        draw_case(msgspec.structs.replace(TEMPLATE, existing=(field,)), 1)
