"""Customs, freight and who pays for the transport."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.money import exact, percent, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial._checks import Share, UnitPrice
from teller_gym.scenarios.distractors.financial.payments_and_trade._payment_codes import tables
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool

Centimeters = Annotated[float, Meta(ge=1, le=1500)]


class ImportCharges(Result):
    """What customs asks for, and what the goods cost with everything, in dollars."""

    customs_value: float
    duty: float
    vat_base: float
    import_vat: float
    landed_cost: float


@tool(category=Category.FINANCIAL_DISTRACTOR)
def calculate_import_charges(
    bank: Bank,
    goods_class: Literal["books", "ceramics", "coffee", "electronics", "furniture", "machinery", "textiles", "toys"],
    goods_value: Money,
    freight_cost: Money,
    insurance_cost: Money,
    weight_kg: Annotated[float, Meta(ge=0.001, le=1_000_000)],
    vat_percent: Share,
    customs_basis: Literal["cif", "fob"] = "cif",
    origin_proof: bool = False,
    clearance_cost: Money = 0,
) -> ImportCharges:
    """Calculate customs duty and import VAT of a consignment from the trade desk's own tariff, and the landed cost.
    VAT falls on goods, freight, insurance and duty. Duty and VAT are rounded to cents, halves up.

    Args:
        goods_class: Line of the tariff; some have duty by weight, too.
        goods_value: Value of the goods in dollars.
        freight_cost: Freight to the border in dollars.
        insurance_cost: Insurance of the transport in dollars.
        weight_kg: Net weight in kilograms.
        vat_percent: Rate of import VAT in percent.
        customs_basis: Whether freight and insurance belong to the customs value (cif) or not (fob).
        origin_proof: Whether a proof of origin earns the lower duty.
        clearance_cost: Customs agent's bill in dollars, untaxed.
    """
    return work_out_import(
        goods_class,
        goods_value,
        freight_cost,
        insurance_cost,
        weight_kg,
        vat_percent,
        customs_basis,
        origin_proof,
        clearance_cost,
    )


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


@tool(category=Category.FINANCIAL_DISTRACTOR)
def split_incoterm_costs(
    bank: Bank,
    incoterm: Literal["EXW", "FCA", "CPT", "CIP", "DAP", "DPU", "DDP", "FAS", "FOB", "CFR", "CIF"],
    origin_haulage: Money = 0,
    export_clearance: Money = 0,
    loading: Money = 0,
    main_carriage: Money = 0,
    insurance: Money = 0,
    arrival_handling: Money = 0,
    import_duty: Money = 0,
    final_haulage: Money = 0,
    unloading: Money = 0,
) -> DeliveryCosts:
    """Split the transport costs of an export between seller and buyer by a term of Incoterms 2020, and tell where the
    risk passes. For C terms the named place is the port or terminal of arrival.

    Args:
        incoterm: The term of the contract.
        origin_haulage: Haulage to the port or terminal of departure, in dollars.
        export_clearance: Export clearance in dollars.
        loading: Loading on the main carrier in dollars.
        main_carriage: Main carriage in dollars.
        insurance: Insurance of the transport in dollars; paid by the side that must insure or bears the risk.
        arrival_handling: Handling at the port or terminal of arrival, in dollars.
        import_duty: Import clearance, duty and taxes in dollars.
        final_haulage: Haulage from there to the buyer, in dollars.
        unloading: Unloading at the buyer's, in dollars.
    """
    costs = {
        "origin_haulage": origin_haulage,
        "export_clearance": export_clearance,
        "loading": loading,
        "main_carriage": main_carriage,
        "insurance": insurance,
        "arrival_handling": arrival_handling,
        "import_duty": import_duty,
        "final_haulage": final_haulage,
        "unloading": unloading,
    }
    return split_costs(incoterm, costs)


_SEA_ONLY = ("FAS", "FOB", "CFR", "CIF")
_MUST_INSURE = ("CIF", "CIP")


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


@tool(category=Category.FINANCIAL_DISTRACTOR)
def find_chargeable_weight(
    bank: Bank,
    transport_mode: Literal["air", "courier", "road", "sea"],
    length_cm: Centimeters,
    width_cm: Centimeters,
    height_cm: Centimeters,
    pieces: Annotated[int, Meta(ge=1, le=1000)],
    gross_kg_per_piece: Annotated[float, Meta(ge=0.01, le=30_000)],
    rate_per_kg: UnitPrice,
    stackable: bool = True,
    minimum_charge: Money = 0,
) -> FreightWeight:
    """Find the weight by which a carrier charges like pieces of freight, gross or by volume, and the charge. A cubic
    meter counts as 166.67 kg by air, 200 by courier, 333 by road and 1,000 by sea; the weight is rounded up to half a
    kilogram by air and courier, else to a whole one.

    Args:
        transport_mode: How the goods travel.
        length_cm: Length of a piece in centimeters.
        width_cm: Width in centimeters.
        height_cm: Height in centimeters.
        pieces: Number of pieces.
        gross_kg_per_piece: Weight of a piece with packing, in kilograms.
        rate_per_kg: Rate for a chargeable kilogram, in dollars.
        stackable: Whether pieces may be stacked; if not, one counts as at least 160 cm high by air and courier, 240 cm
            by road and sea.
        minimum_charge: Least charge in dollars.
    """
    sides = (length_cm, width_cm, height_cm)
    return weigh_freight(transport_mode, sides, pieces, gross_kg_per_piece, rate_per_kg, stackable, minimum_charge)


_KG_PER_M3 = {"air": Fraction(1000, 6), "courier": Fraction(200), "road": Fraction(333), "sea": Fraction(1000)}
_STEPS_PER_KG = {"air": 2, "courier": 2, "road": 1, "sea": 1}
_FULL_HEIGHT_CM = {"air": 160, "courier": 160, "road": 240, "sea": 240}


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
