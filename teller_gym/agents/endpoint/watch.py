"""Detection of silent truncation: answers truncated at their token limit, and prompts truncated by the server."""

from __future__ import annotations

import logging
from typing import Any

from teller_gym.agents.endpoint.answers import Answer
from teller_gym.agents.endpoint.config import EndpointConfig
from teller_gym.agents.endpoint.failures import PromptCutError
from teller_gym.agents.usage import is_cut

_LEAST_SENT = 1_000
"""Minimum tokens of a prompt to be checked; the smallest contexts on servers have about 2,000."""

log = logging.getLogger(__name__)


class Watch:
    """Checks every answer in a run and warns once about each type of truncation."""

    def __init__(self, name: str, config: EndpointConfig) -> None:
        self.name = name
        self._config = config
        self._answers = self._cut = 0
        self._prompt_cut = False

    def answer(self, answer: Answer, sent: int) -> dict[str, Any]:
        """Check an answer to a prompt of at least `sent` tokens.

        Returns:
            Notes for the record: `prompt_cut`, if the server counted fewer than `sent` prompt tokens.

        Raises:
            PromptCutError: the server counted fewer tokens and `strict_usage` is set.
        """
        self._answers += 1
        if is_cut(answer.finish_reason):
            self._cut += 1
            if self._cut == 1:
                log.warning("%s", self._told_cut())
        if answer.usage is None or answer.usage["prompt"] >= sent or sent < _LEAST_SENT:
            return {}
        told = {"sent": sent, "counted": answer.usage["prompt"]}
        if self._config.strict_usage:
            raise PromptCutError(self._told_prompt(told))
        if not self._prompt_cut:
            self._prompt_cut = True
            log.warning("%s; agent.strict_usage=true makes such episodes invalid", self._told_prompt(told))
        return {"prompt_cut": told}

    def _told_cut(self) -> str:
        most = self._config.max_new_tokens
        limit = "the server's own limit; set agent.max_new_tokens" if most is None else f"agent.max_new_tokens={most}"
        raised = "" if most is None else ": raise it, up to what the model can write"
        answers = f"{self._cut} of {self._answers} answer{'s' if self._answers > 1 else ''} so far"
        return f"{self.name}: {answers} was cut by its token limit, {limit}{raised}; the report counts them all"

    def _told_prompt(self, told: dict[str, int]) -> str:
        return (
            f"{self.name}: the server counted {told['counted']} prompt tokens where at least {told['sent']} were "
            "sent, so it seems to have cut the prompt in silence: raise its context (num_ctx, n_ctx, --max-model-len "
            "or what it calls that) until the whole chat fits"
        )
