"""Frozen cases of Credit Cards moved to the boundaries of the rules."""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from typing import Any

from teller_gym.base.money import to_cents
from teller_gym.procedure.task import Task
from teller_gym.scenarios.credit_cards.solver_account import _is_claim, _judged
from teller_gym.scenarios.credit_cards.solver_facts import Case, Entry, burden_of
from teller_gym.tools.bank import Record
from tests.scenarios.bending import Bending
from tests.scenarios.guards import call_of

BENT = Bending("credit_cards", lambda task, case: task.tables["card_accounts"].get(case["account_id"] or "", {}))
POLICY = BENT.scenario.policy
chosen, bend, all_bent = BENT.chosen, BENT.bend, BENT.all_bent


def add_line(account: Record, posted: date, kind: str, cents: int, merchant: str = "Somewhere", mark: str = "") -> str:
    """Add a line to an account as the last of its day, and return its key."""
    key = f"TX-{900_000 + len(account['lines'])}"
    day = posted.isoformat()
    account["lines"].append(f"{key}|{day}|{day}|{kind}|{merchant}|OH|10|{cents}|0||swipe|{mark}")
    account["lines"].sort(key=lambda text: text.split("|")[1])
    return key


def _payment(task: Task, on: date, cents: int) -> Task:
    return bend(task, lambda task, case, account: add_line(account, on, "payment", cents))


def _account(task: Task, **fields: Any) -> Task:
    return bend(task, lambda task, case, account: account.update(fields))


def _disputes() -> Iterator[tuple[Task, Case, Record]]:
    """Yield disputes with a complaint that was accepted in full, and that complaint."""
    for task in chosen(80, kind="charge_dispute", identity="verified"):
        case = Case(task, POLICY)
        if task.standard.outputs["decision"] in ("approve", "partial"):
            judged = ((row, _judged(case, row, _is_claim(row))) for row in case.request["complaints"])
            accepted = [row for row, found in judged if found.finding == "none"]
            if accepted:
                yield task, case, accepted[0]


def _line_of(case: Case, row: Record) -> Entry:
    return next(entry for entry in case.ledger if entry.key == row["line_id"])


def _accepted_claims(surplus: int) -> Iterator[Task]:
    """Yield claims of which the disputed amount less ``surplus`` is outstanding after a payment at receipt."""
    for task, case, _ in _disputes():
        for row in case.request["complaints"]:
            found = _judged(case, row, _is_claim(row))
            if not (_is_claim(row) and found.finding == "none"):
                continue
            line = _line_of(case, row)
            came_in = sum(
                entry.cents
                for entry in case.ledger
                if entry.kind in ("payment", "credit") and line.posted < entry.posted <= case.received
            )
            cents = line.balance - came_in - found.amount + min(surplus, found.amount)
            if line.posted != case.received and cents > 0:
                yield _payment(task, case.received, cents)
                break


@BENT.cases
def claim_around_what_is_outstanding() -> Iterator[Task]:
    """The outstanding amount of a claim is zero, exactly the disputed amount, or a dollar less."""
    for surplus in (10**9, 0, 100):
        yield from islice(_accepted_claims(surplus), 4)


@BENT.cases
def paid_on_the_day_of_the_charge() -> Iterator[Task]:
    """All debt is paid on the posting day of a disputed line, which does not count as a payment after it."""
    claims = (found for found in _disputes() if _is_claim(found[2]))
    for task, case, row in islice(claims, 4):
        line = _line_of(case, row)
        yield _payment(task, line.posted, line.balance)


@BENT.cases
def credited_whole() -> Iterator[Task]:
    """The merchant credited exactly the disputed amount on the day of the charge."""

    def change(task: Task, request: Record, account: Record, row: Record, line: Entry, amount: int) -> None:
        request["complaints"] = [row]
        add_line(account, line.posted, "credit", amount, line.merchant)

    for task, case, row in islice(_disputes(), 12):
        yield bend(task, change, row, _line_of(case, row), _judged(case, row, _is_claim(row)).amount)


