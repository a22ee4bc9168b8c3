"""The report of a study, compared with figures recomputed from the records."""

import csv
import dataclasses
import itertools
import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.training.study.__main__ import main
from teller_gym.training.study.comparisons import differences
from teller_gym.training.study.page import MOST_LINES, thinned
from teller_gym.training.study.plan import Plan, plan
from teller_gym.training.study.reading import read_all
from tests.training.study.folders import (
    AGENTS,
    PHASES,
    POLICY,
    RUNS,
    TASKS,
    episodes,
    evaluate,
    fake,
    lay_out,
    study_file,
)

T = {2: 12.7062047, 3: 4.3026527}
"""97.5 % points of Student's t by number of values."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    evaluate(folder)
    return folder


@pytest.fixture(scope="module")
def faked(tmp_path_factory: pytest.TempPathFactory, played: Path) -> tuple[Path, Plan]:
    folder = tmp_path_factory.mktemp("study")
    return folder, fake(folder, played)


def command(folder: Path, out: Path, *more: str) -> list[str]:
    words = ["--runs", str(folder / "runs"), "--out", str(out), "--seeds", "0-2", "--report-only"]
    return [str(folder / "which.yaml"), *words, *more]


@pytest.fixture(scope="module")
def report(faked: tuple[Path, Plan], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    assert main(command(faked[0], out)) == 0
    return out


def by_hand(records: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Compute the figures of some records from their definitions."""
    attempts = sum(one["attempts"] for one in records)
    found = {name: statistics.fmean(one[key] for one in records) for name, key in
             (("score", "score"), ("success", "success"), ("accuracy", "accurate"))}  # fmt: skip
    for kind in ("validation", "type", "malformed", "order", "provenance"):
        found[f"error_{kind}"] = statistics.fmean(one["error_counts"].get(kind, 0) > 0 for one in records)
    overlaps = []
    for one in records:
        required, invoked = set(one["required_tools"]), set(one["invoked_tools"])
        overlaps.append(2 * len(required & invoked) / (len(required) + len(invoked)))
    found["tool_f1"] = statistics.fmean(overlaps)
    return found | ({"valid_calls": sum(one["valid_calls"] for one in records) / attempts} if attempts else {})


def cells(page: str, section: str, *head: str) -> list[str]:
    """Return the row that begins with some cells in a section's first table."""
    part = page.partition(f"{section}\n")[2]
    for line in part.splitlines():
        found = [cell.strip().replace("\\", "") for cell in line.strip("| ").split(" | ")]
        if found[: len(head)] == list(head):
            return found
    raise AssertionError(f"no row {head} in {section}")


def number(text: str) -> float:
    return float(text.replace("−", "-").split()[0])


def ends(text: str) -> tuple[float, float]:
    low, high = text.replace("−", "-").partition("[")[2].strip("]").split(", ")
    return float(low), float(high)


def test_every_row_of_the_csv_is_what_the_records_say(report: Path, played: Path) -> None:
    scores = {name: by_hand(episodes(played, "heldout", name))["score"] for name in AGENTS}
    assert len(set(scores.values())) >= 4 and scores["expert"] == 1, "the agents differ"
    rows = list(csv.DictReader((report / "study.csv").open()))
    assert len(rows) == 3 * len(RUNS) + len(POLICY)
    for row in rows:
        run = row["variant"], int(row["seed"])
        agent = RUNS[run][PHASES.index(row["phase"])] if row["split"] == "heldout" else POLICY[run]
        records = episodes(played, row["split"], agent)
        assert int(row["episodes"]) == len(records) == TASKS * (2 if row["split"] == "heldout" else 1)
        expected = by_hand(records)
        for name, value in expected.items():
            assert float(row[name]) == pytest.approx(value, abs=1e-6), (run, name)
        assert ("valid_calls" in expected) == (row["valid_calls"] != "")
        causes = sum(int(value) for name, value in row.items() if name.startswith("cause_"))
        assert causes == sum(not one["success"] for one in records)


@pytest.mark.parametrize(("variant", "seeds"), [("first", 3), ("second", 2)])
def test_means_and_intervals_over_seeds(report: Path, played: Path, variant: str, seeds: int) -> None:
    page = (report / "study.md").read_text()
    for place, phase in enumerate(PHASES):
        row = cells(page, "## After each phase", variant, phase)
        runs = [agents[place] for (name, _), agents in RUNS.items() if name == variant]
        scores = [by_hand(episodes(played, "heldout", agent))["score"] for agent in runs]
        mean, half = statistics.fmean(scores), T[seeds] * statistics.stdev(scores) / seeds**0.5
        assert row[2] == str(seeds) == str(len(scores)) and row[3].startswith(f"{mean:.3f} [")
        assert ends(row[3]) == pytest.approx((mean - half, mean + half), abs=2e-3)
    assert cells(page, "## After each phase", variant, "untrained")[6] == "–", "of no call no share is valid"


