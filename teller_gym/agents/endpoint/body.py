"""Reading a response's body: bounded as it comes in and as it is unpacked, since either may have no end."""

from __future__ import annotations

import zlib
from typing import Any

import aiohttp

ENCODINGS = "gzip, deflate"
"""Encodings asked for; unpacked here, because a library that does so itself may hold a thousand times what came in."""

MEGABYTE = 1_000_000


class BodyError(Exception):
    """The body is too long, or packed in a way that cannot be unpacked; the message is for people."""


async def read_body(response: aiohttp.ClientResponse, most_mb: int) -> bytes:
    """Read and unpack a body; the session must not unpack by itself.

    Args:
        response: its connection is closed where the body is not read to its end.
        most_mb: limit in megabytes, of what is received and of what it unpacks to.

    Raises:
        BodyError: there is more than that, or it cannot be unpacked.
        aiohttp.ClientError: the connection broke.
    """
    most = most_mb * MEGABYTE
    kept, received = bytearray(), 0
    unpacker: Any = None
    try:
        packed = _packed(response.headers.get("Content-Encoding", ""))
        async for chunk in response.content.iter_any():
            received += len(chunk)
            if packed and unpacker is None and chunk:
                unpacker = zlib.decompressobj(_window(chunk))
            kept += unpacker.decompress(chunk, most + 1 - len(kept)) if unpacker else chunk
            if max(received, len(kept)) > most:
                raise BodyError(f"a response of more than {most_mb} MB (agent.max_response_mb)")
        if unpacker is not None and not unpacker.eof:
            raise BodyError("a response that was packed and breaks off")
    except zlib.error as error:
        response.close()
        raise BodyError(f"a response that cannot be unpacked ({error})") from None
    except BodyError:
        response.close()
        raise
    return bytes(kept)


def _packed(encoding: str) -> bool:
    """Return True if a body is packed; raises BodyError where it is packed in a way that nobody asked for."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return False
    if name in ("gzip", "x-gzip", "deflate"):
        return True
    raise BodyError(f"a response packed as {name[:80]!r}, where {ENCODINGS} or nothing was asked for")


def _window(start: bytes) -> int:
    """Return the zlib setting for packed bytes: gzip, deflate with its header or, as some servers send it, without."""
    if start[0] == 0x1F:
        return zlib.MAX_WBITS | 16
    return zlib.MAX_WBITS if start[0] & 0xF == 8 else -zlib.MAX_WBITS
