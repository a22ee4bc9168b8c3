"""HTTP client for an endpoint.

It has one session, rate limits shared by all chats, and retries after temporary failures.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import msgspec
from aiolimiter import AsyncLimiter
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_random_exponential,
)

from teller_gym.agents.endpoint.answers import Answer, BrokenAnswerError, UnreadableAnswerError, read_answer
from teller_gym.agents.endpoint.config import EndpointConfig, shown_body
from teller_gym.agents.endpoint.failures import (
    GivenUpError,
    RefusedError,
    TransientError,
    broken,
    failure,
    shorten,
)
from teller_gym.agents.endpoint.key import Key
from teller_gym.base.scrub import Scrubber
from teller_gym.base.withheld import Options

FIRST_WAIT_S = 1.0
"""Upper bound in seconds of the random pause before the second attempt; it doubles with each further attempt."""
LONGEST_BACKOFF_S = 60.0

FIRST_TRIES = 3
FIRST_PATIENCE_S = 10.0
"""Maximum number of attempts, and seconds after which no further one begins, for an unreachable endpoint.

They apply if the endpoint has never answered: the address is probably wrong, or no server is running there.
"""

_IDLE_S = 4.0
"""Seconds after which idle connections are closed.

Uvicorn closes its own after five, even while a request is being sent.
"""
_CONNECT_S = 30.0
_TOKEN_WINDOW_S = 10.0
"""Length in seconds of the windows into which the token limit per minute is split.

