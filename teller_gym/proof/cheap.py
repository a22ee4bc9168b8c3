"""Checks that nobody gets far cheaply: reference agents that play without understanding."""

from __future__ import annotations

from teller_gym.agents import make_agent
from teller_gym.proof.play import play_agent, subject
from teller_gym.proof.report import ProofItem, item

MOST_SCORE = 0.25
MOST_SUCCESS = 0.02


def cheap_agent(env_id: str, name: str, distractors: int | str = 0, instances: int | None = None) -> ProofItem:
    """Check that a cheap agent stays under 0.25 mean score and under 2 % success over the frozen instances.

    Args:
        env_id: as for ``gym.make``.
        name: of the agent.
        distractors: how many are in play.
        instances: how many are played, spread over the branches; all if None. A part has more of what is rare, so
            successes in it are too many only if they make up 2 % of all frozen instances.
    """
    under = subject(env_id, distractors)
    agent = make_agent(name, under.env)
    scores, right, steps = [], 0, 0
    for number, task in enumerate(under.tasks if instances is None else under.part(instances)):
        if seed := getattr(agent, "seed", None):
            seed(number)
        played = play_agent(under, task, agent)
        scores.append(played.score)
        right += played.success
        steps += played.steps
    mean, success = sum(scores) / len(scores), right / len(scores)
    problems = []
    if mean >= MOST_SCORE:
        problems.append(f"mean score {mean:.3f}, expected under {MOST_SCORE}")
    if right >= MOST_SUCCESS * len(under.tasks):
        problems.append(f"success {success:.1%}, expected under {MOST_SUCCESS:.0%}")
    figure = (
        f"mean score {mean:.3f}, best {max(scores):.2f}, success {success:.1%}, {steps / len(scores):.1f} steps, "
        f"{len(scores)} instances"
    )
    measured = {
        "mean_score": mean,
        "best_score": max(scores),
        "success": success,
        "steps": steps / len(scores),
        "instances": len(scores),
    }
    claim = f"{name} stays under {MOST_SCORE} score and {MOST_SUCCESS:.0%} success"
    if distractors:
        return item(f"crowded.{name}", f"{name} stays there with {distractors} distractors", figure, problems, measured)
    return item(f"cheap.{name}", claim, figure, problems, measured)
