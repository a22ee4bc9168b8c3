"""A model made to give one answer: its weights are a table of which token follows which, so every processor agrees."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

MARGIN = 20.0
"""Weight of a wanted token in the output layer; with it its logit is so far above all others', which are 0, that no
rounding and no temperature that is asked for in practice makes another one likely.
"""


def make_it_say(checkpoint: Path, words: Sequence[str], folder: Path) -> Path:
    """Copy a tiny checkpoint to ``folder`` with weights by which it answers any prompt by ``words``.

    Attention and feed-forward layers add nothing, so that the next token depends only on the current one: each token of
    the answer has a direction of its own in its embedding, to which the output layer gives its successor. The first
    word follows the last token of a prompt; all tokens of no answer are followed by the end of the turn.

    Args:
        checkpoint: a tiny model and its tokenizer, with the chat template.
        words: of the answer, each different; they become tokens.
        folder: to be made.

    Returns:
        The folder.
    """
    import torch
    from tokenizers import AddedToken
    from transformers import AutoModelForCausalLM, AutoTokenizer, Qwen3ForCausalLM

    shutil.copytree(checkpoint, folder)
    tokenizer: Any = AutoTokenizer.from_pretrained(checkpoint)
    last = tokenizer.apply_chat_template([{"role": "user", "content": "?"}], add_generation_prompt=True)["input_ids"][
        -1
    ]
    known = set(tokenizer.all_special_tokens) | set(tokenizer.get_added_vocab())
    tokenizer.add_tokens([AddedToken(word, normalized=False) for word in words if word not in known])
    said = [last, *tokenizer.convert_tokens_to_ids(list(words)), tokenizer.eos_token_id]
    if len(set(said)) != len(said):
        raise ValueError(f"expected different words, none of them the end of a prompt or of a turn, got {words}")
    old = AutoModelForCausalLM.from_pretrained(checkpoint)
    config = old.config
    config.vocab_size, config.tie_word_embeddings = len(tokenizer), False
    model: Any = Qwen3ForCausalLM(config)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            weights.fill_(1.0 if "norm" in name else 0.0)
        into, out = model.get_input_embeddings().weight, model.get_output_embeddings().weight
        into[:, 0] = 1.0
        out[tokenizer.eos_token_id, 0] = MARGIN
        for direction, (token, following) in enumerate(pairwise(said), start=1):
            into[token] = 0.0
            into[token, direction] = 1.0
            out[following, direction] = MARGIN
    model.generation_config = old.generation_config
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
