"""Documents of each scenario: the record's fields, the SOP's two renderings, and numbers from the policy.

``teller-gym check`` covers sizes, the graph and unused parts.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from importlib import import_module
from typing import Any, get_args

import msgspec
import pytest
import yaml

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.sop import RENDERINGS, Abstraction, Clause, fill
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action
from tests.scenarios.bank_scenarios import case_of, each_scenario, tasks_of

Path = tuple[Any, ...]

# Records


@each_scenario
def test_the_final_review_takes_the_case_and_the_output_fields(scenario: Scenario) -> None:
    _, *taken = (parameter.name for parameter in scenario.tools[scenario.submit].parameters)
    assert tuple(taken) == scenario.output_fields


@each_scenario
def test_the_record_has_the_fields_of_the_template_and_keeps_them(scenario: Scenario) -> None:
    own = {field.name for field in scenario.template.existing if field.group is None}
    groups = {name: {field.name for field in fields} for name, fields in scenario.template.groups().items()}
    obtained = {field.name for field in scenario.template.obtained}
    for task in tasks_of(scenario):
        record = case_of(task)
        assert record.keys() == own | groups.keys(), task.id
        assert all(row.keys() == names for group, names in groups.items() for row in record[group]), task.id
        bank = scenario.bank(task)
        for call in task.standard.calls:
            run_action(bank, scenario.tools, action_text(call))
        after = bank.get(scenario.template.table, task.case_id) or {}
        assert after.keys() - record.keys() <= obtained, task.id
        assert {name: after[name] for name in record} == record, task.id


# Decision points and abstractions


@each_scenario
def test_many_decision_points_of_which_some_are_implicit(scenario: Scenario) -> None:
    outcomes: dict[str, set[str]] = defaultdict(set)
    for task in tasks_of(scenario):
        for point, outcome in task.branches.items():
            outcomes[point].add(outcome)
    assert len([point for point, found in outcomes.items() if len(found - {"not_reached"}) > 1]) >= 10
    kinds = Counter(clause.abstraction for clause in scenario.sop_document.clauses().values())
    assert kinds[Abstraction.IMPLICIT_DECISION] >= 4
    assert all(kinds[kind] > 0 for kind in Abstraction)


def place_text(scenario: Scenario, place: str) -> str:
    """Return the filled-in text at a place that ``found_in`` names."""
    sop, (kind, _, name) = scenario.sop_document, place.partition(":")
    if kind == "definition":
        text = next(f"{d.term} {d.text}" for d in sop.definitions if d.id == name)
    elif kind == "table":
        table = next(table for table in sop.tables if table.id == name)
        text = " ".join([table.title, *table.columns, *(cell for row in table.rows for cell in row)])
    elif kind == "clause":
        text = sop.clauses()[name].abstract or sop.clauses()[name].explicit
    else:
        tool = scenario.tools[name]
        parameters = (f"{parameter.name} {parameter.schema}" for parameter in tool.parameters)
        return " ".join([tool.name, tool.description, *parameters, *tool.outputs, tool.result_type.__doc__ or ""])
    return fill(text, scenario.policy)


def abstracted(scenario: Scenario) -> list[Clause]:
    """Return the clauses that have an abstract wording."""
    return [clause for clause in scenario.sop_document.clauses().values() if clause.abstract]


NAME = re.compile(r"[a-z]+(?:_[a-z]+)+|\d[\d,.]*\d|\b\d\b")


@each_scenario
def test_every_name_and_number_that_an_abstraction_drops_is_found_where_it_says(scenario: Scenario) -> None:
    for clause in abstracted(scenario):
        if (scenario.name, clause.id) in (("credit_cards", "5.5.3"), ("investments", "5.4.4")):
            continue  # the clause drops a name that is in the list of tools
        said = set(NAME.findall(fill(clause.abstract or "", scenario.policy)))
        explicit = re.sub(r"\b[DT]\d+\b|\b5(\.\d+)+\b", "", fill(clause.explicit, scenario.policy))  # references
        found = " ".join(place_text(scenario, place) for place in clause.found_in)
        dropped = set(NAME.findall(explicit)) - said
        assert {item for item in dropped if item not in found} == set(), clause.id


@each_scenario
def test_the_renderings_differ_only_where_marked_and_have_no_placeholder_left(scenario: Scenario) -> None:
    explicit, abstract = (scenario.sop(name).splitlines() for name in ("explicit", "abstract"))
    changed = [one.split()[0] for one, other in zip(explicit, abstract, strict=True) if one != other]
    assert changed == [clause.id for clause in abstracted(scenario)]
    for rendering in RENDERINGS:
        text = scenario.sop(rendering)
        assert "{" not in text and "}" not in text and "None" not in text
        # Once for each gate, and once in the definition of the words.
        gates = [clause for clause in scenario.sop_document.clauses().values() if clause.gate]
        assert len(re.findall(r"only\s+then\s+go\s+on", text, re.IGNORECASE)) == len(gates) + 1


# Rules and numbers


@each_scenario
def test_every_rule_that_the_solver_names_is_in_the_sop_and_every_clause_is_named(scenario: Scenario) -> None:
    named = {rule for task in tasks_of(scenario) for rule in scenario.solve(task).rules}
    assert named <= scenario.sop_document.rule_ids()
    if scenario.name == "credit_cards":
        return  # its solver cites few rules
    assert named >= set(scenario.sop_document.clauses())
    if scenario.name in ("loans", "accounts"):
        assert named == scenario.sop_document.rule_ids()


TYPED = {
    "loans": {"52", "26", "12", "2", "1", "0"},  # constants of formulas, which are arithmetic rather than policy
    "accounts": {"0"},
    # Day-count conventions, the first of January, and a birthday on 29 February.
    "savings": {"0", "365", "360", "30/360", "30", "31", "1", "29"},
}
"""Numbers that the SOP's text may contain literally."""


