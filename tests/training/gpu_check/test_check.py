"""The check of memory and speed makes the updates it says: rows, turns, rewards, and the memory held, in toy size."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import teller_gym.training.gpu_check.check as gpu_check
from teller_gym.base.errors import OptionError
from teller_gym.training.config.curriculum_stage import Stage
from teller_gym.training.config.run import Config, load
from teller_gym.training.demonstrations.batches import IGNORED, plan_batches
from teller_gym.training.gpu_check.check import Check, main, parse, prepared, random_model, settings
from teller_gym.training.gpu_check.memory_meter import GIB, Meter, Share
from teller_gym.training.gpu_check.report import EnoughError, error_of, markdown, planned_gib
from teller_gym.training.gpu_check.synthetic_rows import LEARNED, RandomEngine, Sizes, SyntheticPool, examples
from teller_gym.training.phases.grpo_trainer import TurnTrainer
from teller_gym.training.phases.registry import PHASES
from teller_gym.training.plan.planner import Planner
from teller_gym.training.rollouts.vllm_colocated import ColocatedEngine
from teller_gym.training.trainer_parts.token_budget import split
from tests.training import stand_in
from tests.training.stand_in import Generation

pytestmark = pytest.mark.training

TOY = [
    "--sizes", "toy", "--hardware", "cpu", "--prompt", "60", "--mean", "150", "--turn", "10", "--answer", "12",
    "--updates", "2", "model.total_tokens=300", "model.turn_tokens=16", "method.sft.batch_tokens=600",
    "hardware.update_tokens=640",
]  # fmt: skip
SIZES = Sizes(prompt=60, mean=150, longest=300, turn=10, answer=12, vocabulary=4096)


def lines(capsys: pytest.CaptureFixture[str], *more: str) -> list[dict[str, Any]]:
    assert main([*TOY, *more]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]


@pytest.mark.parametrize("lora", ["0", "4"])
def test_both_phases_are_measured_at_their_longest_rows(lora: str, capsys: pytest.CaptureFixture[str]) -> None:
    sft, grpo = lines(capsys, "--lora", lora)
    assert (sft["phase"], grpo["phase"]) == ("sft", "grpo")
    for row in (sft, grpo):
        assert row["fits"] is True and row["error"] is None and row["stopped"] == "updates" and row["updates"] == 2
        assert row["lora"] == int(lora) and row["longest_row"] == 300
        assert row["seconds"] > 0 and row["tokens_per_second"] > 0 and row["versions"]["torch"] != "absent"
        # Nothing on a CPU reports a peak, and none is made up.
        assert row["peak_gib"] is row["allocated_gib"] is row["rollouts_gib"] is row["planned_gib"] is None
        assert row["card"] == "none" and row["cap_gib"] is None
    # A batch of SFT holds 600 tokens, a pass of GRPO 640, of which four rows of 160 are the most.
    assert sft["largest_pass"] == 600 and grpo["largest_pass"] == 640
    assert grpo["rollouts"] == 8 and grpo["turns"] > 3 and grpo["rollout_seconds"] >= 0


def test_the_forward_gets_rows_of_these_lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked at in the model and in the trainer, not in what the check says of itself."""
    shapes: list[tuple[int, ...]] = []
    batches: list[dict[str, Any]] = []
    make, loss = random_model, TurnTrainer.compute_loss

    def watched(*given: Any) -> Any:
        model = make(*given)
        first = model.model.layers[0].self_attn.q_proj
        first.register_forward_pre_hook(
            lambda _, given: shapes.append(given[0].shape[:2]) if torch.is_grad_enabled() else None
        )
        return model

    def compute_loss(self: Any, model: Any, inputs: dict[str, Any], *more: Any, **named: Any) -> Any:
        batches.append(inputs)
        return loss(self, model, inputs, *more, **named)

    monkeypatch.setattr(gpu_check, "random_model", watched)
    monkeypatch.setattr(TurnTrainer, "compute_loss", compute_loss)
    chosen = parse([*TOY, "--lora", "0"])
    check = Check("toy", *_prepared(chosen))
    check.run(tmp_path)
    lengths = SIZES.rows(8, 640)
    passes = [(len(rows), lengths[rows[0]]) for rows in split(lengths, 640)]
    fine_tuned, reinforced = shapes[: -2 * len(passes)], shapes[-2 * len(passes) :]
    assert sorted(fine_tuned) == [(2, 300)] * 2 + [(4, 150)] * 2
    assert reinforced == passes * 2 and (4, 160) in passes
    for batch in batches:
        whole = batch["prompt_ids"].shape[1] + batch["completion_mask"].sum(1)
        assert sorted(whole.tolist()) == sorted(lengths) and batch["prompt_ids"].shape[1] == 60
        assert batch["advantages"].unique().numel() == 8, "every rollout has a reward of its own"
        assert 0.3 < float(batch["tool_mask"][batch["completion_mask"] > 0].float().mean()) < 0.6


