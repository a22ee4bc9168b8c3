"""An OpenAI-compatible chat server that answers from a script (see `schedule`)."""

import asyncio
import time
from collections import Counter
from typing import Any

import msgspec
from aiohttp import web

from tests.servers.answers import Message, case_of, misplaced, progress, turns
from tests.servers.behaviours import DO, Exchange, context_error, error, reply
from tests.servers.completions import tokens
from tests.servers.schedule import Schedule, Script

LARGEST_REQUEST = 64 * 2**20


class Asked(msgspec.Struct):
    """The fields of a request's body that the server reads."""

    model: str
    messages: list[Message]
    tools: msgspec.Raw = msgspec.Raw()
    stream: bool = False


class Server:
    """Answers requests by a script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._schedule = Schedule(script.rules, script.seed)
        self._done: Counter[str] = Counter()
        self._decode = msgspec.json.Decoder(Asked).decode

    def app(self) -> web.Application:
        app = web.Application(client_max_size=LARGEST_REQUEST)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/models", self._models)
        return app

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        started = time.perf_counter()
        body = await request.read()
        try:
            asked = self._decode(body)
        except msgspec.MsgspecError as problem:
            return error(400, f"the request cannot be read: {problem}")
        if self._script.record is not None:
            with open(self._script.record, "ab") as record:
                record.write(body + b"\n")
        refused = self._refusal(request, asked)
        case, turn = case_of(asked.messages, self._script.answers), turns(asked.messages)
        chosen = self._schedule.choose(body, case, turn)
        did = str(chosen.rule.do)
        try:
            if refused is not None:
                did = "answer"
                return refused
            if self._script.context is not None and tokens(len(body)) > self._script.context:
                did = "context_error"
                return context_error(self._script.wording, self._script.context, tokens(len(body)))
            actions = self._script.answers[case][progress(asked.messages) :] if case is not None else ()
            exchange = Exchange(
                request, self._script, chosen, tuple(actions), turn, bool(bytes(asked.tools).strip(b"[] \n")), len(body)
            )
            left = self._script.delay_ms / 1000 - (time.perf_counter() - started)
            if left > 0:
                await asyncio.sleep(left)
            return await DO[chosen.rule.do](exchange)
        finally:
            self._done[did] += 1

    def _refusal(self, request: web.Request, asked: Asked) -> web.Response | None:
        """Return the refusal of a request that is invalid regardless of the script."""
        if self._script.key is not None and request.headers.get("Authorization") != f"Bearer {self._script.key}":
            return error(401, "the key is missing or wrong")
        if asked.model != self._script.model:
            return error(404, f"there is no model {asked.model}")
        if asked.stream:
            return error(400, "this server does not stream")
        problem = misplaced(asked.messages)
        return None if problem is None else error(400, problem)

    async def _models(self, request: web.Request) -> web.Response:
        model = {"id": self._script.model, "object": "model", "created": 0, "owned_by": "tests"}
        if self._script.context is not None:
            model["max_model_len"] = self._script.context
        return reply(msgspec.json.encode({"object": "list", "data": [model]}))

    def stats(self) -> dict[str, Any]:
        """Return the number of requests that were answered or aborted, in total and by behaviour."""
        return {"requests": self._done.total(), "behaviours": dict(self._done)}
