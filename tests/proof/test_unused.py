"""Tests that tools, numbers and clauses are detected that neither expert nor solver uses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from teller_gym.proof import unused

REPO = Path(__file__).parents[2]
CHECKS = ("core_tools", "clauses", "policy_numbers")
HOLD_TOOL = '''

class Hold(Result):
    """A legal hold."""

    held: bool


@tool()
def get_hold(bank: Bank, claim_id: str) -> Hold:
    """Read whether a legal hold lies on a claim.

    Args:
        claim_id: The claim.
    """
    return Hold(held=find(bank, "claims", claim_id) is None)
'''


def run(folder: Path, *arguments: str, code: int) -> str:
    environment = {**os.environ, "PYTHONPATH": f"{REPO}{os.pathsep}."}
    program = [sys.executable, "-m", "teller_gym.cli", *arguments]
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_a_tool_a_number_and_a_clause_that_nobody_uses_are_each_found(tmp_path: Path) -> None:
    run(tmp_path, "new-scenario", "card_limits", code=0)
    folder = tmp_path / "card_limits"
    for name, change in CHANGES.items():
        file = folder / name
        file.write_text(change(file.read_text("utf-8")), "utf-8")
    only = [word for name in CHECKS for word in ("--only", name)]
    said = run(tmp_path, "check", "card_limits:card_limits", "--quiet", "--json", *only, code=1)
    found = {item["name"]: item for item in json.loads(said)["items"]}
    assert "get_hold is a core tool" in found["core_tools"]["problems"][0]
    assert any("clause 1.9 has no lapse" in one for one in found["clauses"]["problems"])
    assert [one.split()[0] for one in found["policy_numbers"]["problems"]] == ["policy.hold_days"]


def _with_clause(text: str) -> str:
    at = text.index('      - id: "1.2"')
    clause = '      - id: "1.9"\n        nodes: [get_hold]\n        does: [get_hold]\n'
    said = "        explicit: Nobody gets goodwill while get_hold shows a legal hold of {hold_days} days.\n"
    return text[:at] + clause + said + text[at:]


CHANGES = {
    "tools.py": lambda text: text + HOLD_TOOL,
    "policy.yaml": lambda text: text + "\nhold_days: 45\n",
    "graph.yaml": lambda text: text.rstrip() + "\n  get_hold:\n    inputs:\n      claim_id: {source: user_input}\n",
    "__init__.py": lambda text: text.replace(", send_notice", ", get_hold, send_notice"),
    "sop.yaml": _with_clause,
}


def test_a_reason_excuses_a_number_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unused, "_reasons", lambda package, name: {"products.personal.*": "of no use"})
    monkeypatch.setattr(unused._Cases, "notice", lambda self, tree, path, value: False)
    one = unused.policy_numbers("Teller-Loans-v0", unused.FEWEST_GENERATED)
    assert one.measured["excused"]
    assert not one.passed
    assert all("products.personal" not in problem for problem in one.problems)
