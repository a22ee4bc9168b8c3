"""Tool pool under a shifted schema."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any

import msgspec

from teller_gym.base.errors import ScenarioError, ToolError
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.sop import OUTPUT_HEADING
from teller_gym.procedure.wordings import Wordings
from teller_gym.tools.tool import Tool, ToolSet
from teller_gym.variation.options import is_heldout
from teller_gym.variation.results import snake
from teller_gym.variation.schema.face import Face, choices_of
from teller_gym.variation.schema.fields import FieldNames, Rows, result_names
from teller_gym.variation.schema.naming import Naming, replace_names

_SPLIT_TOOLS = 0.25
"""Share of tools with a small enumeration parameter that are split into one tool per choice."""
_MOST_CHOICES = 3
_ATTEMPTS = 50

Plan = list[tuple[Tool, str, dict[str, Any]]]
"""Original tool, new name, and the argument contained in the name, for each shown tool."""


class ShiftedTools(ToolSet):
    """Tools of a pool as shown in a shifted schema, with conversions in both directions."""

    def __init__(
        self, originals: ToolSet, plan: Plan, naming: Naming, key: str, wordings: Wordings, rows: Rows
    ) -> None:
        self._originals = originals
        self._names: dict[str, tuple[str, ...]] = {}
        for tool, new, _ in plan:
            self._names[tool.name] = (*self._names.get(tool.name, ()), new)
        fields = _field_names(originals.values(), rows)
        self._fields = FieldNames(originals, naming, rows)
        values: frozenset[str] = frozenset().union(*map(_choices, originals.values()))
        self._there = {name: naming.of_parameter(name) for name in fields if "_" in name and name not in values}
        self._there |= {name: " or ".join(shown) for name, shown in self._names.items()}
        self._back = {new: old for old, shown in self._names.items() for new in shown}
        draw = random.Random(f"order/{key}").random
        faces = [
            Face(tool, new, naming, key, self._there, fixed, naming.wording(wordings, tool))
            for tool, new, fixed in plan
        ]
        super().__init__(sorted(faces, key=lambda _: draw()))
        self._faces: dict[str, list[Face]] = {}
        for face in faces:
            self._faces.setdefault(face.original.name, []).append(face)

    @property
    def originals(self) -> ToolSet:
        """Pool with the original names."""
        return self._originals

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Shown names of each original tool, of which a split tool has several."""
        return self._names

    def reword(self, text: str) -> str:
        """Replace the names of tools in a text, and names of fields that have two or more words."""
        return replace_names(text, self._there)

    def reword_outputs(self, sop: str, submit: str) -> str:
        """Rename the output fields in an SOP's last section to those of the submitting tool."""
        before, heading, section = sop.rpartition(OUTPUT_HEADING)
        words, colon, fields = section.partition(":")
        names = {name: new for face in self._faces[submit] for name, new in face.renamed().items()}
        named = {name: new if isinstance(new, str) else "/".join(new) for name, new in names.items()}
        return f"{before}{heading}{words}{colon}{replace_names(fields, named)}"

    def shown_field(self, tool: str, name: str) -> str:
        """Return the name of a result field in the shifted schema."""
        return self._fields.new(tool, name)

    def shown_result(self, tool: str, result: str) -> str:
        """Convert the field names in an original tool's result to the shifted schema."""
        return self._fields.rewrite(result, partial(self._fields.new, tool))

    def shown_error(self, error: ToolError) -> ToolError:
        """Convert the names in an original tool's error to the shifted schema."""
        faces = self._faces.get(error.tool or "")
        return faces[0].shown_error(error) if faces else error

    def write(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Convert an original call to the shifted schema; a call of an unknown tool is unchanged."""
        faces = self._faces.get(name)
        if faces is None:
            return name, dict(arguments)
        fits = (f for f in faces if all(arguments.get(fixed) == value for fixed, value in f.fixed.items()))
        face = next(fits, faces[0])
        return face.name, face.write(arguments)

    def read(self, text: str, name: str | None = None) -> str:
        """Convert a shown result or error, perturbed or not, back to the original schema.

        Args:
            text: result or error.
            name: original name of the tool.
        """
        if not text.startswith('{"error"'):
            return self._fields.rewrite(text, partial(self._fields.old, name or "")) if text else text
        text = replace_names(text, self._back)
        if name not in self._faces:
            return text
        error = msgspec.json.decode(text)["error"]
        own = self.own_field(name, error["field"])
        changed = own != error["field"]
        return msgspec.json.encode({"error": {**error, "field": own}}).decode() if changed else text

    def own_field(self, tool: str | None, shown: str | None) -> str | None:
        """Return the original name of a parameter, given its shown name."""
        faces = self._faces.get(tool or "", ())
        return next((own for face in faces if (own := face.original_field(shown)) not in (None, shown)), shown)

    def mapping(self) -> dict[str, Any]:
        """Return each shown tool's original name, its fixed argument, and the new names of its fields."""
        return {
            face.name: {
                "tool": face.original.name,
                "fixed": face.fixed,
                "parameters": face.renamed(),
                "outputs": dict(zip(face.original.outputs, face.outputs, strict=True)),
            }
            for faces in self._faces.values()
            for face in faces
        }


def shift_tools(tools: ToolSet, key: str, scenario: Scenario) -> ShiftedTools:
    """Return tools under the shifted schema of a key, with the scenario's own synonyms and descriptions.

    Raises:
        ScenarioError: two tools, or two parameters of a tool, would have the same name.
    """
    rows = {group: tuple(field.name for field in fields) for group, fields in scenario.template.groups().items()}
    reason = ""
    for attempt in range(_ATTEMPTS):
        own = key if attempt == 0 else f"{key}/again {attempt}"
        naming = Naming(own, is_heldout(key), scenario.name)
        plan = [entry for tool in tools.values() for entry in _plan(tool, naming, own, tool.name != scenario.submit)]
        reason = _clash(plan, naming, rows)
        if not reason:
            return ShiftedTools(tools, plan, naming, own, scenario.wordings, rows)
    raise ScenarioError(f"schema shift {key!r}: no {_ATTEMPTS} namings tell all names apart: {reason}")


def _plan(tool: Tool, naming: Naming, key: str, may_split: bool) -> Plan:
    name = naming.of_tool(tool.name)
    options = choices_of(tool, _MOST_CHOICES) if may_split else []
    rng = random.Random(f"split/{key}/{tool.name}")
    if not options or rng.random() >= _SPLIT_TOOLS:
        return [(tool, name, {})]
    parameter, words = options[int(rng.random() * len(options))]
    return [(tool, naming.of_tool(f"{tool.name}_{word}"), {parameter: word}) for word in words]


def _clash(plan: Plan, naming: Naming, rows: Rows) -> str:
    """Return a description of names that are used twice, or an empty string if there are none."""
    new = [name for _, name, _ in plan]
    if len(set(new)) < len(new):
        return f"tools {sorted(name for name in set(new) if new.count(name) > 1)}"
    for tool, _, _ in plan:
        for fields in ([p.name for p in tool.parameters], result_names(tool, rows)):
            shown = {snake(naming.of_parameter(name)) for name in fields}
            if len(shown) < len(fields):
                return f"parameters or outputs of {tool.name}"
    return ""


def _field_names(tools: Iterable[Tool], rows: Rows) -> list[str]:
    """Return the names of all parameters, outputs and row fields of tools, without duplicates."""
    names = (name for tool in tools for name in (*(p.name for p in tool.parameters), *result_names(tool, rows)))
    return list(dict.fromkeys(names))


@cache
def _choices(tool: Tool) -> frozenset[str]:
    """Return the enumerated values of a tool's parameters, which must not be replaced in texts."""
    return frozenset(value for p in tool.parameters for value in _enumerated(p.schema))


def _enumerated(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from (value for value in schema.get("enum", ()) if isinstance(value, str))
    for part in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        yield from _enumerated(part)
