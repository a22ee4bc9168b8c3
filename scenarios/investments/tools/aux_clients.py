"""Drafts and requests to clients, previews of names, and the look-up of policy."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import fmt_usd, to_cents
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking.business_days import check_days_ahead, check_due_day
from teller_gym.scenarios.banking.ids import Country, CustomerId, FullName
from teller_gym.scenarios.banking.lookup import day
from teller_gym.scenarios.banking.parties import party_of
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.scenarios.banking.tools.casework import ShortText
from teller_gym.scenarios.banking.tools.history import history_tool
from teller_gym.scenarios.investments.tools.lookup import policy_of
from teller_gym.scenarios.investments.tools.types import Delivery, RequestId
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Act, Category, Money, Result, tool

Paper = Literal["government_id", "power_of_attorney", "questionnaire", "account_statement", "signed_instruction"]
BirthYear = Annotated[int, Meta(ge=1900, le=2100)]
_TOPICS = {
    "times": (
        "order_cutoff",
        "settlement_days",
        "payment_days",
        "validation_days",
        "transfer_days",
        "liquidation_days",
    ),
    "answers": ("notice_days", "call_days", "referral_days", "questionnaire_max_age_days"),
    "authority": ("authority", "restrictions"),
    "profiles": ("profiles", "objectives", "short_horizon_years", "risk_classes", "limit_kinds"),
    "points": ("horizon_points", "liquidity_points", "loss_points", "experience_points", "income_points"),
    "margin": ("margin_rates", "initial_rate", "concentrated_share", "low_price"),
    "transfers": ("clearing_numbers", "type_words", "asset_rules"),
    "distributions": ("distribution_age", "divisors"),
    "codes": ("registries", "list_scopes", "price_bases", "instructions"),
    "fees_and_tax": ("order_fee", "min_payment", "review_amount", "wash_window_days", "long_term_years"),
}
Topic = Literal[
    "times", "answers", "authority", "profiles", "points", "margin", "transfers", "distributions", "codes",
    "fees_and_tax",
]  # fmt: skip


class InvestmentPolicyEntries(Result):
    """The policy's entries on a topic: amounts in cents, percentages and divisors in hundredths."""

    topic: Topic
    entries: dict[str, Any]


@tool(category=Category.AUXILIARY)
def get_investment_policy(bank: Bank, topic: Topic) -> InvestmentPolicyEntries:
    """Look up the numbers and codes of the brokerage policy in force.

    Args:
        topic: What to look up.
    """
    entries = {name: msgspec.to_builtins(getattr(policy_of(bank), name), str_keys=True) for name in _TOPICS[topic]}
    return InvestmentPolicyEntries(topic=topic, entries=entries)


class NamesCounted(Result):
    """How many list entries are similar."""

    similar_entries: int


@tool(category=Category.AUXILIARY)
def preview_watch_list_names(
    bank: Bank,
    full_name: FullName,
    similarity: Literal["same_words", "shared_word"],
    searched_lists: Literal["sanctions", "sanctions_and_pep"],
    entry_country: Country | None = None,
    born_year_from: BirthYear | None = None,
    born_year_to: BirthYear | None = None,
) -> NamesCounted:
    """Count watch-list entries with a name similar to one you give. A preliminary count for a first conversation: it
    screens nobody, shows no entry, and is no part of a file.

    Args:
        full_name: Any name, as it was told.
        similarity: Whether all words must be the same in any order, or one shared word is enough.
        searched_lists: Which lists to search.
        entry_country: Only entries of this country, two letters.
        born_year_from: Only entries born in this year or later.
        born_year_to: Only entries born in this year or earlier.
    """
    check_order(born_year_from, born_year_to, "born_year_from", "born_year_to")
    words = set(normalise_text(full_name).split())
    lists = ("sanctions",) if searched_lists == "sanctions" else ("sanctions", "pep")

    def similar(entry: Record) -> bool:
        others = set(normalise_text(entry["name"]).split())
        return (
            (words == others if similarity == "same_words" else bool(words & others))
            and entry["list"] in lists
            and entry_country in (None, entry["country"])
            and within(day(entry["date_of_birth"]).year, born_year_from, born_year_to)
        )

    return NamesCounted(similar_entries=sum(similar(entry) for _, entry in bank.rows("watch_list")))


