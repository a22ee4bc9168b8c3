"""Groups that teach nothing are replaced, within bounds, by fresh tasks, and what was dropped is still counted."""

import itertools
import json
import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import SettingsError
from teller_gym.configuration.compose import choices
from teller_gym.training.config.run import load
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.rollouts.rollout import End, Rollout, Span
from teller_gym.training.rollouts.step_groups import StepGroups
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import GRPO_SEEDS, GRPO_SEEDS_A_RUN, REPLACEMENT_SEEDS, LeakError, LeakGuard
from teller_gym.training.trainer_parts.dead_groups import dead_places, group_figures, play_groups, spare_tasks, teaches
from tests.training.stand_in import Talks
from tests.training.stub_env import make_task
from tests.training.toy import (
    CutError,
    LikesDigits,
    banded,
    play_on,
    rows_of,
    same,
    settings,
    train,
    watched,
    weights,
)

OUT = frozenset({End.INVALID})


def rollout(score: float | None, end: End = End.DONE, gains: Sequence[float] = ()) -> Rollout:
    spans = [Span(number, number + 1, gain) for number, gain in enumerate(gains)]
    end = End.INVALID if score is None else end
    return Rollout("t", [], end=end, score=score, reward=score, spans=spans)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0.5, 0.5], False),
        ([0.5, 0.7], True),
        ([0.1 + 0.2, 0.3], False),
        ([None, 0.7], False),
        ([None, 0.7, 0.7], False),
        ([None, 0.7, 0.1], True),
        ([None, None], False),
    ],
)
def test_a_group_teaches_if_two_of_its_rewards_differ(scores: list[float | None], expected: bool) -> None:
    assert teaches([rollout(score) for score in scores], OUT) is expected


def test_rewards_count_and_not_scores_and_not_those_left_out() -> None:
    alike = [replace(rollout(score), reward=0.0) for score in (0.2, 0.4)]
    differing = [replace(rollout(0.2), reward=reward) for reward in (0.0, 1.0)]
    assert not teaches(alike, OUT) and teaches(differing, OUT)
    group = [rollout(0.5), rollout(0.5), rollout(0.2, End.TOKENS)]
    assert teaches(group, OUT) and not teaches(group, OUT | {End.TOKENS})


def test_with_credit_by_turn_it_counts_when_the_same_score_was_earned() -> None:
    early, late = rollout(0.5, gains=[0.5, 0.0]), rollout(0.5, gains=[0.0, 0.5])
    assert not teaches([early, late], OUT) and teaches([early, late], OUT, 0.5)
    assert not teaches([early, early], OUT, 0.5) and not teaches([early, rollout(None)], OUT, 0.5)
    cut = rollout(0.5, End.TOKENS, [0.0, 0.5])
    assert teaches([early, cut], OUT, 0.5) and not teaches([early, cut], OUT | {End.TOKENS}, 0.5)


