"""An OpenAI-compatible chat server that answers from a script, in a separate process.

    python -m tests.servers.scripted --script script.json

It prints one line of JSON with its base URL once it listens. `GET /stats` returns how many requests it had and how many
are in flight; `POST /mark` does, too, and begins to count anew. Its script is described in schedule.py.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from pathlib import Path

import msgspec
from aiohttp import web

from tests.servers.answers import Message, case_of, misplaced, progress, turns
from tests.servers.behaviours import BROKEN_OFF, DO, HUNG_UP, Exchange, context_error, error, reply
from tests.servers.completions import tokens
from tests.servers.schedule import Schedule, Script
from tests.servers.traffic import Traffic

LARGEST_REQUEST = 64 * 2**20


class Asked(msgspec.Struct):
    """The fields of a request's body that the server reads."""

    model: str
    messages: list[Message]
    tools: msgspec.Raw = msgspec.Raw()
    stream: bool = False


class Server:
    """Answers requests."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._schedule = Schedule(script.rules, script.seed)
        self._traffic = Traffic()
        self._decode = msgspec.json.Decoder(Asked).decode

    def app(self) -> web.Application:
        """The web application."""
        app = web.Application(client_max_size=LARGEST_REQUEST)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/stats", self._stats)
        app.router.add_post("/mark", self._mark)
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
        self._traffic.enter(opens=turn == 0)
        status, did = HUNG_UP, str(chosen.rule.do)
        try:
            if refused is not None:
                status, did = refused.status, "answer"
                return refused
            if self._script.context is not None and tokens(len(body)) > self._script.context:
                status, did = 400, "context_error"
                return context_error(self._script.wording, self._script.context, tokens(len(body)))
            actions = self._script.answers[case][progress(asked.messages) :] if case is not None else ()
            exchange = Exchange(
                request, self._script, chosen, tuple(actions), turn, bool(bytes(asked.tools).strip(b"[] \n")), len(body)
            )
            left = self._script.delay_ms / 1000 - (time.perf_counter() - started)
            if left > 0:
                await asyncio.sleep(left)
            response = await DO[chosen.rule.do](exchange)
            status = HUNG_UP if did in BROKEN_OFF else response.status
            return response
        finally:
            self._traffic.leave(status, did, time.perf_counter() - started - self._script.delay_ms / 1000)

    def _refusal(self, request: web.Request, asked: Asked) -> web.Response | None:
        """Return the refusal of a request that no such server accepts, regardless of the script."""
        if self._script.key is not None and request.headers.get("Authorization") != f"Bearer {self._script.key}":
            return error(401, "the key is missing or wrong")
        if asked.model != self._script.model:
            return error(404, f"there is no model {asked.model}")
        if asked.stream:
            return error(400, "this server does not stream")
        problem = misplaced(asked.messages)
        if problem is None and self._script.strict_arguments and not _arguments_are_json(asked.messages):
            problem = "the arguments of a former call are no JSON"
        return None if problem is None else error(400, problem)

    async def _models(self, request: web.Request) -> web.Response:
        model = {"id": self._script.model, "object": "model", "created": 0, "owned_by": "tests"}
        if self._script.context is not None:
            model["max_model_len"] = self._script.context
        return reply(msgspec.json.encode({"object": "list", "data": [model]}))

    async def _stats(self, request: web.Request) -> web.Response:
        return reply(msgspec.json.encode(self._traffic.stats()))

    async def _mark(self, request: web.Request) -> web.Response:
        return reply(msgspec.json.encode(self._traffic.mark()))


def _arguments_are_json(messages: list[Message]) -> bool:
    try:
        for message in messages:
            for call in message.tool_calls or ():
                json.loads(call.function.arguments or "{}")
    except ValueError:
        return False
    return True


async def serve(script: Script, port: int) -> None:
    """Serve until stdin is closed."""
    # A client that hangs up ends its handler, so that what is in flight is counted rightly.
    runner = web.AppRunner(Server(script).app(), access_log=None, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    host, bound = runner.addresses[0][:2]
    print(json.dumps({"base_url": f"http://{host}:{bound}/v1", "port": bound, "pid": os.getpid()}), flush=True)
    await asyncio.to_thread(sys.stdin.buffer.read)
    os._exit(0)  # without waiting for hanging requests


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="0 (default) takes a free one")
    parser.add_argument("--script", type=Path, metavar="FILE", required=True, help="JSON, see schedule.py")
    options = parser.parse_args()
    asyncio.run(serve(msgspec.json.decode(options.script.read_bytes(), type=Script), options.port))


if __name__ == "__main__":
    main()
