"""Tests of the figures' counts, and that equal counts give identical files."""

import json
from pathlib import Path

import pytest

from teller_gym.proof.figures import FIGURES, kinds_of_work, main, parameters

OTHER = {
    "parameters": {"core": {"7": 1}, "auxiliary": {"2": 1}, "financial_distractor": {}, "general_distractor": {"3": 2}},
    "kinds_of_work": {"one": {"long_name": 30, "other": 12}, "two": {"single": 7}},
}  # fmt: skip


def test_every_tool_and_every_instance_is_counted_once() -> None:
    tools = {category: sum(numbers.values()) for category, numbers in parameters().items()}
    assert (tools["financial_distractor"], tools["general_distractor"]) == (45, 198) and tools["core"] >= 55
    instances = {"loans": 214, "accounts": 214, "credit_cards": 221, "savings": 200, "investments": 184}
    assert {name: sum(kinds.values()) for name, kinds in kinds_of_work().items()} == instances


@pytest.mark.parametrize("name", FIGURES)
def test_equal_counts_give_equal_files_and_others_do_not(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([name, str(tmp_path / "new" / "figure.png")])
    count, draw = FIGURES[name]
    assert json.loads(capsys.readouterr().out) == count()
    drawn = (tmp_path / "new" / "figure.png").read_bytes()
    assert drawn.startswith(b"\x89PNG")
    for counts, same in ((count(), True), (OTHER[name], False)):
        draw(counts, tmp_path / "again.png")
        assert ((tmp_path / "again.png").read_bytes() == drawn) == same
