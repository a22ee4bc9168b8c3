"""The code blocks of docs/start/recipes.md and of README's quick start run without errors."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).parents[2]


def python_blocks(page: str) -> list[str]:
    """Return the Python code blocks of a page, in order."""
    return re.findall(r"^```python\n(.*?)^```", (REPO / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)


def run(page: str) -> dict[str, Any]:
    """Run the blocks of a page in one namespace and return it."""
    names: dict[str, Any] = {}
    blocks = python_blocks(page)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    return names


def test_the_recipes_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    names = run("docs/start/recipes.md")
    lines = (tmp_path / "episodes.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["score"] for line in lines] == [1.0, 1.0, 1.0]
    assert json.loads(lines[0])["messages"][0]["role"] == "system"
    rounds = re.findall(r"^round \d: difficulty \((.*?),", capsys.readouterr().out, re.MULTILINE)
    assert rounds == ["0.0", "0.41", "0.57", "0.63", "0.63", "0.63"]
    assert names["seed"] == names["ROUNDS"] * names["EPISODES"]


def test_the_code_of_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    run("README.md")
    assert capsys.readouterr().out.startswith("1.0 True {")
