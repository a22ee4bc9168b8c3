"""Run folders for the tests of reports, with names and texts that need escaping."""

import json
from pathlib import Path
from typing import Any

from teller_gym.evaluation.records.episode import Episode, FaultRecord, Kind, Status
from tests.evaluation.samples import episode, fault, graph_episode, turn, write_run

ODD = '_<b>&"amp;$x$\\|%#{}~^[*`\u00e9'
"""An agent's name with characters that are special in some format."""

TOOLS = ["look", "check", "submit"]


def executions(scenario: str = "loans", *, good: int = 3, trials: int = 1, count: int = 6) -> list[Episode]:
    """Return episodes of stage 2 in which the first `good` tasks succeed, the very first only in its first trial."""
    return [
        episode(
            task_id=f"{scenario}-{i:04}", scenario=scenario, trial=trial, success=i < good and (trial == 0 or i > 0),
            score=0.5 + 0.5 * (i < good), outcome="approve" if i % 2 else "deny", difficulty=i / count,
            branches={"route": "short" if i % 3 else "long_way"}, required_tools=TOOLS,
            invoked_tools=TOOLS if i < good else TOOLS[:1], attempts=3, valid_calls=2 + i % 2, steps=3,
            error_counts={} if i < good else {"type": 1, "order": 1}, trace=[turn(Kind.CALL)],
            faults=[] if i < good and (trial == 0 or i > 0) else faults(i),
            reward_terms={"checkpoints": 0.5, "parameters": 0.25}, tokens={"prompt": 1000, "completion": 100},
        )
        for i in range(count)
        for trial in range(trials)
    ]  # fmt: skip


def faults(i: int) -> list[FaultRecord]:
    """Return a wrong value, or a failed call in every third task, and a consequence."""
    later = fault("wrong_output", "submit", "amount", step=0, clause="5.9")
    if i % 3 == 0:
        return [fault("failed_call", ODD, clause="5.10"), later]
    return [fault("wrong_value", "check", "exclusions", clause="5.2", field="look.rows"), later]


def graphs(scenario: str = "loans", value: float = 0.5, trials: int = 1) -> list[Episode]:
    return [
        graph_episode(
            task_id=f"{scenario}-graph-{i}",
            scenario=scenario,
            trial=trial,
            terms={"edge_f1": value, "path_overlap": value},
        )
        for i in range(4)
        for trial in range(trials)
    ]


def agent(name: str, **values: Any) -> dict[str, Any]:
    return {"name": name, "kind": "endpoint", "options": {"model": name}, **values}


def two_runs(folder: Path) -> list[Path]:
    """Write a run with two scenarios, stages and trials, and an unfinished one with one of each, named ODD."""
    whole = [
        *graphs(trials=2),
        *executions(trials=2),
        *graphs("errands", trials=2),
        *executions("errands", good=1, trials=2),
    ]
    first = write_run(folder / "first", whole, agent=agent("first", prices={"prompt": 2.0, "completion": 10.0}))
    provenance = {"started": "2026-01-01T00:00:00+00:00", "command": ["teller-gym", "eval"], "git": {"revision": "f00"}}
    (first / "provenance.jsonl").write_text(json.dumps(provenance) + "\n")
    other = executions(good=2)
    other[5]["status"] = Status.INVALID
    second = write_run(folder / "second", other, agent=agent(ODD))
    lines = (second / "episodes.jsonl").read_text().splitlines(keepends=True)
    (second / "episodes.jsonl").write_text("".join(lines[:2] + lines[3:]))
    return [first, second]
