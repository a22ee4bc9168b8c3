"""Checks of the investments documents: all codes are in both renderings, and no repealed rule is."""

import pytest

from teller_gym.procedure.sop import RENDERINGS
from teller_gym.scenarios.investments.tools.auxiliary import SUBJECT
from tests.scenarios.investments.desk import INVESTMENTS


@pytest.mark.parametrize("rendering", RENDERINGS)
def test_codes_and_divisors_stand_in_both_renderings(rendering: str) -> None:
    text, policy = INVESTMENTS.sop(rendering), INVESTMENTS.policy
    codes = [*policy.instructions.values(), *policy.price_bases.values(), *policy.clearing_numbers.values()]
    codes += [*policy.registries.values(), *policy.list_scopes.values(), *policy.type_words, *policy.asset_rules]
    assert [code for code in codes if code not in text] == []
    assert [age for age, divisor in policy.divisors.items() if f"| {age} | {divisor / 100:.2f} |" not in text] == []


@pytest.mark.parametrize("rendering", RENDERINGS)
def test_no_rule_that_was_given_up(rendering: str) -> None:
    text = INVESTMENTS.sop(rendering).casefold()
    assert "day trader" not in text and "25,000" not in text and "t+2" not in text


def test_policy_look_up_shows_every_entry() -> None:
    shown = {name for names in SUBJECT.tables["policy_topics"].values() for name in names}
    assert set(type(INVESTMENTS.policy).__struct_fields__) - shown == {"holidays"}
