"""Binds a run folder to the settings of its finished parts."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.base.withheld import check
from teller_gym.evaluation.records.run_folder import write_json
from teller_gym.training.phases import registry
from teller_gym.training.run_folder.checksums import set_aside
from teller_gym.training.run_folder.metrics_log import MetricsLog, read_rows
from teller_gym.training.run_folder.progress import tell
from teller_gym.training.run_records.wandb_runs import begin_anew

CONFIG_FILE, METRICS_FILE = "config.json", "metrics.jsonl"
_CHECKS = "checks"
"""Key in config.json for the result of `checks_of`."""

_DATA = ("seed", "env", "difficulty")
"""Settings that also affect the reference agents' evaluations."""


def checks_of(values: Any, plain: Any, name: str = "") -> dict[str, str]:
    """Return, by dotted name, a check value for each setting that is not stored in plain text.

    Check values detect changes. ``plain`` has the values in use of block ``name`` with ``${oc.env:NAME}`` in place of
    those read from variables.
    """
    if isinstance(values, dict) and isinstance(plain, dict):
        inner = ((key, f"{name}.{key}" if name else str(key)) for key in values)
        blocks = [checks_of(values[key], plain.get(key), below) for key, below in inner]
        return {below: one for block in blocks for below, one in block.items()}
    hidden = values != plain and _among(name, _settings(_names()[-1]))
    return {name: check({name: values})} if hidden else {}


def claim(folder: Path, plain: Mapping[str, Any], checks: Mapping[str, str] | None = None) -> None:
    """Write a run's settings into its folder.

    Unfinished work with other settings is set aside and reported. ``checks`` has the check values of settings read from
    variables; see `checks_of`.

    Raises:
        OptionError: a finished part was made with other or unknown settings.
        OSError: the folder cannot be written to.
    """
    path = folder / CONFIG_FILE
    wanted = json.loads(json.dumps({**plain, _CHECKS: dict(checks)} if checks else plain))
    there = [phase.name for phase in registry.PHASES if phase.proof(folder).exists()]
    if path.exists():
        found = _read(path, there)
        if found is None:
            tell(f"{path} is damaged; nothing was made with it, so it is written anew")
        else:
            _compare(folder, found, wanted, there)
    write_json(path, wanted)


def _read(path: Path, there: list[str]) -> dict[str, Any] | None:
    """Return the settings stored in a folder.

    None is returned if they are damaged and no finished part depends on them.
    """
    try:
        found = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        if there:
            raise OptionError(
                f"{path} is damaged ({error}), so the settings that {_listed(there)} in its folder were made with are "
                "not known; if they are those of this command, remove that file and run it again"
            ) from None
        return None
    if not isinstance(found, dict) or not found.keys() >= {"run_dir", "env", "model", "method"}:
        raise OptionError(f"run_dir: {path} is no training run's; choose another run_dir")
    return found


def _compare(folder: Path, found: dict[str, Any], wanted: dict[str, Any], there: list[str]) -> None:
    found, wanted = ({**settings, _CHECKS: settings.get(_CHECKS) or {}} for settings in (found, wanted))
    names = {name.removeprefix(f"{_CHECKS}."): name.startswith(f"{_CHECKS}.") for name in _differing(found, wanted)}
    differing = [name for name in sorted(names) if _among(name, _settings(_names()[-1]))]
    refused = [name for name in differing if there and _among(name, _settings(there[-1]))]
    if refused:
        told = [f"{name} (its variable held something else)" if names[name] else name for name in refused]
        raise OptionError(
            f"{folder} holds a run with other settings in {', '.join(told)}, of which {_listed(there)} came; "
            "choose another run_dir, or repeat the settings in its config.json to continue it"
        )
    if differing:
        tell(f"{folder} was begun with other settings in {', '.join(differing)}, and nothing is finished with those")
    if any(_among(name, _DATA) for name in differing):
        shutil.rmtree(folder / "references", ignore_errors=True)
    for phase in registry.trained_names():
        trainer = folder / phase / "trainer"
        if trainer.exists() and any(_among(name, _settings(phase)) for name in differing):
            begin_anew(folder, phase)
            # Not deleted, since it may be hours of work.
            tell(f"{phase}: begins anew; the trainer's checkpoints are kept in {set_aside(trainer, '.earlier')}")


def different(phase: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the dotted names of settings in which a phase, or an earlier one, differs between two runs."""
    return sorted(name for name in _differing(one, other) if _among(name, _settings(phase)))


def take_over(source: Path, folder: Path, last: str) -> None:
    """Copy a run's phases up to ``last``, with their evaluations, into a new folder.

    The new run continues with its own settings. If the folder exists, nothing is done.

    Raises:
        OptionError: the source run has not finished the phase ``last``.
    """
    if folder.exists():
        return
    names = _names()
    phases = names[: names.index(last) + 1]
    if not registry.phase_named(last).proof(source).exists():
        raise OptionError(f"{source} has not finished {last}, which {folder} was to begin with")
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for name in (*phases, "references"):
        if (source / name).exists():
            shutil.copytree(source / name, part / name, ignore=shutil.ignore_patterns("trainer", ".lock"))
    shutil.copy2(source / CONFIG_FILE, part / CONFIG_FILE)
    log = MetricsLog(part / METRICS_FILE)
    for row in read_rows(source / METRICS_FILE):
        if row.get("phase") in phases:
            log.write(row["phase"], row["step"], {key: row[key] for key in row if key not in ("phase", "step")})
    os.replace(part, folder)


def _names() -> list[str]:
    return [phase.name for phase in registry.PHASES]


def _settings(last: str) -> tuple[str, ...]:
    """Return the settings of a phase and all earlier phases."""
    names = _names()
    return tuple(name for phase in registry.PHASES[: names.index(last) + 1] for name in phase.made_with)


def _differing(found: Any, wanted: Any, name: str = "") -> Iterator[str]:
    """Yield the dotted names of differing settings; one that is missing on one side counts as null."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in {**found, **wanted}:
            yield from _differing(found.get(key), wanted.get(key), f"{name}.{key}" if name else key)
    elif found != wanted:
        yield name


def _among(name: str, settings: tuple[str, ...]) -> bool:
    return any(name == one or name.startswith(f"{one}.") or one.startswith(f"{name}.") for one in settings)


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
