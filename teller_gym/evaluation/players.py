"""From what a caller names as an agent to something that plays."""

from __future__ import annotations

import difflib
import hashlib
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gymnasium as gym

import teller_gym
from teller_gym.agents.base import Agent, BatchAgent
from teller_gym.errors import OptionError

AnyAgent = Agent | BatchAgent
AgentFactory = Callable[[gym.Env[Any, Any]], AnyAgent]
AgentLike = str | os.PathLike[str] | AnyAgent | AgentFactory


@dataclass(frozen=True)
class Player:
    """An agent to evaluate.

    make: gives the agent that plays in an env. shared: whether that is always the same one. identity: what of it
    stands in run.json.
    """

    make: AgentFactory
    shared: bool
    identity: dict[str, Any] = field(default_factory=dict)


def resolve(agent: AgentLike, options: Mapping[str, Any] | None = None) -> Player:
    """Make a player of an agent's name, a checkpoint's path, an agent or a factory `env -> agent`.

    options: further arguments of a language model's agent.

    Raises:
        OptionError: options with an agent that takes none, or no such folder.
        MissingExtraError: a checkpoint without the extra that runs it.
    """
    options = dict(options or {})
    if isinstance(agent, str | os.PathLike):
        text = os.fspath(agent)
        if not text:
            raise OptionError("agent: expected a reference agent's name or a checkpoint folder, got nothing")
        # A name with a slash is a path, or a model that transformers finds on the hub or in its cache.
        if "/" in text or os.sep in text or _is_checkpoint(Path(text)):
            return _checkpoint(text, options)
        _refuse(options, text)
        return Player(lambda env: _reference(text, env), shared=False, identity={"name": text, "kind": "reference"})
    if isinstance(agent, type) or not (hasattr(agent, "act") or hasattr(agent, "act_batch")):
        if not callable(agent):
            raise OptionError(f"agent: expected a name, a folder, an agent or a factory, got {type(agent).__name__}")
        _refuse(options, "a factory")
        factory: AgentFactory = agent
        return Player(factory, shared=False, identity={"kind": "factory"})
    _refuse(options, "an agent")
    played: Any = agent
    return Player(lambda env: played, shared=True, identity={"name": played.name, "kind": "instance"})


def _refuse(options: Mapping[str, Any], what: str) -> None:
    if options:
        raise OptionError(f"agent options {sorted(options)} go with a checkpoint folder, not with {what}")


def _reference(name: str, env: gym.Env[Any, Any]) -> AnyAgent:
    try:
        made: AnyAgent = teller_gym.make_agent(name, env)
    except OptionError as error:
        raise OptionError(f"{error}; nor is there a folder of that name") from None
    return made


def did_you_mean(name: str, allowed: Iterable[str]) -> str:
    """`; did you mean 'x'?` where a name is nearly one of the allowed ones, else nothing."""
    near = difflib.get_close_matches(name, list(allowed), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _options_of(*makers: Callable[..., Any]) -> list[str]:
    """Keyword arguments that the makers take, leaving out what is not for the user to give."""
    names = [name for maker in makers for name in inspect.signature(maker).parameters]
    return [name for name in names if name not in ("self", "folder", "options", "model", "tokenizer")]


def _is_checkpoint(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("config.json", "adapter_config.json"))


def _checkpoint(path: str, options: dict[str, Any]) -> Player:
    folder = Path(path)
    if folder.is_dir():
        if not _is_checkpoint(folder):
            raise OptionError(f"agent: {path} is no checkpoint folder: it has no config.json")
    elif path.count("/") != 1 or path.startswith((".", "/", "~")):
        raise OptionError(f"agent: there is no folder {path}")
    from teller_gym.agents.language import LanguageAgent

    allowed = _options_of(LanguageAgent.from_folder, LanguageAgent)
    for name in options:
        if name not in allowed:
            raise OptionError(
                f"agent option {name!r}: expected one of {', '.join(allowed)}{did_you_mean(name, allowed)}"
            )
    agent = LanguageAgent.from_folder(path, **options)
    identity = {"name": agent.name, "kind": "checkpoint", "fingerprint": fingerprint(folder), "options": options}
    return Player(lambda env: agent, shared=True, identity=identity)


_SAMPLE = 65536


def fingerprint(folder: Path) -> str | None:
    """Tells two checkpoints in the same folder apart: SHA-256 over name, size and both ends of every file.

    Whole weights are not read, which for large models would take longer than loading them. None where there is no
    such folder.
    """
    if not folder.is_dir():
        return None
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.iterdir() if path.is_file()):
        size = file.stat().st_size
        digest.update(f"{file.name}\0{size}\0".encode())
        with open(file, "rb") as content:
            digest.update(content.read(_SAMPLE))
            content.seek(max(0, size - _SAMPLE))
            digest.update(content.read(_SAMPLE))
    return digest.hexdigest()
