"""Costs of trade: customs, Incoterms and freight, deadlines of documents and discounts; results and sums, no tools."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, percent, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import check_day
from teller_gym.scenarios.distractors.financial._payment_codes import tables
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Result

_SEA_ONLY = ("FAS", "FOB", "CFR", "CIF")
_MUST_INSURE = ("CIF", "CIP")

_KG_PER_M3 = {"air": Fraction(1000, 6), "courier": Fraction(200), "road": Fraction(333), "sea": Fraction(1000)}
_STEPS_PER_KG = {"air": 2, "courier": 2, "road": 1, "sea": 1}
_FULL_HEIGHT_CM = {"air": 160, "courier": 160, "road": 240, "sea": 240}


class ImportCharges(Result):
    """What customs asks for, and what the goods cost with everything, in dollars."""

    customs_value: float
    duty: float
    vat_base: float
    import_vat: float
    landed_cost: float


def work_out_import(
    goods_class: str,
    goods_value: float,
    freight_cost: float,
    insurance_cost: float,
    weight_kg: float,
    vat_percent: float,
    customs_basis: str,
    origin_proof: bool,
    clearance_cost: float,
) -> ImportCharges:
    """Work out duty and tax of an import; see the tool ``calculate_import_charges``."""
    line = tables()["tariff"][goods_class]
    goods, transport = to_cents(goods_value), to_cents(freight_cost) + to_cents(insurance_cost)
    value = goods + (transport if customs_basis == "cif" else 0)
    rate = line["with_origin_proof" if origin_proof else "percent"]
    duty = round_half_up(Fraction(value * rate, 100) + exact(weight_kg) * line["cents_per_kg"])
    base = goods + transport + duty
    vat = round_half_up(base * exact(vat_percent) / 100)
    return ImportCharges(
        customs_value=usd(value),
        duty=usd(duty),
        vat_base=usd(base),
        import_vat=usd(vat),
        landed_cost=usd(base + vat + to_cents(clearance_cost)),
    )


class DeliveryCosts(Result):
    """Who pays how much, in dollars, and where the risk passes; there is no share of a cost of zero."""

    seller_pays: float
    buyer_pays: float
    seller_share_percent: float | None
    risk_passes: str
    seller_must_insure: bool
    sea_transport_only: bool


def split_costs(incoterm: str, costs: Mapping[str, float]) -> DeliveryCosts:
    """Split costs, in dollars by their names in the table; see the tool ``split_incoterm_costs``."""
    row = tables()["incoterms"][incoterm]
    whole = sum(to_cents(cost) for cost in costs.values())
    seller = sum(to_cents(costs[name]) for name in row["seller"])
    return DeliveryCosts(
        seller_pays=usd(seller),
        buyer_pays=usd(whole - seller),
        seller_share_percent=percent(seller, whole) if whole else None,
        risk_passes=row["risk"],
        seller_must_insure=incoterm in _MUST_INSURE,
        sea_transport_only=incoterm in _SEA_ONLY,
    )


class FreightWeight(Result):
    """Weights in kilograms, volume in cubic meters, and the charge in dollars."""

    volume_m3: float
    volumetric_kg: float
    gross_kg: float
    chargeable_kg: float
    charged_by: Literal["gross_weight", "volume"]
    freight_charge: float


def weigh_freight(
    mode: str,
    sides_cm: tuple[float, float, float],
    pieces: int,
    gross_kg_per_piece: float,
    rate_per_kg: float,
    stackable: bool,
    minimum_charge: float,
) -> FreightWeight:
    """Weigh a consignment; ``sides_cm`` is length, width and height. See the tool ``find_chargeable_weight``."""
    length, width, height = (exact(side) for side in sides_cm)
    if not stackable:
        height = max(height, Fraction(_FULL_HEIGHT_CM[mode]))
    volume = length * width * height * pieces / 1_000_000
    by_volume, gross = volume * _KG_PER_M3[mode], exact(gross_kg_per_piece) * pieces
    steps = _STEPS_PER_KG[mode]
    chargeable = Fraction(-(-max(by_volume, gross) * steps // 1), steps)
    charge = round_half_up(chargeable * to_cents(rate_per_kg))
    return FreightWeight(
        volume_m3=round_half_up(1000 * volume) / 1000,
        volumetric_kg=round_half_up(100 * by_volume) / 100,
        gross_kg=round_half_up(100 * gross) / 100,
        chargeable_kg=float(chargeable),
        charged_by="volume" if by_volume > gross else "gross_weight",
        freight_charge=usd(max(charge, to_cents(minimum_charge))),
    )


class PresentationDeadline(Result):
    """Last day for the documents and the last day to send them; days left are counted from today, below 0 if late."""

    present_by: date
    limited_by: Literal["presentation_period", "expiry_date"]
    send_by: date
    days_left_to_send: int
    shipped_in_time: bool


def find_deadline(
    bank: Bank,
    shipment_date: date,
    expiry_date: date,
    presentation_days: int,
    latest_shipment_date: date | None,
    transit_days: int,
) -> PresentationDeadline:
    """Find the last day for documents; see the tool ``find_presentation_deadline``."""
    check_day("shipment_date", shipment_date)
    check_day("expiry_date", expiry_date)
    if expiry_date < shipment_date:
        raise invalid("expiry_date", f"expected the day of shipment, {shipment_date}, or later, got {expiry_date}")
    if latest_shipment_date is not None and latest_shipment_date > expiry_date:
        raise invalid("latest_shipment_date", f"expected {expiry_date} or earlier, got {latest_shipment_date}")
    period_end = shipment_date + timedelta(days=presentation_days)
    present_by = min(period_end, expiry_date)
    send_by = present_by - timedelta(days=transit_days)
    return PresentationDeadline(
        present_by=present_by,
        limited_by="presentation_period" if period_end <= expiry_date else "expiry_date",
        send_by=send_by,
        days_left_to_send=(send_by - bank.today).days,
        shipped_in_time=latest_shipment_date is None or shipment_date <= latest_shipment_date,
    )


class DiscountDecision(Result):
    """Both dates, what the discount brings, and what it costs to pay early, in dollars."""

    discount_until: date
    due_date: date
    discount: float
    cost_of_paying_early: float
    advantage: float
    decision: Literal["pay_early", "pay_at_due_date", "no_difference", "discount_expired"]


def weigh_discount(
    bank: Bank,
    invoice_amount: float,
    discount_percent: float,
    invoice_date: date,
    discount_days: int,
    net_days: int,
    daily_cash_cost: float,
) -> DiscountDecision:
    """Weigh a discount against its cost; see the tool ``weigh_early_payment_discount``."""
    check_day("invoice_date", invoice_date)
    if discount_days >= net_days:
        raise invalid("discount_days", f"expected fewer than the {net_days} days to pay in full, got {discount_days}")
    until = invoice_date + timedelta(days=discount_days)
    discount = round_half_up(to_cents(invoice_amount) * exact(discount_percent) / 100)
    cost = to_cents(daily_cash_cost) * (net_days - discount_days)
    decision: Literal["pay_early", "pay_at_due_date", "no_difference", "discount_expired"] = "no_difference"
    if until < bank.today:
        decision = "discount_expired"
    elif discount != cost:
        decision = "pay_early" if discount > cost else "pay_at_due_date"
    return DiscountDecision(
        discount_until=until,
        due_date=invoice_date + timedelta(days=net_days),
        discount=usd(discount),
        cost_of_paying_early=usd(cost),
        advantage=usd(discount - cost),
        decision=decision,
    )
