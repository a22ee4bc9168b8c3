"""HTTP server for chat completions, with a list of models and a health check."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import msgspec
from aiohttp import web

from teller_gym.base.errors import OptionError
from teller_gym.expert_server.chat import BadRequestError, read_chat
from teller_gym.expert_server.completion import CREATED, MODEL, chunks, completion, error_body
from teller_gym.expert_server.playing import ExpertPlayer

HOST = "127.0.0.1"
_LARGEST_BODY = 64 * 2**20
"""Maximum size of a request in bytes. The longest chat with all tools has about 1 MiB."""


def app(player: ExpertPlayer) -> web.Application:
    """Return a web application in which the player responds to chats."""

    async def complete(request: web.Request) -> web.StreamResponse:
        try:
            chat = read_chat(await request.read())
            turn = player.next_turn(chat)
        except BadRequestError as error:
            return _json(error_body(str(error)), 400)
        number = len(chat.results)
        if not chat.stream:
            return _json(completion(chat, turn, number))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
        with suppress(ConnectionError):  # the client has left
            await response.prepare(request)
            for chunk in chunks(chat, turn, number):
                await response.write(chunk)
            await response.write_eof()
        return response

    async def models(request: web.Request) -> web.Response:
        card = {"id": MODEL, "object": "model", "created": CREATED, "owned_by": "teller_gym"}
        return _json({"object": "list", "data": [card]})

    async def health(request: web.Request) -> web.Response:
        return _json({"status": "ok"})

    built = web.Application(client_max_size=_LARGEST_BODY)
    built.router.add_post("/v1/chat/completions", complete)
    built.router.add_get("/v1/models", models)
    built.router.add_get("/health", health)
    return built


@contextmanager
def serve_expert(player: ExpertPlayer | None = None, port: int = 0) -> Iterator[str]:
    """Serve the expert in a thread for the duration of the block, and yield the base URL, which ends in ``/v1``.

    Args:
        player: player that responds to the chats; None for the expert without mistakes.
        port: port on 127.0.0.1; 0 takes a free one.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="expert", daemon=True)
    thread.start()

    async def start() -> web.AppRunner:
        runner = web.AppRunner(app(player or ExpertPlayer()), access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port, backlog=1024).start()
        except (OSError, OverflowError) as error:
            await runner.cleanup()
            raise OptionError(f"port: {port} of {HOST} cannot be used: {error}") from None
        return runner

    try:
        runner = asyncio.run_coroutine_threadsafe(start(), loop).result()
        try:
            address = runner.addresses[0]
            yield f"http://{address[0]}:{address[1]}/v1"
        finally:
            asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _json(body: object, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json")
