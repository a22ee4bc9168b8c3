"""ServerLimits on the size and duration of requests."""

from __future__ import annotations

import msgspec

from teller_gym.office.web import MAX_BODY


class ServerLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of a server; sizes in bytes, times in seconds.

    Attributes:
        body: of a request; more is answered with 413.
        target: of a request line's target; more is answered with 414. RFC 9110 asks for 8,000 at least.
        head: of a request's header fields, names and values together; more is answered with 431.
        fields: number of a request's header fields; more is answered with 431. Apache has the same default.
        connections: of all services together; above it, the connection that has been idle longest is closed, and a new
            one is refused with 503 if none is idle. A quarter is reserved, evenly among the services, so that flooding
            one leaves the others theirs. Below 1,024, the number of files that a process usually may open.
        buffered: of the bodies that are being received, all together; more is answered with 503.
        head_s: from a request's first byte, or from the connection's beginning, to the end of its header.
        body_s: from there to the end of its body.
        idle_s: between two requests of a connection.
        send_s: in which a client takes an answer that does not fit into the system's buffers.
        linger_s: in which a client may read the last answer of a connection before it is closed.
        stop_s: in which requests under way may end when the server stops.
    """

    body: int = MAX_BODY
    target: int = 8 * 1024
    head: int = 32 * 1024
    fields: int = 100
    connections: int = 900
    buffered: int = 256 * 1024 * 1024
    head_s: float = 10.0
    body_s: float = 60.0
    idle_s: float = 75.0
    send_s: float = 60.0
    linger_s: float = 2.0
    stop_s: float = 2.0
