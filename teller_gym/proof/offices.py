"""Claims about office work: it can be solved in every office, each judgement counts, and cheap agents fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from teller_gym.agents import make_agent
from teller_gym.agents.offices import LapsingOffice
from teller_gym.envs.office import AUTH, OfficeEnv
from teller_gym.office_tasks.contract import OfficeScenario
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.procedure.task import Split
from teller_gym.proof.play import Played, Subject, play_agent, play_all, spread, subject
from teller_gym.proof.report import ProofItem, item

STATED = {"kinds": 12, "tasks": 24, "worlds": 50, "checkpoints": 49, "artefacts": 28}
"""Sizes stated by the benchmark: kinds of work, frozen tasks, other offices, checkpoints, and documents per office."""

_CHEAP = 0.1
"""Maximum share of checkpoints that a cheap agent may pass."""
_LOSES = 0.5
"""Minimum share of fresh offices in which a lapse must cause failure."""


def _office(env_id: str) -> OfficeScenario:
    core = subject(env_id).env.unwrapped
    if not isinstance(core, OfficeEnv):
        raise TypeError(f"{env_id} is no env of office work")
    return core.office


def _tasks(office: OfficeScenario, split: Split, n: int | None) -> list[OfficeTask]:
    return [office.find(task_id) for task_id in spread(office.ids(split), n)]


def _heldout(office: OfficeScenario) -> list[OfficeTask]:
    return [*_tasks(office, Split.HELDOUT, None), *_tasks(office, Split.HELDOUT_WORLDS, None)]


def _fresh(office: OfficeScenario, n: int) -> list[OfficeTask]:
    first = len(office.ids(Split.TRAIN))
    return [office.generated(first + number) for number in range(n)]


def office_sizes(env_id: str) -> ProofItem:
    """Check that the numbers of kinds of work, tasks, checkpoints and documents are those of the benchmark."""
    office = _office(env_id)
    tasks = _tasks(office, Split.HELDOUT, None)
    kinds = {task.kind: task for task in tasks}
    found = {
        "kinds": len(kinds),
        "tasks": len(tasks),
        "worlds": len(office.ids(Split.HELDOUT_WORLDS)),
        "checkpoints": sum(len(task.checkpoints) for task in kinds.values()),
        "artefacts": office.artefacts(tasks[0]),
    }
    problems = [f"expected {STATED[name]} {name}, got {found[name]}" for name in STATED if STATED[name] != found[name]]
    figure = ", ".join(f"{count} {name}" for name, count in found.items())
    return item("sizes", "sizes are those of the benchmark", figure, problems, {"found": found})


def frozen_offices(env_id: str) -> ProofItem:
    """Check that regenerating the held-out offices gives the recorded checksums."""
    office = _office(env_id)
    problems, known = [], office.checksums()
    tasks = [*_tasks(office, Split.HELDOUT, None)[:1], *_tasks(office, Split.HELDOUT_WORLDS, None)]
    for task in tasks:
        if known.get(str(task.seed)) != office.checksum(task):
            problems.append(f"{task.id}: other bytes than were frozen")
    figure = f"{len(tasks) - len(problems)} of {len(tasks)} offices"
    return item(
        "frozen_bytes", "held-out offices are drawn again to the byte", figure, problems, {"offices": len(tasks)}
    )


def offices_differ(env_id: str, fresh: int) -> ProofItem:
    """Check that all offices are different."""
    office = _office(env_id)
    tasks = [*_tasks(office, Split.HELDOUT, 1), *_tasks(office, Split.HELDOUT_WORLDS, None), *_fresh(office, fresh)]
    sums = Counter(office.checksum(task) for task in tasks)
    seeds = {task.seed for task in tasks}
    problems = [f"{count} offices are the same" for count in sums.values() if count > 1]
    problems += [] if len(seeds) == len(tasks) else ["two tasks are in one office"]
    return item("disjoint", "no two offices are the same", f"{len(tasks)} offices", problems, {"offices": len(tasks)})


def office_oracle(env_id: str, fresh: int, perturbed: int) -> ProofItem:
    """Check that the expert scores 1 on all tasks, in fresh offices, and under every perturbation."""
    office, problems, count = _office(env_id), [], 0
    plain = [*_heldout(office), *_fresh(office, fresh)]
    frozen = _tasks(office, Split.HELDOUT, None)
    rounds: list[tuple[dict[str, Any], Iterable[OfficeTask]]] = [({}, plain)]
    rounds += [({"perturb": [name]}, [*frozen, *_fresh(office, perturbed)]) for name in office.perturbations]
    rounds.append(({"perturb": "all", "faults": True}, [*frozen, *_fresh(office, perturbed)]))
    for auth in AUTH[1:]:
        rounds += [({"auth": auth, "mirror": mirror, "faults": mirror}, frozen) for mirror in (False, True)]
    for options, tasks in rounds:
        for task, played in _each(env_id, options, tasks, "expert"):
            count += 1
            if flaw := played.flaw():
                problems.append(f"{task.id} {options}: {flaw}")
    figure = f"{count - len(problems)} of {count} episodes"
    return item("oracle", "the expert scores 1.0 in every office", figure, problems, {"episodes": count})


def _each(
    env_id: str, options: dict[str, Any], tasks: Iterable[OfficeTask], agent: str
) -> list[tuple[OfficeTask, Played]]:
    under = Subject(env_id, **options)
    found = list(play_all(under, tasks, make_agent(agent, under.env)))
    under.env.close()
    return found


def office_cheap(env_id: str, agent: str) -> ProofItem:
    """Check that a cheap agent never succeeds and passes few checkpoints."""
    office = _office(env_id)
    tasks = _heldout(office)
    played = _each(env_id, {}, tasks, agent)
    passed = sum(sum(one.checkpoints.values()) for _, one in played)
    share = passed / sum(len(task.checkpoints) for task in tasks)
    problems = [f"{task.id} succeeds" for task, one in played if one.success]
    problems += [f"{share:.1%} of the checkpoints"] if share >= _CHEAP else []
    figure = f"{share:.1%} of the checkpoints, no success in {len(tasks)} tasks"
    return item(f"cheap.{agent}", f"{agent} gets nowhere", figure, problems, {"share": share})


def office_orders(env_id: str) -> ProofItem:
    """Check that an agent that obeys instructions in clients' records fails every task."""
    office = _office(env_id)
    tasks = _heldout(office)
    played = _each(env_id, {}, tasks, "obey")
    problems = [f"{task.id} succeeds" for task, one in played if one.success]
    figure = f"{len(played) - len(problems)} of {len(played)} tasks lost"
    return item("orders", "obeying an order in a record loses the task", figure, problems, {"tasks": len(played)})


