"""The pieces of a run on a cluster that need none: options, the ledger, and a worker in this process."""

from __future__ import annotations

import importlib.resources
import time
from collections.abc import Sequence
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.evaluation.records.episode import Episode, key
from teller_gym.evaluation.runs.cluster import ClusterConfig, ClusterCrew
from teller_gym.evaluation.runs.cluster.ledger import LOSSES, Ledger, key_of
from teller_gym.evaluation.runs.cluster.worker import Ended, Order, Secrets, Worker
from teller_gym.evaluation.runs.executors import Here
from teller_gym.evaluation.runs.limits import Gate
from teller_gym.evaluation.runs.parts import Part, Selection
from teller_gym.evaluation.runs.play import Planned
from teller_gym.evaluation.runs.players import Seat, resolve
from teller_gym.evaluation.runs.tasks import Chosen, episode_seed
from tests.evaluation.runs.cluster.agents import Acting, Batched, Chatty


@pytest.fixture(autouse=True)
def stub_env() -> None:
    """The real tasks, not those of the stub."""


def parts_of(n: int) -> list[Part]:
    return Selection(
        env_ids=("Teller-Loans-v0",), splits=("heldout",), n=n, task_ids=None, seed=0, options={}, graph_options={},
        tools="own",
    ).parts()  # fmt: skip


def plan_of(parts: Sequence[Part]) -> list[Planned]:
    return [
        Planned(number, task, 0, episode_seed(0, task.id, 0))
        for number, part in enumerate(parts)
        for task in part.tasks
    ]


def played_here(parts: Sequence[Part], agent: Any) -> list[Episode]:
    """Return the plan's episodes as only this process plays them."""
    found: list[Episode] = []
    Here([Seat(parts, resolve(agent))]).play(plan_of(parts), lambda episode, times: found.append(episode), Gate())
    return found


