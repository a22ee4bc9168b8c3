"""The cached sampler draws what a model without a cache would, and a checkpoint folder is an agent that uses it."""

import copy
import random
from pathlib import Path
from typing import Any

import pytest
import torch

from teller_gym.agents.language import PROMPT_KEY, LanguageAgent
from teller_gym.agents.sampling import CachedSampler
from teller_gym.base.errors import OptionError
from teller_gym.training.config.model import TinyShape
from teller_gym.training.models.load import save_model
from teller_gym.training.models.tiny import build_model
from tests.training.stub_env import StubEnv
from tests.training.toy import SHAPE


@pytest.fixture(params=[None, 8], ids=["full", "windowed"])
def either(request: pytest.FixtureRequest, model: Any, tokenizer: Any) -> Any:
    """The model of the tests, or one in which every other layer sees eight tokens."""
    if request.param is None:
        return model
    shape = TinyShape(hidden=64, layers=4, heads=4, kv_heads=2, head_dim=16, mlp=64, window=request.param)
    return build_model(shape, tokenizer, seed=0)


def naive(model: Any, context: list[int], end: int, count: int) -> list[int]:
    """Decode greedily without a cache."""
    ids = list(context)
    with torch.no_grad():
        for _ in range(count):
            ids.append(int(model(input_ids=torch.tensor([ids])).logits[0, -1].argmax()))
            if ids[-1] == end:
                break
    return ids[len(context) :]


def words(rng: random.Random, count: int) -> list[int]:
    return [rng.randrange(10, 1200) for _ in range(count)]


@pytest.mark.parametrize("tokens", [1, 9])
def test_turn_after_turn_like_without_a_cache(either: Any, tokens: int) -> None:
    """Rows of different lengths; a row leaves, one joins, one is rewritten in its middle."""
    rng = random.Random(0)
    sampler = CachedSampler(either, [1], temperature=0)
    contexts = {slot: words(rng, 5 + 40 * slot) for slot in range(4)}
    for turn in range(6):
        if turn == 2:
            del contexts[1]
        if turn == 3:
            contexts[7] = words(rng, 30)
        if turn == 4:
            contexts[2][10:] = words(rng, 60)
        slots = sorted(contexts, key=lambda slot: (slot * 7) % 5)
        turns = sampler.sample(slots, [contexts[slot] for slot in slots], tokens)
        for slot, said in zip(slots, turns, strict=True):
            assert said.ids == naive(either, contexts[slot], 1, tokens), (turn, slot)
            contexts[slot] += said.ids + words(rng, 3 + 11 * slot % 17)


def test_long_prompts_are_read_in_blocks(either: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import teller_gym.agents.sampling as sampling

    monkeypatch.setattr(sampling, "PREFILL_BLOCK", 7)
    rng = random.Random(1)
    contexts = [words(rng, 50), words(rng, 12)]
    turns = CachedSampler(either, [1], temperature=0).sample([0, 1], contexts, 5)
    assert [turn.ids for turn in turns] == [naive(either, context, 1, 5) for context in contexts]


def test_logprobs_are_those_of_the_model(either: Any) -> None:
    rng = random.Random(2)
    contexts = [words(rng, 20), words(rng, 33)]
    turns = CachedSampler(either, [1], temperature=0.7, seed=3).sample([0, 1], contexts, 12)
    for context, turn in zip(contexts, turns, strict=True):
        with torch.no_grad():
            logits = either(input_ids=torch.tensor([context + turn.ids])).logits[0, len(context) - 1 : -1]
        wanted = (logits / 0.7).log_softmax(-1).gather(1, torch.tensor(turn.ids)[:, None])[:, 0]
        assert torch.allclose(torch.tensor(turn.logprobs), wanted, atol=1e-4)


def test_a_turn_ends_with_the_end_token_or_is_cut(model: Any) -> None:
    context = words(random.Random(3), 20)
    first = naive(model, context, -1, 6)
    (turn,) = CachedSampler(model, [first[3]], temperature=0).sample([0], [context], 50)
    assert turn.ended and turn.ids == first[: first.index(first[3]) + 1]
    (cut,) = CachedSampler(model, [2500], temperature=0).sample([0], [context], 4)
    assert not cut.ended and len(cut.ids) == 4


def test_the_seed_decides_and_the_training_mode_is_left(model: Any) -> None:
    context = words(random.Random(4), 20)
    model.train()
    drawn = [CachedSampler(model, [1], seed=seed).sample([0], [context], 20)[0].ids for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2] and model.training


@pytest.fixture(scope="module")
def folder(tokenizer: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = build_model(SHAPE, tokenizer, seed=0)
    setattr(model.config, PROMPT_KEY, "minimal")
    found: Path = tmp_path_factory.mktemp("language") / "checkpoint"
    save_model(model, tokenizer, found)
    return found


def chats(count: int) -> list[list[dict[str, Any]]]:
    found = []
    for seed in range(count):
        env = StubEnv()
        env.reset(options={"task_id": f"stub-g-{seed}"})
        found.append(env.messages())
    return found


def test_the_next_turn_is_the_same_with_and_without_a_cache(folder: Path) -> None:
    agent = LanguageAgent.from_folder(folder, device="cpu", max_new_tokens=20)
    talks = chats(3)
    for turn in range(3):
        talks = talks if turn != 2 else [talks[2], talks[0]]
        fresh = LanguageAgent.from_folder(folder, device="cpu", max_new_tokens=20)
        fresh._carried = copy.deepcopy(agent._carried)
        texts = agent.act_batch(talks, [[]] * len(talks))
        assert fresh.act_batch(talks, [[]] * len(talks)) == texts
        for talk, text in zip(talks, texts, strict=True):
            talk += [{"role": "assistant", "content": text}, {"role": "tool", "content": f'{{"error":{turn}}}'}]


def test_the_checkpoint_knows_its_prompt_and_template(folder: Path, tokenizer: Any) -> None:
    agent = LanguageAgent.from_folder(folder, device="cpu")
    assert agent.format.style == "minimal"
    assert agent.format.tokenizer.chat_template == tokenizer.chat_template
    assert LanguageAgent.from_folder(folder, device="cpu", prompt="compact").format.style == "compact"
    with pytest.raises(OptionError, match="not a checkpoint"):
        LanguageAgent.from_folder(folder.parent)


def test_a_conversation_without_room_is_ended_in_words(folder: Path) -> None:
    agent = LanguageAgent.from_folder(folder, device="cpu", max_new_tokens=20, max_tokens=60)
    short, long = chats(2)
    long += [{"role": "assistant", "content": "x" * 200}]
    texts = agent.act_batch([long, short], [[], []])
    assert "{" not in texts[0] and texts[0].startswith("I have run out")
    assert texts[1] != texts[0]
