"""The written report is complete, self-contained and reproducible."""

import csv
import html
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest

from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.cli.report import run
from teller_gym.evaluation.measures.root_causes import cause_of
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.reports import write_report
from teller_gym.reports.contents import texts
from teller_gym.reports.html import inline_svg
from teller_gym.reports.write import FORMATS
from tests.evaluation.samples import write_run
from tests.reports.made import ODD, executions, graphs, two_runs

PAGE = Path(__file__).parents[2] / "docs" / "evaluate" / "reports.md"
VOID = {"meta", "br", "link", "img", "hr", "wbr"}


class Reader(HTMLParser):
    """Parses a page: checks that tags match, and collects ids, references and texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "srcset", "action", "data", "poster", "xlink:href"):
                self.references.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    return write_report(two_runs(folder / "runs"), folder / "out").parent


def test_the_page_is_whole_and_fetches_nothing(out: Path) -> None:
    page = (out / "report.html").read_text("utf-8")
    found = Reader(page)
    assert len(found.ids) == len(set(found.ids))
    assert found.references
    within = {reference[1:] for reference in found.references if reference.startswith("#")}
    assert within <= set(found.ids)
    files = {reference.partition("#")[0] for reference in found.references if not reference.startswith("#")}
    assert files == {"view/index.html"}
    assert (out / "view" / "index.html").is_file()
    assert not re.search(r"https?://|//cdn|@import|url\((?!#)|<script|<link", page)
    assert ODD in found.texts
    assert "not finished" in found.texts


def test_where_runs_fail_stands_first_and_the_paper_last_and_folded(out: Path) -> None:
    page, markdown = (out / "report.html").read_text("utf-8"), (out / "report.md").read_text("utf-8")
    keys = re.findall(r'<section id="(\w+)"', page)
    assert (keys[0], keys[-2:]) == ("failures", ["paper", "details"])
    titles = [texts().sections[key] for key in keys]
    assert re.findall(r"^## (.*)$", markdown, re.MULTILINE) == titles
    folded = re.findall(r"<details><summary><h2>(.*?)</h2>(.*?)</details>", page, re.DOTALL)
    assert [html.unescape(title) for title, _ in folded] == [texts().sections["paper"]]
    assert folded[0][1].count("<figure") == 4
    assert "<details open" not in page
    for name in ("accuracy", "success", "clean success"):
        assert f"{name} 0.250" in page, name


def test_causes_lead_to_their_episodes(out: Path) -> None:
    page = Reader((out / "report.html").read_text("utf-8"))
    states = [dict(parse_qsl(link.partition("#")[2])) for link in page.references if link.startswith("view/")]
    runs = {name: load_run(out.parent / "runs" / folder)[1] for name, folder in (("first", "first"), (ODD, "second"))}
    examples = [state for state in states if "e" in state]
    lists = [state for state in states if "e" not in state]
    assert len(examples) == len(lists) == 4
    for state, shown in zip(lists, examples, strict=True):
        run, task, trial = shown["e"].rsplit("/", 2)
        (one,) = [one for one in runs[run] if (one["task_id"], one["trial"]) == (task, int(trial))]
        assert (shown["view"], state["run"], cause_of(one)) == ("episode", run, state["cause"])
        assert int(shown["step"]) - 1 == one["faults"][0]["step"]
    assert {state["cause"] for state in lists} == {"check.exclusions wrong", f"{ODD} refused"}
    assert f"[check.exclusions wrong](view/index.html#{urlencode(lists[0])})" in (out / "report.md").read_text("utf-8")


@pytest.mark.usefixtures("no_figures")
def test_without_pages_of_episodes_nothing_leads_there(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", executions())
    assert run([str(folder), "--out", str(tmp_path / "out")]) == 0
    (tmp_path / "out" / "view" / "notes.txt").write_text("mine")
    assert run([str(folder), "--out", str(tmp_path / "out"), "--no-view"]) == 0
    assert [path.name for path in (tmp_path / "out" / "view").rglob("*")] == ["notes.txt"]
    page = Reader((tmp_path / "out" / "report.html").read_text("utf-8"))
    assert not [link for link in page.references if link.startswith("view/")]
    rows = list(csv.DictReader((tmp_path / "out" / "tables" / "causes.csv").open(encoding="utf-8")))
    assert [(row["root cause"], row["episodes"], row["later in"], row["example"]) for row in rows] == [
        ("check.exclusions wrong", "2 of 6", "0", "loans-0004, step 1"),
        (f"{ODD} refused", "1 of 6", "0", "loans-0003, step 1"),
        ("submit.amount wrong in the answer", "", "3", ""),
    ]
    assert [row["SOP"] for row in rows] == ["5.2", "5.10", "5.9"]
    assert float(rows[0]["cost"]) == pytest.approx(2 / 6, abs=1e-6)


def test_every_table_and_figure_says_what_the_paper_measured(out: Path) -> None:
    text = (out / "report.md").read_text("utf-8")
    marks = sum(words.paper for words in [*texts().tables.values(), *texts().figures.values()])
    assert text.count("Measured by the paper on its own unreleased instances") == marks
    for file in (out / "tables").glob("table*.tex"):
        assert "Measured by the paper" in file.read_text("utf-8"), file
    assert "paper: mean accuracy" in (out / "tables" / "table4.csv").read_text("utf-8")


def test_intervals_are_told_of_where_they_stand(out: Path) -> None:
    for file in (out / "tables").glob("*.tex"):
        text = file.read_text("utf-8")
        assert ("In brackets: " in text) == (r"{\scriptsize {[}" in text), file
    assert "In brackets: " not in (out / "tables" / "scores2.tex").read_text("utf-8")
    assert "bootstrap that draws tasks in pairs" in (out / "tables" / "differences.tex").read_text("utf-8")
    assert "In brackets: " in (out / "tables" / "outcomes.tex").read_text("utf-8")
    sections = (out / "report.md").read_text("utf-8").split("\n### ")[1:]
    told = {
        one.split("\n")[0]: ("In brackets: " in one, bool(re.search(r"\| .*[\d%] \[[−+\d]", one))) for one in sections
    }
    assert {title for title, (said, has) in told.items() if said != has} == set()
    assert (True, True) in told.values()


def test_all_files_are_there(out: Path) -> None:
    tables = {path.stem for path in (out / "tables").iterdir()}
    assert {f"table{i}" for i in range(2, 7)} < tables <= set(texts().tables)
    drawn = {path.stem for path in (out / "figures").iterdir()}
    assert drawn == set(texts().figures) - {"structure"}  # structure needs three scenarios
    markdown = (out / "report.md").read_text("utf-8")
    for link in re.findall(r"!\[.*?\]\((.*?)\)", markdown):
        assert (out / link).stat().st_size > 5000
    assert "revision=f00" in markdown
    assert "teller\\-gym eval" in markdown or "teller-gym eval" in markdown


@pytest.mark.slow
def test_the_same_runs_give_the_same_bytes(out: Path, tmp_path: Path) -> None:
    again = write_report([out.parent / "runs" / name for name in ("first", "second")], tmp_path / "again").parent
    files = sorted(path.relative_to(out) for path in out.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    assert [path for path in files if (out / path).read_bytes() != (again / path).read_bytes()] == []


@pytest.mark.slow
@pytest.mark.usefixtures("no_figures")
def test_one_stage_and_one_scenario_make_a_page_too(tmp_path: Path) -> None:
    runs = write_run(tmp_path / "one", graphs()), write_run(tmp_path / "two", executions())
    first = Reader(write_report([runs[0]], tmp_path / "out").read_text("utf-8"))
    assert "graphs" in first.ids
    assert "paired" not in first.ids
    assert (tmp_path / "out" / "tables" / "graph_scenarios.csv").exists()
    second = Reader(write_report([runs[1]], tmp_path / "out").read_text("utf-8"))
    assert "groups" in second.ids
    # The files of the earlier report are removed.
    assert not (tmp_path / "out" / "tables" / "graph_scenarios.csv").exists()


@pytest.mark.usefixtures("no_figures")
def test_an_empty_run_makes_a_page_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_run(tmp_path / "run", [*graphs(), *executions()])
    (folder / "episodes.jsonl").write_text("")
    assert run([str(folder)]) == 1
    printed = capsys.readouterr()
    page = Path(printed.out.strip())
    assert page == folder / "report" / "report.html"
    assert "10 not played yet" in page.read_text("utf-8")
    assert "no valid episode" in printed.err
    assert "0 invalid, 10 not played yet" in printed.err
    assert "failure" not in printed.err


@pytest.mark.usefixtures("no_figures")
def test_a_run_of_invalid_episodes_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = [one | {"status": "invalid", "failure": "the endpoint: gone"} for one in executions()]
    assert run([str(write_run(tmp_path / "run", broken)), "--json"]) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["runs"][0]["stages"]["2"]["invalid"] == 6
    assert "6 invalid, 0 not played yet" in printed.err
    assert "failure" in printed.err


@pytest.mark.usefixtures("no_figures")
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = write_run(tmp_path / "one", executions()), write_run(tmp_path / "two", executions(good=1))
    assert run([str(one), "--baseline", str(two), "--out", str(tmp_path / "out"), "--json"]) == 0
    printed = capsys.readouterr()
    data = json.loads(printed.out)
    assert printed.err.strip() == str(tmp_path / "out" / "report.html")
    assert [pair["won"] for pair in data["pairs"]] == [["loans-0001", "loans-0002"]]
    assert data["runs"][0]["stages"]["2"]["metrics"]["accuracy"]["value"] == 0.5
    assert data["baseline"] == "a (two)"


def test_mistakes_are_told(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no run folder"):
        run([str(tmp_path / "nothing")])
    with pytest.raises(OptionError, match="required: RUN"):
        run([])
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match="got the file"):
        write_report([write_run(tmp_path / "run", executions())], tmp_path / "file")


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    study = write_run(tmp_path / "run", graphs())
    for name in ("report.html", "figures/mine.png", "paper.tex"):
        folder = tmp_path / name[:5]
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("<p>mine</p>")
        with pytest.raises(OptionError, match=f"holds {re.escape(name)}; name another folder"):
            write_report([study], folder)
        assert [file for file in folder.rglob("*") if file.is_file()] == [folder / name]


@pytest.mark.usefixtures("no_figures")
def test_what_a_report_cut_off_left_gives_way(tmp_path: Path) -> None:
    study, left = write_run(tmp_path / "run", graphs()), tmp_path / "out" / "figures" / "radar.png"
    left.parent.mkdir(parents=True)
    left.write_text("")
    page = write_report([study], tmp_path / "out")
    (tmp_path / "out" / "notes.txt").write_text("mine")
    assert write_report([study], tmp_path / "out") == page
    assert (tmp_path / "out" / "notes.txt").exists()


def test_ids_of_an_inline_figure_are_its_own() -> None:
    svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9pt" viewBox="0 0 9 9">'
    svg += "<metadata>x</metadata>"
    svg += '<g id="a" clip-path="url(#c)" style="fill: #1b1b21"/><use xlink:href="#a"/></svg>'
    assert inline_svg(svg, "k", "A title") == (
        '<svg viewBox="0 0 9 9" role="img" aria-label="A title">'
        '<g id="k-a" clip-path="url(#k-c)" style="fill: currentColor"/><use href="#k-a"/></svg>'
    )


def test_without_jinja_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_run(tmp_path / "run", graphs())
    monkeypatch.delitem(sys.modules, "teller_gym.reports.html", raising=False)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[eval\]'"):
        write_report([folder], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_page_on_reports_names_every_format_of_tables() -> None:
    assert set(re.findall(r"^\| `tables/\*\.(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)) == set(FORMATS)
