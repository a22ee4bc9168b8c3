"""A closed card is not blocked again; other errors of the core tools are in ``guards.py``."""

import pytest

from teller_gym.base.errors import ToolError
from teller_gym.procedure.scenario import load_scenario
from tests.scenarios.bank_scenarios import case_of, tasks_of
from tests.scenarios.guards import call_of, run

CARDS = load_scenario("credit_cards")


def test_a_closed_card_is_not_blocked_again() -> None:
    tried = 0
    for task in tasks_of(CARDS):
        closed = [row["card_id"] for row in case_of(task)["cards"] if row["status"] == "closed"]
        if task.branches["kind"] == "lost_card" and closed:
            with pytest.raises(ToolError, match="closed already"):
                run(CARDS.bank(task), CARDS.tools, "block_card",
                    {**call_of(task, "block_card").arguments, "card_ids": closed})  # fmt: skip
            tried += 1
    assert tried
