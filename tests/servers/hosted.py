"""The scripted server in a thread of the test's process: it starts in milliseconds, for tests with many servers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

from tests.servers.schedule import Script
from tests.servers.scripted import Server


@contextmanager
def hosted(script: Script) -> Iterator[str]:
    """Run a server and yield its base URL. Hanging requests end with the block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def start() -> tuple[web.AppRunner, str]:
        runner = web.AppRunner(Server(script).app(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
        host, port = runner.addresses[0][:2]
        return runner, f"http://{host}:{port}/v1"

    runner, base_url = asyncio.run_coroutine_threadsafe(start(), loop).result()
    try:
        yield base_url
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
