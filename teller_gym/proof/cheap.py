"""Claims that simple agents score low, namely agents that understand nothing or repeat an ordinary case."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from teller_gym.agents import make_agent
from teller_gym.agents.code_guesser import codes_of, guessed_codes
from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT
from teller_gym.procedure.task import Split
from teller_gym.proof.lapses import losses
from teller_gym.proof.play import Played, Subject, play_all, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.proof.sizes import not_measured
from teller_gym.proof.trunk import Trunk
from teller_gym.proof.variations import Series, randomisations, variant_series
from teller_gym.tasks.store import split_tasks

MOST_SCORE = 0.25
MOST_SUCCESS = 0.02

MOST_BY_HEART = 0.05
"""Maximum success rate for an agent that knows the calls and copies values but makes no decisions."""
MOST_WITH_CONSTANTS = 0.01
"""Maximum success rate on held-out instances for such an agent with constant codes instead of the SOP's tables."""


class Tally(NamedTuple):
    """Totals over episodes: all scores, the number of successes, and the number of steps."""

    scores: list[float]
    right: int
    steps: int

    @classmethod
    def of(cls, played: Iterable[Played]) -> Tally:
        """Add up the results of several episodes."""
        ended = list(played)
        return cls([one.score for one in ended], sum(one.success for one in ended), sum(one.steps for one in ended))

    @property
    def mean(self) -> float:
        """Mean score, or 0 if there are no episodes."""
        return sum(self.scores) / max(1, len(self.scores))

    def problems(self, too_many: float) -> list[str]:
        """Return problems for a cheap agent.

        There is one for a mean score that is too high, and one for too many successes.
        """
        found = [] if self.mean < MOST_SCORE else [f"mean score {self.mean:.3f}, expected under {MOST_SCORE}"]
        if self.right >= too_many:
            found.append(f"{self.right} of {len(self.scores)} right, expected under {too_many:.1f}")
        return found


def cheap_agent(env_id: str, name: str, distractors: int | str = 0, instances: int | None = None) -> ProofItem:
    """Check that a cheap agent has a low mean score and success rate on the frozen instances.

    The limits are `MOST_SCORE` and `MOST_SUCCESS`. A sample spread over the branches overrepresents rare cases, so its
    successes are compared with that rate of all frozen instances.
    """
    under = subject(env_id, distractors)
    tally = Tally.of(one for _, one in play_all(under, under.part(instances), make_agent(name, under.env)))
    count = len(tally.scores)
    measured = {
        "mean_score": tally.mean,
        "best_score": max(tally.scores),
        "success": tally.right / count,
        "steps": tally.steps / count,
        "instances": count,
    }
    figure = (
        f"mean score {tally.mean:.3f}, best {max(tally.scores):.2f}, success {tally.right / count:.1%}, "
        f"{tally.steps / count:.1f} steps, {count} instances"
    )
    problems = tally.problems(MOST_SUCCESS * len(under.tasks))
    if distractors:
        return item(f"crowded.{name}", f"{name} stays there with {distractors} distractors", figure, problems, measured)
    claim = f"{name} stays under {MOST_SCORE} score and {MOST_SUCCESS:.0%} success"
    return item(f"cheap.{name}", claim, figure, problems, measured)


def varied_cheap(env_id: str, name: str, instances: int, crowded: int, variants: int | None = None) -> ProofItem:
    """Check that a cheap agent scores low under randomisation and on variant splits.

    The limits are those of :func:`cheap_agent`.

    Args:
        instances: number of tasks under each randomisation.
        crowded: number of tasks with all distractors available, which take long.
        variants: number of tasks on each variant split.
    """
    under = subject(env_id)
    few = MOST_SUCCESS * len(under.tasks)
    series = [
        (Series(kind, options, tuple(under.part(crowded if "distractors" in options else instances))), few)
        for kind, options in randomisations(under.scenario).items()
    ]
    series += [(one, MOST_SUCCESS * len(one.tasks)) for one in variant_series(under.scenario, variants)]
    problems: list[str] = []
    measured: dict[str, Any] = {}
    for one, too_many in series:
        varied = Subject(env_id, **one.options)
        varied.start(one.tasks[0])
        tally = Tally.of(played for _, played in play_all(varied, one.tasks, make_agent(name, varied.env)))
        count = len(tally.scores)
        measured[one.name] = {"mean_score": tally.mean, "success": tally.right / count, "instances": count}
        problems += [f"{one.name}: {problem}" for problem in tally.problems(too_many)]
    figure = "mean score " + ", ".join(f"{kind} {found['mean_score']:.3f}" for kind, found in measured.items())
    claim = f"{name} stays there under each randomisation and on held-out variants"
    return item(f"varied.{name}", claim, figure, problems, measured)


# -- agents that repeat an ordinary case ------------------------------------------------------------------------------


def clean_paths(env_id: str) -> list[ProofItem]:
    """Check that agents that repeat an ordinary case's calls succeed on few held-out instances."""
    scenario = subject(env_id).scenario
    tasks = split_tasks(scenario.name, Split.HELDOUT)
    if CLEAN_PATH not in scenario.clean_paths or CLEAN_PATH_CONSTANT not in scenario.clean_paths:
        expected = f"lapses.py with {CLEAN_PATH} and {CLEAN_PATH_CONSTANT} in CLEAN_PATHS"
        return [not_measured("by_heart", "no case is worked by heart", scenario.name, expected)]
    found = []
    for name, lost in losses(scenario.clean_paths, tasks).items():
        most, right = most_by_heart(name), len(tasks) - lost.lost
        share = right / len(tasks) if tasks else 0.0
        problems = [f"{share:.1%} right, expected at most {most:.0%}"] if share > most else []
        problems += [f"crashed on {lost.crashed} instances"] if lost.crashed else []
        figure = f"{right} of {len(tasks)} held-out instances"
        claim = f"{name} has success on at most {most:.0%}"
        measured = {"right": right, "instances": len(tasks), "share": share}
        found.append(item(f"by_heart.{name}", claim, figure, problems, measured))
    return found


def most_by_heart(name: str) -> float:
    """Return the maximum success rate of a clean path on held-out instances."""
    return MOST_WITH_CONSTANTS if name == CLEAN_PATH_CONSTANT else MOST_BY_HEART


def brute_force_codes(env_id: str) -> ProofItem:
    """Check that an agent that knows everything except the codes, and tries them in turn, rarely succeeds."""
    under = subject(env_id)
    codes = codes_of(under.scenario.name)
    if not codes:
        return item("brute_force_codes", "codes are not found by trying (there are none)", "no codes", [])
    right = sum(Trunk(task).follow(guessed_codes(under.scenario, task)).grader.success for task in under.tasks)
    share = right / len(under.tasks)
    problems = [f"{share:.1%} right, expected under {MOST_BY_HEART:.0%}"] if share >= MOST_BY_HEART else []
    names = [f"{tool}.{name}" for tool, arguments in codes.items() for name in arguments]
    figure = f"{right} of {len(under.tasks)} instances; {len(names)} codes: {', '.join(names)}"
    claim = f"brute_force_codes has success on under {MOST_BY_HEART:.0%}"
    return item("brute_force_codes", claim, figure, problems, {"right": right, "share": share, "codes": codes})
