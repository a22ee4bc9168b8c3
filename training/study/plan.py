"""Reads a study's file with its variants and splits, and checks all runs before any of them starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from annotated_types import MinLen
from pydantic import AfterValidator, Field

from teller_gym.base.errors import OptionError, SettingsError
from teller_gym.configuration.settings import Settings, Text, problem, read
from teller_gym.procedure.task import Split
from teller_gym.training.config.evaluation import split_name, task_count
from teller_gym.training.config.run import Config, load
from teller_gym.training.run_records.settings_lock import different
from teller_gym.training.tasks.mixture import Mixture

_OWN = ("seed", "run_dir")
"""Settings that the study itself sets for each run."""


def _split(name: str) -> str:
    split = split_name(name)
    if split in (Split.TRAIN, Split.GENERATED):
        raise problem(f"expected a split that is never trained on, such as heldout_policy, got {name!r}")
    return split


def _word(word: str) -> str:
    name = word.lstrip("+~").partition("=")[0]
    if name in _OWN:
        raise problem(f"expected no {name}, which the study sets for each run, got {word!r}")
    return word


def _folder_name(name: str) -> str:
    if not name.replace("_", "").replace("-", "").isalnum() or not name.isascii():
        raise problem(f"expected letters, digits, _ and - in a variant's name, a folder's, got {name!r}")
    return name


Words = list[Annotated[Text, AfterValidator(_word)]]


class Study(Settings):
    """Contents of a study's file."""

    about: Text
    """Question that the study answers, in a sentence or two, shown at the top of the report."""
    config_name: Text
    """Top-level file of configs/ that all variants use."""
    overrides: Words = Field(default_factory=list)
    """Overrides for all variants."""
    variants: Annotated[dict[Annotated[str, AfterValidator(_folder_name)], Words], MinLen(1)]
    """Overrides for each variant by its name, applied after the study's; the other variants are compared with the
    first."""
    shared: Literal["data", "untrained", "sft", "rejection", "corrections"] | None = None
    """Last phase that all variants share.

    For each seed, the first variant's run makes it and the earlier phases, and the other runs start from a copy. With
    null, every run makes everything.
    """
    splits: list[Annotated[Text, AfterValidator(_split)]] = Field(default_factory=list)
    """Splits on which each run's last checkpoint is evaluated.

    They may include the run's own split, which is played once.
    """


class _Settings(Settings):
    set: Words


@dataclass(frozen=True)
class Job:
    """One run of a study.

    Attributes:
        words: arguments of ``teller-gym`` without the folder.
        folder: folder for all files, with the run itself in its ``run``.
        splits: further splits for its last checkpoint.
        begins_with: folder of the run whose phases up to `shared` are copied; None if the run makes them itself.
    """

    variant: str
    seed: int
    words: tuple[str, ...]
    folder: Path
    splits: tuple[str, ...]
    begins_with: Path | None = None
    shared: str | None = None

    @property
    def name(self) -> str:
        return f"{self.variant}, seed {self.seed}"


@dataclass(frozen=True)
class Plan:
    """A study and its runs.

    They are ordered by seed, so that variants can be compared early, and a copied run precedes its copies.
    """

    name: str
    study: Study
    jobs: tuple[Job, ...]


def read_study(path: Path) -> Study:
    """Read a study's file.

    Raises:
        OptionError: the file does not exist or is not YAML.
        SettingsError: values are invalid; the message names each of them.
    """
    try:
        values = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise OptionError(f"{path}: expected a study's file, such as configs/study/record.yaml ({error})") from None
    if not isinstance(values, dict) or not all(isinstance(name, str) for name in values):
        raise OptionError(f"{path}: expected settings by name ({', '.join(Study.model_fields)}), got {values!r}")
    return read(Study, values)


def plan(
    path: Path, seeds: Sequence[int], runs: Path, only: Sequence[str] | None = None, more: Sequence[str] = ()
) -> Plan:
    """Read a study's file and check all its runs.

    ``only`` selects variants, the first as the baseline; ``more`` has overrides for all variants, applied after the
    file's own.

    Raises:
        OptionError: the file cannot be read, a variant does not exist, or a split has too few tasks.
        SettingsError: a value in the file or in a variant's settings is invalid.
    """
    study = read_study(path)
    unknown = [name for name in only or () if name not in study.variants]
    if unknown:
        raise OptionError(f"--variants: expected some of {', '.join(study.variants)}, got {', '.join(unknown)}")
    if only is not None:
        study = study.model_copy(update={"variants": {name: study.variants[name] for name in only}})
    if more:
        words = read(_Settings, {"set": list(more)}).set
        study = study.model_copy(update={"overrides": [*study.overrides, *words]})
    problems: list[str] = []
    first: dict[str, Any] | None = None
    for name in study.variants:
        try:
            for seed in sorted({min(seeds), max(seeds)}):  # those between are valid, too
                config, plain = load(study.config_name, _overrides(study, name, seed))
        except SettingsError as error:
            problems += [f"{path}, variant {name}: {line}" for line in error.problems]
        else:
            _check_splits(f"{path}, variant {name}", config, study.splits)
            first = first or plain
            if study.shared is not None and (other := different(study.shared, first, plain)):
                problems.append(
                    f"{path}, variant {name}: expected the first variant's {', '.join(other)}, since {study.shared} is "
                    "shared; or set shared to an earlier phase, or to null"
                )
    if problems:
        raise SettingsError(problems)
    return Plan(path.stem, study, tuple(_jobs(study, seeds, runs)))


def _jobs(study: Study, seeds: Sequence[int], runs: Path) -> Iterator[Job]:
    first = next(iter(study.variants))
    order = [(name, seed) for seed in seeds for name in study.variants]
    if study.shared is not None:
        # Sorting is stable.
        order.sort(key=lambda one: one[0] != first)
    for name, seed in order:
        words = ("train", "--config-name", study.config_name, *_overrides(study, name, seed))
        begins_with = runs / first / f"seed-{seed}" if study.shared is not None and name != first else None
        yield Job(
            name, seed, words, runs / name / f"seed-{seed}", tuple(study.splits), begins_with, study.shared
        )  # fmt: skip


def _overrides(study: Study, variant: str, seed: int) -> list[str]:
    return [*study.overrides, *study.variants[variant], f"seed={seed}"]


def _check_splits(where: str, config: Config, splits: Sequence[str]) -> None:
    """Check before hours of training that each split has enough tasks."""
    scenarios = Mixture.of(config.env.id, config.env.options).evaluated
    for split in splits:
        try:
            task_count(config.evaluation.model_copy(update={"split": split}), scenarios, config.band)
        except OptionError as error:
            raise OptionError(f"{where}: {error}") from None
