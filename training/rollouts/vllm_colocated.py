"""vLLM in this process: requests go to its engine one by one, and their tokens are never rendered again.

In GRPO, TRL's `VLLMGeneration` holds the engine. Its `generate` is not used: it takes a whole batch, and with sleep it
wakes the engine, loads all weights and puts it to sleep again at every call, which here would be at every turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from teller_gym.agents.sampling import Turn
from teller_gym.base.errors import InfrastructureError
from teller_gym.training.rollouts.engines import Draws, Engine


def load_weights(trainer: Any) -> None:
    """Push the weights to vLLM unless it has those of this step. Processes that share weights must all call it."""
    if trainer.state.global_step != trainer._last_loaded_step:
        trainer.vllm_generation.sync_weights()
        trainer._last_loaded_step = trainer.state.global_step


@contextmanager
def engine_made_with(dtype: str) -> Iterator[None]:
    """Let TRL make its engine with numbers of a kind; it has no setting for that.

    Args:
        dtype: as vLLM names it, or auto.
    """
    if dtype == "auto":
        yield
        return
    from trl.generation import vllm_generation as maker

    plain = maker.LLM
    maker.LLM = partial(plain, dtype=dtype)
    try:
        yield
    finally:
        maker.LLM = plain


class RequestEngine(Engine):
    """A vLLM engine in this process, with the weights that it has; it is asked for one turn at a time.

    Args:
        engine: an ``LLMEngine`` of vLLM's.
        draws: how.

    Attributes:
        least_tokens: tokens before which no turn ends. 0 in training; a check of speed wants turns of a real length.
    """

    least_tokens: int = 0

    def __init__(self, engine: Any, draws: Draws) -> None:
        super().__init__()
        self._draws = draws
        self._engine = engine
        self._turns: dict[int, int] = {}
        self._asked: dict[str, int] = {}

    def begin(self) -> None:
        """Count turns from the first again."""
        self._turns.clear()

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        """See `Engine.submit`."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        turn = self._turns[slot] = self._turns.get(slot, -1) + 1
        params = SamplingParams(
            temperature=self._draws.temperature,
            top_p=self._draws.top_p,
            seed=self._draws.seed_of(slot, turn),
            max_tokens=max_new,
            min_tokens=min(self.least_tokens, max_new),
            stop_token_ids=[self._draws.end],
            logprobs=0,  # of the drawn token alone
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )
        name = f"{slot}/{turn}"
        self._asked[name] = slot
        self._engine.add_request(name, {"type": "token", "prompt_token_ids": list(context)}, params)

    def wait(self) -> list[tuple[int, Turn]]:
        """See `Engine.wait`."""
        while self._asked:
            if not self._engine.has_unfinished_requests():
                raise InfrastructureError(f"vLLM has dropped {len(self._asked)} requests without an answer")
            if ended := [self._taken(output) for output in self._engine.step() if output.finished]:
                return ended
        return []

    def _taken(self, output: Any) -> tuple[int, Turn]:
        slot = self._asked.pop(output.request_id)
        self.reads.add(len(output.prompt_token_ids), output.num_cached_tokens)
        (said,) = output.outputs
        ids = [int(token) for token in said.token_ids]
        logprobs = [float(scores[token].logprob) for token, scores in zip(ids, said.logprobs, strict=True)]
        # The trainer leaves what is NaN out of its ratios; an infinite one would spoil the whole loss.
        logprobs = [score if math.isfinite(score) else math.nan for score in logprobs]
        return slot, Turn(ids, logprobs, bool(ids) and ids[-1] == self._draws.end)

    def end(self) -> None:
        """Drop what is still under way."""
        if self._asked:
            self._engine.abort_request(list(self._asked))
            self._asked.clear()


class ColocatedEngine(RequestEngine):
    """The engine that TRL holds beside its trainer: awake during a round, asleep, if it may sleep, at other times.

    Args:
        trainer: TRL's, whose weights are sampled.
        draws: how.
    """

    def __init__(self, trainer: Any, draws: Draws) -> None:
        self._trainer = trainer
        self._generation = trainer.vllm_generation
        super().__init__(self._generation.llm.llm_engine, draws)

    def begin(self) -> None:
        """Wake the engine up with the current weights."""
        super().begin()
        # The trainer pushes the weights of a step once, before it asks for rollouts; asleep, vLLM loses them.
        load_weights(self._trainer)
        if self._generation.enable_sleep_mode:
            if self._generation._llm_weights_sleeping:
                self._generation.sync_weights()
            self._generation.llm.wake_up(tags=["kv_cache"])

    def end(self) -> None:
        """Drop what is still under way, and let the engine sleep."""
        super().end()
        if self._generation.enable_sleep_mode:
            self._generation.llm.sleep(level=2)
            self._generation._llm_weights_sleeping = True
