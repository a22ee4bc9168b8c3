"""Scenario interface for environments, agents and evaluations: tasks by id, desks and verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

import msgspec

from teller_gym.base.errors import OptionError, ToolError
from teller_gym.base.text import did_you_mean, fingerprint, one_of, shown
from teller_gym.office.chat.tables import COLLEAGUES
from teller_gym.office.desk.desk import Desk
from teller_gym.office.desk.tools import TOOLS
from teller_gym.office.files.reading import read_file
from teller_gym.office.store import Store, without_bytes
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.office_tasks.verdict import Verdict
from teller_gym.procedure.lapses import Lapse
from teller_gym.procedure.officer import Steps
from teller_gym.procedure.task import Split, StandardResult
from teller_gym.scenarios.wealth.contract import Case, Look
from teller_gym.scenarios.wealth.judging import judge
from teller_gym.scenarios.wealth.plan import PERTURBATIONS
from teller_gym.scenarios.wealth.prompts import AUTONOMY, chapter_path, credentials_of, guide_of, request_of
from teller_gym.scenarios.wealth.rules import HANDBOOK, HOUSE, chapter
from teller_gym.scenarios.wealth.served import ServedOffice
from teller_gym.scenarios.wealth.works import HELD_OUT_FROM, NAMES, base_of, cases, open_office, plan_of, works
from teller_gym.tasks.store import CANARY
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action

FROZEN_SEED: Final = HELD_OUT_FROM
"""Seed of the office with the frozen tasks."""

WORLDS: Final = 50
"""Number of additional held-out offices, with one task each."""

VALIDATION_FROM, VALIDATION = 9 * 10**11, 48
"""First seed and number of offices in the validation split, which have one task each."""

TRAINING: Final = 1200
"""Number of tasks in the train split, which has the first seeds. The generated split has the next, up to validation."""

_GENERATED: Final = re.compile("wealth-g-(0|[1-9][0-9]{0,11})")
_MOST_STEPS: Final = 60


class Frozen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of ``heldout.yaml``: a canary and the checksums of held-out offices by seed."""

    canary: str
    offices: dict[str, str]


