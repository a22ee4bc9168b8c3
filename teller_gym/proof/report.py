"""The result of a proof: one item per claim, with its figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


class ProofItem(msgspec.Struct, frozen=True, kw_only=True):
    """One claim about an env and the findings on it.

    Attributes:
        name: short and stable, for programs.
        claim: the claim in words.
        passed: True if it holds.
        figure: the measurement in words.
        measured: the measurement for programs.
        problems: the first few cases that speak against the claim.
        details: lines of a table that is shown whether the claim holds or not.
    """

    name: str
    claim: str
    passed: bool
    figure: str
    measured: dict[str, Any] = {}
    problems: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


class ProofReport(msgspec.Struct, frozen=True, kw_only=True):
    """All items about one env, in order."""

    env_id: str
    scenario: str
    items: tuple[ProofItem, ...]

    @property
    def passed(self) -> bool:
        """True if every claim holds."""
        return all(item.passed for item in self.items)

    def table(self) -> str:
        """Return the report as text: a row for each item, with the first problems of those that failed."""
        width = max((len(item.claim) for item in self.items), default=0)
        lines = []
        for item in self.items:
            lines.append(f"{'ok  ' if item.passed else 'FAIL'}  {item.claim:<{width}}  {item.figure}")
            if not item.passed:
                lines += [f"        {problem}" for problem in item.problems]
            lines += [f"      {detail}" for detail in item.details]
        held = sum(item.passed for item in self.items)
        lines.append(f"{self.env_id}: {held} of {len(self.items)} claims hold")
        return "\n".join(lines)

    def to_json(self) -> bytes:
        """Return the report as indented JSON, with ``passed`` for the whole."""
        document = {"env_id": self.env_id, "scenario": self.scenario, "passed": self.passed, "items": self.items}
        return msgspec.json.format(msgspec.json.encode(document), indent=2)


MOST_PROBLEMS = 5
"""Problems shown for one item."""


def item(
    name: str,
    claim: str,
    figure: str,
    problems: list[str],
    measured: dict[str, Any] | None = None,
    details: Sequence[str] = (),
) -> ProofItem:
    """Return an item that passed if and only if there is no problem; the first few are kept."""
    shown = tuple(problems[:MOST_PROBLEMS])
    if len(problems) > MOST_PROBLEMS:
        shown += (f"… and {len(problems) - MOST_PROBLEMS} more",)
    return ProofItem(
        name=name,
        claim=claim,
        passed=not problems,
        figure=figure,
        measured=measured or {},
        problems=shown,
        details=tuple(details),
    )
