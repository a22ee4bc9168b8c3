"""Drafts and requests to clients, previews of names, and the look-up of policy."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import fmt_usd, to_cents
from teller_gym.scenarios.banking.ids import CustomerId
from teller_gym.scenarios.banking.parties import party_of
from teller_gym.scenarios.banking.tools.casework import ShortText
from teller_gym.scenarios.banking.tools.correspondence import LetterDraft, days_to_answer, put_letter, put_request
from teller_gym.scenarios.banking.tools.history import history_tool
from teller_gym.scenarios.banking.tools.names_preview import names_preview_tool
from teller_gym.scenarios.banking.tools.policy_topics import policy_topics_tool
from teller_gym.scenarios.investments.tools.types import Delivery, RequestId
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

Paper = Literal["government_id", "power_of_attorney", "questionnaire", "account_statement", "signed_instruction"]

get_investment_policy = policy_topics_tool(
    __package__,
    "get_investment_policy",
    "Look up the numbers and codes of the brokerage policy in force.",
    "InvestmentPolicyEntries",
    "The policy's entries on a topic: amounts in cents, percentages and divisors in hundredths.",
)


preview_watch_list_names = names_preview_tool(
    "Count watch-list entries with a name similar to one you give. A preliminary count for a first conversation: it "
    "screens nobody, shows no entry, and is no part of a file."
)


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
    days_to_answer(bank, answer_by)
    greeting = f"Dear {name}," if tone == "formal" else f"Hello {name.split()[0]},"
    subject, amount = letter_type.replace("_", " "), fmt_usd(to_cents(amount_mentioned))
    text = f"{greeting} {subject} about {request_id}, ${amount}, by {answer_by.isoformat()}. {closing_line}"
    draft_id = put_letter(bank, request_id, customer_id, letter_type, text)
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
    ahead = days_to_answer(bank, answer_by)
    if original_required and channel != "mail":
        raise invalid("channel", f"expected mail for an original, got {channel}")
    asked = {
        "customer": customer_id, "document": paper, "reason": request_reason, "channel": channel,
        "answer_by": answer_by.isoformat(), "original": original_required,
    }  # fmt: skip
    key = put_request(bank, "paper_requests", "PR", request_id, asked)
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
