"""People who make a request about an account, with or without authority: owners, agents, custodians, strangers."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.persons import People, birthday, not_yet
from teller_gym.scenarios.accounts.generator.plan import Plan
from teller_gym.scenarios.accounts.generator.records import mandate, owner_rows
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.generator.people import Person, Tables
from teller_gym.tools.bank import Record

_CHILDHOOD = timedelta(days=5_000)
"""Maximum age of a child at the opening of a custodial account."""


class Asking(msgspec.Struct):
    """The people who make a request, and their rows in the account record."""

    owners: list[Record]
    persons: list[Record]
    mandates: list[Record]
    product: str
    screened: list[Person]

    def opened_by(self, day: date) -> date:
        """Return the opening day, moved back if the minor would have been too old on it."""
        born = [date.fromisoformat(row["date_of_birth"]) for row in self.owners if row["role"] == "minor"]
        return min([day, *(one + _CHILDHOOD for one in born)])


def draw_asking(draw: Draw, policy: AccountPolicy, plan: Plan, tables: Tables) -> Asking:
    """Draw owners and requesters; if so planned, requesters without sufficient authority."""
    people = People(draw, plan, tables)
    without = plan.ending.endswith("_without_authority")
    agent_needed = plan.ending.endswith("_match")
    if not agent_needed and draw.chance(0.12 if plan.kind == "close_account" else 0.2):
        found = _custodial(draw, policy, plan, people, without)
    else:
        found = _ordinary(draw, policy, plan, people, without, agent_needed)
    if plan.ending.endswith("_identity"):
        _contradict(draw, tables, draw.choice(found.persons))
    people.add_lists(found.screened or [people.adult(family=False)])
    return found


def _contradict(draw: Draw, tables: Tables, person: Record) -> None:
    """Make the registry contradict a person's document number."""
    known = tables["id_registry"][person["customer_id"]]
    last4 = f"{(int(known['document_last4']) + draw.integer(1, 9998)) % 10_000:04d}"
    tables["id_registry"][person["customer_id"]] = {**known, "document_last4": last4}


def _custodial(draw: Draw, policy: AccountPolicy, plan: Plan, people: People, without: bool) -> Asking:
    end = policy.custodial_end_age
    grown = draw.chance(0.45)
    born = (
        birthday(draw, plan.today, end + draw.integer(0, 1))
        if grown
        else not_yet(draw, plan.today, end - draw.integer(0, 3))
    )
    minor, custodian = people.minor(born), people.adult()
    right, wrong = (minor, custodian) if grown else (custodian, minor)
    asks = wrong if without else right
    role = "owner" if asks is minor else "custodian"
    rows = owner_rows([(minor, "minor"), (custodian, "custodian")])
    if draw.chance(0.5):
        rows.reverse()
    return Asking(rows, [people.row(asks, role)], [], "custodial", [])


def _ordinary(
    draw: Draw, policy: AccountPolicy, plan: Plan, people: People, without: bool, agent_needed: bool
) -> Asking:
    short = without and plan.kind == "close_account" and draw.chance(0.65)  # too few owners sign
    count = draw.weighted(((2, 60), (3, 40))) if short else draw.weighted(((1, 30), (2, 45), (3, 25)))
    owners = [people.adult() for _ in range(count)]
    roles = ["owner", *["joint_owner"] * (count - 1)]
    own = 1 if short else draw.integer(1, count)
    asking = [(person, role) for person, role in list(zip(owners, roles, strict=True))[:own]]
    if draw.chance(0.4):
        asking = asking[-1:] if plan.kind != "close_account" else asking
    mandates: list[Record] = []
    screened: list[Person] = []
    if agent_needed or (not short and draw.chance(0.82 if without else 0.66)):
        agent = people.adult(family=False)
        behind = owners[own:] or owners[:1]
        if without and plan.kind != "close_account":
            asking = []
        elif draw.chance(0.55):
            asking = [pair for pair in asking if pair[0] not in behind[:1]][: draw.integer(0, 2)]
        asking.insert(draw.integer(0, len(asking)), (agent, "agent"))
        mandates = [mandate(draw, plan, policy, agent, owner, _fault(draw, without)) for owner in behind]
        screened = [agent]
    elif without and not short and draw.chance(0.6):
        asking = [(people.adult(family=draw.chance(0.5)), draw.choice(("joint_owner", "owner")))]
    if not asking:
        asking = [(owners[0], "owner")]
    if plan.kind != "close_account":
        asking = asking[:2]
    return Asking(
        owner_rows(list(zip(owners, roles, strict=True))),
        [people.row(person, role) for person, role in asking],
        mandates,
        draw.choice(("checking", "checking", "savings")),
        screened if any(role == "agent" for _, role in asking) else [],
    )


def _fault(draw: Draw, without: bool) -> str:
    """Draw the fault of a mandate, usually one if authority must not be reached."""
    return draw.choice(("revoked", "old", "powerless")) if draw.chance(0.85 if without else 0.2) else ""


def account_age(draw: Draw, plan: Plan) -> int:
    """Draw the age of an account in days; ages of a few weeks are frequent."""
    return draw.weighted(((draw.integer(8, 45), 3), (draw.integer(46, 120), 2), (draw.integer(121, 4_000), 5)))
