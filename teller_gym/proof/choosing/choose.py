"""Selection of a scenario's instances, split by split."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import numpy as np

from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.choosing.cache import Cache, folder_of
from teller_gym.proof.choosing.goals import Earlier, problem_of
from teller_gym.proof.choosing.pool import Drawn, Outcomes, Players, Row, draw
from teller_gym.proof.choosing.quotas import Quotas, check_endings, quotas_of
from teller_gym.proof.choosing.search import Counts, Problem, search
from teller_gym.proof.leaks import MOST_SIMILAR, as_codes, similarity
from teller_gym.tasks.freezing.chosen import ChosenSeed

Tell = Callable[[str], None]

_TELL_EVERY_S = 60.0


class Part(NamedTuple):
    """The eligible cases of a split's pool, their search problem, and the indices of the chosen ones."""

    split: Split
    rows: list[Row]
    problem: Problem
    chosen: list[int]

    @property
    def have(self) -> Counts:
        """Number of chosen rows that count towards each goal."""
        return self.problem.have(self.chosen)


class Choosing(NamedTuple):
    """The chosen instances of all splits and the pools from which they were chosen."""

    quotas: Quotas
    parts: tuple[Part, ...]

    def seeds(self) -> list[ChosenSeed]:
        """Return the chosen seeds in the order of task ids, shuffled so that an id reveals neither split nor seed."""
        found = sorted((part.rows[row].case.seed, part.split) for part in self.parts for row in part.chosen)
        order = random.Random(self.quotas.train.first_seed).random
        return [ChosenSeed(seed, split) for seed, split in sorted(found, key=lambda _: order())]


def choose(scenario: Scenario, cache: Path | None, tell: Tell) -> Choosing:
    """Choose the instances that ``endings.yaml`` asks for, and keep drawn and played cases in ``cache`` unless None.

    Raises:
        ScenarioError: the document is invalid, or the pools have too few cases with a requested ending.
    """
    quotas = quotas_of(scenario)
    folder = folder_of(cache, scenario)
    drawn_cache, played_cache = Cache(folder, "drawn", Drawn), Cache(folder, "played", Outcomes)
    pools: dict[Split, list[Drawn]] = {}
    known: set[str] = set()
    for split, choice in quotas.of().items():
        pool = list(drawn_cache.get(choice.seeds, lambda seed, split=split: draw(scenario, seed, split)))  # type: ignore[misc]
        pools[split] = _able(split, pool, known, tell)
        check_endings(split, choice, Counter(case.ending for case in pools[split]))
    players = Players.of(scenario, pools[Split.TRAIN])
    earlier, parts = Earlier(quotas.size), []
    for split, choice in quotas.of().items():
        rows = [
            row
            for row in _played(players, split, pools[split], played_cache, tell)
            if row.case.ending in choice.endings
        ]
        rows = _unlike(rows, earlier.rows)
        check_endings(split, choice, Counter(row.case.ending for row in rows))
        problem = problem_of(scenario, split, choice, rows, earlier)
        chosen = search(problem, choice.first_seed)
        parts.append(Part(split, rows, problem, chosen))
        earlier.rows += [rows[place] for place in chosen]
        kept = sum(goal.is_kept(int(have)) for goal, have in zip(problem.goals, parts[-1].have, strict=True))
        tell(f"{split}: {len(chosen)} of {len(rows)} cases chosen; {kept} of {len(problem.goals)} bounds kept")
    return Choosing(quotas, tuple(parts))


def _able(split: Split, pool: Sequence[Drawn], known: set[str], tell: Tell) -> list[Drawn]:
    """Return the eligible cases without duplicates, and report why the others are not eligible."""
    found = []
    refused = [case for case in pool if case.refusal]
    for case in pool:
        if not case.refusal and case.fingerprint not in known:
            known.add(case.fingerprint)
            found.append(case)
    why = Counter(case.refusal.partition(":")[0] for case in refused)
    if copies := len(pool) - len(refused) - len(found):
        why["copies"] = copies
    reasons = ", ".join(f"{count} {reason}" for reason, count in why.items())
    tell(f"{split}: {len(found)} of {len(pool)} cases drawn may be chosen" + (f" (not: {reasons})" if reasons else ""))
    for case in {case.refusal.partition(":")[0]: case for case in reversed(refused)}.values():
        if ":" in case.refusal:
            tell(f"  the seed {case.seed} is {case.refusal}")
    return found


def _played(players: Players, split: Split, pool: Sequence[Drawn], cache: Cache[Outcomes], tell: Tell) -> list[Row]:
    """Play the cases of a pool and return them with the outcomes of the agents."""
    cases = {case.seed: case for case in pool}
    to_play, done, started = cache.missing(cases), 0, monotonic()
    told = started
    if to_play:
        tell(f"{split}: {to_play} cases to play, {len(cases) - to_play} played before")

    def play(seed: int) -> Outcomes:
        nonlocal done, told
        done += 1
        if (now := monotonic()) - told > _TELL_EVERY_S:
            told = now
            left = (now - started) / done * (to_play - done)
            tell(f"{split}: {done} of {to_play} played, about {ceil(left / 60)} min left")
        return players.play(cases[seed], split)

    return [Row(cases[one.seed], one) for one in cache.get(cases, play)]


def _unlike(rows: list[Row], earlier: Sequence[Row]) -> list[Row]:
    """Return the rows that are not similar to a case of an earlier split."""
    if not earlier or not rows:
        return rows
    codes = as_codes([row.case.fields for row in (*rows, *earlier)])
    near = similarity(codes[: len(rows)], codes[len(rows) :]) >= MOST_SIMILAR
    return [row for row, is_near in zip(rows, np.any(near, axis=1), strict=True) if not is_near]
