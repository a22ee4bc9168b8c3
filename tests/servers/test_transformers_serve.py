"""Plays episodes with a real server, `transformers serve`, and a tiny model that always gives the same answer."""

import json
import shutil
import urllib.request
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium as gym
import pytest

import teller_gym
from examples.tiny_server import build, serve
from teller_gym.evaluation.records.run_folder import read_lines

pytestmark = pytest.mark.training

pytest.importorskip("trl", reason="the extra `train` is not installed")
pytest.importorskip("uvicorn", reason="transformers[serving] is not installed")

MARGIN = 20.0
"""Weight of the desired token in the output layer. All other logits are 0, so neither rounding errors nor any usual
temperature makes another token likely."""

ANSWER = (
    "<tool_call>",
    '{"name":"get_application_data",',
    '"arguments":',
    '{"application_id":',
    '"LA-100200"',
    "}}",
    "</tool_call>",
)
"""Words of the served model, each of which is one token."""


class Server(NamedTuple):
    """A running server: its base URL, including `/v1`, and the name of its model."""

    url: str
    model: str


def make_it_say(checkpoint: Path, words: Sequence[str], folder: Path) -> Path:
    """Copy a tiny checkpoint to ``folder`` with weights that answer any prompt by ``words``; return the folder.

    Attention and feed-forward layers have no effect, so the next token depends only on the current one. Each token of
    the answer, which must not repeat words, has its own direction in the embedding, which the output layer maps to the
    next token. The last token of a prompt is followed by the first word; other tokens are followed by the end of turn.
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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    checkpoint = build(make_it_say(build(folder / "random"), ANSWER, folder / "text"))
    with serve(checkpoint) as url:
        yield Server(url, str(checkpoint.resolve()))


def ask(server: Server, max_tokens: int) -> dict[str, Any]:
    """Ask a question about a loan, without the procedure."""
    env: Any = gym.make("Teller-Loans-v0", split="train").unwrapped
    env.reset(seed=0)
    body = {"model": server.model, "messages": env.messages()[1:], "tools": env.tool_schemas(), "temperature": 0}
    sent = json.dumps(body | {"max_tokens": max_tokens}).encode()
    request = urllib.request.Request(f"{server.url}/chat/completions", sent, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: dict[str, Any] = json.loads(answer.read())
    return found


def test_a_call_stays_in_the_text_even_if_it_is_cut_off(server: Server) -> None:
    answer = ask(server, 40)
    [choice] = answer["choices"]
    assert choice["message"]["content"] == "".join(ANSWER) and "tool_calls" not in choice["message"]
    usage = answer["usage"]
    assert usage["prompt_tokens"] > 10 and usage["completion_tokens"] == len(ANSWER) + 1
    cut = ask(server, 4)["choices"][0]
    assert cut["finish_reason"] == "length" and cut["message"]["content"] == "".join(ANSWER[:4])


@pytest.mark.parametrize("protocol", ["native", "react"])
def test_episodes_of_both_stages_are_played(server: Server, protocol: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "base_url": server.url,
        "model": server.model,
        "protocol": protocol,
        "max_new_tokens": 16,
        "temperature": 0.0,
        "timeout_s": 300,
    }
    for env_id in ("Teller-Loans-v0", "Teller-LoansGraph-v0"):
        run_dir = tmp_path / env_id
        shared: dict[str, Any] = {"n": 2, "concurrency": 2, "agent_kwargs": options, "progress": False}
        env_kwargs = {"max_steps": 2} if env_id == "Teller-Loans-v0" else {"distractors": 0}
        report = teller_gym.evaluate("endpoint", env_id, run_dir=run_dir, env_kwargs=env_kwargs, **shared)
        assert (report.counted, report.invalid) == (2, 0)
        for line in read_lines(run_dir / "episodes.jsonl"):
            assert line["tokens"]["prompt"] > 1000
            assert 1 <= line["tokens"]["completion"] <= 2 * 16
