"""Records of requests and accounts with ordinary values, and the dates of terms."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Any

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.people import Person, Tables, add_person, draw_person, papers_of, street_of
from teller_gym.scenarios.banking.generator.watch_list import add_watch_list
from teller_gym.scenarios.banking.generator.words import bank_words, words_of
from teller_gym.scenarios.savings.generator.plan import Plan
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.tools.bank import Record

METHODS = ("internal_transfer", "wire_transfer", "ach_transfer", "mailed_check")


class Desk:
    """Draws the records of one case."""

    def __init__(self, draw: Draw, policy: SavingsPolicy, plan: Plan, tables: Tables) -> None:
        self.draw = draw
        self.policy = policy
        self.plan = plan
        self.tables = tables
        self.name = draw.choice(bank_words()["last_names"])
        self.home = street_of(draw)

    def person(self, born: date | None = None, *, fails: bool = False) -> Person:
        """Draw a customer and add the records; if ``fails``, the registry contradicts the request."""
        names = bank_words()["last_names"]
        last = self.name if self.draw.chance(0.7) else self.draw.choice(names)
        person = draw_person(self.draw, self.plan.today, self.plan.received, self.plan.place, last)
        if born is not None:
            person.born = born
            person.document_type = self.draw.choice(("passport", "state_id"))
        street = self.home if last == self.name else street_of(self.draw)
        add_person(self.draw, self.tables, person, street=street, identity_fails=fails)
        record = self.tables["customers"][person.customer_id]
        since = min(date.fromisoformat(record["customer_since"]), self.plan.received - timedelta(days=1))
        record["customer_since"] = max(since, person.born).isoformat()
        return person

    def requester(self, born: date | None = None) -> Person:
        """Draw a customer who makes the request; the registry contradicts them if so planned."""
        return self.person(born, fails=self.plan.reason == "identity_not_verified")

    def add_lists(self, people: list[Person]) -> None:
        """Add the watch lists, including the people whom the plan puts on one."""
        matched = self.plan.reason.endswith("_match")
        on_list = self.plan.reason.removesuffix("_match") if matched else None
        add_watch_list(self.draw, self.tables, people, on_list=on_list, false_positive=self.draw.chance(0.45))

    def account(self, **fields: Any) -> str:
        """Add an account record and return its ID."""
        account_id = self.draw.identifier("AC")
        record: Record = {
            "customer_id": fields["owners"][0]["customer_id"],
            "kind": "savings",
            "status": "open",
            "term_started_on": None,
            "term_months": None,
            "maturity_date": None,
            "interest_handling": "capitalise",
            "bonus_plan": None,
            "custodial_state": None,
            "restrictions": [],
            "months": [],
            "movements": [],
            "opening_balance": 0,
            "remark": self.draw.choice(words_of(__package__)["remarks"]) if self.draw.chance(0.6) else None,
        }
        record |= fields
        record["restrictions"] = [_not_before(record["opened"], row) for row in record["restrictions"]]
        self.tables["accounts"][account_id] = record
        return account_id

    def request(self, people: list[Person], **fields: Any) -> Record:
        """Return a request record with ordinary values, overridden by ``fields``."""
        plan = self.plan
        record: Record = {
            "kind": plan.kind,
            "channel": plan.channel,
            "received_date": plan.received.isoformat(),
            "requested_amount": 0,
            "payout_method": self.draw.choice(METHODS),
            "event": None,
            "event_customer_id": None,
            "documents": [],
            "instruction": None,
            "new_term_months": None,
            "period_from": None,
            "period_to": None,
            "purpose": None,
            "branch_city": plan.place[0],
            "branch_state": plan.place[1],
            "delivery_preference": self.draw.choice(("mail", "email", "branch_pickup")),
            "note": self.draw.choice(words_of(__package__)["notes"]),
            "persons": [self._shown(person) for person in people],
        }
        return {**record, **fields}

    def _shown(self, person: Person) -> Record:
        return {
            "customer_id": person.customer_id,
            **papers_of(person, self.draw.digits(4)),
        }

    def restrictions(self) -> list[Record]:
        """Draw restrictions: often past ones, and one in force if the case is planned to end with it."""
        draw, today, rows = self.draw, self.plan.today, []
        if draw.chance(0.45):
            placed = draw.integer(20, 500)
            lifted = draw.weighted(((0, 4), (draw.integer(1, placed - 1), 6)))
            rows.append(_restriction(draw.choice(("legal_hold", "pledge")), today, placed, lifted))
        wanted = {"legal_hold": "legal_hold", "pledged": "pledge"}.get(self.plan.reason)
        if wanted:
            rows.append(_restriction(wanted, today, draw.weighted(((0, 2), (draw.integer(1, 90), 8))), None))
            if wanted == "legal_hold" and draw.chance(0.5):
                rows.insert(0, _restriction("pledge", today, draw.integer(100, 300), None))
        elif self.plan.kind in ("maturity", "bonus_interest") and draw.chance(0.3):
            rows.append(_restriction("pledge", today, draw.integer(5, 300), None))
        elif self.plan.kind == "coverage_review" and draw.chance(0.4):
            rows.append(_restriction(draw.choice(("legal_hold", "pledge")), today, draw.integer(5, 300), None))
        return sorted(rows, key=lambda _: draw.real(0, 1))


def _restriction(kind: str, today: date, placed: int, lifted: int | None) -> Record:
    return {
        "kind": kind,
        "placed_on": (today - timedelta(days=placed)).isoformat(),
        "lifted_on": None if lifted is None else (today - timedelta(days=lifted)).isoformat(),
    }


def _not_before(opened: str, row: Record) -> Record:
    """Return a restriction with its dates moved to the account's opening or later."""
    lifted = row["lifted_on"]
    return {**row, "placed_on": max(opened, row["placed_on"]), "lifted_on": lifted and max(opened, lifted)}


