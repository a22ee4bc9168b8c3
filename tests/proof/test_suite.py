"""Tests that checks pass for true claims, and fail after deliberate sabotage."""

import json
import random
from datetime import date
from typing import Any

import msgspec
import pytest

import tests.proof.stub as stub
from teller_gym.base.errors import OptionError, ScenarioError
from teller_gym.cli import main
from teller_gym.procedure.graph import EdgeKind
from teller_gym.procedure.scenario import Solution
from teller_gym.procedure.task import Task
from teller_gym.proof import ProofItem, answers, check_env, running, suite
from teller_gym.proof import repeatable as repeatable_checks
from teller_gym.proof import structure as structure_checks
from teller_gym.proof.answers import predicted
from teller_gym.proof.cheap import cheap_agent
from teller_gym.proof.mutation import mutation, one_step
from teller_gym.proof.play import subject
from teller_gym.proof.registry import OF_THE_BENCHMARK
from teller_gym.proof.report import ProofReport
from teller_gym.proof.solvable import any_order, harmless_reads, oracle, random_order
from teller_gym.proof.suite import checks

ENV = stub.ENV_ID


HOLD = (
    *("crashes", "sizes", "graph", "gymnasium", "frozen_bytes", "disjoint", "oracle", "harmless_reads", "any_order"),
    *("mutation", "repeatable", "agreement", "realism", "outcome_classes", "cheap.noop", "cheap.repeat"),
)
BROKEN = ("parameters", "single_field.routing", "cheap.call_everything", "cheap.majority")


def check(arguments: list[str]) -> int:
    return main(["check", *arguments])


@pytest.fixture(scope="module")
def report() -> ProofReport:
    only = [name for name in HOLD if name not in ("crashes", "realism")]
    only += ["parameters", "single_fields", "cheap.call_everything", "cheap.majority"]
    return check_env(ENV, only=only, quick=True, processes=1, sound=False)


def test_claims_that_hold_of_the_stub_are_green(report: ProofReport) -> None:
    found = {item.name: item for item in report.items}
    assert [name for name in HOLD if not found[name].passed] == []


def test_claims_that_do_not_hold_of_so_small_a_scenario_are_red(report: ProofReport) -> None:
    found = {item.name: item for item in report.items}
    for name in BROKEN:
        assert not found[name].passed
        assert found[name].problems
    assert not report.passed


def test_the_table_has_a_row_for_each_item_and_json_the_same(report: ProofReport) -> None:
    table = report.table()
    document = json.loads(report.to_json())
    assert document["passed"] is False
    assert [item["name"] for item in document["items"]] == [item.name for item in report.items]
    for item in report.items:
        assert item.claim in table
        assert item.figure in table


def test_a_scenario_of_one_s_own_need_not_be_as_large_as_the_benchmark_s() -> None:
    assert set(checks(ENV, sound=False)) - set(checks(ENV)) == OF_THE_BENCHMARK
    assert set(checks("Teller-Loans-v0")) - set(checks("Teller-Loans-v0", sound=True)) == OF_THE_BENCHMARK
    assert {"oracle", "cheap.random", "leaks"} <= set(checks(ENV))


def test_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert check([ENV, "--only", "graph", "--quiet"]) == 0
    assert check([ENV, "--only", "parameters", "--no-sound", "--quiet", "--json"]) == 1
    assert json.loads(capsys.readouterr().out.partition("\n{")[2].join(("{", "")))["items"][0]["name"] == "parameters"
    assert check(["Teller-Nothing-v0", "--quiet"]) == 2
    assert check(["CartPole-v1", "--quiet"]) == 2
    assert check([]) == 2
    assert check([ENV, "--only", "nonsense", "--quiet"]) == 2


def test_two_processes_find_the_same() -> None:
    assert check_env(ENV, only=["graph", "oracle", "sizes"], processes=2) == check_env(
        ENV, only=["graph", "oracle", "sizes"], processes=1
    )


def test_options_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="generated"):
        check_env(ENV, generated=-1)
    with pytest.raises(OptionError, match="processes"):
        check_env(ENV, processes=0)


def test_a_crash_is_a_failed_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "generate_task", lambda *_: 1 / 0)
    crashed = check_env(ENV, only=["agreement", "graph"], processes=1).items
    assert [(item.name, item.passed) for item in crashed] == [("graph", True), ("agreement", False), ("crashes", True)]
    assert "ZeroDivisionError" in crashed[1].problems[0]


def test_a_tool_that_crashes_is_a_failed_item_of_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    def broken(bank: Any, case_id: str) -> Any:
        raise ZeroDivisionError("boo\nhoo")

    monkeypatch.setattr(subject(ENV).scenario.tools["read_note"], "_function", broken)
    report = check_env(ENV, only=["oracle", "cheap.call_everything"], quick=True, processes=1)
    crashes = report.items[-1]
    assert (crashes.name, crashes.passed) == ("crashes", False)
    (line,) = crashes.problems
    assert line.startswith("read_note: ZeroDivisionError: boo hoo (")
    assert "\n" not in line
    assert "Traceback" not in capsys.readouterr().err
    assert caplog.records == []


