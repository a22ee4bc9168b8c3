"""Tests of which final acts, changes of records and violated gates cost success, and which do not."""

import json
import random
from collections.abc import Collection
from typing import Any

import pytest

from teller_gym.grading.faults import FaultKind
from teller_gym.grading.grader import Grade
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tools.run import action_text
from tests.envs.play import Env
from tests.grading.test_grader import (
    COUNTER,
    JOINT,
    LONG,
    TASKS,
    call_text,
    note_on,
    play,
    random_actions,
    random_order,
    start,
)

POLICY = load_scenario("loans").policy
REFERRED = next(task for task in TASKS if task.standard.outputs["decision"] == "refer")
DENIED_EARLY = next(task for task in TASKS if task.branches["identity"] == "failed")
APPROVED = next(
    task
    for task in TASKS
    if task.standard.outputs["decision"] == "approve" and any(c.name == "verify_insurance" for c in task.standard.calls)
)


def call(name: str, **arguments: Any) -> str:
    return json.dumps({"name": name, "arguments": arguments})


def position(task: Task, name: str) -> int:
    return next(number for number, each in enumerate(task.standard.calls) if each.name == name)


def work(task: Task, *extra: str, at: int) -> tuple[Env, Grade]:
    """Play the standard calls with extra actions before the call ``at``; the extra actions must be accepted."""
    env = start(task)
    actions = [action_text(each) for each in task.standard.calls]
    for action in actions[:at]:
        env.step(action)
    for action in extra:
        assert env.step(action)[4]["error"] is None
    play(env, actions[at:])
    return env, env.grade()


def lost(task: Task, *extra: str, at: int) -> Grade:
    """Play the standard calls with extra actions that cost success, although every output field is right."""
    env, grade = work(task, *extra, at=at)
    assert grade.accurate and not grade.success and not grade.clean and grade.collateral
    assert grade.score <= 0.6
    outcome = next(row for row in env.diagnosis() if row.checkpoint == "outcome")
    assert not outcome.passed and outcome.reason.startswith("action ")
    return grade


def decided(task: Task, **changes: Any) -> str:
    arguments = {
        "application_id": task.case_id, "decision": "approve", "routing": "intake", "principal_reason": "none",
        "approved_amount": 5000.0, "monthly_payment": 99.0, "dti_percent": 99.0, "total_exposure": 0.0,
    }  # fmt: skip
    return call("record_credit_decision", **arguments | changes)


def letter_of(task: Task, name: str, **arguments: Any) -> str:
    """Return a call for a letter after a wrong decision; the decision's id depends only on the case."""
    (record,) = (c for c in task.standard.calls if c.name == "submit_final_review")
    env = start(task)
    for each in task.standard.calls[: position(task, "record_credit_decision")]:
        env.step(action_text(each))
    shown = json.loads(env.step(decided(task))[0]["tool_result"])
    due = record.arguments["action_due_date"]
    common = {"application_id": task.case_id, "decision_id": shown["decision_id"], "due_date": due}
    return call(name, **common, delivery_method=shown["delivery_preference"], **arguments)


def test_approval_disclosure_and_denial_before_a_referral() -> None:
    product = REFERRED.tables["applications"][REFERRED.case_id]["product"]
    kind = "commitment_letter" if product == "home" else "truth_in_lending"
    disclosure = letter_of(
        REFERRED, "issue_loan_disclosure", disclosure_type=kind, approved_amount=5000.0, monthly_payment=99.0
    )
    denial = letter_of(
        REFERRED, "send_adverse_action_notice", notice_type="denial", principal_reason="pep_match",
        credit_score_used=0, offered_amount=0.0,
    )  # fmt: skip
    denied = decided(REFERRED, decision="deny", principal_reason="pep_match", approved_amount=0.0, monthly_payment=0.0)
    at = position(REFERRED, "record_credit_decision")
    grade = lost(REFERRED, decided(REFERRED), disclosure, denied, denial, at=at)
    assert grade.collateral[0] == (
        "issue_loan_disclosure is a final act that is not asked for in this case, which went on from 5.10.3 to 5.12.1"
    )
    assert "send_adverse_action_notice is a final act that is not asked for" in grade.collateral[1]
    assert [(fault.kind, fault.tool) for fault in grade.faults[:1]] == [(FaultKind.WRONG_ACT, "issue_loan_disclosure")]


def test_a_wrong_decision_that_is_corrected_before_any_letter_does_no_harm() -> None:
    at = position(REFERRED, "record_credit_decision")
    _, grade = work(REFERRED, decided(REFERRED), at=at)
    assert grade.success and not grade.clean and not grade.collateral
    assert {fault.made_good for fault in grade.faults} == {True}


