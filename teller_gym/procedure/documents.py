"""The documents in a scenario's folder, most of which are optional."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib import resources

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.injections import Injection, load_injections
from teller_gym.procedure.lapses import Expert, Lapse, load_lapses
from teller_gym.procedure.policy_rules import Rule, load_rules
from teller_gym.procedure.wordings import Alternatives
from teller_gym.procedure.working import load_working


class Documents:
    """The files of a scenario's folder, and the modules that may be beside them.

    Args:
        name: of the scenario.
        package: name of the module whose folder holds the documents.
    """

    def __init__(self, name: str, package: str) -> None:
        self.name = name
        self.package = package

    def document(self, name: str) -> bytes:
        """Return a file of the scenario's folder.

        Raises:
            ScenarioError: there is none.
        """
        found = self.optional_document(name)
        if found is None:
            raise ScenarioError(f"{self.name}: expected {name} in the folder of {self.package}, there is none")
        return found

    def optional_document(self, name: str) -> bytes | None:
        """Return a file of the scenario's folder; None if there is none."""
        file = resources.files(self.package).joinpath(name)
        return file.read_bytes() if file.is_file() else None

    @cached_property
    def policy_rules(self) -> tuple[Rule, ...]:
        """The rules by which a policy shift redraws values; none without a ``policy_shift.yaml``."""
        return load_rules(self.optional_document("policy_shift.yaml") or b"[]")

    @cached_property
    def withheld_branches(self) -> tuple[dict[str, str], ...]:
        """Combinations of outcomes of decision points that occur only in the split ``heldout_branch``."""
        text = self.optional_document("withheld_branches.yaml") or b"[]"
        return msgspec.yaml.decode(text, type=tuple[dict[str, str], ...])

    @cached_property
    def lapses(self) -> dict[str, Lapse]:
        """The expert with one judgement left out, by the judgement's name; none if there is no module ``lapses``."""
        return load_lapses(self.package)[0]

    @cached_property
    def clean_paths(self) -> dict[str, Expert]:
        """Agents that know the calls of an ordinary case by heart; see :mod:`teller_gym.procedure.lapses`."""
        return load_lapses(self.package)[1]

    @cached_property
    def working(self) -> Expert | None:
        """The expert that notes its working; None if the scenario has no module ``working``."""
        return load_working(self.package)

    @cached_property
    def injections(self) -> dict[str, Injection]:
        """Instructions that records may hold, by id; none if there is no ``injections.yaml``."""
        text = self.optional_document("injections.yaml") or self.optional_document("generator/injections.yaml")
        return {injection.id: injection for injection in load_injections(text)}

    @cached_property
    def wordings(self) -> dict[str, Alternatives]:
        """Other descriptions of the tools, for shifted schemas; none if the scenario has no ``wordings.yaml``."""
        text = self.optional_document("wordings.yaml") or b"{}"
        return msgspec.yaml.decode(text, type=dict[str, Alternatives])

    def is_withheld(self, branches: Mapping[str, str]) -> bool:
        """Return True if a case that takes these branches is kept for the split ``heldout_branch``."""
        return any(all(branches.get(k) == v for k, v in combination.items()) for combination in self.withheld_branches)
