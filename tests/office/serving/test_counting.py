"""Limit on connections, the ones that give way, and a clock that keeps running when one of them fails."""

from __future__ import annotations

import asyncio
import math

import pytest

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving.clients import Clients
from teller_gym.office.serving.limits import ServerLimits


class Stub:
    """A connection with preset behaviour."""

    def __init__(self, service_name: str = "kv", since: float = 0.0, *, idle: bool = True, sent: bool = False) -> None:
        self.service_name = service_name
        self.since = since
        self.deadline = math.inf
        self.is_idle = idle
        self.has_sent = sent
        self.breaks = False
        self.aborted = self.expired = 0

    def expire(self) -> None:
        self.expired += 1
        if self.breaks:
            raise OSError("not connected")
        self.deadline = math.inf

    def abort(self) -> None:
        self.aborted += 1
        self.deadline = math.inf


def aborted(stubs: list[Stub]) -> list[int]:
    return [place for place, stub in enumerate(stubs) if stub.aborted]


def test_the_one_idle_longest_gives_way_unless_a_request_has_come_on_it() -> None:
    clients = Clients(ServerLimits(connections=4), ["kv"])
    stubs = [Stub(since=1, sent=True), Stub(since=0, idle=False), Stub(since=3), Stub(since=2)]
    assert all(map(clients.add, stubs[:3])), "one of four is the service's own, like all others"
    assert clients.add(stubs[3]) and clients.connected == 4 and not aborted(stubs)
    assert clients.add(Stub(since=4, idle=False)) and aborted(stubs) == [3] and clients.connected == 4
    assert clients.add(Stub(since=5, idle=False)) and aborted(stubs) == [2, 3]
    assert not clients.add(Stub(since=6)) and clients.connected == 4
    clients.remove(stubs[0])
    clients.remove(stubs[0])
    assert clients.connected == 3 and clients.add(Stub())


@pytest.mark.parametrize("idle", [False, True])
def test_each_service_has_some_for_itself(idle: bool) -> None:
    clients = Clients(ServerLimits(connections=16), ["kv", "chat"])
    flood = [Stub(since=number, idle=idle) for number in range(20)]
    assert [clients.add(stub) for stub in flood] == [True] * 14 + [idle] * 6
    assert clients.connected == 14
    theirs = [Stub("chat", since=100 + number, idle=False) for number in range(3)]
    assert [clients.add(stub) for stub in theirs] == [True, True, idle], "the third takes the place of an idle one"
    assert clients.add(Stub(since=200)) == idle and not aborted(theirs)


def test_the_clock_goes_on_when_a_connection_cannot_be_ended(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> list[Stub]:
        clients = Clients(ServerLimits(head_s=0.04), ["kv"])
        stubs = [Stub() for _ in range(3)]
        stubs[0].breaks = True
        for stub in stubs:
            clients.add(stub)
        clients.watch()
        for stub in stubs[:2]:
            stub.deadline = 0.0
        await asyncio.sleep(0.1)
        stubs[2].deadline = 0.0
        await asyncio.sleep(0.1)
        return stubs

    stubs = asyncio.run(scene())
    assert [(stub.expired, stub.aborted) for stub in stubs] == [(1, 1), (1, 0), (1, 0)]
    assert "could not be ended" in caplog.text
