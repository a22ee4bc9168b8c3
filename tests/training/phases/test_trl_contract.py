"""The parts of TRL that the package relies on, by name and signature.

TRL calls its hooks for agents experimental. If one of these tests fails after an upgrade, check the code that relies on
it: `phases.grpo_trainer`, `phases.grpo_rollouts`, `rollouts.vllm_colocated` and `rollouts.vllm_server`.
"""

import inspect
from pathlib import Path
from typing import Any

import pytest
import yaml
from trl import GRPOConfig, GRPOTrainer
from trl.generation.vllm_client import VLLMClient
from trl.generation.vllm_generation import VLLMGeneration

from teller_gym.training.phases.grpo_trainer import TurnTrainer
from tests.training import stand_in

LOGPS = ["self", "model", "input_ids", "attention_mask", "logits_to_keep", "batch_size", "compute_entropy"]
FOUND = yaml.safe_load(Path(__file__).with_name("trl_contract.yaml").read_text("utf-8"))
OWNERS = {owner.__name__: owner for owner in (GRPOTrainer, VLLMGeneration, VLLMClient)}


def member(name: str) -> Any:
    owner, _, own = name.partition(".")
    return getattr(OWNERS[owner], own)


def parameters(function: Any) -> list[str]:
    return list(inspect.signature(inspect.unwrap(function)).parameters)


@pytest.mark.parametrize("name", FOUND["signatures"])
def test_signatures_are_those_that_were_read(name: str) -> None:
    assert parameters(member(name)) == FOUND["signatures"][name]


def test_the_look_at_log_probabilities_begins_with_the_arguments_that_passes_split() -> None:
    name = "_get_per_token_logps_and_entropies"
    assert parameters(getattr(GRPOTrainer, name))[: len(LOGPS)] == LOGPS == parameters(getattr(TurnTrainer, name))[:-1]


def test_what_is_overridden_exists() -> None:
    own = {name for name, member in vars(TurnTrainer).items() if inspect.isfunction(member)}
    inherited = {name for name in own if hasattr(GRPOTrainer, name)}
    helpers = {"_part", "_passes", "_equally_many", "_adding_up"}
    assert own - inherited <= helpers, "a hook that TRL no longer has is never called"


@pytest.mark.parametrize("row", FOUND["sources"], ids=" ".join)
def test_sources_are_those_that_were_read(row: list[str]) -> None:
    name, *parts = row
    source = inspect.getsource(member(name))
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
