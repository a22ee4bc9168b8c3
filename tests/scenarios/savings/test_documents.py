"""The documents of Savings: the SOP's tables agree with the policy and the tools."""

from typing import Any

from teller_gym.procedure.scenario import load_scenario
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.scenarios.savings.tools.decision import NOTICES

SAVINGS = load_scenario("savings")
SOP = SAVINGS.sop_document
POLICY: SavingsPolicy = SAVINGS.policy


def table_of(name: str) -> Any:
    return next(table for table in SOP.tables if table.id == name)


def test_the_table_of_notices_is_that_of_the_tool() -> None:
    rows = dict(table_of("T9").rows)
    assert {decision: notice for decision, notice in rows.items() if notice != "none"} == NOTICES


def test_tables_have_a_row_for_each_entry_of_the_policy() -> None:
    first = {table.id: [row[0] for row in table.rows] for table in SOP.tables}
    assert first["T1"] == list(POLICY.products)
    assert len(first["T2"]) == len(POLICY.charges) and len(first["T3"]) == len(POLICY.rate_sheets)
    assert first["T4"] == list(POLICY.bonus_plans)
    assert first["T5"] == list(POLICY.custodial_ages)
    assert first["T6"][:-1] == list(POLICY.purposes)
    assert first["T11"] == list(POLICY.file_codes)
    said = {name.partition(", ")[2] for name in first["T8"] if ", " in name}
    assert said == {*POLICY.payout_days, *POLICY.refer_days}


def test_no_two_file_codes_are_the_same() -> None:
    assert len(set(POLICY.all_file_codes)) == len(POLICY.all_file_codes) == 20