@pytest.mark.parametrize(
    ("name", "argument", "wrong"),
    [
        ("verify_identity", "registry", POLICY.registries.values()),
        ("verify_employment", "verification_method", POLICY.verification_methods.values()),
        ("send_adverse_action_notice", "delivery_method", ("mail", "email", "branch_pickup")),
        ("send_adverse_action_notice", "due_date", ("2029-01-02",)),
    ],
)
@pytest.mark.parametrize("corrected", [True, False])
def test_a_wrong_final_act(name: str, argument: str, wrong: Collection[str], corrected: bool) -> None:
    at = position(COUNTER, name)
    right = COUNTER.standard.calls[at].arguments[argument]
    value = next(value for value in wrong if value != right)
    env = start(COUNTER)
    actions = [action_text(each) for each in COUNTER.standard.calls]
    play(env, actions[:at])
    assert env.step(call_text(COUNTER, name, **{argument: value}))[4]["error"] is None
    play(env, actions[at if corrected else at + 1 :])
    grade = env.grade()
    assert not grade.success
    assert f"{name} was done with wrong values ({argument}), which cannot be taken back" in grade.collateral
    root = grade.faults[0]
    assert (root.kind, root.tool, root.argument, root.step) == (FaultKind.WRONG_VALUE, name, argument, at)
    assert (root.expected, root.got, root.made_good) == (right, value, False)


def test_a_letter_sent_twice() -> None:
    name = "send_adverse_action_notice"
    grade = lost(COUNTER, call_text(COUNTER, name), at=position(COUNTER, name) + 1)
    assert grade.collateral == (f"{name} was done once more, though it is final and had been done right",)
    assert grade.score == pytest.approx(0.6)


def test_a_request_to_the_applicant_of_a_sanctions_case() -> None:
    documents = REFERRED.tables["applications"][REFERRED.case_id]["documents"]
    request = call(
        "request_document", application_id=REFERRED.case_id, customer_id=REFERRED.owners[1], document=documents[0],
        request_reason="illegible", channel="email", answer_by=_business_day(REFERRED), original_required=False,
        message="You stand on a sanctions list.",
    )  # fmt: skip
    for at in (2, len(REFERRED.standard.calls) - 1):
        grade = lost(REFERRED, request, at=at)
        assert "request_document is a final act that is not asked for" in grade.collateral[0]


def _business_day(task: Task) -> str:
    env = start(task)
    arguments = {"start_date": task.today.isoformat(), "days": 5, "unit": "business", "roll": "none"}
    return str(json.loads(env.step(call("add_days", **arguments))[0]["tool_result"])["result_date"])


def test_work_that_goes_on_after_the_case_has_ended() -> None:
    exposure = call(
        "calculate_total_exposure", application_id=DENIED_EARLY.case_id, customer_ids=[DENIED_EARLY.owners[1]],
        requested_amount=12.0, closing_payoff_accounts=[], portfolio=_portfolio(),
    )  # fmt: skip
    at = position(DENIED_EARLY, "record_credit_decision")
    grade = lost(DENIED_EARLY, exposure, at=at)
    assert grade.collateral[0].startswith("exposures/EX-")
    root = grade.faults[0]
    assert (root.kind, root.tool, root.clause, root.step) == (
        FaultKind.WRONG_STATE, "calculate_total_exposure", "5.4.1", at,
    )  # fmt: skip
    assert "not asked for in this case, which went on from 5.2.1 to 5.10.3" in root.reason


def _portfolio() -> str:
    return str(next(c for c in LONG.standard.calls if c.name == "calculate_total_exposure").arguments["portfolio"])


@pytest.mark.parametrize("task", [COUNTER, JOINT, APPROVED], ids=["counter", "joint", "approved"])
@pytest.mark.parametrize("redone", [True, False])
def test_an_employer_asked_before_completeness_and_identity(task: Task, redone: bool) -> None:
    at = position(task, "verify_employment")
    actions = [action_text(each) for each in task.standard.calls]
    early, rest = actions[at], actions[1:] if redone else [*actions[1:at], *actions[at + 1 :]]
    env = start(task)
    play(env, [actions[0], early, *rest])
    grade = env.grade()
    assert grade.accurate and not grade.success
    assert grade.collateral[0].startswith("verify_employment was called before check_application_completeness")
    assert "(SOP 5.1.3: only then go on), which cannot be taken back" in grade.collateral[0]
    assert (grade.faults[0].kind, grade.faults[0].clause) == (FaultKind.WRONG_ACT, "5.1.3")


