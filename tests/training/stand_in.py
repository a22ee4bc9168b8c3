"""A replacement for TRL's `VLLMGeneration` and the parts of vLLM 0.31 behind it, driven by a small model of
transformers.

It has the members that are used, with their names and arguments, and vLLM's rules: weights are those of the last
`sync_weights`, sleep loses them and the cache, and nothing runs asleep. Every draw is from the model's probabilities,
so a batch made with it has sampling ratios of 1 if tokens and weights are the trainer's.
"""

import copy
import enum
import sys
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch

from teller_gym.training.config.run import Config
from tests.training.stub_env import StubEnv
from tests.training.toy import settings


class Talks(StubEnv):
    """A toy desk that answers any action, two to five times depending on the task's seed."""

    def step(self, action: str) -> Any:
        """Answer; the score grows with the share of the letter e."""
        self.step_count += 1
        self.earned += action.count("e") / max(1, len(action))
        self.chat.append({"role": "assistant", "content": action})
        self.chat.append(
            {"role": "tool", "name": "", "tool_call_id": "call", "content": f'{{"said":{self.step_count}}}'}
        )
        over = self.step_count >= 2 + self.task.seed % 4
        return {"state": "", "tool_result": self.chat[-1]["content"]}, 0.0, over, False, self.info()


class RequestOutputKind(enum.Enum):
    CUMULATIVE = 0
    DELTA = 1
    FINAL_ONLY = 2


@dataclass
class SamplingParams:
    temperature: float = 1.0
    top_p: float = 1.0
    seed: int | None = None
    max_tokens: int | None = 16
    min_tokens: int = 0
    stop_token_ids: list[int] | None = None
    logprobs: int | None = None
    detokenize: bool = True
    output_kind: RequestOutputKind = RequestOutputKind.CUMULATIVE


@dataclass
class _Request:
    name: str
    prompt: list[int]
    params: SamplingParams
    generator: torch.Generator
    ids: list[int] = field(default_factory=list)
    scores: list[dict[int, Any]] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        ended = len(self.ids) > self.params.min_tokens and self.ids[-1] in (self.params.stop_token_ids or [])
        return ended or len(self.ids) == self.params.max_tokens

    def output(self) -> Any:
        said = SimpleNamespace(token_ids=tuple(self.ids), logprobs=list(self.scores))
        return SimpleNamespace(request_id=self.name, outputs=[said], finished=True)


class LLMEngine:
    """Continuous batching: each step draws one token for every request."""

    def __init__(self) -> None:
        self.model: Any = None
        self.awake = True
        self.asked: list[_Request] = []
        self.live: list[_Request] = []
        self.most = 0
        """Largest number of requests in one step."""

    def add_request(self, request_id: str, prompt: dict[str, Any], params: SamplingParams) -> str:
        """Take a request; see vLLM's `LLMEngine`."""
        assert prompt["type"] == "token" and params.output_kind is RequestOutputKind.FINAL_ONLY
        assert request_id not in {one.name for one in self.live}
        ids = prompt["prompt_token_ids"]
        seed = torch.Generator().manual_seed(params.seed or 0)
        request = _Request(request_id, ids, params, seed)
        self.asked.append(request)
        self.live.append(request)
        return request_id

    def has_unfinished_requests(self) -> bool:
        return bool(self.live)

    def abort_request(self, request_ids: list[str], internal: bool = False) -> None:
        self.live = [one for one in self.live if one.name not in request_ids]

    @torch.inference_mode()
    def step(self) -> list[Any]:
        """Draw a token for every request; return those that have ended."""
        assert self.awake and self.model is not None, "vLLM was asked while it slept"
        self.most = max(self.most, len(self.live))
        for request in self.live:
            logits = self.model(input_ids=torch.tensor([request.prompt + request.ids])).logits[0, -1].float()
            logprobs = (logits / request.params.temperature).log_softmax(-1)
            token = int(torch.multinomial(logprobs.exp(), 1, generator=request.generator))
            request.ids.append(token)
            request.scores.append({token: SimpleNamespace(logprob=float(logprobs[token]), rank=1)})
        ended = [one for one in self.live if one.finished]
        self.live = [one for one in self.live if not one.finished]
        return [one.output() for one in ended]


class LLM:
    """vLLM's `LLM`, as far as TRL and the engine use it."""

    def __init__(self, told: list[str]) -> None:
        self.llm_engine = LLMEngine()
        self.told = told

    def sleep(self, level: int = 1) -> None:
        """Lose weights and cache."""
        self.told.append(f"sleep {level}")
        self.llm_engine.awake, self.llm_engine.model = False, None

    def wake_up(self, tags: list[str] | None = None) -> None:
        """Get memory back."""
        self.told.append(f"wake {' '.join(tags or [])}")
        self.llm_engine.awake |= tags is None or "kv_cache" in tags


class Generation:
    """TRL's `VLLMGeneration`."""

    def __init__(
        self, model: Any, accelerator: Any, processing_class: Any, mode: str = "colocate",
        enable_sleep_mode: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        self.model, self.mode, self.enable_sleep_mode = model, mode, enable_sleep_mode
        self.options = options
        self.told: list[str] = []
        """The calls it received, in order."""
        self.llm = LLM(self.told)
        if enable_sleep_mode:
            self.llm.sleep(level=2)
        self._llm_weights_sleeping = enable_sleep_mode
        self.vllm_client = SimpleNamespace(
            get_server_info=lambda: {"model_config": {"logprobs_mode": "processed_logprobs"}}
        )

    def sync_weights(self) -> None:
        """Load the trainer's weights."""
        if self.enable_sleep_mode:
            self.llm.wake_up(tags=["weights"])
            self._llm_weights_sleeping = False
        self.told.append("sync")
        # A model of its own: a deep copy's forward pass, as trainers wrap it, would read the trainer's weights.
        fresh = type(self.model)(copy.deepcopy(self.model.config))
        fresh.load_state_dict(self.model.state_dict())
        self.llm.llm_engine.model = fresh.eval()

    def generate(self, *_: Any, **__: Any) -> Any:
        """Fail, since TRL's own generation of whole batches must not be used."""
        raise AssertionError("TRL's generate waits for the longest turn")


def modules() -> dict[str, ModuleType]:
    """Return the entries to put into `sys.modules`."""
    vllm, params = ModuleType("vllm"), ModuleType("vllm.sampling_params")
    vars(vllm).update(SamplingParams=SamplingParams)
    vars(params).update(RequestOutputKind=RequestOutputKind)
    return {"vllm": vllm, "vllm.sampling_params": params}


def install(monkeypatch: pytest.MonkeyPatch, kind: type[Generation] = Generation) -> list[Generation]:
    """Let TRL's trainers use it; return a list of the generations that they make."""
    made: list[Generation] = []

    def make(**options: Any) -> Generation:
        made.append(kind(**options))
        return made[-1]

    for name, module in modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr("trl.trainer.grpo_trainer.VLLMGeneration", make)
    return made


def vllm_settings(*overrides: str, **hardware: Any) -> Config:
    """Return settings of a small run with vLLM on a CPU, which the checks of settings would refuse."""
    small = ["model.turn_tokens=8", "model.total_tokens=300", "method.grpo.group=3", "method.grpo.steps=2"]
    found = settings(*small, *overrides)
    found.hardware = found.hardware.model_copy(update={"generation": "vllm", **hardware})
    return found
