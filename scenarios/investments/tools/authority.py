"""Identity, watch lists, and the account file with the signed instruction."""

from __future__ import annotations

from typing import Annotated, Any

from teller_gym.base.errors import invalid
from teller_gym.base.money import usd
from teller_gym.scenarios.banking.ids import AccountId, CustomerId, ListEntryId, ScreeningId
from teller_gym.scenarios.banking.lookup import SCREENING, created, obtained
from teller_gym.scenarios.banking.parties import parties
from teller_gym.scenarios.banking.tools import identity
from teller_gym.scenarios.investments.tools.lookup import own_account, request_of
from teller_gym.scenarios.investments.tools.types import AccountType, LotMethod, RequestId
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import ONCE, Act, Money, Result, tool

verify_identity = identity.verify_identity
screen_watch_list = identity.screen_watch_list


class AccountFile(Result):
    """The account's file and the signed instruction. ``authorities`` have customer_id, authority, until;
    ``restrictions`` kind, until; ``linked_accounts`` account_id, account_type, relation, status; ``questionnaires``
    questionnaire_id, state, dated and the answers; ``named_lots`` a lot and its shares each, as LT-204817:40.
    ``delivering_statement`` is the other firm's, of a transfer alone: firm, title, account_word, tax_id_last4, cash,
    assets (asset_id, asset_kind, quantity, value)."""

    authorities: list[dict[str, Any]]
    owners_not_signing: list[CustomerId]
    restrictions: list[dict[str, Any]]
    account_title: str
    account_type: AccountType
    tax_id_last4: str
    standing_method: LotMethod
    linked_accounts: list[dict[str, Any]]
    questionnaires: list[dict[str, Any]]
    instructed_at: str
    asked_symbol: str | None
    asked_quantity: int
    asked_amount: Money
    lot_method: str | None
    named_lots: list[str]
    delivering_statement: dict[str, Any] | None
    file_remark: str | None


@tool(act=Act.REVISABLE)
def check_account_authority(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    signer_ids: Annotated[list[CustomerId], ONCE],
    screening_ids: Annotated[list[ScreeningId], ONCE],
    cleared_entry_ids: Annotated[list[ListEntryId], ONCE],
) -> AccountFile:
    """Open an account's file for a request: who may instruct what, restrictions, linked accounts, questionnaires, and
    the signed instruction itself. It decides nothing.

    Args:
        request_id: The request.
        account_id: The account that the request is about.
        signer_ids: Everybody who signed the instruction.
        screening_ids: The watch-list screening of each signer.
        cleared_entry_ids: List entries that were found to be another person's, put down as cleared.
    """
    case = request_of(bank, request_id)
    account = own_account(bank, case, account_id)
    signers = parties(case)
    if sorted(signer_ids) != sorted(signers):
        raise invalid("signer_ids", f"expected everybody who signed {request_id}")
    found = []
    for signer in signers:
        given = next((key for key in screening_ids if key == bank.reference(SCREENING.prefix, signer)), "")
        found.append(obtained(bank, SCREENING, signer, "screening_ids", given))
    entries = [row["list_entry_id"] for row in found if row["list_entry_id"] is not None]
    if len(screening_ids) != len(signers) or sorted(cleared_entry_ids) != sorted(set(entries)):
        raise invalid(
            "cleared_entry_ids", "expected each entry that a screening found, and no other; so it is for screening_ids"
        )
    created(bank, "account_files", "AF", request_id, signers=list(signer_ids), cleared=sorted(cleared_entry_ids))
    return _file(bank, request_id, case, account, signers)


def _file(bank: Bank, request_id: str, case: Record, account: Record, signers: list[str]) -> AccountFile:
    statement = bank.get("statements", request_id)
    links = [{**row, **_type_and_status(bank, row["account_id"])} for row in account["linked"]]
    powers = [
        {"customer_id": key, **account["authorities"].get(key, {"authority": "none", "until": None})} for key in signers
    ]
    return AccountFile(
        authorities=powers,
        owners_not_signing=[key for key in account["owner_ids"] if key not in signers],
        restrictions=account["restrictions"],
        account_title=account["title"],
        account_type=account["account_type"],
        tax_id_last4=account["tax_id_last4"],
        standing_method=account["standing_method"],
        linked_accounts=links,
        questionnaires=[{**row, "monthly_expenses": usd(row["monthly_expenses"])} for row in account["questionnaires"]],
        instructed_at=case["instructed_at"],
        asked_symbol=case["symbol"],
        asked_quantity=case["quantity"],
        asked_amount=usd(case["amount"]),
        lot_method=case["lot_method"],
        named_lots=case["named_lots"],
        delivering_statement=None if statement is None else _shown(statement),
        file_remark=account["remark"],
    )


def _type_and_status(bank: Bank, account_id: str) -> Record:
    other = bank.get("brokerage_accounts", account_id) or {}
    return {"account_type": other.get("account_type"), "status": other.get("status")}


def _shown(statement: Record) -> Record:
    assets = [{**row, "value": usd(row["value"])} for row in statement["assets"]]
    return {**statement, "cash": usd(statement["cash"]), "assets": assets}
