"""Facts that the accounts expert collects for its notes: dates from the calendar, and each judgement in turn."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from teller_gym.base.money import to_cents, usd
from teller_gym.procedure.officer import Seen, Steps, of
from teller_gym.scenarios.accounts.claims import BANK_OBLIGATIONS, CARD_TRANSFERS
from teller_gym.scenarios.accounts.deposits import Split
from teller_gym.scenarios.accounts.expert import Officer
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.officer.notes import IntakeNotes, Reading
from teller_gym.tools.call import Call

DONE = ("carry_out", "in_part")
_IN_THE_WAY = ("transfer_claim", "overdraft_line", "loan_autopay")
_OPEN_CLAIM = {"kind": "transfer_claim", "status": "open"}


class Findings(IntakeNotes, Officer):
    """Asks tools for dates, months and ages before judging, and keeps the results for the next call's note."""

    def __init__(self, request: str, policy: AccountPolicy) -> None:
        super().__init__(request, policy)
        self.before: dict[str, tuple[list[float], list[float]]] = {}
        """For each item that may be held: the amounts counted before it, and the next-day parts of the items before it.
        """
        self.ending = Ending("", "")
        self.liable = 0.0
        self.fees: list[float] = []
        self.notice_from = ""
        self.abandoned_on = ""

    # -- the calendar -------------------------------------------------------------------------------------------------

    def day_after_months(self, start: str, months: int) -> Reading:
        """Ask for the day some months after another (D20)."""
        arguments = {"start_date": start, "direction": "after", "length": months, "unit": "months", "roll": "none"}
        day: str = (yield from self.ask("preview_deadline", **arguments))["days"][0]
        return day

    def banking_day_of(self, day: str, time: str, channel: str) -> Reading:
        """Ask for the banking day: the next business day if the bank is closed or past its cut-off (D5)."""
        in_time = self.is_in_time(time, channel)
        asked = (day, 0, "calendar", "next") if in_time else (day, 1, "business", "none")
        if asked not in self.days_asked:
            self.jot(channel=channel, time=time, in_time=in_time)
        return (yield from self.day_from(*asked))

    def banking_day_of_request(self) -> Reading:
        """Ask for the banking day on which the request was received (D5)."""
        return (yield from self.banking_day_of(*of(self.case, "received_date", "received_time", "channel").values()))

    # -- 5.1 to 5.4 ---------------------------------------------------------------------------------------------------

    def account_ending(self) -> Ending | None:
        """Note each restriction, then return the ending (5.1.3)."""
        names = ("kind", "placed_on", "lifted_on")
        rows = [{**of(row, *names), "in_force": self.is_in_force(row)} for row in self.account["restrictions"]]
        if rows:
            self.jot(restrictions=rows)
        return super().account_ending()

    def screen_person(self, customer: str) -> Steps:
        """Ask for the first day of the reports to read, then screen the person (5.3.1)."""
        yield from self.day_from(self.case["business_date"], -self.policy.misuse_lookback_days)
        yield from super().screen_person(customer)

    def misuse_ending(self) -> Ending | None:
        """Note each report of another bank, then return the ending (5.3.3)."""
        reports = [row for screening in self.screenings.values() for row in screening["history_reports"]]
        if self.kind == "open_account" and reports:
            names = ("report_kind", "amount", "settled_on")
            self.jot(history_reports=[{**of(row, *names), "counts": self.is_misuse(row)} for row in reports])
        return super().misuse_ending()

    def read_ages(self) -> Steps:
        """Note ages, then addresses, then the deposit, up to the fact that ends the case (5.4.1)."""
        rows = []
        for person in self.people.values():
            years = (yield from self.span(self.born(person).isoformat(), self.case["business_date"]))["whole_years"]
            rows.append({**of(person, "role"), "whole_years": years, "age_met": self.is_of_right_age(person)})
        self.jot(persons=rows)
        if all(row["age_met"] for row in rows):
            streets = [person["street_address"] for person in self.people.values()]
            self.jot(addresses=[{"street_address": one, "post_box": self.is_post_box(one)} for one in streets])
            if not any(map(self.is_post_box, streets)):
                enough = self.opening_ending().decision == "carry_out"
                self.jot(**of(self.case, "product", "opening_deposit"), enough=enough)

    def establish_authority(self) -> Steps:
        """Ask for the ages of the minor and of the mandates, then determine the authority (5.4.2)."""
        if self.kind in self.policy.powers:
            if self.account["account_product"] == "custodial":
                minor = next(row for row in self.account["owners"] if row["role"] == "minor")
                span = yield from self.span(minor["date_of_birth"], self.case["business_date"])
                self.jot(minor_years=span["whole_years"], former_minor=self.is_former_minor())
            yield from self.read_mandates()
            rule = of(self.account, "signing_rule") if self.kind == "close_account" else {}
            self.jot(**rule, owners=self.account_owners(), **self.signed(), authority=self.authority() != "none")
        yield from super().establish_authority()

    def read_mandates(self) -> Steps:
        """Note each mandate of a requesting agent, with its age from the calendar (D8)."""
        rows = []
        for row in self.account["mandates"]:
            if row["agent_id"] in self.people:
                span = yield from self.span(row["dated"], self.case["business_date"])
                names = ("agent_id", "owner_id", "powers", "revoked_on")
                rows.append({**of(row, *names), "days": span["days"], "valid": self.is_valid(row)})
        if rows:
            self.jot(mandates=rows)

    def signed(self) -> Seen:
        """Return the owners who sign themselves and those represented by an agent (D7)."""
        own, by_mandate = map(sorted, self.signing())
        return {"own": own, **({"by_mandate": by_mandate} if by_mandate else {})}

    def settle(self) -> Generator[Call, Seen, Ending]:
        """Read the facts that depend on dates, then settle the case (5.4.1 and 5.5 to 5.7)."""
        match self.kind:
            case "open_account":
                yield from self.read_ages()
            case "deposit_review":
                yield from self.read_items()
            case "stop_payment":
                yield from self.read_orders()
            case "dormancy_review":
                yield from self.read_activity()
            case "close_account":
                self.walk_services()
        return (yield from super().settle())

    # -- 5.5 ----------------------------------------------------------------------------------------------------------

    def read_items(self) -> Steps:
        """Note whether each item is accepted, with its banking day from the calendar (D5 and D10)."""
        rows, stale = [], -self.policy.stale_check_days
        for item in self.items():
            day = yield from self.banking_day_of(*of(item, "deposited_on", "deposited_at", "channel").values())
            checked = {}
            if self.is_check(item):
                yield from self.day_from(day, stale)
                checked = of(item, "check_date", "endorsed")
            rows.append({"item_id": item["item_id"], **checked, "taken": self.is_taken(item)})
        if rows:
            self.jot(items=rows)

    def work_out_items(self) -> Steps:
        """Read items and the account's past, compute availability, then read the facts of a closing (5.5.3)."""
        if self.kind == "close_account":
            yield from self.read_items()
        for item in self.taken():
            if self.is_check(item) and not self.is_redeposited(item):
                yield from self.read_past(self.day_of(item).isoformat(), item)
                break
        yield from super().work_out_items()
        if self.kind == "close_account":
            yield from self.read_closing()

    def read_past(self, day: str, item: Seen) -> Steps:
        """Note whether the account is new, and its overdrafts if it is not (D11, D12)."""
        on, account = self.day_of(item), self.account
        first = yield from self.day_from(day, -self.policy.new_account_days)
        self.jot(**of(account, "opened_on"))
        if account["opened_on"] >= first:
            names = ("owner_id", "opened_on", "status")
            self.jot(related_accounts=[of(row, *names) for row in account["related_accounts"]])
        self.jot(new_account=self.is_new_account(on))
        if account["overdrawn_days"] and not self.is_new_account(on):
            self.jot(since=(yield from self.day_from(day, -self.policy.overdrawn_window_days)))
            counted = self.days_overdrawn(on)
            rows = [{**row, "counts": row in counted} for row in account["overdrawn_days"]]
            self.jot(overdrawn_days=rows, repeated_overdraft=self.is_overdrawn(on))

    def splits(self, items: list[Seen], day: Any) -> dict[str, Split]:
        """Split the items, and keep the amounts that count before each of them (5.5.3)."""
        found = super().splits(items, day)
        checks = [item for item in items if self.is_check(item)]
        for place, item in enumerate(checks):
            counted = checks[:place]
            if self.reason_of(item, day) == "new_account":
                counted = [one for one in counted if self.class_of(one) != "other_check"]
            early = [found[one["item_id"]].early / 100 for one in checks[:place]]
            self.before[item["item_id"]] = [one["amount"] for one in counted], [amount for amount in early if amount]
        return found

    # -- 5.6 ----------------------------------------------------------------------------------------------------------

    def assess(self) -> Steps:
        """Ask for the limits of notice, confirmation and loss, and assess the transfers (5.6.1 to 5.6.3)."""
        received = self.case["received_date"]
        self.notice_from = yield from self.day_from(received, -self.policy.claim_notice_days)
        yield from super().assess()
        if not self.covered():
            return
        if self.case["channel"] == "phone":
            yield from self.day_from(received, self.policy.confirmation_business_days, "business")
            self.jot(**of(self.case, "confirmed_date"), unconfirmed=self.is_unconfirmed())
        if self.case["card_missed_date"] is not None and not self.is_unconfirmed():
            yield from self.read_liability(self.case["card_missed_date"])

    def read_liability(self, missed: str) -> Steps:
        """Ask for the last day of the low limit, and have the liability computed (D19)."""
        limit = yield from self.day_from(missed, self.policy.loss_business_days, "business")
        rows = [self.walked(row, limit) for row in self.covered()]
        borne = [row for row in rows if "in_time" in row]
        if not borne:
            return
        self.jot(transfers=rows)
        early, late = (
            usd(sum(to_cents(row["counted_amount"]) for row in borne if row["in_time"] is side))
            for side in (True, False)
        )
        found = yield from self.ask(
            "estimate_liability",
            missed_on=missed,
            told_on=self.case["received_date"],
            last_day_in_time=limit,
            amount_up_to_that_day=early,
            amount_after_that_day=late,
        )
        self.liable = found["liability"]

    def walked(self, row: Seen, limit: str) -> Seen:
        """Return a transfer's note: whether the customer bears it, up to the deciding fact (D19)."""
        if row["claim_type"] != "unauthorized":
            return of(row, "transfer_id", "claim_type") | {"borne": False}
        if row["kind"] not in CARD_TRANSFERS:
            return of(row, "transfer_id", "kind") | {"borne": False}
        known = of(row, "transfer_id", "kind", "posted_on") | {"borne": self.is_borne(row)}
        if not known["borne"]:
            return known
        return known | {"in_time": row["posted_on"] <= limit} | of(row, "counted_amount")

    # -- 5.7 ----------------------------------------------------------------------------------------------------------

    def read_orders(self) -> Steps:
        """Note each stop order and its obstacle (5.7.1)."""
        day, rows = (yield from self.banking_day_of_request()), []
        for item in self.case["items"]:
            row = of(item, "item_id", "item_kind")
            if item["item_kind"] == "preauthorized_debit":
                yield from self.day_from(day, self.policy.stop_notice_business_days, "business")
                row |= {**of(self.scheduled(item), "series", "next_on"), "too_late": self.is_too_late(item)}
            elif item["item_kind"] not in BANK_OBLIGATIONS:
                row |= {**of(item, "reference"), "already_paid": self.is_paid(item)}
            rows.append({**row, "stopped": not self.order_finding(item)})
        self.jot(orders=rows)

    def read_activity(self) -> Steps:
        """Note the last activity, and ask for the ends of the stages from the last to the one reached (5.7.2)."""
        rows = [{"account_id": one["account_id"], "posted_on": self.last_of(one)} for one in self.active_accounts()]
        last = self.last_activity().isoformat()
        self.jot(**of(self.account, "opened_on"), owner_activity=rows, last=last, **of(self.account, "mailing_state"))
        self.abandoned_on = yield from self.day_after_months(last, self.state_rule().months)
        stage = self.stage_reached()
        if stage == "abandoned":
            self.jot(abandoned=True)
            yield from self.read_letters(last)
            return
        yield from self.day_after_months(last, self.policy.stage_months["dormant"])
        if stage != "dormant":
            yield from self.day_after_months(last, self.policy.stage_months["inactive"])

    def last_of(self, account: Seen) -> str | None:
        """Return the day of the last owner activity on an account, None if there was none (D16)."""
        return max((row["posted_on"] for row in account["activity"] if self.is_owner_activity(row)), default=None)

    def read_letters(self, last: str) -> Steps:
        """Note the fees since dormancy and the letters to the owner (D17 and D18)."""
        fees = [row for row in self.account["activity"] if row["kind"] == "maintenance_fee"]
        if fees:
            dormant = yield from self.day_after_months(last, self.policy.stage_months["dormant"])
            fees = [row for row in fees if row["posted_on"] >= dormant]
        money = of(self.account, "ledger_balance", "accrued_interest")
        self.fees = [row["amount"] for row in fees]
        self.jot(**money, fees=self.fees, letter_needed=self.needs_letter())
        if not self.needs_letter():
            return
        report, rows = self.first_report_day(), []
        for row in self.account["letters"]:
            known = of(row, "kind", "sent_on")
            if row["kind"] == "letter_to_owner":
                state = of(self.account, "mailing_state")
                self.jot(**state, abandoned_on=self.abandoned_on, report_day=report.isoformat())
                known |= of((yield from self.span(row["sent_on"], report.isoformat())), "days")
            rows.append({**known, "counts": self.is_letter(row, report)})
        self.jot(letters=rows)
        if self.is_letter_due():
            clock = self.policy.clocks["letter_to_owner"]
            arguments = {"start_date": report.isoformat(), "direction": "before", "length": clock.counted}
            self.jot(abandoned_on=self.abandoned_on, report_day=report.isoformat())
            yield from self.ask("preview_deadline", **arguments, unit=clock.unit, roll=clock.roll)
            self.jot(too_late_for_this_report=self.today > self.last_letter_day(report))

    def walk_services(self) -> None:
        """Note each service that could block a closing (5.7.3 (a))."""
        names = ("kind", "status", "balance")
        rows = [
            {**of(row, *names), "blocks": self.is_debt(row) or of(row, "kind", "status") == _OPEN_CLAIM}
            for row in self.account["services"]
            if row["kind"] in _IN_THE_WAY
        ]
        if rows:
            self.jot(services=rows)

    def read_closing(self) -> Steps:
        """Note availability, address and payout, up to the fact that ends the case (5.7.3 (c))."""
        today, account = self.case["business_date"], self.account
        if self.parts:
            self.jot(last_day=self.last_day().isoformat(), items_pending=self.is_uncollected())
        if self.is_uncollected():
            return
        if account["address_changed_on"] is not None:
            yield from self.span(account["address_changed_on"], today)
            self.jot(address_recent=self.is_address_recent())
        if not self.is_address_recent():
            yield from self.ask(
                "preview_closing_balance",
                ledger_amount=account["ledger_balance"],
                interest_amount=account["accrued_interest"],
                fees_amount=account["fees_due"],
                opened_on=account["opened_on"],
                closing_on=today,
            )

    # -- 5.8 ----------------------------------------------------------------------------------------------------------

    def close(self, ending: Ending) -> Steps:
        """Note the facts that determine the clocks, then close the case (5.8.1)."""
        self.ending = ending
        if self.kind == "transfer_claim" and (ending.decision in DONE or ending.reason == "confirmation_missing"):
            yield from self.day_from(self.account["first_deposit_on"], self.policy.new_account_days)
            self.jot(covered=list(map(self.clocked, self.covered())))
        elif self.kind == "deposit_review" and ending.decision in DONE:
            yield from self.banking_day_of_request()
        yield from super().close(ending)

    def clocked(self, row: Seen) -> Seen:
        """Return a transfer's effect on the clocks of a claim, up to the deciding fact (T6)."""
        known = of(row, "posted_on") | {"new_account": self.is_early_transfer(row)}
        if not known["new_account"]:
            known |= of(row, "kind", "country")
        return known | {"long": self.is_long(row)}

    # -- 5.9 and 5.10 -------------------------------------------------------------------------------------------------

    def is_without_final_clock(self) -> bool:
        """Return True if the final date comes from the items' availability instead of a clock (T6)."""
        done = self.kind == "deposit_review" and self.ending.decision in DONE
        return done or self.ending.reason == "items_pending"
