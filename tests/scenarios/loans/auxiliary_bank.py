"""A small hand-made bank for the tests of the auxiliary tools, and how to call a tool of it."""

from datetime import date
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from teller_gym.base.errors import ToolError
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.tools.auxiliary import AUXILIARY
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action
from teller_gym.tools.tool import ToolSet

POLICY_TEXT = resources.files("teller_gym.scenarios.loans").joinpath("policy.yaml").read_bytes()
POLICY = msgspec.yaml.decode(POLICY_TEXT, type=LoanPolicy)
TOOLS = ToolSet(AUXILIARY)
CALLS: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("auxiliary_calls.yaml").read_text("utf-8"))
BASE: dict[str, dict[str, Any]] = {name: entry["call"] for name, entry in CALLS.items()}
"""A call of every tool that works."""

TODAY = date(2026, 3, 10)  # a Tuesday

ANN, BOB, OTHER = "CU-100001", "CU-100002", "CU-100003"
CASE, OLD_CASE, OTHER_CASE = "LA-200001", "LA-200002", "LA-200003"


def person(name: str, born: str, city: str, state: str) -> dict[str, Any]:
    return {
        "full_name": name,
        "date_of_birth": born,
        "city": city,
        "state": state,
        "street_address": "12 Elm Street",
        "phone": "***-***-4321",
        "email": "a***@example.com",
        "customer_since": "2015-06-01",
        "segment": "retail",
    }


def account(owner: str, kind: str, balance: int, opened: str, status: str = "open") -> dict[str, Any]:
    return {
        "customer_id": owner,
        "kind": kind,
        "product": "auto" if kind == "loan" else kind,
        "balance": balance,
        "opened": opened,
        "status": status,
    }


def case(product: str, received: str, applicants: dict[str, str], decision: str | None = None) -> dict[str, Any]:
    return {
        "product": product,
        "requested_amount": 2_000_000,
        "term_months": 60,
        "received_date": received,
        "documents": ["application_form", "government_id"],
        "applicants": [{"customer_id": key, "role": role} for key, role in applicants.items()],
        "decision": decision,
    }


TABLES: dict[str, dict[str, dict[str, Any]]] = {
    "customers": {
        OTHER: person("Anna Lee Smithson", "1990-07-04", "Dayton", "OH"),
        ANN: person("Ann Smith", "1985-03-02", "Dayton", "OH"),
        BOB: person("Bob Jones", "1983-11-20", "Boise", "ID") | {"segment": "premier"},
    },
    "accounts": {
        "AC-300003": account(ANN, "loan", 900_000, "2020-05-05"),
        "AC-300001": account(ANN, "checking", 250_050, "2016-01-02"),
        "AC-300002": account(ANN, "savings", 1_000_000, "2021-01-02", "closed"),
        "AC-300004": account(OTHER, "savings", 7_700, "2019-09-09"),
        "AC-300005": account(BOB, "savings", 0, "2012-09-09", "closed"),
    },
    "applications": {
        OLD_CASE: case("personal", "2024-02-01", {BOB: "primary", ANN: "co_applicant"}, "deny"),
        CASE: case("auto", "2026-03-02", {ANN: "primary", BOB: "co_applicant"}),
        OTHER_CASE: case("home", "2026-03-03", {OTHER: "primary"}),
    },
    "watch_list": {
        "WL-400001": {"name": "Smith Ann", "date_of_birth": "1960-01-01", "country": "MX", "list": "sanctions"},
        "WL-400002": {"name": "Ann Gray", "date_of_birth": "1985-03-02", "country": "US", "list": "pep"},
        "WL-400003": {"name": "Ann Smith Lund", "date_of_birth": "1987-05-05", "country": "CA", "list": "pep"},
        "WL-400004": {"name": "Ann Smith", "date_of_birth": "1990-06-06", "country": "US", "list": "enforcement"},
    },
    "bureau_files": {
        ANN: {"on_file": None, "current": {"score": 739, "tradelines": []}},
        BOB: {"on_file": None, "current": {"score": 300, "tradelines": []}},
    },
}


def new_bank(policy: LoanPolicy = POLICY) -> Bank:
    return Bank(TABLES, TODAY, policy, CASE, case_table="applications")


def ask(name: str, bank: Bank | None = None, /, **arguments: Any) -> dict[str, Any]:
    return run_action(new_bank() if bank is None else bank, TOOLS, action_text(Call(name, arguments)))


def error(name: str, bank: Bank | None = None, /, **arguments: Any) -> ToolError:
    with pytest.raises(ToolError) as caught:
        ask(name, bank, **arguments)
    return caught.value
