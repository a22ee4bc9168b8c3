"""The tokenizer loses nothing and cuts values into few pieces; the model begins with an induction circuit."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.training.tiny import SPECIAL, build_model, number_pieces, train_tokenizer
from tests.training.conftest import SHAPE

TEXTS = ['{"customer_id":"CU-704270","since":"2026-12-10","amount":54600.0}'] * 3
SMALL = train_tokenizer(TEXTS, 2400)


@given(st.text())
@settings(max_examples=200, deadline=None)
def test_any_text_survives(text: str) -> None:
    if any(token in text for token in SPECIAL):
        return
    ids = SMALL(text)["input_ids"]
    assert SMALL.decode(ids, clean_up_tokenization_spaces=False) == text


def test_values_are_few_tokens() -> None:
    pieces = [SMALL.decode([token]) for token in SMALL(TEXTS[0])["input_ids"]]
    assert pieces == [
        '{"customer_id":', '"CU-', "704", "270", '"', ',"since":"', "2026", "-12", "-10", '"', ',"amount":', "546",
        "00", ".0", "}",
    ]  # fmt: skip


@pytest.mark.parametrize("piece", [piece for piece in number_pieces() if piece.isdigit() and len(piece) < 4])
def test_every_group_of_digits_is_one_token(piece: str) -> None:
    assert len(SMALL(piece)["input_ids"]) == 1


def test_training_a_tokenizer_is_repeatable() -> None:
    assert train_tokenizer(TEXTS, 2400).backend_tokenizer.to_str() == SMALL.backend_tokenizer.to_str()


def test_weights_follow_the_seed(tokenizer: Any) -> None:
    first, again, other = (build_model(SHAPE, tokenizer, seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["model.embed_tokens.weight"], other["model.embed_tokens.weight"])


def test_attention_begins_as_an_induction_circuit(tokenizer: Any) -> None:
    """Layer 0 looks at the previous token, layer 1 at what stood behind the same token before."""
    model = build_model(SHAPE, tokenizer, seed=0)
    model.set_attn_implementation("eager")
    generator = torch.Generator().manual_seed(0)
    once = torch.randperm(len(tokenizer), generator=generator)[:60]
    with torch.no_grad():
        output = model(input_ids=torch.cat([once, once])[None], output_attentions=True)
    back, up = (attention[0].argmax(-1) for attention in output.attentions)
    positions = torch.arange(120)
    assert (back[:, 1:] == positions[1:] - 1).float().mean() > 0.9
    assert (up[:, 60:] == positions[60:] - 59).float().mean() > 0.6


def test_the_constant_part_of_embeddings_changes_no_prediction(tokenizer: Any) -> None:
    """There is a direction along which all embeddings are equal, and logits of tied embeddings shift alike along it."""
    embeddings = build_model(SHAPE, tokenizer, seed=0).get_input_embeddings().weight.detach()
    ones = torch.ones(len(embeddings), 1)
    direction = torch.linalg.lstsq(embeddings, ones).solution
    assert torch.allclose(embeddings @ direction, ones, atol=1e-3)
