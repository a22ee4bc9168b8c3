"""The office over HTTP/1.1, with a port for each service.

    with Serving(office, state="runs/office") as serving:
        print(serving.addresses)

One process has one store, and requests are answered one after another in one event loop, so that every answer is of one
state. Services get a `Request` and return a `Response`, as without a server.

- `lifecycle.Serving` starts and stops everything; `office.Office` is the protocol of an office.
- `server` runs uvicorn for each port, and `app` wraps a service as an ASGI application, using starlette.
- `connection` is uvicorn's connection with the limits that uvicorn leaves to a server in front of it; `clients` counts
  and times all connections; `limits.ServerLimits` bounds requests and connections.
- `dispatch` passes requests to the services; `friction` refuses some of them; `messages` translates.
- `journal` and `changes` save what was written, before it is acknowledged.
- `access_log` writes a line for each request.

Answers have no Server header, and their Date is the office's frozen clock, so that equal runs give equal bytes. A
client's Date is not passed on. Every refusal, even of invalid HTTP, has the service's own body.

Not supported: TLS, HTTP/2, WebSockets and other upgrades, compression, and trailers of requests (read and dropped).
Transfer codings other than chunked are answered with 501. Keep-alive of HTTP/1.0 is not offered. Non-ASCII bytes in a
request line are taken as percent escapes, except in requests sent before the previous one has been answered.
"""

from teller_gym.office.serving.friction import FrictionOptions
from teller_gym.office.serving.lifecycle import Serving
from teller_gym.office.serving.limits import ServerLimits
from teller_gym.office.serving.office import Office, Refusing, load_office

__all__ = ["FrictionOptions", "Office", "Refusing", "ServerLimits", "Serving", "load_office"]
