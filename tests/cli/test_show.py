"""The commands `list`, `show` and `regrade`."""

import json
from pathlib import Path
from typing import Any

import pytest

from teller_gym.cli import main


def text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def data(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(text(capsys, *arguments, "--json"))


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    line = next(line for line in text(capsys, "list").splitlines() if line.startswith("Teller-Loans-v0"))
    assert line.split()[1] == "loans"
    (row,) = [row for row in data(capsys, "list") if row["id"] == "Teller-Loans-v0"]
    variants = {f"heldout_{kind}": 50 for kind in ("policy", "schema", "branch")}
    assert row["tasks"] == {"train": 148, "validation": 16, "heldout": 50} | variants
    rows = {row["id"]: row for row in data(capsys, "list")}
    assert all(
        len(rows[name]["summary"]) > 20 for name in ("Teller-Loans-v0", "Teller-Bank-v0", "Teller-LoansGraph-v0")
    )
    assert all(row["summary"] for row in rows.values())


def test_summary(capsys: pytest.CaptureFixture[str]) -> None:
    shown = data(capsys, "show", "loans")
    assert (shown["nodes"], shown["edges"], len(shown["output_fields"])) == (20, 34, 6)
    assert shown["tools"]["auxiliary"] == 21
    assert "20 nodes, 34 edges" in text(capsys, "show", "Teller-Loans-v0")


def test_sop(capsys: pytest.CaptureFixture[str]) -> None:
    abstract, explicit = (text(capsys, "show", "loans", "sop", "--rendering", how) for how in ("abstract", "explicit"))
    assert abstract != explicit
    assert text(capsys, "show", "loans", "sop") == abstract
    assert data(capsys, "show", "loans", "sop")["text"] + "\n" == abstract


def test_graph(capsys: pytest.CaptureFixture[str]) -> None:
    shown = data(capsys, "show", "loans", "graph")
    assert (len(shown["nodes"]), len(shown["edges"])) == (20, 34)
    lines = text(capsys, "show", "loans", "graph").splitlines()
    assert sum(line.startswith("  after ") for line in lines) == 34
    nodes = [line for line in lines[2:] if not line.startswith(" ")]
    for edge in shown["edges"]:
        assert nodes.index(edge["from"]) < nodes.index(edge["to"])


def test_tools(capsys: pytest.CaptureFixture[str]) -> None:
    schemas = data(capsys, "show", "loans", "tools")
    listing = text(capsys, "show", "loans", "tools")
    assert len(schemas) == 41
    assert all(f"{schema['function']['name']}(" in listing for schema in schemas)
    assert data(capsys, "show", "loans", "tools", "submit_final_review") in schemas
    assert '"name": "submit_final_review"' in text(capsys, "show", "loans", "tools", "submit_final_review")


def test_task(capsys: pytest.CaptureFixture[str]) -> None:
    shown = data(capsys, "show", "loans", "task", "loans-0042")
    assert shown["id"] == "loans-0042"
    assert shown["steps"][0]["call"]["name"] == "get_application_data"
    assert all("error" not in step["result"] for step in shown["steps"])
    last = shown["steps"][-1]["call"]["arguments"]
    assert {name: last[name] for name in shown["outputs"]} == shown["outputs"]
    short, full = (text(capsys, "show", "loans", "task", "loans-0042", *flags) for flags in ([], ["--full"]))
    assert shown["request"] in short
    assert len(short) < len(full)
    assert data(capsys, "show", "loans", "task", "loans-g-7")["split"] == "generated"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("day", "4 to 12 a day"),
        ("day sop", "# SOP: Working the day's queue"),
        ("day tools", "open_case(reference: string)"),
        ("day tools open_case", '"name": "open_case"'),
        ("day task day-0001", "standard result:"),
        ("bank", "credit_cards"),
        ("bank_without_loans", "investments"),
        ("loans_graph", "20 nodes, 34 edges"),
        ("loans_graph sop", "Reconstruct the dependency graph of a procedure"),
        ("loans_graph tools", "Outputs:"),
        ("loans_graph graph", "(verify_identity)"),
        ("loans_graph task loans-graph-heldout-3", "loans-graph-heldout-3: the gold graph"),
        ("wealth", "net_worth"),
        ("wealth sop", "00_House_Rules.txt"),
        ("wealth task wealth-trusts-low", "\ndiscrepancies.csv\n"),
    ],
)
def test_every_kind_of_env_can_be_shown(words: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *words.split()]) == 0
    assert expected in capsys.readouterr().out
    assert main(["show", *words.split(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_stage_1_shows_nothing_of_stage_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "loans_graph", "sop"]) == 0
    assert "SOP: Consumer loan origination" not in capsys.readouterr().out


def test_a_run_that_did_not_change(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regrade", run]) == 0
    out, err = capsys.readouterr()
    assert "2 episodes played again: 2 as before, 0 changed" in out
    assert err == ""


def test_a_run_that_changed(run: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    new = tmp_path / "new"
    assert main(["regrade", run, "env.max_steps=2", "--out", str(new)]) == 1
    out, err = capsys.readouterr()
    assert "ends at step 2 now" in out
    assert f"are in {new}" in err
    assert main(["regrade", str(new)]) == 0
    assert main(["regrade", run, "env.max_steps=2", "--json"]) == 1
    found = json.loads(capsys.readouterr().out.partition("\n{")[2].join(("{", "")))
    assert found["changed"] is True
    assert [episode["changed"] for episode in found["episodes"]] == [True, True]
    assert found["metrics"]["stage2"]["accuracy"] == {"then": 1.0, "now": 0.0}
