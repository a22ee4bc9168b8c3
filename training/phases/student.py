"""Model that plays without a trainer, with the environments and limits for its episodes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.agents.sampling import CachedSampler
from teller_gym.agents.vllm_offline import VllmAgent
from teller_gym.training.config.run import Config
from teller_gym.training.models.gpu_memory import share_of
from teller_gym.training.models.load import load_model
from teller_gym.training.rollouts.engines import BatchEngine, Draws, Engine
from teller_gym.training.rollouts.rollout import EnvPool, Limits
from teller_gym.training.rollouts.vllm_colocated import RequestEngine
from teller_gym.training.tasks.seeds import LeakGuard, make_env


class Student:
    """Model on its device, with its chat template."""

    def __init__(self, model: Any, tokenizer: Any, style: PromptStyle) -> None:
        self.model = model
        self.chat = ChatFormat(tokenizer, style)

    @staticmethod
    def load(folder: Path, config: Config) -> Student:
        """Load a checkpoint as a whole into this process.

        On a card, its weights are in 16 bits, since they are not updated.
        """
        hardware = config.hardware
        if hardware.generation == "vllm":
            return VllmStudent(folder, config)
        width = {"dtype": "bfloat16"} if hardware.device == "cuda" else {}
        model, tokenizer = load_model(
            folder, config.model_copy(update={"model": config.model.model_copy(update=width)})
        )
        return Student(model.to(hardware.device).eval(), tokenizer, PromptStyle.parse(config.model.prompt))

    def engine(self, temperature: float, seed: int) -> Engine:
        """Return an engine that samples the model's turns."""
        return BatchEngine(CachedSampler(self.model, [self.chat.end], temperature, seed))


class VllmStudent(Student):
    """Model sampled by vLLM in this process, with all free memory of the cards."""

    def __init__(self, folder: Path, config: Config) -> None:
        # Otherwise vLLM would start a process that may outlive this one.
        os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
        cards = config.hardware.vllm_tensor_parallel
        agent = VllmAgent.from_folder(
            folder, cards, share_of(range(cards)), max_tokens=config.model.total_tokens, seed=config.seed
        )
        super().__init__(agent.llm, agent.format.tokenizer, PromptStyle.parse(config.model.prompt))

    def engine(self, temperature: float, seed: int) -> Engine:
        return RequestEngine(self.model.llm_engine, Draws(self.chat.end, temperature, seed))


class Desk:
    """Environments with fresh tasks of a run, and the limits for their episodes.

    `check` appends the checked tasks to ``seen``, in the order of the episodes.
    """

    def __init__(self, config: Config, guard: LeakGuard | None = None) -> None:
        self.config = config
        self.table = EnvPool(lambda: make_env(config.env.id, config.env.options, "generated"))
        self.limits = Limits(config.model.turn_tokens, config.model.total_tokens, config.method.grpo.patience)
        self.guard = guard or LeakGuard()
        self.seen: list[Any] = []

    def check(self, task: Any) -> None:
        """Check and record a task before it is played.

        Raises:
            LeakError: the task is in an evaluation split.
        """
        self.guard.check(task)
        self.seen.append(task)