def owner_row(person: Person, role: str, died_on: str | None = None, incapacitated_on: str | None = None) -> Record:
    """Return a person's row in an account's list of owners."""
    return {
        "customer_id": person.customer_id,
        "role": role,
        "date_of_birth": person.born.isoformat(),
        "died_on": died_on,
        "incapacitated_on": incapacitated_on,
    }


def months_on(day: date, months: int, anchor: int) -> date:
    """Return the anchor day some months later (or earlier), or the last day of a shorter month."""
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    return date(year, month + 1, min(anchor, monthrange(year, month + 1)[1]))


def term_fields(draw: Draw, matures: date, months: int, now: date, *, once_moved: bool = False) -> Record:
    """Return the dates of a term that ends on ``matures``: opening, start, maturity and last interest credit.

    If ``once_moved``, a term that ends on a Monday may have been moved there from the weekend.
    """
    last = monthrange(matures.year, matures.month)[1]
    anchor = draw.choice(range(matures.day, 32)) if matures.day == last and draw.chance(0.8) else matures.day
    if once_moved and matures.weekday() == 0 and matures.day > 2 and draw.chance(0.85):
        anchor = matures.day - draw.choice((1, 2))
    start = months_on(matures, -months, anchor)
    for terms in draw.choice(([1, 2, 3, 0], [2, 1, 3, 0], [0, 1, 2, 3])):
        opened = months_on(matures, -months * (terms + 1), anchor)
        if opened.day == anchor:
            break
    else:
        raise NoCaseError
    step = draw.choice((1, 3, 6, 12))
    credits = [
        day for day in (months_on(start, step * n, anchor) for n in range(60 // step)) if day < min(now, matures)
    ]
    within_a_year = (min(now, matures) - start).days <= 366
    paid_to = draw.weighted(((start, 3 if within_a_year else 0), (credits[-1], 7))) if credits else start
    return {
        "opened": opened.isoformat(),
        "term_started_on": start.isoformat(),
        "term_months": months,
        "maturity_date": matures.isoformat(),
        "interest_paid_to": paid_to.isoformat(),
    }


def principal_of(draw: Draw, minimum: int, top: int = 15_000_000) -> int:
    """Draw a principal: a round amount, often with added interest."""
    low = -(-(minimum + 200_000) // 50_000) * 50_000
    middle = draw.weighted(((min(2_500_000, top), 5), (min(8_000_000, top), 4), (top, 1)))
    amount = draw.steps(low, middle, 50_000)
    return amount + draw.integer(0, amount // 30) if draw.chance(0.7) else amount
