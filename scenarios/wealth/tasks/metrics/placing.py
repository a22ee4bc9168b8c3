"""Places a quarter's facts: a chat channel, two documents in the client's folder, and work items."""

from __future__ import annotations

from teller_gym.office.chat.seeding import SeededRoom
from teller_gym.office.documents.amounts import MoneyStyle, money_text
from teller_gym.office.documents.tables import TextTable
from teller_gym.office.tracker.seeding import Item
from teller_gym.scenarios.wealth.contract import Case
from teller_gym.scenarios.wealth.plan import Plan
from teller_gym.scenarios.wealth.rules import Rules, data_of
from teller_gym.scenarios.wealth.tasks.metrics.facts import GROWTHS, Facts, Message, Past


def place(plan: Plan, case: Case) -> None:
    """Place a channel, two documents and the work items."""
    facts: Facts = case.facts
    room = case.rules["room"]
    plan.rooms.append(SeededRoom(name=room, topic="Figures of the quarter, by the teams that have them"))
    for one in facts.messages:
        key, thread = (f"metrics {name}" if name else "" for name in (one.key, one.thread))
        plan.say(room, one.by, one.at, _words(one, case.rules), key, thread)
    plan.text(case.client, "metric_definitions.txt", _definitions(case.client.name, facts))
    columns = ("Metric", "Quarter", "Amount", "Count")
    rows = tuple(_row(one, case.rules) for one in facts.past)
    plan.table(case.client, "last_quarter.csv", TextTable(columns, rows), ("Amount",))
    for item in facts.items:
        plan.item(item.project, Item(name=item.name, by=item.by, state=item.state, priority="medium"))


def _words(one: Message, rules: Rules) -> str:
    wordings: list[str] = data_of(__package__, "wordings.yaml")[one.form]
    text = wordings[one.wording % len(wordings)]
    return text.format(metric=one.metric, quarter=one.quarter, part=one.part, number=_number(one, rules))


def _number(one: Message, rules: Rules) -> str:
    if one.metric in rules["counts"]:
        return str(one.value)
    if one.form == "thousand":
        whole, tenth = divmod(one.value // 10_000, 10)
        return f"{whole:,}.{tenth}"
    return money_text(one.value, MoneyStyle.DOLLAR if one.wording % 3 == 0 else MoneyStyle.GROUPED)


def _row(one: Past, rules: Rules) -> tuple[str, ...]:
    is_count = one.metric in rules["counts"]
    amount = "" if is_count else money_text(one.value)
    return one.metric, one.quarter, amount, str(one.value) if is_count else ""


def _definitions(client: str, facts: Facts) -> list[str]:
    assets = "average" if facts.on_average else "opening"
    before, year = "the quarter before", "the same quarter a year before"
    changes = [
        f"{name}: change of {metric} from {year if name in facts.yearly else before}, in percent of the earlier figure."
        for name, metric in GROWTHS.items()
    ]
    return [
        f"Definitions of the metrics in the report to {client}",
        "",
        "Opening assets are the Closing Assets reported for the quarter before. Average assets are half of the sum of",
        "opening assets and Closing Assets.",
        "",
        "Net Flows: New Money less Withdrawals.",
        "Active Clients: Active Clients reported for the quarter before, plus New Clients, less Lost Clients.",
        "Operating Margin %: Fee Revenue and Trust Fees less Operating Costs, in percent of both fees together.",
        f"Fee Margin %: four times Fee Revenue, in percent of {assets} assets.",
        *changes,
    ]
