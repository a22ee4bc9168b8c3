"""A curriculum in GRPO: its file, its tasks, and that a run that was cut off goes on as if it had not been."""

from __future__ import annotations

from pathlib import Path

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import EVALUATION_SPLITS
from teller_gym.tasks.difficulty import bands, difficulty_of
from teller_gym.tasks.store import find_task, load_tasks
from teller_gym.training.config.run import load
from teller_gym.training.rollouts.rollout import Rollout
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.trainer_parts.curriculum_state import Course, drawer, open_course
from tests.training.trainer_parts.test_curriculum import chance, curriculum


def test_a_course_goes_on_from_its_file(tmp_path: Path) -> None:
    def go(course: Course, steps: range) -> list[list[str]]:
        played = []
        for step in steps:
            ids = course.choose([slot for slot in range(3 * step, 3 * step + 3) for _ in range(2)])
            assert ids[::2] == ids[1::2] and len(set(ids)) == 3
            course.learn(step, [Rollout(one, [], reward=chance(one)[n % 2]) for n, one in enumerate(ids)])
            played.append(ids)
        return played

    def course(name: str) -> Course:
        return Course(curriculum(window=2, raise_at=0.2, replay=0.3), tmp_path / name)

    first, again = course("whole"), course("cut")
    first.rewind(0)
    whole = go(first, range(9))
    assert go(again, range(6)) == whole[:6]
    again = course("cut")
    again.rewind(4)
    assert go(again, range(4, 9)) == whole[4:]
    assert again.path.read_bytes() == first.path.read_bytes()
    again.rewind(0)
    assert again.path.read_bytes() == b""
    assert go(again, range(9)) == whole
    with pytest.raises(OptionError, match=r"no line of step 11.*begin GRPO again"):
        again.rewind(12)
    for state in ('{"level": "high"}', '{"recent": []}', "null"):
        again.path.write_text(f'{{"step": 2, "state": {state}}}\n')
        with pytest.raises(OptionError, match=r"no line of step 2.*begin GRPO again"):
            again.rewind(3)


def test_tasks_lie_in_their_band_and_are_never_the_same() -> None:
    make = drawer(Mixture({"loans": 1.0}), 3, 1_000_000_000)
    scenario, ranges = load_scenario("loans"), bands("loans", 3)
    ids = [make(band, 3 * number + band) for band in range(3) for number in range(3)]
    for number, task_id in enumerate(ids):
        low, high = ranges[number // 3]
        assert low <= difficulty_of(find_task("loans", task_id), scenario).level <= high
    assert len(set(ids)) == 9
    evaluation = {task.fingerprint for split in EVALUATION_SPLITS for task in load_tasks("loans", split)}
    assert evaluation.isdisjoint(find_task("loans", task_id).fingerprint for task_id in ids)


def test_a_configuration_with_a_curriculum_opens_its_course(tmp_path: Path) -> None:
    config = load("demo", ["difficulty=null", "method.grpo.curriculum={bands: 2, harder: 0}"])[0]
    course, easy = open_course(config, Mixture({"loans": 1.0}), tmp_path / "curriculum.jsonl"), bands("loans", 2)[0]
    assert course is not None and open_course(load("demo", [])[0], Mixture({"loans": 1.0}), tmp_path) is None
    for task_id in course.choose(["group-0", "group-1"]):
        assert easy[0] <= difficulty_of(find_task("loans", task_id), load_scenario("loans")).level <= easy[1]
