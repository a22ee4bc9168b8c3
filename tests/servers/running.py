"""Runs the scripted server in a thread of the test process, where it starts in milliseconds."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from aiohttp import web

from tests.servers.schedule import Script
from tests.servers.scripted import Server


class Running(NamedTuple):
    """A server that listens.

    Attributes:
        stats: returns the number of requests, in total and by behaviour.
        kill: stops the server at once, aborting requests.
    """

    base_url: str
    port: int
    stats: Callable[[], dict[str, Any]]
    kill: Callable[[], None]


@contextmanager
def scripted_server(script: Script, *, port: int = 0) -> Iterator[Running]:
    """Run a server; hanging requests end when the block is left."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = Server(script)
    runner = web.AppRunner(server.app(), access_log=None, handler_cancellation=True, shutdown_timeout=0.01)

    async def start() -> int:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port, backlog=1024).start()
        bound: int = runner.addresses[0][1]
        return bound

    def end() -> None:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()

    bound = asyncio.run_coroutine_threadsafe(start(), loop).result()
    try:
        yield Running(f"http://127.0.0.1:{bound}/v1", bound, server.stats, end)
    finally:
        end()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
