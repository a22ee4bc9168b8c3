"""PettingZoo environment (AEC) in which two agents share office work.

The planner receives the request; the executor learns about it only by chat and work items. Requires the extra
``office``, which installs pettingzoo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from gymnasium import spaces
from pettingzoo import AECEnv

from teller_gym.base.errors import ToolError
from teller_gym.base.text import as_text
from teller_gym.envs.episode.office import OfficeEpisode
from teller_gym.envs.office import OfficeEnv
from teller_gym.envs.spaces.text import FreeText, ToolCallText
from teller_gym.grading.score import RewardConfig
from teller_gym.office.desk.desk import Desk
from teller_gym.office.desk.tools import CHAT, COMPUTING, TOOLS, TRACKER
from teller_gym.registration import WEALTH
from teller_gym.tools.call import FinalResponse
from teller_gym.tools.parse import parse_action
from teller_gym.tools.tool import ToolSet

PLANNER, EXECUTOR = "planner_0", "executor_0"
PLANNING: Final = ToolSet((*CHAT, *TRACKER, COMPUTING[0]))
"""Tools of the planner, which has none for files or the CRM."""

_TOOLS: Final[Mapping[str, ToolSet]] = {PLANNER: PLANNING, EXECUTOR: TOOLS}
_HANDED_OVER = "The other one has the turn now."


class OfficeTeamEnv(AECEnv):
    """Task of `OfficeEnv` for two agents.

    The planner is the client's adviser and receives the request; the executor is the paraplanner and has all tools. A
    call is one step of the agent whose turn it is, and text without a call passes the turn to the other agent. The
    episode ends when both pass without a call in between. Both receive the change in score as reward. Direct messages
    and work items between the two do not count as collateral damage.

    Args:
        split, autonomy, reward, max_steps, perturb, faults, tolerance, office: see `OfficeEnv`; the step limit applies
            to both agents together.
        render_mode: ``ansi`` or None.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "teller_wealth_team_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        split: str = "train",
        autonomy: str | None = None,
        reward: str | RewardConfig | Mapping[str, Any] = "shaped",
        max_steps: int | None = None,
        perturb: str | Sequence[str] = (),
        faults: bool = False,
        tolerance: str = "cent",
        office: str = WEALTH.kwargs["office"],
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._core = OfficeEnv(
            split, autonomy, reward, max_steps, perturb=perturb, faults=faults, tolerance=tolerance, office=office,
            render_mode=render_mode,
        )  # fmt: skip
        self.render_mode = render_mode
        self.possible_agents = [PLANNER, EXECUTOR]
        texts = {"state": FreeText(), "tool_result": FreeText()}
        self._observation_spaces = {name: spaces.Dict(dict(texts)) for name in self.possible_agents}
        self._action_spaces = {name: ToolCallText(_TOOLS[name]) for name in self.possible_agents}
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations, with ``state`` and ``tool_result``."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> ToolCallText:
        """Return the space of an agent's actions, which are texts; samples are calls of its tools."""
        return self._action_spaces[agent]

    def tool_schemas(self, agent: str) -> list[dict[str, Any]]:
        """Return an agent's tools in OpenAI's function format."""
        return _TOOLS[agent].schemas()

    @property
    def episode(self) -> OfficeEpisode:
        """Current episode."""
        return self._core.episode

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: seed of the random number generator.
            options: ``{"task_id": …}`` chooses the task; other options are ignored.
        """
        # PettingZoo's own test passes arbitrary options.
        named = {name: value for name, value in (options or {}).items() if name == "task_id"}
        self._core.reset(seed=seed, options=named or None)
        work = self._core.episode
        office, task = work.office, work.task
        planner = office.open_team(task, work.settings.perturb)
        self._desks = {EXECUTOR: Desk(planner.store, work.desk.user), PLANNER: planner}
        work.team = (planner.user,)
        work.desk = self._desks[EXECUTOR]
        self.agents = list(self.possible_agents)
        self.agent_selection = PLANNER
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        begun = work.begun()
        self.infos = {name: dict(begun) for name in self.agents}
        guides = office.team_guides(task)
        self._seen = {
            PLANNER: {"state": f"{task.request}\n\n{guides[0]}", "tool_result": ""},
            EXECUTOR: {"state": guides[1], "tool_result": ""},
        }
        self._handed_over = False

    def observe(self, agent: str) -> dict[str, str]:
        """Return an agent's latest observation."""
        return dict(self._seen[agent])

    def step(self, action: str | None) -> None:
        """Play an action of the agent whose turn it is; no text raises an exception."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        work = self._core.episode
        work.desk = self._desks[agent]
        if self._is_call(agent, action):
            step = work.act(str(action), _TOOLS[agent])
            reward, standing = work.pay()
            self._seen[agent] = {"state": step.account, "tool_result": step.result}
            self.infos[agent] = work.info(step.error, standing.terms())
            self._handed_over = False
            self._end(terminated=False, truncated=step.truncated)
        else:
            work.note(as_text(action))
            reward, standing = work.pay()
            ended = self._handed_over or work.is_spent()
            self._seen[agent] = {"state": _HANDED_OVER, "tool_result": ""}
            self.infos[agent] = work.info(None, standing.terms())
            other = EXECUTOR if agent == PLANNER else PLANNER
            self._handed_over = True
            self._end(terminated=ended and not work.is_spent(), truncated=work.is_spent())
            self.agent_selection = other
        if self._over:
            reward += work.finish()
            for name in self.agents:
                self.infos[name] = work.info(None, work.standing().terms())
        self.rewards = dict.fromkeys(self.agents, reward)
        self._accumulate_rewards()

    @property
    def _over(self) -> bool:
        return all(self.terminations.values()) or all(self.truncations.values())

    def _is_call(self, agent: str, action: object) -> bool:
        """Return True for a call or a failed attempt at one, and False for text that passes the turn."""
        if not isinstance(action, str):
            return True
        try:
            return not isinstance(parse_action(action, _TOOLS[agent]), FinalResponse)
        except ToolError:
            return True

    def _end(self, terminated: bool, truncated: bool) -> None:
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)

    def render(self) -> str | None:
        """Return the episode as readable text if ``render_mode`` is "ansi", otherwise None."""
        return self._core.render()

    def close(self) -> None:
        """Do nothing, since no resources are held."""


def env(**options: Any) -> OfficeTeamEnv:
    """Return the environment; PettingZoo's modules all have a function with this name."""
    return OfficeTeamEnv(**options)
