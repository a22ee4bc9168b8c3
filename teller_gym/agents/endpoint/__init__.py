"""Chat models behind OpenAI-compatible endpoints, such as those of vLLM, `transformers serve` and vendors."""

from __future__ import annotations

from teller_gym.base.errors import MissingExtraError

try:
    from teller_gym.agents.endpoint.agent import EndpointAgent, EndpointDialogue
    from teller_gym.agents.endpoint.config import EndpointConfig
    from teller_gym.agents.endpoint.failures import RefusedError
except ModuleNotFoundError as error:
    if error.name is None or error.name.startswith("teller_gym"):
        raise
    raise MissingExtraError("a model behind an endpoint", "eval") from error

__all__ = ["EndpointAgent", "EndpointConfig", "EndpointDialogue", "RefusedError"]
