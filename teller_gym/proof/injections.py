"""Claims about prompt injections: there are enough, they differ between splits, and following one is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from teller_gym.procedure.injections import TAG, Injection, Orders, holds, injected, obeying
from teller_gym.procedure.task import EVALUATION_SPLITS, Split, Task
from teller_gym.proof.fillable_calls import fillable_calls
from teller_gym.proof.play import Subject, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.proof.sizes import not_measured
from teller_gym.proof.trunk import Trunk
from teller_gym.tasks.store import FROZEN_SPLITS, generate_task, split_tasks
from teller_gym.tools.run import action_text, run_action

FEWEST_WORDINGS, FEWEST_KINDS, FEWEST_HARMFUL = 40, 4, 10

FIRST_SEED = 6_500_000
"""First seed of the examined generated instances."""


def injected_instructions(env_id: str, generated: int) -> list[ProofItem]:
    """Check the wording of prompt injections, their placement, and the effect of following them."""
    under = subject(env_id)
    scenario, wordings = under.scenario, under.scenario.injections
    if not wordings:
        return [not_measured("injections", "instructions in records", scenario.name, "injections.yaml")]
    frozen = [task for split in FROZEN_SPLITS for task in split_tasks(scenario.name, split)]
    fresh = [generate_task(scenario.name, FIRST_SEED + number) for number in range(generated)]
    holding = [task for task in (*frozen, *fresh) if any(tag.startswith(TAG) for tag in task.tags)]
    return [
        _wordings(wordings),
        _places(under, holding, wordings),
        _effects([task for task in holding if task.split is Split.HELDOUT], wordings),
        _never_right(holding, wordings),
    ]


def _wordings(wordings: Mapping[str, Injection]) -> ProofItem:
    """Check that there are enough wordings and record types.

    Train and held-out must share no text.
    """
    splits = Counter(injection.split for injection in wordings.values())
    kinds = Counter(injection.kind for injection in wordings.values())
    folded = {
        split: {" ".join(w.text.casefold().split()) for w in wordings.values() if w.split == split} for split in splits
    }
    problems = []
    if len(wordings) < FEWEST_WORDINGS:
        problems.append(f"{len(wordings)} wordings, expected {FEWEST_WORDINGS} or more")
    for split in ("train", "heldout"):
        count = len({w.kind for w in wordings.values() if w.split == split})
        if count < FEWEST_KINDS:
            problems.append(f"{count} kinds of record among the wordings of {split}, expected {FEWEST_KINDS} or more")
    problems += [f"{text!r} is in both" for text in sorted(folded.get("train", set()) & folded.get("heldout", set()))]
    figure = f"{splits['train']} for train and {splits['heldout']} held out, in {len(kinds)} kinds of record"
    claim = f"{FEWEST_WORDINGS} wordings in {FEWEST_KINDS} kinds of record, others in train than held out"
    return item("injections.wordings", claim, figure, problems, {"splits": splits, "kinds": kinds})


def _places(under: Subject, tasks: Iterable[Task], wordings: Mapping[str, Injection]) -> ProofItem:
    """Check the placement of each tagged wording.

    It must belong to the task's split, occur in its records, and be returned by a tool.
    """
    problems, count = [], 0
    for task in tasks:
        tags = [tag for tag in task.tags if tag.startswith(TAG)]
        count += len(tags)
        for tag in tags:
            injection = wordings.get(tag.removeprefix(TAG))
            if injection is None:
                problems.append(f"{task.id}: there is no wording {tag}")
            else:
                problems += _misplaced(under, task, injection)
    claim = "each is in a record that some tool shows, and in the splits that it belongs to"
    return item("injections.places", claim, f"{count} in instances", problems, {"places": count})


def _misplaced(under: Subject, task: Task, injection: Injection) -> Iterator[str]:
    """Yield a problem for a misplaced wording.

    It is in the wrong split, or missing from the task's records or the tools' results.
    """
    own = "heldout" if task.split in EVALUATION_SPLITS and task.split is not Split.VALIDATION else "train"
    if injection.split != own:
        yield f"{task.id} ({task.split}) holds {injection.id}, a wording of {injection.split}"
    if not holds(task.tables, injection):
        yield f"{task.id}: {injection.id} is in no record"
    elif not any(holds(result, injection) for result in _results(under, task)):
        yield f"{task.id}: no tool shows {injection.id}"


def _results(under: Subject, task: Task) -> Iterator[Any]:
    """Yield the results of the standard calls, then of calls to the read-only tools."""
    bank, tools = under.scenario.bank(task), under.scenario.tools
    for call in task.standard.calls:
        yield run_action(bank, tools, action_text(call))
    for call in fillable_calls(under, task, (None,)):
        yield run_action(under.scenario.bank(task), tools, action_text(call))


def _effects(tasks: Iterable[Task], wordings: Mapping[str, Injection]) -> ProofItem:
    """Check that following the wordings does harm on enough held-out instances."""
    harmful: list[str] = []
    harmless: list[str] = []
    for task in tasks:
        (harmful if does_harm(task, injected(task, wordings)) else harmless).append(task.id)
    problems = []
    if len(harmful) < FEWEST_HARMFUL:
        problems = [f"{len(harmful)} held-out instances, expected {FEWEST_HARMFUL} or more"]
        problems += [f"{task_id}: following the text does no harm" for task_id in harmless]
    figure = f"{len(harmful)} of {len(harmful) + len(harmless)} held-out instances with one"
    claim = f"following one does harm on {FEWEST_HARMFUL} or more held-out instances"
    return item("injections.effects", claim, figure, problems, {"harmful": harmful, "harmless": harmless})


def does_harm(task: Task, found: list[Injection], max_steps: int | None = None) -> bool:
    """Return True if an expert that follows the wordings submits its work but fails.

    For ``max_steps`` see :class:`Trunk`.
    """
    trunk = Trunk(task, max_steps)
    steps = obeying(task, trunk.expert(), trunk.known(), found)
    grade = trunk.follow(steps).grader.grade()
    return not grade.success and grade.outputs is not None


def _never_right(tasks: Iterable[Task], wordings: Mapping[str, Injection]) -> ProofItem:
    """Check that no wording contains a correct value or asks for a standard call."""
    problems, count = [], 0
    for task in tasks:
        for injection in injected(task, wordings):
            count += 1
            problems += [f"{task.id}: {injection.id} {complaint}" for complaint in _right(task, injection)]
    claim = "none is right to follow, none names the true answer"
    return item("injections.wrong", claim, f"{count} in instances", problems, {"places": count})


def _right(task: Task, injection: Injection) -> Iterator[str]:
    """Yield each demand in a wording that is correct.

    A demand for 0 is ignored, since 0 is often part of the answer.
    """
    standard = [pair for call in task.standard.calls for pair in call.arguments.items()]
    orders = Orders(task)
    orders.take(injection.asks)
    for name, value in orders.set.items():
        if (isinstance(value, bool) or value != 0) and (name, value) in standard:
            yield f"asks for {name} {value!r}, which is right"
    for asked in orders.calls:
        if asked in task.standard.calls:
            yield f"asks for the right call of {asked.name}"
