"""Immutable data of a task: the bank, the request and the standard result."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Any

import msgspec

from teller_gym.tools.bank import Record
from teller_gym.tools.call import Call


class Split(StrEnum):
    """Set of tasks from which ``reset`` draws."""

    TRAIN = "train"
    VALIDATION = "validation"
    HELDOUT = "heldout"
    GENERATED = "generated"
    HELDOUT_POLICY = "heldout_policy"
    """Cases under redrawn policies."""
    HELDOUT_SCHEMA = "heldout_schema"
    """Cases with tool schemas whose synonyms never occur in training."""
    HELDOUT_BRANCH = "heldout_branch"
    """Cases with combinations of branches that do not occur in any other split."""
    HELDOUT_WORLDS = "heldout_worlds"
    """Offices that do not occur in any other split."""


BANK_SPLITS = tuple(split for split in Split if split is not Split.HELDOUT_WORLDS)
"""Splits of the banking scenarios."""

VARIANT_SPLITS = (Split.HELDOUT_POLICY, Split.HELDOUT_SCHEMA, Split.HELDOUT_BRANCH)
"""Frozen splits that distinguish agents that read from agents that memorise."""

EVALUATION_SPLITS = (Split.VALIDATION, Split.HELDOUT, *VARIANT_SPLITS)
"""Splits reserved for evaluation."""

OFFICE_EVALUATION_SPLITS = (Split.VALIDATION, Split.HELDOUT, Split.HELDOUT_WORLDS)
"""Office work splits reserved for evaluation."""


class StandardResult(msgspec.Struct, frozen=True):
    """Calls of the expert in order, and the output fields that it submitted."""

    calls: tuple[Call, ...]
    outputs: dict[str, Any]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One instance of a scenario.

    Attributes:
        id: id such as ``loans-0042``, or ``loans-g-<seed>`` for generated tasks.
        seed: generator seed.
        today: business date.
        request: the user's request as text.
        case_id: id of the case.
        owners: ids that belong to the case; writing records for any other id is collateral damage.
        tables: initial records by table and key (money in integer cents, dates as ISO text).
        branches: outcome of each decision point, computed by the solver.
        tags: boundary values and traps that the generator included.
        fingerprint: hash of the case's existing fields; equal for cases that differ only in ids.
        policy: values that differ from the default policy, as JSON data; usually empty.
        schema: key of the shifted schema; empty for the scenario's own schema.
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
