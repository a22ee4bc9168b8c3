"""Lapses of account requests that need code; the others are in ``lapses.yaml``."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.accounts.deposits import Split
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.lapses.careless import Careless
from teller_gym.scenarios.banking.officer.lapses import ask_for_document

# -- closing ---------------------------------------------------------------------------------------------------------


@lapse("5.7.3")
class SettledServicesBlock(Careless):
    """Treats any claim, loan or overdraft line on record as a block, even if settled."""

    def blocking_service(self) -> Ending | None:
        kinds = [row["kind"] for row in self.account["services"]]
        if "transfer_claim" in kinds:
            return Ending("pend", "open_claim")
        return Ending("pend", "linked_debt") if {"loan_autopay", "overdraft_line"} & set(kinds) else None


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


@lapse("D3")
class FirstPersonAlone(Careless):
    """Handles only the first person of a case."""

    def identify(self) -> Steps:
        self.customers = self.customers[:1]
        self.people = {customer: self.people[customer] for customer in self.customers}
        yield from super().identify()
