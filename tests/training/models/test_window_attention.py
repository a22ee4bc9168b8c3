"""Attention over windows, computed block by block, equals that of transformers with a mask."""

import copy
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.agents.sampling import CachedSampler
from teller_gym.training.config.model import TinyShape
from teller_gym.training.models.tiny import build_model
from teller_gym.training.models.window_attention import NAME, attend_in_windows, windowed
from teller_gym.training.trainer_parts.callbacks import drop_padding_mask

pytestmark = pytest.mark.training

SHAPE = TinyShape(hidden=64, layers=4, heads=4, kv_heads=2, head_dim=16, mlp=64, window=16)


@given(st.integers(1, 3), st.sampled_from([(4, 4), (4, 2), (6, 1)]), st.integers(1, 90), st.integers(1, 40))
def test_each_token_sees_its_window(rows: int, heads: tuple[int, int], tokens: int, window: int) -> None:
    generator = torch.Generator().manual_seed(tokens * 100 + window)
    query, key, value = (torch.randn(rows, n, tokens, 8, generator=generator) for n in (heads[0], *heads[1:] * 2))
    whole = [one.repeat_interleave(heads[0] // heads[1], 1) for one in (key, value)]
    distance = torch.arange(tokens)[:, None] - torch.arange(tokens)
    scores = (query @ whole[0].transpose(2, 3)) * 0.3
    wanted = scores.masked_fill((distance < 0) | (distance >= window), float("-inf")).softmax(-1) @ whole[1]
    assert torch.allclose(windowed(query, key, value, window, 0.3), wanted, atol=1e-5)


@pytest.mark.parametrize("tokens", [9, 16, 17, 75])
def test_logits_and_gradients_are_those_of_transformers(tokenizer: Any, tokens: int) -> None:
    model = build_model(SHAPE, tokenizer, seed=0)
    quick = copy.deepcopy(model)
    attend_in_windows(quick)
    assert quick.config._attn_implementation == NAME and model.config._attn_implementation == "sdpa"
    ids = torch.randint(5, 500, (2, tokens), generator=torch.Generator().manual_seed(0))
    found = []
    for one in (model, quick):
        output = one(input_ids=ids, labels=ids)
        output.loss.backward()
        found.append((output.logits, [weight.grad for weight in one.parameters()]))
    assert torch.allclose(found[0][0], found[1][0], atol=1e-4)
    for first, second in zip(found[0][1], found[1][1], strict=True):
        assert torch.allclose(first, second, atol=1e-4)


def test_what_is_hidden_stays_hidden(tokenizer: Any) -> None:
    """Use a mask that hides the first tokens of a row, as for rows padded on the left."""
    model = build_model(SHAPE, tokenizer, seed=0)
    attend_in_windows(model)
    ids = torch.randint(5, 500, (2, 60), generator=torch.Generator().manual_seed(1))
    mask = torch.ones(2, 60, dtype=torch.long)
    mask[1, :13] = 0
    with torch.no_grad():
        padded = model(input_ids=ids, attention_mask=mask).logits[1, 13:]
        alone = model(input_ids=ids[1:, 13:]).logits[0]
    assert torch.allclose(padded, alone, atol=1e-4)


def test_a_model_in_training_can_be_sampled(tokenizer: Any) -> None:
    """The sampler uses its own masks, one for each kind of layer."""
    model = build_model(SHAPE, tokenizer, seed=0)
    context = torch.randint(5, 500, (1, 50), generator=torch.Generator().manual_seed(2)).tolist()
    wanted = CachedSampler(model, [1], temperature=0).sample([0], context, 6)[0].ids
    drop_padding_mask(model)
    attend_in_windows(model)
    assert CachedSampler(model, [1], temperature=0).sample([0], context, 6)[0].ids == wanted
    assert model.config._attn_implementation == NAME
    whole = build_model(SHAPE.model_copy(update={"window": None}), tokenizer, seed=0)
    attend_in_windows(whole)
    assert whole.config._attn_implementation == "sdpa", "a model that sees everything stays as it is"
