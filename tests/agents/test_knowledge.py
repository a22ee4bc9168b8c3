"""Sources from which agents fill calls, in order: names, subjects, lists, endings, forms and guesses."""

from typing import Any

import pytest

from teller_gym.agents.habits import Habits, Observed
from teller_gym.agents.knowledge import Knowledge, Spec, Support
from teller_gym.agents.schemas import fits

ID = {"type": "string", "pattern": "^CU-[0-9]{6}$"}


def spec(**parameters: dict[str, Any]) -> Spec:
    function = {"name": "act", "description": "", "parameters": {"properties": parameters}}
    return Spec({"type": "function", "function": function})


def filled(tool: Spec, *results: dict[str, Any], subject: str | None = None, request: str = "") -> dict[str, Any]:
    knowledge = Knowledge([tool])
    knowledge.read_text(request, "approved, approved, denied")
    for result in results:
        knowledge.read_result({}, result)
    found = knowledge.fill(tool, subject)
    assert found is not None
    return {name: (value, found.support[name]) for name, value in found.arguments.items()}


AMOUNT = {"amount": {"type": "number"}}
FOUND: dict[str, tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = {
    "the latest value of the same name": (
        AMOUNT, [{"amount": 1.5}, {"amount": 2.5, "other_amount": 9.0}], {"amount": (2.5, Support.SAME_NAME)}
    ),
    "the top of a result before its depths": (
        AMOUNT, [{"amount": 1.5}, {"lines": [{"amount": 7.0}]}], {"amount": (1.5, Support.SAME_NAME)}
    ),
    "then the same ending, the same form and the guess": (
        {"paid_amount": {"type": "number"}, "owner": ID, "verdict": {"enum": ["denied", "approved"]}},
        [{"requested_amount": 5.0, "customer": "CU-000009"}],
        {"paid_amount": (5.0, Support.SAME_ENDING), "owner": ("CU-000009", Support.SAME_FORM),
         "verdict": ("approved", Support.GUESS)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FOUND)
def test_arguments_come_from_the_best_source(kind: str) -> None:
    parameters, results, expected = FOUND[kind]
    assert filled(spec(**parameters), *results) == expected


def test_values_of_the_subject_come_before_those_of_others() -> None:
    people = {"people": [{"customer_id": "CU-000001", "age": 30}, {"customer_id": "CU-000002", "age": 40}]}
    tool = spec(customer_id=ID, age={"type": "integer"})
    request = "Look at CU-000001 and CU-000002."
    for subject, age in (("CU-000001", 30), ("CU-000002", 40)):
        found = filled(tool, people, subject=subject, request=request)
        assert (found["customer_id"][0], found["age"][0]) == (subject, age)


def test_lists_are_gathered_from_the_singular() -> None:
    tool = spec(customer_id=ID, customer_ids={"type": "array", "items": ID, "minItems": 1})
    found = filled(tool, {}, request="CU-000001 and CU-000002")
    assert found["customer_ids"] == (["CU-000001", "CU-000002"], Support.GATHERED)


def test_what_is_unknown_cannot_be_filled_unless_it_is_invented() -> None:
    tool = spec(owner=ID)
    knowledge = Knowledge([tool])
    assert knowledge.fill(tool) is None
    invented = knowledge.fill(tool, invent=True)
    assert invented is not None
    assert fits(invented.arguments["owner"], ID)


def test_refused_values_are_not_used_again() -> None:
    tool = spec(verdict={"enum": ["denied", "approved"]})
    knowledge = Knowledge([tool])
    knowledge.read_text("", "approved")
    found = knowledge.fill(tool, refused={"verdict": ["approved"]})
    assert found is not None
    assert found.arguments == {"verdict": "denied"}


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        (True, {"type": "integer"}, False),
        (1, {"type": "boolean"}, False),
        (5, {"type": "number", "minimum": 0, "maximum": 4}, False),
        ("2026-02-31", {"type": "string", "format": "date"}, False),
        ("2026-02-28", {"type": "string", "format": "date"}, True),
        (None, {"anyOf": [{"type": "string"}, {"type": "null"}]}, True),
        (["a"], {"type": "array", "items": {"enum": ["a"]}, "maxItems": 1}, True),
        (["b"], {"type": "array", "items": {"enum": ["a"]}}, False),
        ([], {"type": "array", "items": {}, "minItems": 1}, False),
    ],
)
def test_fits(value: Any, schema: dict[str, Any], expected: bool) -> None:
    assert fits(value, schema) is expected


def observed(decision: str, amount: float, day: str, due: str, *calls: str) -> Observed:
    outputs = {"decision": decision, "amount": amount, "due_date": due}
    return Observed({"asked": amount or 10.0, "today": day}, outputs, calls)


def test_the_plan_is_the_jointly_most_frequent_answer_with_amounts_and_days_made_of_the_case() -> None:
    habits = Habits(
        [
            observed("deny", 0.0, "2026-01-01", "2026-01-09", "read", "check", "notice", "submit"),
            observed("deny", 0.0, "2026-02-01", "2026-02-08", "read", "notice", "submit"),
            observed("approve", 70.0, "2026-01-01", "2026-01-04", "read", "check", "submit"),
            observed("approve", 80.0, "2026-03-01", "2026-03-04", "read", "submit"),
        ]
    )
    plan = habits.plan()
    sure, likely = plan.outputs({"asked": 99.0, "today": "2026-05-01"})
    assert sure == {"decision": "approve", "amount": 99.0, "due_date": "2026-05-04"}
    assert likely == {}
    assert plan.share == 0.5
    assert plan.chain == ("read", "submit")
    denial = habits.plan(habits.like(["deny"]))
    assert denial.recipes["decision"].constant == "deny"
    assert denial.chain == ("read", "notice", "submit")
