"""Payments and trade: codes of accounts and invoices, customs and freight, trade documents and purchase orders."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.financial._checks import Label, Share, UnitPrice
from teller_gym.scenarios.distractors.financial._payment_codes import (
    BicParts,
    IbanCheck,
    PaymentReference,
    RoutingNumberCheck,
    Scheme,
    add_check_digits,
    check_iban_text,
    check_routing_digits,
    split_bic,
)
from teller_gym.scenarios.distractors.financial._purchase_orders import (
    CreatedOrder,
    OrderList,
    Site,
    create_order,
    list_orders,
)
from teller_gym.scenarios.distractors.financial._trade_costs import (
    DeliveryCosts,
    DiscountDecision,
    FreightWeight,
    ImportCharges,
    PresentationDeadline,
    find_deadline,
    split_costs,
    weigh_discount,
    weigh_freight,
    work_out_import,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, tool

CountryCode = Annotated[str, Meta(pattern="^[A-Z]{2}$", max_length=2)]
Centimeters = Annotated[float, Meta(ge=1, le=1500)]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_iban(
    bank: Bank,
    iban: Annotated[str, Meta(pattern="^[A-Za-z0-9 ]+$", min_length=5, max_length=42)],
    expected_country: CountryCode | None = None,
) -> IbanCheck:
    """Check length, structure and check digits of a European IBAN from a foreign payment form, and print it in groups
    of four. It cannot tell whether the account exists.

    Args:
        iban: The IBAN; spaces and small letters do not matter.
        expected_country: Country the payment should go to, as a code of two letters.
    """
    return check_iban_text(iban, expected_country)


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_routing_number(
    bank: Bank, routing_number: Annotated[str, Meta(pattern="^[0-9]{9}$", max_length=9)]
) -> RoutingNumberCheck:
    """Check the last digit of a US bank routing number (ABA number), and read from its first two digits what kind of
    institution and which Federal Reserve district it belongs to.

    Args:
        routing_number: The nine digits.
    """
    return check_routing_digits(routing_number)


@tool(category=Category.FINANCIAL_DISTRACTOR)
def parse_bic(
    bank: Bank,
    bic: Annotated[str, Meta(pattern="^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$", min_length=8, max_length=11)],
    expected_country: CountryCode | None = None,
) -> BicParts:
    """Take a BIC (SWIFT code) apart into bank, country, location and branch. It cannot tell whether it is in use.

    Args:
        bic: The code, 8 or 11 characters.
        expected_country: Country the bank should be in, as a code of two letters.
    """
    return split_bic(bic, expected_country)


@tool(category=Category.FINANCIAL_DISTRACTOR)
def make_payment_reference(
    bank: Bank,
    base_number: Annotated[str, Meta(pattern="^[A-Za-z0-9]+$", max_length=26)],
    scheme: Scheme,
    group_size: Annotated[int, Meta(ge=0, le=6)] = 0,
    received_reference: Annotated[str, Meta(pattern="^[A-Za-z0-9 ]+$", max_length=50)] | None = None,
) -> PaymentReference:
    """Make the payment reference of an invoice by adding check digits to its number, and compare it with a reference
    that came with a payment.

    Args:
        base_number: Invoice or customer number without check digits.
        scheme: Creditor reference (RF), Luhn digit, Finnish reference, or Swiss QR reference, which is filled with
            zeros to 27 digits.
        group_size: Characters in a group of the printed form, from the left for RF, else from the right; 0 for none.
        received_reference: Reference on the incoming payment; spaces do not matter.
    """
    return add_check_digits(base_number, scheme, group_size, received_reference)


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


@tool(category=Category.FINANCIAL_DISTRACTOR)
def find_presentation_deadline(
    bank: Bank,
    shipment_date: date,
    expiry_date: date,
    presentation_days: Annotated[int, Meta(ge=1, le=90)] = 21,
    latest_shipment_date: date | None = None,
    transit_days: Annotated[int, Meta(ge=0, le=60)] = 0,
) -> PresentationDeadline:
    """Find the last calendar day on which an exporter can present documents under a letter of credit: some days after
    shipment, but not after the credit expires. Bank holidays are left aside.

    Args:
        shipment_date: Day of shipment on the transport document.
        expiry_date: Day on which the credit expires.
        presentation_days: Calendar days after shipment that the credit allows.
        latest_shipment_date: Latest day of shipment by the credit, if it names one.
        transit_days: Calendar days that a courier needs for the documents.
    """
    return find_deadline(bank, shipment_date, expiry_date, presentation_days, latest_shipment_date, transit_days)


@tool(category=Category.FINANCIAL_DISTRACTOR)
def weigh_early_payment_discount(
    bank: Bank,
    invoice_amount: Money,
    discount_percent: Share,
    invoice_date: date,
    discount_days: Annotated[int, Meta(ge=1, le=120)],
    net_days: Annotated[int, Meta(ge=2, le=365)],
    daily_cash_cost: UnitPrice,
) -> DiscountDecision:
    """Weigh a supplier's discount for early payment, such as 2 % within 10 days, against what it costs to part with
    the cash earlier, in dollars. The discount is rounded to cents, halves up.

    Args:
        invoice_amount: Amount of the supplier's invoice in dollars.
        discount_percent: Discount in percent.
        invoice_date: Day of the invoice.
        discount_days: Calendar days after the invoice in which the discount may be taken.
        net_days: Calendar days after which the full amount is due.
        daily_cash_cost: What each day without the cash costs the firm, in dollars.
    """
    return weigh_discount(
        bank, invoice_amount, discount_percent, invoice_date, discount_days, net_days, daily_cash_cost
    )


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
