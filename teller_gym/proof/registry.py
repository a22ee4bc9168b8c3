"""Claims about each kind of env, in report order.

To add a claim, write a function that takes the env's id and returns one or more
:class:`~teller_gym.proof.report.ProofItem`, in a file of its own beside this one, and add it to the table below.
``instances`` is a number of frozen instances, spread over the branches or over the held-out instances (None means all),
and ``generated`` is a number of generated instances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from teller_gym.agents import CHEAP_AGENTS
from teller_gym.agents.days import CARELESS_DAY_AGENTS, CHEAP_DAY_AGENTS
from teller_gym.agents.offices import CHEAP_OFFICE_AGENTS
from teller_gym.proof import (
    answers,
    cheap,
    cues,
    days,
    graphs,
    held_out,
    injections,
    lapses,
    leaks,
    mutation,
    offices,
    repeatable,
    sizes,
    solvable,
    structure,
    unused,
    variations,
    wrong_acts,
)
from teller_gym.proof.distractors import near_answers, side_effects, similarity
from teller_gym.proof.play import Kind
from teller_gym.proof.report import ProofItem
from teller_gym.variation.pool import ALL

Check = Callable[[], ProofItem | list[ProofItem]]
Size = tuple[int | None, int | None]
"""Sample sizes for a full check and for ``--quick``; None takes everything."""


class Claim(NamedTuple):
    """Function that checks a claim.

    It has positional arguments, which follow the env's id, and sample sizes. The part of the name before a dot names a
    group for ``--only``; the size called ``n`` can be set with ``-n``.
    """

    name: str
    check: Callable[..., ProofItem | list[ProofItem]]
    fixed: tuple[Any, ...]
    sizes: Mapping[str, Size]

    def of(self, env_id: str, *, quick: bool, n: int | None = None) -> Check:
        """Return the check for an env.

        It has the smaller samples if ``quick`` is true; ``n`` overrides the size of that name.
        """
        chosen = {name: size[quick] for name, size in self.sizes.items()}
        if n is not None and "n" in chosen:
            chosen["n"] = n
        return partial(self.check, env_id, *self.fixed, **chosen)


def _claim(name: str, check: Callable[..., ProofItem | list[ProofItem]], *fixed: Any, **sizes: Size) -> Claim:
    return Claim(name, check, fixed, sizes)


_GYMNASIUM = _claim("gymnasium", structure.gymnasium_checker)
_REPEATABLE = _claim("repeatable", repeatable.repeatable, seeds=(40, 8))
_REPEATABLE_LONG = _claim("repeatable", repeatable.repeatable, seeds=(8, 8))
"""Reproducibility claim for envs with long episodes."""

_EXECUTION = (
    _claim("sizes", sizes.sizes),
    _claim("graph", structure.graph),
    _claim("parameters", structure.parameters),
    _GYMNASIUM,
    _claim("frozen_bytes", structure.frozen_bytes),
    _claim("disjoint", structure.disjoint),
    _claim("leaks", leaks.leaks, generated=(1000, 100)),
    _claim("oracle", solvable.oracle),
    _claim("harmless_reads", solvable.harmless_reads, instances=(None, 60)),
    _claim("any_order", solvable.any_order, orders=(5, 1)),
    _claim("acts.right", solvable.right_ways, instances=(None, 8)),
    _claim("acts.wrong", wrong_acts.wrong_acts, instances=(None, 8)),
    _claim("mutation", mutation.mutation, instances=(None, 24)),
    _REPEATABLE,
    _claim("agreement", answers.agreement, n=(1000, 100)),
    _claim("most_frequent_answer", answers.most_frequent_answer),
    _claim("outcome_classes", answers.outcome_classes),
    _claim("single_fields", answers.single_fields),
    _claim("lapses", lapses.every_judgement, generated=(1000, 100)),
    _claim("core_tools", unused.core_tools),
    _claim("clauses", unused.clauses),
    _claim("policy_numbers", unused.policy_numbers, generated=(600, 60)),
    _claim("by_heart", cheap.clean_paths),
    _claim("brute_force_codes", cheap.brute_force_codes),
    _claim("injections", injections.injected_instructions, generated=(1000, 100)),
    _claim("cues", cues.no_cue, instances=(1500, 800)),
    _claim("near_misses", near_answers.near_misses, most_recipes=(200, 30), instances=(None, 60)),
    _claim("distractor_effects", side_effects.side_effects, instances=(None, 24)),
    _claim("distractor_temptation", similarity.temptation),
    _claim("heldout.policy", held_out.stubborn_reader),
    _claim("heldout.branches", held_out.withheld_branches, n=(1000, 100)),
    _claim("heldout.schemas", held_out.schema_names),
    _claim("varied.oracle", variations.varied_oracle, each=(1000, 8), together=(1000, 40), variants=(None, 6)),
    *(_claim(f"cheap.{name}", cheap.cheap_agent, name, 0, instances=(None, 40)) for name in CHEAP_AGENTS),
    *(_claim(f"crowded.{name}", cheap.cheap_agent, name, ALL, instances=(40, 4)) for name in CHEAP_AGENTS),
    *(
        _claim(f"varied.{name}", cheap.varied_cheap, name, instances=(40, 6), crowded=(6, 1), variants=(None, 6))
        for name in CHEAP_AGENTS
    ),
)

CLAIMS: Mapping[Kind, tuple[Claim, ...]] = {
    Kind.EXECUTION: _EXECUTION,
    Kind.MIXED: (
        _GYMNASIUM,
        _claim("scenarios", solvable.every_scenario),
        _claim("oracle", solvable.mixed_oracle, instances=(None, 24)),
        _REPEATABLE,
    ),
    Kind.GRAPH: (
        _GYMNASIUM,
        _claim("graph.gold", graphs.gold_answer, instances=(50, 8)),
        _claim("graph.empty", graphs.empty_answer, instances=(50, 8)),
        _claim("graph.complete", graphs.complete_answer, instances=(50, 8)),
        _claim("graph.spoilt", graphs.spoilt_answers, instances=(50, 8)),
        _claim("graph.lexical", graphs.lexical_answer, instances=(50, 8)),
        _claim("graph.pools", graphs.pools_apart, instances=(50, 8)),
        _REPEATABLE,
    ),
    Kind.DAY: (
        _GYMNASIUM,
        _claim("frozen_bytes", days.frozen_days, each=(None, 4)),
        _claim("disjoint", days.disjoint, each=(None, 4)),
        _claim("law", days.every_rule_counts, each=(None, 4)),
        _claim("oracle", days.day_oracle, each=(None, 4)),
        _REPEATABLE_LONG,
        _claim("difficulty", days.difficulty_grows, each=(None, 4)),
        *(_claim(f"cheap.{name}", days.cheap, name, each=(None, 4)) for name in CHEAP_DAY_AGENTS),
        *(_claim(f"careless.{name}", days.careless, name, each=(None, 4)) for name in CARELESS_DAY_AGENTS),
    ),
    Kind.OFFICE: (
        _GYMNASIUM,
        _claim("sizes", offices.office_sizes),
        _claim("frozen_bytes", offices.frozen_offices),
        _claim("disjoint", offices.offices_differ, fresh=(1000, 48)),
        _claim("wordings", offices.requests_differ),
        _claim("oracle", offices.office_oracle, fresh=(1000, 48), perturbed=(1000, 12)),
        _claim("lapses", offices.office_lapses, fresh=(20, 4)),
        _claim("orders", offices.office_orders),
        _REPEATABLE_LONG,
        *(_claim(f"cheap.{name}", offices.office_cheap, name) for name in CHEAP_OFFICE_AGENTS),
    ),
}
"""Claims about each kind of env."""

OF_THE_BENCHMARK = frozenset({"sizes", "parameters"})
"""Names of checks that a scenario is as large as those in the benchmark; a user's own scenario may skip them."""

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
"""Names of slow checks, slowest first, which are started first to shorten the total time."""
