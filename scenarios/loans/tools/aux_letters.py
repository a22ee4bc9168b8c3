"""The tool that drafts letters to applicants, worded in ``reference_data.yaml``."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import fmt_usd, to_cents
from teller_gym.scenarios.banking.business_days import check_due_day
from teller_gym.scenarios.banking.ids import CustomerId
from teller_gym.scenarios.banking.tools.correspondence import LetterDraft, put_letter
from teller_gym.scenarios.loans.tools.aux_reference import applicant_of, reference_data
from teller_gym.scenarios.loans.tools.types import ApplicationId, Reason
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, tool


@tool(act=Act.NOTE, category=Category.AUXILIARY)
def draft_customer_letter(
    bank: Bank,
    application_id: ApplicationId,
    customer_id: CustomerId,
    letter_type: Literal["status_update", "document_reminder", "offer_explanation", "decline_explanation"],
    language: Literal["english", "spanish"],
    tone: Literal["formal", "friendly"],
    amount_mentioned: Money,
    answer_by: date,
    reason_mentioned: Reason = "none",
) -> LetterDraft:
    """Draft a courtesy letter to an applicant for a person to look over. Nothing is sent: a draft is neither the
    disclosure nor the notice that a decision asks for.

    Args:
        application_id: The application.
        customer_id: The applicant who is addressed.
        letter_type: What the letter says.
        language: Language of the letter.
        tone: Tone of greeting and closing.
        amount_mentioned: Amount that the letter mentions, in dollars.
        answer_by: Day that the letter mentions; a business day.
        reason_mentioned: Reason that the letter gives; none unless it explains that an application was declined.
    """
    addressee = applicant_of(bank, application_id, customer_id)
    check_due_day(bank, answer_by, "answer_by")
    if (letter_type == "decline_explanation") != (reason_mentioned != "none"):
        raise invalid("reason_mentioned", "expected a reason if and only if letter_type is decline_explanation")
    if amount_mentioned == 0:
        raise invalid("amount_mentioned", "expected an amount above 0")
    reference = reference_data()
    wording = reference.letters[language]
    body: str = getattr(wording, letter_type)
    text = f"{wording.greeting[tone]} {body} {wording.closing[tone]}".format(
        name=addressee["full_name"],
        application=application_id,
        amount=fmt_usd(to_cents(amount_mentioned)),
        date=answer_by.isoformat(),
        reason=reference.reasons[reason_mentioned][language] if reason_mentioned != "none" else "",
    )
    draft_id = put_letter(bank, application_id, customer_id, letter_type, text)
    return LetterDraft(draft_id=draft_id, draft_text=text)
