"""Look-up of the bank's lending policy and of its rate tables."""

from __future__ import annotations

from typing import Any

from teller_gym.scenarios.banking.tools.policy_topics import policy_topics_tool
from teller_gym.scenarios.loans.tools.lookup import policy_of
from teller_gym.scenarios.loans.tools.types import Product
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Percent, Result, tool

get_lending_policy = policy_topics_tool(
    __package__,
    "get_lending_policy",
    "Look up the numbers of the lending policy in force: limits, ratios, ages, documents, methods and deadlines.",
    "LendingPolicy",
    "The policy's entries on a topic; names of entries end in their unit, percent is in percent (43.0 means 43 %).",
)


class RateTable(Result):
    """Rates, surcharges, discounts and fees in percent. ``base_rates`` go by term in months.

    ``grades`` have grade, min_score, surcharge, origination_fee; ``mortgage_insurance`` has above_ltv, yearly_rate.
    """

    product: Product
    base_rates: dict[str, float]
    grades: list[dict[str, Any]]
    autopay_discount: Percent
    ltv_surcharge: Percent
    ltv_surcharge_above: Percent
    mortgage_insurance: list[dict[str, float]]


@tool(category=Category.AUXILIARY)
def get_rate_table(bank: Bank, product: Product) -> RateTable:
    """Look up a product's rate table: rates by term, grades by credit score, surcharges, fees. It quotes no loan.

    Args:
        product: The product.
    """
    policy = policy_of(bank)
    terms = policy.products[product]
    bands = policy.mortgage_insurance if product == "home" else ()
    return RateTable(
        product=product,
        base_rates={str(months): rate / 1000 for months, rate in terms.rates.items()},
        grades=[
            {
                "grade": grade.name,
                "min_score": grade.min_score,
                "surcharge": grade.surcharge / 1000,
                "origination_fee": grade.fees[product] / 1000,
            }
            for grade in policy.grades
        ],
        autopay_discount=policy.autopay_discount / 1000,
        ltv_surcharge=terms.ltv_surcharge / 1000,
        ltv_surcharge_above=terms.ltv_surcharge_above / 100,
        mortgage_insurance=[{"above_ltv": band.above_ltv / 100, "yearly_rate": band.rate / 1000} for band in bands],
    )
