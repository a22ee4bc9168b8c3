"""Standard operating procedures, with two renderings of one YAML source.

All numbers are filled in from the policy.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from teller_gym.base.errors import OptionError, ScenarioError
from teller_gym.base.money import fmt_usd

RENDERINGS = ("abstract", "explicit")
OUTPUT_HEADING = "## 6. Output"
GATE = "only then go on"
"""Phrase, in lower case, that every gate's text contains."""


class Abstraction(StrEnum):
    """Ways in which the abstract rendering gives less guidance than the explicit one."""

    IMPLICIT_DECISION = "implicit_decision"
    AMBIGUOUS_EXPRESSION = "ambiguous_expression"
    MULTI_PATH = "multi_path"


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sub-step of the main procedure.

    ``abstract`` replaces ``explicit`` in the abstract rendering; ``found_in`` then names where the omitted content can
    be found: ``definition:<id>``, ``table:<id>``, ``tool:<name>``, ``clause:<id>``. ``nodes`` are the tools of the
    clause, and ``does`` those that are called at this point. Everything up to a ``gate`` must be done before anything
    after it, as the gate's text says (:data:`GATE`).
    """

    id: str
    nodes: tuple[str, ...]
    explicit: str
    does: tuple[str, ...] = ()
    gate: bool = False
    abstract: str | None = None
    abstraction: Abstraction | None = None
    found_in: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbered step of the main procedure."""

    id: str
    title: str
    clauses: tuple[Clause, ...]


class Definition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Defined term, to which rules and ``found_in`` refer by id."""

    id: str
    term: str
    text: str


class SopTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Table in the definitions section, whose cells may contain placeholders."""

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Place(NamedTuple):
    """Place of a clause in the document: its position, its id, and its step's id."""

    position: int
    clause: str
    step: str


class Course(NamedTuple):
    """Order of the procedure, with the place of each tool and the gates in document order."""

    homes: dict[str, Place]
    gates: tuple[Place, ...]


