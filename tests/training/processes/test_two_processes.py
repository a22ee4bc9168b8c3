"""Two processes over gloo train like one: the same tasks, losses and gradients, and one log."""

import json
import os
import random
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from trl import SFTConfig

from teller_gym.agents.sampling import Turn
from teller_gym.base import orderly
from teller_gym.base.errors import InfrastructureError
from teller_gym.base.files import FolderLock, append_line
from teller_gym.cli.exit_codes import FAILED, PAUSED, USAGE
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations.batches import Example
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.processes.group import here, join
from teller_gym.training.rollouts.engines import BatchEngine
from teller_gym.training.rollouts.rollout import EnvPool
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.trainer_parts.curriculum import Curriculum
from teller_gym.training.trainer_parts.curriculum_state import Course
from tests.training.pair import pair
from tests.training.small import copied, run
from tests.training.test_cuts import outcome
from tests.training.toy import LikesDigits, fine_tune, settings, train
from tests.training.trainer_parts.test_dead_groups import Chatty

pytestmark = [pytest.mark.training, pytest.mark.slow, pytest.mark.usefixtures("played_once")]

TWO, SAVES = "hardware.cards=2", "method.grpo.save_steps=1"
LEFT_OUT = ("phase", "seconds", "step_time", "seconds/generating", "seconds/environments", "seconds/updates")


