"""The expert's judgements on deposits: a method for each decision of the SOP. Lapses override one of them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, NamedTuple

from teller_gym.base.dates import add_business_days, is_business_day, on_or_before_business_day, whole_years
from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.policy import Product, SavingsPolicy

LISTS = ("sanctions", "pep", "enforcement")
"""T7: the lists of true matches, the one that gives the reason first."""


class Ending(NamedTuple):
    """A row of T7: decision, reason, amount in dollars, and the name of the value date in T8 or the day itself."""

    decision: str
    reason: str
    amount: float
    value: str


class Judgement:
    """What the SOP leaves to the officer, with what has been seen so far."""

    def __init__(self, policy: SavingsPolicy) -> None:
        self.policy = policy
        self.case: Seen = {}
        self.today = date.min
        self.checks: dict[str, Seen] = {}
        self.screenings: dict[str, Seen] = {}
        self.records: dict[str, Seen] = {}
        self.interests: dict[str, Seen] = {}
        self.activity: Seen = {}
        self.charge = 0.0

    @property
    def kind(self) -> str:
        """The kind of request."""
        kind: str = self.case["kind"]
        return kind

    @property
    def received(self) -> date:
        """When the request came in."""
        return date.fromisoformat(self.case["received_date"])

    # -- 5.2 and 5.3 --------------------------------------------------------------------------------------------------

    def code(self, table: str, situation: str) -> Any:
        """Return a code of T10 or T11."""
        return getattr(self.policy, table)[situation]

    def registry_of(self, person: Seen) -> str:
        """5.2.1."""
        return str(self.code("registries", person["document_type"]))

    def is_verified(self, check: Seen) -> bool:
        """5.2.2."""
        return bool(check["identity_status"] == "verified")

    def identity_ending(self) -> Ending | None:
        """5.2.2."""
        if all(self.is_verified(check) for check in self.checks.values()):
            return None
        return Ending("decline", "identity_not_verified", 0.0, "answer")

    def screened_name(self, customer: str) -> str:
        """5.2.3: the verified name."""
        return str(self.checks[customer]["verified_name"])

    def list_scope_of(self, customer: str) -> str:
        """5.2.3."""
        return str(self.code("list_scopes", "us_citizen" if self.checks[customer]["country"] == "US" else "other"))

    def same_birth(self, screening: Seen) -> bool:
        """D5."""
        return bool(screening["entry_date_of_birth"] == screening["screened_date_of_birth"])

    def same_country(self, screening: Seen) -> bool:
        """D5."""
        return bool(screening["entry_country"] == screening["screened_country"])

    def is_true_match(self, screening: Seen) -> bool:
        """D5."""
        return screening["list_entry_id"] is not None and self.same_birth(screening) and self.same_country(screening)

    def disposition(self) -> str:
        """5.2.4: the gravest outcome."""
        if not self.screenings:
            return "not_screened"
        found = self.screenings.values()
        if any(self.is_true_match(screening) for screening in found):
            return "true_match"
        return "false_positive" if any(s["list_entry_id"] is not None for s in found) else "clear"

    def match_ending(self) -> Ending | None:
        """5.2.4."""
        matched = {screening["entry_list"] for screening in self.screenings.values() if self.is_true_match(screening)}
        first = next((name for name in LISTS if name in matched), None)
        return Ending("refer", f"{first}_match", 0.0, "refer") if first else None

    def is_in_force(self, row: Seen) -> bool:
        """D6."""
        today = self.today.isoformat()
        return bool(row["placed_on"] <= today and (row["lifted_on"] is None or row["lifted_on"] > today))

    def stopped_by(self) -> tuple[str, ...]:
        """5.3.2: restrictions that end a case of this kind, the first one first."""
        if self.kind == "coverage_review":
            return ()
        return ("legal_hold", "pledge") if self.kind in ("withdrawal", "custodial_payout") else ("legal_hold",)

    def restriction_ending(self, record: Seen) -> Ending | None:
        """5.3.2."""
        kinds = [row["kind"] for row in record["restrictions"] if self.is_in_force(row)]
        found = next((kind for kind in self.stopped_by() if kind in kinds), None)
        if found is None:
            return None
        return (
            Ending("refer", "legal_hold", 0.0, "refer")
            if found == "legal_hold"
            else Ending("decline", "pledged", self.asked(record), "answer")
        )

    # -- 5.4 ----------------------------------------------------------------------------------------------------------

    def product(self, record: Seen) -> Product:
        """T1: the product's row."""
        return self.policy.products[record["product"]]

    def earning(self, record: Seen) -> Product:
        """T1: the row from which interest is worked out."""
        return self.product(record)

    def grace_days(self, record: Seen) -> int:
        """T1."""
        return self.product(record).grace_days

    def grace_end(self, record: Seen) -> date:
        """D7: the last day of the grace period."""
        return self.moved_on(date.fromisoformat(record["maturity_date"]) + timedelta(days=self.grace_days(record)))

    def moved_on(self, last: date) -> date:
        """D7: a last day that is no business day moves on."""
        while not is_business_day(last, self.policy.holidays):
            last += timedelta(days=1)
        return last

    def counted_day(self) -> date:
        """D7: the day that counts."""
        return self.received

    def is_in_grace(self, record: Seen) -> bool:
        """5.4.1."""
        return date.fromisoformat(record["maturity_date"]) <= self.counted_day() <= self.grace_end(record)

    def is_in_time(self, record: Seen) -> bool:
        """5.5.1."""
        return self.counted_day() <= self.grace_end(record)

    def struck_owner(self, record: Seen) -> Seen | None:
        """D8: the owner whom the event has befallen."""
        rows = [row for row in record["owners"] if row["customer_id"] == self.case["event_customer_id"]]
        return next((row for row in rows if row["role"] == "owner"), None)

    def happened_in_term(self, record: Seen, day: str) -> bool:
        """D8: not before the start of the current term."""
        return day >= str(record["term_started_on"])

    def waiver_of(self, record: Seen) -> str:
        """D8, but for the document."""
        event = self.case["event"]
        owner = self.struck_owner(record) if event else None
        day = owner[{"death": "died_on", "incapacity": "incapacitated_on"}[event]] if owner else None
        return event if day is not None and self.happened_in_term(record, day) else "none"

    def is_proved(self, event: str) -> bool:
        """D8: whether the document is on file."""
        return self.code("waiver_documents", event) in self.case["documents"]

    def is_too_young(self, record: Seen) -> bool:
        """5.4.2: within the first days of the term."""
        return (self.today - date.fromisoformat(record["term_started_on"])).days <= self.policy.first_days

    def withdrawn(self, record: Seen) -> float:
        """D9."""
        asked, principal = self.case["requested_amount"], record["principal"]
        if asked == 0 or to_cents(principal) - to_cents(asked) < self.minimum_of(record):
            return float(principal)
        return float(asked)

    def minimum_of(self, record: Seen) -> int:
        """T1, in cents."""
        return self.product(record).minimum

    def method_of(self, record: Seen) -> str:
        """T1."""
        return self.earning(record).method

    def day_count_of(self, record: Seen) -> str:
        """T1."""
        return self.earning(record).day_count

    def interest_from(self, record: Seen) -> str:
        """D10."""
        return str(record["interest_paid_to"])

    def interest_to_maturity(self, record: Seen) -> str:
        """D10: where no interest is earned after maturity."""
        return str(record["maturity_date"])

    def charged_term(self, record: Seen) -> int:
        """D11: the whole term in months."""
        return int(record["term_months"])

    def charge_days(self, record: Seen) -> int:
        """T2."""
        months = self.charged_term(record)
        return next(row.days for row in self.policy.charges if months <= row.months)

    # -- 5.5 ----------------------------------------------------------------------------------------------------------

    def new_principal(self, record: Seen, interest: Seen, *, in_time: bool) -> int:
        """5.5.3, in cents."""
        total = to_cents(record["principal"])
        if record["interest_handling"] == "capitalise":
            total += to_cents(interest["interest"])
        return total - (to_cents(self.case["requested_amount"]) if in_time else 0)

    def is_too_small(self, record: Seen, principal: int) -> bool:
        """5.5.3."""
        return principal < self.minimum_of(record)

    def new_term(self, record: Seen, *, in_time: bool) -> int:
        """5.5.4."""
        changed = in_time and self.case["instruction"] == "change_term"
        return int(self.case["new_term_months"] if changed else record["term_months"])

    def anchor_day(self, record: Seen) -> int:
        """D12."""
        return date.fromisoformat(record["opened_on"]).day

    def rate_day(self, record: Seen) -> date:
        """D13: the day whose sheet counts."""
        return date.fromisoformat(record["maturity_date"])

    def addition(self, principal: int) -> int:
        """D13."""
        return self.policy.large_addition if principal >= self.policy.large_principal else 0

    def new_rate(self, record: Seen, months: int, principal: int) -> float:
        """D13, in percent."""
        sheet = [sheet for sheet in self.policy.rate_sheets if sheet.since <= self.rate_day(record)][-1]
        return (sheet.rates[months] + self.addition(principal)) / 100

    # -- 5.6 ----------------------------------------------------------------------------------------------------------

    def month_of(self, row: Seen) -> str:
        """D14: the month in which a movement counts."""
        return str(row["posted_on"])[:7]

    def is_counted_deposit(self, row: Seen) -> bool:
        """D14 (b)."""
        return self.is_deposit_kind(row) and self.is_large_enough(row) and not self.is_reversed(row)

    def is_deposit_kind(self, row: Seen) -> bool:
        """D14 (b)."""
        return row["kind"] in self.policy.counted_deposits

    def is_large_enough(self, row: Seen) -> bool:
        """D14 (b)."""
        return to_cents(row["amount"]) >= self.policy.bonus_deposit_minimum

    def is_reversed(self, row: Seen) -> bool:
        """D14 (b)."""
        return row["reversed_on"] is not None

    def is_counted_withdrawal(self, row: Seen) -> bool:
        """D14 (c)."""
        return row["kind"] in self.policy.counted_withdrawals

    def keeps_balance(self, month: Seen) -> bool:
        """D14 (a)."""
        return to_cents(month["lowest_balance"]) >= self.policy.bonus_lowest_balance

    def has_deposits(self, rows: list[Seen]) -> bool:
        """D14 (b)."""
        return sum(self.is_counted_deposit(row) for row in rows) >= self.policy.bonus_deposits

    def has_few_withdrawals(self, rows: list[Seen]) -> bool:
        """D14 (c)."""
        return sum(self.is_counted_withdrawal(row) for row in rows) <= self.policy.bonus_withdrawals

    def qualifies(self, month: Seen) -> bool:
        """D14."""
        rows = [row for row in self.activity["movements"] if self.month_of(row) == month["month"]]
        return self.keeps_balance(month) and self.has_deposits(rows) and self.has_few_withdrawals(rows)

    def qualifying_months(self) -> list[str]:
        """5.6.2."""
        return [month["month"] for month in self.activity["months"] if self.qualifies(month)]

    def required_months(self) -> int:
        """5.6.3."""
        return len(self.activity["months"]) - self.policy.bonus_missed_allowed

    def tier_balance(self) -> float:
        """T4: the balance with which the period opens."""
        return float(self.activity["opening_balance"])

    def plan_of(self, record: Seen) -> str:
        """T4."""
        return str(record["bonus_plan"])

    def bonus_rate(self, record: Seen) -> float:
        """5.6.3, in percent."""
        tiers = self.policy.bonus_plans[self.plan_of(record)]
        return [tier.rate for tier in tiers if tier.balance <= to_cents(self.tier_balance())][-1] / 100

    # -- 5.7 ----------------------------------------------------------------------------------------------------------

    def governing_state(self, record: Seen) -> str:
        """T5."""
        return str(record["custodial_state"])

    def is_of_age(self, record: Seen) -> bool:
        """5.7.1."""
        child = next(row for row in record["owners"] if row["role"] == "beneficiary")
        years = whole_years(date.fromisoformat(child["date_of_birth"]), self.today)
        return years >= self.policy.custodial_ages[self.governing_state(record)]

    def asks_as_custodian(self, record: Seen) -> bool:
        """5.7.1."""
        asking = self.case["persons"][0]["customer_id"]
        return any(row["customer_id"] == asking and row["role"] == "custodian" for row in record["owners"])

    def purpose_ending(self, record: Seen) -> Ending | None:
        """5.7.2."""
        if not self.is_permitted():
            return Ending("decline", "purpose_not_permitted", self.asked(record), "answer")
        if not self.is_purpose_proved():
            return Ending("pend", "document_missing", self.asked(record), "pend")
        return None

    def asked(self, record: Seen) -> float:
        """D22."""
        return float(self.case["requested_amount"] or record["principal"])

    def is_permitted(self) -> bool:
        """T6."""
        return self.case["purpose"] in self.policy.purposes

    def is_purpose_proved(self) -> bool:
        """T6."""
        return self.policy.purposes.get(self.case["purpose"]) in self.case["documents"]

    def is_yearly_withdrawal(self, row: Seen) -> bool:
        """D16."""
        return self.is_counted_withdrawal(row) and not self.is_reversed(row)

    def year_start(self) -> date:
        """5.6.1, of custodial payouts."""
        return date(self.today.year, 1, 1)

    def yearly_rest(self) -> int:
        """D16: what remains of the year's limit, in cents."""
        drawn = sum(to_cents(row["amount"]) for row in self.activity["movements"] if self.is_yearly_withdrawal(row))
        return self.policy.yearly_limit - drawn

    def custodian_ending(self, record: Seen) -> Ending:
        """5.7.2."""
        asked, rest = self.asked(record), self.yearly_rest()
        if rest <= 0:
            return Ending("refer", "yearly_limit", asked, "refer")
        if rest < to_cents(asked):
            return Ending("in_part", "yearly_limit", usd(rest), "payout")
        return Ending("carry_out", "for_beneficiary", asked, "payout")

    # -- 5.8 ----------------------------------------------------------------------------------------------------------

    def category_of(self, record: Seen) -> str | None:
        """D17: None for what does not count."""
        ownership = str(record["ownership"])
        if ownership in ("corporation", "custodial"):
            return None
        return "single" if ownership == "sole_proprietor" else ownership

    def share_of(self, record: Seen, cents: int) -> int:
        """D17: the depositor's part of a joint account."""
        owners = sum(row["role"] == "owner" for row in record["owners"])
        return divide_half_up(cents, owners)

    def covered_balance(self, account_id: str) -> int:
        """D17, in cents."""
        return to_cents(self.interests[account_id]["balance_with_interest"])

    def totals(self, counted: list[str]) -> dict[str, float]:
        """5.8.3, in dollars."""
        sums = {"single": 0, "joint": 0, "retirement": 0, "trust": 0}
        for account_id in counted:
            record = self.records[account_id]
            category = self.category_of(record) or "single"
            balance = self.covered_balance(account_id)
            sums[category] += self.share_of(record, balance) if category == "joint" else balance
        return {f"{name}_total": usd(cents) for name, cents in sums.items()}

    def is_living(self, row: Seen) -> bool:
        """D17."""
        return row["died_on"] is None

    def beneficiary_ids(self, counted: list[str]) -> list[str]:
        """D17: each once."""
        rows = [
            row
            for account_id in counted
            if self.category_of(self.records[account_id]) == "trust"
            for row in self.records[account_id]["owners"]
            if row["role"] == "beneficiary" and self.is_living(row)
        ]
        return list(dict.fromkeys(row["customer_id"] for row in rows))

    def beneficiaries(self, counted: list[str]) -> int:
        """5.8.3."""
        return min(len(self.beneficiary_ids(counted)), self.policy.most_beneficiaries)

    # -- 5.9 ----------------------------------------------------------------------------------------------------------

    def routing(self, ending: Ending) -> str:
        """5.9.2."""
        if ending.decision == "refer":
            return "compliance"
        return "senior_savings" if to_cents(ending.amount) > self.policy.senior_amount else "branch"

    def answer_start(self) -> date:
        """T8."""
        return self.received

    def answer_day(self) -> date:
        """T8."""
        return on_or_before_business_day(
            self.answer_start() + timedelta(days=self.policy.answer_days), self.policy.holidays
        )

    def business_days_on(self, count: int) -> date:
        """T8."""
        return add_business_days(self.today, count, self.policy.holidays)

    def filed_channel(self) -> str:
        """T11: how the request came in."""
        return str(self.case["channel"])

    def file_code(self) -> str:
        """T11."""
        return str(self.code("file_codes", self.kind)[self.filed_channel()])

    def value_date(self, ending: Ending) -> date:
        """5.9.3."""
        match ending.value:
            case "answer":
                return self.answer_day()
            case "payout":
                return self.business_days_on(self.policy.payout_days[self.case["payout_method"]])
            case "credit":
                return self.business_days_on(self.policy.credit_days)
            case "pend":
                return self.business_days_on(self.policy.pend_days)
            case "refer":
                return self.business_days_on(self.policy.refer_days[ending.reason])
        return date.fromisoformat(ending.value)
