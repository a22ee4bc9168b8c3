"""Expert corrections in the states that the student reaches.

This is DAgger (Ross et al. 2011) in an environment that can be restored. The student plays, and the expert watches.
After a rejected call, the model reads the error without learning the call, and learns the expert's call that follows.
An accepted but wrong call is undone: the case is restored, and the expert's call replaces it. Then the student
continues.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from typing import Any

import gymnasium as gym

from teller_gym.agents.chat import ChatFormat, tool_answer
from teller_gym.agents.sampling import Turn
from teller_gym.base.errors import ErrorKind, InfrastructureError
from teller_gym.envs.contract import execution_of
from teller_gym.training.config.rounds import CorrectionsConfig
from teller_gym.training.demonstrations.expert import expert_factory
from teller_gym.training.phases.expert_shadow import Judge, Judgement, Known, Shadow, call_of
from teller_gym.training.phases.lessons import STUDENT, Lesson, Row, row_of
from teller_gym.training.phases.student import Desk, Student
from teller_gym.training.rollouts.rollout import End, Limits

logger = logging.getLogger(__name__)


class Corrections:
    """Training method in which the expert corrects the student during its episodes."""

    name = "corrections"
    seed_blocks = (1, 3)

    def __init__(self, settings: CorrectionsConfig, desk: Desk) -> None:
        self.settings = settings
        self.together = settings.at_once
        self.control = settings.control
        self._desk = desk

    def play(self, student: Student, task_ids: Sequence[str], seed: int) -> list[Row]:
        """Let the student play tasks with corrections, and return a row for each task."""
        desk = self._desk
        *envs, spare = desk.table.seats(len(task_ids) + 1)
        judge = Judge(spare)
        cases = [
            Case(env, one, student.chat, desk, self.settings, judge) for env, one in zip(envs, task_ids, strict=True)
        ]
        engine = student.engine(self.settings.temperature, seed)
        try:
            engine.begin()
            for slot, case in enumerate(cases):
                engine.submit(slot, case.ids, desk.limits.turn)
            while any(case.end is None for case in cases):
                for slot, turn in engine.wait():
                    cases[slot].play(turn)
                    if cases[slot].end is None:
                        engine.submit(slot, cases[slot].ids, desk.limits.turn)
        finally:
            engine.end()
        return [case.row() for case in cases]

    def figures(self, rows: Sequence[Row]) -> dict[str, float]:
        episodes = [one for row in rows for one in row["episodes"] if one["end"] != End.INVALID]
        turns = sum(one["turns"] for one in episodes)
        return {
            **{
                f"{name}_an_episode": sum(one[name] for one in episodes) / max(1, len(episodes))
                for name in ("corrections", Judgement.REFUSED, Judgement.WRONG)
            },
            "right_turns": sum(one[Judgement.RIGHT] for one in episodes) / max(1, turns),
            "corrected_score": sum(one["score"] for one in episodes) / max(1, len(episodes)),
            "corrected_success": sum(one["success"] for one in episodes) / max(1, len(episodes)),
        }


class Case:
    """One episode of the student with corrections.

    Attributes:
        learned: start and end of each learned span among all tokens so far.
        end: reason for the episode's end, or None while it continues.
        corrections: number of corrections so far.
        counts: number of the student's turns by judgement.
    """

    def __init__(
        self, env: gym.Env[Any, Any], task_id: str, chat: ChatFormat, desk: Desk, settings: CorrectionsConfig,
        judge: Judge,
    ) -> None:  # fmt: skip
        obs, self._info = env.reset(options={"task_id": task_id})
        self._env, self._core = env, execution_of(env)
        self._chat, self._settings, self._judge = chat, settings, judge
        self._limits: Limits = desk.limits
        self.task = self._core.task
        desk.guard.check(self.task)
        self.shadow = Shadow(env, obs, self._info, expert_factory(desk.config.method.sft.working))
        self._harmless: list[Known] = []
        self.ids = chat.prompt_ids(self._core.messages(), self._core.tool_schemas())
        self.learned: list[tuple[int, int]] = []
        self.end: End | None = None
        self.turns = self.corrections = 0
        self.counts: Counter[Judgement] = Counter()

    def play(self, turn: Turn) -> None:
        """Play the student's turn, and correct it if necessary.

        Afterwards it is the student's turn again, or the episode has ended.
        """
        try:
            self._take(turn)
        except Exception:
            # The package's own failures are marked and logged, and nothing is learned from them.
            logger.exception("episode %s broke", self.task.id)
            self.end = End.INVALID

    def _take(self, turn: Turn) -> None:
        text, before = self._chat.text(turn.ids), self._core.snapshot()
        over, obs = self._step(text)
        judged = self._judge.judge(self.shadow, self._core, text, before, obs, self._info, over, self._harmless)
        self.turns += 1
        self.counts[judged] += 1
        if judged is Judgement.WRONG:
            self._core.restore(before)
            self._correct()
            return
        call, asked = call_of(text, self._core), self.shadow.asked
        right = judged is Judgement.RIGHT or (judged is Judgement.UNANSWERED and call is not None and call.same(asked))
        self._say(turn.ids, right)
        if judged is Judgement.RIGHT and call is not None:
            self.shadow.take(call, obs)
        elif judged is Judgement.HARMLESS and call is not None:
            self._harmless.append(call)
        if over:
            self.end = End.DONE
        elif self._hear(obs, [] if turn.ended else [self._chat.end]) and judged is Judgement.REFUSED:
            self._correct()

    def _correct(self) -> None:
        """Make the expert's call, and all further calls if this was the last allowed correction."""
        self.corrections += 1
        self._expert_turn()
        while self.end is None and self.corrections == self._settings.most:
            self._expert_turn()

    def _expert_turn(self) -> None:
        before, known, asked = self._core.snapshot(), self._info, self.shadow.asked
        over, obs = self._step(self.shadow.wanted)
        error = self._info["error"]
        if asked is None or (error is not None and error["kind"] != ErrorKind.TEMPORARY):
            raise InfrastructureError(
                f"the expert's call on {self.task.id} failed: {self.shadow.wanted} led to {error}"
            )
        ids = self._chat.turn_ids(next(one for one in reversed(self._core.messages()) if one["role"] == "assistant"))
        if len(self.ids) + len(ids) > self._limits.total:
            self._core.restore(before)
            self._info, self.end = known, End.TOKENS
            return
        self._say(ids, learned=True)
        if error is None:
            self.shadow.take(asked, obs)
        if over:
            self.end = End.DONE
        else:
            self._hear(obs, [])

    def _step(self, action: str) -> tuple[bool, Any]:
        """Perform an action, and return whether the episode has ended and the observation."""
        obs, _, terminated, truncated, self._info = self._env.step(action)
        if self._info["invalid"]:
            raise InfrastructureError(f"the environment broke on {self.task.id}: {self._core.failure}")
        return terminated or truncated, obs

    def _say(self, ids: Sequence[int], learned: bool) -> None:
        if learned:
            self.learned.append((len(self.ids), len(self.ids) + len(ids)))
        self.ids = [*self.ids, *ids]

    def _hear(self, obs: Any, closing: list[int]) -> bool:
        """Append the text between two turns, and return True if there is room for another turn."""
        heard = closing + self._chat.feedback_ids([tool_answer(obs["tool_result"])])
        if len(self.ids) + len(heard) + self._limits.turn > self._limits.total:
            self.end = End.TOKENS
            return False
        self.ids = [*self.ids, *heard]
        return True

    def row(self) -> Row:
        """Return the episode's row, which has a lesson only if something was corrected."""
        valid = self.end is not End.INVALID
        lessons = [Lesson(self.ids, self.learned)] if valid and self.corrections and self.learned else []
        episode = {
            "score": float(self._info["score"]) if valid else None,
            "success": valid and bool(self._info["success"]),
            "end": str(self.end),
            "turns": self.turns,
            "corrections": self.corrections,
            **{str(one): self.counts[one] for one in Judgement},
        }
        return row_of(self.task, STUDENT, [episode], lessons)
