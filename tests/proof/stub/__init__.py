"""A scenario of three core tools and one besides, small enough to be checked by hand: refunds of purchases.

Importing the module registers the env ``Teller-Refunds-v0``; ``tests.proof.stub:Teller-Refunds-v0`` does so by itself.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable
from datetime import date, timedelta
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from teller_gym import register_scenario
from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.procedure.scenario import Draft, Scenario, Solution, load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.tasks import store as tasks
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call
from teller_gym.tools.tool import Act, Category, Money, Result, tool

NAME = "refunds"
ENV_ID = "tests.proof.stub:Teller-Refunds-v0"
TASKS = 24
TODAY = date(2026, 3, 2)

CaseId = Annotated[str, Meta(pattern="^RF-[0-9]{6}$")]
CheckId = Annotated[str, Meta(pattern="^PC-[0-9]{6}$")]
Decision = Literal["refund", "deny"]
Routing = Literal["desk", "supervisor"]


class Policy(msgspec.Struct, frozen=True):
    window_days: int
    fee_percent: int
    desk_limit: int


class Case(Result):
    """The case."""

    case_id: CaseId
    business_date: date
    amount: Money
    bought_on: date
    opened: bool


@tool()
def get_case(bank: Bank, case_id: CaseId) -> Case:
    """Read a refund case.

    Args:
        case_id: The case, such as RF-123456.
    """
    case = bank.get("cases", case_id)
    if case is None:
        raise ToolError(ErrorKind.VALIDATION, f"case_id: there is no {case_id}", "case_id")
    bought = date.fromisoformat(case["bought_on"])
    return Case(
        case_id=case_id, business_date=bank.today, amount=case["amount"] / 100, bought_on=bought, opened=case["opened"]
    )


class Check(Result):
    """The check."""

    check_id: CheckId
    in_time: bool


@tool(act=Act.FINAL)
def check_purchase(
    bank: Bank,
    case_id: CaseId,
    amount: Money,
    bought_on: date,
    last_day: date,
    handling: Literal["none", "restock", "discard"],
    parts: list[Literal["box", "manual"]],
    note: Annotated[str, Meta(max_length=80)] | None,
) -> Check:
    """Check a purchase against the refund window.

    Args:
        case_id: The case.
        amount: The amount paid.
        bought_on: The day of the purchase.
        last_day: Last day of the refund window.
        handling: What becomes of the goods.
        parts: What must come back.
        note: A remark, or null.
    """
    if bank.get("cases", case_id) is None:
        raise ToolError(ErrorKind.VALIDATION, f"case_id: there is no {case_id}", "case_id")
    in_time = bank.today <= last_day
    bank.put("checks", bank.reference("PC", case_id), {"owner": case_id, "in_time": in_time})
    return Check(check_id=bank.reference("PC", case_id), in_time=in_time)


class Filed(Result):
    """Confirmation."""

    status: Literal["filed"]


@tool(act=Act.FINAL)
def submit_review(
    bank: Bank,
    case_id: CaseId,
    check_id: CheckId,
    decision: Decision,
    routing: Routing,
    refund_amount: Money,
    due_date: date,
) -> Filed:
    """File the review.

    Args:
        case_id: The case.
        check_id: The check of the purchase.
        decision: The decision.
        routing: Who signs it.
        refund_amount: What is paid back, 0 if nothing.
        due_date: When the customer must know.
    """
    if bank.get("cases", case_id) is None:
        raise ToolError(ErrorKind.VALIDATION, f"case_id: there is no {case_id}", "case_id")
    if bank.get("checks", check_id) is None:
        raise ToolError(ErrorKind.ORDER, f"there is no check {check_id}; check_purchase comes first")
    bank.update("cases", case_id, decision=decision)
    return Filed(status="filed")


class Note(Result):
    """The note."""

    text: str


@tool(category=Category.AUXILIARY)
def read_note(bank: Bank, case_id: CaseId) -> Note:
    """Read the note on a case.

    Args:
        case_id: The case.
    """
    return Note(text=f"nothing to note on {case_id}")


def expert(request: str, policy: Policy) -> Generator[Call, dict[str, Any], None]:
    case_id = request.split()[-1].rstrip(".")
    case = yield Call("get_case", {"case_id": case_id})
    bought = date.fromisoformat(case["bought_on"])
    last_day = bought + timedelta(days=policy.window_days)
    check = yield Call(
        "check_purchase",
        {
            "case_id": case_id,
            "amount": case["amount"],
            "bought_on": case["bought_on"],
            "last_day": last_day.isoformat(),
            "handling": "discard" if case["opened"] else "restock",
            "parts": ["box"] if case["opened"] else ["box", "manual"],
            "note": None if case["opened"] else "sealed",
        },
    )
    paid_back = round(case["amount"] * 100) * (100 - policy.fee_percent) // 100 / 100 if check["in_time"] else 0.0
    yield Call(
        "submit_review",
        {
            "case_id": case_id,
            "check_id": check["check_id"],
            "decision": "refund" if check["in_time"] else "deny",
            "routing": "supervisor" if case["amount"] * 100 > policy.desk_limit else "desk",
            "refund_amount": paid_back,
            "due_date": (date.fromisoformat(case["business_date"]) + timedelta(days=7)).isoformat(),
        },
    )


def solve(task: Task, policy: Policy) -> Solution:
    case = task.tables["cases"][task.case_id]
    late = (task.today - date.fromisoformat(case["bought_on"])).days > policy.window_days
    outputs: dict[str, Any] = {
        "decision": "deny" if late else "refund",
        "routing": "supervisor" if case["amount"] > policy.desk_limit else "desk",
        "refund_amount": 0.0 if late else case["amount"] * (100 - policy.fee_percent) // 100 / 100,
        "due_date": (task.today + timedelta(days=7)).isoformat(),
    }
    return Solution(outputs, {"outcome": outputs["decision"], "limit": outputs["routing"]}, ("1.1",))


def draft(seed: int, policy: Policy) -> Draft:
    rng = random.Random(seed)
    case_id = f"RF-{100_000 + rng.randrange(900_000)}"
    today = TODAY + timedelta(days=rng.randrange(60))
    case: dict[str, Any] = {
        "amount": rng.randrange(1_000, 60_000),
        "bought_on": (today - timedelta(days=rng.randrange(60))).isoformat(),
        "opened": rng.random() < 0.5,
    }
    tables = {"cases": {case_id: case}}
    return Draft(
        today=today,
        request=f"Please settle case {case_id}.",
        case_id=case_id,
        owners=(case_id,),
        tables=tables,
        tags=(),
    )


def realism(task: Task, policy: Policy) -> Iterable[str]:
    if task.tables["cases"][task.case_id]["amount"] <= 0:
        yield "a purchase costs more than nothing"


def load() -> Scenario:
    return Scenario(
        NAME,
        __name__,
        policy_type=Policy,
        tools=(get_case, check_purchase, submit_review, read_note),
        submit="submit_review",
        expert=expert,
        solver=solve,
        draft=draft,
        realism=realism,
    )


def build() -> bytes:
    """Return the content of the stub's frozen file."""
    scenario = load_scenario(NAME)
    splits = [Split.HELDOUT, Split.VALIDATION, Split.TRAIN, Split.TRAIN]
    made = [
        scenario.complete(scenario.draft(seed), task_id=f"{NAME}-{seed:04}", seed=seed, split=splits[seed % 4])
        for seed in range(TASKS)
    ]
    return tasks.freeze(NAME, made)


register_scenario(NAME, __name__)
