"""Prepares an episode's data for the pages: its row in the list, and its own page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from teller_gym.evaluation.measures.root_causes import cause_of, consequences, name_of, root_cause
from teller_gym.evaluation.measures.stage2 import errors_shown
from teller_gym.evaluation.records.episode import Episode, FaultRecord, Status, Times, Turn
from teller_gym.grading.rubric import FINISH
from teller_gym.procedure.graph import Graph
from teller_gym.tools.parse import readable_call
from teller_gym.viewer.path_taken import path_taken
from teller_gym.viewer.reconstruction import compared

MOST_SEARCHED = 1_000
"""Maximum length of the final action's searchable part in characters."""
_REASON = re.compile(r"expected (.*), (?:got (.*)|nothing was submitted)", re.DOTALL)

Keep = Callable[[str], int]
"""Function that stores a text shared by many episodes and returns its number."""


def row(episode: Episode) -> dict[str, Any]:
    """Return an episode's columns in the list, by name."""
    valid = episode["status"] != Status.INVALID
    trace = episode["trace"]
    tokens = episode["tokens"]
    return {
        "task": episode["task_id"],
        "trial": episode["trial"],
        "scenario": episode["scenario"],
        "stage": episode["stage"],
        "split": episode["split"],
        "outcome": episode["outcome"],
        "status": episode["status"],
        "score": episode["score"] if valid else None,
        "accurate": episode["accurate"] if valid else None,
        "success": episode["success"] if valid else None,
        "clean": episode["clean"] if valid else None,
        "cause": cause_of(episode),
        "steps": episode["steps"] if valid else None,
        "tokens": tokens["prompt"] + tokens["completion"] if tokens else None,
        "errors": errors_shown(episode),
        "tools": list(dict.fromkeys(turn["original"] or turn["tool"] for turn in trace if turn["tool"])),
        "final": trace[-1]["action"][:MOST_SEARCHED] if trace else (episode["failure"] or "")[:MOST_SEARCHED],
    }


def detail(episode: Episode, graph: Graph | None, keep: Keep, times: Times | None = None) -> dict[str, Any]:
    """Return the data of an episode's page.

    Args:
        episode: record of the episode.
        graph: graph of the episode's procedure; None if it is unknown here.
        keep: function that stores the system prompt and the request, which other episodes may share.
        times: times of the episode, if known.
    """
    turns = times.turns_s if times is not None else ()
    crashes = {defect["step"]: defect["crash"] for defect in episode.get("defects", ())}
    root = root_cause(episode)
    prompt = [message for message in episode["messages"][:2] if message.get("role") in ("system", "user")]
    shown: dict[str, Any] = {
        "seed": episode["seed"],
        "agent": episode["agent"],
        "failure": episode["failure"],
        "branches": episode["branches"],
        "difficulty": episode["difficulty"],
        "terms": episode["reward_terms"],
        "prompt": [[message["role"], keep(_text(message.get("content")))] for message in prompt],
        "steps": [
            _step(turn, turns[i] if i < len(turns) else None, crashes.get(i)) for i, turn in enumerate(episode["trace"])
        ],
        "wall_s": None if times is None else times.wall_s,
        "cause": None if root is None else _fault(root),
        "consequences": [_fault(fault) for fault in consequences(episode)],
        "made_good": [_fault(fault) for fault in episode["faults"] if fault["made_good"] and fault is not root],
        "checks": [_check(row) for row in episode["checkpoints"] if not row["checkpoint"].startswith("field:")],
        "fields": _fields(episode),
        "tokens": episode["tokens"],
        "tools": episode["tools"],
        "required": episode["required_tools"],
    }
    if episode["stage"] == 1:
        answer = episode["graph"]
        shown["answer"] = {"problems": answer["problems"], "readable": answer["readable"]} if answer else None
        shown["graph"] = compared(answer, graph)
    elif episode["status"] != Status.INVALID:
        shown["path"] = path_taken(episode, graph)
    return shown


def _fault(fault: FaultRecord) -> dict[str, Any]:
    return {
        "name": name_of(fault),
        "step": fault["step"] + 1,
        "clause": fault["clause"],
        "field": fault["field"],
        "expected": fault["expected"] or "null",
        "got": fault["got"] or "null",
        "reason": fault["reason"],
    }


def _step(turn: Turn, seconds: float | None, crash: str | None = None) -> dict[str, Any]:
    call = readable_call(turn["action"]) if turn["tool"] is not None else None
    step: dict[str, Any] = {
        "action": turn["action"],
        "kind": turn["kind"],
        "tool": turn["tool"],
        "original": turn["original"],
        "result": turn["result"],
        "error": turn["error"],
        "reward": turn["reward"],
        "passed": turn["passed"],
        "model": turn["model"],
        "seconds": seconds,
    }
    if crash is not None:
        step["defect"] = crash
    arguments = _json(call.arguments) if call else None
    if call is not None and arguments is not None:
        step |= {"words": call.words, "arguments": arguments}
    return step


def _json(value: Any) -> str | None:
    """Return a value as JSON text, or None if it is nested too deeply or has a number that is too long."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return None


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)


def _check(row: Any) -> dict[str, Any]:
    kind, _, name = row["checkpoint"].partition(":")
    label = "review submitted" if row["checkpoint"] == FINISH else name if kind == "call" else row["checkpoint"]
    return {"id": row["checkpoint"], "label": label, "passed": row["passed"], "reason": row["reason"]}


def _fields(episode: Episode) -> list[dict[str, Any]]:
    """Return the output fields with expected and actual values, parsed from the reasons of the checkpoints."""
    fields = []
    for row in episode["checkpoints"]:
        if row["checkpoint"].startswith("field:"):
            told = _REASON.fullmatch(row["reason"])
            fields.append(
                {
                    "name": row["checkpoint"].removeprefix("field:"),
                    "passed": row["passed"],
                    "expected": told[1] if told else None,
                    "got": told[2] if told else None,
                    "reason": row["reason"],
                }
            )
    return fields