@pytest.mark.parametrize("name", ["calculate_total_exposure", "assess_collateral", "record_credit_decision"])
def test_revisable_work_too_early_counts_once_it_is_done_again_in_its_place(name: str) -> None:
    actions = [action_text(each) for each in APPROVED.standard.calls]
    at = position(APPROVED, name)
    env, grade = work(APPROVED, actions[at], at=1)
    assert grade.success and grade.score == 1.0 and grade.clean
    env = start(APPROVED)
    play(env, [actions[0], actions[at], *actions[1:at], *actions[at + 1 :]])
    grade = env.grade()
    assert grade.accurate and not grade.success and grade.score < 0.6
    reason = next(row.reason for row in env.diagnosis() if row.checkpoint == f"call:{name}")
    assert reason.startswith("called before check_application_completeness") and "only then go on" in reason


def test_a_record_changed_after_the_letter_had_gone_out() -> None:
    name = "record_credit_decision"
    at = position(COUNTER, "submit_final_review")
    changed = call_text(COUNTER, name, dti_percent=1.0)
    grade = lost(COUNTER, changed, call_text(COUNTER, name), at=at)
    too_late = f"{name} changed its record after send_adverse_action_notice had been done, which rests on it"
    assert grade.collateral == (too_late, too_late)
    assert grade.faults[0].kind is FaultKind.WRONG_VALUE or grade.faults[0].reason == too_late


def test_a_record_made_again_in_the_same_words_does_no_harm() -> None:
    at = position(COUNTER, "submit_final_review")
    _, grade = work(COUNTER, call_text(COUNTER, "record_credit_decision"), at=at)
    assert grade.success and grade.score == 1.0 and grade.clean


def test_an_earlier_record_that_writes_over_a_later_one_after_the_letter() -> None:
    """Repeating the first call overwrites the payment for the offered amount with that for the requested amount."""
    at = position(COUNTER, "submit_final_review")
    grade = lost(COUNTER, call_text(COUNTER, "calculate_payment"), at=at)
    assert "calculate_payment changed its record after" in grade.collateral[0]
    assert any(": monthly_payment is " in reason for reason in grade.collateral)


def test_a_wrong_record_that_stays() -> None:
    actions = [action_text(each) for each in COUNTER.standard.calls]
    at = position(COUNTER, "calculate_monthly_debts")
    actions[at] = call_text(COUNTER, "calculate_monthly_debts", monthly_support_paid=1234.56)
    env = start(COUNTER)
    play(env, actions)
    grade = env.grade()
    assert grade.accurate and not grade.success
    assert any(f"applications/{COUNTER.case_id}: monthly_debts is " in reason for reason in grade.collateral)
    root = grade.faults[0]
    assert (root.kind, root.argument, root.step) == (FaultKind.WRONG_VALUE, "monthly_support_paid", at)
    assert root.field == "get_application_data.monthly_support_paid"


def test_the_bureau_asked_about_somebody_else() -> None:
    other = next(key for key in COUNTER.tables["customers"] if key not in COUNTER.owners)
    employment = COUNTER.tables["employment"][other]
    fields = ("employer_name", "employment_type", "start_date", "pay_type")
    asked = call_text(COUNTER, "verify_employment", customer_id=other, **{name: employment[name] for name in fields})
    grade = lost(COUNTER, asked, at=position(COUNTER, "verify_employment"))
    assert any(f"was created for {other}, which is not of this case" in reason for reason in grade.collateral)


def test_a_refused_or_failed_call_is_no_act() -> None:
    env = start(COUNTER, faults=1)
    errors = 0
    for each in COUNTER.standard.calls:
        for _ in range(5):
            _, _, over, _, info = env.step(action_text(each))
            if info["error"] is None:
                break
            errors += 1
            assert info["error"]["kind"] == "temporary"
    grade = env.grade()
    assert over and errors and grade.success and grade.clean and grade.score == 1.0
    env = start(COUNTER)
    env.step(call_text(COUNTER, "send_adverse_action_notice"))  # refused: nothing is decided
    play(env, [action_text(each) for each in COUNTER.standard.calls])
    grade = env.grade()
    assert grade.success and not grade.clean and grade.score == pytest.approx(0.99)


def test_notes_and_reads_do_no_harm_anywhere() -> None:
    for number, task in enumerate(TASKS[::20]):
        env = start(task)
        actions = []
        for each in random_order(task, number):
            actions += [action_text(each), call("get_rate_table", product="auto"), note_on(task, task.case_id)]
        play(env, actions[: len(actions) - 2])
        grade = env.grade()
        assert grade.success and grade.clean and grade.score == 1.0 and not grade.faults, task.id


# Properties over random ways of working


def scores_of(task: Task, actions: list[str]) -> list[float]:
    return play(start(task), actions)[1]


