"""Purchase orders for supplies of the branch offices."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import Label, UnitPrice, check_length, check_unlike
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

Site = Literal["loading_dock", "mail_room", "north_annex"]
Approval = Literal["none", "department_head", "two_signatures"]


class CreatedOrder(Result):
    """The order on file, its amounts in dollars, and whose approval it needs."""

    order_id: str
    items_total: float
    rush_surcharge: float
    order_total: float
    approval_needed: Approval


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def create_purchase_order(
    bank: Bank,
    supplier_name: Label,
    item_names: Annotated[list[Label], Meta(min_length=1, max_length=12)],
    item_quantities: Annotated[list[Annotated[int, Meta(ge=1, le=10_000)]], Meta(min_length=1, max_length=12)],
    item_unit_prices: Annotated[list[UnitPrice], Meta(min_length=1, max_length=12)],
    deliver_by: date,
    delivery_site: Site,
    cost_center: Label,
    rush: bool = False,
) -> CreatedOrder:
    """Create a purchase order for supplies of the branch offices. Creating the same order again changes nothing.

    Args:
        supplier_name: Name of the supplier.
        item_names: The items, each once.
        item_quantities: Quantity of each item.
        item_unit_prices: Price of a unit of each item in dollars.
        deliver_by: Day of delivery, 5 days from today or later unless it is a rush order.
        delivery_site: Where to deliver: the dock takes goods from Monday to Friday, the mail room also on Saturday, the
            annex on Tuesday and Thursday.
        cost_center: Cost center that pays.
        rush: Whether it is a rush order, for a surcharge of 3 percent.
    """
    return create_order(
        bank,
        supplier_name,
        item_names,
        item_quantities,
        item_unit_prices,
        deliver_by,
        delivery_site,
        cost_center,
        rush,
    )


_ORDERS = "misc_purchase_orders"
_RUSH_PERCENT = 3


def create_order(
    bank: Bank,
    supplier_name: str,
    item_names: list[str],
    item_quantities: list[int],
    item_unit_prices: list[float],
    deliver_by: date,
    delivery_site: Site,
    cost_center: str,
    rush: bool,
) -> CreatedOrder:
    """Check an order and write it down; see the tool ``create_purchase_order``."""
    check_unlike("item_names", item_names)
    check_length("item_quantities", item_quantities, "item_names", item_names)
    check_length("item_unit_prices", item_unit_prices, "item_names", item_names)
    _check_delivery(bank.today, deliver_by, delivery_site, rush)
    cents = [to_cents(price) for price in item_unit_prices]
    items = sum(count * price for count, price in zip(item_quantities, cents, strict=True))
    if items == 0:
        raise invalid("item_unit_prices", "expected an order worth more than 0, got only prices of 0")
    surcharge = divide_half_up(items * _RUSH_PERCENT, 100) if rush else 0
    total = items + surcharge
    order = {
        "owner": "misc",
        "supplier_name": supplier_name,
        "items": [list(item) for item in zip(item_names, item_quantities, cents, strict=True)],
        "deliver_by": deliver_by.isoformat(),
        "delivery_site": delivery_site,
        "cost_center": cost_center,
        "rush": rush,
        "total_cents": total,
    }
    order_id = bank.reference("PO", msgspec.json.encode(order).decode())
    bank.put(_ORDERS, order_id, order)
    return CreatedOrder(
        order_id=order_id,
        items_total=usd(items),
        rush_surcharge=usd(surcharge),
        order_total=usd(total),
        approval_needed=_approval(total),
    )


_FREE_UP_TO, _ONE_HEAD_UP_TO = 1_000_00, 10_000_00


def _approval(total: int) -> Approval:
    if total <= _FREE_UP_TO:
        return "none"
    return "department_head" if total <= _ONE_HEAD_UP_TO else "two_signatures"


_RUSH_WITHIN_DAYS = 5
_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DELIVERY_DAYS = {"loading_dock": (0, 1, 2, 3, 4), "mail_room": (0, 1, 2, 3, 4, 5), "north_annex": (1, 3)}


def _check_delivery(today: date, day: date, site: Site, rush: bool) -> None:
    ahead = (day - today).days
    if not 1 <= ahead <= 365:
        raise invalid("deliver_by", f"expected a day within a year after today, {today}, got {day}")
    if ahead < _RUSH_WITHIN_DAYS and not rush:
        raise invalid("deliver_by", f"expected {_RUSH_WITHIN_DAYS} days from {today} or more, got {day}; or set rush")
    if day.weekday() not in _DELIVERY_DAYS[site]:
        names = ", ".join(_DAY_NAMES[at] for at in _DELIVERY_DAYS[site])
        raise invalid(
            "deliver_by", f"expected a day on which {site} is open ({names}), got {_DAY_NAMES[day.weekday()]}"
        )


class OrderLine(Result):
    """An order in a list; the total is in dollars."""

    order_id: str
    supplier_name: str
    deliver_by: str
    item_count: int
    order_total: float


class OrderList(Result):
    """The first ten orders by day of delivery, with count and value in dollars of all that match."""

    orders: list[OrderLine]
    matching_orders: int
    total_value: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_purchase_orders(
    bank: Bank, supplier_name: Label | None = None, due_by: date | None = None, minimum_total: Money = 0
) -> OrderList:
    """List purchase orders for supplies of the branch offices by day of delivery.

    Args:
        supplier_name: Only orders from this supplier, the name as on the order.
        due_by: Only orders to be delivered by this day.
        minimum_total: Only orders of at least so many dollars.
    """
    return list_orders(bank, supplier_name, due_by, minimum_total)


_SHOWN = 10


def list_orders(bank: Bank, supplier_name: str | None, due_by: date | None, minimum_total: float) -> OrderList:
    """List orders on file; see the tool ``list_purchase_orders``."""
    if due_by is not None and due_by < bank.today:
        raise invalid("due_by", f"expected today, {bank.today}, or later, got {due_by}")
    last = (due_by or date.max).isoformat()
    found: list[tuple[str, str, dict[str, Any]]] = sorted(
        (order["deliver_by"], order_id, order)
        for order_id, order in bank.rows(_ORDERS)
        if order["deliver_by"] <= last
        and supplier_name in (None, order["supplier_name"])
        and order["total_cents"] >= to_cents(minimum_total)
    )
    lines = [
        OrderLine(
            order_id=order_id,
            supplier_name=order["supplier_name"],
            deliver_by=day,
            item_count=len(order["items"]),
            order_total=usd(order["total_cents"]),
        )
        for day, order_id, order in found[:_SHOWN]
    ]
    value = sum(order["total_cents"] for _, _, order in found)
    return OrderList(orders=lines, matching_orders=len(found), total_value=usd(value))
