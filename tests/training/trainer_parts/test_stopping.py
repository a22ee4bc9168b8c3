"""A signal makes training save and stop; a value that is not finite ends it before an update."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from teller_gym.base.errors import InfrastructureError
from teller_gym.cli.exit_codes import FAILED, PAUSED, STORAGE
from teller_gym.cli.interrupt import ending_soon
from teller_gym.training.demonstrations.batches import Example
from teller_gym.training.phases import sft
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.phases.grpo_trainer import TurnTrainer
from teller_gym.training.run_folder.checksums import damage
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.trainer_parts.stopping import DivergedError
from tests.training.pair import forked
from tests.training.small import copied, run
from tests.training.test_cuts import no_room, outcome
from tests.training.toy import fine_tune, settings, train, weights

pytestmark = pytest.mark.training


def signalled(folder: Path, phase: str, step: int, *numbers: signal.Signals, logger: str = "none") -> int:
    """Run in a process that gets these signals during a step of a phase; return its exit code."""
    write, play = MetricsLog.write, Player._write

    def send() -> None:
        for number in numbers:
            os.kill(os.getpid(), number)
            signal.sigtimedwait([], 0.1)  # let it be handled

    def after_log(self: MetricsLog, name: str, logged: int, metrics: dict[str, Any]) -> None:
        write(self, name, logged, metrics)
        if (phase, step) == (name, logged + 1):
            send()

    def in_rollouts(self: Player, rollouts: Any, played: int, *dropped: Any) -> None:
        play(self, rollouts, played, *dropped)
        if (phase, step) == ("grpo", played + 1):
            send()

    def work() -> int:
        if phase == "sft":
            MetricsLog.write = after_log  # type: ignore[method-assign, assignment]
        Player._write = in_rollouts  # type: ignore[method-assign, assignment]
        with ending_soon():
            return run(folder, f"logger={logger}")

    return forked(work)


@pytest.fixture
def begun(finished: Path, tmp_path: Path) -> Path:
    """A folder in which the data and the untrained model are done."""
    return copied(finished, tmp_path / "begun", "sft", "grpo", "result.json", "metrics.jsonl")


def test_a_training_saves_itself_and_goes_on_to_the_same_end(
    begun: Path, finished: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert signalled(begun, "sft", 3, signal.SIGTERM, logger="wandb_offline") == PAUSED
    told = capfd.readouterr().err.splitlines()
    checkpoint = begun / "sft" / "trainer" / "checkpoint-3"
    assert told[-1] == f"teller-gym: sft: stopped by SIGTERM; {checkpoint} is saved; the same command continues"
    assert sum(line.startswith("teller-gym: SIGTERM came; this step is finished and saved") for line in told) == 1
    assert damage(checkpoint) is None
    assert signalled(begun, "grpo", 1, signal.SIGUSR1, logger="wandb_offline") == PAUSED
    told = capfd.readouterr().err.splitlines()
    assert told[-1].startswith("teller-gym: grpo: stopped by SIGUSR1; ") and "checkpoint-1 is saved" in told[-1]
    assert run(begun) == 0
    assert outcome(begun) == outcome(finished)
    ids = json.loads((begun / "wandb.json").read_text())["runs"]
    logs = sorted(path.name.rpartition("-")[2] for path in begun.glob("wandb/offline-run-*"))
    assert logs == sorted([ids["sft"]] * 2 + [ids["grpo"]]), "fine-tuning was cut once, and went on in its own run"


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        ((signal.SIGTERM, signal.SIGTERM), 128 + signal.SIGTERM),
        ((signal.SIGUSR1, signal.SIGINT), 128 + signal.SIGINT),
        ((signal.SIGINT,), 128 + signal.SIGINT),
    ],
)
def test_a_second_signal_and_ctrl_c_end_at_once(
    numbers: tuple[signal.Signals, ...], code: int, begun: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert signalled(begun, "sft", 3, *numbers) == code
    told = capfd.readouterr().err
    assert told.splitlines()[-1].startswith("teller-gym: interrupted; what was done is kept in ")
    assert not list(begun.glob("sft/trainer/checkpoint-*")) and "Traceback" not in told


def test_a_player_without_an_engine_ends_the_run_in_one_line(
    begun: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> None:
        raise InfrastructureError("the server of vLLM does not answer")

    monkeypatch.setattr(Player, "__call__", broken)
    assert run(begun) == FAILED
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == (
        "teller-gym: grpo: the server of vLLM does not answer; finished and safe: data, untrained, sft; once that is "
        "mended, the same command continues"
    )


SPOIL: dict[str, Callable[[Any], Any]] = {
    "loss": lambda loss: loss * float("nan"),
    "loss, its gradient being fine": lambda loss: loss + float("inf"),
    "length of the gradient": lambda loss: (loss.register_hook(lambda gradient: gradient * float("inf")), loss)[1],
}


@pytest.mark.parametrize("spoil", SPOIL)
@pytest.mark.parametrize("phase", ["sft", "grpo"])
@pytest.mark.usefixtures("no_leaks")
def test_nan_is_no_update_and_never_saved(
    phase: str, spoil: str, tokenizer: Any, examples: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind: Any = sft.ExpertTrainer if phase == "sft" else TurnTrainer
    compute = kind.compute_loss
    before: dict[str, Any] = {}

    def third(self: Any, trained: Any, *given: Any, **named: Any) -> Any:
        loss = compute(self, trained, *given, **named)
        if self.state.global_step < 2:
            return loss
        before.update(model=self.model, **weights(self.model))
        return SPOIL[spoil](loss)

    monkeypatch.setattr(kind, "compute_loss", third)
    config = settings("method.sft.save_steps=1", "method.grpo.steps=4")
    with pytest.raises(DivergedError) as caught:
        (fine_tune(tokenizer, examples, config, tmp_path) if phase == "sft" else train(tokenizer, tmp_path, config))
    folder = tmp_path / ("trainer" if phase == "sft" else "grpo")
    assert {path.name for path in folder.glob("checkpoint-*")} == {"checkpoint-1", "checkpoint-2"}
    after = before.pop("model").state_dict()
    assert before.keys() == after.keys() and all(torch.equal(before[name], after[name]) for name in before)
    told = str(caught.value)
    what = spoil.partition(",")[0]
    assert told.startswith(f"{phase}: the {what} of update 3 is not a finite number; that update was not made; ")
    assert f"{folder / 'checkpoint-2'} is saved" in told and f"a lower method.{phase}.learning_rate" in told


def test_nan_is_one_line_of_the_command(
    begun: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compute = sft.ExpertTrainer.compute_loss
    monkeypatch.setattr(sft.ExpertTrainer, "compute_loss", lambda *a, **b: compute(*a, **b) * float("nan"))
    assert run(begun) == FAILED
    told = capsys.readouterr().err.splitlines()
    assert told[-1].startswith("teller-gym: sft: the loss of update 1 is not a finite number")
    assert "; no checkpoint was saved before. " in told[-1]
    assert not list(begun.glob("sft/trainer/checkpoint-*"))


@pytest.mark.parametrize(
    ("size", "settings", "named"),
    [
        (9_000, ["method.validation.sft_steps=1", "method.validation.n=1"], "sft"),
        (0, ["logger.wandb=offline"], "wandb.json"),
    ],
)
def test_a_disk_without_room_for_what_is_kept_is_one_line(
    size: int, settings: list[str], named: str, begun: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with no_room("sft …", size):
        assert run(begun, *settings) == STORAGE
    told = capsys.readouterr().err
    [line] = [line for line in told.splitlines() if line.startswith("teller-gym:")]
    assert "Traceback" not in told and f"{begun / named}" in line and "cannot be written" in line
    assert line.endswith("and the same command continues")
    assert not list(begun.glob("sft/trainer/checkpoint-*")), "it was the best weights' turn"