def test_the_file_has_the_options_and_their_defaults() -> None:
    folder = importlib.resources.files("teller_gym.configs") / "cluster"
    assert ClusterConfig.read(yaml.safe_load((folder / "ray.yaml").read_text("utf-8"))) == ClusterConfig()
    assert yaml.safe_load((folder / "none.yaml").read_text("utf-8")) == {"enabled": False}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"worker": 2}, "did you mean 'workers'"),
        ({"workers": 0}, "cluster.workers: expected a whole number of 1 or more, got 0"),
        ({"workers": True}, "cluster.workers"),
        ({"concurrency": "8"}, "cluster.concurrency"),
        ({"gpus_per_worker": -1}, "cluster.gpus_per_worker"),
        ({"wait_s": float("nan")}, "cluster.wait_s"),
        ({"base_urls": "http://node1:8000/v1"}, "cluster.base_urls: expected a list"),
        ({"address": 6379}, "cluster.address: expected HOST:PORT"),
    ],
)
def test_a_wrong_option_is_refused(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(OptionError, match=expected):
        ClusterConfig.read(options)


@pytest.mark.parametrize("variable", [False, True])
def test_where_no_cluster_is_that_is_told_at_once(monkeypatch: pytest.MonkeyPatch, variable: bool) -> None:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    address = "127.0.0.1:9"
    if variable:
        monkeypatch.setenv("RAY_ADDRESS", address)
    crew = ClusterCrew(parts_of(1), "expert", {}, ClusterConfig(address=None if variable else address))
    began = time.monotonic()
    with pytest.raises(InfrastructureError, match=f"{address}: nothing answers there"):
        crew.play(plan_of(parts_of(1)), lambda episode, times: None, Gate())
    assert time.monotonic() - began < 30  # most of it is importing Ray


def test_what_other_processes_cannot_make_is_refused() -> None:
    for agent in (Acting(None), lambda env: Acting(env)):
        with pytest.raises(OptionError, match="the workers of a cluster make it themselves"):
            ClusterCrew([], agent, {}, ClusterConfig())
    with pytest.raises(OptionError, match=r"cluster\.base_urls"):
        ClusterCrew([], "expert", {}, ClusterConfig(base_urls=("http://node1:8000/v1",)))
    urls = ("http://node1:8000/v1", "http://me:secret@node2:8000/v1")
    with pytest.raises(OptionError, match="base_url") as refusal:
        ClusterCrew([], "endpoint", {"model": "m"}, ClusterConfig(base_urls=urls))
    assert "secret" not in str(refusal.value)


def test_secrets_are_not_shown() -> None:
    order = Order((), "endpoint", {"key_variable": "KEY"}, 1, Secrets(KEY="sk-1234"))
    assert "sk-1234" not in f"{order} {order!r} {order.secrets}"
    assert "KEY" in repr(order.secrets)


TASKS = [Planned(0, Chosen(f"t{number}", "loans", "heldout"), 0, number) for number in range(12)]


@given(st.data())
def test_every_episode_is_done_once_whatever_dies(data: st.DataObject) -> None:
    ledger = Ledger(TASKS)
    held: dict[int, dict[tuple[str, int], Planned]] = {0: {}, 1: {}, 2: {}}
    done: list[str] = []
    losses = dict.fromkeys((planned.task.id for planned in TASKS), 0)
    for _ in range(data.draw(st.integers(0, 60))):
        worker = data.draw(st.sampled_from(sorted(held)))
        what = data.draw(st.sampled_from(("take", "end", "die")))
        if what == "take":
            taken = ledger.take(worker, 4, lambda: True)
            for planned in taken:
                assert all(key_of(planned) not in mine for mine in held.values())
                held[worker][key_of(planned)] = planned
            assert len(held[worker]) <= 4
            close_to_the_end = [one for one in held[worker].values() if losses[one.task.id] == LOSSES - 1]
            assert not close_to_the_end or len(held[worker]) == 1
        elif what == "end" and held[worker]:
            place = data.draw(st.sampled_from(sorted(held[worker])))
            held[worker].pop(place)
            assert ledger.done(worker, place)
            assert not ledger.done(worker, place)
            done.append(place[0])
        elif what == "die":
            for planned in held[worker].values():
                losses[planned.task.id] += 1
            held[worker] = {}
            done += [planned.task.id for planned in ledger.lost(worker)]
        assert [ledger.out(number) for number in held] == [len(mine) for mine in held.values()]
    for worker in held:
        held[worker] = {}
        done += [planned.task.id for planned in ledger.lost(worker)]
    while not ledger.finished:
        for planned in ledger.take(0, 4, lambda: True):
            assert ledger.done(0, key_of(planned))
            done.append(planned.task.id)
    assert sorted(done) == sorted(planned.task.id for planned in TASKS)
    assert ledger.left == 0


def test_no_episode_goes_out_through_a_shut_gate() -> None:
    ledger = Ledger(TASKS)
    allowed = iter([True, True, False])
    assert ledger.take(0, 4, lambda: next(allowed)) == TASKS[:2]
    assert (ledger.out(0), ledger.left) == (2, len(TASKS))


@pytest.mark.parametrize("agent", [Acting, Batched, Chatty, "expert"])
def test_a_worker_plays_what_comes_and_as_one_process_does(agent: Any) -> None:
    parts = parts_of(9)
    plan = plan_of(parts)
    worker = Worker()
    name = worker.open(Order(tuple(parts), agent, {}, 3, Secrets()))
    assert name == getattr(agent, "name", agent)
    ended: list[Ended] = worker.exchange(plan[:4])
    assert 0 < len(ended) <= 4
    ended += worker.exchange(plan[4:])
    while len(ended) < len(plan):
        ended += worker.exchange([])
    worker.close()
    assert all(times.wall_s >= sum(times.turns_s) > 0 for _, times in ended)
    place = {planned.task.id: number for number, planned in enumerate(plan)}
    records = sorted((episode for episode, _ in ended), key=lambda episode: place[episode["task_id"]])
    assert records == played_here(parts, agent)


def test_a_batch_is_filled_while_others_play() -> None:
    parts = parts_of(7)
    agents: list[Batched] = []

    def make(env: Any) -> Batched:
        agents.append(Batched(env))
        return agents[-1]

    worker = Worker()
    worker.open(Order(tuple(parts), make, {}, 3, Secrets()))
    ended = worker.exchange(plan_of(parts))
    while len(ended) < 7:
        ended += worker.exchange([])
    worker.close()
    assert {key(episode)[0] for episode, _ in ended} == {task.id for task in parts[0].tasks}
    assert max(agents[0].sizes) == 3
    assert len(agents[0].sizes) <= 8  # two rounds an episode; one after another they would be 14


def test_chats_are_closed_with_the_worker() -> None:
    parts = parts_of(1)
    agent = Chatty(None)
    worker = Worker()
    worker.open(Order(tuple(parts), lambda env: agent, {}, 2, Secrets()))
    assert len(worker.exchange(plan_of(parts))) == 1
    worker.close()
    assert agent.closed


def test_what_breaks_the_playing_reaches_the_head() -> None:
    parts = parts_of(1)
    worker = Worker()
    worker.open(Order(tuple(parts), "noop", {}, 1, Secrets()))
    with pytest.raises(IndexError):
        worker.exchange([Planned(5, parts[0].tasks[0], 0, 0)])
    worker.close()
    with pytest.raises(OptionError, match="nobody"):
        Worker().open(Order(tuple(parts), "nobody", {}, 1, Secrets()))


def test_without_a_key_nothing_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from teller_gym.evaluation.runs.cluster.crew import _secrets

    monkeypatch.delenv("SOME_KEY", raising=False)
    assert _secrets({"key_variable": "SOME_KEY"}) == _secrets({"key_variable": None}) == _secrets({}) == {}
    monkeypatch.setenv("SOME_KEY", "1234")
    assert _secrets({"key_variable": "SOME_KEY"}) == {"SOME_KEY": "1234"}
