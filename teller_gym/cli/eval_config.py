"""Settings for `teller-gym eval`."""

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
"""Agent id if `endpoint=…` is given."""


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
    """Constructor options for the stage 2 environments, such as env.sop=explicit or env.distractors=40."""

    model_config = ConfigDict(extra="allow")

    id: Names
    """Short name or id of an environment, a list of these, or all for every scenario."""

    @property
    def options(self) -> dict[str, Any]:
        """Constructor options given in addition to `id`."""
        return dict(self.model_extra or {})


class Player(Settings):
    """Options for a checkpoint's agent or a model behind an endpoint; docs/evaluate/models.md explains each."""

    model_config = ConfigDict(extra="allow")

    id: Text | None = None
    """Name of a reference agent or folder of a checkpoint; not needed with endpoint=…"""

    _shown: dict[str, Any] | None = PrivateAttr(default=None)

    @property
    def options(self) -> Options:
        """Agent options, together with the names of environment variables from which they were read."""
        return Options(self.model_extra or {}, self._shown)


class Caps(Settings):
    """Limits of a run."""

    tokens: Annotated[int, Gt(0)] | None = None
    """Maximum tokens of the whole run, including earlier calls. Once a limit is reached, no further episode starts."""
    usd: Annotated[float, Gt(0)] | None = None
    """Maximum cost of the whole run in US dollars; requires an agent with prices."""
    hours: Annotated[float, Gt(0)] | None = None
    """Maximum wall time of this call in hours."""


class EvalConfig(Settings):
    """All settings for an evaluation; single values are converted to lists."""

    env: PlayedEnvs
    graph: dict[str, Any] = Field(default_factory=dict)
    """Constructor options for the stage 1 environments, such as graph.distractors=0."""
    stage: Annotated[list[StageNumber], BeforeValidator(as_list), MinLen(1)] | None = None
    """Stage to play in every environment: 1 (reconstruct the graph), 2 (execute) or [1,2]; null keeps the stage of each
    name."""
    split: Splits = Field(default_factory=lambda: [str(Split.HELDOUT)])
    """Split or list of splits to play: train, validation, heldout (default), heldout_policy, heldout_schema,
    heldout_branch, generated."""
    agent: Player
    tools: Literal["own", "full", "gold", "filtered"] = "own"
    """Tools available in stage 2: own (according to env.distractors), full (the whole pool), gold (those in the graph),
    or filtered (those in the agent's own stage 1 answers, from this run or from the run folder filtered_from)."""
    filtered_from: Folder | None = None
    """Folder of a stage 1 run whose answers tools=filtered uses."""
    n: Count | None = None
    """Number of tasks per environment and split; for a frozen split, a fixed subset spread over outcomes and branches.
    null plays all."""
    task_ids: Names | None = None
    """Ids of the tasks to play, such as [loans-0001,loans-0002]."""
    trials: Count = 1
    """Number of times each task is played, for pass^k."""
    concurrency: Count = 1
    """Number of episodes played at the same time."""
    seed: Annotated[int, Ge(0)] = 0
    """Base seed for episodes, generated tasks and the bootstrap."""
    limits: Caps = Field(default_factory=Caps)
    run_dir: Folder | None = None
    """Folder for transcripts and report, in which an interrupted run continues; null writes nothing."""
    overwrite: bool = False
    """Removes an existing run in run_dir first."""

    _said: frozenset[str] = PrivateAttr(default=frozenset())
    _shown: dict[str, Any] = PrivateAttr(default_factory=dict)
    _variables: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def said(self) -> frozenset[str]:
        """Option groups that the command line sets."""
        return self._said

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables that settings refer to; their values are never shown."""
        return self._variables

    def shown(self) -> dict[str, Any]:
        """Return the settings for display.

        They have the names of variables instead of their values, and no values in `extra_body`.
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
"""Settings whose lists may be written without brackets."""


TEXTS = (
    *text_keys(EvalConfig),
    *(f"agent.{name}" for name in ("name", "model", "base_url", "key_variable", "lora")),
)
"""Settings that are parsed as text even if they look like numbers."""


def compose(overrides: Sequence[str]) -> EvalConfig:
    """Compose and validate the settings for an evaluation."""
    composed = compose_words("eval", overrides, LISTS, TEXTS)
    config = read(EvalConfig, composed.values, composed.problems, composed.variables)
    config._said, config._shown, config._variables = composed.said, composed.shown, composed.variables
    told = composed.shown.get("agent") or {}
    given = config.agent.model_extra or {}
    if "base_url" not in given and "agent.protocol" not in _keys(overrides):
        # A preset's protocol applies only to endpoints; a checkpoint uses its own chat template.
        given.pop("protocol", None)
    config.agent._shown = {name: told.get(name, value) for name, value in given.items()}
    if "base_url" in config.agent.options:
        config.agent.id = ENDPOINT
    elif not any(key.startswith("agent.") for key in _keys(overrides)) and "/" not in str(config.agent.id):
        # A preset's model options do not apply to a reference agent.
        config.agent = Player(id=config.agent.id)
    if config.stage is not None:
        config.stage = sorted(set(config.stage))
    return config


def _keys(overrides: Sequence[str]) -> set[str]:
    return {word.lstrip("+").partition("=")[0] for word in overrides}
