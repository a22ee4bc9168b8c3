"""Two records of a case never share an id: a case in which they would is drawn again."""

from __future__ import annotations

from datetime import date

import pytest

from teller_gym.base.errors import IdClashError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tasks.store import generate_task
from teller_gym.tools.bank import IssuingBank

CLASHING = 19_537
"""Seed of a Loans case for whose two applicants the bureau's reports would get the id CR-159591."""
TWIN = "1035456"
"""Part of a reference that gets the same id as the part "one"."""


def test_a_bank_notes_when_two_records_share_an_id() -> None:
    bank = IssuingBank({}, date(2026, 7, 3), None, "LA-880658")
    first = bank.reference("CR", "one")
    assert bank.reference("CR", "one") == first and bank.clash is None
    assert bank.reference("CR", TWIN) == bank.clash == first


def test_a_case_in_which_they_would_is_drawn_again() -> None:
    task = generate_task("loans", CLASHING)
    assert task.id == f"loans-g-{CLASHING}" and task.seed > 2**40
    scenario = load_scenario("loans")
    draft = scenario.draft(CLASHING)
    with pytest.raises(IdClashError, match="two records of the expert in LA-880658 have the id CR-159591"):
        scenario.run_expert(draft)
