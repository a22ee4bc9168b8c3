"""Settings of `teller-gym eval`, with their units and their dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Gt, MinLen
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from teller_gym.base.errors import OptionError
from teller_gym.base.withheld import Options
from teller_gym.configuration.compose import compose as compose_words
from teller_gym.configuration.settings import Folder, Settings, Text, as_list, problem, problems, read, text_keys
from teller_gym.configuration.variables import named
from teller_gym.procedure.task import Split
from teller_gym.tasks.store import parse_split

ENDPOINT = "endpoint"
"""The agent that plays where `endpoint=…` is given."""


def _split(name: str) -> str:
    try:
        return str(parse_split(name))
    except OptionError as error:
        raise problem(str(error).removeprefix("split: ")) from None


def _no_bool(value: Any) -> Any:
    if isinstance(value, bool):  # True equals 1
        raise problem(f"expected one of 1, 2, got {value}")
    return value


StageNumber = Annotated[Literal[1, 2], BeforeValidator(_no_bool)]
Names = Annotated[list[Text], BeforeValidator(as_list), MinLen(1)]
Splits = Annotated[list[Annotated[Text, AfterValidator(_split)]], BeforeValidator(as_list), MinLen(1)]
Count = Annotated[int, Ge(1)]


class PlayedEnvs(Settings):
    """Constructor options of the environments of stage 2, such as env.sop=explicit or env.distractors=40."""

    model_config = ConfigDict(extra="allow")

    id: Names
    """Short names or ids of environments, one or a list, or all: every scenario."""

    @property
    def options(self) -> dict[str, Any]:
        """Constructor options."""
        return dict(self.model_extra or {})


class Player(Settings):
    """Options of a checkpoint's agent or of a model behind an endpoint; docs/evaluate/models.md explains each."""

    model_config = ConfigDict(extra="allow")

    id: Text | None = None
    """A reference agent's name or the folder of a checkpoint; nothing beside endpoint=…"""

    _shown: dict[str, Any] | None = PrivateAttr(default=None)

    @property
    def options(self) -> Options:
        """Options of the agent, with the names of the variables that some of them were read from."""
        return Options(self.model_extra or {}, self._shown)


class Caps(Settings):
    """Limits of a run."""

    tokens: Annotated[int, Gt(0)] | None = None
    """Tokens of the whole run, earlier calls included. Once a limit is reached no further episode starts."""
    usd: Annotated[float, Gt(0)] | None = None
    """US dollars of the whole run; needs an agent with prices."""
    hours: Annotated[float, Gt(0)] | None = None
    """Hours of wall time of this call."""


class EvalConfig(Settings):
    """All settings of an evaluation; lists where one or several may be given."""

    env: PlayedEnvs
    graph: dict[str, Any] = Field(default_factory=dict)
    """Constructor options of the environments of stage 1, such as graph.distractors=0."""
    stage: Annotated[list[StageNumber], BeforeValidator(as_list), MinLen(1)] | None = None
    """1 (reconstruct the graph), 2 (execute) or [1,2], for every scenario named; null takes the environments as they
    are named."""
    split: Splits = Field(default_factory=lambda: [str(Split.HELDOUT)])
    """Splits to play, one or a list: train, validation, heldout, heldout_policy, heldout_schema, heldout_branch,
    generated. heldout by default.
    """
    agent: Player
    tools: Literal["own", "full", "gold", "filtered"] = "own"
    """Tools in play in stage 2: own (as env.distractors says), full (the whole pool), gold (those of the graph),
    filtered (those of the agent's own answers in stage 1: of this run, or of the run folder filtered_from)."""
    filtered_from: Folder | None = None
    """Folder of a run of stage 1 whose answers tools=filtered takes."""
    n: Count | None = None
    """Tasks of each environment and split; of a frozen split a fixed part, spread over outcomes and branches. null
    plays all."""
    task_ids: Names | None = None
    """Exactly these tasks, such as [loans-0001,loans-0002]."""
    trials: Count = 1
    """Times each task is played, for pass^k."""
    concurrency: Count = 1
    """Episodes under way at the same time."""
    seed: Annotated[int, Ge(0)] = 0
    """Of the episodes, of generated tasks and of the bootstrap."""
    limits: Caps = Field(default_factory=Caps)
    run_dir: Folder | None = None
    """Folder for transcripts and report; a run cut off there continues. null writes nothing."""
    overwrite: bool = False
    """Remove a run that is already in run_dir first, of any kind and however far it got."""

    _said: frozenset[str] = PrivateAttr(default=frozenset())
    _shown: dict[str, Any] = PrivateAttr(default_factory=dict)
    _variables: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def said(self) -> frozenset[str]:
        """Groups of options that the command line itself sets."""
        return self._said

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables that settings were read from: their values are never shown."""
        return self._variables

    def shown(self) -> dict[str, Any]:
        """Return the settings with the names of variables in place of what was read from them, and without
        extra_body's.
        """
        values: dict[str, Any] = named(self.model_dump(mode="json"), self._shown)
        body, plain = values["agent"].get("extra_body"), self.agent.options.get("extra_body")
        if isinstance(body, dict):
            from teller_gym.agents.endpoint.config import shown_body

            values["agent"]["extra_body"] = shown_body(plain, body)
        return values

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        found = []
        served = "base_url" in self.agent.options
        if served and self.agent.id not in (None, ENDPOINT):
            found.append(("agent", f"expected an agent or endpoint=…, got {self.agent.id!r} and an endpoint"))
        if not served and self.agent.id is None:
            found.append(("agent", "expected agent=NAME, agent=FOLDER or endpoint=NAME, got nothing"))
        if self.n is not None and self.task_ids is not None:
            found.append(("n and task_ids", "expected one of them, got both"))
        problems(found)
        return self


LISTS = ("env.id", "stage", "split", "task_ids")
"""Settings whose lists may be written with commas instead of brackets."""


TEXTS = (
    *text_keys(EvalConfig),
    *(f"agent.{name}" for name in ("name", "model", "base_url", "key_variable", "lora")),
)
"""Settings that are read as names, even if they look like numbers."""


def compose(overrides: Sequence[str]) -> EvalConfig:
    """Compose and check."""
    composed = compose_words("eval", overrides, LISTS, TEXTS)
    config = read(EvalConfig, composed.values, composed.problems, composed.variables)
    config._said, config._shown, config._variables = composed.said, composed.shown, composed.variables
    told = composed.shown.get("agent") or {}
    given = config.agent.model_extra or {}
    if "base_url" not in given and "agent.protocol" not in _keys(overrides):
        # A preset's protocol is of models behind an endpoint; a checkpoint goes by its own chat template.
        given.pop("protocol", None)
    config.agent._shown = {name: told.get(name, value) for name, value in given.items()}
    if "base_url" in config.agent.options:
        config.agent.id = ENDPOINT
    elif "agent" not in _of_options(overrides) and "/" not in str(config.agent.id):
        # A preset's options of a model do not concern an agent that is no model.
        config.agent = Player(id=config.agent.id)
    if config.stage is not None:
        config.stage = sorted(set(config.stage))
    return config


def _of_options(overrides: Sequence[str]) -> set[str]:
    """Return the groups for which the command line gives options, not only a name."""
    return {key.partition(".")[0] for key in _keys(overrides) if "." in key}


def _keys(overrides: Sequence[str]) -> set[str]:
    return {word.lstrip("+").partition("=")[0] for word in overrides}
