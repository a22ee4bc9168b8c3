"""The spec of an env, kept in plain values."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
from gymnasium.envs.registration import EnvSpec


def plain_spec(spec: EnvSpec | None) -> EnvSpec | None:
    """Return a spec whose options are plain values, so that it can be written as JSON and make the same env again."""
    if spec is None:
        return None
    plain = copy.copy(spec)
    plain.kwargs = {name: _plain(value) for name, value in spec.kwargs.items()}
    return plain


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else value
