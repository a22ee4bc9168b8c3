"""Local checkpoints: merged and separate adapters, chat templates, thinking, full contexts and top_p."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import teller_gym
from teller_gym.agents.base import Prices
from teller_gym.agents.checkpoints import find_checkpoint
from teller_gym.agents.local import DROPPED, OUT_OF_TOKENS, drop_results
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.evaluation.records.run_folder import read_lines

TEXTS = ['<|im_start|>user\nRead case L-1001.<|im_end|><|im_start|>assistant<tool_call>{"name":"read"}</tool_call>'] * 3
Chat = list[dict[str, Any]]


def chat(results: int, words: int = 40) -> Chat:
    """Return a conversation with a number of calls and their results."""
    talk: Chat = [{"role": "system", "content": "Follow the procedure."}, {"role": "user", "content": "Case L-1001."}]
    for number in range(results):
        talk += [
            {"role": "assistant", "content": f"call {number}"},
            {"role": "tool", "content": f"result {number} " + "and " * words, "tool_call_id": "x", "name": "read"},
        ]
    return talk


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Qwen3 with random weights and a tokenizer."""
    pytest.importorskip("trl", reason="the extra `train` is not installed")
    from teller_gym.training.config.model import TinyShape
    from teller_gym.training.models.tiny import build_model, train_tokenizer

    folder = tmp_path_factory.mktemp("models") / "base"
    tokenizer = train_tokenizer(TEXTS, 400)
    shape = TinyShape(hidden=32, layers=2, heads=2, kv_heads=1, head_dim=16, mlp=32, positions=4096)
    build_model(shape, tokenizer, seed=0).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def adapter(base: Path) -> Path:
    """A random adapter of the base model, large enough to change its output."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(base)
    torch.manual_seed(1)
    lora = LoraConfig(r=4, lora_alpha=64, target_modules="all-linear", task_type="CAUSAL_LM", init_lora_weights=False)
    get_peft_model(model, lora).save_pretrained(str(base.parent / "adapter"))
    return base.parent / "adapter"


def load(folder: Path, **options: Any) -> Any:
    from teller_gym.agents.language import LanguageAgent

    settings: dict[str, Any] = {"prompt": "compact", "max_new_tokens": 12} | options
    return LanguageAgent.from_folder(folder, device="cpu", **settings)


def say(agent: Any, talk: Chat | None = None, seed: int = 0) -> str:
    agent.seed_batch([seed])
    [text] = agent.act_batch([talk or chat(0)], [[]])
    return str(text)


pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.training
def test_an_adapter_says_the_same_merged_and_kept_and_not_what_its_base_says(base: Path, adapter: Path) -> None:
    merged, kept, plain = load(adapter), load(adapter, adapter="keep"), load(base)
    assert merged.name == "adapter"
    talks = [chat(results) for results in range(3)]
    said = [agent.act_batch(talks, [[]] * 3) for agent in (merged, kept, plain)]
    assert said[0] == said[1]
    assert said[0] != said[2]


@pytest.mark.training
def test_an_adapters_base_is_found_beside_it(
    base: Path, adapter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "base").mkdir(parents=True)  # has the same name but contains no model
    (elsewhere / "work").mkdir()
    monkeypatch.chdir(elsewhere / "work")
    shutil.copytree(base, tmp_path / "base")
    shutil.copytree(adapter, tmp_path / "adapter")
    path = tmp_path / "adapter" / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"base_model_name_or_path": "../base"}))
    assert say(load(tmp_path / "adapter")) == say(load(adapter))


@pytest.mark.training
def test_the_adapters_own_chat_template_goes_before_its_bases(base: Path, adapter: Path, tmp_path: Path) -> None:
    assert load(adapter).chat_template == load(base).chat_template
    alone = shutil.copytree(adapter, tmp_path / "alone")
    (alone / "chat_template.jinja").write_text("{{ messages[0].content }}")
    assert load(alone).chat_template == "{{ messages[0].content }}"
    whole = shutil.copytree(adapter, tmp_path / "whole")
    tokenizer = load(base).format.tokenizer
    tokenizer.chat_template = "{{ messages[-1].content }}"
    tokenizer.save_pretrained(whole)
    agent = load(whole)
    assert agent.chat_template == "{{ messages[-1].content }}"
    assert agent.format.prompt_ids([{"role": "user", "content": "case"}], []) == tokenizer.encode("case")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("{", "no description of a LoRA adapter"),
        ('{"peft_type": "LORA", "r": 4}', "no description of a LoRA adapter"),
        ('{"peft_type": "IA3", "r": 4, "base_model_name_or_path": "x"}', "expected an adapter of the kind LORA"),
        ('{"peft_type": "LORA", "r": 4, "base_model_name_or_path": null}', "to name a folder or a model"),
    ],
)
def test_a_broken_adapter_is_refused(config: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text(config)
    with pytest.raises(OptionError, match=message):
        find_checkpoint(tmp_path)


@pytest.mark.training
def test_an_adapter_of_another_model_is_refused(adapter: Path, tmp_path: Path) -> None:
    other = shutil.copytree(adapter, tmp_path / "other")
    path = other / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"base_model_name_or_path": str(tmp_path / "none")}))
    with pytest.raises(OptionError, match="not a checkpoint that transformers can load"):
        load(other)


@pytest.mark.training
def test_thinking_is_the_templates_and_no_part_of_the_action(base: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(base, tmp_path / "thinks")
    (folder / "chat_template.jinja").write_text("{{ 'yes' if enable_thinking else 'no' }}")
    for thinking, word in ((False, "no"), (True, "yes")):
        agent = load(folder, thinking=thinking)
        assert agent.format.tokenizer.decode(agent.format.prompt_ids(chat(0), [])) == word
        agent._generate = lambda contexts, seeds, agent=agent: [agent.format.tokenizer.encode("<think>a</think>b")]
        assert say(agent) == ("b" if thinking else "<think>a</think>b")


@pytest.mark.training
def test_a_full_context_ends_the_chat_or_drops_its_oldest_results(base: Path) -> None:
    """Twelve results of 60 words each do not fit; the oldest are dropped, four at a time."""
    short, long = chat(2), chat(12, words=60)
    stops = load(base, max_tokens=2400)
    assert say(stops, long) == OUT_OF_TOKENS
    assert stops.usage == [{"prompt": 0, "completion": 0}]
    drops = load(base, max_tokens=2400, context_end="drop")
    assert say(drops, short) == say(stops, short)
    assert say(drops, long) != OUT_OF_TOKENS
    seen = drops.format.tokenizer.decode(drops._context(long, []))
    count = seen.count(DROPPED)
    assert count == 8
    assert [f"result {number} " in seen for number in range(12)] == [number >= count for number in range(12)]
    assert drops.usage[0]["prompt"] + 12 <= 2400
    assert "Follow the procedure." in seen and "Case L-1001." in seen
    assert say(load(base, max_tokens=1000, context_end="drop"), long) == OUT_OF_TOKENS


@pytest.mark.training
@pytest.mark.parametrize("end", ["stop", "drop"])
def test_a_first_turn_without_room_is_a_mistake_of_the_set_up(base: Path, end: str) -> None:
    agent = load(base, max_tokens=30, context_end=end)
    with pytest.raises(InfrastructureError, match=r"30 in all; raise agent\.max_tokens"):
        say(agent, chat(0, words=0))
    assert say(agent, chat(1)) == OUT_OF_TOKENS


@pytest.mark.training
def test_a_prompt_that_is_too_long_costs_no_other_episode(base: Path, tmp_path: Path) -> None:
    """Its batch fails as a whole and is then repeated one conversation at a time."""
    agent, seen = load(base, max_tokens=1500), []

    def prompt_ids(talk: Chat, tools: object) -> list[int]:
        seen.append(talk[1]["content"])
        return [5] * (2000 if talk[1]["content"] == seen[0] else 10 * len(talk))

    agent.format.prompt_ids = prompt_ids
    report = teller_gym.evaluate(
        agent, "Teller-Loans-v0", "validation", n=4, concurrency=4, run_dir=tmp_path, progress=False
    )
    assert (report.counted, report.invalid) == (3, 1)
    [broken] = [line for line in read_lines(tmp_path / "episodes.jsonl") if line["status"] == "invalid"]
    assert "has 2000 tokens and leaves no room for an answer" in broken["failure"]


@given(st.integers(0, 6), st.integers(0, 8))
def test_dropping_leaves_all_but_the_oldest_results(results: int, count: int) -> None:
    before = chat(results)
    after = drop_results(before, count)
    changed = [number for number, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert changed == [3 + 2 * number for number in range(min(count, results))]
    assert all(after[number]["content"] == DROPPED for number in changed)
    assert before == chat(results)


@pytest.mark.training
def test_top_p_leaves_out_unlikely_tokens(base: Path) -> None:
    greedy = say(load(base))
    options = {"temperature": 1.0, "max_new_tokens": 12}
    least = load(base, top_p=1e-6, **options)
    assert [say(least, seed=seed) for seed in range(3)] == [greedy] * 3
    most, all_of_it = load(base, top_p=0.5, **options), load(base, **options)
    assert say(most, seed=1) == say(most, seed=1)
    assert len({say(most, seed=seed) for seed in range(4)}) > 1
    assert say(most, seed=1) != say(all_of_it, seed=1)


def test_the_likeliest_tokens_make_up_the_share() -> None:
    torch = pytest.importorskip("torch")
    from teller_gym.agents.sampling import _likeliest

    logits = torch.tensor([[0.1, 0.5, 0.15, 0.25], [0.97, 0.01, 0.01, 0.01]]).log()
    kept = _likeliest(logits, 1.0, 0.7).isfinite().tolist()
    assert kept == [[False, True, False, True], [True, False, False, False]]


@pytest.mark.training
def test_prices_are_those_given(base: Path) -> None:
    assert load(base).prices is None
    assert load(base, price_prompt=0.1, price_completion=0.4).prices == Prices(0.1, 0.4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"adapter": "melt"}, "adapter: expected one of merge, keep, got 'melt'"),
        ({"thinking": "yes"}, "thinking: expected true or false, got 'yes'"),
        ({"context_end": "cut"}, "context_end: expected one of stop, drop, got 'cut'"),
        ({"top_p": 0}, "top_p: expected a number above 0, at most 1, got 0"),
        ({"top_p": 1.1}, "top_p: expected a number above 0"),
        ({"top_p": "most"}, "top_p: expected a number above 0"),
        ({"price_prompt": -1.0, "price_completion": 1.0}, "price_prompt: expected US dollars"),
        ({"price_prompt": 1.0}, "both price_prompt and price_completion"),
    ],
)
def test_options_are_checked_before_loading(options: dict[str, Any], message: str) -> None:
    pytest.importorskip("torch")
    with pytest.raises(OptionError, match=message):
        load(Path("there/is/none"), **options)
