"""Rounds of learning from a model's own episodes in the recipe: what they leave, survive and refuse."""

import json
import os
import random
import re
import shutil
import signal
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.agents.chat import ChatFormat
from teller_gym.agents.sampling import Turn
from teller_gym.cli.exit_codes import PAUSED, USAGE
from teller_gym.cli.interrupt import ending_soon
from teller_gym.procedure.task import Task
from teller_gym.tasks.store import find_task
from teller_gym.training.config.run import load
from teller_gym.training.demonstrations.batches import IGNORED
from teller_gym.training.phases import sft
from teller_gym.training.phases.corrections import Corrections
from teller_gym.training.phases.lessons import EXPERT, STUDENT, RoundFile, learned_tokens, row_of
from teller_gym.training.phases.rounds import Rounds
from teller_gym.training.phases.student import Student
from teller_gym.training.rollouts.engines import BatchEngine
from teller_gym.training.run_folder.checksums import damage
from teller_gym.training.run_folder.metrics_log import MetricsLog, read_rows
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.seeds import round_seeds
from tests.training.pair import forked, pair
from tests.training.small import SMALL, run
from tests.training.test_cuts import half, killed, outcome

pytestmark = [pytest.mark.training, pytest.mark.slow, pytest.mark.usefixtures("played_once")]

ROUNDS = (
    "method.grpo.steps=0", "evaluation.untrained=false", "evaluation.trials=1", "method.sft.batch_tokens=1500",
    "method.rejection.rounds=1", "method.rejection.tasks=5", "method.rejection.samples=2",
    "method.rejection.at_once=4", "method.rejection.expert_share=0.4",
    "method.corrections.rounds=2", "method.corrections.tasks=5", "method.corrections.at_once=3",
    "method.corrections.most=2", "method.corrections.expert_share=0.3", "method.corrections.passes=2",
)  # fmt: skip
BAND = Band(0.0, 0.45)


@cache
def tasks() -> dict[str, Task]:
    """Return the tasks of the rounds by the case id in their requests."""
    found = [
        find_task("loans", BAND.generated("loans", seed))
        for phase in ("rejection", "corrections")
        for number in (1, 2)
        for seed in round_seeds({"rejection": 0, "corrections": 1}[phase], 0, number)[:5]
    ]
    return {task.case_id: task for task in found}


class Schooled:
    """A sampler that makes the standard calls, but in every second slot ends the episode at once."""

    def __init__(self, chat: ChatFormat, seed: int) -> None:
        self.chat, self.rng = chat, random.Random(seed)

    def sample(self, slots: Sequence[int], contexts: Sequence[Sequence[int]], max_new: int) -> list[Turn]:
        return [self._turn(slot, self.chat.text(context)) for slot, context in zip(slots, contexts, strict=True)]

    def _turn(self, slot: int, said: str) -> Turn:
        task = tasks()[re.findall(r"LA-\d{6}", said)[0]]
        call = task.standard.calls[said.count("<tool_call>")]
        text = json.dumps({"name": call.name, "arguments": call.arguments}, separators=(",", ":"))
        # Meaningless spaces, so that a turn depends on the seed of the batch.
        text = " " * self.rng.randrange(3) + f"<tool_call>{text}</tool_call>"
        gives_up = slot % 2 and "<tool_call>" not in said
        ids = self.chat.tokenizer("All is done." if gives_up else text)["input_ids"]
        return Turn([*ids, self.chat.end], [0.0] * (len(ids) + 1), True)

    def forget(self) -> None:
        """Nothing to forget."""


@pytest.fixture(autouse=True, scope="module")
def schooled() -> Any:
    """Let `Schooled` play the rounds: the skill of trained weights would depend on the processor."""

    def engine(self: Student, temperature: float, seed: int) -> BatchEngine:
        return BatchEngine(Schooled(self.chat, seed))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Student, "engine", engine)
        yield


LEARNED: list[list[Any]] = []
"""Examples that each round of `done` learned."""