@BENT.cases
def line_of_the_first_day() -> Iterator[Task]:
    """The disputed line was posted on the first day that the account shows."""

    def change(task: Task, request: Record, account: Record) -> None:
        key = add_line(account, date.fromisoformat(account["statements"][0]["first_day"]), "purchase", 6_000)
        request["complaints"][0] |= {"line_id": key, "complaint": "faulty", "goods": "refused"}

    yield from (bend(task, change) for task, _, _ in islice(_disputes(), 3))


@BENT.boundary(count=4, kind="limit_increase", account="good", alert="none")
def limit_just_reached(task: Task, request: Record, account: Record) -> None:
    """A statement closed at exactly the limit, which is not above it."""
    recent = account["statements"][-POLICY.clean_statements :]
    account["credit_limit"] = max(row["closing_balance"] for row in recent)


@BENT.cases
def limit_as_it_is() -> Iterator[Task]:
    """The proposed limit equals the present one, which is no increase."""
    for task in chosen(12, kind="limit_increase", ability="within", bound="asked"):
        limit = to_cents(call_of(task, "assess_ability_to_pay").arguments["proposed_limit"])
        yield _account(task, credit_limit=limit)


@BENT.cases
def ratio_just_kept() -> Iterator[Task]:
    """The debt-to-income ratio is exactly at its limit, which is allowed."""
    income = 1_000_000

    def earn(task: Task, request: Record, _: Record, housing: int) -> None:
        row = {**request["incomes"][0], "earner": "self", "documented": True, "ends_on": None, "gross_pay": income}
        request["incomes"] = [{**row, "pay_period": "monthly", "recipient_id": request["people"][0]["customer_id"]}]
        request["monthly_housing_cost"] = housing

    for task in chosen(6, kind="new_card", people="single", ability="within", authority="within"):
        richer = bend(task, earn, 0)
        call = next((one for one in richer.standard.calls if one.name == "assess_ability_to_pay"), None)
        if call is None:
            continue
        rate = POLICY.products[richer.tables["requests"][richer.case_id]["product"]].purchase_rate
        burden = burden_of(POLICY, rate, to_cents(call.arguments["proposed_limit"]))
        housing = income * POLICY.max_dti // 10_000 - burden - to_cents(call.arguments["monthly_obligations"])
        yield bend(richer, earn, housing)


def _asked(task: Task) -> tuple[Record, Record]:
    """Return the first statement in question and the one before it."""
    case = Case(task, POLICY)
    place = case.closings.index(date.fromisoformat(case.request["statements_asked"][0]))
    return case.statements[place], case.statements[place - 1]


@BENT.cases
def account_a_year_old() -> Iterator[Task]:
    """The account has exactly the age required for a rate increase."""
    for task in chosen(4, kind="interest_review", rate="raised"):
        opened = date.fromisoformat(_asked(task)[0]["first_day"]) - timedelta(days=POLICY.first_year_days)
        yield _account(task, opened=opened.isoformat())


@BENT.cases
def paid_on_the_closing_day() -> Iterator[Task]:
    """A payment on the closing day does not count as a payment of that statement."""
    for task in chosen(12, kind="interest_review", identity="verified"):
        before = _asked(task)[1]
        yield _payment(task, date.fromisoformat(before["closing_date"]), before["closing_balance"])


@BENT.boundary(("first_day", 70_000), ("closing_date", 9_000), count=30, kind="interest_review", identity="verified")
def lines_of_the_outer_days(task: Task, request: Record, account: Record, how: tuple[str, int]) -> None:
    """Purchases without interest and cash on the first or the closing day belong to the statement.

    Those on the closing day bear interest for one day; their amounts are small, so that a refund remains.
    """
    day = date.fromisoformat(_asked(task)[0][how[0]])
    add_line(account, day, "purchase", how[1], mark="disputed")
    add_line(account, day, "cash_advance", how[1])
