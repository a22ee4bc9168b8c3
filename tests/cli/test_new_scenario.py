"""The skeleton of a new scenario is complete and passes the check unchanged."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).parents[2]
DOCUMENTS = {"graph.yaml", "policy.yaml", "policy_shift.yaml", "sop.yaml", "template.yaml", "withheld_branches.yaml"}
CODE = {"__init__.py", "expert.py", "generator.py", "lapses.py", "solver.py", "test_scenario.py", "tools.py"}
FROZEN = {"instances.jsonl", "heldout_variants.jsonl"}


def command(folder: Path, *arguments: str, code: int = 0) -> str:
    """Run the program in another process, so that the new scenario is registered only there."""
    environment = {**os.environ, "PYTHONPATH": f"{REPO}{os.pathsep}."}
    program = [sys.executable, "-m", "teller_gym.cli", *arguments]
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Create a scenario; return its parent folder and the command's output."""
    folder = tmp_path_factory.mktemp("own")
    return folder, command(folder, "new-scenario", "card_limits")


def claims(folder: Path, *arguments: str, code: int = 0) -> dict[str, dict[str, Any]]:
    arguments = ("check", "card_limits:card_limits", "--quick", "--quiet", "--json", *arguments)
    return {item["name"]: item for item in json.loads(command(folder, *arguments, code=code))["items"]}


def test_every_file_is_there_with_the_name_filled_in(made: tuple[Path, str]) -> None:
    folder = made[0] / "card_limits"
    assert {file.name for file in folder.iterdir()} - {"__pycache__"} == DOCUMENTS | CODE | FROZEN
    for name in DOCUMENTS | CODE:
        text = (folder / name).read_text(encoding="utf-8")
        assert not [mark for mark in ("@name@", "@module@", "@title@", "@env_id@") if mark in text], name
    assert 'register_scenario("card_limits", __name__)' in (folder / "__init__.py").read_text(encoding="utf-8")
    assert "Teller-CardLimits-v0" in (folder / "test_scenario.py").read_text(encoding="utf-8")


def test_the_next_commands_are_told(made: tuple[Path, str]) -> None:
    for line in (
        "check card_limits:card_limits --quick",
        "freeze card_limits:card_limits",
        "python -m pytest card_limits",
    ):
        assert line in made[1]


def test_what_a_newcomer_does_first_works(made: tuple[Path, str]) -> None:
    folder = made[0]
    assert "only then go on" in command(folder, "show", "card_limits:card_limits", "sop")
    names = ("graph", "oracle", "any_order", "lapses", "by_heart", "core_tools", "clauses", "policy_numbers")
    found = claims(folder, *(f"--only={name}" for name in names))
    assert [name for name, item in found.items() if not item["passed"]] == []
    assert set(found) >= {*names, "by_heart.clean_path", "crashes"} - {"by_heart"}
    assert found["lapses"]["figure"].startswith("12 of 12 lapses")


def test_it_has_every_kind_of_act_and_gates(made: tuple[Path, str]) -> None:
    folder = made[0] / "card_limits"
    tools = (folder / "tools.py").read_text(encoding="utf-8")
    assert "act=Act.REVISABLE" in tools and "act=Act.FINAL" in tools
    assert (folder / "sop.yaml").read_text(encoding="utf-8").count("gate: true") >= 2


@pytest.mark.slow
def test_the_whole_check_is_green(made: tuple[Path, str]) -> None:
    pytest.importorskip("sklearn")
    assert [name for name, item in claims(made[0]).items() if not item["passed"]] == []
