"""Planned hours, compared with TRL's count of operations and with a case computed by hand, and plans of rounds."""

import pytest
from trl.trainer.utils import compute_flops_per_token

from teller_gym.training.config.run import load
from teller_gym.training.models.shapes import published
from teller_gym.training.phases.registry import PHASES
from teller_gym.training.plan import hours
from teller_gym.training.plan.lengths import lengths_of
from teller_gym.training.plan.memory import CONTEXT, Setup
from teller_gym.training.plan.model import GIB
from teller_gym.training.plan.planner import Planner


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


ROUNDS = ["method.rejection.rounds=2", "method.rejection.tasks=30", "method.rejection.samples=4",
          "method.rejection.per_task=2", "method.rejection.passes=1", "method.rejection.expert_share=0.25",
          "method.rejection.at_once=40"]  # fmt: skip


def test_they_stand_between_fine_tuning_and_grpo() -> None:
    config, _ = load("train", ["model=qwen3_1_7b", "hardware=a100_80_1", *ROUNDS, "method.corrections.rounds=1"])
    names = [phase.name for phase in Planner(config).all(PHASES)]
    at = names.index("sft evaluation")
    assert names[at + 1 : at + 8] == [
        "rejection rounds", "rejection updates", "rejection evaluation",
        "corrections rounds", "corrections updates", "corrections evaluation", "grpo rollouts",
    ]  # fmt: skip


def test_with_vllm_they_have_what_an_evaluation_has() -> None:
    """80 of 120 conversations are learned, and at most 40 chats are live."""
    config, _ = load("train", ["model=qwen3_1_7b", "hardware=a100_80_1", *ROUNDS])
    phases = {phase.name: phase for phase in Planner(config).all(PHASES)}
    rounds, updates = phases["rejection rounds"], phases["rejection updates"]
    whole = lengths_of(config).whole
    assert rounds.tokens == 2 * 30 * 4 * whole
    assert updates.tokens == 2 * 80 * whole
    assert rounds.memory == phases["sft evaluation"].memory and not rounds.problems
    assert rounds.memory["vllm weights"] == pytest.approx(2 * 1.72e9, rel=0.01)
    assert rounds.room is not None and rounds.room.wanted == 40
    assert updates.memory == phases["sft"].memory


def test_a_case_by_hand_with_our_own_sampler() -> None:
    """Weights of 1.7B in 16 bits, and forty chats of full length with twice the cache that they need."""
    config, _ = load("train", ["model=qwen3_1_7b", "hardware=a100_80_1", "hardware.generation=transformers", *ROUNDS])
    rounds = {phase.name: phase for phase in Planner(config).all(PHASES)}["rejection rounds"]
    cache = 40 * 20_000 * (2 * 2 * 28 * 8 * 128) * 2
    assert rounds.memory["cache"] == pytest.approx(cache)
    assert rounds.memory["weights"] == pytest.approx(2 * 1.72e9, rel=0.01)
    assert rounds.memory["training"] == CONTEXT
    assert rounds.needed > cache + 2 * 1.72e9 and rounds.needed > 79 * GIB and rounds.problems
