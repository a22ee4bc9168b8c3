"""Every field of a record has the same type in all lines, so that columnar readers accept the file."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teller_gym.evaluation import evaluate
from teller_gym.evaluation.records.run_folder import encode, read_lines
from tests.evaluation.samples import episode, fault

LOANS = "Teller-Loans-v0"
VALUES: tuple[Any, ...] = (None, "approve", 7, 0.5, True, {"a": 1}, {"a": "x"}, [1], [])


class Wild:
    """Calls a tool with arguments of every type, then ends the episode."""

    name = "wild"

    def reset(self) -> None:
        self._left = [{"name": "get_application_data", "arguments": {"application_id": value}} for value in VALUES]

    def act(self, obs: Any, info: Any) -> str:
        return json.dumps(self._left.pop()) if self._left else "That is all."


def types(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every path in a record with the type of its value; integers and floats are both numbers."""
    if value is None:
        return
    yield path, "number" if type(value) in (int, float) else type(value).__name__
    if isinstance(value, dict):
        for name, one in value.items():
            yield from types(one, f"{path}.{name}")
    if isinstance(value, list):
        for one in value:
            yield from types(one, f"{path}[]")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return one file with the episodes of several agents over several scenarios."""
    folder, lines = tmp_path_factory.mktemp("played"), []
    agents: list[Any] = ["expert", "always_deny", "random", Wild()]
    for number, agent in enumerate(agents):
        run = folder / str(number)
        evaluate(agent, "Teller-Bank-v0", "validation", n=1, run_dir=run, progress=False)
        lines += read_lines(run / "episodes.jsonl")
    lines += [episode(faults=[fault("wrong_value", "look", expected=one, got=two) for one in VALUES for two in VALUES])]
    file = folder / "episodes.jsonl"
    file.write_bytes(b"".join(map(encode, lines)))
    return file


def test_every_place_of_a_record_has_one_type(played: Path) -> None:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for line in read_lines(played):
        for path, kind in types(line):
            found[path][kind] += 1
    assert found[".faults[].expected"].keys() == found[".faults[].got"].keys() == {"str"}
    assert found[".messages[].tool_calls[].function.arguments"].keys() == {"str"}
    assert {path: dict(kinds) for path, kinds in found.items() if len(kinds) > 1} == {}


def test_plain_pyarrow_reads_the_records(played: Path) -> None:
    reader = pytest.importorskip("pyarrow.json")
    assert reader.read_json(played).num_rows == len(read_lines(played))
