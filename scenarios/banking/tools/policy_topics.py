"""The tool that looks a bank's policy up by topic, made from ``policy_topics.yaml``.

Each topic names its entries, and each entry a path in the policy, with a unit if need be: ``limits.gold:usd``. An entry
may also go over a mapping or a list of the policy::

    products: {each: products, entries: {minimum_usd: minimum:usd}}     # a record for each
    age_by_state: {each: states, value: age, where: open}               # a value for each that is open
    bands: {each: bands, rows: {min_score: min_score}}                  # a list of records

``key`` is the path of an item's key, where it is not that of the mapping; an empty path is the item itself. An entry
in braces has the name that the item gives it.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from typing import Any, Literal

import msgspec

from teller_gym.base.money import usd
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, Tool, tool

_UNITS = {"usd": usd, "percent": lambda value: value / 100, "thousandths": lambda value: value / 1000}


def policy_topics_tool(package: str, name: str, description: str, result: str, result_text: str) -> Tool:
    """Return the tool.

    Args:
        package: the one whose folder holds ``policy_topics.yaml``.
        name, description: of the tool.
        result, result_text: name and description of its result.
    """
    text = resources.files(package).joinpath("policy_topics.yaml").read_bytes()
    topics = msgspec.yaml.decode(text, type=dict[str, Any])
    topic_type: Any = Literal.__getitem__(tuple(topics))
    fields = [("topic", topic_type), ("entries", dict[str, Any])]
    found = msgspec.defstruct(result, fields, bases=(Result,), namespace={"__doc__": result_text}, frozen=True)

    def look_up(bank: Bank, topic: str) -> Result:
        return found(topic=topic, entries=_shown(topics[topic], bank.policy))

    look_up.__name__ = name
    look_up.__doc__ = f"{description}\n\nArgs:\n    topic: What to look up.\n"
    look_up.__annotations__ = {"bank": Bank, "topic": topic_type, "return": found}
    return tool(category=Category.AUXILIARY)(look_up)


def _shown(entry: Any, policy: Any) -> Any:
    """Return what an entry of the document shows of a policy, or of a part of it."""
    if isinstance(entry, str):
        return _value(entry, policy)
    if "each" not in entry:
        return {_name(name, policy): _shown(part, policy) for name, part in entry.items()}
    items: Iterable[tuple[Any, Any]] = _items(_value(entry["each"], policy))
    if "where" in entry:
        items = [(key, item) for key, item in items if _value(entry["where"], item)]
    if "rows" in entry:
        return [_shown(entry["rows"], item) for _, item in items]
    shown = entry["entries"] if "entries" in entry else entry["value"]
    return {str(_value(entry["key"], item)) if "key" in entry else key: _shown(shown, item) for key, item in items}


def _items(value: Any) -> list[tuple[Any, Any]]:
    return list(value.items()) if isinstance(value, dict) else [(None, item) for item in value]


def _name(name: str, policy: Any) -> str:
    return str(_value(name[1:-1], policy)) if name.startswith("{") else name


def _value(path: str, policy: Any) -> Any:
    names, _, unit = path.partition(":")
    for name in filter(None, names.split(".")):
        policy = policy[name] if isinstance(policy, dict) else getattr(policy, name)
    return _UNITS[unit](policy) if unit else policy
