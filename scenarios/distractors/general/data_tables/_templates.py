"""The work behind the tools beside it: text templates with placeholders."""

from __future__ import annotations

import re
from typing import Literal

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse
from teller_gym.tools.bank import Record

WithoutValue = Literal["refuse", "keep", "blank"]
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]{0,29})\}")


def placeholders(text: str) -> list[str]:
    """Return the names of the placeholders of a template; refuse one without any, or with braces that hold none."""
    names = list(dict.fromkeys(_PLACEHOLDER.findall(text)))
    rest = _PLACEHOLDER.sub("", text)
    if not names or "{" in rest or "}" in rest:
        raise refuse("template_text", f"expected placeholders like {{room}} and no other braces, got {quoted(text)}")
    return names


def fill(
    record: Record, values: list[str], without_value: WithoutValue, allow_unused: bool
) -> tuple[str, int, list[str]]:
    """Return the text of a template with values, how many were used, and the placeholders that got none."""
    given = dict(item.split("=", 1) for item in values)
    if len(given) < len(values):
        raise refuse("values", f"expected every placeholder once, got {len(values) - len(given)} again")
    names = record["placeholders"]
    left_open = [name for name in names if name not in given]
    unused = [name for name in given if name not in names]
    if left_open and without_value == "refuse":
        raise refuse("values", f"expected values for all placeholders, got none for {', '.join(left_open)}")
    if unused and not allow_unused:
        raise refuse("values", f"expected placeholders of the template, got {', '.join(unused)}")
    text = _PLACEHOLDER.sub(
        lambda match: given.get(match[1], match[0] if without_value == "keep" else ""), record["text"]
    )
    return text, len(given) - len(unused), left_open
