"""Frozen cases bent onto boundaries that no frozen case lies on, only for comparing the two computations."""

import copy
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import islice
from typing import Any

import msgspec

from teller_gym.base.money import to_cents
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.scenarios.credit_cards.solver_account import _is_claim, _judged
from teller_gym.scenarios.credit_cards.solver_facts import Case, burden_of
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Record
from tests.scenarios.guards import call_of

CARDS = load_scenario("credit_cards")
POLICY = CARDS.policy
_TASKS = list(frozen_tasks("credit_cards").values())

Change = Callable[[Record, Record], None]
"""A change of a request and its account."""


def bend(task: Task, change: Change) -> Task:
    """Return a copy of a task after ``change`` has been at its request and account, with a new standard result."""
    copied = msgspec.structs.replace(task, tables=copy.deepcopy(task.tables))
    request = copied.tables["requests"][copied.case_id]
    change(request, copied.tables["card_accounts"].get(request["account_id"] or "", {}))
    return msgspec.structs.replace(copied, standard=CARDS.run_expert(copied))


def chosen(kind: str, count: int = 4, **branches: str) -> Iterator[Task]:
    """Yield the first frozen tasks of a kind that take some branches."""
    fit = (
        task
        for task in _TASKS
        if task.branches["kind"] == kind and all(task.branches[key] == value for key, value in branches.items())
    )
    return islice(fit, count)


def add_line(account: Record, posted: date, kind: str, cents: int, merchant: str = "Somewhere", mark: str = "") -> str:
    """Add a line to an account, the last of its day; return its key."""
    key = f"TX-{900_000 + len(account['lines'])}"
    day = posted.isoformat()
    account["lines"].append(f"{key}|{day}|{day}|{kind}|{merchant}|OH|10|{cents}|0||swipe|{mark}")
    account["lines"].sort(key=lambda text: text.split("|")[1])
    return key


def _payment(on: date, cents: int) -> Change:
    def change(_: Record, account: Record) -> None:
        add_line(account, on, "payment", cents)

    return change


def _account(**fields: Any) -> Change:
    return lambda _, account: account.update(fields)


def _request(**fields: Any) -> Change:
    return lambda request, _: request.update(fields)


def _disputes() -> Iterator[tuple[Task, Case, Record]]:
    """Yield disputes with a complaint that was accepted in full."""
    for task in chosen("charge_dispute", 80, identity="verified"):
        case = Case(task, POLICY)
        rows = case.request["complaints"]
        if task.standard.outputs["decision"] in ("approve", "partial"):
            accepted = [row for row in rows if _judged(case, row, _is_claim(row)).finding == "none"]
            if accepted:
                yield task, case, accepted[0]


def _accepted_claims(surplus: int) -> Iterator[Task]:
    """On the day of receipt so much comes in that the disputed amount less ``surplus`` of a claim is outstanding."""
    for task, case, _ in _disputes():
        for row in case.request["complaints"]:
            found = _judged(case, row, _is_claim(row))
            if not (_is_claim(row) and found.finding == "none"):
                continue
            line = next(entry for entry in case.ledger if entry.key == row["line_id"])
            came_in = sum(
                entry.cents
                for entry in case.ledger
                if entry.kind in ("payment", "credit") and line.posted < entry.posted <= case.received
            )
            if line.posted == case.received:
                continue
            cents = line.balance - came_in - found.amount + min(surplus, found.amount)
            if cents > 0:
                yield bend(task, _payment(case.received, cents))
                break


def claim_just_paid_off() -> Iterator[Task]:
    """Nothing is outstanding of a claim, to the cent."""
    yield from islice(_accepted_claims(10**9), 4)


def claim_just_outstanding() -> Iterator[Task]:
    """Exactly the disputed amount of a claim is outstanding."""
    yield from islice(_accepted_claims(0), 4)


def claim_partly_outstanding() -> Iterator[Task]:
    """A payment of the day on which the request came in counts."""
    yield from islice(_accepted_claims(100), 4)


def paid_on_the_day_of_the_charge() -> Iterator[Task]:
    """All that is owed is paid on the day on which the line of a claim posted: before it, as far as the claim goes."""
    claims = (found for found in _disputes() if _is_claim(found[2]))
    for task, case, row in islice(claims, 4):
        line = next(entry for entry in case.ledger if entry.key == row["line_id"])
        yield bend(task, _payment(line.posted, line.balance))


def credited_whole() -> Iterator[Task]:
    """The merchant gave back exactly what is disputed, on the day of the charge."""
    for task, case, row in islice(_disputes(), 12):
        yield bend(task, _credit_whole(case, row))


def _credit_whole(case: Case, row: Record) -> Change:
    line = next(entry for entry in case.ledger if entry.key == row["line_id"])
    amount = _judged(case, row, _is_claim(row)).amount

    def change(request: Record, account: Record) -> None:
        request["complaints"] = [row]
        add_line(account, line.posted, "credit", amount, line.merchant)

    return change


