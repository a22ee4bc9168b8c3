"""A small endpoint in its own thread, for which a test scripts the response to each request."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from teller_gym.agents.base import Reply
from teller_gym.agents.endpoint import EndpointAgent, EndpointConfig

Behave = Callable[[web.Request], Awaitable[web.StreamResponse]]

TOOL: dict[str, Any] = {
    "type": "function",
    "function": {"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {}}},
}
MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "The SOP {with braces}."},
    {"role": "user", "content": "Do it."},
]


class Endpoint:
    """Records requests and gives scripted answers; the last answer is repeated."""

    def __init__(self) -> None:
        self.behaviours: list[Behave] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.models: list[str] = []
        self.cards: dict[str, dict[str, Any]] = {}
        """Further fields of each model in the list of models."""
        self.asked_for_models = 0
        self.url = ""

    def will(self, *behaviours: Behave) -> None:
        self.behaviours = list(behaviours)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        self.times.append(asyncio.get_running_loop().time())
        self.bodies.append(json.loads(await request.read()))
        self.headers.append(dict(request.headers))
        behave = self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]
        return await behave(request)

    async def list_models(self, request: web.Request) -> web.Response:
        self.asked_for_models += 1
        cards: dict[str, dict[str, Any]] = {name: {} for name in self.models} | self.cards
        return web.json_response({"object": "list", "data": [{"id": name, **card} for name, card in cards.items()]})

    def agent(self, **options: Any) -> EndpointAgent:
        return EndpointAgent(EndpointConfig.read({"model": "m", "base_url": self.url, "timeout_s": 5.0, **options}))


@contextmanager
def running() -> Iterator[Endpoint]:
    endpoint, loop = Endpoint(), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def start() -> web.AppRunner:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", endpoint.chat)
        app.router.add_get("/v1/models", endpoint.list_models)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        endpoint.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        return runner

    runner = asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    try:
        yield endpoint
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def call(name: str = "look", arguments: Any = "{}", call_id: str | None = "c1", **more: Any) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}, **more}


def says(
    content: Any = None,
    calls: Sequence[dict[str, Any]] = (),
    usage: Any = None,
    finish: str | None = "stop",
    **message: Any,
) -> Behave:
    """Return a behaviour that answers with a chat completion."""
    message = {"role": "assistant", "content": content, "tool_calls": list(calls) or None, **message}
    usage = {"prompt_tokens": 100, "completion_tokens": 7} if usage is None else usage
    answer = {"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage or None}

    async def behave(request: web.Request) -> web.Response:
        return web.json_response(answer)

    return behave


def fails(status: int, text: str = "no", **headers: str) -> Behave:
    """Return a behaviour that answers with an error."""

    async def behave(request: web.Request) -> web.Response:
        return web.Response(
            status=status, text=text, headers={name.replace("_", "-"): v for name, v in headers.items()}
        )

    return behave


async def hangs_up(request: web.Request) -> web.StreamResponse:
    """Close the connection in the middle of an answer."""
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.close()
    return response


async def sleeps(request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(3)
    return web.json_response({})


def play(agent: EndpointAgent, *turns: Sequence[str], tools: Sequence[dict[str, Any]] = (TOOL,)) -> list[Reply]:
    """Play one chat; `turns` are the results sent before each answer."""

    async def chat() -> list[Reply]:
        try:
            dialogue = agent.open(MESSAGES, tools, seed=3)
            return [await dialogue.answer(results) for results in turns or ((),)]
        finally:
            await agent.aclose()

    return asyncio.run(chat())
