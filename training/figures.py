"""Figures of a round of rollouts for the log, beside those of TRL and of `teller_gym.training.rewards`.

TRL logs the lengths of rollouts in tokens of the model (``completions/…``), the entropy, the step's whole time
(``step_time``) and, with vLLM, the ratio between the trainer's probabilities and the sampler's.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from teller_gym.training.engines import Reads
from teller_gym.training.rollout import End, Rollout, Spent


def figures_of(rollouts: Sequence[Rollout], group: int, spent: Spent, reads: Reads) -> dict[str, float]:
    """Return a round's figures by their names; those that cannot be told are left out.

    Args:
        rollouts: of the round, group after group; those in which something of ours broke count in none.
        group: rollouts of a group.
        spent: seconds of the round.
        reads: what the engine read.
    """
    found = {"seconds/generating": spent.generating, "seconds/environments": spent.environments}
    if reads.cached is not None and reads.given:
        found["prompts/cached"] = reads.cached / reads.given
    valid = [one for one in rollouts if one.end is not End.INVALID]
    turns = [span.end - span.start for one in valid for span in one.spans]
    if turns:
        found |= {"turns/mean_tokens": statistics.fmean(turns), "turns/max_tokens": max(turns)}
    if valid:
        lengths = [len(one.context) for one in valid]
        found |= {"episodes/mean_tokens": statistics.fmean(lengths), "episodes/max_tokens": max(lengths)}
        found["episodes/max_turns"] = max(one.turns for one in valid)
    groups = [rollouts[start : start + group] for start in range(0, len(rollouts), group)]
    scores = [[one.score for one in rows if one.score is not None] for rows in groups]
    if spreads := [statistics.stdev(row) for row in scores if len(row) > 1]:
        found["rewards/spread_in_group"] = statistics.fmean(spreads)
    return found
