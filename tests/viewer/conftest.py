"""Runs that the tests of the viewer look at, played once."""

from __future__ import annotations

from pathlib import Path

import pytest

import teller_gym
from tests.viewer.agents import Careless, Roughly


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Run folders by name: `expert`, `careless` (three trials), `everything` and `graphs` (stage 1)."""
    base = tmp_path_factory.mktemp("runs")
    loans, graphs = "Teller-Loans-v0", "Teller-LoansGraph-v0"
    for name, agent, env, trials in (
        ("expert", "expert", loans, 1),
        ("careless", Careless, loans, 3),
        ("everything", "call_everything", loans, 1),
        ("graphs", Roughly, graphs, 1),
    ):
        teller_gym.evaluate(agent, env, "validation", n=6, trials=trials, run_dir=base / name, progress=False)
    return {path.name: path for path in base.iterdir()}
