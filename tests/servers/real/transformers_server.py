"""`transformers serve` with a tiny checkpoint, as a context: a real server for tests."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from examples.tiny_server import build, serve

CALLS_PARSED = Path(__file__).with_name("calls_parsed.json")
"""The server's own way with Qwen3, for the tiny chat template: calls are taken out of the text."""

STEPS = 60
"""Enough to answer a request by a call."""


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
def transformers_server(folder: Path, calls: str = "text") -> Iterator[Server]:
    """Serve a tiny model that answers a loan's bare request by a call.

    Args:
        folder: where checkpoints are made; one that is there is used again.
        calls: text leaves calls in the answer's text, parsed has the server take them out.
    """
    checkpoint = build(folder / "text", STEPS)
    if calls == "parsed" and not (folder / "parsed").exists():
        shutil.copytree(checkpoint, folder / "parsed")
        path = folder / "parsed" / "tokenizer_config.json"
        own = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(own | {"response_template": json.loads(CALLS_PARSED.read_text("utf-8"))}))
    with serve(folder / calls) as url:
        yield Server(url, str((folder / calls).resolve()))
