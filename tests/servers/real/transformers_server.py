"""`transformers serve` with a tiny checkpoint, as a context: a real server for tests."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from examples.tiny_server import build, serve
from tests.servers.real.says import make_it_say

CALLS_PARSED = Path(__file__).with_name("calls_parsed.json")
"""The server's own way with Qwen3, for the tiny chat template: calls are taken out of the text."""

ANSWER = (
    "<tool_call>",
    '{"name":"get_application_data",',
    '"arguments":',
    '{"application_id":',
    '"LA-100200"',
    "}}",
    "</tool_call>",
)
"""Words of the served model, a token each."""


@dataclass(frozen=True)
class Server:
    """A server that answers.

    Attributes:
        url: its base URL, `/v1` included.
        model: the name of its model.
    """

    url: str
    model: str


@contextlib.contextmanager
def transformers_server(folder: Path, kind: str = "text") -> Iterator[Server]:
    """Serve a tiny model.

    Args:
        folder: where checkpoints are made; one that is there is used again.
        kind: text answers by the call that `ANSWER` is, and leaves it in the answer's text; parsed answers alike and
            has the server take the call out; random has random weights.
    """
    if kind != "random" and not (folder / kind).exists():
        make_it_say(build(folder / "random"), ANSWER, folder / kind)
    if kind == "parsed":
        path = folder / kind / "tokenizer_config.json"
        own = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(own | {"response_template": json.loads(CALLS_PARSED.read_text("utf-8"))}))
    checkpoint = build(folder / kind)
    with serve(checkpoint) as url:
        yield Server(url, str(checkpoint.resolve()))