class Wealth:
    """The wealth-management office as a scenario."""

    name = "wealth"
    perturbations = PERTURBATIONS
    max_steps = _MOST_STEPS

    def find(self, task_id: str) -> OfficeTask:
        """Return the task with the given id.

        Raises:
            OptionError: no task has this id.
        """
        generated = _GENERATED.fullmatch(task_id)
        if generated:
            return self.generated(int(generated[1]))
        found = _named().get(task_id)
        if found is None:
            ids = ", ".join((*list(_named())[:2], "…", *list(_named())[-1:]))
            hint = did_you_mean(task_id[:80], _named())
            raise OptionError(
                f"task_id: expected one of {ids}, or wealth-g-<seed>, got {shown(task_id)} "
                f"(teller-gym office run --list has all){hint}"
            )
        kind, autonomy, seed, split = found
        return _task(task_id, kind, autonomy, seed, split)

    def ids(self, split: Split) -> tuple[str, ...]:
        """Return the task ids of a split, in order.

        Raises:
            OptionError: the split is unbounded.
        """
        one_of("split", split, (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, Split.HELDOUT_WORLDS))
        if split is Split.TRAIN:
            return tuple(f"wealth-g-{seed}" for seed in range(TRAINING))
        return tuple(task_id for task_id, found in _named().items() if found[3] is split)

    def generated(self, seed: int, autonomy: str | None = None) -> OfficeTask:
        """Return the generated task for a seed, which determines the task kind, wording and office.

        Raises:
            OptionError: the seed is negative or held out, or has another wording than ``autonomy``.
        """
        if not 0 <= seed < VALIDATION_FROM:
            raise OptionError(f"seed: expected 0 … {VALIDATION_FROM - 1}, got {seed}")
        kind = NAMES[seed % len(NAMES)]
        wording = AUTONOMY[seed // len(NAMES) % len(AUTONOMY)]
        if autonomy is not None and autonomy != wording:
            # The seed determines the wording; the next seed with the same kind of work has the other one.
            raise OptionError(f"autonomy: the task of seed {seed} has {wording}, got {autonomy}")
        split = Split.TRAIN if seed < TRAINING else Split.GENERATED
        return _task(f"wealth-g-{seed}", kind, wording, seed, split)

    def title(self, task: OfficeTask) -> str:
        return works()[task.kind].title

    def open(self, task: OfficeTask, perturb: Iterable[str] = ()) -> Desk:
        """Return the agent's desk at the beginning of the day."""
        return Desk(open_office(task.seed, frozenset(perturb)), _case(task).world.user.username)

    def served(self, task: OfficeTask) -> ServedOffice:
        return ServedOffice(_case(task).world, open_office(task.seed))

    def guide(self, task: OfficeTask, outside: bool = False) -> str:
        """Return the guide for an agent that uses tools or, with ``outside``, the services' own APIs."""
        return guide_of(_case(task), "outside.md" if outside else "inside.md")

    def open_team(self, task: OfficeTask, perturb: Iterable[str] = ()) -> Desk:
        """Return the adviser's desk, in an office that does not simulate the client's adviser."""
        case = _case(task)
        adviser, base = case.client.adviser, base_of(task.seed, frozenset(perturb))
        others = {name: one for name, one in base[COLLEAGUES].items() if name != adviser}
        return Desk(Store({**base, COLLEAGUES: others}, case.world.now, task.seed), adviser)

    def team_guides(self, task: OfficeTask) -> tuple[str, str]:
        """Return the guides for the adviser, who plans, and for the paraplanner, who executes the plan."""
        case = _case(task)
        return guide_of(case, "planner.md", whose="adviser"), guide_of(case, "executor.md")

    def judge(self, task: OfficeTask, desk: Desk, loose: bool = False, team: tuple[str, ...] = ()) -> Verdict:
        return judge(Look(desk.store, _case(task), loose, team))

    def credentials(self, task: OfficeTask) -> str:
        return credentials_of(_case(task))

    def expert(self, task: OfficeTask, signs_in: bool = False) -> Steps:
        """Return the expert's steps.

        With ``signs_in``, the expert signs in where a service requires it.
        """
        work = works()[task.kind]
        steps: Steps = work.expert(self._told(task, signs_in), work.rules)
        return steps

    def handbook(self) -> Mapping[str, str]:
        house = {f"{HANDBOOK}/00_House_Rules.txt": "\n".join(chapter(HOUSE))}
        return house | {chapter_path(one.name, one.title): "\n".join(chapter(one.package)) for one in works().values()}

    def artefacts(self, task: OfficeTask) -> int:
        return len(plan_of(task.seed).artefacts)

    def checksum(self, task: OfficeTask) -> str:
        """Return a checksum of a task's office and of all requests for it."""
        asked = [request_of(case, autonomy) for case in cases(task.seed).values() for autonomy in AUTONOMY]
        tables = {name: without_bytes(dict(rows)) for name, rows in base_of(task.seed).items()}
        return fingerprint([asked, tables])

    def checksums(self) -> Mapping[str, str]:
        return msgspec.yaml.decode(_file().read_bytes(), type=Frozen).offices

    def write(self) -> str:
        tasks = [self.find(self.ids(Split.HELDOUT)[0]), *map(self.find, self.ids(Split.HELDOUT_WORLDS))]
        frozen = Frozen(CANARY, {str(task.seed): self.checksum(task) for task in tasks})
        with open(str(_file()), "wb") as file:
            file.write(msgspec.yaml.encode(frozen))
        return str(_file())

    def lapses(self, task: OfficeTask) -> Mapping[str, Lapse]:
        return works()[task.kind].lapses

    def lapsing(self, task: OfficeTask, lapse: str, signs_in: bool = False) -> Steps:
        """Return the steps of an expert that makes one wrong judgement.

        Raises:
            OptionError: the task kind has no such lapse.
        """
        one_of("lapse", lapse, self.lapses(task))
        return self.lapses(task)[lapse].expert(self._told(task, signs_in), works()[task.kind].rules)

    def _told(self, task: OfficeTask, signs_in: bool) -> str:
        return f"{task.request}\n\n{self.credentials(task)}" if signs_in else task.request

    def standard(self, task: OfficeTask) -> StandardResult:
        """Return the expert's calls, and the delivered texts by file name."""
        return _standard(task)


OFFICE: Final = Wealth()


def open_frozen() -> ServedOffice:
    """Return the office of the frozen tasks, for serving."""
    return OFFICE.served(OFFICE.find(OFFICE.ids(Split.HELDOUT)[0]))


def _file() -> Traversable:
    return resources.files("teller_gym.scenarios.wealth").joinpath("heldout.yaml")


def _case(task: OfficeTask) -> Case:
    return cases(task.seed)[task.kind]


@lru_cache(maxsize=4096)
def _task(task_id: str, kind: str, autonomy: str, seed: int, split: Split) -> OfficeTask:
    case = cases(seed)[kind]
    return OfficeTask(
        id=task_id,
        scenario=OFFICE.name,
        kind=kind,
        autonomy=autonomy,
        seed=seed,
        split=split,
        today=case.world.today,
        level=case.work.level,
        request=request_of(case, autonomy),
        checkpoints=case.work.checkpoints,
        module=__name__,
    )


@lru_cache(maxsize=1)
def _named() -> dict[str, tuple[str, str, int, Split]]:
    """Return task kind, wording, seed and split of the named tasks, by id."""
    found = {
        f"wealth-{kind}-{autonomy}": (kind, autonomy, FROZEN_SEED, Split.HELDOUT)
        for kind in NAMES
        for autonomy in AUTONOMY
    }
    for word, split, first, count in (
        ("world", Split.HELDOUT_WORLDS, HELD_OUT_FROM + 1, WORLDS),
        ("validation", Split.VALIDATION, VALIDATION_FROM, VALIDATION),
    ):
        for number in range(count):
            kind, autonomy = NAMES[number % len(NAMES)], AUTONOMY[number // len(NAMES) % len(AUTONOMY)]
            found[f"wealth-{word}{number + 1:02d}-{kind}-{autonomy}"] = (kind, autonomy, first + number, split)
    return found


@lru_cache(maxsize=256)
def _standard(task: OfficeTask) -> StandardResult:
    desk: Any = OFFICE.open(task)
    steps, calls = OFFICE.expert(task), []
    try:
        wanted: Call = next(steps)
        while True:
            calls.append(wanted)
            try:
                found = run_action(desk, TOOLS, action_text(wanted))
            except ToolError as error:
                found = {"error": error.to_dict()}
            wanted = steps.send(found)
    except StopIteration:
        pass
    case = _case(task)
    outputs = {
        name: read_file(desk.store, desk.user, f"{case.client.folder}/{name}").decode()
        for name in case.work.deliverables
    }
    return StandardResult(tuple(calls), outputs)
