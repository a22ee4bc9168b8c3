"""The parts of TRL that we rely on, by name and signature: after an upgrade this file says what to read anew.

TRL calls its hooks of agents experimental. Where a name or a signature here changes, the code that relies on it must be
checked: `phases.grpo_trainer`, `phases.grpo_rollouts`, `rollouts.vllm_colocated` and `rollouts.vllm_server`.
"""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from trl import GRPOConfig, GRPOTrainer
from trl.generation.vllm_client import VLLMClient
from trl.generation.vllm_generation import VLLMGeneration

from teller_gym.training.phases.grpo_trainer import TurnTrainer
from tests.training import stand_in

TRAINER = {
    "_generate_and_score_completions": ["self", "inputs"],
    "_generate": ["self", "prompts"],
    "_prepare_inputs": ["self", "generation_batch"],
    "_calculate_rewards": ["self", "inputs", "prompts", "completions", "completion_ids_list"],
    "compute_loss": ["self", "model", "inputs", "return_outputs", "num_items_in_batch"],
    "_compute_loss": ["self", "model", "inputs"],
    "training_step": ["self", "model", "inputs", "num_items_in_batch"],
    "log": ["self", "logs", "start_time"],
    "_log_metric": ["self", "name", "value"],
}
LOGPS = ["self", "model", "input_ids", "attention_mask", "logits_to_keep", "batch_size", "compute_entropy"]
GENERATION = {
    "generate": ["self", "prompts", "images", "num_generations", "profiler"],
    "sync_weights": ["self"],
    "_iter_named_params": ["self"],
}
CLIENT = {
    "__init__": ["self", "base_url", "host", "server_port", "group_port", "connection_timeout"],
    "check_server": ["self", "total_timeout", "retry_interval"],
    "get_server_info": ["self"],
    "update_named_params": ["self", "metadata", "named_params"],
    "reset_prefix_cache": ["self"],
}


def parameters(function: Any) -> list[str]:
    return list(inspect.signature(inspect.unwrap(function)).parameters)


@pytest.mark.parametrize(
    ("owner", "name", "expected"),
    [
        (owner, name, expected)
        for owner, members in ((GRPOTrainer, TRAINER), (VLLMGeneration, GENERATION), (VLLMClient, CLIENT))
        for name, expected in members.items()
    ],
)
def test_signatures_are_those_that_were_read(owner: type, name: str, expected: list[str]) -> None:
    assert parameters(getattr(owner, name)) == expected


def test_the_look_at_log_probabilities_begins_with_the_arguments_that_passes_split() -> None:
    name = "_get_per_token_logps_and_entropies"
    assert parameters(getattr(GRPOTrainer, name))[: len(LOGPS)] == LOGPS == parameters(getattr(TurnTrainer, name))[:-1]


def test_what_is_overridden_exists() -> None:
    own = {name for name, member in vars(TurnTrainer).items() if inspect.isfunction(member)}
    inherited = {name for name in own if hasattr(GRPOTrainer, name)}
    helpers = {"_part", "_passes", "_equally_many", "_adding_up"}
    assert own - inherited <= helpers, "a hook that TRL no longer has is never called"


SOURCES: list[tuple[Any, list[str]]] = [
    # It pushes weights before a rollout and notes the step, so no round pushes them twice (`load_weights`).
    (
        GRPOTrainer._generate,
        ["self.state.global_step != self._last_loaded_step", "self.vllm_generation.sync_weights()",
         "self._last_loaded_step = self.state.global_step", "self.rollout_func(prompts, self)",
         'extra_fields.pop("env_mask"'],
    ),
    (GRPOTrainer._generate_and_score_completions, ["extra_fields.items()"]),
    (GRPOTrainer._generate_and_score_completions, ['"sampling_per_token_logps"']),
    (GRPOTrainer._generate_and_score_completions, ['"importance_sampling_ratio"']),
    (GRPOTrainer._generate_and_score_completions, ['"advantages"']),
    # The last figure is replaced by our own count of groups that teach nothing.
    (GRPOTrainer._generate_and_score_completions, ['self._metrics[mode]["frac_reward_zero_std"].append(']),
    # Processes besides the first have no client and push nothing: `ServerEngine` asks by itself, and waits for it.
    (VLLMGeneration._init_vllm, ["if accelerator.is_main_process:"]),
    (VLLMGeneration.sync_weights, ["if accelerator.is_main_process:"]),
    # The engine is where it is looked for, and sleep is noted.
    (VLLMGeneration._init_vllm, ["self.llm = LLM("]),
    (VLLMGeneration._init_vllm, ['logprobs_mode="processed_logprobs"']),
    (VLLMGeneration._init_vllm, ["self._llm_weights_sleeping = self.enable_sleep_mode"]),
    (VLLMGeneration.sync_weights, ['self.llm.wake_up(tags=["weights"])', "self._llm_weights_sleeping = False"]),
    (VLLMGeneration.generate, ['self.llm.wake_up(tags=["kv_cache"])', "self.llm.sleep(level=2)"]),
]  # fmt: skip
"""Functions and parts of their source, in order."""


@pytest.mark.parametrize(("function", "parts"), SOURCES)
def test_sources_are_those_that_were_read(function: Any, parts: list[str]) -> None:
    source = inspect.getsource(function)
    places = [source.index(part) for part in parts]
    assert places == sorted(places)


def test_the_options_that_are_set_exist() -> None:
    fields = GRPOConfig.__dataclass_fields__
    wanted = ["use_vllm", "vllm_mode", "vllm_server_base_url", "vllm_tensor_parallel_size", "vllm_enable_sleep_mode"]
    wanted += ["vllm_gpu_memory_utilization", "vllm_max_model_length", "steps_per_generation"]
    wanted += ["vllm_importance_sampling_correction", "vllm_importance_sampling_mode"]
    assert [name for name in wanted if name not in fields] == []


@pytest.mark.parametrize("name", ["__init__", "sync_weights"])
def test_the_stand_in_is_called_as_trl_is(name: str) -> None:
    real = parameters(getattr(VLLMGeneration, name))
    own = [one for one in parameters(getattr(stand_in.Generation, name)) if one != "options"]
    assert set(own) <= set(real)


def test_the_stand_in_takes_what_vllm_takes() -> None:
    vllm = pytest.importorskip("vllm", reason="the extra `vllm` is not installed")
    from vllm.v1.engine.llm_engine import LLMEngine

    pairs: list[tuple[Any, Any]] = [
        (stand_in.SamplingParams, vllm.SamplingParams),
        (stand_in.LLMEngine.add_request, LLMEngine.add_request),
        (stand_in.LLMEngine.abort_request, LLMEngine.abort_request),
        (stand_in.LLMEngine.step, LLMEngine.step),
        (stand_in.LLM.sleep, vllm.LLM.sleep),
        (stand_in.LLM.wake_up, vllm.LLM.wake_up),
    ]
    for own, real in pairs:
        assert set(parameters(own)) <= set(parameters(real))
    assert {kind.name for kind in stand_in.RequestOutputKind} <= set(dir(vllm.sampling_params.RequestOutputKind))
