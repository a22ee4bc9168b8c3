"""Conversion of an agent's name, path, object or factory to something that can play."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium as gym

import teller_gym
from teller_gym.agents.base import Agent, BatchAgent, DialogueAgent, Prices
from teller_gym.agents.checkpoints import find_checkpoint
from teller_gym.agents.graph_answers import GraphAnswerer
from teller_gym.agents.local import check_options
from teller_gym.agents.reference import REFERENCE_AGENTS
from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.base.text import did_you_mean, is_unicode
from teller_gym.base.withheld import Options, check
from teller_gym.evaluation.runs.agent_source import source_checksum
from teller_gym.evaluation.runs.parts import Env, Part, make_env

AnyAgent = Agent | BatchAgent | DialogueAgent
ENDPOINT = "endpoint"
"""Agent name for a chat model behind an OpenAI-compatible endpoint, which the options specify."""

LONGEST_NAME = 200
"""Maximum characters in an agent's name, which appears in every record and table."""

EXPERT, GRAPH_EXPERT = "expert", "gold"
"""Names of the agents that solve stage 2 and stage 1.

"expert" is accepted in both stages, so that one run can have both.
"""

AgentFactory = Callable[[gym.Env[Any, Any]], AnyAgent]
AgentLike = str | os.PathLike[str] | AnyAgent | AgentFactory


@dataclass(frozen=True)
class Player:
    """An agent to evaluate.

    Attributes:
        make: returns the agent that plays in an env.
        identity: the agent's entry in run.json, with its name if that is known without creating the agent.
        prices: prices of the agent's tokens, if known.
    """

    make: AgentFactory
    identity: dict[str, Any] = field(default_factory=dict)
    prices: Prices | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """An env and the agent that plays in it."""

    env: Env
    agent: AnyAgent


class Seat:
    """Plays one episode at a time.

    It has an env and an agent for each part, created when first needed.
    """

    def __init__(self, parts: Sequence[Part], player: Player) -> None:
        self._parts = parts
        self._player = player
        self._places: dict[int, Place] = {}

    def at(self, part: int) -> Place:
        """Return the env and agent for the part with this index.

        Raises:
            OptionError: the env or the agent does not exist.
        """
        if part not in self._places:
            env = make_env(self._parts[part].env_id, self._parts[part].options)
            try:
                self._places[part] = Place(env, self._player.make(env))
            except BaseException:
                env.close()
                raise
        return self._places[part]

    def close(self) -> None:
        for place in self._places.values():
            place.env.close()
        self._places.clear()


def resolve(agent: AgentLike, options: Mapping[str, Any] | None = None) -> Player:
    """agent`. -> Create a player from an agent's name, a checkpoint path, an agent or a factory `env -> agent`. ->
    agent`.

    A reference agent is bound to the env for which it was created, so one given as an object is created again for the
    env in which it plays.

    Args:
        options: options for a language model's agent.

    Raises:
        OptionError: the agent does not take options, or the folder does not exist.
        MissingExtraError: the extra that runs checkpoints is not installed.
    """
    options = Options(options or {}, getattr(options, "shown", None))
    if isinstance(agent, str | os.PathLike):
        text = os.fspath(agent)
        if not text:
            raise OptionError("agent: expected a reference agent's name or a checkpoint folder, got nothing")
        # A name with a slash is a path or a model on the Hugging Face hub.
        if "/" in text or os.sep in text or is_checkpoint(Path(text)):
            return _checkpoint(text, options)
        if text == ENDPOINT:
            return _endpoint(options)
        _refuse(options, text)
        return Player(lambda env: _reference(text, env), identity={"name": text, "kind": "reference"})
    if isinstance(agent, type) or not any(hasattr(agent, way) for way in ("act", "act_batch", "open")):
        if not callable(agent):
            raise OptionError(f"agent: expected a name, a folder, an agent or a factory, got {type(agent).__name__}")
        _refuse(options, "a factory")
        factory: AgentFactory = agent
        return Player(factory, identity={"kind": "factory", "source": source_checksum(factory)})
    _refuse(options, "an agent")
    if type(agent) in REFERENCE_AGENTS.values():
        return resolve(name_of(agent))
    played: Any = agent
    identity = {"name": name_of(played), "kind": "instance", "source": source_checksum(played)}
    prices = getattr(played, "prices", None)
    return Player(lambda env: played, identity | _of_prices(prices), prices)


def name_of(agent: object) -> str:
    """Return the agent's `name`, or the name of its class."""
    return str(getattr(agent, "name", None) or type(agent).__name__)


def check_name(name: str) -> None:
    """Raise OptionError unless an agent's name is suitable for files and tables."""
    if not is_unicode(name):
        raise OptionError(
            f"the agent's name: expected Unicode text, got {name[:LONGEST_NAME]!a}, with a lone surrogate"
        )
    if len(name) > LONGEST_NAME:
        raise OptionError(f"the agent's name: expected at most {LONGEST_NAME} characters, got {len(name)}")


def _refuse(options: Mapping[str, Any], what: str) -> None:
    if options:
        raise OptionError(f"agent options {sorted(options)} go with a checkpoint folder, not with {what}")