def test_differences_are_paired_by_task_and_seed(report: Path, played: Path) -> None:
    page = (report / "study.md").read_text()
    row = cells(page, "### Variants against first", "second less first, after grpo", "2", "score")
    pairs = [("skips", "expert"), ("expert", "random")]
    found = [[by_hand(episodes(played, "heldout", agent))["score"] for agent in pair] for pair in pairs]
    gained = [after - before for before, after in found]
    mean, half = statistics.fmean(gained), T[2] * statistics.stdev(gained) / 2**0.5
    assert number(row[3]) == pytest.approx(statistics.fmean(before for before, _ in found), abs=6e-4)
    assert number(row[4]) == pytest.approx(statistics.fmean(after for _, after in found), abs=6e-4)
    assert number(row[5]) == pytest.approx(mean, abs=6e-4)
    assert ends(row[6]) == pytest.approx((mean - half, mean + half), abs=2e-3)
    low, high = ends(row[7])
    assert low <= mean <= high and high - low < 2 * half
    # The shares of errors, in points.
    row = cells(page, "### What each phase adds", "first: sft less untrained", "3", "validation errors")
    share = statistics.fmean(
        by_hand(episodes(played, "heldout", RUNS["first", seed][1]))["error_validation"] for seed in range(3)
    )
    assert share > 0 and row[5] == f"+{100 * share:.0f} points"
    # With one seed there is no interval over seeds.
    row = cells(
        page, "### Variants against first", "second less first, last checkpoint on heldout_policy", "1", "score"
    )
    assert row[6] == "–" and row[7].startswith("[")


def test_root_causes_are_summed_over_seeds(report: Path, played: Path) -> None:
    page = (report / "study.md").read_text()
    row = cells(page, "## Why episodes failed", "first", "heldout", "grpo")
    counted = [int(text) for text in row[3:-1]]
    failed = [
        one for seed in range(3) for one in episodes(played, "heldout", RUNS["first", seed][2]) if not one["success"]
    ]
    assert sum(counted) == len(failed) > 0 and row[-1] == f"{len(failed)} of {3 * 2 * TASKS}"
    # Episodes without any required call.
    row = cells(page, "## Why episodes failed", "first", "heldout", "untrained")
    assert row[3] == row[-1].partition(" ")[0] == str(3 * 2 * TASKS)


