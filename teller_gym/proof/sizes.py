"""Sizes of scenarios, as measured and as stated by the benchmark."""

from __future__ import annotations

from importlib import resources

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.tool import Category
from teller_gym.variation.pool import ALL, parse_count, tools_in_play


def measured_sizes(scenario: str) -> dict[str, int]:
    """Count a scenario's instances, nodes, edges, outputs and tools."""
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
    """Return the benchmark's stated sizes of a scenario, or an empty dictionary for scenarios outside the benchmark."""
    text = resources.files("teller_gym.proof").joinpath("expected.yaml").read_bytes()
    stated = msgspec.yaml.decode(text, type=dict[str, dict[str, int]]).get(scenario, {})
    return stated | ({"core": stated["nodes"]} if "nodes" in stated else {})


def sizes(env_id: str) -> ProofItem:
    """Check that graph, tools, output fields and frozen instances have the sizes stated by the benchmark."""
    scenario = subject(env_id).scenario.name
    found, stated = measured_sizes(scenario), stated_sizes(scenario)
    problems = [f"expected {stated[key]} {key}, got {found[key]}" for key in stated if stated[key] != found[key]]
    figure = ", ".join(f"{count} {name}" for name, count in found.items())
    claim = "sizes are those of the benchmark" if stated else "sizes (the benchmark states none)"
    return item("sizes", claim, figure, problems, {"found": found, "stated": stated})


def of_benchmark(scenario: str) -> bool:
    """Return True if a scenario is part of the benchmark, for which more is claimed than for a user's own scenario."""
    return bool(stated_sizes(scenario))


def not_measured(name: str, claim: str, scenario: str, document: str) -> ProofItem:
    """Create the item for a claim whose document is missing.

    It fails for the benchmark's scenarios; for others it is only a note.
    """
    problems = [f"{document} is missing in the scenario's folder"] if of_benchmark(scenario) else []
    return item(name, claim, f"not measured: the scenario has no {document}", problems)
