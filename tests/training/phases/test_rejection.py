"""Rejection sampling: which episodes are learned, in which tokens, and the file that keeps them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.agents.chat import ChatFormat
from teller_gym.agents.sampling import Turn
from teller_gym.evaluation.runs.tasks import GENERATED_FROM
from teller_gym.training.config.rounds import RejectionConfig
from teller_gym.training.config.run import load
from teller_gym.training.demonstrations.batches import IGNORED, Example
from teller_gym.training.phases.lessons import STUDENT, Lesson, RoundFile, Row, learned_tokens, lessons_of
from teller_gym.training.phases.rejection import Rejection, chosen, lesson_of
from teller_gym.training.phases.student import Desk
from teller_gym.training.rollouts.rollout import End, Limits, Rollout, Span
from teller_gym.training.tasks.seeds import (
    EXPERT_SEEDS_A_RUN,
    GRPO_SEEDS,
    GRPO_SEEDS_A_RUN,
    ROUND_BLOCKS,
    LeakGuard,
    round_seeds,
)  # fmt: skip
from tests.training.rollouts.test_rollout import Scripted
from tests.training.stub_env import expected_call

FOUND = load("train", ["method=rejection"])[0].method.rejection


def wanted(**changes: Any) -> RejectionConfig:
    return FOUND.model_copy(update={"least_score": None, "per_task": 2} | changes)


def rollout(ids: list[int], score: float | None, end: End = End.DONE, success: bool = True, errors: int = 0) -> Rollout:
    found = {"malformed": errors} if errors else {}
    return Rollout("t", [1, 2], ids, [1] * len(ids), end=end, score=score, success=success, errors=found)


def test_only_the_right_are_learned_no_two_alike_the_best_first() -> None:
    best, alike, erring, third = rollout([3], 1.0), rollout([3], 1.0), rollout([4], 0.96, errors=2), rollout([5], 0.9)
    others = [rollout([6], 0.9, success=False), rollout([7], 1.0, End.TOKENS), rollout([8], None, End.INVALID)]
    kept = chosen([third, *others, best, alike, erring], wanted(per_task=3))
    assert [id(one) for one in kept] == [id(best), id(erring), id(third)]
    assert chosen([third, best, erring], wanted(per_task=1)) == [best]
    # With equal scores, fewer errors come first, then earlier episodes.
    late, first, second = rollout([3], 0.9, errors=1), rollout([4], 0.9), rollout([5], 0.9)
    assert chosen([late, first, second], wanted(per_task=3)) == [first, second, late]


@given(scores=st.lists(st.floats(0, 1), max_size=8), least=st.floats(0.01, 1), most=st.integers(1, 4))
def test_a_least_score_in_place_of_success(scores: list[float], least: float, most: int) -> None:
    rollouts = [rollout([number], score, success=False) for number, score in enumerate(scores)]
    kept = [one.score for one in chosen(rollouts, wanted(least_score=least, per_task=most))]
    assert kept == sorted((score for score in scores if score >= least), reverse=True)[:most]


def test_failed_turns_and_what_the_environment_says_are_not_learned() -> None:
    one = Rollout("t", [9, 9], [1, 2, 8, 8, 3, 4, 8], spans=[Span(0, 2, 0.0, failed=True), Span(4, 6, 0.5)])
    example = lesson_of(one).example()
    assert example.ids.tolist() == [9, 9, 1, 2, 8, 8, 3, 4, 8]
    assert example.labels.tolist() == [IGNORED] * 6 + [3, 4] + [IGNORED]


class Odd(Scripted):
    """A student that writes its calls with one token per character, as no tokenizer would."""

    def sample(self, *given: Any) -> list[Turn]:
        turns = []
        for turn in super().sample(*given):
            ids = [self.chat.tokenizer(letter)["input_ids"] for letter in self.chat.text(turn.ids)]
            spelled = [token for part in ids for token in part] + [self.chat.end]
            turns.append(Turn(spelled, [-0.5] * len(spelled), True))
        return turns


def test_a_round_keeps_episodes_in_the_tokens_that_were_sampled(tokenizer: Any, chat: ChatFormat) -> None:
    config = load("demo", ["env.id=TellerStub-v0", "difficulty=null"])[0]
    desk = Desk(config, LeakGuard(lambda scenario, split: []))
    desk.limits = Limits(2000, 100_000, 99)
    envs: list[Any] = [env.unwrapped for env in desk.table.seats(4)]
    # The first episode of the first task has an error; both of the second task give up.
    scripts = {0: ['{"name":"nonsense","arguments":{}}'], 2: ["I give up."], 3: ["I give up."]}
    sampler = Odd(chat, envs, scripts)
    rows = Rejection(wanted(samples=2), desk).play(sampler, ["stub-g-1", "stub-g-2"], 0)  # type: ignore[arg-type]
    assert [row["task_id"] for row in rows] == ["stub-generated-1", "stub-generated-2"]
    assert [[one["success"] for one in row["episodes"]] for row in rows] == [[True, True], [False, False]]
    assert lessons_of(rows[1]) == []
    clean, erring = lessons_of(rows[0])
    task = desk.seen[0]
    calls = [json.dumps(expected_call(task, step), separators=(",", ":")) for step in range(task.calls)]
    for lesson in (clean, erring):
        said = [chat.text(lesson.ids[start:end]) for start, end in lesson.learned]
        assert said == [f"<tool_call>{call}</tool_call>" for call in calls]
        start, end = lesson.learned[0]
        assert end - start > len(tokenizer(said[0])["input_ids"]) + 1, "they would be fewer if rendered again"
    assert "nonsense" in chat.text(erring.ids) and "nonsense" not in chat.text(clean.ids)
    assert Rejection(wanted(), desk).figures(rows) == pytest.approx(
        {"score": 0.5, "success": 0.5, "tasks_with_lessons": 0.5}, abs=0.01
    )


@given(labels=st.lists(st.booleans(), min_size=1, max_size=30))
def test_a_lesson_and_its_example_say_the_same(labels: list[bool]) -> None:
    ids = np.arange(5, 5 + len(labels), dtype=np.int32)
    example = Example(ids, np.where(labels, ids, IGNORED).astype(np.int32))
    lesson = Lesson.of(example)
    again = lesson.example()
    assert again.ids.tolist() == ids.tolist() and again.labels.tolist() == example.labels.tolist()
    assert lesson.tokens == sum(labels)
    assert lessons_of({"lessons": [json.loads(json.dumps(lesson.row()))]}) == [lesson]


rounds = st.tuples(st.sampled_from(ROUND_BLOCKS), st.integers(0, 99), st.integers(1, 100))


@given(one=rounds, other=rounds)
def test_no_task_is_played_twice_in_any_phase_of_any_run(
    one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    here, there = round_seeds(*one), round_seeds(*other)
    assert one == other or here.stop <= there.start or there.stop <= here.start
    # Seeds of the last run's expert data and GRPO come before.
    assert (
        max(100 * EXPERT_SEEDS_A_RUN, GRPO_SEEDS + 100 * GRPO_SEEDS_A_RUN) <= here.start < here.stop <= GENERATED_FROM
    )


def rows_of(count: int) -> list[Row]:
    lesson = Lesson([1, 2, 3], [(1, 3)])
    return [
        {"step": number, "source": STUDENT, "task_id": f"t-{number}", "lessons": [lesson.row()]}
        for number in range(count)
    ]


def finished(folder: Path, made: dict[str, Any]) -> RoundFile:
    file = RoundFile(folder / "data" / "one.jsonl", made)
    file.begin()
    file.append(rows_of(4))
    file.finish()
    return file


def test_a_finished_file_is_known_again(tmp_path: Path) -> None:
    file = finished(tmp_path, {"round": 1})
    assert file.fault() is None and not file.begun()
    assert [row["task_id"] for row in file.rows()] == ["t-0", "t-1", "t-2", "t-3"]
    assert learned_tokens(file.rows(), STUDENT) == 8
    assert "other settings" in str(RoundFile(file.path, {"round": 2}).fault())
    text = file.path.read_bytes()
    file.path.write_bytes(text.replace(b"t-2", b"t-9"))
    assert file.fault() == "one.jsonl is damaged"
    file.path.write_bytes(text)
    file.path.with_suffix(".head.json").write_text("{")
    assert file.fault() == "one.head.json is missing or damaged"


def test_a_file_that_was_cut_anywhere_goes_on_after_its_last_whole_batch(tmp_path: Path) -> None:
    whole = finished(tmp_path / "whole", {}).path.read_bytes()
    part = tmp_path / "data" / "one.part"
    for left in range(0, len(whole), 7):
        file = RoundFile(tmp_path / "data" / "one.jsonl", {})
        file.begin()
        part.write_bytes(whole[:left])
        assert file.begun() and not RoundFile(file.path, {"tasks": 2}).begun()
        rows = file.resume(lambda rows: len(rows) // 2 * 2)
        assert len(rows) == whole[:left].count(b"\n") // 2 * 2
        file.append(rows_of(4)[len(rows) :])
        file.finish()
        assert file.path.read_bytes() == whole and file.fault() is None


def test_what_follows_a_damaged_line_is_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = RoundFile(tmp_path / "one.jsonl", {})
    file.begin()
    file.append(rows_of(4))
    part = tmp_path / "one.part"
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(lines[0] + b"{}\n" + lines[2] + lines[3])
    assert [row["step"] for row in file.resume(len)] == [0]
    assert part.read_bytes() == lines[0]
    assert "line 2 is damaged" in capsys.readouterr().err