@given(tasks=st.integers(1, 6), spare=st.integers(0, 7), group=st.integers(2, 3), data=st.data())
def test_a_step_plays_on_until_all_teach_or_its_groups_are_spent(
    tasks: int, spare: int, group: int, data: st.DataObject
) -> None:
    played = StepGroups(group, range(tasks * group))
    dead: dict[str, bool] = {}
    rounds: list[dict[int, str]] = []
    asked: list[tuple[int, int]] = []

    def play(wanted: dict[int, str]) -> None:
        rounds.append(wanted)
        found = []
        for task_id in wanted.values():
            dead[task_id] = data.draw(st.booleans())
            rewards = [0.5 if dead[task_id] else 0.1 * one for one in range(group)]
            found += [Rollout(task_id, [], ids=[7], score=0.3, reward=reward) for reward in rewards]
        played.add([*wanted], found)

    def more(first: int, count: int) -> list[str]:
        asked.append((first, count))
        return [f"spare-{first + number}" for number in range(count)]

    def teach(rollouts: Sequence[Rollout]) -> bool:
        return teaches(rollouts, OUT)

    play_groups(played, [f"task-{place}" for place in range(tasks)], tasks + spare, play, more, teach)
    names = [one[0].task_id for one in played.groups]
    assert len(names) == len(set(names)) <= tasks + spare, "no task twice"
    assert names[tasks:] == [f"spare-{number}" for number in range(len(names) - tasks)]
    assert [first for first, _ in asked] == [sum(count for _, count in asked[:n]) for n in range(len(asked))]
    kept = [names[number] for number in played.kept]
    left = [place for place, name in enumerate(kept) if dead[name]]
    assert dead_places(played, teach) == left and (not left or len(names) == tasks + spare)
    now = dict(rounds[0])
    for wanted in rounds[1:]:
        assert wanted and all(dead[now[place]] for place in wanted), "what teaches stays"
        now |= wanted
    assert kept == [now[place] for place in range(tasks)]
    assert [one.task_id for one in played.learned] == [name for name in kept for _ in range(group)]
    assert [played.own[row].task_id for row in played.rows] == [one.task_id for one in played.learned]
    assert all(one.ids for one in played.own.values()) and not any(one.ids for one in played.rollouts)
    assert group_figures(played, teach) == {
        "groups/played": len(names),
        "groups/replaced": len(names) - tasks,
        "groups/dead_before": pytest.approx(sum(dead[name] for name in names[:tasks]) / tasks),
        "groups/dead_after": pytest.approx(len(left) / tasks),
    }


