"""Rounds played in a separate process, as on a GPU, and by students that vLLM samples."""

import multiprocessing
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from transformers import Qwen3ForCausalLM

from teller_gym.agents.chat import PromptStyle
from teller_gym.base.errors import InfrastructureError, PausedError
from teller_gym.training.config.run import Config, load
from teller_gym.training.models.load import save_model
from teller_gym.training.phases import rounds, student
from teller_gym.training.phases.lessons import RoundFile
from teller_gym.training.phases.rejection import Rejection
from teller_gym.training.phases.round_data import Maker, make_apart
from teller_gym.training.phases.student import Desk, Student, VllmStudent
from teller_gym.training.processes.isolate import apart
from teller_gym.training.rollouts.rollout import EnvPool, Limits
from teller_gym.training.rollouts.vllm_colocated import RequestEngine
from teller_gym.training.run_folder.metrics_log import MetricsLog
from tests.training import stand_in
from tests.training.small import SMALL
from tests.training.stand_in import Talks, vllm_settings

pytestmark = pytest.mark.training

ROUNDS = ("method.rejection.rounds=1", "method.rejection.tasks=3", "method.rejection.samples=2",
          "method.rejection.at_once=4", "method.rejection.expert_share=0")  # fmt: skip


def recipe(folder: Path) -> Config:
    return load("demo", [f"run_dir={folder}", *SMALL, *ROUNDS])[0]


@pytest.mark.slow
def test_a_round_apart_leaves_the_same_file(finished: Path, tmp_path: Path) -> None:
    config, checkpoint = recipe(tmp_path), finished / "sft" / "checkpoint"
    here, there = (RoundFile(tmp_path / name / "rejection-1.jsonl", {"round": 1}) for name in ("here", "there"))
    for file in (here, there):
        file.begin()
    Maker(Rejection, config).make(1, checkpoint, here)
    make_apart(Rejection, config, 1, checkpoint, there)
    assert len(here.rows()) == 3
    assert here.path.read_bytes() == there.path.read_bytes() and there.fault() is None


def test_on_a_gpu_rounds_are_played_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(rounds, "make_apart", lambda *given: asked.append(given))
    config = recipe(tmp_path)
    config.hardware = config.hardware.model_copy(update={"device": "cuda"})
    before = tmp_path / "sft" / "checkpoint"
    rounds.Rounds(Rejection, config, before, MetricsLog(tmp_path / "log.jsonl"))._play(1)
    [(kind, given, number, folder, file)] = asked
    assert (kind, number, folder) == (Rejection, 1, before) and given is config and file.begun()


def test_a_signal_ends_the_process_and_its_death_is_told() -> None:
    """A signal to all processes is not an error: the child may die of it before this process receives it."""

    def came() -> None:
        raise PausedError("a signal came")

    def late() -> None:
        # Earlier calls come while the process lives.
        if not any(one.is_alive() for one in multiprocessing.active_children()):
            came()

    begun = time.monotonic()
    with pytest.raises(PausedError):
        apart(time.sleep, 60, died="it died", look=came)
    assert time.monotonic() - begun < 30
    with pytest.raises(PausedError):
        apart(os._exit, 15, died="it died", look=late)
    with pytest.raises(InfrastructureError, match="it died"):
        apart(os._exit, 9, died="it died", look=lambda: None)


class Whole(stand_in.LLM):
    """Stand-in for vLLM's `LLM` with the weights of a checkpoint."""

    def __init__(self, model: str, **made_with: Any) -> None:
        super().__init__([])
        self.made_with = made_with
        self.llm_engine.model = Qwen3ForCausalLM.from_pretrained(model).eval()
        self.model_config = SimpleNamespace(hf_config=self.llm_engine.model.config, max_model_len=300)


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch, no_leaks: None) -> Config:
    """Settings of a run with vLLM but without cards, in toy environments."""
    modules = stand_in.modules()
    vars(modules["vllm"]).update(LLM=Whole)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(student, "share_of", lambda cards: 0.5 / len(cards))
    monkeypatch.setattr(student, "make_env", lambda *_: Talks())
    monkeypatch.delenv("VLLM_ENABLE_V1_MULTIPROCESSING", raising=False)
    return vllm_settings("method=rejection", "method.rejection.least_score=0.01", "method.rejection.samples=3")


@pytest.fixture
def played(config: Config, model: Any, tokenizer: Any, tmp_path: Path) -> Student:
    """A student that vLLM samples."""
    save_model(model, tokenizer, tmp_path / "checkpoint")
    return Student.load(tmp_path / "checkpoint", config)


def test_vllm_plays_what_is_learned_in_its_own_tokens(config: Config, played: Student) -> None:
    assert isinstance(played, VllmStudent) and played.chat.style is PromptStyle.parse(config.model.prompt)
    assert played.model.made_with["gpu_memory_utilization"] == 0.5 and played.model.made_with["max_model_len"] == 300
    assert os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] == "0", "an engine elsewhere may outlive this process"
    rejection = Rejection(config.method.rejection, Desk(config))
    rows = rejection.play(played, [f"stub-g-{seed}" for seed in range(4)], seed=1)
    engine = played.model.llm_engine
    assert not engine.live and {one.params.temperature for one in engine.asked} == {config.method.rejection.temperature}
    lessons = [lesson for row in rows for lesson in row["lessons"]]
    assert len(lessons) >= 4
    drawn = [one.prompt + one.ids for one in engine.asked]
    for lesson in lessons:
        # An episode ends with its last turn.
        assert lesson["ids"] in drawn
        assert any(lesson["ids"][start:end] == one.ids for start, end in lesson["learned"] for one in engine.asked)


def test_a_turn_depends_on_its_seed_and_place_and_not_on_its_neighbours(played: Student) -> None:
    """Therefore a batch that is replayed after a cut draws the same."""
    tasks, drawn = [f"stub-g-{seed}" for seed in range(4)], []
    for count, seed in ((4, 1), (2, 1), (4, 2)):
        engine = played.engine(1.0, seed)
        assert isinstance(engine, RequestEngine)
        drawn.append([one.ids for one in EnvPool(Talks).play(tasks[:count], engine, played.chat, Limits(8, 300, 5))])
    assert drawn[0][:2] == drawn[1] and drawn[0] != drawn[2]
