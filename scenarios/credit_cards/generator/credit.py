"""Applications for a limit: the requested amount, credit scores, and debts in the bureau's files."""

from __future__ import annotations

import msgspec

from teller_gym.base.dates import whole_years
from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.credit_cards.generator.people import Holder
from teller_gym.scenarios.credit_cards.generator.plan import Plan
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.scenarios.credit_cards.solver_facts import burden_of, counted_yearly
from teller_gym.tools.bank import Record


class Ask(msgspec.Struct):
    """The requested, present and proposed limits, and the housing cost, in cents."""

    requested: int
    present: int
    housing: int
    proposed: int


def add_credit(
    draw: Draw, policy: CardPolicy, plan: Plan, tables: Tables, holders: list[Holder], incomes: list[Record],
    account_id: str | None,
) -> Ask:  # fmt: skip
    """Add the bureau files, and draw a requested limit that fits the plan.

    Raises:
        NoCaseError: The plan is impossible with these people.
    """
    ages = {holder.person.customer_id: whole_years(holder.person.born, plan.today) for holder in holders}
    by_person = {
        key: counted_yearly(policy, [row for row in incomes if row["recipient_id"] == key], ages, plan.today)
        for key in ages
    }
    yearly = sum(by_person.values())
    if yearly <= 0:
        raise NoCaseError
    decisive = max(by_person, key=lambda key: by_person[key])
    scores = _scores(draw, policy, plan, holders, decisive)
    ask = _ask(draw, policy, plan, holders[0].student, yearly, scores[decisive])
    _add_files(draw, policy, plan, tables, holders, scores, ask, yearly, account_id)
    return ask


def _scores(draw: Draw, policy: CardPolicy, plan: Plan, holders: list[Holder], decisive: str) -> dict[str, int]:
    least = policy.min_credit_score
    found = {}
    for holder in holders:
        key = holder.person.customer_id
        low = plan.ending == "score" if key == decisive else draw.chance(0.4)
        if low:
            found[key] = draw.weighted(((least - 1, 1), (draw.integer(least - 90, least - 2), 5), (0, 1.5)))
        else:
            edges = [band.min_score for band in policy.bands]
            near = draw.choice(edges) - draw.integer(0, 1)
            found[key] = near if draw.chance(0.15) and near >= least else draw.integer(least, min(835, least + 160))
    return found