@pytest.mark.parametrize("name", TYPED)
def test_no_other_number_is_typed_into_the_sop(name: str) -> None:
    raw = yaml.safe_load(load_scenario(name).document("sop.yaml"))
    texts = [(d["id"], d["text"]) for d in raw["definitions"]]
    texts += [(t["id"], " ".join(str(cell) for row in t["rows"] for cell in row)) for t in raw["tables"]]
    texts += [(c["id"], f"{c['explicit']} {c.get('abstract', '')}") for s in raw["steps"] for c in s["clauses"]]
    for where, text in texts:
        if (name, where) == ("loans", "T4"):
            continue  # its terms name the rows of the rate table
        typed = re.sub(r"\{[^}]*\}", "", text)
        typed = re.sub(r"\b(5(\.\d+)+|[DT]\d+)\b", "", typed)  # references to clauses, definitions and tables
        assert set(re.findall(r"\d[\d,./]*\d|\d", typed)) <= TYPED[name], where


LOOK_UPS = {
    "loans": {"get_lending_policy": "topic", "get_rate_table": "product"},
    "accounts": {"get_account_policy": "topic", "get_deadline_table": ""},
    "credit_cards": {"get_card_policy": "topic", "get_card_terms": "product"},
    "savings": {"get_savings_policy": "topic", "get_rate_sheet": "on_day"},
    "investments": {"get_investment_policy": "topic"},
}
"""Tools that look up the policy, and the argument that selects a part of it."""


