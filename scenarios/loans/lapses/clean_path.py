"""Agents that make the calls of an ordinary approval from memory and copy every value, but judge nothing."""

from __future__ import annotations

from teller_gym.procedure.careless import RefusedError
from teller_gym.procedure.lapses import CLEAN_PATH, CLEAN_PATH_CONSTANT, Expert, as_expert
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.procedure.written_lapses import answers
from teller_gym.scenarios.banking.officer.lapses import FirstRowCodes
from teller_gym.scenarios.loans.judgement import Ending
from teller_gym.scenarios.loans.lapses.careless import Careless


@answers(same_birth=False, same_country=False, is_uncounted=False)
class FindingsFollowed(Careless):
    """Follows findings that tools state in plain words, looks up codes, and judges nothing else.

    It uses the first applicant's identity document and score, reuses any report on file, excludes no tradeline, takes
    the appraised value, and clears every match.
    """

    def earliest_id_expiry(self) -> str:
        day: str = self.people[self.customers[0]]["document_expiry"]
        return day

    def is_current(self, on_file: str | None) -> bool:
        return on_file is not None

    def weakest_report(self) -> Seen:
        return self.reports[self.customers[0]]

    def housing_replaced(self) -> bool:
        return bool(self.case["product"] == "home")

    def collateral_value(self) -> float:
        value: float = self.case["appraised_value"]
        return value


class CuesFollowed(FindingsFollowed):
    """Additionally treats an entry in capital letters as a true match."""

    def same_birth(self, screening: Seen) -> bool:
        return str(screening["entry_name"]).isupper()

    def same_country(self, screening: Seen) -> bool:
        return str(screening["entry_name"]).isupper()


@answers(is_too_small=False, is_within_limits=True, routing="branch")
class CleanPath(FindingsFollowed):
    """Approves every request, after making all calls that lead to an approval."""

    def end(self, ending: Ending | None) -> Steps:
        yield from ()

    def measure_income(self) -> Steps:
        if any(job["pay_type"] is None for job in self.jobs.values()):
            raise RefusedError("verify_employment")  # the income step has no figures to continue with
        yield from super().measure_income()

    def considered_amount(self) -> float:
        return self.requested


class CleanPathConstant(FirstRowCodes, CleanPath):
    """Also uses the same codes in every case, those of the first rows."""

    def checklist(self) -> str:
        return next(iter(self.policy.products.values())).checklist

    def portfolio(self) -> str:
        return next(iter(self.policy.products.values())).portfolio


CLEAN_PATHS: dict[str, Expert] = {
    CLEAN_PATH: as_expert(CleanPath),
    CLEAN_PATH_CONSTANT: as_expert(CleanPathConstant),
    "clean_path_findings": as_expert(FindingsFollowed),
    "clean_path_cues": as_expert(CuesFollowed),
}