def test_the_page_says_what_was_run_and_what_is_missing(report: Path, faked: tuple[Path, Plan]) -> None:
    page = (report / "study.md").read_text()
    assert page.startswith("# Study: which\n\nWhich is better?\n")
    assert "- second, seed 2: not finished" in page
    assert "- second, seed 1: split heldout\\_policy is not played yet" in page
    assert "- first, seed 2: split heldout\\_policy is not played yet" in page
    assert "first, seed 0" not in page
    for job in faked[1].jobs:
        line = f"teller-gym {' '.join(job.words)}\n"
        assert (line in page) == ((job.variant, job.seed) in RUNS)
    assert "An EPYC, AVX2, 2 cores" in page and "torch 2.13.0" in page
    assert "Scores of the reference agents on the same tasks: expert 1.000." in page
    assert cells(page, "## What it took", "first", "2") == ["first", "2", "grpo", "3.00"]
    assert cells(page, "## Further splits", "first", "heldout_policy")[3] == "2"
    assert cells(page, "## Further splits", "first", "heldout")[3] == "3"
    assert "Scenario by scenario" not in page
    for name in ("score", "splits"):
        assert f"]({name}.png)" in page and (report / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_phases_that_are_shared_stand_once(played: Path, tmp_path: Path) -> None:
    """Report two runs of which the second copied its fine-tuning from the first."""
    found = plan(study_file(tmp_path, shared="sft"), [0], tmp_path / "runs")
    for job, last in zip(found.jobs, ("skips", "expert"), strict=True):
        lay_out(job, played, ["noop", "random", last])
    out = tmp_path / "out"
    assert main(command(tmp_path, out, "--seeds", "0")) == 0
    page = (out / "study.md").read_text()
    assert "Shared phases are listed with first, which made them." in page
    rows = [line.split(" | ")[:3] for line in page.splitlines() if line.startswith(("| first", "| second"))]
    phases = [row for row in rows if row[1] in PHASES]
    assert [(row[0].strip("| "), row[1]) for row in phases[:4]] == [
        ("first", "untrained"), ("first", "sft"), ("first", "grpo"), ("second", "grpo"),
    ]  # fmt: skip
    compared = [row[0].strip("| ") for row in rows if " less " in row[0] and row[2] == "score"]
    assert compared == [
        "first: sft less untrained", "first: grpo less sft", "second: grpo less sft", "second less first, after grpo",
        "second less first, last checkpoint on heldout\\_policy",
    ]  # fmt: skip
    lines = list(csv.DictReader((out / "study.csv").open()))
    assert [(line["variant"], line["phase"]) for line in lines if line["split"] == "heldout"] == [
        ("first", "untrained"), ("first", "sft"), ("first", "grpo"), ("second", "grpo"),
    ]  # fmt: skip


def test_equal_folders_give_equal_bytes(report: Path, faked: tuple[Path, Plan], tmp_path: Path) -> None:
    assert main(command(faked[0], tmp_path)) == 0
    names = sorted(str(path.relative_to(report)) for path in report.rglob("*") if path.is_file())
    assert names == sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert len(names) == 4 + len(RUNS)
    for name in names:
        assert (report / name).read_bytes() == (tmp_path / name).read_bytes(), name


def test_logs_are_thinned_and_keep_their_ends(report: Path) -> None:
    rows = [json.loads(line) for line in (report / "logs" / "first-seed-0.jsonl").read_text().splitlines()]
    assert len(rows) == MOST_LINES
    assert rows[0]["step"] == 1 and rows[-2]["step"] == 699 and rows[-1]["phase_seconds"] == 12.5
    gaps = [after["step"] - before["step"] for before, after in itertools.pairwise(rows[:-1])]
    assert {2, 3} >= set(gaps)
    short = [{"step": 1}, {"step": 2}]
    assert thinned(short) == short and thinned(short * 9, 4)[-1] == short[1]


def test_runs_of_another_command_are_refused(faked: tuple[Path, Plan], tmp_path: Path) -> None:
    folder, _ = faked
    text = (folder / "which.yaml").read_text()
    (tmp_path / "which.yaml").write_text(text.replace("reward=sparse", "reward=no_parameters"))
    words = command(folder, tmp_path / "out")
    assert main([str(tmp_path / "which.yaml"), *words[1:]]) == 2
    assert not (tmp_path / "out").exists()


def test_other_frozen_tasks_are_not_compared(faked: tuple[Path, Plan]) -> None:
    run = read_all(faked[1].jobs).of("first")[0]
    other = dataclasses.replace(run.phases[1], frozen=dict.fromkeys(run.phases[1].frozen, "other"))
    with pytest.raises(OptionError, match="tasks of loans differ under the same ids"):
        differences([(run.phases[0], other)], ["score"])


def test_nothing_finished_is_told(faked: tuple[Path, Plan], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = command(faked[0], tmp_path / "out")
    words[words.index("--runs") + 1] = str(tmp_path)
    assert main(words) == 2
    assert "expected at least one finished run, got none" in capsys.readouterr().err


def test_scenarios_stand_apart_and_the_unseen_one_is_marked(tmp_path: Path) -> None:
    for agent in ("noop", "random", "expert"):
        where = tmp_path / "heldout" / agent
        teller_gym.evaluate(agent, "Teller-BankWithoutLoans-v0", n=2, run_dir=where, progress=False)
    study = study_file(tmp_path, variants={"fold": ["env=bank_without_loans"]}, splits=[])
    (job,) = plan(study, [0], tmp_path / "runs").jobs
    lay_out(job, tmp_path, ["noop", "noop", "random"])
    assert main([*command(tmp_path, tmp_path / "out"), "--seeds", "0"]) == 0
    page = (tmp_path / "out" / "study.md").read_text()
    records = episodes(tmp_path, "heldout", "random")
    rows = list(csv.DictReader((tmp_path / "out" / "study.csv").open()))
    assert len(rows) == 3 * (1 + 5)
    for name in ("accounts", "credit_cards", "investments", "savings", "loans"):
        expected = by_hand([one for one in records if one["scenario"] == name])
        told = f"{name} (unseen)" if name == "loans" else name
        assert cells(page, "## Scenario by scenario", "fold", told, "grpo", "1")[4] == f"{expected['score']:.3f}"
        (row,) = (row for row in rows if row["scenario"] == name and row["phase"] == "grpo")
        assert row["unseen"] == str(name == "loans") and row["episodes"] == "2"
    assert "## Further splits" not in page and "### Variants against" not in page
