"""The tokenizer loses nothing and cuts values into few pieces; the model begins with an induction circuit."""

import json
from typing import Any

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.training.models.tiny import SPECIAL, build_model, number_pieces, train_tokenizer
from tests.training.toy import SHAPE

TEXTS = ['{"customer_id":"CU-704270","since":"2026-12-10","amount":54600.0}'] * 3
SMALL = train_tokenizer(TEXTS, 2400)


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_any_text_survives(text: str) -> None:
    if any(token in text for token in SPECIAL):
        return
    ids = SMALL(text)["input_ids"]
    assert SMALL.decode(ids, clean_up_tokenization_spaces=False) == text


def pieces(text: str) -> list[str]:
    return [SMALL.decode([token]) for token in SMALL(text)["input_ids"]]


def test_values_are_few_tokens_and_digits_are_grouped_from_the_right() -> None:
    assert pieces(TEXTS[0]) == [
        "{", '"customer_id":"', "CU-", "704", "270", '",', '"since":"', "2026", "-12", "-10", '",', '"amount":', "54",
        "600", ".0", "}",
    ]  # fmt: skip
    for number in (["7"], ["4", "600"], ["704", "270"], ["1", "234", "567", ".05"]):
        written = "".join(number)
        assert inside('{"amount":', written, "}") == inside('["', written, '"]') == number


WORD = st.sampled_from(["mail", "branch_pickup", "Alena", "Pension", "too_many_recent_inquiries", "x", "UNS"])
IDENTIFIER = st.builds("{}-{}".format, st.sampled_from(["CU", "TL", "LA", "CR", "UNS"]), st.integers(0, 10**9).map(str))
DATE = st.dates().map(str)
CENTS = st.integers(0, 10**9).map(lambda cents: cents / 100)
TEXT = st.one_of(
    WORD, IDENTIFIER, DATE, st.from_regex(r"[0-9]{1,6}", fullmatch=True), st.lists(WORD, min_size=2).map(" ".join)
)
VALUE = st.one_of(TEXT, CENTS, st.integers(-(10**6), 10**12), st.booleans(), st.none())
KEY = st.sampled_from(["customer_id", "name", "arguments", "amount"])
AROUND = st.recursive(
    st.just(lambda value: value),
    lambda inner: st.one_of(
        st.builds(
            lambda put, key, more: lambda value: {key: put(value)} | more, inner, KEY, st.dictionaries(KEY, VALUE)
        ),
        st.builds(
            lambda put, key, more: lambda value: more | {key: put(value)}, inner, KEY, st.dictionaries(KEY, VALUE)
        ),
        st.builds(
            lambda put, head, tail: lambda value: [*head, put(value), *tail], inner, st.lists(VALUE), st.lists(VALUE)
        ),
    ),
    max_leaves=4,
)
"""Functions that put a value somewhere into an object or a list."""
MARK = "mark"


@given(VALUE, AROUND, st.sampled_from([(",", ":"), (", ", ": ")]))
@settings(max_examples=200, deadline=None)
def test_a_value_is_the_same_tokens_wherever_it_stands(value: Any, around: Any, separators: tuple[str, str]) -> None:
    """No token crosses a value's ends, and its tokens inside any JSON are those in a list of its own."""
    written = json.dumps(value).strip('"')
    whole = json.dumps(around(MARK), separators=separators)
    before, _, after = whole.partition(f'"{MARK}"')
    quote = '"' if isinstance(value, str) else ""
    before, after = before + quote, quote + after
    assert inside(before, written, after) == inside(f"[{quote}", written, f"{quote}]")


SENTENCE = st.sampled_from(["Please work loan application", "of customer", "The business date is", "due:", "see,", ""])


@given(st.one_of(IDENTIFIER, DATE, CENTS.map(str)), SENTENCE, st.sampled_from([".", " to its final review.", ", or"]))
@settings(max_examples=200, deadline=None)
def test_an_id_a_date_or_an_amount_is_the_same_tokens_in_a_sentence(value: str, before: str, after: str) -> None:
    """The request names the case's ids in a sentence, from which the first call copies them."""
    assert inside(f"{before} ", value, after) == inside('{"customer_id":"', value, '"}')


def inside(before: str, value: str, after: str) -> list[str]:
    """Return the tokens of a value; fail if one of them extends beyond it."""
    found, at = [], 0
    for piece in pieces(before + value + after):
        begin, at = at, at + len(piece)
        if begin < len(before) + len(value) and at > len(before):
            assert len(before) <= begin and at <= len(before) + len(value), f"{piece!r} in {before + value + after!r}"
            found.append(piece)
    assert "".join(found) == value
    return found


def test_every_group_of_digits_is_one_token_and_training_is_repeatable() -> None:
    groups = [piece for piece in number_pieces() if piece.isdigit() and len(piece) < 4]
    assert [piece for piece in groups if len(SMALL(piece)["input_ids"]) != 1] == []
    assert train_tokenizer(TEXTS, 2400).backend_tokenizer.to_str() == SMALL.backend_tokenizer.to_str()


def test_weights_follow_the_seed(tokenizer: Any) -> None:
    first, again, other = (build_model(SHAPE, tokenizer, seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["model.embed_tokens.weight"], other["model.embed_tokens.weight"])


def test_attention_begins_as_an_induction_circuit(tokenizer: Any) -> None:
    """Layer 0 attends to the previous token, layer 1 mostly to the one that followed the same token before.

    Random directions may be close to each other, so layer 1 is not always right; chance would be right once in 100.
    """
    model = build_model(SHAPE, tokenizer, seed=0)
    model.set_attn_implementation("eager")
    generator = torch.Generator().manual_seed(0)
    once = torch.randperm(len(tokenizer), generator=generator)[:60]
    with torch.no_grad():
        output = model(input_ids=torch.cat([once, once])[None], output_attentions=True)
    back, up = (attention[0].argmax(-1) for attention in output.attentions)
    positions = torch.arange(120)
    assert (back[:, 1:] == positions[1:] - 1).float().mean() > 0.9
    assert (up[:, 60:] == positions[60:] - 59).float().mean() > 0.4


def test_the_constant_part_of_embeddings_changes_no_prediction(tokenizer: Any) -> None:
    """There is a direction along which all embeddings are equal, and logits of tied embeddings shift alike along it."""
    embeddings = build_model(SHAPE, tokenizer, seed=0).get_input_embeddings().weight.detach()
    ones = torch.ones(len(embeddings), 1)
    direction = torch.linalg.lstsq(embeddings, ones).solution
    assert torch.allclose(embeddings @ direction, ones, atol=1e-3)
