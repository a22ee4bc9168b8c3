"""vLLM engine in this process, which receives requests one by one by token ids.

In GRPO, TRL's `VLLMGeneration` holds the engine. Its `generate` is not used: it takes a whole batch, and with sleep
mode it wakes the engine, loads all weights and puts it to sleep in every call, that is, in every turn.
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
    """Send the weights to vLLM unless it already has the current step's weights.

    All processes that share weights must call this.
    """
    if trainer.state.global_step != trainer._last_loaded_step:
        trainer.vllm_generation.sync_weights()
        trainer._last_loaded_step = trainer.state.global_step


@contextmanager
def engine_made_with(dtype: str) -> Iterator[None]:
    """Return a context in which TRL creates its engine with the given number format.

    TRL has no setting for it. ``dtype`` is vLLM's name for the format, or auto.
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
    """Wrapper of vLLM's ``LLMEngine`` in this process, with fixed weights and one request per turn."""

    def __init__(self, engine: Any, draws: Draws) -> None:
        self._draws = draws
        self._engine = engine
        self._turns: dict[int, int] = {}
        self._asked: dict[str, int] = {}

    def begin(self) -> None:
        self._turns.clear()

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        turn = self._turns[slot] = self._turns.get(slot, -1) + 1
        params = SamplingParams(
            temperature=self._draws.temperature,
            top_p=self._draws.top_p,
            seed=self._draws.seed_of(slot, turn),
            max_tokens=max_new,
            stop_token_ids=[self._draws.end],
            logprobs=0,  # only of the drawn token
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )
        name = f"{slot}/{turn}"
        self._asked[name] = slot
        self._engine.add_request(name, {"type": "token", "prompt_token_ids": list(context)}, params)

    def wait(self) -> list[tuple[int, Turn]]:
        while self._asked:
            if not self._engine.has_unfinished_requests():
                raise InfrastructureError(f"vLLM has dropped {len(self._asked)} requests without an answer")
            if ended := [self._taken(output) for output in self._engine.step() if output.finished]:
                return ended
        return []

    def _taken(self, output: Any) -> tuple[int, Turn]:
        slot = self._asked.pop(output.request_id)
        (said,) = output.outputs
        ids = [int(token) for token in said.token_ids]
        logprobs = [float(scores[token].logprob) for token, scores in zip(ids, said.logprobs, strict=True)]
        # The trainer leaves NaN out of its ratios; an infinite value would spoil the whole loss.
        logprobs = [score if math.isfinite(score) else math.nan for score in logprobs]
        return slot, Turn(ids, logprobs, bool(ids) and ids[-1] == self._draws.end)

    def end(self) -> None:
        if self._asked:
            self._engine.abort_request(list(self._asked))
            self._asked.clear()


class ColocatedEngine(RequestEngine):
    """The engine that TRL holds beside its trainer.

    It is awake during a round and, with sleep mode, asleep otherwise.
    """

    def __init__(self, trainer: Any, draws: Draws) -> None:
        self._trainer = trainer
        self._generation = trainer.vllm_generation
        super().__init__(self._generation.llm.llm_engine, draws)

    def begin(self) -> None:
        """Wake the engine and load the current weights."""
        super().begin()
        # The trainer pushes the weights of a step once, before it requests rollouts; asleep, vLLM loses them.
        load_weights(self._trainer)
        if self._generation.enable_sleep_mode:
            if self._generation._llm_weights_sleeping:
                self._generation.sync_weights()
            self._generation.llm.wake_up(tags=["kv_cache"])

    def end(self) -> None:
        """Discard pending turns and put the engine to sleep."""
        super().end()
        if self._generation.enable_sleep_mode:
            self._generation.llm.sleep(level=2)
            self._generation._llm_weights_sleeping = True
