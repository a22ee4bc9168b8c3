"""Frozen data of one instance: what the bank looks like, what is asked, and the standard result."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Any

import msgspec

from teller_gym.tools.bank import Record
from teller_gym.tools.call import Call


class Split(StrEnum):
    """The tasks that ``reset`` draws from."""

    TRAIN = "train"
    VALIDATION = "validation"
    HELDOUT = "heldout"
    GENERATED = "generated"
    HELDOUT_POLICY = "heldout_policy"
    """Cases under policies drawn anew."""
    HELDOUT_SCHEMA = "heldout_schema"
    """Tools under schemas made of synonyms that training never draws."""
    HELDOUT_BRANCH = "heldout_branch"
    """Combinations of branches that no other split shows."""
    HELDOUT_WORLDS = "heldout_worlds"
    """Offices that no other split shows."""


BANK_SPLITS = tuple(split for split in Split if split is not Split.HELDOUT_WORLDS)
"""Splits of the bank's scenarios."""

VARIANT_SPLITS = (Split.HELDOUT_POLICY, Split.HELDOUT_SCHEMA, Split.HELDOUT_BRANCH)
"""Frozen splits that ask whether an agent reads or remembers."""

EVALUATION_SPLITS = (Split.VALIDATION, Split.HELDOUT, *VARIANT_SPLITS)
"""Splits that measure a model: nothing may be trained on them."""

OFFICE_EVALUATION_SPLITS = (Split.VALIDATION, Split.HELDOUT, Split.HELDOUT_WORLDS)
"""The same of office work."""


class StandardResult(msgspec.Struct, frozen=True):
    """The expert's calls, in order, and the output fields it recorded."""

    calls: tuple[Call, ...]
    outputs: dict[str, Any]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One instance.

    Attributes:
        id: such as ``loans-0042``; generated ones are ``loans-g-<seed>``.
        seed: what the generator made it from.
        today: the business date.
        request: what the user asks, in words.
        case_id: the record the task is about.
        owners: ids that belong to the case; writing for any other is collateral damage.
        tables: the small bank at the start: table, key, record (money in integer cents, dates as ISO text).
        branches: outcome of each decision point, as the solver reports it.
        tags: boundary values and traps this instance was made to hold.
        fingerprint: of the case's existing fields; equal for equal cases whatever their ids.
        policy: the policy's values where they differ from the default, as JSON has them; mostly empty.
        schema: key of the shifted schema that the task is shown under; empty for the scenario's own.
    """

    id: str
    scenario: str
    seed: int
    split: Split
    today: date
    request: str
    case_id: str
    owners: tuple[str, ...]
    tables: dict[str, dict[str, Record]]
    standard: StandardResult
    branches: dict[str, str]
    tags: tuple[str, ...]
    fingerprint: str
    policy: dict[str, Any] = {}
    schema: str = ""
