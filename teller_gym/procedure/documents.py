"""Access to the documents in a scenario's folder, most of which are optional."""

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
    """Reads the files and optional modules in the folder of a scenario's ``package``."""

    def __init__(self, name: str, package: str) -> None:
        self.name = name
        self.package = package

    def document(self, name: str) -> bytes:
        """Read a file in the scenario's folder.

        Raises:
            ScenarioError: the file does not exist.
        """
        found = self.optional_document(name)
        if found is None:
            raise ScenarioError(f"{self.name}: expected {name} in the folder of {self.package}, there is none")
        return found

    def optional_document(self, name: str) -> bytes | None:
        """Read a file in the scenario's folder, and return None if it does not exist."""
        file = resources.files(self.package).joinpath(name)
        return file.read_bytes() if file.is_file() else None

    @cached_property
    def policy_rules(self) -> tuple[Rule, ...]:
        """Rules by which a policy shift redraws values, or an empty tuple without a ``policy_shift.yaml``."""
        return load_rules(self.optional_document("policy_shift.yaml") or b"[]")

    @cached_property
    def withheld_branches(self) -> tuple[dict[str, str], ...]:
        """Combinations of decision point outcomes that occur only in the split ``heldout_branch``."""
        text = self.optional_document("withheld_branches.yaml") or b"[]"
        return msgspec.yaml.decode(text, type=tuple[dict[str, str], ...])

    @cached_property
    def lapses(self) -> dict[str, Lapse]:
        """Lapses by name, or an empty dictionary if the scenario has no module ``lapses``."""
        return load_lapses(self.package)[0]

    @cached_property
    def clean_paths(self) -> dict[str, Expert]:
        """Agents that repeat an ordinary case's calls from memory; see :mod:`teller_gym.procedure.lapses`."""
        return load_lapses(self.package)[1]

    @cached_property
    def working(self) -> Expert | None:
        """Expert that writes notes, or None if the scenario has no module ``working``."""
        return load_working(self.package)

    @cached_property
    def injections(self) -> dict[str, Injection]:
        """Injected instructions by id, or an empty dictionary without an ``injections.yaml``."""
        text = self.optional_document("injections.yaml") or self.optional_document("generator/injections.yaml")
        return {injection.id: injection for injection in load_injections(text)}

    @cached_property
    def wordings(self) -> dict[str, Alternatives]:
        """Alternative tool descriptions for shifted schemas, or an empty dictionary without a ``wordings.yaml``."""
        text = self.optional_document("wordings.yaml") or b"{}"
        return msgspec.yaml.decode(text, type=dict[str, Alternatives])

    def is_withheld(self, branches: Mapping[str, str]) -> bool:
        """Return True if a case with these branches is reserved for the split ``heldout_branch``."""
        return any(all(branches.get(k) == v for k, v in combination.items()) for combination in self.withheld_branches)
