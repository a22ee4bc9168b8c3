"""Sample records, configurations and run folders, and hypothesis strategies for records."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from teller_gym.evaluation.measures.root_causes import FAULTS
from teller_gym.evaluation.records.episode import (
    ERROR_KINDS,
    FORMAT,
    Episode,
    FaultRecord,
    GraphRecord,
    Kind,
    Status,
    Turn,
    json_text,
)
from teller_gym.stage1.metrics import METRICS as GRAPH_METRICS
from teller_gym.tasks.store import CANARY

NAMES = ("look", "check", "price", "submit", "spare")


def turn(kind: str) -> Turn:
    return Turn(action="", kind=kind, tool=None, result="", error=None, reward=0.0, passed=[], original=None, model={})


def fault(kind: str, tool: str, argument: str | None = None, **values: Any) -> FaultRecord:
    """Return a fault, by default at the first step; `expected` and `got` are given as objects, not as JSON."""
    values |= {name: json_text(values[name]) for name in ("expected", "got") if name in values}
    base = FaultRecord(
        step=0,
        kind=kind,
        tool=tool,
        argument=argument,
        clause=None,
        field=None,
        expected=None,
        got=None,
        reason="so",
        made_good=False,
    )
    return {**base, **values}  # type: ignore[typeddict-item]


def episode(**values: Any) -> Episode:
    """Return an episode of stage 2; a success is accurate and clean by default."""
    base = Episode(
        format=FORMAT, canary=CANARY, task_id="t-1", scenario="s", stage=2, split="heldout", agent="a", trial=0, seed=0,
        status=Status.FINISHED, failure=None, outcome="approved", branches={}, difficulty=0.5,
        accurate=False, success=False, clean=False, score=0.0, reward_terms={}, checkpoints=[], faults=[],
        error_counts={}, outputs={}, required_tools=[], invoked_tools=[],
        attempts=0, valid_calls=0, steps=0, tokens=None, tools=[], graph=None, trace=[], messages=[],
    )  # fmt: skip
    success = values.get("success", False)
    return {**base, "accurate": success, "clean": success, **values}  # type: ignore[typeddict-item]


def graph_episode(**values: Any) -> Episode:
    """Return an episode of stage 1; `terms` sets some of its metrics, by default 0, `graph` fields of the answer."""
    terms = {**dict.fromkeys(GRAPH_METRICS, 0.0), **values.pop("terms", {})}
    graph = GraphRecord(nodes=[], edges=[], readable=True, cyclic=False, problems=[])
    graph = {**graph, **values.pop("graph", {})}
    base = {"task_id": "g-1", "stage": 1, "outcome": "", "difficulty": None, "reward_terms": terms, "graph": graph}
    return episode(**{**base, **values})


def part(episodes: Iterable[Episode], **values: Any) -> dict[str, Any]:
    """Return the part of run.json for these episodes, which have one scenario and stage."""
    episodes = list(episodes)
    first = episodes[0]
    splits = list(dict.fromkeys(one["split"] for one in episodes))
    title = "".join(word.title() for word in first["scenario"].split("_")) + ("Graph" if first["stage"] == 1 else "")
    base = {
        "env": f"Teller-{title}-v0", "scenario": first["scenario"], "stage": first["stage"], "splits": splits,
        "options": {"split": splits[0]}, "tools": "own", "frozen_sha256": "0" * 64,
        "task_ids": list(dict.fromkeys(one["task_id"] for one in episodes)),
    }  # fmt: skip
    return {**base, **values}


def config(episodes: Sequence[Episode], **values: Any) -> dict[str, Any]:
    """Return the run.json of a run with these episodes."""
    groups: dict[tuple[str, int], list[Episode]] = {}
    for one in episodes:
        groups.setdefault((one["scenario"], one["stage"]), []).append(one)
    base = {
        "format": FORMAT, "canary": CANARY, "teller_gym": "0", "agent": {"name": "a", "kind": "reference"},
        "parts": [part(members) for members in groups.values()],
        "trials": max((one["trial"] for one in episodes), default=0) + 1, "seed": 0,
    }  # fmt: skip
    return {**base, **values}


def write_run(path: Path, episodes: Sequence[Episode], **values: Any) -> Path:
    """Write a run folder with these episodes, each of which took a second; `values` are for run.json."""
    path.mkdir(parents=True)
    (path / "run.json").write_text(json.dumps(config(episodes, **values)))
    times = [{"task_id": one["task_id"], "trial": one["trial"], "wall_s": 1.0} for one in episodes]
    _write_lines(path / "episodes.jsonl", episodes)
    _write_lines(path / "times.jsonl", times)
    return path


def _write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


_names = st.lists(st.sampled_from(NAMES), unique=True, max_size=4)
_unit = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)
_tokens = st.none() | st.fixed_dictionaries({"prompt": st.integers(0, 9999), "completion": st.just(5)})
_tasks = st.sampled_from(["t-1", "t-2", "t-3", "t-4"])
_right = st.sampled_from(
    [dict(zip(("accurate", "success", "clean"), [*[True] * n, *[False] * (3 - n)], strict=True)) for n in range(4)]
)
_faults = st.builds(
    fault,
    st.sampled_from(sorted(map(str, FAULTS))),
    st.sampled_from(NAMES),
    st.sampled_from([None, "amount", "date"]),
    step=st.integers(0, 4),
    clause=st.sampled_from([None, "5.2", "5.10"]),
    field=st.sampled_from([None, "applications.income"]),
    made_good=st.booleans(),
)
SCENARIO_OF = {"t-1": "s", "t-2": "s", "t-3": "r", "t-4": "r"}


@st.composite
def episodes(draw: st.DrawFn) -> Episode:
    attempts = draw(st.integers(0, 9))
    task_id = draw(_tasks)
    return episode(
        task_id=task_id,
        scenario=SCENARIO_OF[task_id],
        status=draw(st.sampled_from(Status)),
        outcome=draw(st.sampled_from(["approved", "denied"])),
        branches=draw(st.dictionaries(st.sampled_from(["route", "check"]), st.sampled_from("xy"), max_size=2)),
        difficulty=draw(_unit),
        **draw(_right),
        faults=draw(st.lists(_faults, max_size=4)),
        score=draw(_unit),
        reward_terms={"checkpoints": draw(_unit), "parameters": draw(_unit)},
        error_counts=draw(st.dictionaries(st.sampled_from(ERROR_KINDS[1:]), st.integers(1, 5), max_size=4)),
        required_tools=draw(_names),
        invoked_tools=draw(_names),
        attempts=attempts,
        valid_calls=draw(st.integers(0, attempts)),
        steps=draw(st.integers(0, 30)),
        tokens=draw(_tokens),
        trace=[turn(kind) for kind in draw(st.lists(st.sampled_from(Kind), max_size=4))],
    )


@st.composite
def graph_episodes(draw: st.DrawFn) -> Episode:
    task_id = draw(_tasks)
    return graph_episode(
        task_id=f"g-{task_id}",
        scenario=SCENARIO_OF[task_id],
        status=draw(st.sampled_from(Status)),
        success=draw(st.booleans()),
        score=draw(_unit),
        terms={name: draw(_unit) for name in GRAPH_METRICS},
        graph={"readable": draw(st.booleans()), "cyclic": draw(st.booleans())},
        tokens=draw(_tokens),
    )


def runs(one: st.SearchStrategy[Episode] | None = None) -> st.SearchStrategy[list[Episode]]:
    """Draw the episodes of a run with numbered trials; `one` draws an episode, by default of stage 2."""

    def number(drawn: list[Episode]) -> list[Episode]:
        seen: dict[str, int] = {}
        for one in drawn:
            one["trial"] = seen[one["task_id"]] = seen.get(one["task_id"], -1) + 1
        return drawn

    return st.lists(episodes() if one is None else one, max_size=12).map(number)