def trained(train: Callable[..., Any], config: Config, folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Train in as many processes as the configuration says; return the weights and the rows of metrics."""
    folder.mkdir(exist_ok=True)

    def work() -> None:
        join(config.hardware)
        model = train(config=config, folder=folder)
        if here().first:
            torch.save(model.state_dict(), folder / "weights.pt")

    if config.hardware.cards == 1:
        work()
    else:
        ended = pair(work, folder)
        assert ended.codes == [0, 0], ended.errors
        assert ended.errors[1] == "", "the first process speaks for both"
    rows = [
        {key: value for key, value in row.items() if key not in LEFT_OUT}
        for row in MetricsLog(folder / "metrics.jsonl").rows()
    ]
    return torch.load(folder / "weights.pt"), rows


def expect_alike(one: Any, two: Any) -> None:
    """Expect equal weights and rows, except for the order of summation."""
    assert [row.keys() for row in one[1]] == [row.keys() for row in two[1]]
    for row, other in zip(one[1], two[1], strict=True):
        assert other == pytest.approx(row, rel=1e-3, abs=1e-5)
    assert all(torch.allclose(one[0][name], two[0][name], rtol=1e-3, atol=1e-4) for name in one[0])


def test_sft_of_two_is_that_of_one_with_batches_twice_as_many(
    tokenizer: Any, examples: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Adam would scale up gradients that consist of rounding errors.
    monkeypatch.setattr("teller_gym.training.phases.sft.SFTConfig", partial(SFTConfig, optim="sgd"))
    same = ["method.sft.batch_tokens=600", "method.sft.learning_rate=1e-2"]
    train_sft = partial(fine_tune, tokenizer, examples)
    one = trained(train_sft, settings(*same, "method.sft.accumulate=2"), tmp_path / "one")
    two = trained(train_sft, settings(*same, TWO), tmp_path / "two")
    assert [row["step"] for row in two[1]] == [1, 2, 3]
    # A single process uses the package's own loss, which measures accuracy batch by batch, and no entropy.
    for row in (*one[1], *two[1]):
        row.pop("mean_token_accuracy")
        row.pop("entropy", None)
    expect_alike(one, two)


class Digits:
    """Samples digits and letters by the round, the rollout's row and its length so far."""

    def __init__(self, chat: Any, seed: str, rows: Sequence[int]) -> None:
        self._chat, self._seed, self._rows = chat, seed, rows

    def sample(self, slots: Sequence[int], contexts: Sequence[Sequence[int]], max_new: int) -> list[Turn]:
        return [self._turn(self._rows[slot], len(context)) for slot, context in zip(slots, contexts, strict=True)]

    def _turn(self, row: int, tokens: int) -> Turn:
        draw = random.Random(f"{self._seed}/{row}/{tokens}")
        text = "".join(draw.choice("0123456789abc") for _ in range(draw.randint(3, 12)))
        ids = [*self._chat.tokenizer(text, add_special_tokens=False)["input_ids"], self._chat.end]
        return Turn(ids, [0.0] * len(ids), True)

    def forget(self) -> None:
        pass


@pytest.mark.parametrize(
    "how",
    [
        ["loss=grpo", "loss.beta=0", "method.grpo.turn_discount=0.5"],
        ["loss=dr_grpo", "method.grpo.curriculum={replay: 0.5}"],
        ["loss=dapo", "method.grpo.most_groups=2", "method.grpo.curriculum={replay: 0.5}"],
    ],
)
def test_grpo_of_two_is_that_of_one(
    how: list[str], tokenizer: Any, tmp_path: Path, no_leaks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three groups of two: the processes share the second one."""
    import teller_gym.training.phases.grpo as grpo

    wanted: list[list[int]] = []
    play = Player._play

    def engine(self: Player, trainer: Any, number: int) -> BatchEngine:
        return BatchEngine(Digits(self.chat, f"{self._step(trainer)}/{number}", wanted[0]))

    def noted(self: Player, trainer: Any, tasks: dict[int, str]) -> None:
        wanted[:] = [self.played.rows_in([*tasks])]
        play(self, trainer, tasks)

    def course(config: Config, mixture: Any, path: Path) -> Course | None:
        wanted = config.method.grpo.curriculum
        draw = lambda band, number: f"stub-g-{band}{number}"  # noqa: E731 - of a scenario without levels
        return Course(Curriculum(wanted, wanted.bands, draw, config.seed), path) if wanted else None

    replaces = "method.grpo.most_groups=2" in how
    monkeypatch.setattr(grpo, "make_env", lambda *_: Chatty() if replaces else LikesDigits())
    monkeypatch.setattr(grpo, "open_course", course)
    monkeypatch.setattr(Player, "_engine_of", engine)
    monkeypatch.setattr(Player, "_play", noted)

    # So few tokens that a process makes several passes.
    same = ["method.grpo.steps=2", "method.grpo.tasks=3", "method.grpo.learning_rate=1", "hardware.update_tokens=60"]
    one = trained(partial(train, tokenizer), settings(*same, *how), tmp_path / "one")
    two = trained(partial(train, tokenizer), settings(*same, *how, TWO), tmp_path / "two")
    assert one[1][0]["grad_norm"] > 0 and [row["step"] for row in two[1]] == [1, 2]
    expect_alike(one, two)
    # The curriculum's memory depends on the scores of all.
    for file in ("transcripts.jsonl", *(["curriculum.jsonl"] if "curriculum" in how[-1] else [])):
        texts = [(tmp_path / name / file).read_text() for name in ("one", "two")]
        assert texts[0] == texts[1]
    tasks = [json.loads(line)["task_id"] for line in (tmp_path / "two" / "transcripts.jsonl").read_text().splitlines()]
    assert len(set(tasks)) == len(tasks) or "curriculum" in how[-1], "no task twice unless it is replayed"
    assert len(tasks) == sum(row["groups/played"] for row in two[1]) and (
        len(tasks) > 6 if replaces else len(tasks) == 6
    )


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished miniature run of the command with two processes; tests must not change it."""
    folder = tmp_path_factory.mktemp("two")
    with pytest.MonkeyPatch.context() as patch, (folder / "stderr").open("wb") as file:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            code = run(folder / "run", TWO, SAVES)
        finally:
            os.dup2(before, 2)
            os.close(before)
    assert code == 0, (folder / "stderr").read_text()
    return folder / "run"


def test_a_run_of_two_leaves_what_one_leaves_and_tells_everything_once(finished: Path, two: Path) -> None:
    lines = two.with_name("stderr").read_text().splitlines()
    for line in ("data …", "untrained …", "sft …", "grpo …", "evaluation of grpo …"):
        assert lines.count(line) == 1
    assert sum(line.startswith("grpo 2/2: ") for line in lines) == 1
    names = [{path.name for path in (folder / "grpo").iterdir()} for folder in (finished, two)]
    assert names[0] == names[1]
    tasks, phases = [], []
    for folder in (finished, two):
        rows = [json.loads(line) for line in (folder / "grpo" / "transcripts.jsonl").read_text().splitlines()]
        tasks.append([(row["step"], row["task_id"]) for row in rows])
        phases.append([row["step"] for row in MetricsLog(folder / "metrics.jsonl").rows("grpo")])
    assert len({row["messages"][-1]["content"] for row in rows}) > 1, "the processes draw alike"
    assert tasks[0] == tasks[1] and len({task for _, task in tasks[1]}) == 4
    assert phases[0] == phases[1] == [1, 2, 0]
    assert (two / "data" / "expert.jsonl").read_bytes() == (finished / "data" / "expert.jsonl").read_bytes()


def test_kills_of_two_change_nothing(two: Path, tmp_path: Path) -> None:
    """Kill the whole group as it logs: in SFT before a checkpoint, in GRPO after one."""
    folder = copied(two, tmp_path / "run", "sft", "grpo")

    def killed(phase: str, step: int) -> int:
        def kill(path: Path, line: bytes) -> None:
            append_line(path, line)
            if json.loads(line).items() >= {"phase": phase, "step": step}.items():
                os.kill(os.getpid(), signal.SIGKILL)

        MetricsLog.write.__globals__["append_line"] = kill
        return run(folder, TWO, SAVES)

    for phase, step in (("sft", 1), ("grpo", 2)):
        assert -signal.SIGKILL in pair(partial(killed, phase, step), tmp_path).codes
    assert (folder / "grpo" / "trainer" / "checkpoint-1").exists()
    assert pair(lambda: run(folder, TWO, SAVES), tmp_path).codes == [0, 0]
    assert outcome(folder) == outcome(two)


def test_a_mistake_that_the_first_finds_ends_both_and_is_told_once(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path, "run_dir")
    ended = pair(lambda: run(tmp_path, TWO), tmp_path)
    lock.close()
    assert ended.codes == [USAGE, USAGE]
    assert ended.errors[0].startswith("teller-gym: run_dir") and ended.errors[1] == ""


def test_a_round_that_breaks_on_one_ends_both(two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(two, tmp_path / "run", "grpo")
    play = EnvPool.play

    def broken(self: EnvPool, *arguments: Any, **more: Any) -> Any:
        if here().index == 1:
            raise InfrastructureError("the simulator is gone")
        return play(self, *arguments, **more)

    monkeypatch.setattr(EnvPool, "play", broken)
    ended = pair(lambda: run(folder, TWO), tmp_path)
    assert ended.codes == [FAILED, FAILED]
    assert (
        ended.errors[0].splitlines()[-1].startswith("teller-gym: grpo: the simulator is gone; ")
        and ended.errors[1] == ""
    )


def test_the_request_to_stop_saves_on_all_and_ends(two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(two, tmp_path / "run", "grpo")
    play = EnvPool.play
    asks = [True]

    def asked(self: EnvPool, *arguments: Any, **more: Any) -> Any:
        if asks and here().index == 1:
            assert orderly.ask(signal.SIGUSR1)
        return play(self, *arguments, **more)

    monkeypatch.setattr(EnvPool, "play", asked)
    more = (TWO, "method.grpo.save_steps=9")
    # The save steps may differ, since the phase is not finished.
    ended = pair(lambda: run(folder, *more), tmp_path)
    assert ended.codes == [PAUSED, PAUSED]
    told = "teller-gym: grpo: stopped by a signal to another process; "
    assert ended.errors[0].splitlines()[-1].startswith(told) and ended.errors[1] == ""
    asks.clear()
    ended = pair(lambda: run(folder, *more), tmp_path)
    assert ended.codes == [0, 0] and "grpo 2/2" in ended.errors[0] and "grpo 1/2" not in ended.errors[0]
    assert outcome(folder)["grpo/transcripts.jsonl"] == outcome(two)["grpo/transcripts.jsonl"]
