"""The largest limit that an income supports is found by bisection, which needs a payment that never falls."""

from fractions import Fraction
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from teller_gym.procedure.scenario import load_scenario
from teller_gym.scenarios.credit_cards.tools.ability import assumed_payment
from teller_gym.tasks.store import frozen_tasks
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action

CARDS = load_scenario("credit_cards")
POLICIES = [CARDS.policy_of(task) for task in frozen_tasks("credit_cards").values()][:40]


@given(
    st.sampled_from(POLICIES),
    st.integers(0, 5_000_000),
    st.integers(0, 5_000_000),
    st.integers(0, 3_600),
)
def test_a_larger_limit_never_has_a_smaller_payment(policy: object, limit: int, more: int, rate: int) -> None:
    yearly = Fraction(rate, 100)
    assert assumed_payment(policy, limit, yearly) <= assumed_payment(policy, limit + more, yearly)  # type: ignore[arg-type]


def ask(bank: Bank, call: Call, limit: float) -> dict[str, Any]:
    """Assess another limit on the same income."""
    return run_action(bank, CARDS.tools, action_text(Call(call.name, {**call.arguments, "proposed_limit": limit})))


def test_the_largest_limit_is_carried_and_the_next_step_is_not() -> None:
    """Check the reported limit and the next step by asking the tool again."""
    seen = set()
    for task in frozen_tasks("credit_cards").values():
        call = next((one for one in task.standard.calls if one.name == "assess_ability_to_pay"), None)
        if call is None:
            continue
        bank, step = CARDS.bank(task), CARDS.policy_of(task).limit_step / 100
        for before in task.standard.calls[: task.standard.calls.index(call)]:
            run_action(bank, CARDS.tools, action_text(before))

        asked = partial(ask, bank, call)
        answer = asked(call.arguments["proposed_limit"])
        largest = answer["largest_limit"]
        seen.add((bool(answer["within_limit"]), largest > 0))
        if answer["within_limit"]:
            assert largest == call.arguments["proposed_limit"]
        else:
            assert largest % step == 0 and largest < call.arguments["proposed_limit"]
            assert not largest or asked(largest)["within_limit"]
            assert not asked(largest + step)["within_limit"]
    assert (True, True) in seen and (False, True) in seen
