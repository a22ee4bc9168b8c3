"""Checklists of a branch."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import percent
from teller_gym.scenarios.distractors.financial._banking import State, check_not_after
from teller_gym.scenarios.distractors.financial._checks import check_unlike
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

ItemName = Annotated[str, Meta(pattern="^[a-z][a-z_]{1,29}$", max_length=30)]
Items = Annotated[list[ItemName], Meta(max_length=20)]


class BranchReview(Result):
    """The review as it was handed in."""

    review_id: str
    status: Literal["complete", "open_items"]
    done_percent: float


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def submit_branch_review(
    bank: Bank,
    branch_city: Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z .'-]*$", max_length=40)],
    branch_state: State,
    review_kind: Literal["opening", "closing", "cash_drawer", "fire_safety"],
    reviewed_on: date,
    items_done: Items,
    items_missing: Items,
    action_due_date: date | None = None,
) -> BranchReview:
    """Submit a branch's own checklist of rooms, drawers and doors. It reviews no case: nothing of an application is
    handed in with it, and no work on one ends.

    Args:
        branch_city: City of the branch.
        branch_state: State of the branch, two letters.
        review_kind: The checklist.
        reviewed_on: Day of the round, not after today.
        items_done: Items that were in order.
        items_missing: Items that were not.
        action_due_date: Day by which they will be, after the round; needed if items are missing.
    """
    check_not_after("reviewed_on", reviewed_on, bank.today)
    check_unlike("items_done", [*items_done, *items_missing])
    count = len(items_done) + len(items_missing)
    if count == 0:
        raise invalid("items_done", "expected at least one item, got none")
    if items_missing and (action_due_date is None or action_due_date <= reviewed_on):
        raise invalid("action_due_date", f"expected a day after {reviewed_on}, got {action_due_date}")
    city = " ".join(branch_city.split())
    review_id = bank.reference("BR", city, branch_state, review_kind, str(reviewed_on))
    record = {
        "owner": "misc",
        "city": city,
        "state": branch_state,
        "kind": review_kind,
        "reviewed_on": str(reviewed_on),
        "done": list(items_done),
        "missing": list(items_missing),
        "due": action_due_date.isoformat() if action_due_date else None,
    }
    bank.put("misc_branch_reviews", review_id, record)
    return BranchReview(
        review_id=review_id,
        status="open_items" if items_missing else "complete",
        done_percent=percent(len(items_done), count),
    )
