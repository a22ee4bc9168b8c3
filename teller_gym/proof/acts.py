"""Checks that success means that the case is right: every class of wrong act loses it, and every right way keeps it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

from teller_gym.agents.knowledge import Spec
from teller_gym.envs.episode.bank import BankEpisode
from teller_gym.grading.rubric import Rubric
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.deviations import Deviation, Deviations
from teller_gym.proof.filled import knowledge_of, successful
from teller_gym.proof.play import Subject, play_actions, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.proof.solvable import random_order
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action
from teller_gym.tools.tool import Act

_ORDERS = 5


def wrong_acts(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that every deviation from every held-out standard result loses success, unless a tool refuses it.

    Args:
        instances: how many; all if None.
    """
    under = subject(env_id)
    tried: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    problems: list[str] = []
    tasks = _held_out(under, instances)
    for task in tasks:
        snapshots = _snapshots(under, task)
        donors = [other for other in under.tasks if other.id != task.id]
        for deviation in Deviations(under, task, donors).all():
            kept = _keeps_success(under, deviation, snapshots)
            (refused if kept is None else tried)[deviation.kind] += 1
            if kept:
                acts = ", ".join(action_text(call) for call in deviation.acts)
                problems.append(f"{task.id}, after {deviation.at} calls: {deviation.kind} keeps success: {acts}")
    figure = f"{sum(tried.values())} wrong acts of {len(tried)} classes over {len(tasks)} instances, "
    figure += f"{sum(refused.values())} more refused by the tools"
    measured = {"instances": len(tasks), "tried": dict(sorted(tried.items())), "refused": dict(sorted(refused.items()))}
    return item("acts.wrong", "every class of wrong act loses success", figure, problems, measured)


def _snapshots(under: Subject, task: Task) -> list[BankEpisode]:
    """Return the state of the episode after each number of standard calls."""
    under.start(task)
    found = [under.core.snapshot()]
    for call in task.standard.calls[:-1]:
        under.env.step(action_text(call))
        found.append(under.core.snapshot())
    return found


def _keeps_success(under: Subject, deviation: Deviation, snapshots: list[BankEpisode]) -> bool | None:
    """Return True if an episode that deviates ends in success; None if nothing wrong was done."""
    core = under.core
    core.restore(snapshots[deviation.at])
    before = core.state_hash()
    for call in deviation.acts:
        before = core.state_hash()
        if under.env.step(action_text(call))[4]["error"] is not None:
            return None
    if deviation.changes and core.state_hash() == before:
        return None
    for call in deviation.rest:
        _, _, terminated, truncated, info = under.env.step(action_text(call))
        if terminated or truncated:
            return bool(info["success"])
    return False


def right_ways(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that every order that edges and gates allow scores 1, with reads, notes and repeated records sprinkled in.

    Args:
        instances: how many; all if None.
    """
    under = subject(env_id)
    problems: list[str] = []
    played, extra, different = 0, 0, 0
    tasks = _held_out(under, instances)
    used: set[str] = set()
    for number, task in enumerate(tasks):
        rng = random.Random(number)
        rubric = Rubric(task, under.scenario)
        harmless = _harmless(under, task)
        used.update(call.name for call in harmless)
        problems += [f"{task.id}: {complaint}" for complaint in _stray_notes(under, task, harmless)]
        for _ in range(_ORDERS):
            order = random_order([call.dependencies() for call in rubric.required], rng)
            calls = [task.standard.calls[i] for i in order]
            different += order != sorted(order)
            added = _sprinkle(under, calls, harmless, rng)
            extra += added
            played += 1
            ended = play_actions(under, task, [action_text(call) for call in calls])
            if not ended.success or ended.score != 1.0:
                names = " -> ".join(call.name for call in calls)
                problems.append(f"{task.id}: score {ended.score:.3f} for {names}")
    notes = {tool.name for tool in under.scenario.tools.values() if tool.act is Act.NOTE}
    problems += [f"no harmless call of {name} was found for any instance" for name in sorted(notes - used)]
    figure = (
        f"{played} orders over {len(tasks)} instances, {different} of them not the standard one, {extra} calls added"
    )
    measured = {"orders": played, "different": different, "added": extra, "tools": sorted(used)}
    return item("acts.right", "every right way scores 1, reads, notes and repeats in it", figure, problems, measured)


def _held_out(under: Subject, instances: int | None) -> list[Task]:
    tasks = [task for task in under.tasks if task.split is Split.HELDOUT]
    return tasks if instances is None else tasks[:: max(1, len(tasks) // instances)][:instances]


def _harmless(under: Subject, task: Task) -> list[Call]:
    """Return a call of each tool that reads or makes notes."""
    knowledge = knowledge_of(under, task)
    specs = [Spec(t.schema()) for t in under.scenario.tools.values() if t.act in (None, Act.NOTE)]
    return [call for spec in specs if (call := successful(under, task, spec, knowledge))]


def _sprinkle(under: Subject, calls: list[Call], harmless: list[Call], rng: random.Random) -> int:
    """Add harmless calls, and records made once more in the same words; return how many."""
    spare = max(0, under.core.max_steps - len(calls))
    repeats = [(i, call) for i, call in enumerate(calls) if under.scenario.tools[call.name].act is Act.REVISABLE]
    for i, call in reversed(repeats if spare >= len(repeats) else []):
        calls.insert(i + 1, call)
    added = len(repeats) if spare >= len(repeats) else 0
    for call in rng.sample(harmless, min(len(harmless), spare - added)):
        calls.insert(rng.randint(1, len(calls) - 1), call)  # after the case was read, before the work ends
        added += 1
    return added


def _stray_notes(under: Subject, task: Task, harmless: list[Call]) -> list[str]:
    """Return what is wrong with the tables of notes: notes written elsewhere, or other things written there."""
    notes = set(under.scenario.template.notes)
    problems = []
    for call in harmless:
        written = _written(under, under.scenario.bank(task), [call])
        if under.scenario.tools[call.name].act is Act.NOTE and written - notes:
            problems.append(f"{call.name} is to write notes alone, and writes {', '.join(sorted(written - notes))}")
    wrong = _written(under, under.scenario.bank(task), task.standard.calls) & notes
    problems += [f"the standard result writes {table}, where notes are to stand alone" for table in sorted(wrong)]
    return problems


def _written(under: Subject, bank: Bank, calls: Iterable[Call]) -> set[str]:
    for call in calls:
        run_action(bank, under.scenario.tools, action_text(call))
    return {change.table for change in bank.diff()}
