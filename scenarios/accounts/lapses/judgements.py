"""Lapses of account requests that need code; the others are in ``lapses.yaml``."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days, on_or_before_business_day, whole_years
from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.accounts.deposits import Split
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.lapses.careless import Careless
from teller_gym.scenarios.banking.officer.lapses import ask_for_document

# -- authority -------------------------------------------------------------------------------------------------------


@lapse("D7")
class SigningRuleEverywhere(Careless):
    """Requires the signatures of the signing rule for claims and stop orders, too."""

    def needed_signatures(self) -> int:
        owners = len(self.account_owners())
        return {"any_one": 1, "two": min(2, owners), "all": owners}[self.account["signing_rule"]]


@lapse("D7", "record_account_decision.authority_basis")
class BasisAlwaysOwners(Careless):
    """Records the owners as the basis of every sufficient authority."""

    def authority(self) -> str:
        found = super().authority()
        return found if found == "none" else "owners"


# -- claims ----------------------------------------------------------------------------------------------------------


@lapse("5.6.2", "assess_transfer_claim.disputed_amount")
class StatedAmountTaken(Careless):
    """Uses the amount that the customer states."""

    def disputed(self, item: Seen, row: Seen) -> float:
        if item["item_kind"] == "unauthorized":
            amount: float = item["amount"]
            return amount
        return super().disputed(item, row)


@lapse("D19")
class HighLimitAlone(Careless):
    """Applies the high limit to all transfers of a late report, regardless of their posting days."""

    def liability(self) -> int:
        if not super().liability() or self.received <= self.loss_limit():
            return super().liability()
        rows = [row for row in self.covered() if self.is_borne(row)]
        return min(self.policy.liability_high, sum(to_cents(row["counted_amount"]) for row in rows))


@lapse("T6.5", "T6.6")
class UncoveredTransfersCount(Careless):
    """Lets transfers that are not covered lengthen the clocks."""

    def credit_clock(self) -> str:
        return "credit_new_account" if any(map(self.is_early_transfer, self.assessed)) else "credit"

    def investigation_clock(self) -> str:
        return "investigation_long" if any(map(self.is_long, self.assessed)) else "investigation"


# -- closing ---------------------------------------------------------------------------------------------------------


@lapse("5.7.3")
class SettledServicesBlock(Careless):
    """Treats any claim, loan or overdraft line on record as a block, even if settled."""

    def blocking_service(self) -> Ending | None:
        kinds = [row["kind"] for row in self.account["services"]]
        if "transfer_claim" in kinds:
            return Ending("pend", "open_claim")
        return Ending("pend", "linked_debt") if {"loan_autopay", "overdraft_line"} & set(kinds) else None


# -- deposits --------------------------------------------------------------------------------------------------------


@lapse("D5")
class ClosedDaysCount(Careless):
    """Counts a deposit on a closed day as received on the preceding business day."""

    def banking_day(self, day: date, time: str, channel: str) -> date:
        before = on_or_before_business_day(day, self.policy.holidays)
        return super().banking_day(day, time, channel) if before == day else before


@lapse("5.5.5", "D1")
class ThereTheDayAfter(Careless):
    """Treats funds as available only on the day after the one on which they become available."""

    def available_by(self, part: Seen, day: str) -> int:
        return super().available_by(part, (date.fromisoformat(day) - timedelta(days=1)).isoformat())


# -- holds -----------------------------------------------------------------------------------------------------------


@lapse("D13", "D14", "calculate_availability.held_amount")
class LargeDepositIgnored(Careless):
    """Holds no part of a large deposit."""

    def splits(self, items: list[Seen], day: date) -> dict[str, Split]:
        return {
            key: Split(split.early, 0, "none") if split.reason == "large_deposit" else split
            for key, split in super().splits(items, day).items()
        }


@lapse("D14")
class NewAccountHoldsAll(Careless):
    """Holds every check deposited to a new account in full."""

    def splits(self, items: list[Seen], day: date) -> dict[str, Split]:
        found = super().splits(items, day)
        for item in items:
            if self.is_check(item) and not self.is_redeposited(item) and self.is_new_account(day):
                found[item["item_id"]] = Split(0, to_cents(item["amount"]), "new_account")
        return found


@lapse("D15")
class AllowanceForEachCheck(Careless):
    """Makes the first amount of each check available the next day, instead of once a day."""

    def splits(self, items: list[Seen], day: date) -> dict[str, Split]:
        found = super().splits(items, day)
        for item in items:
            split = found[item["item_id"]]
            if self.is_check(item) and self.class_of(item) == "other_check":
                early = min(self.first_day_allowance(), to_cents(item["amount"]) - split.held)
                found[item["item_id"]] = split._replace(early=early)
        return found


# -- outcome ---------------------------------------------------------------------------------------------------------


@lapse("D2")
class HolidaysCounted(Careless):
    """Counts holidays as business days in its own computations."""

    def after_business_days(self, start: date, days: int) -> date:
        return add_business_days(start, days, ())

    def banking_day(self, day: date, time: str, channel: str) -> date:
        found = super().banking_day(day, time, channel)
        return add_business_days(day, 1, ()) if found > day else found


@lapse("D2", "D19", "5.6.3", "5.7.1")
class WeekendsCounted(Careless):
    """Counts calendar days in its own computations of several business days."""

    def after_business_days(self, start: date, days: int) -> date:
        return start + timedelta(days=days) if days > 1 else super().after_business_days(start, days)


@lapse("T6.3", "T7.22", "T7.23")
class OpeningRefusedLikeOthers(Careless):
    """Runs the clock of other refusals when an opening is declined."""

    def clocks_of(self, ending: Ending) -> tuple[str, str | None]:
        action, final = super().clocks_of(ending)
        return ("refusal" if action == "adverse_action" else action), final


@lapse("T6.14", "T6.15", "T7.24", "T7.26", "set_deadline.clock")
class RefusalsRunLikeInquiries(Careless):
    """Runs the clock for answers when a request is declined."""

    def clocks_of(self, ending: Ending) -> tuple[str, str | None]:
        action, final = super().clocks_of(ending)
        return action, "answer" if final == "objection" else final


@lapse("5.9.1", "record_account_decision.decision", "T5")
class InPartCarriedOut(Careless):
    """Records a request that is carried out in part as carried out."""

    def record(self, ending: Ending, due: str, last: str):  # type: ignore[no-untyped-def]
        whole = ending._replace(decision="carry_out", reason="none")
        changed = whole if ending.decision == "in_part" else ending
        return (yield from super().record(changed, due, last))


@lapse("D22", "T9", "5.3.2")
class ReferralTold(Careless):
    """Asks the first party for a document because of a referral."""

    def record(self, ending: Ending, due: str, last: str):  # type: ignore[no-untyped-def]
        record = yield from super().record(ending, due, last)
        if ending.decision == "refer":
            yield from ask_for_document(self, record["parties"][0]["customer_id"])
        return record


# -- persons ---------------------------------------------------------------------------------------------------------


@lapse("5.3.1", "screen_person.history_from")
class WholeHistoryAsked(Careless):
    """Asks for reports from twice as long a period as the policy says."""

    def history_from(self) -> date:
        return self.today - timedelta(days=2 * self.policy.misuse_lookback_days)


@lapse("T5.4", "5.3.2")
class MatchDeclined(Careless):
    """Declines a request because of a true match, and so discloses it."""

    def match_ending(self) -> Ending | None:
        ending = super().match_ending()
        return ending._replace(decision="decline") if ending else None


@lapse("5.3.3", "T5.5", "5.4.1", "T5.6", "T5.7", "T5.8", "T2.9", "T2.10", "T2.11")
class OpeningUnchecked(Careless):
    """Opens accounts regardless of reports, ages, addresses and deposits."""

    def misuse_ending(self) -> Ending | None:
        return None

    def opening_ending(self) -> Ending:
        return Ending("carry_out", "none", self.case["opening_deposit"])


@lapse("D20", "5.4.1")
class BirthdayNotReached(Careless):
    """Treats an age as reached only on the day after the birthday."""

    def years_of(self, person: Seen) -> int:
        return whole_years(self.born(person), self.today - timedelta(days=1))

    def is_former_minor(self) -> bool:
        minor = next(row for row in self.account["owners"] if row["role"] == "minor")
        born = date.fromisoformat(minor["date_of_birth"])
        return whole_years(born, self.today - timedelta(days=1)) >= self.policy.custodial_end_age


@lapse("5.4.1")
class MilitaryAddressRefused(Careless):
    """Treats a military address with a box number as a post box."""

    def is_military(self, address: str) -> bool:
        return False

    def is_post_box(self, address: str) -> bool:
        return "box" in address.casefold()


@lapse("D3")
class FirstPersonAlone(Careless):
    """Works the case of the first person only."""

    def identify(self) -> Steps:
        self.customers = self.customers[:1]
        self.people = {customer: self.people[customer] for customer in self.customers}
        yield from super().identify()
