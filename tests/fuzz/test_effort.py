"""`make fuzz` draws new examples, and `make test` the same ones every time."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("fuzzing", [False, True])
def test_only_fuzzing_draws_new_examples(fuzzing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLER_GYM_FUZZ", "4")
    if not fuzzing:
        monkeypatch.delenv("TELLER_GYM_FUZZ")
    code = "import tests.conftest; from hypothesis import settings; print(settings.default.derandomize)"
    found = subprocess.check_output([sys.executable, "-c", code], cwd=Path(__file__).parents[2], text=True)
    assert found.strip() == str(not fuzzing)
