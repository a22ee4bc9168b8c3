"""The loans scenario's documents: sizes, the SOP's two renderings, and that every number comes from the policy."""

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec
import pytest
import yaml

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.sop import Abstraction, fill
from teller_gym.procedure.task import Task
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.tools.aux_policy import Topic
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.run import run_action
from teller_gym.tools.tool import Category
from tests.scenarios.loans.bent import all_bent

LOANS = load_scenario("loans")
SOP = LOANS.sop_document
RAW: dict[str, Any] = yaml.safe_load(LOANS.document("sop.yaml"))
TASKS = list(frozen_tasks("loans").values())
POLICY: LoanPolicy = LOANS.policy


# Sizes


def test_the_graph_has_20_nodes_and_34_edges() -> None:
    assert (len(LOANS.graph.nodes), len(LOANS.graph.edges)) == (20, 34)


def test_41_tools_and_over_half_of_them_take_more_than_six_parameters() -> None:
    assert Counter(tool.category for tool in LOANS.tools.values()) == {Category.CORE: 20, Category.AUXILIARY: 21}
    assert sum(len(tool.parameters) > 6 for tool in LOANS.tools.values()) > 41 / 2


def test_six_output_fields_that_the_final_review_takes() -> None:
    assert len(LOANS.output_fields) == 6
    taken = [parameter.name for parameter in LOANS.tools[LOANS.submit].parameters]
    assert taken == ["application_id", *LOANS.output_fields]


@pytest.mark.parametrize(("rendering", "limit"), [("abstract", 1_750), ("explicit", 2_200)])
def test_the_sop_is_short(rendering: str, limit: int) -> None:
    words = [line.split() for line in LOANS.sop(rendering).splitlines() if not line.startswith("|")]
    assert sum(map(len, words)) <= limit


def test_the_record_has_the_fields_of_the_template() -> None:
    fields = (*LOANS.template.existing, *LOANS.template.obtained)
    assert len(fields) <= 50
    own = {field.name for field in LOANS.template.existing if field.group is None}
    of_applicants = {field.name for field in LOANS.template.existing if field.group == "applicants"}
    obtained = {field.name for field in LOANS.template.obtained}
    written: set[str] = set()
    for task in TASKS:
        record = task.tables["applications"][task.case_id]
        assert record.keys() == own | {"applicants"}, task.id
        assert all(person.keys() == of_applicants for person in record["applicants"]), task.id
        bank = LOANS.bank(task)
        for call in task.standard.calls:
            run_action(bank, LOANS.tools, msgspec.json.encode(call).decode())
        after = bank.get("applications", task.case_id)
        assert after is not None and after.keys() - record.keys() <= obtained, task.id
        assert {name: after[name] for name in record} == record, task.id  # existing fields stay as they are
        written |= after.keys() - record.keys()
    assert written == obtained  # each is obtained in some case


def test_the_application_tool_shows_the_existing_fields() -> None:
    shown = set(LOANS.tools["get_application_data"].outputs)
    own = {field.name for field in LOANS.template.existing if field.group is None}
    # The preference is read back from the recorded decision, so that letters depend on it.
    assert own - shown == {"delivery_preference"}
    assert shown - own == {"application_id", "business_date", "applicants"}


# Decision points and abstractions


def test_at_least_eight_decision_points_of_which_four_are_implicit() -> None:
    outcomes: dict[str, set[str]] = {}
    for task in TASKS:
        for point, outcome in task.branches.items():
            outcomes.setdefault(point, set()).add(outcome)
    # A decision point goes at least two ways among the frozen cases; what was given with the case is none.
    decided = {point for point, found in outcomes.items() if len(found - {"not_reached"}) > 1}
    decided -= {"applicants", "product"}
    assert len(decided) >= 8
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
        tool = LOANS.tools[name]
        parameters = (f"{parameter.name} {parameter.schema}" for parameter in tool.parameters)
        return " ".join([tool.name, tool.description, *parameters, *tool.outputs])
    return fill(text, POLICY)


ABSTRACTED = [clause for clause in SOP.clauses().values() if clause.abstract]
NAME = re.compile(r"[a-z]+(?:_[a-z]+)+|\d[\d,.]*\d|\b\d\b")


