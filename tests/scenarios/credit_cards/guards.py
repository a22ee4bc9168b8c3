"""Modified arguments for entries of ``guards.yaml``."""

from collections.abc import Mapping
from typing import Any

from teller_gym.procedure.task import Task
from tests.scenarios.guards import call_of, load_guards


def used_on_the_day_of_the_report(task: Task) -> Mapping[str, Any]:
    return {"last_own_use_date": call_of(task, "block_card").arguments["reported_on"]}


def used_after_the_report(task: Task) -> Mapping[str, Any]:
    return {"last_own_use_date": task.today.isoformat()}


def another_account(task: Task) -> Mapping[str, Any]:
    return {"account_id": next(key for key in task.tables["card_accounts"] if key not in task.owners)}


def a_payment(task: Task) -> Mapping[str, Any]:
    account = task.tables["card_accounts"][task.tables["requests"][task.case_id]["account_id"]]
    lines = (text.split("|") for text in account["lines"])
    return {"excluded_line_ids": [line[0] for line in lines if line[3] == "payment"][:1]}


GUARDS = load_guards(
    __file__,
    {
        "used_on_the_day_of_the_report": used_on_the_day_of_the_report,
        "used_after_the_report": used_after_the_report,
        "another_account": another_account,
        "a_payment": a_payment,
    },
)
