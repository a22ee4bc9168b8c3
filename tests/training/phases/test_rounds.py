"""Rounds of learning from a model's own episodes in the recipe: what they leave, survive and refuse."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import traceback
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
from teller_gym.training.phases.corrections_phase import CorrectionsPhase
from teller_gym.training.phases.lessons import EXPERT, STUDENT, RoundFile, learned_tokens, row_of
from teller_gym.training.phases.rounds import Rounds
from teller_gym.training.phases.student import Student
from teller_gym.training.rollouts.engines import BatchEngine
from teller_gym.training.run_folder.checksums import damage
from teller_gym.training.run_folder.metrics_log import MetricsLog, read_rows
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.seeds import round_seeds
from tests.training.pair import pair
from tests.training.small import SMALL, run
from tests.training.test_cuts import half, killed, outcome

pytestmark = [pytest.mark.training, pytest.mark.slow, pytest.mark.usefixtures("played_once")]

ROUNDS = (
    "method.grpo.steps=0", "evaluation.untrained=false", "evaluation.trials=1", "method.sft.batch_tokens=1500",
    "method.rejection.rounds=2", "method.rejection.tasks=5", "method.rejection.samples=2",
    "method.rejection.at_once=4", "method.rejection.expert_share=0.4",
    "method.corrections.rounds=2", "method.corrections.tasks=5", "method.corrections.at_once=3",
    "method.corrections.most=2", "method.corrections.expert_share=0.3",
)  # fmt: skip
BAND = Band(0.0, 0.45)


@cache
def tasks() -> dict[str, Task]:
    """The tasks of the rounds by the case that their request names."""
    found = [
        find_task("loans", BAND.generated("loans", seed))
        for phase in ("rejection", "corrections")
        for number in (1, 2)
        for seed in round_seeds({"rejection": 0, "corrections": 1}[phase], 0, number)[:5]
    ]
    return {task.case_id: task for task in found}


class Schooled:
    """A sampler that knows the standard calls, and in every second slot thinks at once that all is done."""

    def __init__(self, chat: ChatFormat, seed: int) -> None:
        self.chat, self.rng = chat, random.Random(seed)

    def sample(self, slots: Sequence[int], contexts: Sequence[Sequence[int]], max_new: int) -> list[Turn]:
        return [self._turn(slot, self.chat.text(context)) for slot, context in zip(slots, contexts, strict=True)]

    def _turn(self, slot: int, said: str) -> Turn:
        task = tasks()[re.findall(r"LA-\d{6}", said)[0]]
        call = task.standard.calls[said.count("<tool_call>")]
        text = json.dumps({"name": call.name, "arguments": call.arguments}, separators=(",", ":"))
        # Spaces that mean nothing: the draw depends on the seed of the batch.
        text = " " * self.rng.randrange(3) + f"<tool_call>{text}</tool_call>"
        gives_up = slot % 2 and "<tool_call>" not in said
        ids = self.chat.tokenizer("All is done." if gives_up else text)["input_ids"]
        return Turn([*ids, self.chat.end], [0.0] * (len(ids) + 1), True)

    def forget(self) -> None:
        """Nothing to forget."""


@pytest.fixture(autouse=True, scope="module")
def schooled() -> Any:
    """Students of the rounds that know something, on any processor; the trained weights decide nothing."""

    def engine(self: Student, temperature: float, seed: int) -> BatchEngine:
        return BatchEngine(Schooled(self.chat, seed))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Student, "engine", engine)
        yield


@pytest.fixture(scope="module")
def done(played_once: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole run with both phases; not to be changed."""
    folder = tmp_path_factory.mktemp("rounds") / "run"
    assert run(folder, *ROUNDS) == 0
    return folder


def begun(done: Path, folder: Path, *lacking: str) -> Path:
    """A folder in which fine-tuning is done."""
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
        assert [row["round"] for row in lines] == [1, 2]
        for row in lines:
            assert row["episodes"] == episodes and 0 < row["kept"] < episodes
            share = row["tokens_learned_of_expert"] / (row["tokens_learned_of_expert"] + row["tokens_learned"])
            assert share >= {"rejection": 0.4, "corrections": 0.3}[phase] and row["tokens_learned"] > 0
            rows = list(read_rows(done / "data" / f"{phase}-{row['round']}.jsonl"))
            assert row["tokens_learned"] == learned_tokens(rows, STUDENT)
            # The last episode of the expert was needed.
            wanted = row["tokens_learned"] * {"rejection": 2 / 3, "corrections": 3 / 7}[phase]
            assert learned_tokens(rows[:-1], EXPERT) < wanted <= learned_tokens(rows, EXPERT)
            assert any("loss" in line for line in log.rows(f"{phase}-{row['round']}"))
        trainer = done / phase / "trainer"
        assert sorted(path.name for path in trainer.iterdir()) == ["round-1", "round-2"]
        assert not list(trainer.glob("*/checkpoint-*")), "only an interrupted round needs them"
    result = json.loads((done / "result.json").read_text())
    assert list(result["reports"]) == ["expert", "sft", "rejection", "corrections"]
    assert result["checkpoint"].endswith("corrections/checkpoint")


