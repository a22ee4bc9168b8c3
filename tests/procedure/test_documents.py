"""Tests that the checks of graph, SOP, template and scenario fail on documents with one error each."""

import copy
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import yaml

from teller_gym.base.errors import OptionError, ScenarioError
from teller_gym.procedure.from_template.case_tools import reading_node
from teller_gym.procedure.graph import EdgeKind, Graph, completed, load_graph
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.sop import fill, load_sop
from teller_gym.procedure.template import MAX_FIELDS, load_template
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

LOANS = load_scenario("loans")
GRAPH: dict[str, Any] = yaml.safe_load(LOANS.document("graph.yaml"))
SOP: dict[str, Any] = yaml.safe_load(LOANS.document("sop.yaml"))
TEMPLATE: dict[str, Any] = yaml.safe_load(LOANS.document("template.yaml"))


def dump(bent: dict[str, Any]) -> str:
    return str(yaml.safe_dump(bent, sort_keys=False))


def graph(bent: dict[str, Any]) -> Graph:
    """Load a graph and complete it with the node generated from the template, as the scenario does."""
    read = "get_application_data"
    return completed(load_graph(dump(bent)), LOANS.tools, {read: reading_node(LOANS.template)}, {})


def edge(upstream: str, downstream: str, kind: str = "state") -> dict[str, str]:
    return {"from": upstream, "to": downstream, "kind": kind, "why": "because"}


# The graph


