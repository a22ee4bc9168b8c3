"""A small key-value service that covers everything that a server has to handle."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from teller_gym.office.store import Record, Store
from teller_gym.office.web import Request, Response, Service, json_response

NOW = datetime(2026, 3, 2, 9)
BASE: dict[str, dict[str, Record]] = {"kv.values": {"first": {"value": b"one"}, "second": {"value": b"two"}}}
VALUES = "kv.values"


class KeyValue:
    """GET, HEAD, PUT and DELETE of values, POST of /pair/KEY, PROPFIND of /, and /odd/… for defects."""

    def __init__(self, name: str = "kv") -> None:
        self.name = name

    def handle(self, store: Store, request: Request) -> Response:
        key = request.path.removeprefix("/")
        if key.startswith("odd/"):
            return self._odd(store, key.removeprefix("odd/"), request)
        if key == "echo":
            told = {"method": request.method, "path": request.path, "query": request.query}
            return json_response(
                200, {**told, "headers": dict(request.headers), "body": request.body.decode("latin-1")}
            )
        if request.method == "PROPFIND":
            return json_response(207, [[key, record["value"].decode("latin-1")] for key, record in store.rows(VALUES)])
        if request.method == "POST" and key.startswith("pair/"):
            for side in ("left", "right"):
                store.put(VALUES, f"{key.removeprefix('pair/')}.{side}", {"value": request.body})
            return json_response(200, {"n": store.count("pairs"), "at": store.tick().isoformat()})
        found = store.get(VALUES, key)
        if request.method == "PUT":
            store.tick()
            store.put(VALUES, key, {"value": request.body})
            return Response(204 if found else 201)
        if found is None:
            return json_response(404, {"error": "no such key"})
        if request.method == "DELETE":
            store.delete(VALUES, key)
            return Response(204)
        if request.method in ("GET", "HEAD"):
            length = (("Content-Length", str(len(found["value"]))),) if request.method == "HEAD" else ()
            body = b"" if request.method == "HEAD" else found["value"]
            return Response(200, (("Content-Type", "application/octet-stream"), *length), body)
        return json_response(405, {"error": "no such method"}, ("Allow", "GET, HEAD, PUT, DELETE"))

    def _odd(self, store: Store, what: str, request: Request) -> Response:
        saved = store.snapshot()
        store.put(VALUES, "odd", {"value": b"half"})
        if what == "crash":
            raise ValueError("secret of the caller")
        if what == "header":
            return Response(200, (("X-Name", "a\r\nSet-Cookie: b"),))
        if what == "tuple":
            store.put(VALUES, "odd", {"value": (1, 2)})
            return Response(201)
        if what == "undone":
            store.restore(saved)
            return json_response(400, {"error": "undone"})
        return Response(200, (("X-Mark", " ok "), ("Set-Cookie", "a"), ("Set-Cookie", "b")), b"x" * int(what))


class Worded(KeyValue):
    """A key-value service with its own format of refusals."""

    def refusal(self, status: int, message: str) -> Response:
        return Response(status, (("Content-Type", "text/plain"), ("X-Worded", "yes")), message.encode())


class Office:
    """An office with two key-value services."""

    def __init__(self, base: Mapping[str, Mapping[str, Record]] = BASE, seed: int = 1) -> None:
        self.store = Store(base, NOW, seed)
        self.services: dict[str, Service] = {"kv": KeyValue(), "worded": Worded("worded")}

    def credentials(self) -> Any:
        return {"kv": {"user": "ann", "password": "secret"}}


def open_office() -> Office:
    return Office()
