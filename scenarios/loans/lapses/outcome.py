"""Lapses of decision, letters and due dates (5.10 to 5.12)."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days, on_or_before_business_day
from teller_gym.base.money import to_cents, usd
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking, Seen
from teller_gym.scenarios.loans.lapses.careless import Careless

_DAY = timedelta(days=1)

# -- 5.10 decision ----------------------------------------------------------------------------------------------------


@lapse("5.10.2", "record_credit_decision.routing")
class EscalatedAtLimit(Careless):
    """Routes an exposure of exactly the limit to the senior desk."""

    def is_escalated(self) -> bool:
        return to_cents(self.exposure or 0.0) >= self.policy.escalation_exposure


@lapse("5.10.2", "D9")
class EscalatedByAmount(Careless):
    """Routes by the amount asked for instead of the total exposure."""

    def is_escalated(self) -> bool:
        return to_cents(self.requested) > self.policy.escalation_exposure


@lapse("5.10.2")
class DenialsNotEscalated(Careless):
    """Routes to the senior desk only what is granted."""

    def routing(self, decision: str) -> str:
        routing = super().routing(decision)
        return "branch" if routing == "senior_credit" and decision in ("deny", "incomplete") else routing


@lapse("5.10.3")
class PaymentWithInsurance(Careless):
    """Records the payment together with the mortgage insurance."""

    def work_out_payment(self, amount: float) -> Asking:
        cost = yield from super().work_out_payment(amount)
        self.payment = usd(to_cents(cost["monthly_payment"]) + to_cents(cost["monthly_mortgage_insurance"]))
        return cost


@lapse("5.10.3", "record_credit_decision.approved_amount")
class AmountAskedRecorded(Careless):
    """Records the amount asked for in a counter-offer, too."""

    def recorded_amounts(self, decision: str) -> Seen:
        amounts = super().recorded_amounts(decision)
        return {**amounts, "approved_amount": self.requested} if self.granted else amounts


@lapse("5.10.3")
class FiguresOfDenialsDropped(Careless):
    """Records neither debt-to-income ratio nor exposure in a denial, though they were worked out."""

    def recorded_figures(self, decision: str) -> Seen:
        figures = super().recorded_figures(decision)
        return dict.fromkeys(figures, 0.0) if decision == "deny" else figures


# -- 5.11 letters -----------------------------------------------------------------------------------------------------


@lapse("5.11.2", "send_adverse_action_notice.credit_score_used")
class ScoreLeftOutOfLetter(Careless):
    """Gives the score in a notice only if it is the reason."""

    def score_in_letter(self) -> int:
        return super().score_in_letter() if self.score_ending_applies() else 0

    def score_ending_applies(self) -> bool:
        """Whether the score ended the case."""
        return bool(self.reports) and self.score_ending() is not None


@lapse("5.11.2", "send_adverse_action_notice.credit_score_used")
class ScoreOfPrimaryInLetter(Careless):
    """Gives the primary applicant's score in a notice."""

    def score_in_letter(self) -> int:
        return int(self.reports[self.customers[0]]["score"]) if self.reports else 0


@lapse("T6.1", "5.11.3", "issue_loan_disclosure.due_date")
class DisclosureInCalendarDays(Careless):
    """Counts calendar days instead of business days for a disclosure."""

    def due_date(self, decision: str, reason: str, start: date) -> date:
        if decision == "approve":
            return start + self.policy.disclosure_business_days * _DAY
        return super().due_date(decision, reason, start)


@lapse("T6.5", "T6.6", "T6.7", "5.12.1", "submit_final_review.action_due_date")
class ReportInCalendarDays(Careless):
    """Counts calendar days instead of business days for a report to compliance."""

    def due_date(self, decision: str, reason: str, start: date) -> date:
        if decision == "refer":
            return start + self.compliance_days(reason) * _DAY
        return super().due_date(decision, reason, start)


@lapse("D2", "T6.2", "T6.3", "T6.4")
class HolidaysNotRolledOver(Careless):
    """Rolls a due date back from a weekend, but not from a holiday."""

    def rolled_back(self, day: date) -> date:
        return on_or_before_business_day(day, ())


@lapse("T6.2", "T6.3", "T6.4")
class DueDateRolledForward(Careless):
    """Moves a due date on to the next business day."""

    def rolled_back(self, day: date) -> date:
        return add_business_days(day - _DAY, 1, self.policy.holidays)


@lapse("T6.2", "T6.3", "T6.4")
class NoticeInBusinessDays(Careless):
    """Counts business days instead of calendar days for a notice."""

    def after_calendar_days(self, start: date, days: int) -> date:
        return self.after_business_days(start, days)


@lapse("5.11.3")
class StartDayCounted(Careless):
    """Counts the day itself."""

    def clock_start(self, record: Seen) -> date:
        return super().clock_start(record) - _DAY


@lapse("5.11.3", "T6.2", "T6.3")
class ClockFromReceipt(Careless):
    """Counts every due date of a notice from the day of receipt."""

    def clock_start(self, record: Seen) -> date:
        if record["decision"] in ("approve", "refer"):
            return super().clock_start(record)
        return date.fromisoformat(self.case["received_date"])


@lapse("5.11.3", "T6.4")
class ClockFromCompletion(Careless):
    """Counts every due date of a notice from the day on which the last document came in."""

    def clock_start(self, record: Seen) -> date:
        day = self.case["completed_date"]
        if day is None or record["decision"] in ("approve", "refer"):
            return super().clock_start(record)
        return date.fromisoformat(day)


@lapse("5.12.1", "T6.5", "T6.6", "T6.7")
class ReferralDueToday(Careless):
    """Gives the business date as the due date of a referral, since no letter goes out."""

    def due_date(self, decision: str, reason: str, start: date) -> date:
        return start if decision == "refer" else super().due_date(decision, reason, start)


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
