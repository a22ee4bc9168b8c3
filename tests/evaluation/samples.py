"""Episode records for the tests of metrics: made by hand, or drawn by hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from teller_gym.evaluation.episodes import ERROR_KINDS, FORMAT, Episode, Kind, Status, Turn
from teller_gym.tasks import CANARY

NAMES = ("look", "check", "price", "submit", "spare")


def turn(kind: str) -> Turn:
    return Turn(action="", kind=kind, tool=None, result="", error=None, reward=0.0, passed=[])


def episode(**values: Any) -> Episode:
    base = Episode(
        format=FORMAT, canary=CANARY, task_id="t-1", scenario="s", split="heldout", agent="a", trial=0, seed=0,
        status=Status.FINISHED, failure=None, outcome="approved", branches={}, success=False, score=0.0,
        reward_terms={}, checkpoints=[], error_counts={}, outputs={}, required_tools=[], invoked_tools=[],
        attempts=0, valid_calls=0, steps=0, tokens=None, tools=[], trace=[], messages=[],
    )  # fmt: skip
    return {**base, **values}  # type: ignore[typeddict-item]


_names = st.lists(st.sampled_from(NAMES), unique=True, max_size=4)
_unit = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)


@st.composite
def episodes(draw: st.DrawFn) -> Episode:
    attempts = draw(st.integers(0, 9))
    return episode(
        task_id=draw(st.sampled_from(["t-1", "t-2", "t-3", "t-4"])),
        status=draw(st.sampled_from(Status)),
        outcome=draw(st.sampled_from(["approved", "denied"])),
        success=draw(st.booleans()),
        score=draw(_unit),
        reward_terms={"checkpoints": draw(_unit), "parameters": draw(_unit)},
        error_counts=draw(st.dictionaries(st.sampled_from(ERROR_KINDS[1:]), st.integers(1, 5), max_size=4)),
        required_tools=draw(_names),
        invoked_tools=draw(_names),
        attempts=attempts,
        valid_calls=draw(st.integers(0, attempts)),
        steps=draw(st.integers(0, 30)),
        tokens=draw(st.none() | st.fixed_dictionaries({"prompt": st.integers(0, 9999), "completion": st.just(5)})),
        trace=[turn(kind) for kind in draw(st.lists(st.sampled_from(Kind), max_size=4))],
    )


def runs() -> st.SearchStrategy[list[Episode]]:
    """Episodes of one run: the trials of a task are numbered."""

    def number(drawn: list[Episode]) -> list[Episode]:
        seen: dict[str, int] = {}
        for one in drawn:
            one["trial"] = seen[one["task_id"]] = seen.get(one["task_id"], -1) + 1
        return drawn

    return st.lists(episodes(), max_size=12).map(number)
