"""The GPU check in toy size: its rows, turns, rewards and memory."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import teller_gym.training.gpu_check.__main__ as gpu_check
from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import load
from teller_gym.training.config.sft import Stage
from teller_gym.training.demonstrations.batches import IGNORED, plan_batches, split
from teller_gym.training.gpu_check import memory_meter
from teller_gym.training.gpu_check.__main__ import Check, main, parse, prepared, random_model
from teller_gym.training.gpu_check.memory_meter import Meter, Share
from teller_gym.training.gpu_check.report import markdown, planned_gib
from teller_gym.training.gpu_check.synthetic_rows import LEARNED, Sizes, SyntheticPool, examples
from teller_gym.training.phases.grpo_trainer import TurnTrainer
from teller_gym.training.phases.registry import PHASES
from teller_gym.training.plan.model import GIB
from teller_gym.training.plan.planner import Planner

pytestmark = pytest.mark.training

TOY = [
    "--sizes", "toy", "--hardware", "cpu", "--updates", "2", "model.total_tokens=300", "model.turn_tokens=16",
    "method.sft.batch_tokens=600", "hardware.update_tokens=640",
]  # fmt: skip
SIZES = Sizes(longest=300, vocabulary=4096, prompt=60, mean=150, turn=10, answer=12)


@pytest.mark.parametrize(("lora", "sleeps"), [("0", True), ("4", False)])
def test_both_phases_are_measured_at_their_longest_rows(
    lora: str, sleeps: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compare the check's report with what the model, the trainer and the placeholder for vLLM saw."""
    shapes: list[tuple[int, ...]] = []
    batches: list[dict[str, Any]] = []
    told: list[str] = []
    held: list[bool] = []
    share = Share(7 * GIB, sleeps)
    make, loss, rollout = random_model, TurnTrainer.compute_loss, SyntheticPool._rollout

    def watched(*given: Any) -> Any:
        model = make(*given)
        model.model.layers[0].self_attn.q_proj.register_forward_pre_hook(
            lambda _, given: shapes.append(given[0].shape[:2]) if torch.is_grad_enabled() else None
        )
        return model

    def compute_loss(self: Any, model: Any, inputs: dict[str, Any], *more: Any, **named: Any) -> Any:
        batches.append(inputs)
        held.append(share.held is not None)
        return loss(self, model, inputs, *more, **named)

    def take(count: int) -> int:
        told.append("take")
        return count

    def played(self: SyntheticPool, *given: Any) -> Any:
        assert share.held == 7 * GIB
        return rollout(self, *given)

    monkeypatch.setattr(memory_meter, "allocate", take)
    monkeypatch.setattr(memory_meter, "give_back", lambda: told.append("give"))
    monkeypatch.setattr(gpu_check, "random_model", watched)
    monkeypatch.setattr(TurnTrainer, "compute_loss", compute_loss)
    monkeypatch.setattr(SyntheticPool, "_rollout", played)
    chosen = parse([*TOY, "--lora", lora])
    sft, grpo = Check("toy", prepared("toy", chosen)[0], chosen, share).run(tmp_path)
    assert (sft["phase"], grpo["phase"]) == ("sft", "grpo")
    for row in (sft, grpo):
        assert row["fits"] is True and row["error"] is None and row["stopped"] == "updates" and row["updates"] == 2
        assert row["lora"] == int(lora) and row["longest_row"] == 300
        assert row["seconds"] > 0 and row["tokens_per_second"] > 0
        # A CPU reports no peak.
        assert row["peak_gib"] is row["allocated_gib"] is row["rollouts_gib"] is row["planned_gib"] is None
        assert row["card"] == "none" and row["cap_gib"] is None
    # A batch of SFT holds 600 tokens, a pass of GRPO 640, of which four rows of 160 are the most.
    assert sft["largest_pass"] == 600 and grpo["largest_pass"] == 640
    assert grpo["rollouts"] == 8 and grpo["turns"] > 3 and grpo["rollout_seconds"] >= 0
    # The share is held in rounds, and in updates only if vLLM would not sleep.
    assert told == ["take", "give"] * (2 if sleeps else 1) and held == [not sleeps] * 2 and grpo["held_gib"] == 7
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


