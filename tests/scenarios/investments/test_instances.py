"""Implausible cases that the investments generator must not draw."""

from datetime import date, timedelta

from teller_gym.scenarios.investments.generator.accounts import PROTECTED_AGE
from tests.scenarios.investments.desk import INVESTMENTS


def test_what_a_banker_would_smile_at_is_not_drawn() -> None:
    for seed in range(300_000, 300_120):
        tables = INVESTMENTS.generate(seed).tables
        for lot in tables["lots"].values():
            assert isinstance(lot["quantity"], int)
            assert lot["source"] != "reinvestment" or lot["quantity"] <= 14
        for statement in tables["statements"].values():
            assert (date.fromisoformat(statement["statement_date"]) + timedelta(days=1)).day == 1
            for asset in statement["assets"]:
                assert asset["asset_kind"] != "sweep_fund" or asset["value"] == 100 * asset["quantity"]
        for account in tables["brokerage_accounts"].values():
            born = date.fromisoformat(account["owner_birth_date"] or "1950-01-01")
            held = any(row["kind"] == "exploitation_hold" for row in account["restrictions"])
            assert not held or born.year < INVESTMENTS.generate(seed).today.year - PROTECTED_AGE
