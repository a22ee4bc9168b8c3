"""Finding customers and reading their profile."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking.ids import CustomerId, FullName, Limit, State
from teller_gym.scenarios.banking.lookup import customer, day
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Category, Result, tool

SearchText = Annotated[str, Meta(min_length=1, max_length=40)] | None


class CustomersFound(Result):
    """Customers in order of their ids. ``matches`` have customer_id, full_name, date_of_birth, city, state."""

    total: int
    matches: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def search_customers(
    bank: Bank,
    first_name: SearchText = None,
    last_name: SearchText = None,
    born_from: date | None = None,
    born_to: date | None = None,
    city: SearchText = None,
    state: State | None = None,
    segment: SearchText = None,
    limit: Limit = 5,
) -> CustomersFound:
    """Find customers by parts of the name, birth date, place or segment. Give at least one criterion; all that are
    given must hold.

    Args:
        first_name: Beginning of the first name.
        last_name: Beginning of any name after the first.
        born_from: Earliest birth date.
        born_to: Latest birth date.
        city: City of residence.
        state: State of residence, two letters.
        segment: Customer segment.
        limit: How many customers to show; the total counts all that match.
    """
    if all(item is None for item in (first_name, last_name, born_from, born_to, city, state, segment)):
        raise invalid("last_name", "expected a name, a birth date, a place or a segment to search by, got none")
    check_order(born_from, born_to, "born_from", "born_to")

    def fits(item: Record) -> bool:
        first, *others = normalise_text(item["full_name"]).split() or [""]
        return (
            (first_name is None or first.startswith(normalise_text(first_name)))
            and (last_name is None or any(name.startswith(normalise_text(last_name)) for name in others))
            and within(day(item["date_of_birth"]), born_from, born_to)
            and (city is None or normalise_text(item["city"]) == normalise_text(city))
            and (state is None or item["state"] == state)
            and (segment is None or normalise_text(item["segment"]) == normalise_text(segment))
        )

    found = sorted((key, item) for key, item in bank.rows("customers") if fits(item))
    shown = ("full_name", "date_of_birth", "city", "state")
    matches = [{"customer_id": key, **{name: item[name] for name in shown}} for key, item in found[:limit]]
    return CustomersFound(total=len(found), matches=matches)


class CustomerProfile(Result):
    """Master data of a customer; phone and e-mail are masked."""

    customer_id: CustomerId
    full_name: FullName
    date_of_birth: date
    street_address: str
    city: str
    state: str
    phone: str
    email: str
    customer_since: str
    segment: str


@tool(category=Category.AUXILIARY)
def get_customer_profile(bank: Bank, customer_id: CustomerId) -> CustomerProfile:
    """Read a customer's master data: name, birth date, address, masked contact data, segment. It verifies nothing.

    Args:
        customer_id: The customer.
    """
    item = customer(bank, customer_id)
    return CustomerProfile(
        customer_id=customer_id,
        full_name=item["full_name"],
        date_of_birth=day(item["date_of_birth"]),
        street_address=item["street_address"],
        city=item["city"],
        state=item["state"],
        phone=item["phone"],
        email=item["email"],
        customer_since=str(item["customer_since"]),
        segment=item["segment"],
    )
