"""Runs on a real Ray cluster of several nodes, all on this machine."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.evaluation.records.episode import Episode, Status, Times
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.evaluation.runs.cluster import ClusterConfig, ClusterCrew
from teller_gym.evaluation.runs.limits import Gate, Limits
from tests.evaluation.runs.cluster.agents import Deadly, Slow, broken
from tests.evaluation.runs.cluster.test_parts import parts_of, plan_of, played_here
from tests.servers.answers import expert_answers
from tests.servers.running import REPO, scripted_server
from tests.servers.schedule import Script

pytestmark = pytest.mark.slow

NODE = {"object_store_memory": 100_000_000, "include_dashboard": False}


@pytest.fixture(autouse=True)
def stub_env() -> None:
    """The real tasks, not those of the stub."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head that plays nothing, and one node with room for two workers."""
    import ray
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTHONPATH", str(REPO))
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        environment.setenv("RAY_AUTH_MODE", "disabled")  # no token of the machine's user is made or needed
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **NODE})
        try:
            made.add_node(num_cpus=2, **NODE)
            ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
            yield made
        finally:
            ray.shutdown()
            made.shutdown()


def play(agent: Any, n: int, gate: Gate | None = None, **options: Any) -> dict[str, Episode]:
    """Play tasks on the cluster; the records by task."""
    parts = parts_of(n)
    found: dict[str, Episode] = {}

    def sink(episode: Episode, times: Times) -> None:
        assert episode["task_id"] not in found
        found[episode["task_id"]] = episode

    crew = ClusterCrew(parts, agent, {}, ClusterConfig.read(options))
    crew.play(plan_of(parts), sink, gate or Gate())
    return found


def as_bytes(episodes: list[Episode]) -> list[bytes]:
    return sorted(json.dumps(episode).encode() for episode in episodes)


def test_a_node_that_dies_costs_no_episode(cluster: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    doomed = cluster.add_node(num_cpus=1, **NODE)
    cluster.wait_for_nodes()
    parts, found = parts_of(40), []

    def sink(episode: Episode, times: Times) -> None:
        found.append(episode)
        if len(found) == 8:
            cluster.remove_node(doomed, allow_graceful=False)

    slow = partial(Slow, folder=str(tmp_path), nodes=2)
    with caplog.at_level(logging.WARNING):
        ClusterCrew(parts, slow, {}, ClusterConfig(workers=3, concurrency=2)).play(plan_of(parts), sink, Gate())
    assert len({episode["task_id"] for episode in found}) == len(found) == 40
    assert as_bytes(found) == as_bytes(played_here(parts, "expert"))
    (lost,) = [record.getMessage() for record in caplog.records if "is lost" in record.getMessage()]
    assert re.search("; [123] episodes of it go to others", lost)


def test_only_the_episode_that_kills_its_workers_is_given_up(cluster: Any) -> None:
    deadly = parts_of(12)[0].tasks[3].id
    found = play(partial(Deadly, task_id=deadly), 12, workers=2, concurrency=2)
    assert len(found) == 12
    assert [name for name, episode in found.items() if episode["status"] == Status.INVALID] == [deadly]
    failure = found[deadly]["failure"]
    assert failure is not None
    assert "3 workers were lost with this episode" in failure


def test_an_agent_that_cannot_be_made_is_told_of(cluster: Any) -> None:
    with pytest.raises(OptionError, match="nobody"):
        play("nobody", 3)
    with pytest.raises(InfrastructureError, match="RuntimeError: the weights are torn"):
        play(broken, 3, workers=1, max_restarts=1)


def test_in_vain_is_waited_for_so_long_and_no_longer(cluster: Any) -> None:
    began = time.monotonic()
    with pytest.raises(InfrastructureError, match=r"waited 2 s for a worker with 1 CPU and 1 GPU; .* 3 episodes are"):
        play("expert", 3, gpus_per_worker=1, wait_s=2)
    assert time.monotonic() - began < 30


def test_a_limit_lets_what_is_under_way_end(cluster: Any) -> None:
    gate = Gate(Limits(hours=1e-9))
    assert play("expert", 10, gate, workers=1, concurrency=2) == {}
    assert gate.running == 0


def test_workers_take_the_endpoints_in_turn(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    secret = "key-4f9a1c77e2"
    monkeypatch.setenv("KEY_OF_THE_TEST", secret)
    script = Script(answers=expert_answers("loans", "heldout"), key=secret, delay_ms=5)
    with ExitStack() as stack:
        servers = [stack.enter_context(scripted_server(script)) for _ in range(2)]
        report = teller_gym.evaluate(
            "endpoint",
            "Teller-Loans-v0",
            n=12,
            run_dir=tmp_path,
            agent_kwargs={"model": "scripted", "key_variable": "KEY_OF_THE_TEST"},
            cluster={"workers": 2, "concurrency": 2, "base_urls": [server.base_url for server in servers]},
            progress=False,
        )
        assert all(server.stats()["requests"] > 12 for server in servers)
    assert (report.counted, report.metrics["accuracy"].value) == (12, 1.0)
    _, episodes, times = load_run(tmp_path)
    assert len(episodes) == len(times) == 12
    logs = Path(ray._private.worker._global_node.get_session_dir_path())
    written = [file for folder in (logs, tmp_path) for file in folder.rglob("*") if file.is_file()]
    assert any("worker" in file.name for file in written)
    assert not [file for file in written if secret.encode() in file.read_bytes()]
