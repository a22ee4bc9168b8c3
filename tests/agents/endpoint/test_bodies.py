"""Endless and compressed responses: limited by decompressed bytes or by the time limit."""

import asyncio
import gzip
import json
import resource
import time
import zlib
from typing import Any

import pytest
from aiohttp import web

from teller_gym.base.errors import InfrastructureError
from tests.agents.endpoint.server import Behave, Endpoint, play

GOOD = json.dumps(
    {"choices": [{"message": {"role": "assistant", "content": "good"}, "finish_reason": "stop"}]}
).encode()
MEGABYTE = b" " * 1_000_000
TOO_LONG = r"more than 1 MB \(agent\.max_response_mb\)"


def sends(body: bytes, encoding: str | None = None, status: int = 200) -> Behave:
    async def behave(request: web.Request) -> web.Response:
        headers = {"Content-Encoding": encoding} if encoding else {}
        return web.Response(body=body, status=status, headers=headers, content_type="application/json")

    return behave


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


async def endless(request: web.Request) -> web.StreamResponse:
    """Send chunks until the client hangs up."""
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(MEGABYTE)


async def drips(request: web.Request) -> web.StreamResponse:
    """Send single bytes, slowly and endlessly."""
    response = web.StreamResponse(headers={"Content-Length": "1000000"})
    await response.prepare(request)
    while True:
        await response.write(b" ")
        await asyncio.sleep(0.02)


async def says_too_much(request: web.Request) -> web.StreamResponse:
    """Send far too many headers."""
    assert request.transport is not None
    request.transport.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(20_000):
        if request.transport.is_closing():
            break
        request.transport.write(b"X-%d: %s\r\n" % (number, b"x" * 1000))
        if number % 100 == 0:
            await asyncio.sleep(0)
    request.transport.close()
    return web.Response()


async def goes_round(request: web.Request) -> web.StreamResponse:
    return web.Response(status=307, headers={"Location": str(request.url)})


@pytest.mark.parametrize("kind", ["gzip", "deflate", "raw deflate", "identity"])
def test_packed_answers_are_read(endpoint: Endpoint, kind: str) -> None:
    packed = {"deflate": zlib.compress(GOOD), "raw deflate": raw_deflate(GOOD), "identity": GOOD}
    endpoint.will(sends(packed.get(kind, gzip.compress(GOOD)), kind.removeprefix("raw ")))
    assert play(endpoint.agent(retries=0))[0].actions == ("good",)
    assert endpoint.headers[0]["Accept-Encoding"] == "gzip, deflate"


@pytest.mark.parametrize(("kind", "status"), [("plain", 200), ("gzip", 400), ("deflate", 503), ("endless", 200)])
def test_what_is_too_long_is_told_and_never_read_whole(endpoint: Endpoint, kind: str, status: int) -> None:
    body = MEGABYTE + b" "
    packed = {"plain": body, "gzip": gzip.compress(body), "deflate": zlib.compress(body)}
    encoding = kind if kind in ("gzip", "deflate") else None
    endpoint.will(endless if kind == "endless" else sends(packed[kind], encoding, status))
    with pytest.raises(InfrastructureError, match=TOO_LONG):
        play(endpoint.agent(retries=0, max_response_mb=1))
    assert len(endpoint.bodies) == 1


def test_what_just_fits_is_read_and_one_that_does_not_is_tried_again(endpoint: Endpoint) -> None:
    endpoint.will(sends(MEGABYTE * 2), sends(GOOD + b" " * (1_000_000 - len(GOOD))))
    assert play(endpoint.agent(retries=1, max_response_mb=1))[0].actions == ("good",)


def test_a_bomb_takes_no_memory(endpoint: Endpoint) -> None:
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    bomb = b"".join([*(packer.compress(MEGABYTE) for _ in range(500)), packer.flush()])
    endpoint.will(sends(bomb, "gzip"))
    before = _peak_mb()
    with pytest.raises(InfrastructureError, match="more than 16 MB"):
        play(endpoint.agent(retries=0))
    assert _peak_mb() - before < 200


UNREADABLE = {
    # mtime=0, since a time would change the bytes, and with them the test's name, in each process.
    "cut off": (gzip.compress(GOOD, mtime=0)[:-12], "gzip"),
    "a beginning only": (b"\x1f\x8bxxxx", "gzip"),
    "zlib": (zlib.compress(GOOD)[:20], "gzip"),
    "nothing": (b"", "gzip"),
    "an encoding that nobody asked for": (gzip.compress(GOOD, mtime=0), "x-lzma"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_cannot_be_unpacked_is_told(endpoint: Endpoint, kind: str) -> None:
    endpoint.will(sends(*UNREADABLE[kind]))
    with pytest.raises(InfrastructureError, match=r"Can not decode|without a readable answer") as told:
        play(endpoint.agent(retries=0))
    assert len(str(told.value)) < 700


def test_a_slow_drip_meets_the_time_limit(endpoint: Endpoint) -> None:
    endpoint.will(drips)
    begun = time.monotonic()
    with pytest.raises(InfrastructureError, match=r"within 0\.3 s \(agent\.timeout_s\)"):
        play(endpoint.agent(retries=0, timeout_s=0.3))
    assert time.monotonic() - begun < 60


def test_headers_without_end_are_refused(endpoint: Endpoint) -> None:
    endpoint.will(says_too_much)
    before = _peak_mb()
    with pytest.raises(InfrastructureError, match="1 try") as told:
        play(endpoint.agent(retries=0))
    assert len(str(told.value)) < 1000
    assert _peak_mb() - before < 100  # the server's own twenty included


def test_no_redirect_is_followed(endpoint: Endpoint) -> None:
    endpoint.will(goes_round)
    with pytest.raises(InfrastructureError, match="has moved"):
        play(endpoint.agent(retries=3))
    assert len(endpoint.bodies) == 1


def test_names_of_models_are_told_in_short(endpoint: Endpoint) -> None:
    endpoint.models[:] = ["m" * 100_000] * 30
    endpoint.will(sends(b"no such model", status=404))
    with pytest.raises(InfrastructureError, match="it offers mmm") as told:
        play(endpoint.agent(retries=0))
    assert len(str(told.value)) < 10_000


def _peak_mb() -> float:
    usage: Any = resource.getrusage(resource.RUSAGE_SELF)
    return float(usage.ru_maxrss) / 1000
