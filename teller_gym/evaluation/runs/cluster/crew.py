"""A run spread over the machines of a Ray cluster; see docs/evaluate/cluster.md."""

from __future__ import annotations

import importlib.util
import os
import pickle
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from teller_gym.base.errors import InfrastructureError, MissingExtraError, OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.base.withheld import Options
from teller_gym.evaluation.runs.cluster.head import Head, Staff
from teller_gym.evaluation.runs.cluster.worker import Order, Secrets
from teller_gym.evaluation.runs.executors import Crew
from teller_gym.evaluation.runs.schedulers import Sink
from teller_gym.evaluation.runs.limits import Gate
from teller_gym.evaluation.runs.parts import Part
from teller_gym.evaluation.runs.play import Planned
from teller_gym.evaluation.runs.players import ENDPOINT, AgentLike

KNOCK_S = 5.0
"""So long a connection to the cluster's head may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterConfig:
    """Distribution of a run over a cluster.

    Attributes:
        address: of the cluster's head, as HOST:PORT; "local" starts a cluster of only this machine; None attaches to
            the one of RAY_ADDRESS or the one last started on this machine, else as "local".
        workers: processes that play, each with an agent of its own.
        cpus_per_worker, gpus_per_worker: resources of each of them; may be fractions.
        concurrency: live episodes of a worker.
        base_urls: endpoints that the workers take in turn; empty leaves the agent's own.
        max_restarts: how often in a row a worker may be started anew without an episode ended.
        wait_s: seconds to wait if no worker can be had at all.
    """

    address: str | None = None
    workers: int = 2
    cpus_per_worker: float = 1
    gpus_per_worker: float = 0
    concurrency: int = 8
    base_urls: tuple[str, ...] = ()
    max_restarts: int = 3
    wait_s: float = 300

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> ClusterConfig:
        """Read the options of configs/cluster/ray.yaml; raises OptionError for a wrong or unknown one."""
        names = [field.name for field in fields(cls)]
        given = dict(options)
        for name in given:
            if name not in names:
                raise OptionError(f"cluster.{name}: expected one of {', '.join(names)}{did_you_mean(name, names)}")
        _expect_texts(given)
        for name in ("workers", "concurrency", "max_restarts"):
            least = 0 if name == "max_restarts" else 1
            value = given.get(name, least)
            if type(value) is not int or value < least:
                raise OptionError(f"cluster.{name}: expected a whole number of {least} or more, got {value!r}")
        for name in ("cpus_per_worker", "gpus_per_worker", "wait_s"):
            value = given.get(name, 0)
            if type(value) not in (int, float) or not 0 <= value < float("inf"):
                raise OptionError(f"cluster.{name}: expected a number of 0 or more, got {value!r}")
        return cls(**{**given, "base_urls": tuple(given.get("base_urls") or ())})


def _expect_texts(given: Mapping[str, Any]) -> None:
    address, urls = given.get("address"), given.get("base_urls")
    if address is not None and not (isinstance(address, str) and address):
        raise OptionError(
            f"cluster.address: expected HOST:PORT, local, or null for the cluster at hand, got {address!r}"
        )
    listed = isinstance(urls, Sequence) and not isinstance(urls, str) and all(isinstance(url, str) for url in urls)
    if urls is not None and not listed:
        raise OptionError(f"cluster.base_urls: expected a list of addresses such as http://node1:8000/v1, got {urls!r}")


class ClusterCrew(Crew):
    """The workers of a cluster; they live as long as a plan is played.

    Args:
        agent: a reference agent's name, a checkpoint, "endpoint", or a factory that the workers can import.

    Raises:
        OptionError: an agent that no other process can make, or base_urls for one that has no endpoint.
        MissingExtraError: Ray is not installed.
    """

    def __init__(
        self, parts: Sequence[Part], agent: AgentLike, agent_kwargs: Mapping[str, Any], config: ClusterConfig
    ) -> None:
        if importlib.util.find_spec("ray") is None:
            raise MissingExtraError("a run on a cluster", "ray")
        self._agent = _portable(agent)
        if config.base_urls and agent != ENDPOINT:
            raise OptionError("cluster.base_urls: expected none unless an endpoint plays: the agent has no address")
        self._parts = tuple(parts)
        self._options = Options(agent_kwargs, getattr(agent_kwargs, "shown", None))
        self._config = config
        if agent == ENDPOINT:
            self._check_endpoints()

    def play(self, plan: Sequence[Planned], sink: Sink, gate: Gate) -> None:
        """See :class:`Crew`. The sink is called only from this thread.

        Raises:
            OptionError: the workers cannot make the agent or the envs, or have another version of this package.
            InfrastructureError: there is no cluster, or no worker of it can be had any more.
        """
        if not plan:
            return
        config = self._config
        staff = Staff(
            orders=[self._order(number) for number in range(min(config.workers, len(plan)))],
            cpus=config.cpus_per_worker,
            gpus=config.gpus_per_worker,
            max_restarts=config.max_restarts,
            wait_s=config.wait_s,
        )
        with connected(config.address):
            Head(plan, staff, sink, gate).run()

    def _check_endpoints(self) -> None:
        """Find a wrong address here, before anything is started or written down."""
        from teller_gym.agents.endpoint import EndpointConfig

        for number in range(max(1, len(self._config.base_urls))):
            EndpointConfig.read(self._order(number).options)

    def _order(self, number: int) -> Order:
        options = Options(self._options, self._options.shown)
        if self._config.base_urls:
            options["base_url"] = self._config.base_urls[number % len(self._config.base_urls)]
        return Order(self._parts, self._agent, options, self._config.concurrency, _secrets(options))


def _portable(agent: AgentLike) -> AgentLike:
    """Return the agent as other processes can make it."""
    if isinstance(agent, str | os.PathLike):
        folder = Path(agent)
        return str(folder.resolve()) if os.fspath(agent) and folder.is_dir() else os.fspath(agent)
    made = not isinstance(agent, type) and any(hasattr(agent, way) for way in ("act", "act_batch", "open"))
    try:
        pickle.dumps(agent)
    except (pickle.PicklingError, AttributeError, TypeError):
        made = True
    if made or not callable(agent):
        raise OptionError(
            "agent: the workers of a cluster make it themselves: expected a reference agent's name, a checkpoint's "
            f"folder, endpoint, or a factory that stands in a module which they can import, got {agent!r}"
        )
    return agent


def _secrets(options: Mapping[str, Any]) -> Secrets:
    """Return the key that an endpoint's agent reads, if this machine has it. It travels in a call to the worker:
    everything in Ray's description of a worker's environment would be written to its logs.
    """
    name = options.get("key_variable")
    return Secrets({name: os.environ[name]} if isinstance(name, str) and name in os.environ else {})


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Be connected to a cluster: to the one that this process has joined already, or until the end of the block.

    Raises:
        InfrastructureError: there is none at the address.
    """
    import ray

    if ray.is_initialized():
        yield
        return
    _knock(address or os.environ.get("RAY_ADDRESS"))
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, TimeoutError, ValueError) as error:
        raise InfrastructureError(
            f"cluster.address={address or 'null'}: no Ray cluster can be joined ({error}); start one with  "
            "ray start --head --port=6379  and give its HOST:6379; RAY_AUTH_MODE has to be the same here as there"
        ) from error
    try:
        yield
    finally:
        ray.shutdown()


def _knock(address: str | None) -> None:
    """See whether anything listens at HOST:PORT. Ray itself tries for minutes and says little.

    Raises:
        InfrastructureError: nothing does.
    """
    try:
        parts = urlsplit(f"//{(address or '').rpartition('://')[2]}")
        host, port = parts.hostname, parts.port
    except ValueError:  # Ray says what is wrong with it
        return
    if host is None or port is None:
        return
    try:
        socket.create_connection((host, port), KNOCK_S).close()
    except OSError as error:
        raise InfrastructureError(
            f"cluster.address={address}: nothing answers there ({error}); start a cluster with  "
            f"ray start --head --port={port}  on {host}, or correct the address"
        ) from None
