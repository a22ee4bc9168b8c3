"""A key that the server repeats, however it spells it, is in no file of a run and in nothing that is printed."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from teller_gym.cli import main
from tests.agents.endpoint.server import Behave, Endpoint, call, fails, running, says
from tests.base.spellings import SPELLINGS, texts_to_hide

OPTIONS = ["endpoint=options", "agent.model=m", "agent.key_variable=KEY_OF_TEST", "agent.retries=0", "n=1"]
COMMAND = ["env=loans", *OPTIONS, "env.distractors=0", "figure=false"]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with running() as found:
        yield found


def parts(text: str) -> Behave:
    """A content in parts of which none holds the whole."""
    cut = len(text) // 2
    return says([{"type": "text", "text": text[:cut]}, {"type": "text", "text": text[cut:]}])


def in_a_header(text: str) -> Behave:
    """An answer that the client cannot read: what it says of it quotes the header."""

    async def behave(request: web.Request) -> web.StreamResponse:
        transport = request.transport
        assert transport is not None
        line = text.encode("utf-8", "replace").replace(b"\r", b"").replace(b"\n", b"")
        transport.write(b"HTTP/1.1 200 OK\r\nX-Said: a\x00" + line + b"\r\nContent-Length: 2\r\n\r\n{}")
        await asyncio.sleep(0.05)
        transport.close()
        return web.Response()

    return behave


def broken(text: str) -> Behave:
    """A body that is no JSON."""

    async def behave(request: web.Request) -> web.Response:
        return web.Response(text=f'{{"choices": [{{"message": {text}', content_type="application/json")

    return behave


PLACES: dict[str, Any] = {
    "content": lambda text: says(f"you are {text}."),
    "parts of a content": parts,
    "thinking": lambda text: says("x", reasoning_content=text),
    "thinking in tags": lambda text: says(f"<think>{text}</think> x"),
    "name of a tool": lambda text: says("", [call(name=text)]),
    "arguments": lambda text: says("", [call(arguments=json.dumps({"a": text, text: 1}))]),
    "arguments as an object": lambda text: says("", [call(arguments={"a": [text]})]),
    "arguments that are no JSON": lambda text: says("", [call(arguments=text)]),
    "id of a call": lambda text: says("", [call(call_id=text)]),
    "finish reason": lambda text: says("x", finish=text),
    "error": lambda text: fails(400, f'{{"error": {{"message": {json.dumps(text)}}}}}'),
    "error in plain text": lambda text: fails(401, f"Authorization: Bearer {text}"),
    "error that may pass": lambda text: fails(500, f"<p>{text}</p>"),
    "broken body": broken,
    "header": in_a_header,
}


@settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    key=texts_to_hide(ascii_only=True), place=st.sampled_from(list(PLACES)), spelling=st.sampled_from(list(SPELLINGS))
)
def test_no_key_lands_anywhere(
    endpoint: Endpoint,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    key: str,
    place: str,
    spelling: str,
) -> None:
    monkeypatch.setenv("KEY_OF_TEST", key)
    spelled = SPELLINGS[spelling](key)
    endpoint.models = [spelled]
    endpoint.will(PLACES[place](spelled))
    run = tmp_path_factory.mktemp("run")
    capfd.readouterr()
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        main(["eval", *COMMAND, f"agent.base_url={endpoint.url}", f"run_dir={run}/run"])
    assert endpoint.headers[-1]["Authorization"] == f"Bearer {key}"
    told = [*capfd.readouterr(), caplog.text, *map(_text, run.rglob("*"))]
    assert any("m" in one for one in told)
    for one in told:
        for form in {key, spelled, json.dumps(key)[1:-1], json.dumps(spelled)[1:-1]}:
            assert form not in one


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace") if path.is_file() else ""