def test_each_round_learns_what_its_file_says(done: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learned: list[list[Any]] = []
    train = sft.train_sft

    def watched(model: Any, tokenizer: Any, short: Any, whole: list[Any], *given: Any, **named: Any) -> Any:
        learned.append(whole)
        return train(model, tokenizer, short, whole, *given, **named)

    monkeypatch.setattr("teller_gym.training.phases.rounds.train_sft", watched)
    folder = begun(done, tmp_path / "run", "corrections")
    assert run(folder, *ROUNDS, "method.corrections.passes=2") == 0
    for number, examples in enumerate(learned, start=1):
        rows = list(read_rows(folder / "data" / f"corrections-{number}.jsonl"))
        lessons = [lesson for row in rows for lesson in row["lessons"]]
        assert [one.ids.tolist() for one in examples] == [lesson["ids"] for lesson in lessons] * 2
        tokens = sum(int((one.labels != IGNORED).sum()) for one in examples)
        assert tokens == 2 * (learned_tokens(rows, STUDENT) + learned_tokens(rows, EXPERT))
    assert len(learned) == 2


def test_kills_anywhere_change_nothing(done: Path, tmp_path: Path) -> None:
    folder = begun(done, tmp_path / "run", "corrections")
    draw, kills, code = random.Random(0), 0, None
    # A run that has all of it behind it comes to its folder 70 times, the phase by itself takes 230.
    for place in (52, 60, 70, *(draw.randrange(60, 180) for _ in range(20))):
        code = killed(folder, place, *ROUNDS)
        if code is not None:
            break
        kills += 1
    assert code == 0 and kills >= 4
    assert outcome(folder) == outcome(done)


def signalled(folder: Path, where: Any, name: str, when: Callable[..., bool]) -> int:
    """Run in a process that gets SIGTERM when a method has returned for the n-th time; return its exit code."""
    process = os.fork()
    if process:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    signal.alarm(300)
    original = getattr(where, name)

    def wrapped(*given: Any, **named: Any) -> Any:
        found = original(*given, **named)
        if when(*given):
            os.kill(os.getpid(), signal.SIGTERM)
        return found

    setattr(where, name, wrapped)
    try:
        with ending_soon():
            code = run(folder, *ROUNDS)
        os._exit(code)
    except BaseException:
        traceback.print_exc()
        os._exit(99)


def test_a_signal_ends_playing_after_its_batch_and_training_after_its_step(
    done: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = begun(done, tmp_path / "run", "corrections")
    first = folder / "data" / "corrections-1.part"
    assert signalled(folder, RoundFile, "append", lambda file, rows: len(rows) == 3) == PAUSED
    assert [row["step"] for row in read_rows(first)] == [0, 1, 2]
    told = capfd.readouterr().err.splitlines()
    ending = "corrections: round 1: stopped by SIGTERM; 3 of 5 tasks are kept; the same command continues"
    assert told[-1] == f"teller-gym: {ending}"
    assert (
        signalled(folder, MetricsLog, "write", lambda log, name, step, _: (name, step) == ("corrections-1", 2))
        == PAUSED
    )
    told = capfd.readouterr().err.splitlines()
    assert told[-1].startswith("teller-gym: corrections-1: stopped by SIGTERM; ") and "is saved" in told[-1]
    assert run(folder, *ROUNDS) == 0
    assert outcome(folder) == outcome(done)


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


def test_other_settings_are_refused_once_the_phase_is_finished_and_begin_it_anew_before(
    done: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(done, *ROUNDS, "method.corrections.tasks=6") == USAGE
    assert "other settings in method.corrections.tasks" in capsys.readouterr().err
    folder = begun(done, tmp_path / "run", "corrections")
    assert (
        signalled(folder, MetricsLog, "write", lambda log, name, step, _: (name, step) == ("corrections-1", 2))
        == PAUSED
    )
    assert run(folder, *ROUNDS, "method.corrections.most=1", "method.corrections.rounds=1") == 0
    told = capsys.readouterr().err
    assert "corrections: begins anew" in told and "it was made with other settings" in told
    rows = list(read_rows(folder / "data" / "corrections-1.jsonl"))
    assert max(one["corrections"] for row in rows for one in row["episodes"]) == 1


def test_the_control_learns_as_many_tokens_of_the_expert_alone(done: Path, tmp_path: Path) -> None:
    folder = begun(done, tmp_path / "run", "corrections")
    assert run(folder, *ROUNDS, "method.corrections.control=true", "method.corrections.rounds=1") == 0
    [row] = [row for row in MetricsLog(folder / "metrics.jsonl").rows("corrections") if row["step"] == 1]
    [other] = [row for row in MetricsLog(done / "metrics.jsonl").rows("corrections") if row["step"] == 1]
    rows = list(read_rows(folder / "data" / "corrections-1.jsonl"))
    wanted = learned_tokens(rows, STUDENT) / 0.7
    assert row["tokens_learned"] == 0 and learned_tokens(rows, STUDENT) == other["tokens_learned"]
    last = learned_tokens(rows[-1:], EXPERT)
    assert wanted <= row["tokens_learned_of_expert"] < wanted + last
    config = load("demo", [f"run_dir={folder}", *SMALL, *ROUNDS, "method.corrections.control=true",
                           "method.corrections.rounds=1"])[0]  # fmt: skip
    rounds = Rounds(CorrectionsPhase(), config, folder / "rejection" / "checkpoint", MetricsLog(tmp_path / "log.jsonl"))
    assert len(rounds._examples(1)) == sum(one["source"] == EXPERT for one in rows)


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
