"""Lapses of brokerage requests that need code; the others are in ``lapses.yaml``."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days
from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking, Seen, Steps
from teller_gym.scenarios.investments.judgement import Ending
from teller_gym.scenarios.investments.lapses.careless import Careless


@lapse("D1", "5.13.2")
class CalendarDaysCounted(Careless):
    """Counts calendar days instead of business days."""

    def effective_date(self, record: Seen) -> date:
        right = super().effective_date(record)
        start = self.today if record["decision"] in ("refuse", "refer") else self.trade_date(record["instructed_at"])
        days = sum(add_business_days(start, count, self.policy.holidays) <= right for count in range(1, 30))
        return start + timedelta(days=days)


@lapse("5.12.1", "T8.8", "T8.11", "record_investment_decision.decision")
class PartsRefused(Careless):
    """Refuses a request that can be carried out in part."""

    def close(self, ending: Ending) -> Steps:
        partly = ending.decision == "adjust"
        yield from super().close(Ending("refuse", ending.reason) if partly else ending)


@lapse("5.12.1", "T8.2", "T8.3", "record_investment_decision.decision")
class ReferralsRefused(Careless):
    """Refuses a case instead of referring it."""

    def close(self, ending: Ending) -> Steps:
        refers = ending.decision == "refer"
        yield from super().close(Ending("refuse", ending.reason) if refers else ending)

    def effective_date(self, record: Seen) -> object:  # type: ignore[override]
        return super().effective_date(
            {**record, "decision": "refer"} if record["reason"] in self.policy.referral_days else record
        )


@lapse("5.13.2", "D20")
class ReleasedTwice(Careless):
    """Releases an instruction twice if the request is only partly carried out."""

    def release(self, record: Seen) -> Asking:
        if record["decision"] == "adjust":
            yield from super().release(record)
        return (yield from super().release(record))


@lapse("D3", "5.1.2", "check_account_authority.signer_ids", "check_account_authority.screening_ids")
class FirstSignerAlone(Careless):
    """Verifies and screens only the first signer."""

    def identify(self) -> Steps:
        every, self.customers = self.customers, self.customers[:1]
        yield from super().identify()
        self.customers = every

    def screen(self) -> Steps:
        every, self.customers = self.customers, self.customers[:1]
        yield from super().screen()
        self.customers = every


@lapse("5.1.3", "D21")
class ScreenedBeforeAllAreVerified(Careless):
    """Screens each signer right after verifying them, before the others are verified."""

    def identify(self) -> Steps:
        for customer in self.customers:
            yield from self.verify_identity(customer)
            if customer == self.customers[0]:
                yield from self.end(self.identity_ending())
            yield from self.screen_person(customer)

    def screen(self) -> Steps:
        yield from self.end(self.identity_ending())
        yield from self.end(self.match_ending())


@lapse("5.3.3")
class EverySignerMustHaveAuthority(Careless):
    """Refuses unless every signer has authority."""

    def authority_ending(self) -> Ending | None:
        rows = self.file["authorities"]
        return None if all(self.may_instruct(row) for row in rows) else Ending("refuse", "no_authority")


@lapse("5.6.2", "5.11.3", "check_available_cash.amount_needed")
class ConcentrationIgnored(Careless):
    """Checks the cash for all ordered shares, ignoring the permitted number."""

    def check_cash(self, needed: int, price: float, fee: int) -> Asking:
        if price:
            needed = self.profile["ordered_quantity"] * to_cents(price) + fee
        return (yield from super().check_cash(needed, price, fee))

    def permitted_ending(self, permitted: int) -> Ending | None:
        return None