class LetterDraft(Result):
    """The draft as stored; it has not been sent."""

    draft_id: str
    draft_text: str


@tool(act=Act.NOTE, category=Category.AUXILIARY)
def draft_client_letter(
    bank: Bank,
    request_id: RequestId,
    customer_id: CustomerId,
    letter_type: Literal["status_update", "paper_reminder", "appointment"],
    tone: Literal["formal", "friendly"],
    amount_mentioned: Money,
    answer_by: date,
    closing_line: ShortText,
) -> LetterDraft:
    """Draft a courtesy letter to a signer for a person to look over. Nothing is sent: a draft is no instruction, notice
    or margin call.

    Args:
        request_id: The request.
        customer_id: The signer who is addressed.
        letter_type: What the letter is about.
        tone: Tone of the greeting.
        amount_mentioned: Amount that the letter mentions, in dollars.
        answer_by: Day that the letter mentions; a business day, at most 90 days ahead.
        closing_line: Last line of the letter.
    """
    name = party_of(bank, request_id, customer_id)["full_name"]
    check_due_day(bank, answer_by, "answer_by")
    check_days_ahead(bank, answer_by, "answer_by")
    greeting = f"Dear {name}," if tone == "formal" else f"Hello {name.split()[0]},"
    subject, amount = letter_type.replace("_", " "), fmt_usd(to_cents(amount_mentioned))
    text = f"{greeting} {subject} about {request_id}, ${amount}, by {answer_by.isoformat()}. {closing_line}"
    draft_id = bank.reference("DR", request_id, customer_id, text)
    bank.put("drafts", draft_id, {"owner": request_id, "customer": customer_id, "kind": letter_type, "text": text})
    return LetterDraft(draft_id=draft_id, draft_text=text)


class PaperRequested(Result):
    """The request as stored."""

    paper_request_id: str
    requested_on: date
    days_to_answer: int


@tool(act=Act.FINAL, category=Category.AUXILIARY)
def request_client_paper(
    bank: Bank,
    request_id: RequestId,
    customer_id: CustomerId,
    paper: Paper,
    request_reason: Literal["missing", "expired", "illegible", "unsigned"],
    channel: Delivery,
    answer_by: date,
    original_required: bool,
) -> PaperRequested:
    """Ask a signer for a paper. A courtesy request that goes out at once: it is no notice and stops no deadline.

    Args:
        request_id: The request.
        customer_id: The signer who is asked.
        paper: The paper.
        request_reason: Why.
        channel: How it goes out; an original can only be asked for by mail.
        answer_by: Day by which it is wanted; a business day, at most 90 days ahead.
        original_required: Whether a copy is not enough.
    """
    party_of(bank, request_id, customer_id)
    check_due_day(bank, answer_by, "answer_by")
    ahead = check_days_ahead(bank, answer_by, "answer_by")
    if original_required and channel != "mail":
        raise invalid("channel", f"expected mail for an original, got {channel}")
    asked = {
        "customer": customer_id, "document": paper, "reason": request_reason, "channel": channel,
        "answer_by": answer_by.isoformat(), "original": original_required,
    }  # fmt: skip
    key = bank.reference("PR", request_id, *map(str, asked.values()))
    bank.put("paper_requests", key, {"owner": request_id, **asked})
    return PaperRequested(paper_request_id=key, requested_on=bank.today, days_to_answer=ahead)


get_case_history = history_tool(
    {
        "verification": "verifications",
        "screening": "screenings",
        "account_file": "account_files",
        "risk_profile": "profiles",
        "valuation": "valuations",
        "lot_list": "lot_lists",
        "concentration": "concentrations",
        "cash_check": "cash_checks",
        "gain": "gains",
        "wash_check": "wash_checks",
        "margin": "margins",
        "transfer": "transfers",
        "required_distribution": "required",
        "decision": "decisions",
        "release": "releases",
        "note": "notes",
        "paper_request": "paper_requests",
        "draft": "drafts",
        "reminder": "reminders",
    }
)
