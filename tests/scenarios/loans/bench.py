"""Hand-made loan cases: a plain approval of each product, which a test changes in one or two places."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from teller_gym.base.money import to_cents
from teller_gym.procedure.scenario import Solution, load_scenario
from teller_gym.procedure.task import Split, StandardResult, Task
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.solver import solve
from teller_gym.scenarios.loans.solver_facts import Case
from teller_gym.tools.bank import Record

POLICY: LoanPolicy = load_scenario("loans").policy
WEDNESDAY = date(2026, 3, 4)
_NAMES = ("Ada Lind", "Ben Okoro")


class Bench:
    """A small bank around one application; everything may be changed until the case is solved."""

    def __init__(self, application: Record, collateral: Record | None = None, today: date = WEDNESDAY) -> None:
        self.today = today
        self.application: Record = {
            "property_use": None,
            "received_date": "2026-02-10",
            "completed_date": "2026-02-18",
            "applicants": [],
            "autopay": False,
            "monthly_housing_cost": 0,
            "monthly_support_paid": 0,
            "closing_payoff_tradelines": [],
            "closing_payoff_accounts": [],
            "collateral_id": "CO-1" if collateral else None,
            "purchase_price": 0,
            "appraised_value": 0,
            "appraisal_date": None,
            "note": "",
            **application,
        }
        self.application["documents"] = list(POLICY.products[application["product"]].documents)
        self.tables: dict[str, dict[str, Record]] = {
            "applications": {"LA-1": self.application},
            "collateral": {"CO-1": collateral} if collateral else {},
        }
        for table in ("id_registry", "watch_list", "bureau_files", "alert_contacts", "employment", "accounts"):
            self.tables[table] = {}
        self.add_applicant("primary")

    def add_applicant(self, role: str) -> Bench:
        """Add an applicant without any problem: score 760, income of 5,000.00 a month, no debts."""
        number = len(self.application["applicants"])
        cid = f"CU-{number}"
        papers = {
            "date_of_birth": f"198{number}-05-06",
            "country": "US",
            "document_type": "passport",
            "document_last4": f"432{number}",
            "document_expiry": "2030-01-31",
        }
        job = {
            "employer_name": f"Works {number}",
            "employment_type": "employed",
            "start_date": "2019-04-01",
            "pay_type": "semimonthly",
        }
        name = _NAMES[number]
        applicant = {"customer_id": cid, "role": role, "full_name": name, "report_on_file_date": None, **papers, **job}
        self.application["applicants"].append(applicant)
        self.tables["id_registry"][cid] = {"name": name, "former_names": [], **papers}
        pay = {"gross_pay": to_cents(2500), "net_pay": to_cents(1900), "hours_per_week": 40}
        profits = {"prior_year_profit": 0, "latest_year_profit": 0}
        self.tables["employment"][cid] = {"active": True, **job, **pay, **profits}
        self.tables["bureau_files"][cid] = {"on_file": None, "current": report(main_factor=f"factor_{number}")}
        return self

    def change(self, changes: dict[str, Any]) -> Bench:
        """Set values by place: a field of the application, or of another record such as ``person0.country``."""
        for place, value in changes.items():
            record, _, field = place.partition(".")
            number = record[-1] if record[-1].isdigit() else "0"
            match record.rstrip("01"):
                case "watch_list":
                    self.tables["watch_list"] = {f"WL-{at}": entry for at, entry in enumerate(value)}
                case "loans":
                    for at, (owner, kind, cents) in enumerate(value):
                        self.tables["accounts"][f"AC-{at}"] = {"customer_id": owner, "kind": kind, "balance": cents}
                case "file":
                    day, score = value
                    on_file = report(report_date=day, score=score, main_factor="factor_9")
                    self.tables["bureau_files"][f"CU-{number}"]["on_file"] = on_file
                    self.application["applicants"][int(number)]["report_on_file_date"] = day
                case "contact":
                    self.tables["alert_contacts"][f"CU-{number}"] = value
                case _ if field:
                    self.record(record.rstrip("01"), int(number))[field] = value
                case _:
                    self.application[place] = value
        return self

    def record(self, kind: str, number: int = 0) -> Record:
        """Return a record: a person's entry in the application or registry, their job or report, or the collateral."""
        key = f"CU-{number}"
        found: dict[str, Any] = {
            "applicant": self.application["applicants"][number],
            "person": self.tables["id_registry"].get(key),
            "job": self.tables["employment"].get(key),
            "report": self.tables["bureau_files"][key]["current"],
            "collateral": self.tables["collateral"].get("CO-1"),
        }
        record: Record = found[kind]
        return record

    def monthly_income(self, dollars: float, number: int = 0) -> Bench:
        """Make the person a pensioner with this monthly income."""
        for record in (self.record("job", number), self.record("applicant", number)):
            record.update(employment_type="retired", pay_type="pension")
        self.record("job", number)["gross_pay"] = to_cents(dollars)
        return self

    def task(self) -> Task:
        """Return the bench as a task."""
        return Task(
            id="loans-test",
            scenario="loans",
            seed=0,
            split=Split.GENERATED,
            today=self.today,
            request="Decide application LA-1.",
            case_id="LA-1",
            owners=("LA-1",),
            tables=self.tables,
            standard=StandardResult((), {}),
            branches={},
            tags=(),
            fingerprint="",
        )

    def case(self) -> Case:
        """Return the task as the solver's functions take it, with the default policy."""
        return Case(self.task(), POLICY)

    def solve(self) -> Solution:
        return solve(self.task(), POLICY)


