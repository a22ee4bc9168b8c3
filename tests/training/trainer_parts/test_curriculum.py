"""The curriculum of GRPO: its picks, its levels, its state and file, and its worth."""

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import EVALUATION_SPLITS
from teller_gym.tasks.difficulty import bands, difficulty_of
from teller_gym.tasks.store import find_task, load_tasks
from teller_gym.training.config.grpo import CurriculumConfig
from teller_gym.training.config.run import load
from teller_gym.training.rollouts.rollout import Rollout
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.trainer_parts.curriculum import KEPT, Curriculum, State
from teller_gym.training.trainer_parts.curriculum_state import Course, drawer, open_course

BANDS = 4
Rewards = Callable[[str], Sequence[float | None]]
ALL, NONE, SOME = [1.0, 1.0], [0.0, 0.0], [0.0, 1.0]


def draw(band: int, number: int) -> str:
    return f"{band}-{number}"


def band_of(task_id: str) -> int:
    return int(task_id.partition("-")[0])


def curriculum(seed: int = 0, **changes: Any) -> Curriculum:
    return Curriculum(CurriculumConfig(**changes), BANDS, draw, seed)


def given_rewards(rewards: Sequence[float | None], task_id: str) -> Sequence[float | None]:
    """The same rewards for every task."""
    return rewards


def play(picks: Curriculum, rewards_of: Rewards, steps: int, count: int = 8) -> list[str]:
    """Play steps and return all ids."""
    played = []
    for _ in range(steps):
        for task_id in (ids := picks.next_tasks(count)):
            picks.update(task_id, rewards_of(task_id))
        played += ids
    return played


def test_the_current_band_has_most_tasks_and_its_neighbours_their_shares() -> None:
    picked = Counter(band_of(one) for one in curriculum().next_tasks(400))
    assert set(picked) == {0, 1} and picked[0] > 320 and picked[1] > 15
    middle = curriculum(window=4, replay=0, easier=0.3, harder=0.1)
    play(middle, lambda one: SOME if band_of(one) else ALL, 20)
    assert middle.level == 1, "band 1 stays at a mean of one half"
    assert middle.weights() == pytest.approx([0.3 * 0.2, 0.6, 0.1, 0])
    # The shares of bands that do not exist go to the current one.
    picks = curriculum(window=2)
    assert picks.weights() == pytest.approx([0.9, 0.1, 0, 0])
    play(picks, lambda one: [0.9, 1.0], 40)
    assert picks.level == 3 and picks.weights() == pytest.approx([0.2 / 3, 0.2 / 3, 0.2 / 3, 0.8])


@pytest.mark.parametrize(
    ("config", "steps"),
    [
        ({"raise_at": 0.7}, [([0.59, 0.79], 640, 0)]),
        ({"raise_at": 0.7}, [([0.61, 0.81], 640, 3)]),
        # It waits for a full window.
        ({"window": 10}, [(ALL, 9, 0), (ALL, 1, 1)]),
        # Old groups leave the window.
        ({"window": 10}, [(NONE, 50, 0), (ALL, 7, 1)]),
        # It falls if tasks are too hard; earlier results of the lower band do not raise it at once.
        (
            {"window": 4, "raise_at": 0.7, "lower_at": 0.1},
            [(ALL, 8, 2), ([0.0, 0.3], 20, 2), (NONE, 2, 1), (ALL, 3, 1), (ALL, 1, 2), (NONE, 40, 0)],
        ),
    ],
)
def test_the_level_follows_the_mean_of_its_window(config: dict[str, Any], steps: list[tuple[Any, int, int]]) -> None:
    picks = curriculum(replay=0, easier=0, harder=0, **config)
    for rewards, count, level in steps:
        play(picks, partial(given_rewards, rewards), count, count=1)
        assert picks.level == level


def test_a_band_without_spread_is_drawn_from_less_and_comes_back() -> None:
    picks = curriculum(window=8, replay=0, easier=0, harder=0.5, raise_at=1)
    before = picks.weights()
    play(picks, lambda one: NONE if band_of(one) == 1 else [0.2, 0.4], 12)
    fewer = picks.weights()
    assert fewer[0] == before[0] and fewer[1] == pytest.approx(0.2 * before[1])
    play(picks, lambda _: SOME, 20)
    assert picks.weights() == before


def test_tasks_with_spread_are_played_again_within_their_share() -> None:
    picks = curriculum(replay=0.25, raise_at=1)
    played = play(picks, lambda one: SOME if int(one.partition("-")[2]) % 3 == 0 else NONE, 50)
    repeated = Counter(played)
    assert 0.2 * len(played) < len(played) - len(repeated) <= 0.25 * len(played)
    assert all(int(one.partition("-")[2]) % 3 == 0 for one, count in repeated.items() if count > 1)
    once = play(curriculum(replay=0), lambda _: SOME, 30)
    assert len(set(once)) == len(once)


def test_tasks_played_again_do_not_speak_for_their_band() -> None:
    picks = curriculum(window=5, replay=0.5, raise_at=0.7, harder=0)
    seen: Counter[str] = Counter()

    def rewards(task_id: str) -> list[float | None]:
        seen[task_id] += 1
        return [0.9, 1.0] if seen[task_id] > 1 else [0.5, 0.6]

    play(picks, rewards, 50)
    assert max(seen.values()) > 1 and picks.level == 0


