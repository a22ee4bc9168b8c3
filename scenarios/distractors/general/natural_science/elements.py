"""Elements and molar masses."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.scenarios.distractors.general.natural_science._elements import Element, elements, masses_in_mole
from teller_gym.scenarios.distractors.general.natural_science._types import Formula
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class ElementFacts(Result):
    """Facts of an element; the weight is null without stable isotopes, the group for lanthanides and actinides."""

    symbol: str
    name: str
    number: int
    weight: float | None
    period: int
    group: int | None
    state: str


@tool(category=Category.GENERAL_DISTRACTOR)
def look_up_element(bank: Bank, element: Annotated[str, Meta(pattern="^[A-Za-z0-9]{1,12}$")]) -> ElementFacts:
    """Look up a chemical element from hydrogen to uranium: weight, place in the periodic table, state at 20 °C.

    Args:
        element: Symbol, English name or atomic number, such as Fe, iron or 26.
    """
    e = find_element(element)
    if e is None:
        raise invalid("element", f"expected a symbol, name or number of the elements 1 to 92, got {element.strip()}")
    return ElementFacts(
        symbol=e.symbol, name=e.name, number=e.number, weight=e.weight, period=e.period, group=e.group, state=e.state
    )


def find_element(text: str) -> Element | None:
    """Return the element of a symbol, name or atomic number, in any case of letters."""
    wanted = text.strip().lower()
    return next((e for e in elements().values() if wanted in (e.symbol.lower(), e.name, str(e.number))), None)


class MolarMass(Result):
    """Grams per mole, the amount in both units (six significant figures), and each element's share of the mass."""

    molar_mass: float
    grams: float
    moles: float
    mass_percent: dict[str, float]


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_molar_mass(
    bank: Bank,
    formula: Formula,
    amount: Annotated[float, Meta(ge=0, le=1_000_000)] = 1,
    amount_unit: Literal["moles", "grams"] = "moles",
) -> MolarMass:
    """Calculate the molar mass and composition of a compound, and convert an amount of it between grams and moles.

    Args:
        formula: Its formula, such as H2O, Ca(OH)2 or CuSO4.5H2O.
        amount: How much of it there is.
        amount_unit: Unit of the amount.
    """
    masses = masses_in_mole(formula, "formula")
    total = sum(masses.values())
    return MolarMass(
        molar_mass=shown(total),
        grams=shown(amount if amount_unit == "grams" else amount * total),
        moles=shown(amount if amount_unit == "moles" else amount / total),
        mass_percent={symbol: round(100 * mass / total, 2) for symbol, mass in masses.items()},
    )
