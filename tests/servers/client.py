"""A client of the scripted server that uses only the standard library."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.servers.running import Running


def chat(text: str) -> list[dict[str, Any]]:
    return [{"role": "system", "content": "Work."}, {"role": "user", "content": text}]


def post(server: Running, messages: list[dict[str, Any]], *, timeout: float = 10.0, **more: Any) -> dict[str, Any]:
    body = json.dumps({"model": "scripted", "messages": messages, **more}).encode()
    request = urllib.request.Request(f"{server.base_url}/chat/completions", body, method="POST")
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        read: dict[str, Any] = json.load(answer)
    return read


def refused(server: Running, messages: list[dict[str, Any]], **more: Any) -> urllib.error.HTTPError:
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, messages, **more)
    return caught.value


def told(error: urllib.error.HTTPError) -> str:
    return str(json.loads(error.read())["error"]["message"])
