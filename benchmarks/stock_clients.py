"""Report which methods of stock clients an office answers: call each once, and count the answers by status.

    pip install 'rocketchat_API==3.7.*' 'plane-sdk==0.3.*'
    python -m benchmarks.stock_clients            # paths that are not served (404, 405), by client
    python -m benchmarks.stock_clients --all      # every request with its status

Arguments are plausible values chosen by the parameters' names, so a 400 means that the method is served and expects
other values.
"""

from __future__ import annotations

import argparse
import inspect
import re
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints
from urllib.parse import urlsplit

from examples.small_office import TRACKER_KEY, open_office
from teller_gym.office.serving import Serving

_NOT_SERVED = (b"API endpoint does not exist", b"Page not found.")
"""Bodies of the 404 for a path that the chat or the tracker does not serve; other 404s are about made-up ids."""


class Sent(NamedTuple):
    """A request: its method, its path, the status of the answer, and whether the path is served."""

    method: str
    path: str
    status: int
    served: bool


_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=/)(?:ROOM|FILE|x)(?=/|$)")


def main() -> None:
    """Print the counts by client, or every request with its status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every request with its status")
    shows_all = parser.parse_args().all
    for client, walk in (("rocketchat_API", _rocketchat), ("plane-sdk", _plane)):
        office = open_office()
        with Serving(office) as serving:
            found = list(_recorded(walk(office, serving.addresses)))
        missing = [one for one in found if not one[1].served]
        print(f"{client}: {len(found)} methods sent a request, {len(missing)} of them to what is not served")
        for name, one in found if shows_all else missing:
            print(f"  {one.status} {name:55} {one.method} {_ID.sub('*', one.path)}")


def _recorded(calls: Iterator[tuple[str, Callable[[], Any]]]) -> Iterator[tuple[str, Sent]]:
    """Make calls, and yield the first request of each."""
    import requests

    sent: list[Sent] = []
    send = requests.Session.send

    def record(self: Any, request: Any, **options: Any) -> Any:
        response = send(self, request, **options)
        served = response.status_code != 405 and not any(one in response.content for one in _NOT_SERVED)
        sent.append(Sent(request.method, urlsplit(request.url).path, response.status_code, served))
        return response

    requests.Session.send = record  # type: ignore[method-assign]
    try:
        for name, call in calls:
            sent.clear()
            try:
                call()
            except Exception as error:  # refusals are expected
                if not sent:
                    print(f"  no request: {name}: {type(error).__name__}: {error}"[:150])
            if sent:
                yield name, sent[0]
    finally:
        requests.Session.send = send  # type: ignore[method-assign]


def _rocketchat(_: Any, addresses: dict[str, str]) -> Iterator[tuple[str, Callable[[], Any]]]:
    chat = import_module("rocketchat_API.rocketchat").RocketChat("ada", "password-of-ada", server_url=addresses["chat"])
    message = chat.chat_post_message("hello", channel="#general")["message"]
    file = Path(tempfile.mkdtemp()) / "note.txt"
    file.write_text("hello\n", "utf-8")
    known: dict[str, Any] = {
        **dict.fromkeys(("room_id", "rid", "roomId"), "GENERAL"),
        **dict.fromkeys(("msg_id", "message_id", "mid", "tmid", "thread_msg_id"), message["_id"]),
        **dict.fromkeys(("user_id", "userId"), message["u"]["_id"]),
        **dict.fromkeys(("last_update", "updated_since", "since", "latest", "oldest"), "2026-01-01T00:00:00.000Z"),
        "file": str(file),
        "username": "ben",
        "message": {"rid": "GENERAL", "msg": "hello"},
        "channel": "general",
        "query": {"text": "a", "type": "users"},
        "avatar_url": "http://a/",
        "filename": str(file),
    }
    for name, method in inspect.getmembers(chat, inspect.ismethod):
        if not name.startswith(("_", "call_api", "login", "logout")):
            yield name, _call(method, known)


def _plane(office: Any, addresses: dict[str, str]) -> Iterator[tuple[str, Callable[[], Any]]]:
    client = import_module("plane").PlaneClient(base_url=addresses["tracker"], api_key=TRACKER_KEY)
    project, item = (next(office.store.rows(f"tracker.{table}"))[0] for table in ("projects", "items"))
    known: dict[str, Any] = {
        "workspace_slug": "office",
        "slug": "office",
        "project_id": project,
        "query": "net",
        **dict.fromkeys(("work_item_id", "issue_id"), item),
        "project_identifier": "CL",
        "issue_identifier": 1,
        "name": "a",
        "size": 1,
        "file_bytes": b"a",
    }

    def methods(owner: Any, path: str) -> Iterator[tuple[str, Callable[[], Any]]]:
        for name, method in inspect.getmembers(owner, inspect.ismethod):
            if not name.startswith("_"):
                yield f"{path}.{name}", _call(method, known)
        for name, value in sorted(vars(owner).items()):
            if type(value).__module__.startswith("plane.api") and name != "v2":
                yield from methods(value, f"{path}.{name}".lstrip("."))

    yield from sorted(methods(client, ""), key=lambda pair: (pair[0].endswith(("delete", "archive")), pair[0]))


def _call(method: Callable[..., Any], known: dict[str, Any]) -> Callable[[], Any]:
    """Return a method bound to an argument for each required parameter and each known one."""
    hints = get_type_hints(method) if "plane" in method.__module__ else {}
    given: dict[str, Any] = {}
    for name, parameter in inspect.signature(method).parameters.items():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        if name in known:
            given[name] = known[name]
        elif parameter.default is parameter.empty:
            given[name] = _value(name, hints.get(name))

    def call() -> Any:
        found = method(**given)
        return next(found, None) if inspect.isgenerator(found) else found

    return call


def _value(name: str, hint: Any) -> Any:
    if hasattr(hint, "model_construct"):
        fields = {key: _value(key, one.annotation) for key, one in hint.model_fields.items() if one.is_required()}
        return hint.model_construct(**fields)
    if get_args(hint) and hint.__class__.__name__ in ("UnionType", "_UnionGenericAlias"):
        return _value(name, get_args(hint)[0])
    if hint is int:
        return 1
    if hint is bool:
        return True
    if str(hint).startswith(("list", "typing.List")):
        return []
    if str(hint).startswith(("dict", "typing.Dict", "collections.abc.Mapping")):
        return {}
    return "5f5e1000-0000-4000-8000-000000000000" if name.endswith("_id") else "x"


if __name__ == "__main__":
    main()