@pytest.mark.parametrize("clause", ABSTRACTED, ids=lambda clause: clause.id)
def test_every_name_and_number_that_an_abstraction_drops_is_found_where_it_says(clause: Any) -> None:
    said = set(NAME.findall(fill(clause.abstract, POLICY)))
    dropped = set(NAME.findall(fill(clause.explicit, POLICY))) - said
    dropped = {item for item in dropped if item not in SOP.clauses() and item not in {step.id for step in SOP.steps}}
    found = " ".join(map(place_text, clause.found_in))
    assert {item for item in dropped if item not in found} == set()


def test_the_renderings_differ_only_where_marked() -> None:
    explicit, abstract = (LOANS.sop(name).splitlines() for name in ("explicit", "abstract"))
    changed = [one.split()[0] for one, other in zip(explicit, abstract, strict=True) if one != other]
    assert changed == [clause.id for clause in ABSTRACTED]


# Rules


def test_every_rule_that_the_solver_names_is_in_the_sop_and_every_rule_of_the_sop_is_named() -> None:
    named = {rule for task in TASKS for rule in LOANS.solve(task).rules}
    assert named == SOP.rule_ids()


def test_every_clause_that_ends_a_case_has_its_rows_in_the_table_of_endings() -> None:
    table = next(table for table in SOP.tables if table.id == "T5")
    ending = re.compile(r"\bends? the case")
    ends = {clause.id.rpartition(".")[0] for clause in SOP.clauses().values() if ending.search(clause.explicit)}
    assert ends == {row[0] for row in table.rows}


def test_every_ending_of_the_table_is_met_by_a_frozen_case() -> None:
    table = next(table for table in SOP.tables if table.id == "T5")
    outputs = [task.standard.outputs for task in TASKS]
    for _, finding, decision, reason in table.rows:
        named = [word for word in re.findall(r"[a-z_]+", reason) if "_" in word or word == "none"]
        reasons = {name for name in named if name != "main_factor"}
        met = {o["principal_reason"] for o in outputs if o["decision"] == decision}
        assert reasons <= met, finding


# Numbers


def leaves(value: Any, kind: type, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every number (``int``) or code (``str``) of a policy given as plain data."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, kind, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, kind, (*path, index))
    elif isinstance(value, kind):
        yield path


PLAIN: dict[str, Any] = yaml.safe_load(LOANS.document("policy.yaml"))
NUMBERS = list(leaves(PLAIN, int))
CODES = list(leaves(PLAIN, str))


STEPS = {"appraisal_max_age_days": -40, "above_ltv": 499, "ltv_surcharge_above": 300}
"""How far numbers that no frozen case lies next to are moved."""


def changed_policy(path: tuple[Any, ...]) -> LoanPolicy:
    """Return the policy with one number or code changed."""
    plain = yaml.safe_load(LOANS.document("policy.yaml"))
    holder = plain
    for key in path[:-1]:
        holder = holder[key]
    if isinstance(holder[path[-1]], str):
        holder[path[-1]] += "_changed"
    else:
        step = STEPS.get(str(path[-1]), 7_300 if holder[path[-1]] >= 100_000 else 3)
        # Scores from the minimum on must have a grade, so the last one can only begin lower.
        holder[path[-1]] += -step if is_shadowed(path) else step
    return msgspec.convert(plain, LoanPolicy)


def is_unused(path: tuple[Any, ...]) -> bool:
    """Unsecured loans have no loan-to-value ratio."""
    return path[:2] == ("products", "personal") and "ltv" in str(path[2])


def is_shadowed(path: tuple[Any, ...]) -> bool:
    """Scores under the last grade's minimum are denied before a grade is looked for."""
    return path == ("grades", 3, "min_score")


def name_of(path: tuple[Any, ...]) -> str:
    return ".".join(map(str, path))


@pytest.mark.parametrize("path", NUMBERS + CODES, ids=name_of)
def test_an_entry_of_the_policy_changes_both_renderings_and_the_look_ups(path: tuple[Any, ...]) -> None:
    policy = changed_policy(path)
    shows = not is_unused(path)
    for rendering in ("explicit", "abstract"):
        assert (LOANS.sop(rendering, policy) != LOANS.sop(rendering)) == shows
    assert look_ups(policy) != look_ups(POLICY)


def look_ups(policy: LoanPolicy) -> list[Any]:
    bank = LOANS.bank(TASKS[0], policy)
    calls: list[tuple[str, dict[str, str]]] = [("get_lending_policy", {"topic": topic}) for topic in get_args(Topic)]
    calls += [("get_rate_table", {"product": product}) for product in policy.products]
    texts = [msgspec.json.encode({"name": name, "arguments": arguments}).decode() for name, arguments in calls]
    return [run_action(bank, LOANS.tools, text) for text in texts]


@cache
def _further() -> list[Task]:
    """Fresh cases, and cases bent onto boundaries: some numbers decide in one case of a hundred."""
    return [*(LOANS.generate(seed) for seed in range(300)), *(task for bent in all_bent().values() for task in bent)]


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in NUMBERS if not is_unused(p) and not is_shadowed(p)], ids=name_of)
def test_a_number_of_the_policy_changes_results_and_both_computations_follow(path: tuple[Any, ...]) -> None:
    policy = changed_policy(path)
    different = 0
    for task in [*TASKS, *_further()]:
        standard = LOANS.run_expert(task, policy)
        assert LOANS._solver(task, policy).outputs == standard.outputs, task.id
        different += standard != task.standard
    assert different > 0