def look_ups(scenario: Scenario, policy: Any) -> list[Any]:
    """Return the results of all look-ups of a policy."""
    bank, calls = scenario.bank(tasks_of(scenario)[0], policy), []
    for name, field in LOOK_UPS[scenario.name].items():
        parameters = {parameter.name: parameter.schema for parameter in scenario.tools[name].parameters}
        if field == "on_day":
            days = [sheet.since.isoformat() for sheet in policy.rate_sheets]
            calls += [Call(name, {field: day, "with_addition": True}) for day in days]
        elif field:
            calls += [Call(name, {field: value}) for value in parameters[field]["enum"]]
        else:
            calls.append(Call(name, {}))
    return [run_action(bank, scenario.tools, action_text(call)) for call in calls]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every number and code in a policy given as plain data."""
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    elif isinstance(value, int | str):
        yield path


def changed_policy(scenario: Scenario, plain: Any, path: Path) -> tuple[Any, list[str]] | None:
    """Return the policy with one entry changed and its SOP renderings, or None if every attempted change is invalid."""
    holder = plain
    for key in path[:-1]:
        holder = holder[key]
    old = holder[path[-1]]
    for step in (1, -1, 100):
        holder[path[-1]] = not old if isinstance(old, bool) else old + (step if isinstance(old, int) else "_changed")
        try:
            policy = msgspec.convert(plain, type(scenario.policy))
            texts = [scenario.sop(rendering, policy) for rendering in RENDERINGS]
            return policy, texts
        except Exception:  # policies have constraints, such as the order of bands
            continue
        finally:
            holder[path[-1]] = old
    return None


UNSEEN = {
    "loans": ("products.personal.max_ltv", "products.personal.ltv_surcharge"),  # such loans have no collateral
    "savings": ("products.bonus_saver.grace_days", "products.young_saver.grace_days"),  # these have no term
}
"""Policy entries that the SOP does not show."""


@pytest.mark.parametrize("name", ["loans", "accounts", "savings"])
def test_an_entry_of_the_policy_stands_in_both_renderings_and_in_the_look_ups(name: str) -> None:
    scenario = load_scenario(name)
    usual, tried = look_ups(scenario, scenario.policy), 0
    plain = yaml.safe_load(scenario.document("policy.yaml"))
    for path in list(leaves(plain)):
        entry = ".".join(map(str, path))
        found = changed_policy(scenario, plain, path)
        if found is None:
            continue
        tried += 1
        shows = not entry.startswith(UNSEEN.get(name, ("-",)))
        for rendering, text in zip(RENDERINGS, found[1], strict=True):
            assert (text != scenario.sop(rendering)) == shows, entry
        assert not shows or look_ups(scenario, found[0]) != usual, entry
    assert tried > 50


BANDS = [
    ("loans", "mortgage_insurance", "highest limit first"),
    ("loans", "grades", "highest limit first"),
    ("credit_cards", "bands", "highest score first"),
]


@pytest.mark.parametrize(("name", "field", "said"), BANDS)
def test_bands_in_another_order_are_refused(name: str, field: str, said: str) -> None:
    policy = load_scenario(name).policy
    bands = getattr(policy, field)
    for wrong in (bands[::-1], (*bands, bands[-1])):
        with pytest.raises(ScenarioError, match=said):
            msgspec.structs.replace(policy, **{field: wrong})


def test_a_least_score_that_is_not_that_of_the_last_band_is_refused() -> None:
    with pytest.raises(ScenarioError, match="lowest minimum"):
        msgspec.structs.replace(load_scenario("credit_cards").policy, min_credit_score=600)


ENDINGS = {"loans": ("T5", "principal_reason"), "accounts": ("T5", "reason"), "savings": ("T7", "")}
"""Table of endings, and the output field with the reason (for savings, the branch ``ending`` instead)."""


@pytest.mark.parametrize("name", ENDINGS)
def test_every_ending_of_the_table_is_met_by_a_frozen_case(name: str) -> None:
    scenario, (table, field) = load_scenario(name), ENDINGS[name]
    reasons = set(get_args(import_module(f"{scenario.package}.tools.types").Reason))
    met = {
        f"{task.standard.outputs['decision']}_{task.standard.outputs[field]}" if field else task.branches["ending"]
        for task in tasks_of(scenario)
    }
    for _, finding, decision, reason, *_ in next(one for one in scenario.sop_document.tables if one.id == table).rows:
        words = (set(re.findall(r"[a-z_]+", reason)) & reasons) - {"main_factor"}
        found = {f"{decision}_{word}" for word in words} & met
        assert len(found) == len(words) if name == "loans" else found, finding
