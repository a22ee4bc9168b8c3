"""Sizes of scenarios, as measured and as the benchmark states them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tables.model import NOTHING
from teller_gym.tables.text import text_table
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.tool import Category
from teller_gym.variation.pool import ALL, parse_count, tools_in_play

ROWS = {
    "instances": "frozen instances",
    "heldout": "of these held out",
    "validation": "of these for validation",
    "nodes": "graph nodes",
    "edges": "graph edges",
    "outputs": "output fields in the final review",
    "pool": "tools in the full pool",
    "financial": "of these financial distractors",
    "general": "of these other distractors",
    "core": "of these graph nodes",
    "auxiliary": "of these auxiliary tools",
}
"""Measured sizes of a scenario, and the words for them."""

_DIFFERS = "<> "


def measured_sizes(scenario: str) -> dict[str, int]:
    """Return the sizes of a scenario as its files and tools have them, by the keys of :data:`ROWS`."""
    loaded, tasks = load_scenario(scenario), frozen_tasks(scenario).values()
    splits = [task.split for task in tasks]
    pool = tools_in_play(scenario, parse_count(ALL), "")
    return {
        "instances": len(splits),
        "heldout": splits.count(Split.HELDOUT),
        "validation": splits.count(Split.VALIDATION),
        "nodes": len(loaded.graph.nodes),
        "edges": len(loaded.graph.edges),
        "outputs": len(loaded.output_fields),
        "pool": len(pool),
        "financial": len(pool.of(Category.FINANCIAL_DISTRACTOR)),
        "general": len(pool.of(Category.GENERAL_DISTRACTOR)),
        "core": sum(tool.name in loaded.graph.nodes for tool in pool.values()),
        "auxiliary": len(pool.of(Category.AUXILIARY)),
    }


def stated_sizes(scenario: str) -> dict[str, int]:
    """Return the sizes that the benchmark states for a scenario; nothing for one that it does not know."""
    text = resources.files("teller_gym.proof").joinpath("expected.yaml").read_bytes()
    stated = msgspec.yaml.decode(text, type=dict[str, dict[str, int]]).get(scenario, {})
    return stated | ({"core": stated["nodes"]} if "nodes" in stated else {})


def sizes(env_id: str) -> ProofItem:
    """Check that graph, tools, output fields and frozen instances have the sizes that the benchmark states."""
    scenario = subject(env_id).scenario.name
    found, stated = measured_sizes(scenario), stated_sizes(scenario)
    problems = [f"expected {stated[key]} {key}, got {found[key]}" for key in stated if stated[key] != found[key]]
    figure = ", ".join(f"{count} {name}" for name, count in found.items())
    claim = "sizes are those of the benchmark" if stated else "sizes (the benchmark states none)"
    return item("sizes", claim, figure, problems, {"found": found, "stated": stated})


def of_benchmark(scenario: str) -> bool:
    """Return True if a scenario is one of the benchmark's, about which more is claimed than about a user's own."""
    return bool(stated_sizes(scenario))


def not_measured(name: str, claim: str, scenario: str, document: str) -> ProofItem:
    """Return the item of a claim that a scenario has no document for: it fails only for those of the benchmark."""
    problems = [f"{document} is missing in the scenario's folder"] if of_benchmark(scenario) else []
    return item(name, claim, f"not measured: the scenario has no {document}", problems)


class Benchmark(msgspec.Struct, frozen=True):
    """Sizes of scenarios, measured and stated: a number by scenario and key of :data:`ROWS`."""

    measured: dict[str, dict[str, int]]
    stated: dict[str, dict[str, int]]

    @classmethod
    def of(cls, scenarios: Sequence[str]) -> Benchmark:
        """Measure scenarios and read what the benchmark states of them."""
        return cls({name: measured_sizes(name) for name in scenarios}, {name: stated_sizes(name) for name in scenarios})

    def differences(self) -> list[str]:
        """Return a complaint for each size that is not as stated."""
        return [
            f"{scenario}: {ROWS[key]}: expected {number}, got {self.measured[scenario][key]}"
            for scenario, stated in self.stated.items()
            for key, number in stated.items()
            if self.measured[scenario][key] != number
        ]

    def table(self) -> str:
        """Return the measured and stated sizes as text, a row for each size, with a mark where the two differ."""
        scenarios = list(self.measured)
        body = [[words, *(self._cell(scenario, key) for scenario in scenarios)] for key, words in ROWS.items()]
        return text_table([f"measured / stated ({_DIFFERS.strip()} where they differ)", *scenarios], body)

    def _cell(self, scenario: str, key: str) -> str:
        measured, stated = self.measured[scenario][key], self.stated[scenario].get(key)
        if stated is None:
            return f"{measured} / {NOTHING}"
        return f"{'' if measured == stated else _DIFFERS}{measured} / {stated}"
