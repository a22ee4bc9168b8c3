"""Report of ``teller-gym check``, with one item per claim and its measured figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


class ProofItem(msgspec.Struct, frozen=True, kw_only=True):
    """A claim about an env and the result of its check.

    Attributes:
        figure: the measurement as text.
        measured: the measurement as data.
        problems: the first few counterexamples.
        details: lines of a table that is always shown.
    """

    name: str
    claim: str
    passed: bool
    figure: str
    measured: dict[str, Any] = {}
    problems: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


class ProofReport(msgspec.Struct, frozen=True, kw_only=True):
    """Results of all checks on an env, in order."""

    env_id: str
    scenario: str
    items: tuple[ProofItem, ...]

    @property
    def passed(self) -> bool:
        """True if every claim passed."""
        return all(item.passed for item in self.items)

    def table(self) -> str:
        """Format the report as text, with a row for each item and the first problems of failed items."""
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
        """Format the report as indented JSON with an overall ``passed``."""
        document = {"env_id": self.env_id, "scenario": self.scenario, "passed": self.passed, "items": self.items}
        return msgspec.json.format(msgspec.json.encode(document), indent=2)


MOST_PROBLEMS = 5
"""Maximum number of problems shown per item."""


def item(
    name: str,
    claim: str,
    figure: str,
    problems: list[str],
    measured: dict[str, Any] | None = None,
    details: Sequence[str] = (),
) -> ProofItem:
    """Create an item, which passes if there are no problems; only the first problems are stored."""
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
