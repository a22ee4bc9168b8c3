"""The checks of each kind of env, in the order in which they are reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from teller_gym.agents import CHEAP_AGENTS
from teller_gym.agents.days import CARELESS_DAY_AGENTS, CHEAP_DAY_AGENTS
from teller_gym.agents.offices import CHEAP_OFFICE_AGENTS
from teller_gym.proof import (
    acts,
    agreement,
    answers,
    by_heart,
    cheap,
    cues,
    days,
    distractors,
    held_out,
    idle,
    injections,
    lapses,
    leaks,
    mixed,
    mutation,
    offices,
    reconstruction,
    repeatable,
    side_effects,
    solvable,
    structure,
    temptation,
    variations,
)
from teller_gym.proof.play import Kind
from teller_gym.proof.running import Check
from teller_gym.variation.pool import ALL


class Sample(NamedTuple):
    """Sample sizes of the checks; None means all there is.

    Attributes:
        generated: fresh instances on which expert and solver are compared.
        compared: fresh instances that are compared with the frozen ones.
        mutated: instances whose standard calls are changed.
        orders: random orders for each instance.
        worked: held-out instances that are worked in other ways, right and wrong.
        seeds: episodes that are repeated.
        recipes, near: fillings of each distractor, and instances on which they are tried.
        read: instances in which distractors are read besides.
        read_around: instances in which the bank's own tools are read besides.
        lapsed: fresh instances that the expert plays with each lapse.
        numbers: fresh instances on which policy numbers are changed, besides the frozen ones.
        cued: fresh instances on which cues are looked for.
        cheap: instances that cheap agents play.
        crowded: the same with all distractors.
        mixed: instances of each scenario in an env that mixes them.
        graphs: tasks of each split in an env of stage 1.
        varied: fresh instances that the oracle plays under each randomisation.
        together: the same under all randomisations at once.
        variants: tasks of each held-out split that varies something.
        cheap_varied: instances that cheap agents play under each randomisation.
        cheap_together: the same with all distractors.
        days: working days of each split.
        offices: fresh offices that the expert works in.
        perturbed: the same under each perturbation.
        office_lapsed: fresh offices in which each kind of work is done with each lapse.
    """

    generated: int = 1000
    compared: int = 1000
    mutated: int | None = None
    orders: int = 5
    worked: int | None = None
    seeds: int = 40
    recipes: int = 200
    near: int | None = None
    read: int | None = None
    read_around: int | None = None
    lapsed: int = 1000
    numbers: int = 600
    cued: int = 1500
    cheap: int | None = None
    crowded: int | None = 40
    mixed: int | None = None
    graphs: int = 50
    varied: int = 1000
    together: int = 1000
    variants: int | None = None
    cheap_varied: int = 40
    cheap_together: int = 6
    days: int | None = None
    offices: int = 1000
    perturbed: int = 1000
    office_lapsed: int = 20


FULL = Sample()
QUICK = Sample(
    generated=100,
    compared=100,
    mutated=24,
    orders=1,
    worked=8,
    seeds=8,
    recipes=30,
    near=60,
    read=24,
    read_around=60,
    lapsed=100,
    numbers=60,
    cued=800,
    cheap=40,
    crowded=4,
    mixed=24,
    graphs=8,
    varied=8,
    together=40,
    variants=6,
    cheap_varied=6,
    cheap_together=1,
    days=4,
    offices=48,
    perturbed=12,
    office_lapsed=4,
)


def execution_checks(env_id: str, sample: Sample) -> dict[str, Check]:
    """Return the checks of an env that plays one scenario."""
    found: dict[str, Check] = {
        "sizes": partial(structure.sizes, env_id),
        "graph": partial(structure.graph, env_id),
        "parameters": partial(structure.parameters, env_id),
        "gymnasium": partial(structure.gymnasium_checker, env_id),
        "frozen_bytes": partial(structure.frozen_bytes, env_id),
        "disjoint": partial(structure.disjoint, env_id),
        "leaks": partial(leaks.leaks, env_id, sample.compared),
        "oracle": partial(solvable.oracle, env_id),
        "harmless_reads": partial(solvable.harmless_reads, env_id, sample.read_around),
        "any_order": partial(solvable.any_order, env_id, sample.orders),
        "acts.right": partial(acts.right_ways, env_id, sample.worked),
        "acts.wrong": partial(acts.wrong_acts, env_id, sample.worked),
        "mutation": partial(mutation.mutation, env_id, sample.mutated),
        "repeatable": partial(repeatable.repeatable, env_id, sample.seeds),
        "agreement": partial(agreement.agreement, env_id, sample.generated),
        "most_frequent_answer": partial(answers.most_frequent_answer, env_id),
        "outcome_classes": partial(answers.outcome_classes, env_id),
        "single_fields": partial(answers.single_fields, env_id),
        "lapses": partial(lapses.every_judgement, env_id, sample.lapsed),
        "core_tools": partial(idle.core_tools, env_id),
        "clauses": partial(idle.clauses, env_id),
        "policy_numbers": partial(idle.policy_numbers, env_id, sample.numbers),
        "by_heart": partial(by_heart.clean_paths, env_id),
        "brute_force_codes": partial(by_heart.brute_force_codes, env_id),
        "injections": partial(injections.injected_instructions, env_id, sample.compared),
        "cues": partial(cues.no_cue, env_id, sample.cued),
        "near_misses": partial(distractors.near_misses, env_id, sample.recipes, sample.near),
        "distractor_effects": partial(side_effects.side_effects, env_id, sample.read),
        "distractor_temptation": partial(temptation.temptation, env_id),
        "heldout.policy": partial(held_out.stubborn_reader, env_id),
        "heldout.branches": partial(held_out.withheld_branches, env_id, sample.generated),
        "heldout.schemas": partial(held_out.schema_names, env_id),
        "varied.oracle": partial(variations.varied_oracle, env_id, sample.varied, sample.together, sample.variants),
    }
    found |= {f"cheap.{name}": partial(cheap.cheap_agent, env_id, name, 0, sample.cheap) for name in CHEAP_AGENTS}
    found |= {f"crowded.{name}": partial(cheap.cheap_agent, env_id, name, ALL, sample.crowded) for name in CHEAP_AGENTS}
    varied = (sample.cheap_varied, sample.cheap_together, sample.variants)
    return found | {f"varied.{name}": partial(variations.varied_cheap, env_id, name, *varied) for name in CHEAP_AGENTS}


def mixed_checks(env_id: str, sample: Sample) -> dict[str, Check]:
    """Return the checks of an env that mixes scenarios; what each scenario claims is checked in its own env."""
    return {
        "gymnasium": partial(structure.gymnasium_checker, env_id),
        "scenarios": partial(mixed.every_scenario, env_id, 50),
        "oracle": partial(mixed.mixed_oracle, env_id, sample.mixed),
        "repeatable": partial(repeatable.repeatable, env_id, sample.seeds),
    }


def graph_checks(env_id: str, sample: Sample) -> dict[str, Check]:
    """Return the checks of an env of stage 1."""
    return {
        "gymnasium": partial(structure.gymnasium_checker, env_id),
        "graph.gold": partial(reconstruction.gold_answer, env_id, sample.graphs),
        "graph.empty": partial(reconstruction.empty_answer, env_id, sample.graphs),
        "graph.complete": partial(reconstruction.complete_answer, env_id, sample.graphs),
        "graph.spoilt": partial(reconstruction.spoilt_answers, env_id, sample.graphs),
        "graph.lexical": partial(reconstruction.lexical_answer, env_id, sample.graphs),
        "graph.pools": partial(reconstruction.pools_apart, env_id, sample.graphs),
        "repeatable": partial(repeatable.repeatable, env_id, sample.seeds),
    }


def day_checks(env_id: str, sample: Sample) -> dict[str, Check]:
    """Return the checks of an env of working days; what each scenario claims is checked in its own env."""
    found: dict[str, Check] = {
        "gymnasium": partial(structure.gymnasium_checker, env_id),
        "frozen_bytes": partial(days.frozen_days, env_id, sample.days),
        "disjoint": partial(days.disjoint, env_id, sample.days),
        "law": partial(days.every_rule_counts, env_id, sample.days),
        "oracle": partial(days.day_oracle, env_id, sample.days),
        "repeatable": partial(repeatable.repeatable, env_id, min(sample.seeds, 8)),
        "difficulty": partial(days.difficulty_grows, env_id, sample.days),
    }
    found |= {f"cheap.{name}": partial(days.cheap, env_id, name, sample.days) for name in CHEAP_DAY_AGENTS}
    return found | {
        f"careless.{name}": partial(days.careless, env_id, name, sample.days) for name in CARELESS_DAY_AGENTS
    }


def office_checks(env_id: str, sample: Sample) -> dict[str, Check]:
    """Return the checks of an env of office work."""
    found: dict[str, Check] = {
        "gymnasium": partial(structure.gymnasium_checker, env_id),
        "sizes": partial(offices.office_sizes, env_id),
        "frozen_bytes": partial(offices.frozen_offices, env_id),
        "disjoint": partial(offices.offices_differ, env_id, sample.offices),
        "wordings": partial(offices.requests_differ, env_id),
        "oracle": partial(offices.office_oracle, env_id, sample.offices, sample.perturbed),
        "lapses": partial(offices.office_lapses, env_id, sample.office_lapsed),
        "orders": partial(offices.office_orders, env_id),
        "repeatable": partial(repeatable.repeatable, env_id, min(sample.seeds, 8)),
    }
    return found | {f"cheap.{name}": partial(offices.office_cheap, env_id, name) for name in CHEAP_OFFICE_AGENTS}


CHECKS: Mapping[Kind, Callable[[str, Sample], dict[str, Check]]] = {
    Kind.EXECUTION: execution_checks,
    Kind.MIXED: mixed_checks,
    Kind.GRAPH: graph_checks,
    Kind.DAY: day_checks,
    Kind.OFFICE: office_checks,
}
"""The checks of each kind: a function of the env's id and of how much to look at."""

OF_THE_BENCHMARK = frozenset({"sizes", "parameters"})
"""Checks that a scenario is as large as those of the benchmark; a smaller one can be sound without them."""

LONG = (
    "crowded.call_everything",
    "varied.call_everything",
    "varied.oracle",
    "near_misses",
    "varied.repeat",
    "varied.random",
    "mutation",
    "cheap.brute_force",
    "cheap.call_everything",
    "distractor_effects",
    "lapses",
    "agreement",
    "cheap.repeat",
    "any_order",
)
"""Checks that take long, the longest first: they are begun first, so that none is left over at the end."""