@pytest.fixture(scope="module")
def done(played_once: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with both phases; tests must not change it."""
    folder = tmp_path_factory.mktemp("rounds") / "run"
    train = sft.train_sft

    def watched(model: Any, tokenizer: Any, short: Any, whole: list[Any], *given: Any, **named: Any) -> Any:
        LEARNED.append(whole)
        return train(model, tokenizer, short, whole, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("teller_gym.training.phases.rounds.train_sft", watched)
        assert run(folder, *ROUNDS) == 0
    return folder


def begun(done: Path, folder: Path, *lacking: str) -> Path:
    """Copy a run without some phases of rounds, by default without both."""
    shutil.copytree(done, folder)
    for phase in lacking or ("rejection", "corrections"):
        shutil.rmtree(folder / phase)
        for path in folder.glob(f"data/{phase}-*"):
            path.unlink()
        log = folder / "metrics.jsonl"
        kept = [line for line in log.read_bytes().splitlines(True) if b'"phase": "' + phase.encode() not in line]
        log.write_bytes(b"".join(kept))
    (folder / "result.json").unlink()
    return folder


def test_what_both_phases_leave(done: Path) -> None:
    log = MetricsLog(done / "metrics.jsonl")
    for phase, episodes in (("rejection", 10), ("corrections", 5)):
        assert damage(done / phase / "checkpoint") is None
        assert (done / phase / "evaluation" / "report.json").exists()
        lines = [row for row in log.rows(phase) if row["step"]]
        rounds = {"rejection": [1], "corrections": [1, 2]}[phase]
        assert [row["round"] for row in lines] == rounds
        for row in lines:
            assert row["episodes"] == episodes and 0 < row["kept"] < episodes
            share = row["tokens_learned_of_expert"] / (row["tokens_learned_of_expert"] + row["tokens_learned"])
            assert share >= {"rejection": 0.4, "corrections": 0.3}[phase] and row["tokens_learned"] > 0
            rows = list(read_rows(done / "data" / f"{phase}-{row['round']}.jsonl"))
            assert row["tokens_learned"] == learned_tokens(rows, STUDENT)
            # Without the expert's last episode its share would be too small.
            wanted = row["tokens_learned"] * {"rejection": 2 / 3, "corrections": 3 / 7}[phase]
            assert learned_tokens(rows[:-1], EXPERT) < wanted <= learned_tokens(rows, EXPERT)
            assert any("loss" in line for line in log.rows(f"{phase}-{row['round']}"))
        trainer = done / phase / "trainer"
        assert sorted(path.name for path in trainer.iterdir()) == [f"round-{number}" for number in rounds]
        assert not list(trainer.glob("*/checkpoint-*")), "only an interrupted round needs them"
    result = json.loads((done / "result.json").read_text())
    assert list(result["reports"]) == ["expert", "sft", "rejection", "corrections"]
    assert result["checkpoint"].endswith("corrections/checkpoint")


def test_each_round_learns_what_its_file_says(done: Path) -> None:
    assert len(LEARNED) == 3
    for name, examples in zip(("rejection-1", "corrections-1", "corrections-2"), LEARNED, strict=True):
        rows = list(read_rows(done / "data" / f"{name}.jsonl"))
        lessons = [lesson for row in rows for lesson in row["lessons"]]
        passes = 2 if name.startswith("corrections") else 1
        assert [one.ids.tolist() for one in examples] == [lesson["ids"] for lesson in lessons] * passes
        tokens = sum(int((one.labels != IGNORED).sum()) for one in examples)
        assert tokens == passes * (learned_tokens(rows, STUDENT) + learned_tokens(rows, EXPERT))


def test_kills_anywhere_change_nothing(done: Path, tmp_path: Path) -> None:
    folder = begun(done, tmp_path / "run", "corrections")
    draw, kills, code = random.Random(0), 0, None
    # A finished run accesses its folder 70 times, the phase itself another 230 times.
    for place in (60, 70, *(draw.randrange(70, 180) for _ in range(20))):
        code = killed(folder, place, *ROUNDS)
        if code is not None:
            break
        kills += 1
    assert code == 0 and kills >= 3
    assert outcome(folder) == outcome(done)


def signalled(folder: Path, where: Any, name: str, when: Callable[..., bool]) -> int:
    """Run in a process that gets SIGTERM when a method has returned and ``when`` is true; return its exit code."""
    original = getattr(where, name)

    def wrapped(*given: Any, **named: Any) -> Any:
        found = original(*given, **named)
        if when(*given):
            os.kill(os.getpid(), signal.SIGTERM)
        return found

    def work() -> int:
        setattr(where, name, wrapped)
        with ending_soon():
            return run(folder, *ROUNDS)

    return forked(work)


def test_a_signal_ends_playing_after_its_batch_and_training_after_its_step(
    done: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, other = begun(done, tmp_path / "run", "corrections"), tmp_path / "other"
    first = folder / "data" / "corrections-1.part"
    assert signalled(folder, RoundFile, "append", lambda file, rows: len(rows) == 3) == PAUSED
    assert [row["step"] for row in read_rows(first)] == [0, 1, 2]
    told = capfd.readouterr().err.splitlines()
    ending = "corrections: round 1: stopped by SIGTERM; 3 of 5 tasks are kept; the same command continues"
    assert told[-1] == f"teller-gym: {ending}"
    when: Callable[..., bool] = lambda log, name, step, _: (name, step) == ("corrections-1", 2)  # noqa: E731
    assert signalled(folder, MetricsLog, "write", when) == PAUSED
    told = capfd.readouterr().err.splitlines()
    assert told[-1].startswith("teller-gym: corrections-1: stopped by SIGTERM; ") and "is saved" in told[-1]
    shutil.copytree(folder, other)
    assert run(folder, *ROUNDS) == 0
    assert outcome(folder) == outcome(done)
    # Other settings restart an unfinished phase, and are refused after its end.
    capfd.readouterr()
    assert run(other, *ROUNDS, "method.corrections.most=1", "method.corrections.rounds=1") == 0
    text = capfd.readouterr().err
    assert "corrections: begins anew" in text and "it was made with other settings" in text
    rows = list(read_rows(other / "data" / "corrections-1.jsonl"))
    assert max(one["corrections"] for row in rows for one in row["episodes"]) == 1
    assert run(done, *ROUNDS, "method.corrections.tasks=6") == USAGE
    assert "other settings in method.corrections.tasks" in capfd.readouterr().err


def test_what_is_damaged_is_made_again(done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    shutil.copytree(done, folder)
    half(folder / "corrections" / "checkpoint" / "model.safetensors")
    assert run(folder, *ROUNDS) == 0
    told = capsys.readouterr().err
    assert "tasks played" not in told and "loss" not in told, "the last round's weights were there"
    assert outcome(folder) == outcome(done)
    half(folder / "corrections" / "checkpoint" / "model.safetensors")
    half(folder / "corrections" / "trainer" / "round-2" / "checkpoint" / "model.safetensors")
    half(folder / "data" / "corrections-2.jsonl")
    assert run(folder, *ROUNDS) == 0
    told = capsys.readouterr().err
    assert f"{folder}/data/corrections-2.jsonl cannot be used (corrections-2.jsonl is damaged); it is kept as" in told
    assert "round 2, 5/5" in told and "round 1, 5/5" not in told
    assert outcome(folder) == outcome(done)


def test_the_control_learns_as_many_tokens_of_the_expert_only(done: Path, tmp_path: Path) -> None:
    words = [f"run_dir={tmp_path}", *SMALL, *ROUNDS, "method.corrections.control=true", "method.corrections.rounds=1"]
    log = MetricsLog(tmp_path / "log.jsonl")
    rounds = Rounds(Corrections, load("demo", words)[0], done / "rejection" / "checkpoint", log)
    rounds._play(1)
    rows = list(read_rows(tmp_path / "data" / "corrections-1.jsonl"))
    wanted = learned_tokens(rows, STUDENT) / 0.7
    rounds._write(1, {})
    ([row], [other, _]) = ([one for one in log.rows("corrections") if one["step"]] for log in
                           (log, MetricsLog(done / "metrics.jsonl")))  # fmt: skip
    assert row["tokens_learned"] == 0 and learned_tokens(rows, STUDENT) == other["tokens_learned"]
    last = learned_tokens(rows[-1:], EXPERT)
    assert wanted <= row["tokens_learned_of_expert"] < wanted + last
    assert len(rounds._examples(1)) == 2 * sum(one["source"] == EXPERT for one in rows)


def test_a_round_compares_its_file_with_the_evaluation_splits_again(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = begun(done, tmp_path / "run", "corrections")
    secret = teller_gym.load_tasks("loans", "heldout")[0].fingerprint
    told = "teller_gym.training.phases.round_data.row_of"
    monkeypatch.setattr(told, lambda *given: {**row_of(*given), "fingerprint": secret})
    assert run(folder, *ROUNDS) == 1
    assert "must not be trained on" in capsys.readouterr().err.splitlines()[-1]


def test_a_student_that_does_nothing_well_learns_nothing(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Schooled, "_turn", lambda self, slot, said: Turn([self.chat.end], [0.0], True))
    folder = begun(done, tmp_path / "run")
    assert run(folder, *ROUNDS, "method.corrections.rounds=0", "method.rejection.rounds=1") == 0
    told = capsys.readouterr().err
    assert "rejection: round 1 learns nothing: it has 0 conversations to learn from" in told
    weights = [folder / phase / "checkpoint" / "model.safetensors" for phase in ("sft", "rejection")]
    assert weights[0].read_bytes() == weights[1].read_bytes()


def test_two_processes_play_once_and_train_together(done: Path, tmp_path: Path) -> None:
    folder = begun(done, tmp_path / "run", "corrections")
    ended = pair(lambda: run(folder, *ROUNDS, "hardware.cards=2", "method.grpo.tasks=2"), tmp_path)
    assert ended.codes == [0, 0], ended.errors
    assert "tasks played" in ended.errors[0] and ended.errors[1] == ""
    name = "data/corrections-1.jsonl"
    assert (folder / name).read_bytes() == (done / name).read_bytes()
    assert damage(folder / "corrections" / "checkpoint") is None
