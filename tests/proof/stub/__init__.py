"""A scenario with three core tools and one auxiliary tool, small enough to check by hand: refunds of purchases.

Importing the module registers the env ``Teller-Refunds-v0``, as does the id ``tests.proof.stub:Teller-Refunds-v0``.
"""

from datetime import date, timedelta
from typing import Annotated, Any, Literal

from msgspec import Meta

from teller_gym import register_scenario
from teller_gym.procedure.authoring import (
    Act,
    Bank,
    Category,
    Money,
    Result,
    Scenario,
    Solution,
    Steps,
    Task,
    call,
    find,
    tool,
)

NAME = "refunds"
ENV_ID = "tests.proof.stub:Teller-Refunds-v0"
TASKS = 24

CaseId = Annotated[str, Meta(pattern="^RF-[0-9]{6}$")]


class Check(Result):
    """The check."""

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
    find(bank, "cases", case_id)
    in_time = bank.today <= last_day
    bank.update("cases", case_id, check_purchase=in_time)
    bank.put("checks", bank.reference("PC", case_id), {"owner": case_id, "in_time": in_time})
    return Check(in_time=in_time)


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


def expert(request: str, policy: Any) -> Steps:
    case_id = request.split()[-1].rstrip(".")
    case = yield call("get_case", case_id=case_id)
    cents, bought, opened = round(case["amount"] * 100), date.fromisoformat(case["bought_on"]), case["opened"]
    check = yield call(
        "check_purchase",
        case_id=case_id,
        amount=case["amount"],
        bought_on=bought,
        last_day=bought + timedelta(days=policy.window_days),
        handling="discard" if opened else "restock",
        parts=["box"] if opened else ["box", "manual"],
        note=None if opened else "sealed",
    )
    yield call(
        "submit_review",
        case_id=case_id,
        decision="refund" if check["in_time"] else "deny",
        routing="supervisor" if cents > policy.desk_limit else "desk",
        refund_amount=cents * (100 - policy.fee_percent) // 100 / 100 if check["in_time"] else 0.0,
        due_date=date.fromisoformat(case["business_date"]) + timedelta(days=7),
    )


def solve(task: Task, policy: Any) -> Solution:
    case = task.tables["cases"][task.case_id]
    late = (task.today - date.fromisoformat(case["bought_on"])).days > policy.window_days
    outputs: dict[str, Any] = {
        "decision": "deny" if late else "refund",
        "routing": "supervisor" if case["amount"] > policy.desk_limit else "desk",
        "refund_amount": 0.0 if late else case["amount"] * (100 - policy.fee_percent) // 100 / 100,
        "due_date": (task.today + timedelta(days=7)).isoformat(),
    }
    return Solution(outputs, {"outcome": outputs["decision"], "limit": outputs["routing"]}, ("1.1",))


def load() -> Scenario:
    return Scenario(
        NAME,
        __name__,
        tools=[check_purchase, read_note],
        read="get_case",
        submit="submit_review",
        expert=expert,
        solver=solve,
    )


register_scenario(NAME, __name__)
