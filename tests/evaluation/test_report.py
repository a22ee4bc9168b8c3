"""Reports for people: tables, JSON, pictures, several runs side by side."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from teller_gym.errors import MissingExtraError, OptionError
from teller_gym.evaluation import Report, compare, evaluate
from teller_gym.evaluation.metrics import Metric
from teller_gym.evaluation.tables import cell, folded_table, markdown_table, text_table
from tests.evaluation.stub import ENV_ID, GOOD, Batched, Scripted, call


def play(agent: Any, **options: Any) -> Report:
    return evaluate(agent, ENV_ID, progress=False, **options)


def size(png: Path) -> tuple[int, int]:
    content = png.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def test_the_table_says_what_was_measured() -> None:
    table = play(Batched()).table()
    assert table.splitlines()[0] == f"{ENV_ID} · heldout · batched · 12 tasks"
    rows = {line[:20].strip(): line[20:].split() for line in table.splitlines() if line}
    assert rows["accuracy"][0] == "0.500"
    assert rows["tool F1"] == ["1.000", "[1.00,", "1.00]"]
    assert rows["blank"] == ["0", "%", "[0,", "0]"]
    assert "wall time an episode" in table


def test_json_is_read_back_and_times_stand_apart(tmp_path: Path) -> None:
    report = play(Batched(), run_dir=tmp_path, trials=2)
    data = json.loads((tmp_path / "report.json").read_text())
    assert Report.from_dict(data) == Report.load(tmp_path)
    assert data["metrics"]["score"] == report.metrics["score"].to_dict()
    again = play(Batched(), trials=2).to_dict()
    different = [name for name in data if data[name] != json.loads(json.dumps(again))[name]]
    assert different in ([], ["wall_s"])
    with pytest.raises(OptionError, match=r"no report\.json"):
        Report.load(tmp_path / "elsewhere")


def test_the_figure_is_a_picture(tmp_path: Path) -> None:
    width, height = size(play(Batched()).figure(tmp_path / "new" / "report.png"))
    assert width > 1000
    assert height > 400


def test_equal_reports_give_equal_pictures(tmp_path: Path) -> None:
    pictures = [play(Batched()).figure(tmp_path / f"{i}.png").read_bytes() for i in range(2)]
    assert pictures[0] == pictures[1]


def test_runs_side_by_side(tmp_path: Path) -> None:
    reports = [play(Scripted(*GOOD, name="good")), play(Batched()), play(Scripted("No.", name="mute"))]
    comparison = compare(reports, names=["good", "half", "mute"])
    text = comparison.table(width=200)
    assert max(map(len, comparison.table(width=80).splitlines())) <= 80
    row = next(line for line in text.splitlines() if line.startswith("half"))
    assert "0.500 [" in row
    markdown = comparison.markdown()
    assert markdown.count("| mute |") == 2
    assert "100 %" in markdown
    # Kinds that nobody shows get no column, except those of the paper.
    assert comparison.error_kinds == ["blank", "validation", "type"]
    assert [run["name"] for run in comparison.to_dict()["runs"]] == ["good", "half", "mute"]
    assert json.loads(json.dumps(comparison.to_dict()))
    assert size(comparison.figure(tmp_path / "compare.png"))[0] > 1000


def test_other_error_kinds_get_a_column_when_they_occur() -> None:
    comparison = compare([play(Scripted(call("nope"), "Bye."))])
    assert comparison.error_kinds == ["blank", "validation", "type", "unknown_tool"]


def test_runs_over_different_tasks_do_not_compare() -> None:
    with pytest.raises(OptionError, match="task_ids differs"):
        compare([play(Batched(), n=3), play(Batched(), n=4)])
    other = play(Batched(), n=3)
    other.config["frozen_sha256"] = "of other data"
    with pytest.raises(OptionError, match="frozen_sha256 differs"):
        compare([play(Batched(), n=3), other])
    with pytest.raises(OptionError, match="at least one"):
        compare([])
    with pytest.raises(OptionError, match="expected 1 names"):
        compare([play(Batched(), n=3)], names=["a", "b"])


def test_without_matplotlib_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = play(Batched(), n=2)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"teller-gym\[eval\]"):
        report.figure(tmp_path / "x.png")


def test_cells() -> None:
    assert cell("score", Metric(0.4321, 0.38, 0.4849)) == "0.432 [0.38, 0.48]"
    assert cell("error_type", Metric(0.125, 0.05, 0.2)) == "12 % [5, 20]"
    assert cell("steps", Metric(12.34)) == "12.3"
    assert cell("score", Metric(None)) == cell("score", None) == "–"


def test_tables() -> None:
    assert text_table(["a", "n"], [["x", "10"], ["long", "5"]]) == "a      n\n----  --\nx     10\nlong   5"
    assert markdown_table(["a", "n"], [["x|y", "1"]]) == "| a | n |\n| --- | ---: |\n| x\\|y | 1 |"


def test_a_wide_table_is_folded() -> None:
    headers, rows = ["a", "bb", "cc", "dd"], [["x", "1", "2", "3"]]
    assert folded_table(headers, rows, 11) == "\n\n".join(
        [text_table(["a", "bb", "cc"], [["x", "1", "2"]]), text_table(["a", "dd"], [["x", "3"]])]
    )
    assert folded_table(headers, rows, 13) == text_table(headers, rows)
    assert folded_table(["a"], [["x"]], 1) == text_table(["a"], [["x"]])


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"config": 1}', b"\xff"])
def test_a_damaged_report_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "report.json").write_bytes(content)
    with pytest.raises(OptionError, match=r"report\.json is damaged"):
        Report.load(tmp_path)
