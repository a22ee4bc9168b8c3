"""Cost of evaluation beside a model behind an endpoint: how busy it keeps the endpoint, and its own CPU time.

    python -m benchmarks.harness_speed                  # the table, about two minutes on a quiet machine
    python -m benchmarks.harness_speed --json out.json  # the figures for a program, too
    python -m benchmarks.harness_speed --profile        # where the CPU time goes

Sixteen episodes of Loans at a time, with its 41 tools, against a scripted server in a process of its own that answers
as the expert would, 50 ms after each request. Needs the extras `eval` and `dev`. Run nothing else meanwhile. The exit
status is 0 when every target is met, 1 when one is missed, and 2 for a wrong use.

CPU time per step is what further trials of the same tasks add to a run, divided by their requests, so anything done
once per run (reading tasks, making envs, the bootstrap of the report) is not in it; it has a row of its own. The cost
of bare aiohttp in the same process, for posting the recorded bodies of the same requests and reading their answers, is
subtracted.

A request is in flight from the moment it has been handed to the network until its answer begins; at the server it
counts only once it has been received and until its answer is handed out.
"""

import argparse
import asyncio
import cProfile
import gc
import json
import pstats
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import aiohttp

import teller_gym
from benchmarks.env_speed import ENV_ID, SCENARIO, Row, environment, json_file, show
from teller_gym.agents.base import Dialogue, Reply
from teller_gym.agents.endpoint import EndpointAgent, EndpointConfig
from tests.servers.answers import expert_answers
from tests.servers.running import Running, scripted_server
from tests.servers.schedule import Script
from tests.servers.traffic import Traffic

SPLIT = "heldout"
CONCURRENCY = 16
DELAY_MS = 50.0
TRIALS = 3
"""Of the long run; the short one has a single trial."""

MIN_IN_FLIGHT = 15.0
MAX_HARNESS_MS = 2.0
MAX_LATE_MS = 5.0
"""If the server's answers are later than that, the server is what was measured, or what else the machine is doing."""

_SLOW = "the server is the bottleneck, or the machine is busy; "


class WatchedAgent:
    """The agent for endpoints, with a count of the answers that episodes wait for."""

    def __init__(self, server: Running) -> None:
        options = {"base_url": server.base_url, "model": "scripted", "protocol": "native"}
        self._agent = EndpointAgent(EndpointConfig.read(options))
        self.name = self._agent.name
        self.traffic = Traffic()
        self.sent = Traffic()

    def open(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], seed: int) -> Dialogue:
        """Begin an episode's chat."""
        return WatchedDialogue(self._agent.open(messages, tools, seed), self.traffic)

    async def aclose(self) -> None:
        """Give back the connections."""
        await self._agent.aclose()


class WatchedDialogue:
    """One episode's chat."""

    def __init__(self, dialogue: Dialogue, traffic: Traffic) -> None:
        self._dialogue = dialogue
        self._traffic = traffic

    async def answer(self, results: Sequence[str]) -> Reply:
        """Return the model's next turn."""
        self._traffic.enter(opens=not results)
        _OPENS.set(not results)
        try:
            return await self._dialogue.answer(results)
        finally:
            self._traffic.leave(200, "answer", 0.0)


_OPENS: ContextVar[bool] = ContextVar("_OPENS", default=False)
"""True if the request that is being sent is the first of its episode."""


def tracing(traffic: Traffic) -> Callable[..., aiohttp.ClientSession]:
    """Return a factory of sessions that record when a request has been handed to the network, and when its answer
    begins.
    """

    async def sent(session: aiohttp.ClientSession, context: Any, params: aiohttp.TraceRequestChunkSentParams) -> None:
        traffic.enter(opens=_OPENS.get())

    async def answered(session: aiohttp.ClientSession, context: Any, params: aiohttp.TraceRequestEndParams) -> None:
        traffic.leave(200, "answer", 0.0)

    trace = aiohttp.TraceConfig()
    trace.on_request_chunk_sent.append(sent)
    trace.on_request_end.append(answered)
    return partial(aiohttp.ClientSession, trace_configs=[trace])


class Run(NamedTuple):
    """One evaluation, or one round of the bare client."""

    cpu_s: float
    """Of this process, all threads."""
    requests: int
    server: dict[str, Any]
    """See tests/servers/traffic.py."""
    in_flight: float
    """From handing a request to the network until its answer begins (bare: the server's)."""
    waiting: float
    """From handing a request to the client until its answer is read (bare: the server's)."""


class Round(NamedTuple):
    """Measurements of one repeat; times in milliseconds of CPU."""

    step: float
    client: float
    once: float
    long: Run
    bare: Run

    @property
    def harness(self) -> float:
        """The rest of a step without the client."""
        return self.step - self.client


def evaluated(server: Running, trials: int) -> Run:
    """Evaluate the server's model.

    Raises:
        RuntimeError: an episode did not go as the expert plays it, so that something else would be measured.
    """
    agent = WatchedAgent(server)
    with tempfile.TemporaryDirectory() as folder:
        gc.collect()
        server.mark()
        start = time.process_time()
        with patch("aiohttp.ClientSession", tracing(agent.sent)):
            report = teller_gym.evaluate(
                agent, ENV_ID, SPLIT, trials=trials, concurrency=CONCURRENCY, run_dir=Path(folder) / "run",
                progress=False,
            )  # fmt: skip
        seconds, counts = time.process_time() - start, server.mark()
    score = report.metrics["score"].value
    if report.counted != report.planned or score != 1.0:
        raise RuntimeError(f"expected {report.planned} episodes of score 1.0, got {report.counted} of {score}")
    in_flight, waiting = (one.stats()["average_before_tail"] for one in (agent.sent, agent.traffic))
    return Run(seconds, counts["requests"], counts, in_flight, waiting)


