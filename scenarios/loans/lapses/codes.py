"""Lapses of codes: a row of a table taken for its neighbour, or one code whatever the situation."""

from __future__ import annotations

from importlib import resources

import msgspec

from teller_gym.procedure.lapses import Lapse, as_expert, lapse
from teller_gym.scenarios.loans.lapses.careless import Careless
from teller_gym.scenarios.loans.policy import LoanPolicy


@lapse("5.1.2", "T2", "check_application_completeness.checklist")
class ChecklistOfPersonalLoans(Careless):
    """Checks every application by the checklist of personal loans."""

    def checklist(self) -> str:
        return self.policy.products["personal"].checklist


@lapse("5.4.1", "T1", "calculate_total_exposure.portfolio")
class PortfolioOfPersonalLoans(Careless):
    """Puts every loan into the portfolio of personal loans."""

    def portfolio(self) -> str:
        return self.policy.products["personal"].portfolio


@lapse("5.3.1", "T7.5", "screen_watch_list.list_scope")
class NarrowestListScope(Careless):
    """Screens everybody against the lists for citizens of the US."""

    def list_scope_of(self, customer: str) -> str:
        return self.policy.list_scopes["us_citizen"]


@lapse("5.3.1", "T7.4", "screen_watch_list.list_scope")
class WidestListScope(Careless):
    """Screens everybody against all lists."""

    def list_scope_of(self, customer: str) -> str:
        return self.policy.list_scopes["other"]


@lapse("T6.5", "T6.6", "T6.7")
class LongestTimeForReports(Careless):
    """Gives every report to compliance the longest time."""

    def compliance_days(self, reason: str) -> int:
        return max(self.policy.compliance_business_days.values())


@lapse("T6.5", "T6.6")
class ShortestTimeForReports(Careless):
    """Gives every report to compliance the shortest time."""

    def compliance_days(self, reason: str) -> int:
        return min(self.policy.compliance_business_days.values())


_ROWS = {
    "registries": ("T7.{row}", 1, "5.2.1", "verify_identity.registry"),
    "required_covers": ("T7.{row}", 6, "5.8.2", "verify_insurance.required_cover"),
    "verification_methods": ("T7.{row}", 10, "5.6.1", "verify_employment.verification_method"),
    "contact_methods": ("T7.{row}", 13, "5.5.2", "resolve_fraud_alert.contact_method"),
    "pay_periods": ("D14", 0, "5.6.3", "calculate_qualifying_income.periods_per_year"),
}
"""By field of the policy: where its codes stand, the first row, the clause that asks for one, and the argument."""


class Mistaken(Careless):
    """Takes the next row's code for one situation of a table."""

    table, situation = "", ""

    def code(self, table: str, situation: str) -> str | int:
        right = super().code(table, situation)
        if (table, situation) != (self.table, self.situation):
            return right
        codes: dict[str, str | int] = getattr(self.policy, table)
        place = list(codes).index(situation)
        others = [*list(codes.values())[place:], *list(codes.values())[:place]]
        return next((code for code in others if code != right), right)


def mistaken_rows() -> dict[str, Lapse]:
    """Return a lapse for each row of T7 (lists apart) and each kind of pay of D14."""
    text = resources.files("teller_gym.scenarios.loans").joinpath("policy.yaml").read_bytes()
    policy = msgspec.yaml.decode(text, type=LoanPolicy)
    found = {}
    for field, (table, first, *where) in _ROWS.items():
        for row, situation in enumerate(getattr(policy, field)):
            name = f"{field}_of_{situation}_mistaken"
            sentence = f"Takes another row's code for {situation.replace('_', ' ')} ({field.replace('_', ' ')})."
            clauses = (table.format(row=first + row), *where)
            worker = type("Mistaken", (Mistaken,), {"table": field, "situation": situation})
            found[name] = Lapse(name, clauses, sentence, as_expert(worker))
    return found
