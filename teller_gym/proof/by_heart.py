"""Checks that no case can be worked from memory: by agents that know the calls and copy the values, but judge or look
up nothing.
"""

from __future__ import annotations

from teller_gym.agents.code_guesser import codes_of, guessed_codes
from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT
from teller_gym.procedure.task import Split
from teller_gym.proof.branching import Trunk
from teller_gym.proof.lapses import losses
from teller_gym.proof.play import left_out, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tasks.store import split_tasks

MOST = {CLEAN_PATH_CONSTANT: 0.01}
"""Share of the held-out instances that an agent of this name may get right; any other may get right MOST_RIGHT."""

MOST_RIGHT = 0.05


def clean_paths(env_id: str) -> list[ProofItem]:
    """Check that agents that make the calls of an ordinary case from memory have success on few held-out instances."""
    scenario = subject(env_id).scenario
    tasks = split_tasks(scenario.name, Split.HELDOUT)
    if CLEAN_PATH not in scenario.clean_paths or CLEAN_PATH_CONSTANT not in scenario.clean_paths:
        expected = f"lapses.py with {CLEAN_PATH} and {CLEAN_PATH_CONSTANT} in CLEAN_PATHS"
        return [left_out("by_heart", "no case is worked by heart", scenario.name, expected)]
    found = []
    for name, lost in losses(scenario.clean_paths, tasks).items():
        most, right = MOST.get(name, MOST_RIGHT), len(tasks) - lost.lost
        share = right / len(tasks) if tasks else 0.0
        problems = [f"{share:.1%} right, expected at most {most:.0%}"] if share > most else []
        problems += [f"crashed on {lost.crashed} instances"] if lost.crashed else []
        figure = f"{right} of {len(tasks)} held-out instances"
        claim = f"{name} has success on at most {most:.0%}"
        measured = {"right": right, "instances": len(tasks), "share": share}
        found.append(item(f"by_heart.{name}", claim, figure, problems, measured))
    return found


def brute_force_codes(env_id: str) -> ProofItem:
    """Check that an agent that knows all but the codes and tries them in turn succeeds on few frozen instances."""
    under = subject(env_id)
    codes = codes_of(under.scenario.name)
    if not codes:
        return item("brute_force_codes", "codes are not found by trying (there are none)", "no codes", [])
    right = sum(Trunk(task).follow(guessed_codes(under.scenario, task)).grader.success for task in under.tasks)
    share = right / len(under.tasks)
    problems = [f"{share:.1%} right, expected under {MOST_RIGHT:.0%}"] if share >= MOST_RIGHT else []
    names = [f"{tool}.{name}" for tool, arguments in codes.items() for name in arguments]
    figure = f"{right} of {len(under.tasks)} instances; {len(names)} codes: {', '.join(names)}"
    claim = f"brute_force_codes has success on under {MOST_RIGHT:.0%}"
    return item("brute_force_codes", claim, figure, problems, {"right": right, "share": share, "codes": codes})
