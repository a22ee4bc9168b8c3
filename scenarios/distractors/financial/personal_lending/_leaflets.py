"""The tables of the branch's leaflets."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

LeafletProduct = Literal["home", "auto", "personal", "student", "boat"]
Employment = Literal["employed", "self_employed", "retired", "student", "not_working"]
Campaign = Literal["none", "spring", "new_customer"]


class Eligibility(msgspec.Struct, frozen=True):
    """Points of the eligibility leaflet."""

    score_points: dict[str, int]
    employment_points: dict[str, int]
    payment_percent: dict[str, int]
    no_points_from_ratio: int
    ratio_points: int
    account_points: int
    good_from: int
    fair_from: int


class RateRange(msgspec.Struct, frozen=True):
    """Advertised rates of a product, in percent."""

    lowest: Decimal
    highest: Decimal
    months: tuple[int, int]
    fee_from: Decimal


class LivingCosts(msgspec.Struct, frozen=True):
    """Dollars a month."""

    first_adult: int
    further_adult: int
    child: int
    vehicle: int


class Leaflets(msgspec.Struct, frozen=True):
    """What stands in personal_lending.yaml."""

    eligibility: Eligibility
    rates: dict[str, RateRange]
    band_widths: dict[str, tuple[int, int]]
    campaigns: dict[str, Decimal]
    autopay_off: Decimal
    living_costs: LivingCosts


@cache
def leaflets() -> Leaflets:
    """Return the tables."""
    folder = resources.files("teller_gym.scenarios.distractors.financial.personal_lending")
    return msgspec.yaml.decode(folder.joinpath("personal_lending.yaml").read_bytes(), type=Leaflets)
