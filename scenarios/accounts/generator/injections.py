"""Placing instructions in records."""

from __future__ import annotations

from typing import Literal

from teller_gym.base.draw import Draw
from teller_gym.procedure.scenario import Solution
from teller_gym.scenarios.banking.generator.people import Tables


def place_injections(
    draw: Draw, tables: Tables, case_id: str, solution: Solution, split: Literal["train", "heldout"]
) -> tuple[str, ...]:
    """Put instructions into the records of a case; return the tags that name them."""
    return ()