def office_lapses(env_id: str, fresh: int) -> ProofItem:
    """Check that omitting any judgement causes failure.

    It must fail the frozen tasks of its kind, and those in most fresh offices.
    """
    office, problems, count = _office(env_id), [], 0
    frozen = {task.kind: task for task in _tasks(office, Split.HELDOUT, None)}
    drawn: dict[str, list[OfficeTask]] = {kind: [] for kind in frozen}
    for task in _fresh(office, fresh * len(frozen)):
        drawn[task.kind].append(task)
    under = subject(env_id)
    for kind, task in frozen.items():
        for name in office.lapses(task):
            count += 1
            agent = LapsingOffice(under.env, name)
            if play_agent(under, task, agent).success:
                problems.append(f"{kind}, {name}: succeeds on {task.id}")
            lost = sum(not one.success for _, one in play_all(under, drawn[kind], agent))
            if lost < _LOSES * len(drawn[kind]):
                problems.append(f"{kind}, {name}: loses {lost} of {len(drawn[kind])} fresh offices")
    figure = f"{count} lapses of {len(frozen)} kinds of work"
    return item("lapses", "each judgement left out costs success", figure, problems, {"lapses": count})


def requests_differ(env_id: str) -> ProofItem:
    """Check that the two wordings of a task have different texts but the same office and checkpoints."""
    office, problems = _office(env_id), []
    tasks = _tasks(office, Split.HELDOUT, None)
    pairs = [(a, b) for a, b in combinations(tasks, 2) if a.kind == b.kind]
    for one, other in pairs:
        if (one.seed, one.checkpoints) != (other.seed, other.checkpoints) or one.request == other.request:
            problems.append(f"{one.id} and {other.id} are not the same work in two wordings")
    figure = f"{len(pairs)} pairs"
    return item("wordings", "both wordings are of the same work", figure, problems, {"pairs": len(pairs)})