@pytest.mark.parametrize("seed", range(30))
def test_nothing_done_twice_pays_more_than_once(seed: int) -> None:
    task = TASKS[seed * 7 % len(TASKS)]
    actions = random_actions(task, seed)
    once = scores_of(task, actions)
    draw = random.Random(seed)
    for _ in range(4):
        at = draw.randrange(len(once))
        twice = scores_of(task, [*actions[: at + 1], actions[at], *actions[at + 1 :]])
        assert twice[-1] <= once[-1] + 1e-9, (task.id, actions[at])


@pytest.mark.parametrize("seed", range(30))
def test_a_right_call_after_a_wrong_one_never_pays_less_than_none(seed: int) -> None:
    """Inserting a standard call anywhere never lowers the score reached so far, unless it is refused."""
    task = TASKS[seed * 7 % len(TASKS)]
    actions = random_actions(task, seed)
    env = start(task)
    draw = random.Random(seed)
    before = 0.0
    for action in actions:
        snapshot = env.snapshot()
        right = action_text(draw.choice(task.standard.calls[:-1]))
        _, reward, over, _, info = env.step(right)
        assert reward >= 0 or info["error"] is not None, right
        env.restore(snapshot)
        _, reward, over, truncated, info = env.step(action)
        before += reward
        assert reward >= 0 or info["error"] is not None, action
        if over or truncated:
            break
    assert before == pytest.approx(env.grade().score)


@pytest.mark.parametrize("seed", range(40))
def test_an_episode_without_success_has_a_fault_that_was_not_made_good(seed: int) -> None:
    task = TASKS[seed * 5 % len(TASKS)]
    env = start(task)
    play(env, [*random_actions(task, seed), "Done."])
    grade = env.grade()
    left = [fault for fault in grade.faults if not fault.made_good]
    assert grade.success != bool(left)
    assert [fault.made_good for fault in grade.faults] == sorted(fault.made_good for fault in grade.faults)
    assert [fault.step for fault in left] == sorted(fault.step for fault in left)
    assert all(fault.reason and 0 <= fault.step <= grade.calls for fault in grade.faults)
    assert not any("before  had" in fault.reason or "before had" in fault.reason for fault in grade.faults)
    assert not any("before  had" in row.reason for row in env.diagnosis())
    assert grade.clean == (grade.success and not grade.faults)


def test_a_missing_call_is_seen_where_the_first_call_after_it_comes() -> None:
    actions = [action_text(each) for each in COUNTER.standard.calls]
    at = position(COUNTER, "calculate_total_exposure")
    env = start(COUNTER)
    play(env, [*actions[:at], *actions[at + 1 :]])
    root = env.grade().faults[0]
    assert (root.kind, root.tool, root.clause) == (FaultKind.MISSING_CALL, "calculate_total_exposure", "5.4.1")
    assert root.step == position(COUNTER, "verify_employment") - 1  # the first behind gate 5.5.3
    env = start(COUNTER)
    play(env, actions[:3])
    faults = env.grade().faults
    assert {fault.step for fault in faults} == {3} and len(faults) == len(actions) - 3


def test_the_first_right_call_pays_at_once_also_for_who_fails_often() -> None:
    env = start(LONG)
    rewards = [env.step("{")[1] for _ in range(30)]
    rewards.append(env.step(action_text(LONG.standard.calls[0]))[1])
    assert rewards[:-1] == [0.0] * 30 and rewards[-1] > 0
    parameters, checkpoints = 1 / len(LONG.standard.calls), 1 / len(env.grade().checkpoints)
    assert rewards[-1] == pytest.approx(0.9 * 0.3 * (parameters + checkpoints))


def test_an_accurate_answer_alone_is_no_success() -> None:
    """The outputs are right, but only the calls required by the submitting tool were made."""
    env = start(COUNTER)
    names = ("record_credit_decision", "send_adverse_action_notice", "submit_final_review")
    play(env, [call_text(COUNTER, name) for name in names])
    grade = env.grade()
    assert grade.accurate and not grade.success
    assert set(names) <= set(grade.invoked_tools)


@pytest.mark.parametrize("schema_shift", [False, 3])
def test_a_refused_argument_goes_by_its_own_name(schema_shift: bool | int) -> None:
    env = start(COUNTER, schema_shift=schema_shift)
    for each in COUNTER.standard.calls[:-1]:
        name, arguments = env.tools.write(each.name, each.arguments)
        if each.name == "check_application_completeness":
            shown = next(key for key, value in arguments.items() if value == each.arguments["product"])
            text = call(name, **arguments | {shown: "boat"})
            assert env.step(text)[4]["error"]["field"] == shown
        assert env.step(call(name, **arguments))[4]["error"] is None
    (fault,) = (fault for fault in env.grade().faults if fault.kind is FaultKind.FAILED_CALL)
    assert (fault.tool, fault.argument, fault.made_good) == ("check_application_completeness", "product", True)