def _prepared(chosen: Any, share: Share | None = None) -> tuple[Config, Any, Share]:
    config, _ = load("train", settings("toy", chosen))
    return config, chosen, share or Share(0, True)


@pytest.mark.parametrize(("sleeps", "expected"), [(True, ["take", "give"] * 2), (False, ["take", "give"])])
def test_the_share_is_held_in_rounds_and_let_go_in_updates_if_vllm_would(
    sleeps: bool, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    held: list[bool] = []

    def take(count: int) -> int:
        told.append("take")
        return count

    share = Share(7 * GIB, sleeps, take, lambda: told.append("give"))
    loss, played = TurnTrainer.compute_loss, RandomEngine.wait

    def compute_loss(self: Any, *given: Any, **named: Any) -> Any:
        held.append(share._held is not None)
        return loss(self, *given, **named)

    def wait(self: RandomEngine) -> Any:
        assert share._held == 7 * GIB
        return played(self)

    monkeypatch.setattr(TurnTrainer, "compute_loss", compute_loss)
    monkeypatch.setattr(RandomEngine, "wait", wait)
    chosen = parse([*TOY, "--lora", "0"])
    row = Check("toy", *_prepared(chosen, share)).run(tmp_path)[1]
    assert told == expected and held == [not sleeps] * 2
    assert row["held_gib"] == 7 and row["vllm"] == "held"


def test_what_is_held_is_the_setting_of_the_hardware(monkeypatch: pytest.MonkeyPatch) -> None:
    config, share = prepared("8B", parse(["--hardware", "l20_1", "--generation", "held"]))
    assert config.model.lora.rank == 16 and config.model.dtype == "bfloat16"
    assert config.hardware.generation == "transformers"
    assert share.count == int(0.55 * 44.5 * GIB) and share.sleeps
    # Where vLLM is installed it has its own memory, and its share is of the card that is there.
    monkeypatch.setattr(gpu_check, "find_spec", lambda name: object())
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: types.SimpleNamespace(total_memory=89 * GIB))
    config, share = prepared("1.7B", parse(["--hardware", "l20_1", "--cap", "44.5"]))
    # Half of the share that configs/fit gives to this model on an L20.
    assert share.count == 0 and config.hardware.vllm_memory == pytest.approx(0.225)
    assert config.model.lora.rank == 0 and config.model.dtype == "float32"
    with pytest.raises(OptionError, match="single card, such as l20_1"):
        prepared("8B", parse(["--hardware", "a100_80_8"]))
    with pytest.raises(OptionError, match="expected one with vLLM"):
        main(["--sizes", "0.6B", "4B"])


