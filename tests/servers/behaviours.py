"""Behaviours of the scripted server."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from aiohttp import web

from tests.servers.completions import completion, cut, message, spoilt
from tests.servers.hostile import misbehave
from tests.servers.schedule import Behaviour, Chosen, Script


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and all that is needed to answer it."""

    http: web.Request
    script: Script
    chosen: Chosen
    actions: tuple[str, ...]
    """Remaining actions of the model in this case."""
    turn: int
    tools: bool
    size: int
    """Size of the request in bytes."""

    def said(self, count: int = 1) -> dict[str, Any]:
        """Return a correct message with the next ``count`` actions."""
        return message(self.actions[:count], self.script.form, tools=self.tools, turn=self.turn)

    def body(self, said: dict[str, Any], finish_reason: str | None = None) -> bytes:
        """Return a completion with a message."""
        return completion(
            self.script.model, said, finish_reason=finish_reason, request_bytes=self.size, number=self.chosen.number
        )


def reply(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """Return an HTTP response of JSON."""
    return web.Response(body=body, status=status, headers=headers, content_type="application/json")


def error(status: int, text: str, headers: Mapping[str, str] | None = None, **more: Any) -> web.Response:
    """Return an error in the format of OpenAI-compatible servers."""
    body = {"error": {"message": text, "type": "scripted", "param": None, "code": status, **more}}
    return reply(msgspec.json.encode(body), status, headers)


def context_error(wording: str, limit: int, asked: int) -> web.Response:
    """Return the error for a chat that is too long, in the wording of a known server or without a body."""
    if wording == "none":
        return reply(b"", 400)
    text = f"This model's maximum context length is {limit} tokens. However, the messages have {asked} tokens."
    if wording == "vllm":
        flat = {"object": "error", "message": text, "type": "BadRequestError", "param": None, "code": 400}
        return reply(msgspec.json.encode(flat), 400)
    return error(400, text, type="invalid_request_error", code="context_length_exceeded")


async def _answer(x: Exchange) -> web.StreamResponse:
    return reply(x.body(x.said()))


async def _hang(x: Exchange) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


async def _bad_json(x: Exchange) -> web.StreamResponse:
    return reply(b'{"choices": [{"message": <html>')


async def _no_choices(x: Exchange) -> web.StreamResponse:
    return reply(b'{"object": "chat.completion", "choices": []}')


async def _null_content(x: Exchange) -> web.StreamResponse:
    return reply(x.body({"role": "assistant", "content": None}))


async def _status(x: Exchange) -> web.StreamResponse:
    return error(x.chosen.rule.code, "the script says so", _retry_after(x))


async def _too_many(x: Exchange) -> web.StreamResponse:
    return error(429, "too many requests", _retry_after(x))


async def _hang_up_before(x: Exchange) -> web.StreamResponse:
    if x.http.transport is not None:
        x.http.transport.abort()
    return web.Response()


async def _hang_up_after(x: Exchange) -> web.StreamResponse:
    return await _partly(x, 0)


async def _truncated(x: Exchange) -> web.StreamResponse:
    return await _partly(x, 2)


async def _partly(x: Exchange, divisor: int) -> web.StreamResponse:
    """Send the headers of the whole body, then a part of it or nothing, then hang up."""
    body = x.body(x.said())
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(body))})
    await response.prepare(x.http)
    if divisor:
        await response.write(body[: len(body) // divisor])
    if x.http.transport is not None:
        x.http.transport.close()
    return response


async def _several(x: Exchange) -> web.StreamResponse:
    return reply(x.body(x.said(x.chosen.rule.count)))


async def _bad_arguments(x: Exchange) -> web.StreamResponse:
    return reply(x.body(spoilt(x.said())))


async def _cut(x: Exchange) -> web.StreamResponse:
    return reply(x.body(cut(x.said()), finish_reason="length"))


async def _echo_key(x: Exchange) -> web.StreamResponse:
    return error(x.chosen.rule.code, f"not good: {x.http.headers.get('Authorization', '')}")


async def _hostile(x: Exchange) -> web.StreamResponse:
    return await misbehave(x.chosen.rule.wrong, x.http, x.body(x.said()))


def _retry_after(x: Exchange) -> dict[str, str]:
    given = x.chosen.rule.retry_after
    return {} if given is None else {"Retry-After": given}


DO: Mapping[Behaviour, Callable[[Exchange], Awaitable[web.StreamResponse]]] = {
    "answer": _answer,
    "hang": _hang,
    "bad_json": _bad_json,
    "no_choices": _no_choices,
    "null_content": _null_content,
    "too_many": _too_many,
    "status": _status,
    "hang_up_before": _hang_up_before,
    "hang_up_after": _hang_up_after,
    "truncated": _truncated,
    "several": _several,
    "bad_arguments": _bad_arguments,
    "cut": _cut,
    "echo_key": _echo_key,
    "hostile": _hostile,
}
