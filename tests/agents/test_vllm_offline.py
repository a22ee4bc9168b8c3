"""The agent that generates with vLLM, tested with a fake of vLLM."""

import inspect
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.agents.local import OUT_OF_TOKENS
from teller_gym.agents.vllm_offline import VllmAgent
from teller_gym.base.errors import MissingExtraError, OptionError
from tests.agents import fake_vllm

pytestmark = pytest.mark.training

Chat = list[dict[str, Any]]
CHATS: list[Chat] = [
    [{"role": "system", "content": "Follow."}, {"role": "user", "content": "Case " * times}] for times in (1, 2, 3)
]


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the fake, even if the real vLLM is installed."""
    for name, module in fake_vllm.modules().items():
        monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("trl", reason="the extra `train` is not installed")
    from teller_gym.training.config.model import TinyShape
    from teller_gym.training.models.tiny import build_model, train_tokenizer

    path = tmp_path_factory.mktemp("models") / "base"
    tokenizer = train_tokenizer([json.dumps(CHATS)], 400)
    shape = TinyShape(hidden=16, layers=1, heads=2, kv_heads=1, head_dim=8, mlp=16, positions=30_000)
    build_model(shape, tokenizer, seed=0).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


@pytest.fixture
def adapter(folder: Path, tmp_path: Path) -> Path:
    config = {"peft_type": "LORA", "r": 20, "base_model_name_or_path": str(folder)}
    (tmp_path / "adapter_config.json").write_text(json.dumps(config))
    return tmp_path


def asked(agent: VllmAgent) -> fake_vllm.Asked:
    found: fake_vllm.Asked = agent.llm.asked[-1]
    return found


def test_vllm_is_asked_what_transformers_would_be(folder: Path, vllm: None) -> None:
    from teller_gym.agents.language import LanguageAgent

    options: dict[str, Any] = {"prompt": "compact", "max_new_tokens": 9, "seed": 3}
    agent = VllmAgent.from_folder(folder, temperature=0.7, top_p=0.9, **options)
    other = LanguageAgent.from_folder(folder, device="cpu", **options)
    assert (agent.name, agent.max_tokens, agent.chat_template) == ("base", 4096, other.chat_template)
    agent.seed_batch([5, 6, 7])
    texts = agent.act_batch(CHATS, [[]] * 3)
    assert asked(agent).prompts == [other.format.prompt_ids(chat, []) for chat in CHATS]
    first = asked(agent).settings[0]
    assert (first.temperature, first.top_p, first.max_tokens, first.stop_token_ids) == (0.7, 0.9, 9, [fake_vllm.END])
    assert [one.seed for one in asked(agent).settings] == [
        other._turn_seed(seed, chat) for seed, chat in zip((5, 6, 7), CHATS, strict=True)
    ]
    lengths = [len(prompt) for prompt in asked(agent).prompts]
    assert agent.usage == [{"prompt": length, "completion": 4} for length in lengths]
    assert not any("<|im_end|>" in text for text in texts)


def test_a_turn_depends_on_its_seed_and_not_on_what_is_asked_beside_it(folder: Path, vllm: None) -> None:
    agent = VllmAgent.from_folder(folder, temperature=1.0, max_new_tokens=9)
    agent.seed_batch([5, 6, 7])
    together = agent.act_batch(CHATS, [[]] * 3)
    agent.seed_batch([6])
    assert agent.act_batch(CHATS[1:2], [[]]) == together[1:2]
    agent.act_batch(CHATS[:1], [[]])
    assert asked(agent).settings[0].seed is None


def test_a_chat_without_room_is_not_asked(folder: Path, vllm: None) -> None:
    agent = VllmAgent.from_folder(folder, prompt="minimal", max_tokens=100, max_new_tokens=9)
    assert agent.llm.max_model_len == 100
    assert VllmAgent.from_folder(folder, max_tokens=99_999).llm.max_model_len == 30_000  # the model's own limit
    long: Chat = [{"role": "user", "content": "Case " * 200}, {"role": "assistant", "content": "call"}]
    texts = agent.act_batch([long, CHATS[0]], [[], []])
    assert texts[0] == OUT_OF_TOKENS != texts[1]
    assert len(asked(agent).prompts) == 1
    assert agent.usage[0] == {"prompt": 0, "completion": 0}


def test_an_adapter_goes_with_every_request(folder: Path, adapter: Path, vllm: None) -> None:
    for agent in (VllmAgent.from_folder(adapter), VllmAgent.from_folder(folder, lora=str(adapter))):
        model = agent.llm
        assert (model.model, model.enable_lora, model.max_lora_rank) == (str(folder), True, 32)
        agent.act_batch(CHATS, [[]] * 3)
        lora = asked(agent).lora
        assert lora is not None and lora.lora_path == str(adapter)
    plain = VllmAgent.from_folder(folder)
    plain.act_batch(CHATS, [[]] * 3)
    assert asked(plain).lora is None


def test_it_plays_a_run(folder: Path, vllm: None, tmp_path: Path) -> None:
    agent = VllmAgent.from_folder(folder, prompt="minimal", max_new_tokens=9)
    options: dict[str, Any] = {"n": 2, "concurrency": 2, "progress": False}
    report = teller_gym.evaluate(agent, "Teller-Loans-v0", run_dir=tmp_path / "run", **options)
    assert (report.agent, report.counted, report.invalid) == ("base", 2, 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tensor_parallel_size": 0}, "tensor_parallel_size: expected a whole number of 1 or more, got 0"),
        ({"gpu_memory_utilization": 90}, "gpu_memory_utilization: expected a number above 0, at most 1, got 90"),
        ({"top_p": 2}, "top_p: expected a number above 0"),
        ({"lora": "nowhere"}, "lora: expected the folder of a LoRA adapter, got 'nowhere'"),
        ({}, "there/is/none cannot be run by vLLM"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str, vllm: None) -> None:
    with pytest.raises(OptionError, match=message):
        VllmAgent.from_folder("there/is/none", **options)


def test_an_adapter_on_an_adapter_is_refused(adapter: Path, vllm: None) -> None:
    with pytest.raises(OptionError, match="is an adapter itself"):
        VllmAgent.from_folder(adapter, lora=str(adapter))


def test_without_vllm_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(MissingExtraError, match="vllm"):
        VllmAgent.from_folder("there/is/none")


def test_the_stand_in_takes_what_vllm_takes() -> None:
    vllm = pytest.importorskip("vllm", reason="the extra `vllm` is not installed")
    from vllm.engine.arg_utils import EngineArgs
    from vllm.lora.request import LoRARequest

    own = set(inspect.signature(fake_vllm.LLM).parameters) - {"asked"}
    assert own <= set(inspect.signature(EngineArgs).parameters)
    pairs: list[tuple[Any, Any]] = [
        (fake_vllm.LLM.generate, vllm.LLM.generate),
        (fake_vllm.SamplingParams, vllm.SamplingParams),
        (fake_vllm.LoRARequest, LoRARequest),
    ]
    for stand_in, real in pairs:
        names = set(inspect.signature(stand_in).parameters)
        assert names <= set(inspect.signature(real).parameters)