def _reference(name: str, env: gym.Env[Any, Any]) -> AnyAgent:
    if getattr(env.unwrapped, "stage", 2) == 1:
        try:
            return GraphAnswerer(GRAPH_EXPERT if name == EXPERT else name, env)
        except OptionError as error:
            raise OptionError(f"in stage 1, {error} ({EXPERT} plays both stages)") from None
    try:
        made: AnyAgent = teller_gym.make_agent(name, env)
    except OptionError as error:
        no_folder = "nor is there a folder of that name"
        hint = f"the folder {name} is no checkpoint, it has no config.json" if Path(name).is_dir() else no_folder
        raise OptionError(f"{error}; {hint}") from None
    return made


def is_checkpoint(folder: Path) -> bool:
    """Return True if a folder contains a model or an adapter."""
    return any((folder / name).is_file() for name in ("config.json", "adapter_config.json"))


def _checkpoint(path: str, options: Options) -> Player:
    folder = Path(path)
    if folder.is_dir():
        if not is_checkpoint(folder):
            raise OptionError(f"agent: {path} is no checkpoint folder: it has no config.json")
    elif path.count("/") != 1 or path.startswith((".", "/", "~")):
        raise OptionError(f"agent: there is no folder {path}")
    engine = options.pop("engine", ENGINES[0])
    if engine not in ENGINES:
        raise OptionError(f"agent option 'engine': expected one of {', '.join(ENGINES)}, got {engine!r}")
    maker = _engine(engine)
    allowed = maker.option_names()
    for name in options:
        if name not in allowed:
            raise OptionError(
                f"agent option {name!r}: expected one of engine, {', '.join(allowed)}{did_you_mean(name, allowed)}"
            )
    check_options(**options)
    mine = {name: value for name, value in options.items() if name not in _NO_IDENTITY}
    kept = {name: options.shown.get(name, value) for name, value in mine.items()}
    if hidden := {name: value for name, value in mine.items() if kept[name] != value}:
        kept["check"] = check(hidden)
    kind = "checkpoint" if engine == ENGINES[0] else engine
    identity = {
        "name": options.shown.get("name", folder.name),
        "kind": kind,
        "fingerprint": fingerprint(*_folders_of(folder, options.get("lora"))),
        "options": kept,
    }
    prices = None
    if options.get("price_prompt") is not None:
        prices = Prices(options["price_prompt"], options["price_completion"])
    # Loaded on first use, so that a finished run needs no weights.
    load = cache(lambda: maker.from_folder(path, **options))
    return Player(lambda env: load(), identity | _of_prices(prices), prices)


ENGINES = ("transformers", "vllm")
"""Engines that can generate text with a local checkpoint."""

_NO_IDENTITY = frozenset(
    {"name", "device", "tensor_parallel_size", "gpu_memory_utilization", "price_prompt", "price_completion"}
)
"""Options that are not part of the identity's options.

They are stored elsewhere in the identity or specify hardware; a run may continue on other hardware.
"""


def _engine(name: str) -> Any:
    if name == "vllm":
        from teller_gym.agents.vllm_offline import VllmAgent

        return VllmAgent
    from teller_gym.agents.language import LanguageAgent

    return LanguageAgent


def _endpoint(options: Options) -> Player:
    try:
        from teller_gym.agents.endpoint import EndpointAgent, EndpointConfig
    except ModuleNotFoundError as error:
        raise MissingExtraError("an agent behind an endpoint", "eval") from error
    config = EndpointConfig.read(options)
    agent = EndpointAgent(config, options)
    identity = {"name": agent.name, "kind": ENDPOINT, "options": config.identity(options.shown)}
    return Player(lambda env: agent, identity | _of_prices(agent.prices), agent.prices)


def _of_prices(prices: Prices | None) -> dict[str, Any]:
    if prices is None:
        return {}
    return {"prices": {kind: price for kind, price in asdict(prices).items() if kind != "cached" or price is not None}}


_SAMPLE = 65536
_MODEL_FILES = (
    *("config.json", "generation_config.json", "adapter_config.json", "*.safetensors", "*.safetensors.index.json"),
    *("*model*.bin", "*model*.bin.index.json", "tokenizer*", "*.model", "vocab.*", "merges.txt", "*tokens.json"),
    *("special_tokens_map.json", "chat_template*", "*.jinja"),
)
"""Files in a checkpoint folder that affect its behaviour.

Training or evaluation may leave other files there.
"""


def _folders_of(folder: Path, lora: Any = None) -> list[Path]:
    """Return a model's folders: its own, an adapter's base model, and an adapter given as an option."""
    base = Path(find_checkpoint(folder).base) if folder.is_dir() else folder
    more = [Path(lora)] if isinstance(lora, str) else []
    return [folder, *([base] if base != folder else []), *more]


def fingerprint(*folders: Path) -> str | None:
    """Return a SHA-256 digest that distinguishes checkpoints in the same folder.

    It covers name, size, head and tail of every model file in the folders. Weights are not read as a whole, which would
    take longer than loading the model. None is returned if the first folder is missing.
    """
    if not folders[0].is_dir():
        return None
    digest = hashlib.sha256()
    files = [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir())]
    for file in (path for path in files if path.is_file() and _is_of_model(path.name)):
        size = file.stat().st_size
        digest.update(f"{file.name}\0{size}\0".encode())
        with open(file, "rb") as content:
            digest.update(content.read(_SAMPLE))
            content.seek(max(0, size - _SAMPLE))
            digest.update(content.read(_SAMPLE))
    return digest.hexdigest()


def _is_of_model(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in _MODEL_FILES)