def test_a_scenario_that_cannot_be_loaded_is_a_failed_item(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> Any:
        raise ScenarioError("sop.yaml: no such tool")

    monkeypatch.setattr(suite, "subject", broken)
    (item,) = check_env(ENV, processes=1).items
    assert (item.name, item.passed) == ("loads", False)
    assert "ScenarioError: sop.yaml: no such tool" in item.problems[0]
    assert check([ENV, "--quiet"]) == 1
    assert f"{ENV}: 0 of 1 claims hold" in capsys.readouterr().out


def test_an_interruption_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("teller_gym.proof.command.check_envs", interrupted)
    assert main(["check", ENV, "--quiet"]) == 130
    assert capsys.readouterr().err == "teller-gym: interrupted; no check had ended\n"


# -- sabotage ------------------------------------------------------------------------------------------------------


def test_an_expert_that_errs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def hasty(request: str, policy: Any) -> Any:
        steps = stub.expert(request, policy)
        yield next(steps)

    monkeypatch.setattr(subject(ENV).scenario, "expert", hasty)
    assert not oracle(ENV).passed


def test_rewards_that_do_not_add_up_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    under = subject(ENV)
    step = under.env.step

    def generous(action: str) -> Any:
        obs, reward, *rest = step(action)
        return obs, float(reward) + 0.1, *rest

    monkeypatch.setattr(under.env, "step", generous)
    found = oracle(ENV)
    assert not found.passed
    assert "rewards 1.300" in found.problems[0]


def test_a_read_that_hurts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = subject(ENV).scenario.tools["read_note"]

    def careless(bank: Any, case_id: str) -> Any:
        bank.put("accounts", "AC-000001", {"owner": "somebody else"})
        return stub.Note(text="")

    monkeypatch.setattr(tool, "_function", careless)
    assert not harmless_reads(ENV).passed


@pytest.mark.parametrize("fault", ["circle", "edge", "origin"])
def test_a_graph_that_is_circular_or_cannot_be_traced_is_found(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    scenario = subject(ENV).scenario
    graph, data = scenario.graph, next(edge for edge in scenario.graph.edges if edge.kind is EdgeKind.DATA)
    if fault == "circle":
        back = msgspec.structs.replace(data, upstream=data.downstream, downstream=data.upstream)
        bent = msgspec.structs.replace(graph, edges=(*graph.edges, back))
    elif fault == "edge":
        bent = msgspec.structs.replace(graph, edges=tuple(edge for edge in graph.edges if edge is not data))
    else:
        node = graph.nodes[data.downstream]
        inputs = {
            name: msgspec.structs.replace(item, origin=(f"{data.upstream}.nothing",)) if item.origin else item
            for name, item in node.inputs.items()
        }
        nodes = graph.nodes | {data.downstream: msgspec.structs.replace(node, inputs=inputs)}
        bent = msgspec.structs.replace(graph, nodes=nodes)
    monkeypatch.setattr(scenario, "graph", bent)
    found = structure_checks.graph(ENV)
    assert not found.passed
    assert ("depends on itself" if fault == "circle" else "cannot be traced to") in found.problems[0]


def test_a_tool_that_wants_more_order_than_the_graph_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = subject(ENV).scenario.graph
    free = msgspec.structs.replace(graph, edges=())
    monkeypatch.setattr(subject(ENV).scenario, "graph", free)
    found = any_order(ENV)
    assert not found.passed
    assert found.measured["different"] > 0


def test_an_agent_that_gets_far_among_distractors_is_found() -> None:
    far, near = cheap_agent(ENV, "expert", "all", 6), cheap_agent(ENV, "noop", "all", 6)
    assert [far.name, near.name] == ["crowded.expert", "crowded.noop"]
    assert not far.passed and near.passed
    assert "mean score 1.000" in far.problems[0] and "6 of 6 right" in far.problems[1]
    assert far.measured["instances"] == near.measured["instances"] == 6


def test_an_argument_that_is_not_graded_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from teller_gym.grading.rubric import Rubric

    build = Rubric.__init__

    def forgetful(self: Rubric, *args: Any) -> None:
        build(self, *args)
        required = tuple(
            msgspec.structs.replace(call, arguments={k: v for k, v in call.arguments.items() if k != "handling"})
            for call in self.required
        )
        self.required = required
        self.by_name = {name: tuple(required[call.index] for call in calls) for name, calls in self.by_name.items()}

    from teller_gym.envs.episode import bank

    monkeypatch.setattr(Rubric, "__init__", forgetful)
    monkeypatch.setattr(bank, "_RUBRICS", {})
    found = mutation(ENV)
    assert not found.passed
    assert found.measured["unnoticed"] == stub.TASKS
    assert "handling" in found.problems[0]


def test_an_env_with_a_memory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from teller_gym.envs.episode.bank import BankEpisode

    counter = iter(range(10**6))
    account = BankEpisode.account

    def counting(self: BankEpisode, error: Any) -> str:
        return f"{account(self, error)} {next(counter)}"

    monkeypatch.setattr(BankEpisode, "account", counting)
    monkeypatch.setattr(repeatable_checks, "_elsewhere", lambda env_id, n: repeatable_checks.digests(env_id, range(n)))
    assert not repeatable_checks.repeatable(ENV, 2).passed


def test_a_solver_that_disagrees_and_unreal_cases_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = subject(ENV).scenario

    def lenient(task: Task, policy: Any) -> Solution:
        return stub.solve(task, msgspec.structs.replace(policy, window_days=policy.window_days + 1))

    monkeypatch.setattr(scenario, "_solver", lenient)
    monkeypatch.setattr(scenario, "realism", lambda task, policy: ["too good to be true"])
    agreement, realism = answers.agreement(ENV, 200)
    assert not agreement.passed
    assert not realism.passed


# -- small parts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "schema", "up", "expected"),
    [
        (10.0, {"type": "number"}, True, 10.01),
        (10.125, {"type": "number"}, False, 10.124),
        (0.0, {"type": "number", "minimum": 0}, False, 0.01),
        (7, {"type": "integer", "maximum": 7}, True, 6),
        ("2026-02-28", {"type": "string", "format": "date"}, True, "2026-03-01"),
        ("AB-129", {"type": "string", "pattern": "^AB-[0-9]{3}$"}, True, "AB-120"),
        ("Jo Lee", {"type": "string", "minLength": 1}, True, "Jo Lef"),
        ("b", {"enum": ["a", "b", "c"]}, True, "c"),
        ("c", {"enum": ["a", "b", "c"]}, True, "a"),
        (True, {"type": "boolean"}, True, False),
        (["a"], {"type": "array", "items": {"enum": ["a", "b"]}}, True, ["a", "b"]),
        (["a"], {"type": "array", "items": {"enum": ["a", "b"]}}, False, []),
        (["a"], {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1}, False, ["a", "b"]),
    ],
)
def test_one_step(value: Any, schema: dict[str, Any], up: bool, expected: Any) -> None:
    assert one_step(value, schema, up=up) == expected


def test_one_step_from_nothing_is_something() -> None:
    schema = {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}
    assert date.fromisoformat(one_step(None, schema))
    assert one_step([], {"type": "array", "items": {"type": "string", "pattern": "^TL-[0-9]{6}$"}}) != []


def test_random_orders_keep_dependencies_and_the_end() -> None:
    after = [[], [0], [0], [1, 2], []]
    seen = set()
    for seed in range(50):
        order = random_order(after, random.Random(seed))
        place = {call: position for position, call in enumerate(order)}
        assert all(place[i] < place[k] for k, waits in enumerate(after) for i in waits)
        assert order[-1] == len(after) - 1
        seen.add(tuple(order))
    assert seen == {(0, 1, 2, 3, 4), (0, 2, 1, 3, 4)}


def test_a_field_predicts_by_value_or_by_threshold_but_not_by_being_unique() -> None:
    labels = ["yes", "no"] * 10
    assert predicted(["a", "b"] * 10, labels) == 1.0
    assert predicted([f"id-{i:02}" for i in range(20)], labels) <= 0.6
    assert predicted(list(range(20)), ["low"] * 10 + ["high"] * 10) == 1.0
    assert predicted([None] * 20, ["low"] * 15 + ["high"] * 5) == 0.75
    assert predicted([["x"]] * 20, ["low"] * 15 + ["high"] * 5) == 0.75


def test_items_say_what_is_wrong() -> None:
    shown = ProofReport(
        env_id="E-v0",
        scenario="e",
        items=(ProofItem(name="a", claim="all is well", passed=False, figure="0 of 1", problems=("no",)),),
    ).table()
    assert shown.splitlines() == ["FAIL  all is well  0 of 1", "        no", "E-v0: 0 of 1 claims hold"]


def test_what_was_found_before_an_interruption_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(checks: Any, order: Any, processes: int, done: Any) -> Any:
        job = next(job for job in checks if job.check == "graph")
        done(job, running.run_check("graph", checks[job]))
        raise KeyboardInterrupt

    monkeypatch.setattr("teller_gym.proof.suite.run_all", interrupted)
    assert main(["check", ENV, "--quick"]) == 130
    said = capsys.readouterr().err
    assert "the graph is acyclic and traceable" in said
    assert "stopped after 1 of " in said
    assert "1 of " in said.splitlines()[-1] and said.endswith("checks had ended\n")


def test_a_name_that_only_begins_like_a_check_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ENV, "--only", "act", "--quiet"]) == 2
    assert "got 'act'; did you mean 'acts'?" in capsys.readouterr().err