def test_a_peak_goes_to_the_part_in_which_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a fake card: bytes held now, and the most since the last reset."""
    now, peak = [3 * GIB], [3 * GIB]

    def change(count: int) -> int:
        now[0] += count
        peak[0] = max(peak[0], now[0])
        return count

    def give() -> None:
        change(-20 * GIB)

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda: peak[0])
    monkeypatch.setattr(torch.cuda, "max_memory_reserved", lambda: peak[0] + GIB)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (80 * GIB - now[0], 80 * GIB))
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)
    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", lambda: peak.__setitem__(0, now[0]))
    share = Share(20 * GIB, True, change, give)
    meter = Meter(share)
    for _ in range(2):
        with meter.round():
            change(GIB)
            change(-GIB)
        change(5 * GIB)
        change(-5 * GIB)
        meter.mark("updates")
    assert meter.peaks == {"rollouts": (24, 25), "updates": (8, 9)} and meter.device_gib == 23


def test_what_does_not_fit_is_said_and_other_errors_are_not_hidden(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB.\nmore")

    monkeypatch.setattr(TurnTrainer, "compute_loss", full)
    assert main([*TOY, "--markdown"]) == 1
    sft, grpo, *table = capsys.readouterr().out.splitlines()
    assert json.loads(sft)["fits"] is True
    found = json.loads(grpo)
    assert found["fits"] is False and found["error"] == "CUDA out of memory. Tried to allocate 2 GiB."
    assert found["updates"] == 0 and found["seconds"] is None and found["stopped"] == "error"
    assert [line.rstrip(" |").rpartition(" ")[2] for line in table] == ["fits", "---", "yes", "no"]
    assert error_of(ValueError("No available memory for the cache blocks.")) is not None
    assert error_of(EnoughError()) is None
    with pytest.raises(ValueError, match="shape"):
        error_of(ValueError("shapes differ"))


def test_time_is_up_before_an_update(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TOY, "--minutes", "0"]) == 1
    for line in capsys.readouterr().out.splitlines():
        row = json.loads(line)
        assert row["stopped"] == "time" and row["updates"] == 0 and row["fits"] is None


@given(st.integers(1, 400), st.integers(1, 400), st.integers(0, 900), st.integers(1, 30), st.integers(1, 2000))
def test_one_row_is_the_longest_and_a_pass_is_filled(
    prompt: int, more: int, most: int, count: int, budget: int
) -> None:
    sizes = Sizes(prompt, prompt + more, prompt + more + most, 10, 12, 100)
    lengths = sizes.rows(count, budget)
    assert len(lengths) == count and max(lengths) == lengths[0] == sizes.longest and min(lengths) > prompt
    passes = [len(rows) * lengths[rows[0]] for rows in split(lengths, budget)]
    assert max(passes) <= max(budget, sizes.longest)
    filling = budget // sizes.mean
    # The longest row has a pass of its own; rows enough to fill another one, none of them as long as that.
    if sizes.longest * 2 > budget and 0 < filling < count and budget // filling < sizes.longest:
        assert any(budget - filling < tokens <= budget for tokens in passes[1:])


@given(st.integers(1, 6), st.integers(1, 3), st.integers(100, 1500))
def test_batches_of_fine_tuning_are_the_longest_or_full(updates: int, accumulate: int, budget: int) -> None:
    rows = examples(SIZES, updates, accumulate, budget)
    groups = [group for _, group in plan_batches([len(row.ids) for row in rows], [Stage(None, 1.0)], budget, 0)]
    assert len(groups) == updates * accumulate
    full = [len(group) * max(len(rows[number].ids) for number in group) for group in groups]
    assert any(len(rows[number].ids) == 300 for group in groups for number in group)
    if len(groups) > 1 and budget >= 150:
        assert min(300 * (budget // 150), budget) - budget // 150 < max(full) <= max(budget, 300)
    for row in rows:
        assert (row.labels[:60] == IGNORED).all() and ((row.labels == IGNORED) | (row.labels == row.ids)).all()
        assert (row.labels[60:] != IGNORED).mean() == pytest.approx(LEARNED, abs=0.08)


def test_rollouts_alternate_turns_and_answers() -> None:
    lengths = [300, 200, 61, 150]
    table = SyntheticPool(object, SIZES, lengths)  # type: ignore[arg-type]
    rollouts = table.play(["a", "a", "b", "b"], RandomEngine(SIZES, ""), None, None)  # type: ignore[arg-type]
    assert [len(one.context) for one in rollouts] == lengths
    assert rollouts[0].prompt_ids == rollouts[1].prompt_ids != rollouts[2].prompt_ids
    for one in rollouts:
        assert len(one.ids) == len(one.mask) == len(one.logprobs) and max(one.context) < 4096
        for span in one.spans:
            assert one.mask[span.start : span.end] == [1] * (span.end - span.start)
        assert sum(one.mask) == sum(span.end - span.start for span in one.spans)
        assert sum(span.gain for span in one.spans) == pytest.approx(one.score) and one.turns == len(one.spans)
    assert len({one.score for one in rollouts}) == 4
    assert [one.turns for one in rollouts] == [11, 7, 1, 5]
    again = SyntheticPool(object, SIZES, lengths)  # type: ignore[arg-type]
    assert again.play(["a", "a", "b", "b"], RandomEngine(SIZES, ""), None, None)[0].ids == rollouts[0].ids  # type: ignore[arg-type]


def test_vllms_turns_are_made_to_last(monkeypatch: pytest.MonkeyPatch, tokenizer: Any, model: Any) -> None:
    """With the fake of its engine: without a least length the model ends its turns where it likes."""
    for name, module in stand_in.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    from teller_gym.training.rollouts.engines import Draws

    trainer = types.SimpleNamespace(state=types.SimpleNamespace(global_step=0), _last_loaded_step=-1)
    trainer.vllm_generation = Generation(model, None, None, enable_sleep_mode=True)
    engine = ColocatedEngine(trainer, Draws(5, 1.0, 0))
    sizes = Sizes(40, 80, 100, 10, 12, 200)
    table = SyntheticPool(object, sizes, [100, 80], drawn=True)  # type: ignore[arg-type]
    rollouts = table.play(["a", "a"], engine, None, None)  # type: ignore[arg-type]
    assert [len(one.context) for one in rollouts] == [100, 80]
    asked = trainer.vllm_generation.llm.llm_engine.asked
    assert [one.params.min_tokens for one in asked] == [one.params.max_tokens for one in asked]
    assert {one.params.min_tokens for one in asked} == {10}
    assert trainer.vllm_generation.told[-1] == "sleep 2"
    with pytest.raises(OptionError, match="turns can be made to last"):
        table.play(["a"], RandomEngine(sizes, ""), None, None)  # type: ignore[arg-type]


@pytest.mark.parametrize(("size", "millions"), [("0.6B", 596), ("1.7B", 1_720), ("4B", 4_022), ("8B", 8_191),
                                                ("14B", 14_768)])  # fmt: skip
def test_sizes_are_those_of_qwen3(size: str, millions: int) -> None:
    model = random_model(size, torch.bfloat16, "meta", 1)
    assert round(sum(one.numel() for one in model.parameters()) / 1e6) == pytest.approx(millions, abs=1)


def test_measured_stands_beside_planned() -> None:
    """The planned memory is the plan's, less CUDA's own part, of the phase's updates."""
    for words, lora in ((["model=qwen3_0_6b"], 0), (["model=qwen3_4b"], 16)):
        config = load("train", [*words, "hardware=l20_1", "logger=none", f"model.lora.rank={lora}"])[0]
        phases = {phase.name: phase.needed / GIB for phase in Planner(config).all(PHASES)}
        for phase, name in (("sft", "sft"), ("grpo", "grpo updates")):
            assert planned_gib(config, "0.6B", phase) == pytest.approx(phases[name] - 0.8)
        assert planned_gib(config, "toy", "sft") is None
    row = {
        "size": "0.6B", "lora": 0, "phase": "sft", "card": "H100", "cap_gib": 44.5, "peak_gib": 21.0,
        "planned_gib": 20.0, "rollouts_gib": None, "longest_row": 20000, "seconds": 3.1, "tokens_per_second": 9,
        "fits": True,
    }  # fmt: skip
    assert "| 44.5 | 21.0 | 20.0 | +5% | – |" in markdown([row])
    assert "| not measured |" in markdown([row | {"peak_gib": None}])
