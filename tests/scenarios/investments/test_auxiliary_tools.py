"""Auxiliary tools of the investments scenario: lists, estimates against hand-computed figures, and refusals."""

from typing import Any

import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.tools.bank import Bank
from tests.scenarios.guards import run
from tests.scenarios.investments.desk import ACCOUNT, CLIENT, INVESTMENTS, REQUEST, desk, lot

OTHER = "AC-100002"


def ask(bank: Bank, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool without adding the request's id."""
    return run(bank, INVESTMENTS.tools, tool, arguments)


def bank() -> Bank:
    """Return a bank with a client who has an open and a closed account, and two lots of one security."""
    made = desk(lots={"LT-100001": lot("2024-01-05", 100, 4000), "LT-100002": lot("2025-06-05", 50, 5500)})
    made.put("customers", CLIENT, {"owner": CLIENT, "full_name": "Dana Whitfield"})
    made.put("brokerage_accounts", OTHER, {**(made.get("brokerage_accounts", ACCOUNT) or {}), "owner": CLIENT,
                                           "status": "closed", "opened": "2019-02-04"})  # fmt: skip
    made.put("positions", "PO-100001", {"owner": CLIENT, "account_id": ACCOUNT, "symbol": "ABCD", "quantity": 150})
    return made


def test_accounts_are_listed_open_ones_alone_or_closed_ones_too() -> None:
    found = ask(bank(), "list_brokerage_accounts", customer_id=CLIENT)
    assert (found["total"], found["closed_accounts"]) == (1, 0)
    found = ask(bank(), "list_brokerage_accounts", customer_id=CLIENT, include_closed=True, sort_by="opened", limit=1)
    assert (found["total"], found["closed_accounts"]) == (2, 1)
    assert [row["account_id"] for row in found["accounts"]] == [OTHER]
    dates = {"opened_from": "2019-02-05", "include_closed": True}
    assert ask(bank(), "list_brokerage_accounts", customer_id=CLIENT, **dates)["total"] == 1


def test_requests_are_counted_as_open_until_decided() -> None:
    made = bank()
    found = ask(made, "list_client_requests", customer_id=CLIENT)
    assert (found["total"], found["open_requests"]) == (1, 1)
    made.update("requests", REQUEST, decision="proceed")
    assert ask(made, "list_client_requests", customer_id=CLIENT)["open_requests"] == 0
    assert ask(made, "list_client_requests", customer_id=CLIENT, state_of_case="open")["total"] == 0


def test_holdings_show_the_average_cost_of_their_lots() -> None:
    found = ask(bank(), "list_account_holdings", account_id=ACCOUNT)
    assert found["shares_in_all"] == 150
    # (100 * 40 + 50 * 55) / 150
    assert found["holdings"] == [{"symbol": "ABCD", "name": "Abcd common", "quantity": 150, "average_cost": 45.0}]
    assert ask(bank(), "list_account_holdings", account_id=ACCOUNT, max_average_cost=44.99)["total"] == 0


def test_securities_are_found_by_parts_of_names() -> None:
    found = ask(bank(), "search_securities", name_part="abcd", product_kind="stock")
    assert (found["total"], found["issuers"]) == (1, 1)
    assert ask(bank(), "search_securities", symbol_from="ABCE")["total"] == 0


@pytest.mark.parametrize(("fall", "rounding", "left"), [(0.0, "cents", 1250.55), (10.0, "cents", 1150.55),
                                                        (10.0, "dollars", 1151.0)])  # fmt: skip
def test_a_portfolio_after_a_fall(fall: float, rounding: str, left: float) -> None:
    found = ask(
        bank(), "estimate_portfolio_value", account_id=ACCOUNT, share_prices=[20.0, 80.0], share_counts=[10, 10],
        cash_on_hand=250.55, assumed_fall_percent=fall, rounding=rounding,
    )  # fmt: skip
    assert found["value_after_fall"] == left


def test_prices_and_counts_go_in_pairs() -> None:
    with pytest.raises(ToolError) as caught:
        ask(bank(), "estimate_portfolio_value", account_id=ACCOUNT, share_prices=[20.0], share_counts=[1, 2],
            cash_on_hand=0.0, assumed_fall_percent=0.0)  # fmt: skip
    assert caught.value.kind is ErrorKind.VALIDATION and caught.value.field == "share_counts"


def test_a_sale_at_average_cost() -> None:
    found = ask(
        bank(), "preview_sale_result", shares=100, assumed_price=50.0, average_cost=45.0, assumed_tax_percent=30.0,
        order_fee=6.95, other_gains=-100.0,
    )  # fmt: skip
    # 500 less the fee is 493.05, of which 393.05 are taxed
    assert found == {"estimated_result": 493.05, "estimated_tax": 117.92, "proceeds": 4993.05}


def test_room_on_margin_at_a_flat_rate() -> None:
    figures = {"market_value": 10000.0, "loan_balance": 4200.0, "flat_rate_percent": 30.0}
    found = ask(bank(), "estimate_margin_room", account_id=ACCOUNT, **figures)
    # 4,200 over 70 % is 6,000
    assert found == {"equity_percent": 58.0, "fall_until_call_percent": 40.0}


def test_even_payouts() -> None:
    plan = {"account_type": "roth_ira", "payouts_a_year": 12, "assumed_growth_percent": 5.0, "years_shown": 1}
    found = ask(bank(), "plan_retirement_payouts", **plan, balance=12000.0, payout_years=10, first_payout="2026-04-01")
    # 10,800 and 5 % of it
    assert found == {"payout_each": 100.0, "balance_left": 11340.0}


@pytest.mark.parametrize(("answer", "attitude"), [(7, "even"), (6, "careful"), (13, "even"), (14, "bold")])
def test_the_quiz(answer: int, attitude: str) -> None:
    names = ("sleep", "surprise", "news", "patience", "spending", "goal")
    assert ask(bank(), "score_risk_quiz", **{f"{name}_answer": answer for name in names})["attitude"] == attitude


def test_drafts_and_papers_address_signers_alone() -> None:
    made = bank()
    with pytest.raises(ToolError) as caught:
        ask(made, "request_client_paper", request_id=REQUEST, customer_id="CU-999999", paper="questionnaire",
            request_reason="expired", channel="mail", answer_by="2026-03-11", original_required=False)  # fmt: skip
    assert caught.value.field == "customer_id"
    with pytest.raises(ToolError) as caught:
        ask(made, "request_client_paper", request_id=REQUEST, customer_id=CLIENT, paper="questionnaire",
            request_reason="expired", channel="email", answer_by="2026-03-11", original_required=True)  # fmt: skip
    assert caught.value.field == "channel"


def test_days_are_counted_without_the_days_on_which_the_exchange_is_closed() -> None:
    found = ask(bank(), "add_days", start_date="2026-04-02", days=1, unit="business", roll="none")
    assert found["result_date"] == "2026-04-06"