ALLOWED_DIGITS = {
    # Formulas of D14 and D16, which are arithmetic and not policy.
    "52", "26", "12", "2", "1",
    # "0 where there is none", "figures that do not apply stay 0".
    "0",
}  # fmt: skip


def prose(raw: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield id and unfilled text of everything that the SOP says."""
    for key in ("purpose", "scope", "input", "output"):
        yield key, raw[key]
    for definition in raw["definitions"]:
        yield definition["id"], definition["text"]
    for table in raw["tables"]:
        yield table["id"], " ".join([table["title"], *table["columns"]])
        for row in table["rows"]:
            yield table["id"], " ".join(row)
    for step in raw["steps"]:
        for clause in step["clauses"]:
            yield clause["id"], clause["explicit"] + " " + clause.get("abstract", "")


def test_no_number_is_typed_into_the_sop() -> None:
    for where, text in prose(RAW):
        typed = re.sub(r"\{[^}]*\}", "", text)
        typed = re.sub(r"\b(5(\.\d+)+|[DT]\d+)\b", "", typed)  # references to clauses, definitions and tables
        numbers = set(re.findall(r"\d[\d,.]*\d|\d", typed)) - ALLOWED_DIGITS
        if where == "T4":  # terms name the rows of the rate table; the next test compares them
            numbers -= {str(months) for product in POLICY.products.values() for months in product.terms}
        assert numbers == set(), where


def test_the_rate_table_has_a_row_for_every_rate() -> None:
    table = next(table for table in SOP.tables if table.id == "T4")
    rates = {
        (f"{name}, {months} months", f"{rate / 1000:.3f}")
        for name, product in POLICY.products.items()
        for months, rate in product.rates.items()
    }
    rows = {(fill(row[0], POLICY), fill(row[1], POLICY)) for row in table.rows}
    assert rates <= rows


def test_no_placeholder_is_left() -> None:
    for rendering in ("explicit", "abstract"):
        text = LOANS.sop(rendering)
        assert "{" not in text and "}" not in text and "None" not in text


def test_policies_are_frozen() -> None:
    assert not dataclasses.is_dataclass(POLICY)
    with pytest.raises(AttributeError):
        POLICY.min_credit_score = 1  # type: ignore[misc]


@pytest.mark.parametrize("name", ["mortgage_insurance", "grades"])
def test_bands_in_another_order_are_refused(name: str) -> None:
    bands = getattr(POLICY, name)
    for wrong in (bands[::-1], (*bands, bands[-1])):
        with pytest.raises(ScenarioError, match=rf"policy\.{name}: expected the highest limit first"):
            msgspec.structs.replace(POLICY, **{name: wrong})
