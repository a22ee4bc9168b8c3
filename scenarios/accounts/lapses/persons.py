"""Lapses of intake, identity, screening and opening (5.1 to 5.3, 5.4.1)."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import whole_years
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("5.3.1", "screen_person.history_from")
class WholeHistoryAsked(Careless):
    """Asks for the reports of twice as long as the policy says."""

    def history_from(self) -> date:
        return self.today - timedelta(days=2 * self.policy.misuse_lookback_days)


@lapse("5.3.1")
class AgentsNotScreened(Careless):
    """Screens nobody but those who open an account."""

    def is_screened(self, person: Seen) -> bool:
        return self.kind == "open_account"


@lapse("T5.4", "5.3.2")
class MatchDeclined(Careless):
    """Declines a request because of a true match, and tells so."""

    def match_ending(self) -> Ending | None:
        ending = super().match_ending()
        return ending._replace(decision="decline") if ending else None


@lapse("5.3.3")
class SmallReportsCount(Careless):
    """Takes a report of any amount for one that counts."""

    def is_misuse(self, report: Seen) -> bool:
        return report["settled_on"] is None


@lapse("5.3.3", "T5.5", "5.4.1", "T5.6", "T5.7", "T5.8", "T2.9", "T2.10", "T2.11")
class OpeningUnchecked(Careless):
    """Opens accounts whatever reports, ages, addresses and deposits are."""

    def misuse_ending(self) -> Ending | None:
        return None

    def opening_ending(self) -> Ending:
        return Ending("carry_out", "none", self.case["opening_deposit"])


@lapse("D20", "5.4.1")
class BirthdayNotReached(Careless):
    """Takes an age for reached on the day after the birthday."""

    def years_of(self, person: Seen) -> int:
        return whole_years(self.born(person), self.today - timedelta(days=1))

    def is_former_minor(self) -> bool:
        minor = next(row for row in self.account["owners"] if row["role"] == "minor")
        born = date.fromisoformat(minor["date_of_birth"])
        return whole_years(born, self.today - timedelta(days=1)) >= self.policy.custodial_end_age


@lapse("5.4.1")
class MilitaryAddressRefused(Careless):
    """Takes a military address with a box for a post box."""

    def is_military(self, address: str) -> bool:
        return False

    def is_post_box(self, address: str) -> bool:
        return "box" in address.casefold()


@lapse("D3")
class FirstPersonAlone(Careless):
    """Works the case of the first person alone."""

    def identify(self) -> Steps:
        self.customers = self.customers[:1]
        self.people = {customer: self.people[customer] for customer in self.customers}
        yield from super().identify()
