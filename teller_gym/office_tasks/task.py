"""Office tasks, each in one office and with one of two wordings."""

from __future__ import annotations

import importlib
from datetime import date

import msgspec

from teller_gym.base.text import fingerprint
from teller_gym.procedure.task import Split, StandardResult


class OfficeTask(msgspec.Struct, frozen=True, kw_only=True):
    """An office task.

    Attributes:
        id: task id, such as ``wealth-net_worth-high`` or, for generated tasks, ``wealth-g-<seed>``.
        scenario: name of the scenario, such as ``wealth``.
        kind: task kind, such as ``net_worth``.
        autonomy: ``high`` if the request is brief, ``low`` if it specifies sources, columns and delivery.
        seed: the office's seed.
        split: split of the task.
        today: date of the office's day.
        level: 1 retrieval, 2 analysis, 3 synthesis and communication.
        request: text of the request.
        checkpoints: names of the checkpoints.
        module: import path of the scenario's module; see `contract.load_office`.
    """

    id: str
    scenario: str
    kind: str
    autonomy: str
    seed: int
    split: Split
    today: date
    level: int
    request: str
    checkpoints: tuple[str, ...]
    module: str

    @property
    def standard(self) -> StandardResult:
        """The expert's calls and deliverables."""
        found: StandardResult = importlib.import_module(self.module).OFFICE.standard(self)
        return found

    @property
    def title(self) -> str:
        """Title of the task kind, such as Net Worth Snapshot."""
        found: str = importlib.import_module(self.module).OFFICE.title(self)
        return found

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the task and its office, which is the same for both wordings."""
        return fingerprint([self.scenario, self.kind, self.seed])

    @property
    def branches(self) -> dict[str, str]:
        """Strata over which evaluations spread a subset of a split."""
        return {"kind": self.kind, "autonomy": self.autonomy}
