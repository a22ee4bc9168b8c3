"""Study files: those of the project compose, mistakes are reported before anything is played, seeds are parsed."""

import statistics
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import t as student  # type: ignore[import-untyped]

from teller_gym.base.errors import OptionError, SettingsError
from teller_gym.training.config.run import load
from teller_gym.training.study.__main__ import main
from teller_gym.training.study.measuring import STUDENT, mean_interval, parse_seeds
from teller_gym.training.study.plan import plan
from tests.training.study.folders import study_file

FILES = sorted(Path(str(resources.files("teller_gym.configs"))).joinpath("study").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_study_of_the_project_composes(path: Path, tmp_path: Path) -> None:
    found = plan(path, [0], tmp_path)
    assert len(found.jobs) == len(found.study.variants) and found.name == path.stem
    splits = ["heldout", "heldout_policy", "heldout_schema"]
    assert found.study.splits == ([] if path.stem == "demo" else splits)
    assert all(job.folder == tmp_path / job.variant / f"seed-{job.seed}" for job in found.jobs)
    assert len({job.words for job in found.jobs}) == len(found.jobs), "no two runs are the same"
    for job in found.jobs[:1]:
        config, _ = load(job.words[2], list(job.words[3:]))
        assert config.seed == job.seed and config.hardware.threads == 1


def test_seeds_come_first_so_that_variants_can_be_compared_early(tmp_path: Path) -> None:
    jobs = plan(study_file(tmp_path), [3, 5], tmp_path / "runs").jobs
    assert [job.name for job in jobs] == ["first, seed 3", "second, seed 3", "first, seed 5", "second, seed 5"]
    assert jobs[3].words == ("train", "--config-name", "demo", "logger=none", "reward=sparse", "seed=5")
    assert jobs[3].folder == tmp_path / "runs" / "second" / "seed-5"


def test_settings_given_besides_stand_before_those_of_a_variant(tmp_path: Path) -> None:
    words = study_file(tmp_path), [3], tmp_path / "runs"
    jobs = plan(*words, more=["hardware.threads=2", "reward=score"]).jobs
    given = ["logger=none", "hardware.threads=2", "reward=score"]
    assert [list(job.words[3:-1]) for job in jobs] == [given, [*given, "reward=sparse"]]
    assert [job.variant for job in plan(*words, only=["second"]).jobs] == ["second"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"about": ""}, "about: expected text, not empty"),
        ({"config": "demo"}, "config: no such setting; expected one of about, config_name"),
        ({"variants": {}}, "variants: expected settings by name, not empty"),
        ({"variants": {"a/b": []}}, "expected letters, digits, _ and - in a variant's name"),
        ({"variants": {"a": {"overrides": []}}}, "variants.a: expected a list, each text"),
        ({"variants": {"a": ["seed=1"]}}, "expected no seed, which the study sets for each run"),
        ({"overrides": ["+run_dir=x"]}, "expected no run_dir, which the study sets for each run"),
        ({"splits": ["train"]}, "expected a split that is never trained on"),
        ({"splits": ["held"]}, "splits[0]: expected one of"),
        ({"config_name": "nothing"}, "variant first: --config-name: expected one of"),
        ({"overrides": ["method.sft.epochs=3"]}, "variant second: method.sft.epochs: no such setting"),
    ],
)
def test_a_mistake_is_told(changes: dict[str, Any], expected: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        plan(study_file(tmp_path, **changes), [0], tmp_path)
    assert any(expected in line for line in caught.value.problems), caught.value.problems


@pytest.mark.parametrize(
    ("text", "expected"), [("- a", "expected settings by name"), ("a: [", "expected a study's file")]
)
def test_what_is_no_study_is_told(text: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    with pytest.raises(OptionError, match="expected a study's file"):
        plan(path, [0], tmp_path)
    path.write_text(text)
    with pytest.raises(OptionError, match=expected):
        plan(path, [0], tmp_path)


def test_a_split_without_enough_tasks_is_told_before_the_training(tmp_path: Path) -> None:
    words = ["evaluation.n=60", "difficulty=null", "evaluation.split=generated"]
    with pytest.raises(OptionError, match=r"variant first: .*split heldout of loans has 50 tasks; got 60"):
        plan(study_file(tmp_path, overrides=words), [0], tmp_path)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--seeds", "two"], "--seeds: expected numbers"),
        (["--jobs", "0"], "--jobs: expected at least 1, got 0"),
        (["--variants", "first,third"], "--variants: expected some of first, second, got third"),
        (["--set", "hardware.threads=1", "seed=4"], "expected no seed, which the study sets for each run"),
        (["--set", "hardware.thread=1"], "hardware.thread"),
        (["--seeds", "100"], "variant first: seed: expected a whole number"),
    ],
)
def test_a_wrong_word_is_told(
    words: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = ["--runs", str(tmp_path / "runs"), "--out", str(tmp_path / "out")]
    assert main([str(study_file(tmp_path)), *paths, *words]) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "runs").exists() and not (tmp_path / "out").exists()


def test_what_is_shared_is_made_by_the_first_variant_before_all_others(tmp_path: Path) -> None:
    jobs = plan(study_file(tmp_path, shared="sft"), [3, 5], tmp_path / "runs").jobs
    assert [job.name for job in jobs] == ["first, seed 3", "first, seed 5", "second, seed 3", "second, seed 5"]
    assert [job.begins_with for job in jobs] == [None, None, jobs[0].folder, jobs[1].folder]
    assert {job.shared for job in jobs} == {"sft"}


def test_variants_that_differ_in_what_is_shared_are_refused(tmp_path: Path) -> None:
    variants = {"first": [], "second": ["method.sft.learning_rate=1e-4", "reward=sparse"]}
    with pytest.raises(SettingsError) as error:
        plan(study_file(tmp_path, shared="sft", variants=variants), [3], tmp_path / "runs")
    assert "variant second: expected the first variant's method.sft.learning_rate, since sft is shared" in str(
        error.value.problems
    )
    # Data and the untrained model are the same.
    assert plan(study_file(tmp_path, shared="untrained", variants=variants), [3], tmp_path / "runs").jobs


@pytest.mark.parametrize(("text", "seeds"), [("0-3", [0, 1, 2, 3]), ("5", [5]), ("0,2,5-6,2", [0, 2, 5, 6])])
def test_seeds_are_parsed(text: str, seeds: list[int]) -> None:
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize("text", ["", "a", "3-1", "0,,2", "1.5"])
def test_what_are_no_seeds_is_told(text: str) -> None:
    with pytest.raises(OptionError, match="--seeds: expected numbers and rising ranges"):
        parse_seeds(text)


def test_the_interval_is_students() -> None:
    assert pytest.approx([student.ppf(0.975, free) for free in range(1, 20)], abs=6e-4) == STUDENT
    values = [0.1, 0.5, 0.2, 0.9]
    mean, half = statistics.fmean(values), STUDENT[2] * statistics.stdev(values) / 2
    assert mean_interval(values) == pytest.approx((mean, mean - half, mean + half))
    with pytest.raises(ValueError, match="got 1"):
        mean_interval([0.3])