@given(places=st.sets(st.integers(0, 7)), group=st.integers(2, 5), processes=st.sampled_from([1, 2, 4, 8]))
def test_processes_share_the_rows_of_replaced_groups(places: set[int], group: int, processes: int) -> None:
    each = 8 * group // processes
    found = [
        StepGroups(group, range(each * number, each * (number + 1))).rows_in(sorted(places))
        for number in range(processes)
    ]
    assert [row for rows in found for row in rows] == [row for row in range(8 * group) if row // group in places]


def test_tasks_of_replacements_are_of_seeds_that_nothing_else_has() -> None:
    config, _ = load("train", ["seed=3", "method.grpo.steps=50", "method.grpo.tasks=4", "method.grpo.most_groups=1.8"])
    assert config.method.grpo.groups_at_most == 7
    mixture = Mixture({"loans": 1.0})
    seeds = [
        int(task_id.rpartition("-")[2])
        for step in range(50)
        for first, count in ((0, 2), (2, 1))
        for task_id in spare_tasks(config, mixture, step, first, count)
    ]
    assert seeds == list(
        range(REPLACEMENT_SEEDS + 3 * GRPO_SEEDS_A_RUN, REPLACEMENT_SEEDS + 3 * GRPO_SEEDS_A_RUN + 150)
    )
    assert GRPO_SEEDS + 100 * GRPO_SEEDS_A_RUN <= REPLACEMENT_SEEDS
    assert REPLACEMENT_SEEDS + 100 * GRPO_SEEDS_A_RUN <= 2_000_000_000


def test_more_groups_than_a_run_has_seeds_are_refused() -> None:
    with pytest.raises(SettingsError) as caught:
        load("train", ["method.grpo.steps=70000"])
    (told,) = caught.value.problems
    assert told.startswith("method.grpo.steps: expected at most 1000000 groups in all, got 1120000")
    load("train", ["method.grpo.steps=70000", "method.grpo.most_groups=1"])
    with pytest.raises(SettingsError, match=r"method\.grpo\.most_groups: expected a number, at least 1"):
        load("train", ["method.grpo.most_groups=0.5"])


def test_the_standard_recipe_replaces_and_the_measured_ones_do_not() -> None:
    found = {name: load(name, [])[0] for name in ("train", "demo", "long_cpu")}
    assert {name: one.method.grpo.most_groups for name, one in found.items()} == {"train": 2, "demo": 1, "long_cpu": 1}
    scales = {name: load("train", [f"loss={name}"])[0].loss.scale_rewards for name in choices("loss")}
    assert scales == {"dapo": "batch", "dr_grpo": "none", "grpo": "group", "gspo": "group"}
    assert found["demo"].loss.scale_rewards == "batch" and found["long_cpu"].loss.scale_rewards == "group"


class Fussy(LikesDigits):
    """Scores all actions alike on every third task; on others, scores of neighbouring seats always differ."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat

    def step(self, action: str) -> Any:
        observation, reward, terminated, truncated, info = super().step(action)
        score = 0.25 if self.task.seed % 3 == 0 else info["score"] / 4 + self.seat % 2 / 2
        return observation, reward, terminated, truncated, info | {"score": score}


class Chatty(Talks):
    """Answers two to five times; scores actions by their digits, and all alike on every third task."""

    def step(self, action: str) -> Any:
        self.earned += sum(map(str.isdigit, action)) / max(1, len(action))
        observation, reward, terminated, truncated, _ = super().step(action)
        score = 0.25 if self.task.seed % 3 == 0 else self.score()
        return observation, reward, terminated, truncated, self.info() | {"score": score}


@pytest.fixture
def fussy(monkeypatch: pytest.MonkeyPatch, no_leaks: None) -> None:
    seats = itertools.count()
    play_on(monkeypatch, lambda: Fussy(next(seats)))
    banded(monkeypatch)


SMALL = ("method.grpo.tasks=4", "method.grpo.most_groups=1.75", "method.grpo.learning_rate=1e-2")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.training
@pytest.mark.usefixtures("fussy")
def test_grpo_replaces_dead_groups_and_counts_them(
    tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dead groups have seeds 1,000,000,000 + 2, 5, … or, among replacements, 1,200,000,000 + 0, 3, …"""
    calls = watched(monkeypatch, Player, "__call__")
    train(tokenizer, tmp_path, settings("method.grpo.steps=3", *SMALL))
    seen = [(columns["rollout"], columns["everyones"][0]) for _, columns in calls]
    assert all(len(kept) == 8 for kept, _ in seen) and calls[-1][0].rollouts == seen[-1][0]
    names = [[int(one.task_id.rpartition("-")[2]) for one in kept[::2]] for kept, _ in seen]
    first, again = GRPO_SEEDS, REPLACEMENT_SEEDS
    # Step 0 has its third task replaced twice, step 2 its first and its last, and then the first of these again.
    assert names == [
        [first, first + 1, again + 1, first + 3],
        [first + 4, again + 4, first + 6, first + 7],
        [again + 8, first + 9, first + 10, again + 7],
    ]
    figures = [
        [row[f"groups/{name}"] for name in ("played", "replaced", "dead_before", "dead_after")]
        for row in rows_of(tmp_path)
    ]
    assert figures == [[6, 2, 0.25, 0], [6, 2, 0.25, 0], [7, 3, 0.5, 0]]
    for row, (kept, every) in zip(rows_of(tmp_path), seen, strict=True):
        assert row["frac_reward_zero_std"] == row["groups/dead_after"]
        assert row["rewards/score/mean"] == pytest.approx(statistics.fmean(one.score or 0 for one in kept), abs=1e-6)
        assert row["episodes/score"] == pytest.approx(statistics.fmean(one.score or 0 for one in every))
        assert len(every) == 2 * row["groups/played"]
    lines = lines_of(tmp_path / "transcripts.jsonl")
    assert [line["step"] for line in lines] == [0] * 6 + [1] * 6 + [2] * 7
    dropped = [int(line["task_id"].rpartition("-")[2]) for line in lines if line.get("dropped")]
    assert dropped == [first + 2, again, first + 5, again + 3, first + 8, first + 11, again + 6]
    assert all("messages" in line and line["score"] == 0.25 for line in lines if line.get("dropped"))


@pytest.mark.training
@pytest.mark.usefixtures("fussy")
def test_without_replacing_dead_groups_stay_and_are_told(tokenizer: Any, tmp_path: Path) -> None:
    """Rewards are divided by the deviation of the whole step, for which TRL would report that no group is dead."""
    config = settings("method.grpo.steps=1", "method.grpo.tasks=4")
    assert config.loss.scale_rewards == "batch" and config.method.grpo.most_groups == 1
    train(tokenizer, tmp_path, config)
    (row,) = rows_of(tmp_path)
    assert row["frac_reward_zero_std"] == row["groups/dead_before"] == row["groups/dead_after"] == 0.25
    assert row["groups/played"] == 4 and row["groups/replaced"] == 0


COURSE = "method.grpo.curriculum={bands: 3, window: 1, raise_at: 0.02, lower_at: 0, replay: 0.4}"


@pytest.mark.training
@pytest.mark.usefixtures("fussy")
@pytest.mark.parametrize("how", ["loss=grpo", COURSE])
def test_a_run_that_replaces_goes_on_after_a_cut_as_if_there_had_been_none(
    how: str, tokenizer: Any, tmp_path: Path
) -> None:
    """Cut off after the third update, with a checkpoint at the second: the third is repeated with the same tasks."""
    config = settings("method.grpo.steps=4", "method.grpo.save_steps=2", "loss.beta=0", *SMALL, how)
    whole = weights(train(tokenizer, tmp_path / "whole", config))
    with pytest.raises(CutError):
        train(tokenizer, tmp_path / "cut", config, stop=2)
    assert same(weights(train(tokenizer, tmp_path / "cut", config)), whole)
    assert sum(row["groups/replaced"] for row in rows_of(tmp_path / "whole")) > 2
    course = ["curriculum.jsonl"] if config.method.grpo.curriculum else []
    figures = [
        [{name: value for name, value in row.items() if name.startswith(("curriculum/", "groups/"))} for row in rows]
        for rows in (rows_of(tmp_path / "whole"), rows_of(tmp_path / "cut"))
    ]
    assert figures[0] == figures[1]
    for name in ("transcripts.jsonl", *course):
        assert (tmp_path / "whole" / name).read_text() == (tmp_path / "cut" / name).read_text()
    if course:
        expect_learned(tmp_path / "whole")


def expect_learned(folder: Path) -> None:
    """Check that the curriculum received every group, and chose those that replaced others."""
    told = lines_of(folder / "curriculum.jsonl")
    lines = lines_of(folder / "transcripts.jsonl")
    for line, row in zip(told, rows_of(folder), strict=True):
        played = [one["task_id"] for one in lines if one["step"] == line["step"]]
        assert list(line["scores"]) == played and len(played) == row["groups/played"]
        assert line["state"]["open"] == []
        dead = sum(max(scores) - min(scores) < 1e-9 for scores in line["scores"].values())
        assert row["curriculum/no_spread"] == pytest.approx(dead / len(played))
        assert sum(row[f"curriculum/band_{band}"] for band in range(3)) == len(played)
    assert told[-1]["state"]["picked"] == sum(row["groups/played"] for row in rows_of(folder))
    assert [line["step"] for line in told] == [0, 1, 2, 3] and rows_of(folder)[-1]["curriculum/level"] > 0, "it rose"


@pytest.mark.training
@pytest.mark.usefixtures("fussy")
def test_a_replacement_of_an_evaluation_split_is_refused(
    tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = make_task(REPLACEMENT_SEEDS + 1).fingerprint
    monkeypatch.setattr(LeakGuard, "forbidden", lambda self, scenario: frozenset({secret}))
    with pytest.raises(LeakError, match="must not be trained on"):
        train(tokenizer, tmp_path, settings("method.grpo.steps=1", *SMALL))