def test_what_broke_says_nothing() -> None:
    picks = curriculum(window=2)
    untouched = picks.weights()
    play(picks, lambda _: [None, 1.0], 10)
    assert picks.level == 0 and picks.weights() == untouched
    assert picks.save().kept == []
    play(picks, lambda _: [None, 1.0, 1.0], 3)
    assert picks.level > 0


def test_a_task_that_was_not_picked_is_refused() -> None:
    picks = curriculum()
    (task_id,) = picks.next_tasks(1)
    picks.update(task_id, SOME)
    for wrong in (task_id, "9-9"):
        with pytest.raises(OptionError, match="got '"):
            picks.update(wrong, SOME)


def test_figures_of_a_step() -> None:
    picks = curriculum(replay=0, harder=0)
    assert picks.figures()["curriculum/no_spread"] == 0
    play(picks, lambda one: SOME if one in ("0-8", "0-9") else NONE, 2)
    figures = picks.figures()
    assert figures["curriculum/level"] == 0 and figures["curriculum/replayed"] == 0
    assert figures["curriculum/no_spread"] == 0.75
    assert figures["curriculum/score"] == pytest.approx(1 / 16)
    assert [figures[f"curriculum/band_{band}"] for band in range(BANDS)] == [8, 0, 0, 0]


def chance(task_id: str) -> list[float | None]:
    """Rewards that only depend on the task."""
    rng = random.Random(task_id)
    return [rng.random() ** (1 + band_of(task_id)) if rng.random() > 0.4 else 0.0 for _ in range(3)]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 99), st.integers(0, 30), st.integers(1, 9))
def test_a_restored_state_goes_on_alike(seed: int, steps: int, count: int) -> None:
    config: dict[str, Any] = {"window": 4, "raise_at": 0.3, "replay": 0.4}
    whole, cut, other = curriculum(seed, **config), curriculum(seed, **config), curriculum(seed, **config)
    assert play(whole, chance, steps, count) == play(cut, chance, steps, count)
    kept = msgspec.json.encode(cut.save())
    play(other, lambda _: SOME, 3)
    other.restore(msgspec.json.decode(kept, type=State))
    assert play(whole, chance, 5, count) == play(other, chance, 5, count)
    assert whole.save() == other.save()
    other.restore(None)
    assert other.save() == curriculum(seed).save()


def test_a_saved_state_does_not_move_and_does_not_grow_for_ever() -> None:
    picks = curriculum(replay=0, window=16)
    kept = picks.save()
    play(picks, lambda _: SOME, 100)
    state = picks.save()
    assert kept == curriculum().save() != state
    assert len(state.kept) == KEPT and max(map(len, state.recent)) == 16
    assert curriculum(0).next_tasks(60) != curriculum(1).next_tasks(60)


def test_a_state_of_other_bands_is_refused() -> None:
    with pytest.raises(OptionError, match="expected a state with 4 bands, got 2"):
        curriculum().restore(State([[], []]))


def test_it_is_off_unless_asked_for() -> None:
    assert load("train", [])[0].method.grpo.curriculum is None
    assert load("train", ["method=curriculum"])[0].method.grpo.curriculum == CurriculumConfig()
    config, plain = load("demo", ["difficulty=null", "method.grpo.curriculum={bands: 3, window: 4}"])
    assert config.method.grpo.curriculum == CurriculumConfig(bands=3, window=4)
    assert plain["method"]["grpo"]["curriculum"]["raise_at"] == 0.7


class Learner:
    """Succeeds with a chance that falls with a task's level; its skill rises by groups with successes and failures."""

    def __init__(self, seed: int) -> None:
        self.skill = 0.1
        self.seed = seed
        self.groups = self.flat = 0

    def rewards(self, task_id: str) -> list[float | None]:
        self.groups += 1
        rng = random.Random(f"{self.seed}/{task_id}/{self.groups}")
        level = (band_of(task_id) + random.Random(task_id).random()) / BANDS
        chance = 1 / (1 + math.exp(16 * (level - self.skill)))
        rewards = [float(rng.random() < chance) for _ in range(8)]
        if min(rewards) == max(rewards):
            self.flat += 1
        else:
            self.skill += 0.0015
        return list(rewards)


@pytest.mark.parametrize("seed", range(3))
def test_a_learner_gets_further_with_fewer_groups_without_spread(seed: int) -> None:
    """Compare with a learner whose tasks are drawn from all bands alike."""
    taught, untaught, levels = Learner(seed), Learner(seed), []
    picks, rng = curriculum(seed), random.Random(f"uniform/{seed}")
    for step in range(120):
        play(picks, taught.rewards, 1)
        levels.append(picks.level)
        for number in range(8):
            untaught.rewards(draw(int(rng.random() * BANDS), 8 * step + number))
    assert levels[5] == 0 and sum(levels[:40]) < sum(levels[40:80]) < sum(levels[80:]) and levels[-1] == BANDS - 1
    assert taught.flat / taught.groups < 0.65 * untaught.flat / untaught.groups
    assert taught.skill > untaught.skill + 0.3


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