def test_what_is_held_is_the_setting_of_the_hardware() -> None:
    config, share = prepared("8B", parse(["--hardware", "l20_1"]))
    assert config.model.lora.rank == 16 and config.model.dtype == "bfloat16"
    assert config.hardware.generation == "transformers"
    assert share.count == int(0.55 * 44.5 * GIB) and share.sleeps
    with pytest.raises(OptionError, match="single card, such as l20_1"):
        prepared("8B", parse(["--hardware", "a100_80_8"]))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--hardware l20_1: expected a GPU, and torch"),
        (["hardware.precision=16"], "hardware.precision: no such setting; expected one of device, card"),
    ],
)
def test_a_mistake_is_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sizes", "toy", "--hardware", "l20_1", *words]) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


def test_a_peak_goes_to_the_part_in_which_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the card by two counters: bytes held now, and their peak since the last reset."""
    now, peak = [3 * GIB], [3 * GIB]

    def change(count: int) -> int:
        now[0] += count
        peak[0] = max(peak[0], now[0])
        return count

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda: peak[0])
    monkeypatch.setattr(torch.cuda, "max_memory_reserved", lambda: peak[0] + GIB)
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)
    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", lambda: peak.__setitem__(0, now[0]))
    monkeypatch.setattr(memory_meter, "allocate", change)
    monkeypatch.setattr(memory_meter, "give_back", lambda: change(-20 * GIB))
    meter = Meter(Share(20 * GIB, True))
    for _ in range(2):
        with meter.round():
            change(GIB)
            change(-GIB)
        change(5 * GIB)
        change(-5 * GIB)
        meter.mark("updates")
    assert meter.peaks == {"rollouts": (24, 25), "updates": (8, 9)}


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
    assert found["versions"]["torch"] != "absent"
    assert found["fits"] is False and found["error"] == "CUDA out of memory. Tried to allocate 2 GiB."
    assert found["updates"] == 0 and found["seconds"] is None and found["stopped"] == "error"
    assert [line.rstrip(" |").rpartition(" ")[2] for line in table] == ["fits", "---", "yes", "no"]
    monkeypatch.setattr(TurnTrainer, "compute_loss", lambda *_, **__: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        main(TOY)


def test_time_is_up_before_an_update(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TOY, "--minutes", "0"]) == 1
    for line in capsys.readouterr().out.splitlines():
        row = json.loads(line)
        assert row["stopped"] == "time" and row["updates"] == 0 and row["fits"] is None


@given(st.integers(1, 400), st.integers(1, 400), st.integers(0, 900), st.integers(1, 30), st.integers(1, 2000))
def test_one_row_is_the_longest_and_a_pass_is_filled(
    prompt: int, more: int, most: int, count: int, budget: int
) -> None:
    sizes = Sizes(prompt + more + most, 100, prompt, prompt + more, 10, 12)
    lengths = sizes.rows(count, budget)
    assert len(lengths) == count and max(lengths) == lengths[0] == sizes.longest and min(lengths) > prompt
    passes = [len(rows) * lengths[rows[0]] for rows in split(lengths, budget)]
    assert max(passes) <= max(budget, sizes.longest)
    filling = budget // sizes.mean
    # The longest row has a pass of its own, and shorter ones fill another pass.
    if sizes.longest * 2 > budget and 0 < filling < count and budget // filling < sizes.longest:
        assert any(budget - filling < tokens <= budget for tokens in passes[1:])


@given(st.integers(1, 6), st.integers(1, 3), st.integers(100, 1500))
def test_batches_of_fine_tuning_are_the_longest_or_full(updates: int, accumulate: int, budget: int) -> None:
    rows = examples(SIZES, updates, accumulate, budget)
    groups = [group for _, group in plan_batches([len(row.ids) for row in rows], [Stage(share=1.0)], budget, 0)]
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
    rollouts = table.play(["a", "a", "b", "b"])
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
    assert again.play(["a", "a", "b", "b"])[0].ids == rollouts[0].ids


def test_measured_stands_beside_planned() -> None:
    """The planned memory is that of the phase's updates in the plan, less CUDA's own part."""
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