class Sop(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Contents of ``sop.yaml``."""

    title: str
    purpose: str
    scope: str
    definitions: tuple[Definition, ...] = ()
    tables: tuple[SopTable, ...] = ()
    input: str
    steps: tuple[Step, ...]
    output: str

    def clauses(self) -> dict[str, Clause]:
        """Return all sub-steps by id, in document order."""
        return {clause.id: clause for step in self.steps for clause in step.clauses}

    def course(self) -> Course:
        """Return the places of tools and gates."""
        places = [
            (clause, Place(position, clause.id, step))
            for position, (step, clause) in enumerate(
                (step.id, clause) for step in self.steps for clause in step.clauses
            )
        ]
        homes = {name: place for clause, place in places for name in clause.does}
        return Course(homes, tuple(place for clause, place in places if clause.gate))

    def rule_ids(self) -> set[str]:
        """Return the ids to which a solver's rules may refer, which are those of clauses, definitions and tables."""
        return {*self.clauses(), *(d.id for d in self.definitions), *(t.id for t in self.tables)}

    def check(self, nodes: Mapping[str, Any], tools: Mapping[str, Any]) -> None:
        """Check ids, nodes, abstractions and gates.

        Every node must have exactly one place.

        Raises:
            ScenarioError: the document is inconsistent; the message describes the first contradiction.
        """
        ids = [c.id for s in self.steps for c in s.clauses] + [d.id for d in self.definitions]
        ids += [t.id for t in self.tables]
        if len(set(ids)) != len(ids):
            raise ScenarioError("sop.yaml: an id is used twice")
        known = {f"clause:{i}" for i in self.clauses()} | {f"definition:{d.id}" for d in self.definitions}
        known |= {f"table:{t.id}" for t in self.tables} | {f"tool:{name}" for name in tools}
        for clause in self.clauses().values():
            if not clause.nodes or any(name not in nodes for name in clause.nodes):
                raise ScenarioError(f"SOP {clause.id}: expected nodes of the graph, got {clause.nodes}")
            if (clause.abstract is None) != (clause.abstraction is None) or bool(clause.found_in) != bool(
                clause.abstract
            ):
                raise ScenarioError(f"SOP {clause.id}: abstract, abstraction and found_in go together")
            for place in clause.found_in:
                if place not in known:
                    raise ScenarioError(f"SOP {clause.id}: found_in {place!r} does not exist")
            for text in (clause.explicit, clause.abstract or clause.explicit):
                if clause.gate != (GATE in " ".join(text.split()).casefold()):
                    raise ScenarioError(
                        f"SOP {clause.id}: a clause says {GATE!r} in both renderings if and only if it has "
                        f"'gate: true', got {text.strip()!r}"
                    )
        self._check_places(nodes)

    def _check_places(self, nodes: Mapping[str, Any]) -> None:
        """Check that each node is in the ``does`` of exactly one clause, and also in that clause's ``nodes``."""
        done: dict[str, str] = {}
        for clause in self.clauses().values():
            for name in clause.does:
                if name not in clause.nodes or name in done:
                    reason = f"clause {done[name]} does it" if name in done else "it is not among its nodes"
                    raise ScenarioError(f"SOP {clause.id}: it cannot do {name!r}: {reason}")
                done[name] = clause.id
        if missing := [name for name in nodes if name not in done]:
            raise ScenarioError(f"SOP: expected a clause with 'does: [{missing[0]}]', there is none")

    def render(self, rendering: str, policy: Any) -> str:
        """Render the document as Markdown, with placeholders filled from the policy.

        Raises:
            OptionError: the rendering is unknown.
        """
        if rendering not in RENDERINGS:
            raise OptionError(f"sop: expected one of {', '.join(RENDERINGS)}, got {rendering!r}")
        lines = [f"# {self.title}", "## 1. Purpose", self.purpose, "## 2. Scope", self.scope, "## 3. Definitions"]
        lines += [f"- **{d.id} {d.term}**: {d.text.strip()}" for d in self.definitions]
        for table in self.tables:
            lines += ["", f"Table {table.id}: {table.title}", ""]
            lines += [_row(table.columns), _row("---" for _ in table.columns), *map(_row, table.rows)]
        lines += ["", "## 4. Input", self.input, "## 5. Main procedure"]
        for step in self.steps:
            lines.append(f"### {step.id} {step.title}")
            for clause in step.clauses:
                text = clause.abstract if rendering == "abstract" and clause.abstract else clause.explicit
                lines.append(f"{clause.id} {text.strip()}")
        lines += [OUTPUT_HEADING, self.output]
        return fill("\n".join(line.rstrip() for line in lines), policy) + "\n"


def _row(cells: Any) -> str:
    return "| " + " | ".join(cells) + " |"


def load_sop(text: str | bytes) -> Sop:
    """Parse ``sop.yaml``.

    Raises:
        ScenarioError: the file is invalid.
    """
    try:
        return msgspec.yaml.decode(text, type=Sop)
    except msgspec.MsgspecError as error:
        raise ScenarioError(f"sop.yaml: {error}") from None


class _PolicyFormatter(string.Formatter):
    """Formatter that fills placeholders such as ``{home.min_amount:usd}`` with policy values.

    Formats are ``usd`` (of cents), ``percent`` (of basis points), ``rate`` (of thousandths of a percent) and ``list``.
    """

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> tuple[Any, str]:
        value = kwargs["policy"]
        for part in field_name.split("."):
            if isinstance(value, Mapping):
                value = value[int(part) if part.isdigit() else part]
            elif isinstance(value, tuple):
                value = value[int(part)]
            else:
                value = getattr(value, part)
        return value, field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        match format_spec:
            case "usd":
                return fmt_usd(value)
            case "percent":
                return f"{value // 100}.{value % 100:02d}"
            case "rate":
                return f"{value // 1000}.{value % 1000:03d}"
            case "list":
                return ", ".join(str(item) for item in value)
            case _:
                return str(value)


def fill(text: str, policy: Any) -> str:
    """Fill a text's placeholders with policy values.

    Raises:
        ScenarioError: a placeholder does not exist in the policy.
    """
    try:
        return _PolicyFormatter().vformat(text, (), {"policy": policy})
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ScenarioError(f"SOP placeholder without a value in the policy: {error}") from None
