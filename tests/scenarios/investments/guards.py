"""Calls that the core tools of Investments refuse or allow; see ``tests/scenarios/guards.py``."""

from collections.abc import Mapping
from typing import Any

from teller_gym.procedure.task import Task
from tests.scenarios.guards import ORDER, VALIDATION, Guard, call_of, days, refused


def _from_the_last_day(task: Task) -> Mapping[str, Any]:
    return {"acquired_from": call_of(task, "list_tax_lots").arguments["acquired_to"]}


def _day_too_late(task: Task) -> Mapping[str, Any]:
    first = call_of(task, "list_tax_lots").arguments["acquired_to"]
    return {"acquired_from": first, "acquired_to": task.tables["lots"][min(task.tables["lots"])]["acquired"]}


_PURCHASE = {"request": "purchase", "finding": "concentration"}
_GAIN = {"request": "sale", "finding": "gain", "decision": "proceed"}
_LOSS = {"request": "sale", "finding": "wash_sale"}

GUARDS: tuple[Guard, ...] = (
    *(
        refused(tool, "request_id", "IR-000000")
        for tool in (
            "get_application_data", "check_account_authority", "assess_risk_profile", "value_positions",
            "check_concentration", "check_available_cash", "list_tax_lots", "calculate_realized_gain",
            "check_wash_sale", "calculate_margin_requirement", "validate_transfer", "calculate_required_distribution",
            "record_investment_decision", "release_instruction", "submit_final_review",
        )
    ),
    *(
        refused(tool, "account_id", "AC-000000")
        for tool in (
            "check_account_authority", "check_available_cash", "calculate_realized_gain", "check_wash_sale",
            "calculate_margin_requirement", "validate_transfer", "release_instruction",
        )
    ),
    # The account file
    refused("check_account_authority", "signer_ids", []),
    refused("check_account_authority", "cleared_entry_ids", ["WL-000000"]),
    # Purchases and cash
    refused("assess_risk_profile", "questionnaire_id", "QN-000000"),
    refused("value_positions", "price_basis", "no_such_price"),
    refused("value_positions", "account_ids", ["AC-000000"]),
    Guard("value_positions", days("valuation_date", -40), VALIDATION),
    Guard("check_concentration", {"unit_price": 0.0}, VALIDATION, "unit_price"),
    Guard("check_concentration", {"portfolio_value": 0.0}, VALIDATION, "portfolio_value"),
    Guard("check_concentration", {}, ORDER, without="assess_risk_profile"),
    Guard("check_available_cash", {}, ORDER, branches=_PURCHASE, without="check_concentration"),
    Guard("check_available_cash", {"amount_needed": 6.95}, VALIDATION, "amount_needed", branches=_PURCHASE),
    Guard("check_available_cash", {"unit_price": 0.0, "amount_needed": 0.01}, branches=_PURCHASE,
          result={"covered_quantity": 0, "covered_amount": 0.01}),
    # Sales
    Guard("list_tax_lots", _from_the_last_day, branches=_GAIN, result={"listed_to": "=acquired_to"}),
    Guard("list_tax_lots", _day_too_late, VALIDATION, branches=_GAIN),
    refused("list_tax_lots", "lot_account_id", "AC-000000"),
    refused("calculate_realized_gain", "lot_sales", []),
    refused("calculate_realized_gain", "long_term_lot_ids", ["LT-000000"]),
    Guard("calculate_realized_gain", {"long_term_lot_ids": []}, branches=_GAIN, result={"long_term_result": 0.0}),
    Guard("check_wash_sale", {}, ORDER, without="calculate_realized_gain"),
    refused("check_wash_sale", "loss_lot_ids", ["LT-000000"]),
    Guard("check_wash_sale", {"replacement_lot_ids": ["LT-000000"]}, VALIDATION, "replacement_lot_ids", branches=_LOSS),
    Guard("check_wash_sale", {"replacement_quantity": 0}, VALIDATION, "replacement_quantity", branches=_LOSS),
    # Withdrawals, transfers, distributions
    refused("validate_transfer", "clearing_number", "0000"),
    refused("validate_transfer", "in_kind_assets", []),
    refused("calculate_required_distribution", "account_ids", ["AC-000000"]),
    # Decision and release
    refused("record_investment_decision", "reason", "none", finding="wash_sale", decision="adjust"),
    Guard("record_investment_decision", {}, ORDER, branches={"request": "transfer", "ending": "proceed"},
          without="validate_transfer"),
    refused("release_instruction", "instruction_type", "no_such_slip"),
    refused("release_instruction", "decision_id", "DE-000000"),
    refused("release_instruction", "amount", 0.01, decision="refer"),
    Guard("release_instruction", days("effective_date", -1), VALIDATION, "effective_date"),
    Guard("release_instruction", days("effective_date", 0), result={"effective_date": "=today"}),
    refused("submit_final_review", "decision", "proceed", decision="refer"),
    Guard("submit_final_review", {}, ORDER, without="release_instruction"),
)  # fmt: skip
