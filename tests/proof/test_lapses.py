"""Tests of the claims about lapses and of the forked episodes with which they are measured."""

from typing import Any

import pytest

import tests.proof.stub as stub
from teller_gym.procedure.lapses import Lapse, lapse, lapses_of, load_lapses
from teller_gym.procedure.scenario import load_scenario
from teller_gym.proof import cheap, lapses, sizes
from teller_gym.proof.play import play_actions, subject
from teller_gym.proof.trunk import Trunk
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text

ENV = stub.ENV_ID
SCENARIO = load_scenario(stub.NAME)


@pytest.mark.parametrize("judged", [True, False])
def test_a_lapse_that_nothing_punishes_is_found_and_others_are_counted(
    judged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if judged:
        monkeypatch.setattr(lapses, "FEWEST_GENERATED", 40)
    found = lapses.every_judgement(ENV, 40)
    assert not found.passed
    wrong = " ".join(found.problems)
    assert "fee_kept (1.1) loses 0 held-out instances, expected 3 or more" in wrong
    assert ("0 of 40 generated ones, expected 2% or more" in wrong) == ("2% of generated" in found.claim) == judged
    assert "no validation instance" in wrong
    held = [task.standard.outputs["routing"] for task in subject(ENV).tasks if task.split == "heldout"]
    assert found.measured["lost"]["limit_ignored"][0] == held.count("supervisor") > 0
    assert found.measured["lost"]["window_ignored"][0] == len(held)  # the window's last day is in a final call
    assert [line.split()[0] for line in found.details] == ["lapse", "window_ignored", "limit_ignored", "fee_kept"]
    assert found.details[-1].endswith("<")


def test_a_lapse_that_falls_over_is_found() -> None:
    def falls(request: str, policy: Any) -> Any:
        yield Call("get_case", {"case_id": request.split()[-1].rstrip(".")})
        raise RuntimeError("it fell over")

    rows = lapses.measured_rows(stub.NAME, {"falls": Lapse("falls", ("1.1",), "Falls over.", falls)}, 0)
    assert any("crashed on" in complaint for complaint in rows[0].complaints(0))


def test_a_scenario_without_lapses_is_told_so_and_fails_only_if_it_is_the_benchmarks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(vars(SCENARIO), "lapses", {})
    monkeypatch.setitem(vars(SCENARIO), "clean_paths", {})
    for wanted in (False, True):
        monkeypatch.setattr(sizes, "stated_sizes", lambda name, wanted=wanted: {"nodes": 3} if wanted else {})
        for found in (lapses.every_judgement(ENV, 5), *cheap.clean_paths(ENV)):
            assert found.passed != wanted
            assert "lapses.py" in found.figure


def test_a_path_by_heart_that_wins_too_often_is_found() -> None:
    by_name = {found.name: found for found in cheap.clean_paths(ENV)}
    most = by_name["by_heart.clean_path"]
    assert not most.passed and "expected at most 5%" in most.problems[0]
    assert by_name["by_heart.clean_path_constant"].measured["share"] <= most.measured["share"]


def test_an_expert_who_departs_nowhere_is_not_played_again() -> None:
    trunk = Trunk(subject(ENV).tasks[0])
    assert trunk.play(stub.expert) is trunk.end
    assert trunk.end.grader.success


@pytest.mark.parametrize("name", ["window_ignored", "limit_ignored"])
def test_a_branch_ends_as_a_play_from_the_start(name: str) -> None:
    under = subject(ENV)
    for task in under.tasks:
        trunk = Trunk(task)
        quick = trunk.play(SCENARIO.lapses[name].expert)
        actions: list[str] = []

        def noted(request: str, policy: Any, actions: list[str] = actions) -> Any:
            steps = SCENARIO.lapses[name].expert(request, policy)
            call, result = next(steps), None
            while True:
                actions.append(action_text(call))
                result = yield call
                try:
                    call = steps.send(result)
                except StopIteration:
                    return

        trunk.play(noted)
        slow = play_actions(under, task, actions)
        assert slow.success == quick.grader.success
        assert slow.score == quick.grader.standing().score


def test_branches_do_not_touch_each_other() -> None:
    trunk = Trunk(subject(ENV).tasks[1])
    experts = [one.expert for one in SCENARIO.lapses.values()]
    alone = [Trunk(trunk.task).play(expert).grader.standing() for expert in experts]
    assert [trunk.play(expert).grader.standing() for expert in [*experts, *experts]] == [*alone, *alone]


def test_an_expert_who_stops_early_has_no_success() -> None:
    def stops(request: str, policy: Any) -> Any:
        steps = stub.expert(request, policy)
        yield next(steps)

    assert not Trunk(subject(ENV).tasks[0]).play(stops).grader.success


def test_two_lapses_of_one_name_and_one_without_words_are_refused() -> None:
    import types

    from teller_gym.base.errors import ScenarioError

    def of(name: str, text: str | None) -> types.ModuleType:
        module = types.ModuleType(name)
        worker: Any = type("Hasty", (), {"__doc__": text, "__module__": name, "work": lambda self: iter(())})
        module.__dict__["Hasty"] = lapse("1.1")(worker)
        return module

    assert list(lapses_of(of("one", "Is hasty."))) == ["hasty"]
    with pytest.raises(ScenarioError, match="lapse hasty"):
        lapses_of(of("one", "Is hasty."), of("two", "Is hasty too."))
    with pytest.raises(ScenarioError, match="docstring"):
        lapses_of(of("one", None))


def test_a_package_without_a_module_of_lapses_has_none() -> None:
    assert load_lapses("tests.agents.fake_vllm") == ({}, {})
    assert load_lapses("teller_gym.scenarios") == ({}, {})


def test_codes_that_are_found_by_trying_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "there are none" in cheap.brute_force_codes(ENV).claim
    monkeypatch.setattr(cheap, "codes_of", lambda name: {"check_purchase": {"handling": ("restock", "discard")}})
    monkeypatch.setattr(cheap, "guessed_codes", lambda scenario, task: stub.expert(task.request, scenario.policy))
    found = cheap.brute_force_codes(ENV)
    assert not found.passed and "100.0% right" in found.problems[0]
    assert "check_purchase.handling" in found.figure
