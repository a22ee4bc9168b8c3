"""The expert's judgements on deadlines (5.8): which clocks run, for how long, and from which event."""

from __future__ import annotations

from datetime import date

from teller_gym.scenarios.accounts.claims import Claims
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.policy import Clock


class Clocks(Claims):
    """Judgements on deadlines."""

    def clocks_of(self, ending: Ending) -> tuple[str, str | None]:
        """Return the clocks of the action date and the final date, None where no clock sets the date (T6)."""
        if ending.decision == "refer":
            return "escalation", "desk_review"
        if ending.decision in ("carry_out", "in_part"):
            return getattr(self, f"{self.kind}_clocks")()  # type: ignore[no-any-return]
        if self.kind == "dormancy_review" and ending.reason != "account_closed":
            return ("next_stage" if ending.decision == "decline" else "letter_to_owner"), "abandonment"
        if ending.decision == "decline":
            return ("adverse_action" if self.kind == "open_account" else "refusal"), "objection"
        return "inquiry", self.waiting_clock(ending)

    def waiting_clock(self, ending: Ending) -> str | None:
        """Return the final clock of a pending case (T6)."""
        if ending.reason == "items_pending":
            return None
        if ending.reason == "confirmation_missing":
            return self.investigation_clock()
        return "address_wait" if ending.reason == "address_recent" else "answer"

    def open_account_clocks(self) -> tuple[str, str | None]:
        """Return the clocks of an opening: delivery of the account terms, and the new-account period (T6)."""
        at_once = self.is_in_person(self.case["channel"])
        return ("terms_at_the_branch" if at_once else "terms_by_letter"), "new_account"

    def deposit_review_clocks(self) -> tuple[str, str | None]:
        """Return the notice clock of a deposit review, which depends on hold and channel (T6)."""
        if self.held_reason() is None:
            return "availability_notice", None
        in_person = self.is_in_person(self.case["channel"])
        return ("hold_notice_in_person" if in_person else "hold_notice_otherwise"), None

    def transfer_claim_clocks(self) -> tuple[str, str | None]:
        """Return the clocks of the provisional credit and of the investigation (T6)."""
        return self.credit_clock(), self.investigation_clock()

    def credit_clock(self) -> str:
        """Return the clock of the provisional credit, longer for new accounts (T6)."""
        return "credit_new_account" if any(map(self.is_early_transfer, self.covered())) else "credit"

    def is_long(self, row: dict[str, object]) -> bool:
        """Return True if a covered transfer requires the long investigation (T6)."""
        return self.is_early_transfer(row) or row["kind"] == "pos_debit" or self.is_abroad(row)

    def investigation_clock(self) -> str:
        """Return the clock of the investigation: the long one if any covered transfer requires it (T6)."""
        return "investigation_long" if any(map(self.is_long, self.covered())) else "investigation"

    def stop_payment_clocks(self) -> tuple[str, str | None]:
        """Return the clocks of the confirmation and of the order's expiry (T6)."""
        if self.is_oral():
            return "stop_confirmation", "oral_stop"
        return "stop_confirmation", "check_stop" if "check" in self.stopped else "debit_stop"

    def dormancy_review_clocks(self) -> tuple[str, str | None]:
        """Return the clocks of an abandoned account: its report and its abandonment (T6)."""
        return "report", "abandonment"

    def close_account_clocks(self) -> tuple[str, str | None]:
        """Return the clocks of the payout and of late items (T6)."""
        return "payout", "late_items"

    # -- 5.8.2 --------------------------------------------------------------------------------------------------------

    def clock(self, name: str) -> Clock:
        """Return the policy's entry for a clock (T7)."""
        return self.policy.clocks[name]

    def start_of(self, event: str) -> date:
        """Return the date of the event that starts a clock (5.8.2)."""
        match event:
            case "business_date":
                return self.today
            case "received_date":
                return self.received
            case "banking_day":
                return self.day_of_request()
            case "owner_activity":
                return self.last_activity()
            case "report_day":
                return self.report_day()
            case _:
                return date.fromisoformat(self.account["address_changed_on"])

    def day_of_request(self) -> date:
        """Return the banking day from which clocks of the request run (D5)."""
        return self.order_day()

    def length_of(self, name: str, ending: Ending) -> int:
        """Return the length of a clock in its unit (T7 and T8)."""
        if name == "escalation":
            return self.policy.escalation_business_days[ending.reason]
        if name == "next_stage":
            return self.stage_months()[self.stage]
        return self.state_rule().months if name == "abandonment" else self.clock(name).counted

    def unit_of(self, name: str) -> str:
        """Return the unit in which a clock counts (T7)."""
        return self.clock(name).unit

    def roll_of(self, name: str) -> str:
        """Return how a deadline on a closed day is moved (T7)."""
        return self.clock(name).roll

    def direction_of(self, name: str) -> str:
        """Return whether a clock counts forward or backward from its event (T7)."""
        return "before" if name == "letter_to_owner" else "after"