def posted(server: Running, bodies: Sequence[bytes]) -> Run:
    """Post recorded requests with nothing but aiohttp, as many at a time."""
    gc.collect()
    server.mark()
    start = time.process_time()
    asyncio.run(_post(f"{server.base_url}/chat/completions", bodies))
    seconds, counts = time.process_time() - start, server.mark()
    return Run(seconds, counts["requests"], counts, counts["average_before_tail"], counts["average_before_tail"])


async def _post(url: str, bodies: Sequence[bytes]) -> None:
    left = iter(bodies)
    headers = {"Content-Type": "application/json"}

    async def work(session: aiohttp.ClientSession) -> None:
        for body in left:
            async with session.post(url, data=body, headers=headers) as answer:
                await answer.read()
                answer.raise_for_status()

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=CONCURRENCY)) as session:
        await asyncio.gather(*(work(session) for _ in range(CONCURRENCY)))


def one_round(server: Running, bodies: Sequence[bytes]) -> Round:
    """Measure once: a short run, a long one and the bare client."""
    short, long, bare = evaluated(server, 1), evaluated(server, TRIALS), posted(server, bodies)
    step = (long.cpu_s - short.cpu_s) / (long.requests - short.requests)
    once = short.cpu_s - step * short.requests
    return Round(1000 * step, 1000 * bare.cpu_s / bare.requests, 1000 * once, long, bare)


def rows_of(rounds: Sequence[Round]) -> list[Row]:
    """Return the table: medians over the rounds."""

    def median(values: Sequence[float]) -> float:
        return statistics.median(values)

    def spread(values: Sequence[float]) -> str:
        return f"{min(values):.2f} to {max(values):.2f} in {len(values)} runs"

    at_server = [one.long.server["average_before_tail"] for one in rounds]
    flights = [one.long.in_flight for one in rounds]
    waiting = [one.long.waiting for one in rounds]
    ceilings = [one.bare.server["average_before_tail"] for one in rounds]
    late = [one.long.server["late_ms"] for one in rounds]
    cores = [one.long.server["cpu_s"] / one.long.server["seconds"] for one in rounds]
    harness, steps, clients, once = ([getattr(one, name) for one in rounds] for name in _PARTS)
    in_flight, cost = median(flights), median(harness)
    slow = median(late) > MAX_LATE_MS
    return [
        Row(f"requests in flight of {CONCURRENCY}, until the last episode starts", in_flight, "requests",
            f"≥ {MIN_IN_FLIGHT:g}", in_flight >= MIN_IN_FLIGHT, spread(flights)),
        Row("the same, with what waits in the process", median(waiting), "requests", "reported", None, spread(waiting)),
        Row("the same, at the server", median(at_server), "requests", "reported", None, spread(at_server)),
        Row("of the bare client, at the server", median(ceilings), "requests", "reported", None, spread(ceilings)),
        Row("harness, CPU a step", cost, "ms", f"< {MAX_HARNESS_MS:g}", cost < MAX_HARNESS_MS, spread(harness)),
        Row("whole evaluating process, CPU a step", median(steps), "ms", "reported", None, spread(steps)),
        Row("bare client, CPU a request", median(clients), "ms", "reported", None, spread(clients)),
        Row("set-up and report, CPU once a run", median(once), "ms", "reported", None, spread(once)),
        Row("answers later than the server was told", median(late), "ms", "reported", None,
            f"{_SLOW if slow else ''}the server used {median(cores):.0%} of a core"),
    ]  # fmt: skip


_PARTS = ("harness", "step", "client", "once")


def profile(server: Running, top: int) -> None:
    """Print the functions in which a run spends its time; the scripted answers take none of it."""
    evaluated(server, 1)
    profiler = cProfile.Profile()
    profiler.enable()
    evaluated(server, TRIALS)
    profiler.disable()
    for order in ("tottime", "cumulative"):
        pstats.Stats(profiler).strip_dirs().sort_stats(order).print_stats(top)


def recorded(script: Script) -> list[bytes]:
    """Return the bodies of the requests that one trial leads to; everything that is loaded once is loaded by
    it, too.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bodies.jsonl"
        recording = Script(answers=script.answers, record=str(file))
        with scripted_server(recording) as server:
            evaluated(server, 1)
        return file.read_bytes().splitlines()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=json_file, metavar="FILE", help="write the figures to this file, too")
    parser.add_argument("--profile", action="store_true", help="show where the time goes, instead of the table")
    parser.add_argument("--top", type=int, default=40, help="functions that --profile shows (default 40)")
    parser.add_argument("--repeats", type=int, default=5, help="runs to take the medians of (default 5)")
    options = parser.parse_args(arguments)
    if min(options.repeats, options.top) < 1:
        parser.error("--repeats and --top must be at least 1")

    script = Script(answers=expert_answers(SCENARIO, SPLIT), delay_ms=DELAY_MS)
    bodies = recorded(script)
    with scripted_server(script) as server:
        if options.profile:
            profile(server, options.top)
            return 0
        rounds = [one_round(server, bodies) for _ in range(options.repeats)]
    rows = rows_of(rounds)
    size = sum(map(len, bodies)) / len(bodies) / 1024
    print(f"{len(bodies)} requests a trial of {size:.0f} KiB each, answered after {DELAY_MS:g} ms\n")
    show(rows)
    if options.json:
        packages = {**environment()["packages"], "aiohttp": metadata.version("aiohttp")}
        figures = {"environment": {**environment(), "packages": packages}, "rows": [row._asdict() for row in rows]}
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if all(row.met is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
