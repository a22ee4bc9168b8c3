"""What a study is: the file that names variants of a run and further splits, checked before anything is played."""

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
from teller_gym.tasks.store import parse_split
from teller_gym.training.config.evaluation import task_count
from teller_gym.training.config.run import Config, load
from teller_gym.training.run_records.settings_lock import different
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.mixture import Mixture

_OWN = ("seed", "run_dir")
"""Settings that the study gives to each run."""


def _split(name: str) -> str:
    try:
        split = parse_split(name)
    except OptionError as error:
        raise problem(str(error).removeprefix("split: ")) from None
    if split in (Split.TRAIN, Split.GENERATED):
        raise problem(f"expected a split that is never trained on, such as heldout_policy, got {name!r}")
    return str(split)


def _word(word: str) -> str:
    name = word.lstrip("+~").partition("=")[0]
    if name in _OWN:
        raise problem(f"expected no {name}, which the study sets for each run, got {word!r}")
    return word


def _folder_name(name: str) -> str:
    if not name.replace("_", "").replace("-", "").isalnum() or not name.isascii():
        raise problem(
            f"expected letters, digits, _ and - in a variant's name, since a folder is named so, got {name!r}"
        )
    return name


Words = list[Annotated[Text, AfterValidator(_word)]]


class Variant(Settings):
    """One way of training, compared with the others."""

    config_name: Text | None = None
    """Top-level file that it starts from; null takes the study's."""
    overrides: Words = Field(default_factory=list)
    """Settings as ``teller-gym train`` takes them, after the study's."""


class Study(Settings):
    """A study's file."""

    about: Text
    """What is asked, in a sentence or two; stands at the top of the report."""
    config_name: Text
    """Top-level file of configs/ that every variant starts from."""
    overrides: Words = Field(default_factory=list)
    """Settings of all variants."""
    variants: Annotated[dict[Annotated[str, AfterValidator(_folder_name)], Variant], MinLen(1)]
    """By name; the others are compared with the first."""
    shared: Literal["data", "untrained", "sft", "rejection", "corrections"] | None = None
    """The last phase that all variants have in common: the first variant's run of a seed makes it and those before, and
    the others' begin with a copy. null has every run make everything."""
    splits: list[Annotated[Text, AfterValidator(_split)]] = Field(default_factory=list)
    """Splits that the last checkpoint of each run is evaluated on. The one that the run itself evaluates may be among
    them and is played once."""


class _Settings(Settings):
    set: Words


@dataclass(frozen=True)
class Job:
    """One run of a study.

    Attributes:
        variant, seed: which.
        words: of ``teller-gym``, all but the folder.
        folder: that all of it goes to; the run itself to ``run`` in it.
        splits: further ones for its last checkpoint.
        begins_with: folder of the run of which it takes over the phases up to `shared`; None makes them itself.
        shared: the last of those.
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
        """What it is called."""
        return f"{self.variant}, seed {self.seed}"


@dataclass(frozen=True)
class Plan:
    """A study with its seeds.

    Attributes:
        name: of the file.
        study: the file.
        seeds: of every variant.
        jobs: seed by seed, so that variants can be compared early; what others begin with comes before them.
    """

    name: str
    study: Study
    seeds: tuple[int, ...]
    jobs: tuple[Job, ...]


def read_study(path: Path) -> Study:
    """Read a study's file.

    Raises:
        OptionError: there is none, or it is no YAML.
        SettingsError: naming each value that does not fit.
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
    """Return the runs that a study's file asks for, each checked.

    Args:
        path: the file.
        seeds: of every variant.
        runs: folder for all of them.
        only: variants to play, the first of which the others are compared with; None plays all.
        more: settings of all variants, after the file's own and before a variant's.

    Raises:
        OptionError: the file cannot be read, has no such variant, or a split has not enough tasks.
        SettingsError: what does not fit, in the file or in a variant's settings.
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
    for name, variant in study.variants.items():
        try:
            for seed in seeds:
                config, plain = load(_config_name(study, variant), _overrides(study, variant, seed))
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
    return Plan(path.stem, study, tuple(seeds), tuple(_jobs(study, seeds, runs)))


def _jobs(study: Study, seeds: Sequence[int], runs: Path) -> Iterator[Job]:
    first = next(iter(study.variants))
    order = [(name, seed) for seed in seeds for name in study.variants]
    if study.shared is not None:
        # A sort keeps the order of the others.
        order.sort(key=lambda one: one[0] != first)
    for name, seed in order:
        variant = study.variants[name]
        words = ("train", "--config-name", _config_name(study, variant), *_overrides(study, variant, seed))
        begins_with = runs / first / f"seed-{seed}" if study.shared is not None and name != first else None
        yield Job(
            name, seed, words, runs / name / f"seed-{seed}", tuple(study.splits), begins_with, study.shared
        )  # fmt: skip


def _config_name(study: Study, variant: Variant) -> str:
    return variant.config_name or study.config_name


def _overrides(study: Study, variant: Variant, seed: int) -> list[str]:
    return [*study.overrides, *variant.overrides, f"seed={seed}"]


def _check_splits(where: str, config: Config, splits: Sequence[str]) -> None:
    """Find out before hours of training whether a split has the tasks."""
    scenarios = Mixture.of(config.env.id, config.env.options).evaluated
    for split in splits:
        try:
            task_count(config.evaluation.model_copy(update={"split": split}), scenarios, Band.parse(config.difficulty))
        except OptionError as error:
            raise OptionError(f"{where}: {error}") from None