def _ask(draw: Draw, policy: CardPolicy, plan: Plan, student: bool, yearly: int, score: int) -> Ask:
    product, step = policy.products[plan.product], policy.limit_step
    band = policy.band_of(score)
    most = min(yearly * band.share // 10_000, band.cap, product.max_limit)
    if student:
        most = min(most, policy.student_cap)
    present = 0
    if plan.kind == "limit_increase":
        share = draw.real(1.0, 1.5) if plan.ending == "low_income" else draw.real(0.4, 0.85)
        present = max(product.min_limit, int(most * share)) // step * step
        if present > product.max_limit:
            raise NoCaseError
        most = min(most, present * policy.increase_factor // 10_000)
    floor = present + step if present else product.min_limit
    most = most // step * step
    if plan.ending == "low_income":
        asked = floor + draw.integer(1, 12) * step
    elif plan.ending == "policy" or (plan.ending != "approve" and draw.chance(0.5)):
        asked = max(floor, most + draw.integer(1, max(2, most // step)) * step)
    else:
        if most < floor:
            raise NoCaseError
        asked = most if draw.chance(0.2) else draw.steps(floor, most, step)
    housing = draw.steps(int(yearly / 12 * 0.14), int(yearly / 12 * 0.28), 2_500)
    return Ask(asked, present, max(25_000, housing), min(asked, most))


# -- files of the bureaus ---------------------------------------------------------------------------------------------


def _add_files(
    draw: Draw, policy: CardPolicy, plan: Plan, tables: Tables, holders: list[Holder], scores: dict[str, int], ask: Ask,
    yearly: int, account_id: str | None,
) -> None:  # fmt: skip
    """Add a bureau file for each person; the debts leave room for the payment that the plan calls for."""
    product, step = policy.products[plan.product], policy.limit_step
    proposed = ask.proposed
    room = policy.max_dti * yearly // 12 // 10_000
    if plan.ending == "ratio":
        floor = max(ask.present + step, product.min_limit)
        if proposed <= floor:
            raise NoCaseError
        aimed = burden_of(policy, product.purchase_rate, draw.steps(floor, proposed, step))
    elif plan.ending == "low_ratio":
        aimed = -draw.integer(500, 30_000)
    else:
        aimed = burden_of(policy, product.purchase_rate, proposed) + draw.weighted(
            ((draw.integer(0, 4_000), 2), (draw.integer(4_000, 90_000), 5))
        )
    owed = room - aimed - ask.housing
    if owed < 0:
        raise NoCaseError
    lines = _counted(draw, policy, owed // 100 * 100)
    files: list[list[Record]] = [[] for _ in holders]
    for line in lines:
        draw.choice(files).append(line)
    if len(files) > 1:
        shared = [line for line in lines if line["kind"] == "installment"][:1]
        for line in shared:
            line["role"] = "joint"
            for own in files:
                if line not in own:
                    own.append(line)
    for own in files:
        own.extend(_uncounted(draw))
    if account_id is not None:
        for own in files:
            own.append(_own_line(draw, ask, account_id))
    alert = _alert(draw, plan, len(holders))
    factors = words_of(__package__)["factors"]
    for number, (holder, own) in enumerate(zip(holders, files, strict=True)):
        score = scores[holder.person.customer_id]
        tables["bureau_files"][holder.person.customer_id] = {
            "scores": {
                name: score if name == plan.product or not score else max(300, min(850, score + _shift(draw)))
                for name in policy.products
            },
            "main_factor": factors[1] if not score else draw.choice(factors),
            "alert_type": alert[number],
            "consumer_statement": draw.choice(words_of(__package__)["statements"]) if draw.chance(0.25) else None,
            "tradelines": sorted(own, key=lambda line: str(line["tradeline_id"])),
        }


def _shift(draw: Draw) -> int:
    return draw.choice((-1, 1)) * draw.integer(8, 45)


def _alert(draw: Draw, plan: Plan, count: int) -> list[str]:
    found = ["none"] * count
    if plan.ending == "alert":
        found[draw.integer(0, count - 1)] = draw.choice(("extended", "freeze", "initial", "initial"))
    elif plan.channel == "branch" and draw.chance(0.4):
        found[draw.integer(0, count - 1)] = "initial"
    return found


def _counted(draw: Draw, policy: CardPolicy, owed: int) -> list[Record]:
    """Draw tradelines that count, with payments that add up to ``owed`` cents a month."""
    lines: list[Record] = []
    if owed > 12_000 and draw.chance(0.55):
        monthly = min(draw.integer(4_000, 18_000), owed // 2)
        balance = monthly * 10_000 // policy.deferred_share // 100 * 100
        lines.append(_line(draw, "student_loan", balance, 0, deferred=True))
        owed -= (2 * balance * policy.deferred_share + 10_000) // 20_000
    while owed >= 2_500:
        kind = draw.choice(("revolving", "installment"))
        payment = owed if owed < 6_000 else min(owed, draw.integer(2_500, 22_000 if kind == "revolving" else 48_000))
        if owed - payment < 2_500:
            payment = owed
        payment = payment // 100 * 100
        if not payment:
            break
        lines.append(_line(draw, kind, payment * draw.integer(25, 40), payment))
        owed -= payment
    return lines


def _uncounted(draw: Draw) -> list[Record]:
    if not draw.chance(0.5):
        return []
    payment = draw.integer(30, 160) * 100
    return [{**_line(draw, "revolving", payment * draw.integer(25, 40), payment), "role": "authorized_user"}]


def _own_line(draw: Draw, ask: Ask, account_id: str) -> Record:
    """Return the tradeline of the card account itself, which bureaus also report to this bank."""
    balance = int(ask.present * draw.real(0.2, 0.8)) // 100 * 100
    payment = max(3_500, balance // 33 // 100 * 100)
    number = int(account_id[3:])
    line = _line(draw, "revolving", balance, payment)
    return {
        **line,
        "tradeline_id": f"TL-{number}",
        "creditor": words_of(__package__)["own_bank"],
        "bank_account_id": account_id,
    }


def _line(draw: Draw, kind: str, balance: int, payment: int, *, deferred: bool = False) -> Record:
    return {
        "tradeline_id": draw.identifier("TL"),
        "kind": kind,
        "creditor": draw.choice(words_of(__package__)["creditors"][kind]),
        "role": "individual",
        "balance": balance,
        "monthly_payment": payment,
        "deferred": deferred,
        "bank_account_id": None,
    }
