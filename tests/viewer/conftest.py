"""Runs for the tests of the viewer, played once, and their pages in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.evaluation.records.episode import Episode
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.viewer import write_view
from tests.viewer.agents import Careless, Roughly
from tests.viewer.browsing import Pages, headless_chromium
from tests.viewer.reading import served


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Run folders by name: `expert`, `careless` (three trials), `call_everything` and `roughly` (stage 1)."""
    base = tmp_path_factory.mktemp("runs")
    loans, graphs = "Teller-Loans-v0", "Teller-LoansGraph-v0"
    for name, agent, env, trials in (
        ("expert", "expert", loans, 1),
        ("careless", Careless, loans, 3),
        ("call_everything", "call_everything", loans, 1),
        ("roughly", Roughly, graphs, 1),
    ):
        teller_gym.evaluate(agent, env, "validation", n=4, trials=trials, run_dir=base / name, progress=False)
    return {path.name: path for path in base.iterdir()}


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with headless_chromium(tmp_path_factory.mktemp("profile")) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def records(played: dict[str, Path]) -> dict[str, list[Episode]]:
    return {name: load_run(path)[1] for name, path in sorted(played.items())}


@pytest.fixture(scope="session")
def written(played: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_view([played[name] for name in sorted(played)], tmp_path_factory.mktemp("view"))


@pytest.fixture(scope="session")
def address(written: Path) -> Iterator[str]:
    with served(written.parent) as server:
        yield f"http://127.0.0.1:{server.server_port}/"


def _watched(browser: Any, base: str) -> Iterator[Pages]:
    found = Pages(browser, base)
    found.complaints()
    yield found
    assert found.complaints() == []


@pytest.fixture(params=["file", "served"])
def pages(browser: Any, written: Path, address: str, request: pytest.FixtureRequest) -> Iterator[Pages]:
    yield from _watched(browser, written.as_uri() if request.param == "file" else address)


@pytest.fixture
def filed(browser: Any, written: Path) -> Iterator[Pages]:
    yield from _watched(browser, written.as_uri())
