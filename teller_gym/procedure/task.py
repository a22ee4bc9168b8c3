"""Frozen data of one instance: the bank, the request, and the standard result."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Any

import msgspec

from teller_gym.tools.bank import Record
from teller_gym.tools.call import Call


class Split(StrEnum):
    """The tasks from which ``reset`` draws."""

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
"""Frozen splits that show whether an agent reads or remembers."""

EVALUATION_SPLITS = (Split.VALIDATION, Split.HELDOUT, *VARIANT_SPLITS)
"""Splits for measurement, which no model may be trained on."""

OFFICE_EVALUATION_SPLITS = (Split.VALIDATION, Split.HELDOUT, Split.HELDOUT_WORLDS)
"""The splits of office work for measurement."""


class StandardResult(msgspec.Struct, frozen=True):
    """The expert's calls, in order, and the output fields it recorded."""

    calls: tuple[Call, ...]
    outputs: dict[str, Any]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One instance.

    Attributes:
        id: such as ``loans-0042``; generated ones are ``loans-g-<seed>``.
        seed: the generator's number for it.
        today: the business date.
        request: the user's request in words.
        case_id: id of the case.
        owners: ids that belong to the case; writing for any other is collateral damage.
        tables: the small bank at the start: table, key, record (money in integer cents, dates as ISO text).
        branches: outcome of each decision point, as the solver reports it.
        tags: boundary values and traps that the generator put in.
        fingerprint: of the case's existing fields; equal for cases that differ only in ids.
        policy: values of the policy that differ from the default, as in JSON; mostly empty.
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
