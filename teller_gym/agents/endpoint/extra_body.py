"""The recorded part of `extra_body`: names always, values where they cannot be a secret."""

from __future__ import annotations

from typing import Any

from teller_gym.base.withheld import NOT_KEPT

_NUMBERS = ("top_k", "min_p", "top_a", "frequency_penalty", "presence_penalty", "repetition_penalty", "length_penalty",
            "min_tokens", "thinking_budget", "budget_tokens", "top_logprobs")  # fmt: skip
"""Fields of sampling whose numbers are settings."""

_WORDS = {
    "reasoning_effort": ("none", "minimal", "low", "medium", "high", "xhigh"),
    "effort": ("none", "minimal", "low", "medium", "high", "xhigh"),
    "verbosity": ("low", "medium", "high"),
}
"""Fields with few values, which are settings, too."""


def shown_body(value: Any, shown: Any, name: str = "") -> Any:
    """Return a value of `extra_body` as it is written down.

    Args:
        shown: the same with the names of variables in place of what was read from them.
        name: of the field.
    """
    if isinstance(value, dict):
        others = shown if isinstance(shown, dict) else {}
        return {str(key): shown_body(one, others.get(key, one), str(key)) for key, one in value.items()}
    if isinstance(value, list):
        same = isinstance(shown, list) and len(shown) == len(value)
        return [shown_body(one, other) for one, other in zip(value, shown if same else value, strict=True)]
    if value != shown:
        return shown
    public = value is None or isinstance(value, bool) or value in _WORDS.get(name, ())
    public = public or (name in _NUMBERS and isinstance(value, int | float))
    return value if public else NOT_KEPT