A limiter for a whole minute would let twice as many tokens through in the first one.
"""
_MODELS_S = 10.0
_MODELS_SHOWN = 20
_MEGABYTE = 1_000_000


class _Models(msgspec.Struct):
    data: list[dict[str, Any]]


class Client:
    """Client that requests chat completions for any number of chats in one event loop."""

    def __init__(self, config: EndpointConfig, key: Key) -> None:
        self._config = config
        self._key = key
        self._base = config.base_url.rstrip("/")
        self._session: aiohttp.ClientSession | None = None
        self._requests: AsyncLimiter | None = None
        self._tokens: AsyncLimiter | None = None
        self._paused_until = 0.0
        self._refused: str | None = None
        self._heard = False
        self._cards: list[dict[str, Any]] | None = None
        self._connect_s = min(_CONNECT_S, config.timeout_s)
        self._retrying = AsyncRetrying(
            stop=self._enough,
            retry=retry_if_exception_type(TransientError),
            wait=self._pause,
            reraise=True,
        )

    async def complete(self, body: bytes, tokens: int, first_id: int, once: bool = False) -> Answer:
        """Request one completion.

        Args:
            body: encoded request body.
            tokens: estimated tokens of the request, for the token limit per minute.
            first_id: see `read_answer`.
            once: True to give up after one attempt.

        Raises:
            ContextFullError: the chat is too long for the model.
            RefusedError: the endpoint rejects the request and will reject it again.
            GivenUpError: there was no answer after the last attempt.
        """
        retrying = self._retrying.copy(stop=stop_after_attempt(1)) if once else self._retrying.copy()
        try:
            return await retrying(self._ask, body, tokens, first_id)
        except TransientError as error:
            if self._never_there(error):
                self._refused = (
                    f"{self._base} cannot be reached: check that the server runs and that agent.base_url is right, "
                    f"then go on with the same command; {error}"
                )
                raise RefusedError(self._refused, for_all=True) from None
            tries = 1 if once else self._config.retries + 1
            raise GivenUpError(
                f"{self._base} gave no answer for {self._config.model} in {tries} {'try' if tries == 1 else 'tries'}; "
                f"the last one: {error}",
                error.maybe_length,
            ) from None

    def scrub(self, value: Any) -> Any:
        """Remove the API key from a JSON value assembled from several responses, each of which may hold only part of
        the key."""
        return self._key.scrub_value(value)

    def scrub_failure(self, said: Any) -> Any:
        """Remove the API key and the texts of `extra_body` from an error message.

        A server may quote them.
        """
        body: Any = self._config.extra_body
        secrets = Options({"extra_body": body}, {"extra_body": shown_body(body, body)}).hidden
        return Scrubber(secrets).value(self._key.scrub_value(said))

    async def aclose(self) -> None:
        """Close the connections and forget earlier rejections.

        A later request opens new connections.
        """
        session, self._session = self._session, None
        self._refused = self._cards = None
        if session is not None:
            await session.close()

    def _open(self) -> aiohttp.ClientSession:
        """Return the session.

        It and the limiters belong to the running event loop, so they are created on first use.
        """
        if self._session is None:
            config = self._config
            self._paused_until = 0.0
            if config.requests_per_minute is not None:
                self._requests = AsyncLimiter(1, 60 / config.requests_per_minute)
            if config.tokens_per_minute is not None:
                self._tokens = AsyncLimiter(config.tokens_per_minute * _TOKEN_WINDOW_S / 60, _TOKEN_WINDOW_S)
            self._session = aiohttp.ClientSession(
                # No limit is needed: each chat has one request at a time, so there are at most as many as episodes.
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_S),
                timeout=aiohttp.ClientTimeout(total=config.timeout_s, sock_connect=self._connect_s),
                headers={
                    "Content-Type": "application/json",
                    "Accept": "application/json",
                    "Accept-Encoding": "gzip, deflate",
                    **self._key.headers(),
                },
                cookie_jar=aiohttp.DummyCookieJar(),
                proxy=_proxy(self._base),
            )
        return self._session

    async def _ask(self, body: bytes, tokens: int, first_id: int) -> Answer:
        session = self._open()
        await self._turn(tokens)
        if self._refused is not None:
            raise RefusedError(self._refused, for_all=True)
        try:
            async with session.post(f"{self._base}/chat/completions", data=body, allow_redirects=False) as response:
                self._heard = True
                said = self._key.scrub(await self._read(response))
                status, headers = response.status, response.headers
        except aiohttp.ConnectionTimeoutError:
            raise TransientError(f"no connection within {self._connect_s:g} s", unreachable=True) from None
        except TimeoutError:
            raise TransientError(f"nothing complete within {self._config.timeout_s:g} s (agent.timeout_s)") from None
        except aiohttp.ClientSSLError as error:
            raise RefusedError(f"no safe connection to {self._base}: {self._words(error)}", for_all=True) from None
        except (aiohttp.ClientError, OSError) as error:
            unreachable = isinstance(error, aiohttp.ClientConnectorError)
            what = "no connection" if unreachable else "a broken connection"
            raise TransientError(f"{what}: {self._words(error)}", unreachable=unreachable) from None
        if status == 200:
            try:
                return read_answer(said, first_id)
            except BrokenAnswerError as error:
                raise broken(error.said, error.code, headers) from None
            except UnreadableAnswerError as error:
                reason = f"status 200 without a readable answer ({shorten(str(error).encode())}): {shorten(said)}"
                raise TransientError(reason) from None
        problem = failure(status, headers, said)
        if isinstance(problem, RefusedError):
            raise await self._told(problem, status)
        raise problem

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        """Read a response body up to the size limit.

        The library decompresses it chunk by chunk.
        """
        most, kept = self._config.max_response_mb, bytearray()
        async for chunk in response.content.iter_any():
            kept += chunk
            if len(kept) > most * _MEGABYTE:
                response.close()
                raise TransientError(f"a response of more than {most} MB (agent.max_response_mb)")
        return bytes(kept)

    async def _turn(self, tokens: int) -> None:
        """Wait until the rate limits allow a request and no pause is in effect."""
        if self._requests is not None:
            await self._requests.acquire()
        if self._tokens is not None:
            left = float(tokens)
            while left > 0:
                part = min(left, self._tokens.max_rate)
                await self._tokens.acquire(part)
                left -= part
        loop = asyncio.get_running_loop()
        while (pause := self._paused_until - loop.time()) > 0:
            await asyncio.sleep(pause * random.uniform(1.0, 1.1))

    def _never_there(self, error: BaseException | None) -> bool:
        return isinstance(error, TransientError) and error.unreachable and not self._heard

    def _enough(self, state: RetryCallState) -> bool:
        """Return True if there should be no further attempt."""
        if state.attempt_number > self._config.retries:
            return True
        if not self._never_there(state.outcome.exception() if state.outcome else None):
            return False
        return state.attempt_number >= FIRST_TRIES or (state.seconds_since_start or 0) > FIRST_PATIENCE_S

    def _pause(self, state: RetryCallState) -> float:
        """Return the seconds before the next attempt.

        If the server asks for fewer requests, all chats are paused.
        """
        error = state.outcome.exception() if state.outcome else None
        wait: float | None = error.wait_s if isinstance(error, TransientError) else None
        if wait is None:
            wait = wait_random_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_BACKOFF_S)(state)
        if isinstance(error, TransientError) and error.throttled:
            self._paused_until = max(self._paused_until, asyncio.get_running_loop().time() + wait)
        return wait

    async def _told(self, problem: RefusedError, status: int) -> RefusedError:
        """Add the models that the endpoint offers to an error message.

        A rejection that concerns every request is remembered.
        """
        message = f"{self._base}, model {self._config.model}: {problem}"
        if status in (400, 404):
            offered = [shorten(one["id"].encode(errors="replace")) for one in await self._models()]
            if offered and self._config.model not in offered:
                message += f"; it offers {', '.join(offered[:_MODELS_SHOWN])}"
                message += f" and {len(offered) - _MODELS_SHOWN} more" if len(offered) > _MODELS_SHOWN else ""
        if problem.for_all:
            self._refused = message
        return RefusedError(message, problem.for_all, problem.maybe_length)

    async def _models(self) -> list[dict[str, Any]]:
        """Return the endpoint's list of models, requested once per run, or an empty list if it is not available."""
        if self._cards is not None:
            return self._cards
        timeout = aiohttp.ClientTimeout(total=min(_MODELS_S, self._config.timeout_s))
        cards: list[dict[str, Any]] = []
        try:
            async with self._open().get(f"{self._base}/models", timeout=timeout, allow_redirects=False) as response:
                said = self._key.scrub(await self._read(response))
            cards = [one for one in msgspec.json.decode(said, type=_Models).data if isinstance(one.get("id"), str)]
        except (TransientError, aiohttp.ClientError, OSError, TimeoutError, msgspec.DecodeError, UnicodeDecodeError):
            pass
        self._cards = cards
        return cards

    def _words(self, error: Exception) -> str:
        return f"{type(error).__name__} {shorten(self._key.scrub(str(error).encode(errors='replace')))}"


def _proxy(url: str) -> str | None:
    """Return the proxy that the environment variables name for a URL, or None."""
    parts = urlsplit(url)
    if parts.hostname is None or proxy_bypass(parts.hostname):
        return None
    return getproxies().get(parts.scheme)
