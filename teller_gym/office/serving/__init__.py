"""Serves the office over HTTP/1.1, with a port for each service.

    with Serving(office, state="runs/office") as serving:
        print(serving.addresses)

uvicorn handles HTTP. One process has one store, and requests are answered one after another in one event loop, so that
every response reflects one state. Services get a `Request` and return a `Response`, as without a server.

- `lifecycle.Serving` starts and stops everything; `office.Office` is the protocol of an office.
- `app` wraps a service as an ASGI application; `messages` converts requests and responses.
- `dispatch` passes requests to the services; `friction` rejects some of them.
- `journal` and `changes` save all changes before they are acknowledged.
- `access_log` writes a line for each request.

Responses have no Server header, and their Date is the office's frozen clock, so that equal runs give equal bytes. A
client's Date is not passed on. TLS, HTTP/2, WebSockets and compression are not supported.
"""

from teller_gym.office.serving.friction import FrictionOptions
from teller_gym.office.serving.lifecycle import Serving
from teller_gym.office.serving.office import Office, load_office
from teller_gym.office.web import Refusing

__all__ = ["FrictionOptions", "Office", "Refusing", "Serving", "load_office"]
