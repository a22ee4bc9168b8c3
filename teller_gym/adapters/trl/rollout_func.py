"""Rollouts of the package for an unmodified TRL `GRPOTrainer`, without the rest of `teller-gym train`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from teller_gym.adapters.trl.dataset import make_training_env, task_of
from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.agents.language import PROMPT_KEY
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.base.text import shown
from teller_gym.training.rollouts.engines import Draws, Engine
from teller_gym.training.rollouts.metrics import figures_of
from teller_gym.training.rollouts.rollout import End, EnvPool, Limits, columns_of
from teller_gym.training.rollouts.vllm_server import engine_of
from teller_gym.training.tasks.seeds import LeakGuard

UNUSED: dict[str, tuple[Any, ...]] = {
    "top_k": (0, -1, None),
    "min_p": (0.0, None),
    "repetition_penalty": (1.0, None),
    "generation_kwargs": ({}, None),
}
"""TRL sampling settings that the engines do not support, with their neutral values."""


class Rollouts:
    """Callable returned by `rollout_func`, which documents the arguments."""

    def __init__(
        self, env_id: str, options: Mapping[str, Any], tokenizer: Any, style: PromptStyle, limits: Limits, seed: int,
        live: int | None, guard: LeakGuard,
    ) -> None:  # fmt: skip
        self._table = EnvPool(lambda: make_training_env(env_id, options))
        self._table.seats(1)  # reports a wrong option before the model is loaded
        self._tokenizer, self._style, self._limits = tokenizer, style, limits
        self._seed, self._live, self._guard = seed, live, guard
        self._chat: ChatFormat | None = None
        self._step, self._rounds = -1, 0

    def __call__(self, prompts: Sequence[Any], trainer: Any) -> dict[str, list[Any]]:
        """Play an episode for each prompt.

        Args:
            prompts: prompts that TRL gives to this process, each repeated for its group.
            trainer: the `GRPOTrainer`.

        Returns:
            The columns described in `rollout_func`, with an entry for each prompt.

        Raises:
            OptionError: a prompt names no task, or the engines do not support the trainer's sampling settings.
            LeakError: a task is in an evaluation split.
            InfrastructureError: every episode was invalid, so no training is possible.
        """
        tasks, chat = [task_of(prompt) for prompt in prompts], self._chat_of(trainer)
        engine = self._engine_of(trainer, chat)
        rollouts = self._table.play(tasks, engine, chat, self._limits, self._guard.check, self._live)
        if all(one.end is End.INVALID for one in rollouts):
            raise InfrastructureError("every episode of a round broke; the log above says why")
        lengths = [len(one.context) for one in rollouts]
        figures = figures_of(rollouts, lengths, trainer.num_generations, [self._table.spent])
        return columns_of(rollouts) | {
            "task_id": tasks,
            "score": [one.score for one in rollouts],
            "success": [one.success for one in rollouts],
            "end": [None if one.end is None else str(one.end) for one in rollouts],
            "figures": [figures] * len(rollouts),
        }

    def _chat_of(self, trainer: Any) -> ChatFormat:
        if self._chat is None:
            tokenizer = self._tokenizer or trainer.processing_class
            self._chat = ChatFormat(getattr(tokenizer, "tokenizer", tokenizer), self._style)
            # Saved in the checkpoints, so that evaluations use the same prompts as training.
            setattr(trainer.accelerator.unwrap_model(trainer.model).config, PROMPT_KEY, str(self._style))
        return self._chat

    def _engine_of(self, trainer: Any, chat: ChatFormat) -> Engine:
        expect_plain_sampling(trainer.args)
        _expect_whole_models(trainer)
        arguments, step = trainer.args, int(trainer.state.global_step)
        # The seed depends on the position in the run, so a resumed run samples the same as an uninterrupted one.
        self._step, self._rounds = step, self._rounds + 1 if step == self._step else 0
        place = f"{self._seed}/{step}/{self._rounds}/{trainer.accelerator.process_index}"
        seed = random.Random(place).getrandbits(32)
        url = None
        if arguments.use_vllm and arguments.vllm_mode == "server":
            address = f"http://{arguments.vllm_server_host}:{arguments.vllm_server_port}"
            url = arguments.vllm_server_base_url or address
        return engine_of(trainer, Draws(chat.end, arguments.temperature, seed, arguments.top_p), url)


def rollout_func(
    env_id: str, tokenizer: Any = None, *, prompt: str = "compact", turn_tokens: int = 512, total_tokens: int = 20_000,
    patience: int = 5, live: int | None = None, seed: int = 0, guard: LeakGuard | None = None, **options: Any,
) -> Rollouts:  # fmt: skip
    """Return a function that plays bank tasks for TRL's ``GRPOTrainer(rollout_func=…)``, without a subclass.

    Turns are sampled with the trainer's temperature and top_p, by its vLLM (colocated or on a server) if it uses one,
    otherwise by its model. With vLLM, episodes do not wait for each other.

    Args:
        env_id: environment, such as Teller-Loans-v0.
        tokenizer: tokenizer with a chat template that renders earlier turns independently of later ones; None uses the
            trainer's.
        prompt: parts of the instructions to show: full, compact or minimal; stored in checkpoints.
        turn_tokens: maximum tokens of one turn of the model.
        total_tokens: maximum tokens of a whole conversation, including prompt and tool results. With colocated vLLM,
            ``vllm_max_model_length`` must not be smaller.
        patience: consecutive failed calls after which an episode ends with the score reached so far.
        live: maximum number of simultaneous episodes of a process, which is limited by the attention cache; None plays
            all at once.
        seed: seed of the sampling, which differs by round and process. vLLM is not reproducible even with a seed.
        guard: guard against evaluation tasks; None uses the package's own.
        **options: options of the environment's constructor.

    Returns:
        A callable (prompts, trainer) -> dict with a list per key and an entry per prompt: ``prompt_ids``;
        ``completion_ids``, all turns and the texts between them; ``logprobs`` and ``env_mask`` (1: sampled by the
        model), both of the same length; and for reward functions ``rollout``
        (`teller_gym.training.rollouts.rollout.Rollout`), ``task_id``, ``score`` (None if the episode is invalid),
        ``success``, ``end`` and ``figures``.

    Raises:
        OptionError: a value is invalid.

    Example::

        trainer = GRPOTrainer(
            model="Qwen/Qwen3-0.6B",
            args=GRPOConfig(num_generations=8, chat_template_kwargs={"enable_thinking": False}),
            train_dataset=tasks_dataset("Teller-Loans-v0", 1_000),
            rollout_func=rollout_func("Teller-Loans-v0"),
            reward_funcs=score,
        )
    """
    for name, value in (("turn_tokens", turn_tokens), ("patience", patience), ("live", 1 if live is None else live)):
        if type(value) is not int or value < 1:
            raise OptionError(f"{name}: expected a whole number of 1 or more, got {shown(value)}")
    if type(total_tokens) is not int or total_tokens < turn_tokens:
        raise OptionError(f"total_tokens: expected at least turn_tokens ({turn_tokens}), got {shown(total_tokens)}")
    limits = Limits(turn_tokens, total_tokens, patience)
    return Rollouts(env_id, options, tokenizer, PromptStyle.parse(prompt), limits, seed, live, guard or LeakGuard())


def _expect_whole_models(trainer: Any) -> None:
    """Check that each process has a whole model to sample from.

    Raises:
        OptionError: the model is distributed over several processes.
    """
    arguments, accelerator = trainer.args, trainer.accelerator
    if not arguments.use_vllm:
        spread = str(accelerator.distributed_type).endswith("FSDP")
        plugin = getattr(accelerator.state, "deepspeed_plugin", None)
        if spread or (plugin is not None and plugin.zero_stage == 3):
            raise OptionError(
                "use_vllm: expected True where the weights are spread over processes (FSDP, ZeRO-3), got False"
            )
    elif arguments.vllm_mode == "colocate" and arguments.vllm_tensor_parallel_size > 1:
        raise OptionError(
            "vllm_tensor_parallel_size: expected 1 with colocated vLLM and rollout_func, or vllm_mode='server', got "
            f"{arguments.vllm_tensor_parallel_size}"
        )


def expect_plain_sampling(arguments: Any) -> None:
    """Check that the engines support the sampling settings of a `GRPOConfig`.

    Raises:
        OptionError: a setting is not supported.
    """
    for name, plain in UNUSED.items():
        if (value := getattr(arguments, name)) not in plain:
            raise OptionError(
                f"{name}: expected {plain[0]!r} with rollout_func, got {shown(value)}; set only temperature and top_p"
            )
