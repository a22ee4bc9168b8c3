"""An evaluation in a separate process leaves the same report, and its failures are raised here."""

from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="the extra `train` is not installed")

import teller_gym
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.training.models.gpu_memory import cache_bytes, chats, free_share
from teller_gym.training.processes.isolate import evaluate_apart


@pytest.mark.slow
def test_the_report_is_that_of_an_evaluation_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.setenv(name, "7")
    there = evaluate_apart("always_deny", "Teller-Loans-v0", "heldout", tmp_path / "there", n=3)
    here = teller_gym.evaluate("always_deny", "Teller-Loans-v0", "heldout", n=3, run_dir=tmp_path / "here")
    assert there.metrics["score"] == here.metrics["score"] and there.tasks == 3
    with pytest.raises(OptionError, match="nobody"):
        evaluate_apart("nobody", "Teller-Loans-v0", "heldout", tmp_path / "wrong", n=3)


class Dies:
    """Ends the process in which it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        import os

        return os._exit, (9,)


@pytest.mark.slow
def test_a_process_that_dies_is_told_with_what_is_kept(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="died, perhaps for want of memory; what it has played is kept in"):
        evaluate_apart("expert", "Teller-Loans-v0", "heldout", tmp_path, n=1, env_kwargs=Dies())


def test_room_is_reckoned_from_the_models_shape() -> None:
    from transformers import Qwen3Config

    config = Qwen3Config(num_hidden_layers=28, num_key_value_heads=8, head_dim=128)
    assert cache_bytes(config, 2) == 2 * 28 * 8 * 128 * 2
    gib = 2**30
    fitting = chats(config, 30 * gib, 12_000)
    assert (
        fitting * 12_000 * cache_bytes(config, 2) * 2 <= 24 * gib < (fitting + 1) * 12_000 * cache_bytes(config, 2) * 2
    )
    assert chats(config, 0, 12_000) == 1 == chats(config, -5, 12_000)
    assert free_share(80 * gib, 80 * gib) == 0.9 and free_share(40 * gib, 80 * gib) == 0.47
    assert free_share(0, 80 * gib) == 0.01
