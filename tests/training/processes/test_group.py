"""Agreement of processes on batches, checkpoints, errors and gathered weights."""

from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import MissingExtraError, OptionError, StorageError
from teller_gym.training.config.run import load
from teller_gym.training.demonstrations.batches import evened
from teller_gym.training.models.load import save_model, whole_model
from teller_gym.training.processes.group import ElsewhereError, Processes, _Told, here, join
from teller_gym.training.processes.resume import resume_point
from teller_gym.training.run_folder.checksums import seal

PLANS = st.lists(st.tuples(st.none() | st.integers(1, 9), st.integers(1, 6)), min_size=1, max_size=30)


@given(PLANS, st.integers(1, 9))
def test_every_process_gets_as_many_batches_and_no_conversation_twice(
    sizes: list[tuple[int | None, int]], parts: int
) -> None:
    ends = [sum(size for _, size in sizes[: at + 1]) for at in range(len(sizes))]
    plan = [(cut, list(range(end - size, end))) for (cut, size), end in zip(sizes, ends, strict=True)]
    cuts = {number: cut for cut, group in plan for number in group}
    if ends[-1] < parts:
        with pytest.raises(OptionError):
            evened(plan, parts)
        return
    found = evened(plan, parts)
    assert len(plan) % parts or found == plan
    seen = [number for _, group in found for number in group]
    assert len(found) % parts == 0 and all(group for _, group in found)
    # In order, with the same cuts; at most a last round of single conversations is left out.
    assert seen == list(range(len(seen)))
    assert all(cuts[number] == cut for cut, group in found for number in group)
    assert len(seen) == ends[-1] or (len(found) == len(seen) and ends[-1] - len(seen) < parts)


@pytest.mark.parametrize(("files", "makers"), [(["rng_state.pth"], 1), (["rng_state_0.pth", "rng_state_1.pth"], 2)])
def test_as_many_processes_go_on_as_have_saved(files: list[str], makers: int, tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint-4"
    checkpoint.mkdir()
    for name in files:
        (checkpoint / name).touch()
    seal(checkpoint)
    if makers == 1:
        assert resume_point(tmp_path, "sft") == checkpoint
    else:
        with pytest.raises(OptionError, match="was made with 2 training processes, and there are 1"):
            resume_point(tmp_path, "sft")


def test_alone_nothing_is_shared() -> None:
    alone = Processes()
    assert alone.first and alone.gather(3) == [3] and alone.join_lists([1, 2]) == [1, 2]
    assert alone.together(lambda: 4) == alone.led(lambda: 4) == 4
    with alone.leading(), alone.calling("sft"):
        pass
    with pytest.raises(ZeroDivisionError):
        alone.together(lambda: 1 // 0)


@pytest.mark.parametrize(
    "error", [OptionError("a"), StorageError("b"), ValueError("c"), MissingExtraError("d", "vllm")]
)
def test_an_error_is_known_elsewhere(error: Exception) -> None:
    found = _Told.of(error).error()
    assert str(error) in str(found)
    # The exit code depends on the class; a missing extra and a wrong option have the same.
    expected = {ValueError: RuntimeError, MissingExtraError: OptionError}.get(type(error), type(error))
    assert type(found) is expected


def test_another_number_of_processes_than_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    hardware = load("demo", ["hardware.cards=2"])[0].hardware
    monkeypatch.setenv("WORLD_SIZE", "4")
    for rank, error in (("0", OptionError), ("3", ElsewhereError)):
        monkeypatch.setenv("RANK", rank)
        with pytest.raises(error, match="are 2 processes, and 4 were started"):
            join(hardware)
    assert here().count == 1


@pytest.mark.training
@pytest.mark.parametrize("rank", [0, 4])
def test_weights_that_were_spread_come_together_in_a_copy(
    rank: int, model: Any, tokenizer: Any, tmp_path: Path
) -> None:
    """Replace accelerate's gathering by a fake that returns all weights."""
    from peft import get_peft_model

    config = load("train", ["model=qwen3_4b", "hardware=a100_80_8", "logger=none", f"model.lora.rank={rank}"])[0]
    save_model(model, tokenizer, tmp_path / "before")
    model.name_or_path = str(tmp_path / "before")
    adapters = config.model.lora_config()
    trained = get_peft_model(model, adapters) if adapters else model
    torch.manual_seed(0)
    with torch.no_grad():
        for value in trained.parameters():
            value.add_(torch.randn_like(value) * 0.01)
    weights = {name: value.clone() for name, value in trained.state_dict().items()}

    def accelerator(main: bool) -> Namespace:
        return Namespace(is_main_process=main, get_state_dict=lambda _: weights, unwrap_model=lambda one: one)

    def trainer(main: bool) -> Namespace:
        return Namespace(accelerator=accelerator(main), model=trained, model_wrapped=None)

    assert whole_model(trainer(False), config.model, config.hardware) is None
    whole = whole_model(trainer(True), config.model, config.hardware)
    ids = torch.tensor([[5, 6, 7, 8]])
    assert whole is not trained
    with torch.no_grad():
        assert torch.allclose(whole.eval()(ids).logits, trained.eval()(ids).logits, atol=1e-5)
    save_model(whole, tokenizer, tmp_path / "after")
    assert (tmp_path / "after" / "model.safetensors").exists()
