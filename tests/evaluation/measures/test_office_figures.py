"""The paper's table of office work, compared with counts made by hand from the records."""

from pathlib import Path

import pytest

import teller_gym
from teller_gym.evaluation import load_report
from teller_gym.evaluation.measures.office import measure_office, of_the_paper, office_table
from teller_gym.evaluation.records.reading import load_run
from teller_gym.registration import WEALTH
from teller_gym.tables.markdown import as_markdown

TASKS = ["wealth-net_worth-high", "wealth-net_worth-low", "wealth-trusts-high"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("office") / "run"
    teller_gym.evaluate("lapse:settled_counted", WEALTH.id, "heldout", task_ids=TASKS[:2], run_dir=path)
    return path


def test_rows_are_counted_from_the_records(folder: Path) -> None:
    _, episodes, _ = load_run(folder)
    high, low = measure_office(episodes, None)
    assert (high.setting, low.setting) == ("high", "low")
    for row in (high, low):
        # Counting settled debts makes the liabilities wrong, and therefore the net worth.
        assert (row.resolved, row.tasks, row.passed, row.checkpoints) == (0, 1, 2, 4)
        assert row.failures == {"E1": 0, "E2": 0, "E3": 0, "E4": 2} and row.cost is None
    assert [row.cells[:4] for row in office_table([high, low]).rows[:2]] == [
        [setting, "0/1", "2/4", "50.0%"] for setting in ("high", "low")
    ]
    assert measure_office([], None) == ()


def test_the_table_stands_in_the_report_and_outlives_it(folder: Path) -> None:
    report = load_report(folder)
    assert len(report.main.office) == 2
    table = report.table()
    assert all(word in table for word in ("paper, high", "24/49", "paper, low", "34/49", "E4"))


def test_the_papers_figures_are_its_shares() -> None:
    shares = {row.setting: round(100 * row.passed / row.checkpoints, 1) for row in of_the_paper()}
    assert shares == {"paper, high": 49.0, "paper, low": 69.4, "paper, earlier tasks": 14.8}


def test_the_docs_have_the_papers_table() -> None:
    text = (Path(__file__).parents[3] / "docs" / "environments" / "wealth.md").read_text("utf-8")
    heading, _, *rows = as_markdown(office_table([])).splitlines()
    assert heading.replace("\\$", "$") in text
    assert all(row in text for row in rows)