def line_of_the_first_day() -> Iterator[Task]:
    """The line complained of posted on the first day that is shown."""
    for task, case, _ in islice(_disputes(), 3):
        first = date.fromisoformat(case.statements[0]["first_day"])

        def change(request: Record, account: Record, first: date = first) -> None:
            key = add_line(account, first, "purchase", 6_000)
            request["complaints"][0] = {**request["complaints"][0], "line_id": key, "complaint": "faulty"}
            request["complaints"][0]["goods"] = "refused"

        yield bend(task, change)


def limit_just_reached() -> Iterator[Task]:
    """A statement closed at exactly the limit: it is not above it."""

    def change(_: Record, account: Record) -> None:
        recent = account["statements"][-POLICY.clean_statements :]
        account["credit_limit"] = max(row["closing_balance"] for row in recent)

    yield from (bend(task, change) for task in chosen("limit_increase", account="good", alert="none"))


def limit_as_it_is() -> Iterator[Task]:
    """The limit that the rules give is the present one: it is no increase."""
    for task in chosen("limit_increase", 12, ability="within", bound="asked"):
        limit = to_cents(call_of(task, "assess_ability_to_pay").arguments["proposed_limit"])
        yield bend(task, _account(credit_limit=limit))


def ratio_just_kept() -> Iterator[Task]:
    """Debt-to-income is exactly the limit: it is kept."""
    income = 1_000_000

    def earn(request: Record, _: Record) -> None:
        row = {**request["incomes"][0], "earner": "self", "documented": True, "ends_on": None, "gross_pay": income}
        request["incomes"] = [{**row, "pay_period": "monthly", "recipient_id": request["people"][0]["customer_id"]}]
        request["monthly_housing_cost"] = 0

    for task in chosen("new_card", 6, people="single", ability="within", authority="within"):
        richer = bend(task, earn)
        call = next((one for one in richer.standard.calls if one.name == "assess_ability_to_pay"), None)
        if call is None:
            continue
        rate = POLICY.products[richer.tables["requests"][richer.case_id]["product"]].purchase_rate
        burden = burden_of(POLICY, rate, to_cents(call.arguments["proposed_limit"]))
        housing = income * POLICY.max_dti // 10_000 - burden - to_cents(call.arguments["monthly_obligations"])
        yield bend(richer, _request(monthly_housing_cost=housing))


def _asked(task: Task) -> tuple[Record, Record]:
    """Return the first statement asked about, and the one before."""
    case = Case(task, POLICY)
    place = case.closings.index(date.fromisoformat(case.request["statements_asked"][0]))
    return case.statements[place], case.statements[place - 1]


def account_a_year_old() -> Iterator[Task]:
    """The account was exactly as old as a raise asks for."""
    for task in chosen("interest_review", rate="raised"):
        opened = date.fromisoformat(_asked(task)[0]["first_day"]) - timedelta(days=POLICY.first_year_days)
        yield bend(task, _account(opened=opened.isoformat()))


def paid_on_the_closing_day() -> Iterator[Task]:
    """A payment on the closing day itself is no payment of that statement."""
    for task in chosen("interest_review", 12, identity="verified"):
        before = _asked(task)[1]
        yield bend(task, _payment(date.fromisoformat(before["closing_date"]), before["closing_balance"]))


def _with_lines(day_of: str, cents: int) -> Iterator[Task]:
    """Add a purchase without interest and cash to a day of the first statement asked about."""
    for task in chosen("interest_review", 30, identity="verified"):
        day = date.fromisoformat(_asked(task)[0][day_of])

        def change(_: Record, account: Record, day: date = day) -> None:
            add_line(account, day, "purchase", cents, mark="disputed")
            add_line(account, day, "cash_advance", cents)

        yield bend(task, change)


def lines_of_the_first_day() -> Iterator[Task]:
    """Lines of the statement's first day belong to it."""
    yield from _with_lines("first_day", 70_000)


def lines_of_the_last_day() -> Iterator[Task]:
    """So do those of its closing day, which bear interest for a day; little, so that something is still given back."""
    yield from _with_lines("closing_date", 9_000)


_KINDS = (
    claim_just_paid_off, claim_just_outstanding, claim_partly_outstanding, paid_on_the_day_of_the_charge,
    credited_whole, line_of_the_first_day,
    limit_just_reached, limit_as_it_is, ratio_just_kept, account_a_year_old, paid_on_the_closing_day,
    lines_of_the_first_day, lines_of_the_last_day,
)  # fmt: skip


def all_bent() -> dict[str, list[Task]]:
    """Return all bent tasks by the name of their boundary."""
    return {kind.__name__: list(kind()) for kind in _KINDS}
