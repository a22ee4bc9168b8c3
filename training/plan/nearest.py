"""Finds the nearest run that fits: the one with the fewest changes, and of these the first in a fixed order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from teller_gym.base.errors import SettingsError
from teller_gym.configuration.compose import choices
from teller_gym.training.config.hardware import HardwareConfig
from teller_gym.training.config.run import Config, load

MOST = 3
"""Maximum number of changes that are tried together."""
SHARES = (0.5, 0.4, 0.3, 0.6, 0.7, 0.8, 0.84, 0.86, 0.88, 0.9)
"""Shares of memory for vLLM, in the order in which they are tried."""
Words = tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """One change of a run's settings.

    Attributes:
        words: the change as overrides on the command line.
        values: pairs of dotted key and value.
        machine: name of another file of the group hardware, which replaces the settings of that group.
    """

    words: Words
    values: tuple[tuple[str, Any], ...] = ()
    machine: str | None = None


def nearest(config: Config, fits: Callable[[Config], bool]) -> Words | None:
    """Return the settings with which a run fits; None if no tried settings do.

    Args:
        config: the run.
        fits: returns True if a run fits.
    """
    kinds = [list(kind) for kind in _kinds(config)]
    for count in range(1, MOST + 1):
        for chosen in itertools.combinations(kinds, count):
            for changes in itertools.product(*chosen):
                changed = _with(config, changes)
                if changed is not None and fits(changed):
                    return tuple(word for change in changes for word in change.words)
    return None


def _kinds(config: Config) -> Iterator[Iterator[Change]]:
    """Yield the kinds of change in the order in which they are tried; at most one change of a kind is made."""
    hardware, model, sft = config.hardware, config.model, config.method.sft
    colocated = hardware.generation == "vllm" and not hardware.serves
    yield (
        _set({"hardware.update_tokens": size})
        for size in (16384, 8192)
        if size < hardware.update_tokens and hardware.update_tokens > model.total_tokens
    )
    # The same number of tokens per update, in more passes.
    yield (
        _set({"method.sft.batch_tokens": sft.batch_tokens // part, "method.sft.accumulate": sft.accumulate * part})
        for part in (2, 4)
    )
    if hardware.generation == "vllm":
        yield (_set({"hardware.vllm_memory": share}) for share in SHARES if share != hardware.vllm_memory)
    else:
        yield (_set({"hardware.live_episodes": count}) for count in (8, 4, 2, 1))
    yield (_set({"model.lora.rank": 16, "model.dtype": "bfloat16"}) for _ in range(model.lora.rank == 0))
    if hardware.processes > 1 and hardware.device == "cuda":
        yield (_set({"hardware.sharding": kind}) for kind in ("fsdp2", "zero3") if kind != hardware.sharding)
    yield _served(hardware, colocated)
    yield (_machine(name) for name in _machines(config, same=True))
    yield (_machine(name) for name in _machines(config, same=False))
    yield (
        _set({"model.total_tokens": size})
        for size in (40960, 32768, 16384, 12288)
        if size < model.total_tokens or size > model.total_tokens >= 16384
    )
    yield (_set({"model.prompt": "compact"}) for _ in range(model.prompt == "full"))


def _served(hardware: HardwareConfig, colocated: bool) -> Iterator[Change]:
    """Yield changes to a server on a further node, or to copies of the model over more cards."""
    sizes = [size for size in (1, 2, 4, 8) if hardware.cards % size == 0]
    if colocated:
        server = {"hardware.nodes": hardware.nodes + 1, "hardware.vllm_mode": "server", "hardware.vllm_nodes": 1}
        rest = {"hardware.vllm_memory": 0.9, "hardware.vllm_sleep": False}
        yield from (_set({**server, **rest, "hardware.vllm_tensor_parallel": size}) for size in sizes)
    elif hardware.serves:
        wider = [size for size in sizes if size > hardware.vllm_tensor_parallel]
        yield from (_set({"hardware.vllm_tensor_parallel": size}) for size in wider)


def _set(values: Mapping[str, Any]) -> Change:
    words = tuple(f"{key}={_shown(value)}" for key, value in values.items())
    return Change(words, tuple(values.items()))


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _machine(name: str) -> Change:
    return Change((f"hardware={name}",), machine=name)


def _machines(config: Config, same: bool) -> list[str]:
    """Return files of the group hardware with more of the same card (``same``) or with another card, fewest first."""
    if config.recipe is None or config.hardware.device != "cuda":
        return []
    own, found = config.hardware, []
    for name in choices("hardware"):
        other = _file(name)
        count = other.nodes * other.cards
        if other.device != "cuda" or (other.card == own.card) != same:
            continue
        if not same or count > own.nodes * own.cards:
            found.append((count, name))
    return [name for _, name in sorted(found)]


@cache
def _file(name: str) -> HardwareConfig:
    return load("train", [f"hardware={name}"])[0].hardware


def _with(config: Config, changes: Sequence[Change]) -> Config | None:
    """Return a run with changes; None if they are not compatible."""
    machines = [change.machine for change in changes if change.machine]
    if machines:
        if len(machines) > 1 or config.recipe is None:
            return None
        recipe, words = config.recipe
        kept = tuple(word for word in words if not word.startswith(("hardware=", "hardware.")))
        again = _composed(recipe, (*kept, f"hardware={machines[0]}"))
        if again is None:
            return None
        config = again
    blocks: dict[str, dict[str, Any]] = {}
    for key, value in itertools.chain.from_iterable(change.values for change in changes):
        block, _, name = key.rpartition(".")
        blocks.setdefault(block, {})[name] = value
    return _valid(config, blocks)


@cache
def _composed(recipe: str, words: Words) -> Config | None:
    try:
        return load(recipe, words)[0]
    except SettingsError:
        return None


def _valid(config: Config, blocks: Mapping[str, Mapping[str, Any]]) -> Config | None:
    """Return a copy of a run with values by block; None if the settings would be invalid."""
    hardware, model, sft = config.hardware, config.model, config.method.sft
    if "hardware" in blocks:
        try:
            hardware = HardwareConfig.model_validate({**hardware.model_dump(), **blocks["hardware"]})
        except ValueError:
            return None
    lora = model.lora.model_copy(update=dict(blocks.get("model.lora", {})))
    model = model.model_copy(update={"lora": lora, **blocks.get("model", {})})
    sft = sft.model_copy(update=dict(blocks.get("method.sft", {})))
    method = config.method.model_copy(update={"sft": sft})
    grpo = method.grpo
    if model.turn_tokens > model.total_tokens or grpo.tasks * grpo.group % (hardware.processes * config.loss.updates):
        return None
    return config.model_copy(update={"hardware": hardware, "model": model, "method": method})
