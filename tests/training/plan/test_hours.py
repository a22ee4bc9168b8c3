"""Planned hours, compared with TRL's count of operations and with a case computed by hand."""

from __future__ import annotations

import pytest
from trl.trainer.utils import compute_flops_per_token

from teller_gym.training.config.run import load
from teller_gym.training.models.shapes import published
from teller_gym.training.plan import hours
from teller_gym.training.plan.lengths import lengths_of
from teller_gym.training.plan.memory import Setup


@pytest.mark.parametrize("name", ["Qwen/Qwen3-1.7B", "Qwen/Qwen3-32B"])
def test_operations_are_those_that_trl_counts(name: str) -> None:
    """Count as TRL does: all keys of a row instead of half, and the output layer once forward for every token."""
    shape, length = published()[name], 4000
    ours = 3 * (hours.forward(shape, 2 * length) + 2 * shape.embedding)
    assert ours == pytest.approx(compute_flops_per_token(shape.qwen3(), length), rel=0.01)


def test_a_case_by_hand() -> None:
    """Eight episodes of 8B on an A100 (2,039 GB/s) read all weights and eight caches of 9,250 tokens 1,490 times."""
    config, _ = load("train", ["model=qwen3_8b", "hardware=a100_80_1"])
    setup, lengths = Setup.of(config), lengths_of(config)
    spent = hours.playing(config.hardware, setup, lengths, hours.EpisodeRound(8, 1, 1, 8, 8))
    decoding = 1490 * (2 * 8.19e9 + 8 * 9250 * 147_456) / (2039e9 * 0.6)
    per_token = 36 * (2 * 192.9e6 + 2 * 4096 * 10850)
    reading = (7650 + 8 * (3200 - 1490)) * per_token / (312e12 * 0.35)
    assert 3600 * spent == pytest.approx(decoding + reading, rel=0.01)
