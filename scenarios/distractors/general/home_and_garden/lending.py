"""Tools that are lent and come back."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._daily import refused
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

ThingName = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9 -]{0,39}$", max_length=40)]
Accessories = Annotated[list[ThingName], Meta(max_length=5)]
LendingId = Annotated[str, Meta(pattern="^LEND-[0-9]{6}$", max_length=11)]
Condition = Literal["new", "good", "worn", "broken"]
_CONDITIONS: tuple[Condition, ...] = ("new", "good", "worn", "broken")


class ToolLent(Result):
    """The lending as noted."""

    lending_id: str
    due_on: date


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def lend_tool(
    bank: Bank,
    tool_name: ThingName,
    borrower: ThingName,
    days: Annotated[int, Meta(ge=1, le=90)],
    condition: Condition = "good",
    accessories: Accessories | None = None,
) -> ToolLent:
    """Note that a tool of the neighbourhood's shed is lent to somebody from today on.

    Args:
        tool_name: The tool, such as "cordless drill"; one that is out cannot be lent again.
        borrower: Who takes it.
        days: For how many days; the last one is the day due.
        condition: State it is in; a broken tool is not lent.
        accessories: What goes with it.
    """
    if condition == "broken":
        raise refused("condition", "a tool that works", condition)
    name, to = tool_name.strip().lower(), borrower.strip()
    out = [row for _, row in bank.rows("misc_lendings") if row["tool"] == name and row["status"] == "lent"]
    if out:
        raise refused("tool_name", "a tool that is in the shed", f"{name!r}, which {out[0]['borrower']} has")
    due, things = bank.today + timedelta(days=days), [thing.strip().lower() for thing in accessories or ()]
    lending_id = bank.reference("LEND", name, to, due.isoformat(), condition, *things)
    record = {"owner": "misc", "tool": name, "borrower": to, "due_on": due.isoformat(), "status": "lent"}
    bank.put("misc_lendings", lending_id, {**record, "condition": condition, "accessories": things})
    return ToolLent(lending_id=lending_id, due_on=due)


class ToolReturned(Result):
    """How the tool came back."""

    days_late: int
    complete: bool
    damaged: bool


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def return_lent_tool(
    bank: Bank, lending_id: LendingId, condition: Condition, missing_accessories: Accessories | None = None
) -> ToolReturned:
    """Note that a lent tool is back today, and compare it with what was lent.

    Args:
        lending_id: The lending.
        condition: State in which it came back.
        missing_accessories: Accessories that were lent and did not come back.
    """
    key = lending_id.strip()
    row = bank.get("misc_lendings", key)
    if row is None or row["status"] != "lent":
        raise refused("lending_id", "a lending that is open", f"{key}; list the tools that are lent")
    missing = [thing.strip().lower() for thing in missing_accessories or ()]
    unknown = [thing for thing in missing if thing not in row["accessories"]]
    if unknown:
        raise refused("missing_accessories", f"some of {row['accessories']}", unknown)
    bank.update("misc_lendings", key, status="returned", condition_back=condition, missing=missing)
    late = max(0, (bank.today - date.fromisoformat(row["due_on"])).days)
    worse = _CONDITIONS.index(condition) > _CONDITIONS.index(row["condition"])
    return ToolReturned(days_late=late, complete=not missing, damaged=worse)


class LentTools(Result):
    """Open lendings by day due, then by tool, each as id, tool, borrower and day due; at most 25 are shown."""

    lendings: list[str]
    lent_in_all: int


@tool(category=Category.GENERAL_DISTRACTOR)
def list_lent_tools(bank: Bank, borrower: ThingName | None = None, due_until: date | None = None) -> LentTools:
    """List the tools that are out, with who has them and when they are due.

    Args:
        borrower: Only what this person has.
        due_until: Only what is due by this day.
    """
    lent = [(key, row) for key, row in bank.rows("misc_lendings") if row["status"] == "lent"]
    rows = [(row["due_on"], row["tool"], key, row["borrower"]) for key, row in lent]
    if borrower is not None:
        rows = [row for row in rows if row[3].lower() == borrower.strip().lower()]
    if due_until is not None:
        rows = [row for row in rows if row[0] <= due_until.isoformat()]
    shown = [f"{key} {name}, {who}, {due}" for due, name, key, who in sorted(rows)[:25]]
    return LentTools(lendings=shown, lent_in_all=len(rows))