def refuse_graph(bent: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        graph(bent).check(LOANS.tools)


@pytest.fixture
def nodes() -> dict[str, Any]:
    """Return a copy of the loans graph that a test may change."""
    return copy.deepcopy(GRAPH)


@pytest.mark.parametrize("index", range(34))
def test_a_missing_data_edge(nodes: dict[str, Any], index: int) -> None:
    gone = nodes["edges"].pop(index)
    if gone["kind"] == "data":
        refuse_graph(nodes, f"missing.*{gone['from']}.*{gone['to']}")
    else:
        graph(nodes).check(LOANS.tools)  # only the tool requires the order; see the tests of the order of calls


Bend = Callable[[dict[str, Any]], Any]
"""Function that introduces an error into a document."""


def payment(document: dict[str, Any], argument: str, **entries: Any) -> None:
    """Change the entry of one argument of calculate_payment."""
    document["nodes"]["calculate_payment"]["inputs"][argument] |= entries


GRAPHS: dict[str, tuple[Bend, str]] = {
    "a cycle": (
        lambda g: g["edges"].append(edge("submit_final_review", "verify_identity")),
        "cycle.*submit_final_review|cycle.*verify_identity",
    ),
    "a loop": (lambda g: g["edges"].append(edge("price_loan", "price_loan")), "cycle.*price_loan"),
    "a data edge without an input": (
        lambda g: g["edges"].append(edge("verify_employment", "price_loan", "data")),
        "without an input.*verify_employment.*price_loan",
    ),
    "a data edge called something else": (
        lambda g: g["edges"][0].update(kind="state"),
        "missing.*get_application_data",
    ),
    "an edge written twice": (lambda g: g["edges"].append(g["edges"][3]), "twice"),
    "an edge from nowhere": (lambda g: g["edges"][0].update({"from": "grant_loan"}), "no node 'grant_loan'"),
    "an edge to nowhere": (lambda g: g["edges"][0].update(to="grant_loan"), "no node 'grant_loan'"),
    "a node that is no tool": (
        lambda g: g["nodes"].update(grant_loan={"inputs": {}, "outputs": []}),
        "'grant_loan'.*no tool",
    ),
    "inputs that are not the arguments": (
        lambda g: g["nodes"]["price_loan"]["inputs"].pop("autopay"),
        "'price_loan': inputs",
    ),
    "outputs that are not the results": (
        lambda g: g["nodes"]["price_loan"]["outputs"].append("colour"),
        "'price_loan': outputs",
    ),
    "an origin of no node": (
        lambda g: payment(g, "annual_rate", **{"from": ["grant_loan.amount"]}),
        "calculate_payment.annual_rate.*grant_loan.amount",
    ),
    "an origin that is no output": (
        lambda g: payment(g, "annual_rate", **{"from": ["price_loan.colour"]}),
        "calculate_payment.annual_rate.*price_loan.colour",
    ),
    "an origin without an output": (
        lambda g: payment(g, "annual_rate", **{"from": ["price_loan"]}),
        "calculate_payment.annual_rate.*price_loan",
    ),
    "an input from another API without an origin": (
        lambda g: payment(g, "annual_rate", **{"from": []}),
        "calculate_payment.annual_rate.*origins",
    ),
    "an input of the request with an origin": (
        lambda g: payment(g, "application_id", **{"from": ["price_loan.quote_id"]}),
        "calculate_payment.application_id.*origins",
    ),
}


@pytest.mark.parametrize("fault", GRAPHS)
def test_a_fault_of_the_graph_is_named(nodes: dict[str, Any], fault: str) -> None:
    bend, message = GRAPHS[fault]
    bend(nodes)
    refuse_graph(nodes, message)


def test_an_input_that_is_an_output_elsewhere(nodes: dict[str, Any]) -> None:
    nodes["nodes"]["calculate_payment"]["inputs"]["annual_rate"]["from"] = ["price_loan.grade"]
    graph(nodes).check(LOANS.tools)  # an origin in the same node is allowed
    nodes["nodes"]["assess_affordability"]["inputs"]["monthly_debts"]["from"] = ["calculate_payment.apr"]
    nodes["edges"] = [e for e in nodes["edges"] if (e["from"], e["to"])[0] != "calculate_monthly_debts"]
    refuse_graph(nodes, "monthly_debts is an output of .*calculate_monthly_debts")


def test_the_order_respects_every_edge() -> None:
    order = LOANS.graph.order()
    assert sorted(order) == sorted(LOANS.graph.nodes)
    assert all(order.index(e.upstream) < order.index(e.downstream) for e in LOANS.graph.edges)


def test_inputs_say_in_words_where_they_come_from() -> None:
    inputs = LOANS.graph.nodes["screen_watch_list"].inputs
    assert inputs["customer_id"].describe() == "the request"
    assert inputs["verified_name"].describe() == "taken from verify_identity.verified_name"
    constant = LOANS.graph.nodes["pull_credit_report"].inputs["permissible_purpose"]
    assert constant.describe() == "the SOP, clause 5.5.1"
    derived = LOANS.graph.nodes["check_application_completeness"].inputs["earliest_id_expiry"]
    assert derived.describe() == "worked out from get_application_data.applicants (SOP 5.1.2)"


def test_clauses_that_inputs_name_exist() -> None:
    clauses = LOANS.sop_document.clauses()
    for name, node in LOANS.graph.nodes.items():
        for argument, item in node.inputs.items():
            assert item.clause is None or item.clause in clauses, f"{name}.{argument}"
            assert (item.clause is None) == (item.how == "copy"), f"{name}.{argument}: a value not copied has a clause"
    assert {e.kind for e in LOANS.graph.edges} <= set(EdgeKind)


# The SOP


@pytest.fixture
def sop() -> dict[str, Any]:
    """Return a copy of the loans SOP that a test may change."""
    return copy.deepcopy(SOP)


def refuse_sop(bent: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        load_sop(dump(bent)).check(LOANS.graph.nodes, LOANS.tools)


def clause(document: dict[str, Any], step: int, number: int = 0) -> Any:
    return document["steps"][step]["clauses"][number]


SOPS: dict[str, tuple[Bend, str]] = {
    "a clause without a node": (lambda s: clause(s, 2).update(nodes=[]), "SOP 5.3.1: expected nodes"),
    "a clause with an unknown node": (
        lambda s: clause(s, 2).update(nodes=["price_loan", "grant_loan"]),
        "SOP 5.3.1: expected nodes",
    ),
    **{
        f"found in {place}": (
            lambda s, place=place: clause(s, 0)["found_in"].append(place),  # type: ignore[misc]
            f"SOP 5.1.1: found_in '{place}'",
        )
        for place in ("definition:D99", "table:T99", "tool:grant_loan", "clause:5.99", "D1")
    },
    **{
        f"an abstraction without {key}": (
            lambda s, key=key: clause(s, 0).pop(key),  # type: ignore[misc]
            "SOP 5.1.1: .*go together",
        )
        for key in ("abstract", "abstraction", "found_in")
    },
    "an id used twice": (lambda s: s["definitions"][3].update(id="T1"), "an id is used twice"),
    "a node without a place": (
        lambda s: clause(s, 1).pop("does"),
        r"expected a clause with 'does: \[verify_identity\]', there is none",
    ),
    "a node with two places": (
        lambda s: clause(s, 1, 1).update(does=["verify_identity"]),
        "SOP 5.2.2: it cannot do 'verify_identity': clause 5.2.1 does it",
    ),
    "a place in a clause about something else": (
        lambda s: clause(s, 1)["does"].append("price_loan"),
        "SOP 5.2.1: it cannot do 'price_loan': it is not among its nodes",
    ),
    "an unknown kind of abstraction": (lambda s: clause(s, 0).update(abstraction="riddle"), "sop.yaml: .*riddle"),
}


@pytest.mark.parametrize("fault", SOPS)
def test_a_fault_of_the_sop_is_named(sop: dict[str, Any], fault: str) -> None:
    bend, message = SOPS[fault]
    bend(sop)
    refuse_sop(sop, message)


@pytest.mark.parametrize("rendering", ["explicit", "abstract"])
@pytest.mark.parametrize(("number", "text", "gate"), [(2, "Go on.", True), (1, "Only then\n  go on.", False)])
def test_a_gate_is_what_says_so_in_both_renderings(
    sop: dict[str, Any], rendering: str, number: int, text: str, gate: bool
) -> None:
    clause = sop["steps"][0]["clauses"][number]
    assert clause.get("gate", False) == gate
    clause[rendering] = text
    refuse_sop(sop, f"SOP {clause['id']}: a clause says 'only then go on' in both renderings if and only if")


@pytest.mark.parametrize("rendering", ["explicit", "abstract"])
def test_what_is_final_and_where_the_gates_are_stands_in_the_text(rendering: str) -> None:
    text = " ".join(LOANS.sop(rendering).split())
    course = LOANS.course
    assert text.casefold().count("only then go on") == len(course.gates) + 1  # and its definition
    assert "it cannot be taken back" in text and "each once" in text
    assert course.homes.keys() == LOANS.graph.nodes.keys()


@pytest.mark.parametrize(
    "placeholder",
    ["{max_colour}", "{products.boat.max_amount:usd}", "{products.home.colour}", "{grades.9.name}", "{grades.x.name}",
     "{products.home.rates.7:rate}", "{list_scope:usd}", "{list_scope:percent}", "{max_dti", "{", "{}", "{0}"],
)  # fmt: skip
def test_a_placeholder_without_a_value(placeholder: str) -> None:
    with pytest.raises(ScenarioError, match="placeholder"):
        fill(f"at most {placeholder} of it", LOANS.policy)


def test_placeholders_are_written_as_people_write_them() -> None:
    text = "{max_dti:percent}|{products.home.max_amount:usd}|{products.home.rates.360:rate}|{grades.1.name}"
    assert fill(text, LOANS.policy) == "43.00|800,000|6.375|B"
    assert fill("{products.auto.terms:list}", LOANS.policy) == "36, 48, 60, 72"


def test_an_unknown_rendering() -> None:
    with pytest.raises(OptionError, match="expected one of abstract, explicit, got 'short'"):
        LOANS.sop("short")


# The template


def refuse_template(bent: dict[str, Any]) -> None:
    with pytest.raises(ScenarioError, match=f"at most {MAX_FIELDS} different fields"):
        load_template(dump(bent)).check()


def test_a_field_too_many() -> None:
    bent = copy.deepcopy(TEMPLATE)
    spare = MAX_FIELDS - len(bent["existing"]) - len(bent["obtained"])
    bent["existing"] += [{"name": f"x{n}", "type": "string", "description": "more"} for n in range(spare)]
    load_template(dump(bent)).check()
    bent["existing"].append({"name": "last", "type": "string", "description": "more"})
    refuse_template(bent)


def test_a_field_named_twice() -> None:
    bent = copy.deepcopy(TEMPLATE)
    bent["obtained"][0]["name"] = bent["existing"][0]["name"]
    refuse_template(bent)


def test_notes_that_would_hide_the_case() -> None:
    bent = TEMPLATE | {"notes": ["applications"]}
    with pytest.raises(ScenarioError, match="expected tables of notes, got the case's own, applications"):
        load_template(dump(bent)).check()


# Each document


@pytest.mark.parametrize(
    ("load", "file", "text"),
    [
        (load_graph, "graph.yaml", "[]"),
        (load_graph, "graph.yaml", "nodes: 3"),
        (load_graph, "graph.yaml", "{nodes: {}, edges: [], more: 1}"),
        (load_graph, "graph.yaml", "{nodes: {}, edges: [{from: a}]}"),
        (load_graph, "graph.yaml", ":"),
        (load_sop, "sop.yaml", "[]"),
        (load_sop, "sop.yaml", "title: x"),
        (load_sop, "sop.yaml", ":"),
        (load_template, "template.yaml", "table: 3"),
    ],
)
def test_text_that_is_no_such_document(load: Callable[[str], Any], file: str, text: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(file)):
        load(text)


# The scenario


def _stray(bank: Bank) -> Result:
    """Do nothing, without a node in the graph."""
    return Result()


OWN = [tool for tool in LOANS.tools.values() if tool.name != "get_application_data"]
"""Tools that are not generated from the template."""


def scenario(**changes: Any) -> Scenario:
    parts: dict[str, Any] = {
        "policy_type": LoanPolicy,
        "tools": OWN,
        "read": "get_application_data",
        "submit": LOANS.submit,
        "expert": LOANS.expert,
        "solver": None,
        "draft": None,
        "realism": LOANS.realism,
    }
    return Scenario("loans", "teller_gym.scenarios.loans", **parts | changes)


def test_the_scenario_as_it_stands_passes() -> None:
    scenario()


def test_nothing_to_submit_with() -> None:
    """The tool would be generated from the template, whose output fields have no origins."""
    with pytest.raises(ScenarioError, match=r"template.yaml, decision: expected 'from'"):
        scenario(submit="finish")


def test_a_tool_missing() -> None:
    with pytest.raises(ScenarioError, match=r"'price_loan'.*no tool"):
        scenario(tools=[tool for tool in OWN if tool.name != "price_loan"])


def test_a_core_tool_outside_the_graph() -> None:
    extra = tool(category=Category.CORE)(_stray)
    with pytest.raises(ScenarioError, match=r"core tools and graph nodes differ: \['_stray'\]"):
        scenario(tools=[*OWN, extra])


def test_two_tools_of_one_name() -> None:
    with pytest.raises(ScenarioError, match="two tools are called 'price_loan'"):
        scenario(tools=[*OWN, LOANS.tools["price_loan"]])


def test_an_unknown_scenario() -> None:
    with pytest.raises(OptionError, match=r"expected one of .*loans.*, got 'boats'"):
        load_scenario("boats")


# Fingerprints


def test_no_id_in_a_case_moves_its_fingerprint() -> None:
    draft = LOANS.draft(1)
    record = draft.tables["applications"][draft.case_id]

    def fingerprint(**changes: Any) -> str:
        tables = draft.tables | {"applications": {draft.case_id: record | changes}}
        return LOANS.case_fingerprint(msgspec.structs.replace(draft, tables=tables))

    one, other = (
        fingerprint(closing_payoff_accounts=[f"AC-{n}"], collateral_id=f"CO-{n}", note=f"See LA-{n}, twice.")
        for n in (401922, 735518)
    )
    assert one == other
    assert fingerprint(note="See LA-401922, twice.") != fingerprint(note="See LA-401922, once.")
    assert fingerprint(closing_payoff_accounts=["AC-401922"]) != fingerprint(closing_payoff_accounts=[])
