"""Look-up of the bank's card policy and of the products' terms."""

from __future__ import annotations

from teller_gym.base.money import usd
from teller_gym.scenarios.banking.ids import Code
from teller_gym.scenarios.banking.tools.policy_topics import policy_topics_tool
from teller_gym.scenarios.credit_cards.tools.lookup import policy_of
from teller_gym.scenarios.credit_cards.tools.types import Product
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Percent, Result, tool

get_card_policy = policy_topics_tool(
    __package__,
    "get_card_policy",
    "Look up the numbers and codes of the card policy in force; how they are used, the procedure says.",
    "CardPolicyEntries",
    "The policy's entries on a topic; names of entries end in their unit, percent is in percent (43.0 means 43 %).",
)


class CardTerms(Result):
    """Terms of a kind of card, for new accounts; an account's own rate may be another."""

    product: Product
    lowest_limit: Money
    highest_limit: Money
    standard_rate: Percent
    most_borne: Money
    product_bureau: Code


@tool(category=Category.AUXILIARY)
def get_card_terms(bank: Bank, product: Product) -> CardTerms:
    """Look up the terms of a kind of card: limits, rate, liability, bureau. It says nothing about an account.

    Args:
        product: The kind of card.
    """
    item = policy_of(bank).products[product]
    return CardTerms(
        product=product,
        lowest_limit=usd(item.min_limit),
        highest_limit=usd(item.max_limit),
        standard_rate=item.purchase_rate / 100,
        most_borne=usd(item.liability),
        product_bureau=item.bureau,
    )
