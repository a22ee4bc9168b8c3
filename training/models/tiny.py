"""The tiny model, with Qwen3's architecture, random weights, and a tokenizer trained on the fly.

It needs neither a hub nor a GPU. A model with one or two million parameters should learn within minutes to copy a value
from a record into a call. Therefore a key, a year, a month, an amount's cents and three digits are one token each, and
the initial weights make attention compare and copy tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import resources
from typing import Any

from teller_gym.training.config.model import TinyShape
from teller_gym.training.models.shapes import tiny_shape

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
SPECIAL = (PAD, START, END, "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>")

_KEY = r'"[A-Za-z_][A-Za-z0-9_]*":'

PIECES = "|".join(
    (
        r"\Aassistant",  # the role, directly followed by the words of a turn
        _KEY + r'(?:"|\["?|\{)?',  # a JSON key, with the opening of its value
        r"[A-Z]{2,3}-(?=\d)",  # prefix of an id
        r"\d{4}(?=-\d\d-\d\d)",  # the year of a date
        r"-\d\d(?!\d)",  # its month and its day
        r"\.\d{1,2}(?!\d)",  # cents
        r"\d{1,3}(?=(?:\d{3})*(?!\d))",  # digits in threes from the right
        r"(?<=[A-Za-z.,;:])[ ](?![A-Z]{2,3}-\d)[A-Za-z_]+",  # a further word of a text, with its leading space
        r"[A-Za-z_]+",
        r'",(?=' + _KEY + ")",  # the end of a value before a key
        r'","',  # the separator of texts in a list
        r'"?[\]}]+(?:,(?:\{|(?=")))?',  # the end of a list or an object
        r"[^A-Za-z0-9]",
    )
)
"""Regular expression for pre-tokens, whose borders byte-pair merges never cross.

Text around a value never shares a token with it, so that a value has the same tokens in a result and in a call, after a
key and in a list: copying is learned once and not for every context. For the same reason its first token directly
follows the key's, and digits are grouped from the right, as in amounts.
"""


def number_pieces() -> list[str]:
    """Return the parts of numbers that are always single tokens.

    They are groups of up to three digits, months and days, cents, and years.
    """
    groups = [str(n).zfill(width) for width in (2, 3) for n in range(10**width)]
    dates = [f"-{n:02d}" for n in range(1, 32)] + [str(year) for year in range(1930, 2060)]
    return groups + dates + [f".{n}" for n in range(10)] + [f".{n:02d}" for n in range(100)]


def train_tokenizer(texts: Iterable[str], vocabulary: int) -> Any:
    """Train a byte-level BPE tokenizer on rendered conversations.

    It has at most ``vocabulary`` tokens and the tiny chat template. Any text survives encoding and decoding.
    """
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        special_tokens=[AddedToken(token, special=True) for token in SPECIAL],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_segments(texts), trainer)
    template = resources.files("teller_gym.training.models").joinpath("tiny_chat.jinja").read_text("utf-8")
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PAD, eos_token=END, clean_up_tokenization_spaces=False
    )
    fast.chat_template = template
    return fast


def _segments(texts: Iterable[str]) -> Iterable[str]:
    """Yield texts split at special tokens, which training would treat as ordinary words, and then parts of numbers."""
    special = re.compile("|".join(map(re.escape, SPECIAL)))
    for text in texts:
        yield from filter(None, special.split(text))
    # Repeated so often that every part of a number becomes a token before rare words do.
    for piece in number_pieces():
        for _ in range(100):
            yield f"{piece}-01-01" if len(piece) == 4 and piece.isdigit() else piece


def build_model(shape: TinyShape, tokenizer: Any, seed: int) -> Any:
    """Create a Qwen3 model of the given shape, with initial weights from `wire_copying`."""
    import torch
    from transformers import Qwen3ForCausalLM

    from teller_gym.training.models.induction_init import wire_copying

    near = {
        "use_sliding_window": True,
        "sliding_window": shape.window,
        "layer_types": [("sliding", "full")[layer % 2] + "_attention" for layer in range(shape.layers)],
    }
    config = tiny_shape(shape, len(tokenizer)).qwen3(
        rope_parameters={"rope_type": "default", "rope_theta": 1e6},
        initializer_range=0.02,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        attn_implementation="sdpa",
        **(near if shape.window else {}),
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Qwen3ForCausalLM(config)
    if shape.layers > 1:
        wire_copying(model, seed)
    return model
