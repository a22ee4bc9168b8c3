"""Tests of the claims about each kind of env, and of the command over all envs of the package."""

import json
from typing import Any

import msgspec
import pytest

from teller_gym.agents.graph_answers import GRAPH_ANSWERS, gold
from teller_gym.cli import main
from teller_gym.envs.bank import BankEnv
from teller_gym.proof import check_env, graphs, sizes, solvable
from teller_gym.proof.play import Kind, subject
from teller_gym.proof.report import ProofReport
from teller_gym.proof.sizes import measured_sizes, stated_sizes
from teller_gym.proof.suite import checks
from teller_gym.registration import ENVS
from teller_gym.stage1.task import graph_task, pool_of

LOANS, BANK, GRAPH = "Teller-Loans-v0", "Teller-Bank-v0", "Teller-LoansGraph-v0"


def check(arguments: list[str]) -> int:
    return main(["check", *arguments])


def test_each_kind_of_env_has_its_checks() -> None:
    assert [subject(env_id).kind for env_id in (LOANS, BANK, GRAPH)] == [Kind.EXECUTION, Kind.MIXED, Kind.GRAPH]
    names = {env_id: set(checks(env_id)) for env_id in (LOANS, BANK, GRAPH)}
    assert names[LOANS] >= {"oracle", "leaks", "near_misses", "distractor_effects", "cheap.random", "crowded.random"}
    assert names[BANK] == {"gymnasium", "scenarios", "oracle", "repeatable"}
    assert names[GRAPH] >= {"gymnasium", "graph.gold", "graph.empty", "repeatable"}


# -- stage 1 -------------------------------------------------------------------------------------------------------


def test_the_reference_answers_score_as_they_should() -> None:
    found = [
        graphs.gold_answer(GRAPH, 2),
        graphs.empty_answer(GRAPH, 2),
        graphs.complete_answer(GRAPH, 2),
        graphs.spoilt_answers(GRAPH, 2),
        graphs.pools_apart(GRAPH, 3),
    ]
    assert [item.name for item in found if not item.passed] == []
    assert found[0].measured["tasks"] == 6


def test_answers_that_score_otherwise_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "gold", GRAPH_ANSWERS["chain"])
    monkeypatch.setattr(graphs, "empty", GRAPH_ANSWERS["chain"])
    monkeypatch.setitem(GRAPH_ANSWERS, "complete", gold)
    monkeypatch.setitem(GRAPH_ANSWERS, "gold_reversed", gold)
    assert "loans-graph-train-0: score 0.4" in graphs.gold_answer(GRAPH, 1).problems[0]
    assert not graphs.empty_answer(GRAPH, 1).passed
    assert "mean score 1.000" in graphs.complete_answer(GRAPH, 1).problems[0]
    assert "gold_reversed scores 1.000" in graphs.spoilt_answers(GRAPH, 1).problems[0]


def test_a_pool_that_was_seen_in_training_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = pool_of(graph_task("loans", "train", 1))
    monkeypatch.setattr(graphs, "pool_of", lambda task: shown if task.id.endswith("heldout-1") else pool_of(task))
    assert graphs.pools_apart(GRAPH, 2).problems == ("loans-graph-heldout-1 shows the pool of train task 1",)


# -- all scenarios in one ------------------------------------------------------------------------------------------


def test_the_mixed_env_is_worked_like_its_scenarios() -> None:
    oracle = solvable.mixed_oracle(BANK, 5)
    assert oracle.passed
    assert oracle.measured["instances"] >= 5
    assert solvable.every_scenario(BANK).passed


def test_a_scenario_that_never_comes_up_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BankEnv, "scenarios", ("loans", "gardening"))
    found = solvable.every_scenario(BANK)
    assert found.problems == ("gardening never came up",)


def test_rewards_of_the_mixed_env_that_do_not_add_up_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    under = subject(BANK)
    step = under.env.step

    def stingy(action: str) -> Any:
        obs, _, *rest = step(action)
        return obs, 0.0, *rest

    monkeypatch.setattr(under.env, "step", stingy)
    assert "rewards 0.000" in solvable.mixed_oracle(BANK, 2).problems[0]


# -- sizes ---------------------------------------------------------------------------------------------------------


def test_sizes_are_measured_and_stated() -> None:
    assert sizes.sizes(LOANS).passed
    assert measured_sizes("loans")["pool"] == 284
    assert set(stated_sizes("loans")) == set(measured_sizes("loans"))
    assert stated_sizes("gardening") == {}


def test_a_size_that_differs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    stated = stated_sizes("loans")
    monkeypatch.setattr(sizes, "stated_sizes", lambda scenario: stated | {"heldout": 51})
    assert sizes.sizes(LOANS).problems == ("expected 51 heldout, got 50",)


# -- the command ---------------------------------------------------------------------------------------------------


def test_every_env_of_the_package_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(["--all", "--quick", "--json", "--only", "gymnasium", "--processes", "1"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert document["passed"] is True
    assert [report["env_id"] for report in document["reports"]] == [card.id for card in ENVS]
    assert f"{BANK} gymnasium: ok" in err


def test_one_env_that_fails_fails_the_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = check_env(LOANS, only=["sizes"], processes=1)
    failed = tuple(msgspec.structs.replace(item, passed=False) for item in good.items)
    bad = ProofReport(env_id="E-v0", scenario="e", items=failed)
    assert good.passed and not bad.passed
    monkeypatch.setattr("teller_gym.proof.command.check_envs", lambda *_, **__: [good, bad])
    assert check(["--all", "--quiet"]) == 1
    assert "Teller-Loans-v0: 2 of 2 claims hold" in capsys.readouterr().out


def test_neither_an_env_nor_all_of_them_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert check([]) == 2
    assert "env: expected either the id of an env (Teller-Loans-v0" in capsys.readouterr().err
    assert check([LOANS, "--all"]) == 2
    assert "got Teller-Loans-v0 and --all" in capsys.readouterr().err
