"""Gain of rollouts that wait for nobody: recorded episodes on a simulated card, with a barrier and without.

    python -m benchmarks.rollout_throughput       # the table, some seconds; no GPU, and the same on every machine

The episodes are those of `benchmarks.rollout_lengths`, played by the package's own `Table`. Both ways have the same
card, the same cache and as many episodes at once as that holds; the barrier lets every turn wait for the longest of its
round (`BatchEngine`), and is spared its other cost, since rows that have ended leave the batch. The cards' latencies
are computed from their bandwidth and the model's size, not measured. The exit status is 1 if a target is missed.
"""

from __future__ import annotations

import sys
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.rollout_lengths import Recorded, read
from benchmarks.simulated_engine import Clock, Costs, LengthsChat, Replay, SimulatedEngine, Together
from teller_gym.training.rollouts.engines import BatchEngine, Engine
from teller_gym.training.rollouts.rollout import Limits, Table

TARGET = 1.5
"""Times the barrier's tokens a second, on the model's lengths."""


def reckoned(parameters: float, cache_bytes: int, memory: float, bandwidth: float, flops: float) -> Costs:
    """Return the costs of a model on a card.

    Args:
        parameters: of the model, two bytes each.
        cache_bytes: of a token's keys and values.
        memory: bytes of the attention cache.
        bandwidth: bytes a second, of which seven tenths are reached.
        flops: a second in 16 bits, of which half are reached.
    """
    moved = 0.7 * bandwidth
    return Costs(
        step=0.004 + 2 * parameters / moved,
        row=20e-6,
        context=cache_bytes / moved,
        prefill=2 * parameters / (0.5 * flops),
        environment=0.002,
        cache=int(memory / cache_bytes),
    )


GIB = 2**30
CARDS = {
    # Keys and values: 28 layers of 8 heads of 128 for the smaller two, 36 for the others. Memory: what vLLM has left.
    "Qwen3-0.6B on an L20": reckoned(0.6e9, 114_688, 10.9 * GIB, 864e9, 119e12),
    "Qwen3-1.7B on an A100": reckoned(1.7e9, 114_688, 23.0 * GIB, 2.0e12, 312e12),
    "Qwen3-4B on an A100": reckoned(4.0e9, 147_456, 18.7 * GIB, 2.0e12, 312e12),
    "Qwen3-8B on an A100": reckoned(8.2e9, 147_456, 10.9 * GIB, 2.0e12, 312e12),
}
MAIN = "Qwen3-8B on an A100"


class Played(NamedTuple):
    """A round: virtual seconds, tokens of the model, tokens that the engine was given and that it knew."""

    seconds: float
    said: int
    given: int
    cached: int
    most: int


class Compared(NamedTuple):
    """The same episodes with a barrier and without."""

    live: int
    barrier: Played
    turns: Played

    @property
    def ratio(self) -> float:
        """Tokens a second without the barrier, over those with it."""
        return (self.turns.said / self.turns.seconds) / (self.barrier.said / self.barrier.seconds)


def live_of(recorded: Sequence[Recorded], costs: Costs) -> int:
    """Return how many episodes the cache holds, however long they are: the part that a scenario shares is
    there once.
    """
    prompts = {one.scenario: one.shared for one in recorded}
    longest = max(one.tokens - one.shared for one in recorded)
    return max(1, (costs.cache - sum(prompts.values())) // longest)


def play(recorded: Sequence[Recorded], costs: Costs, live: int, barrier: bool) -> Played:
    """Play all episodes, so many at once; return what it took."""
    clock, waiting = Clock(), defaultdict[str, deque[Recorded]](deque)
    for one in recorded:
        waiting[one.task].append(one)
    simulated = SimulatedEngine(recorded, costs, clock)
    engine: Engine = BatchEngine(Together(simulated)) if barrier else simulated
    limits, chat = Limits(turn=100_000, total=10_000_000, patience=1_000), LengthsChat(recorded)
    table: Any = Table(lambda: Replay(waiting, costs, clock))
    rollouts = table.play([one.task for one in recorded], engine, chat, limits, concurrency=live)
    said = sum(span.end - span.start for one in rollouts for span in one.spans)
    return Played(clock.now, said, engine.reads.given, engine.reads.cached or 0, simulated.most)


def compare(recorded: Sequence[Recorded], costs: Costs, live: int | None = None) -> Compared:
    """Play with a barrier and without; as many at once as the cache holds unless ``live`` says otherwise."""
    live = live_of(recorded, costs) if live is None else live
    return Compared(live, play(recorded, costs, live, True), play(recorded, costs, live, False))


def main() -> int:
    """Print the table; return the exit status."""
    missed = 0
    for who in ("model", "expert"):
        recorded = read(who)
        turns = [said for one in recorded for said, _ in one.turns]
        mean = sum(turns) / len(turns)
        print(f"lengths of the {who}: {len(recorded)} episodes, {mean:.0f} tokens a turn, {max(turns)} in the longest")
        for card, costs in CARDS.items():
            found = compare(recorded, costs)
            slow, fast = (played.said / played.seconds for played in (found.barrier, found.turns))
            given, cached = found.turns.given, found.turns.cached
            print(
                f"  {card:<22}{found.live:>5} at once: {slow:>5.0f} tokens/s with the barrier, {fast:>5.0f} without, "
                f"{found.ratio:.2f} times as many; {cached / given:.1%} of {given:,} tokens were known"
            )
            if who == "model" and card == MAIN:
                missed += found.ratio < TARGET
    print(f"target: {TARGET} × on the model's lengths for {MAIN}: {'missed' if missed else 'met'}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
