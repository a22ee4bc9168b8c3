"""The office over real HTTP/1.1: each service at a port of its own on this machine.

    with Serving(office, state="runs/office") as serving:
        print(serving.addresses)

One process has one store, and requests are answered one after another in one event loop, so that every answer is of one
state. The services do not know that they are served: they get a `Request` and return a `Response`.

- `running.Serving` starts and stops it all; `office.Office` is what it is given.
- `server`, `connection` and `wire` speak HTTP, by means of h11; `limits.Limits` bounds what clients may ask for.
- `dispatch` has requests answered; `friction` refuses some before.
- `journal` and `recording` keep what was written: acknowledged is durable, see `journal` for the format.
- `access_log` writes a line for each request.

Answers have no Server header, and their Date is the office's frozen clock, so that equal runs give equal bytes. A
client's Date is not passed on.

Left out: TLS, HTTP/2, WebSockets and other upgrades, compression, trailers of requests (they are read and dropped), and
addresses other than 127.0.0.1. Transfer codings other than chunked are answered with 501. Keep-alive of HTTP/1.0 is not
offered. Bytes in a request line that are not ASCII are taken as percent escapes, but not in requests that are sent
before the answer to the last one has come.
"""

from teller_gym.office.serving.friction import FrictionOptions
from teller_gym.office.serving.limits import Limits
from teller_gym.office.serving.office import Office, Refusing, load_office
from teller_gym.office.serving.running import Serving

__all__ = ["FrictionOptions", "Limits", "Office", "Refusing", "Serving", "load_office"]