def report(**fields: Any) -> Record:
    """Return a credit report without debts or alerts."""
    plain = {"report_date": "2026-03-04", "score": 760, "main_factor": "short_history", "alert_type": "none"}
    return {**plain, "alert_phone_last4": None, "tradelines": [], **fields}


def tradeline(key: str, kind: str, payment: float, left: int | None = None, **fields: Any) -> Record:
    """Return an account on a credit report."""
    plain = {"tradeline_id": key, "kind": kind, "monthly_payment": to_cents(payment), "payments_left": left}
    return {**plain, "creditor": "Elm Bank", "role": "owner", "balance": to_cents(1000), **fields}


def personal(today: date = WEDNESDAY) -> Bench:
    """Return a personal loan of 12,000.00 for 12 months at 9.500 %: 1,052.20 a month."""
    return Bench({"product": "personal", "requested_amount": to_cents(12_000), "term_months": 12}, today=today)


def auto(asked: float = 25_000, value: float = 30_000) -> Bench:
    """Return an auto loan of 25,000.00 for 60 months at 6.750 %: 492.09 a month, loan-to-value ratio below 100 %."""
    application = {"product": "auto", "requested_amount": to_cents(asked), "term_months": 60}
    kind = {"collateral_type": "used_vehicle", "appraisal_date": "2026-01-15"}
    return Bench(
        {**application, **kind, **_values(value)}, _insured(value) | {"model_year": 2024, "cover": "collision"}
    )


def home(asked: float = 400_000, value: float = 500_000) -> Bench:
    """Return a home loan of 400,000.00 (80 % of value) for 360 months at 6.375 %: 2,495.48 a month, escrow 650.00."""
    application = {"product": "home", "requested_amount": to_cents(asked), "term_months": 360}
    use = {"property_use": "primary", "appraisal_date": "2026-01-15", "collateral_type": "house"}
    bench = Bench({**application, **use, **_values(value)}, _insured(value) | {"model_year": None, "cover": "hazard"})
    return bench.monthly_income(10_000)


def _values(value: float) -> Record:
    return {"purchase_price": to_cents(value), "appraised_value": to_cents(value)}


def _insured(value: float) -> Record:
    return {
        "policy_number": "P-1",
        "coverage_amount": to_cents(value),
        "insurance_expiry": "2027-12-31",
        "annual_premium": to_cents(1_800),
        "annual_property_tax": to_cents(6_000),
    }


PRODUCTS: dict[str, Callable[[], Bench]] = {
    "personal": personal,
    "rich": lambda: personal().monthly_income(20_000),
    "joint": lambda: personal().add_applicant("co_applicant"),
    "auto": auto,
    "home": home,
}
"""Functions that make a case, by name; the joint one has two applicants."""
