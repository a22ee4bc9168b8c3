"""Solutions: acidity, and dilutions of the laboratory."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.distractors.general._numbers import shown
from teller_gym.scenarios.distractors.general.natural_science import _physics as physics
from teller_gym.scenarios.distractors.general.natural_science._elements import masses_in_mole
from teller_gym.scenarios.distractors.general.natural_science._types import Formula
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Result, tool

Name = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,24}$")]
Concentration = Annotated[float, Meta(ge=0.000001, le=1000)]
ConcentrationUnit = Literal["mol_per_l", "mmol_per_l", "g_per_l", "percent_w_v"]
_DILUTIONS = "misc_dilutions"


class SolutionAcidity(Result):
    """pH and pOH at 25 °C to two decimals, and the percentage of the solute that is ionised to four figures."""

    ph: float
    poh: float
    ionised_percent: float


@tool(category=Category.GENERAL_DISTRACTOR)
def calculate_solution_ph(
    bank: Bank,
    solute: physics.Solute,
    concentration_mol_l: Annotated[float, Meta(ge=0.000000001, le=10)],
    constant: Annotated[float, Meta(ge=0, le=14)] | None = None,
    ions_per_molecule: Annotated[int, Meta(ge=1, le=3)] = 1,
) -> SolutionAcidity:
    """Calculate the pH of an acid or base in water at 25 °C, the water's own ions included.

    Args:
        solute: What is dissolved; strong means wholly dissociated.
        concentration_mol_l: Moles of it in a litre.
        constant: pKa of a weak acid or pKb of a weak base; none for a strong one.
        ions_per_molecule: H+ or OH- that a strong acid or base gives off per molecule; of a weak one just 1 counts.
    """
    weak = solute.startswith("weak")
    if weak == (constant is None):
        raise invalid("constant", f"expected {'a pKa or pKb' if weak else 'none'} for a {solute}, got {constant}")
    if weak and ions_per_molecule > 1:
        raise invalid("ions_per_molecule", f"expected 1 for a {solute}, got {ions_per_molecule}")
    ph, share = physics.acidity(solute, concentration_mol_l * ions_per_molecule, constant)
    return SolutionAcidity(ph=round(ph, 2) + 0.0, poh=round(14 - ph, 2) + 0.0, ionised_percent=shown(100 * share, 4))


class Dilution(Result):
    """What to pour together for the volume wanted, four significant figures."""

    dilution_id: str
    stock_ml: float
    solvent_ml: float
    dilution_factor: float


@tool(act=Act.FINAL, category=Category.GENERAL_DISTRACTOR)
def prepare_dilution(
    bank: Bank,
    batch: Name,
    solute: Formula,
    stock_concentration: Concentration,
    stock_unit: ConcentrationUnit,
    target_concentration: Concentration,
    target_unit: ConcentrationUnit,
    final_volume_ml: Annotated[float, Meta(ge=0.01, le=1_000_000)],
    spare_percent: Annotated[float, Meta(ge=0, le=100)] = 0,
) -> Dilution:
    """Work out a dilution of a stock solution and enter it in the laboratory book, in place of the same batch before.

    Args:
        batch: Name of the batch.
        solute: Formula of what is dissolved, such as NaCl.
        stock_concentration: Concentration of the stock solution.
        stock_unit: Its unit; 1 percent w/v is 1 gram in 100 ml.
        target_concentration: Concentration wanted.
        target_unit: Its unit.
        final_volume_ml: Volume wanted in millilitres.
        spare_percent: Volume to prepare beyond that, in percent.
    """
    name, formula = batch.strip(), solute.strip()
    grams_per_mole = sum(masses_in_mole(formula, "solute").values())
    factors = {"mol_per_l": grams_per_mole, "mmol_per_l": grams_per_mole / 1000, "g_per_l": 1.0, "percent_w_v": 10.0}
    stock, target = stock_concentration * factors[stock_unit], target_concentration * factors[target_unit]
    if target > stock * (1 + 1e-12):
        most = f"{shown(stock / factors[target_unit])} {target_unit}"
        raise invalid("target_concentration", f"expected at most the stock's {most}, got {target_concentration}")
    volume = final_volume_ml * (1 + spare_percent / 100)
    key = bank.reference("DIL", name, formula)
    stock_ml = shown(volume * target / stock, 4)
    bank.put(_DILUTIONS, key, {"owner": "misc", "batch": name, "solute": formula, "stock_ml": stock_ml})
    solvent_ml, factor = shown(volume * max(0.0, 1 - target / stock), 4), shown(stock / target, 4)
    return Dilution(dilution_id=key, stock_ml=stock_ml, solvent_ml=solvent_ml, dilution_factor=factor)


class DilutionList(Result):
    """Batches of the laboratory book with their ids, the first twenty in order of entry, and the stock used in ml."""

    entries: list[str]
    batch_count: int
    total_stock_ml: float


@tool(category=Category.GENERAL_DISTRACTOR)
def list_dilutions(bank: Bank, solute: Formula | None = None, batch: Name | None = None) -> DilutionList:
    """List the dilutions entered in the laboratory book, and add up the stock solution they used.

    Args:
        solute: Show just those of this formula.
        batch: Show just those of this batch.
    """
    formula, name = solute and solute.strip(), batch and batch.strip()
    rows = [(key, row) for key, row in bank.rows(_DILUTIONS) if row["solute"] == (formula or row["solute"])]
    rows = [(key, row) for key, row in rows if row["batch"] == (name or row["batch"])]
    entries = [f"{key}: {row['batch']}, {row['solute']}, {row['stock_ml']:g} ml of stock" for key, row in rows[:20]]
    total = shown(sum(row["stock_ml"] for _, row in rows))
    return DilutionList(entries=entries, batch_count=len(rows), total_stock_ml=total)
