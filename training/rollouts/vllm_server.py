"""vLLM server, from which every training process requests its turns concurrently by token ids.

TRL's client exists only in the first process and takes whole batches; it is still used to send the weights.
"""

from __future__ import annotations

import http.client
import json
import math
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from teller_gym.agents.sampling import CachedSampler, Turn
from teller_gym.base.errors import InfrastructureError
from teller_gym.training.rollouts.engines import BatchEngine, Draws, Engine
from teller_gym.training.rollouts.vllm_colocated import ColocatedEngine, load_weights
from teller_gym.training.run_folder.progress import tell

ANSWER_SECONDS = 1800.0
"""Timeout in seconds for a turn, which may wait at the server for room in its cache."""
HEALTH_SECONDS = 10.0
PAUSES = (1.0, 4.0, 15.0)
"""Seconds before each retry."""
START_SECONDS = 240.0
"""Maximum seconds to wait at startup for a server that is still loading."""
AT_ONCE = 512
"""Maximum number of simultaneous requests; each waits in its own thread."""


class Server:
    """Client for vLLM's OpenAI-compatible server at a URL such as http://localhost:8000."""

    def __init__(self, url: str, pauses: Sequence[float] = PAUSES) -> None:
        self.url = url.rstrip("/")
        self._pauses = pauses

    def expect(self) -> str:
        """Return the name of the served model, or raise an InfrastructureError if the server does not respond."""
        return str(self._ask("/v1/models", None, HEALTH_SECONDS)["data"][0]["id"])

    def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """Post a request to ``/v1/completions`` and return the response, or raise an InfrastructureError."""
        return self._ask("/v1/completions", request, ANSWER_SECONDS)

    def _ask(self, path: str, body: dict[str, Any] | None, seconds: float) -> dict[str, Any]:
        why = ""
        for pause in (0.0, *self._pauses):
            time.sleep(pause)
            try:
                return _answer(self.url + path, body, seconds)
            except urllib.error.HTTPError as error:
                why = f"it answers {error.code}: {error.read(500).decode(errors='replace').strip()}"
                if error.code < 500 and error.code != 429:
                    raise InfrastructureError(f"vLLM's server at {self.url} refuses {path}: {why}") from None
            except (OSError, http.client.HTTPException, ValueError) as error:
                why = str(error) or type(error).__name__
        raise InfrastructureError(
            f"vLLM's server at {self.url} does not answer ({why}); start it again, or name another one in "
            "hardware.vllm_url, and repeat the command: it continues from the last checkpoint"
        )


def _answer(url: str, body: dict[str, Any] | None, seconds: float) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        found = json.loads(answer.read())
    if not isinstance(found, dict):
        raise ValueError("it answers something else than vLLM does")
    return found


def await_server(url: str, seconds: float = START_SECONDS, pause: float = 5.0) -> None:
    """Wait for a server that is still starting, and report this once.

    Raises:
        InfrastructureError: the server did not respond in time.
    """
    server, until, told = Server(url, ()), time.monotonic() + seconds, False
    while True:
        try:
            server.expect()
        except InfrastructureError:
            if time.monotonic() + pause > until:
                raise
        else:
            return
        if not told:
            tell(f"waiting up to {seconds:.0f} s for vLLM's server at {server.url} …")
        told = True
        time.sleep(pause)


class ServerEngine(Engine):
    """Engine that requests turns from vLLM's server.

    The trainer's first process sends the weights once per round.
    """

    def __init__(self, trainer: Any, draws: Draws, server: Server) -> None:
        self._trainer = trainer
        self._draws = draws
        self._server = server
        self._model = ""
        self._turns: dict[int, int] = {}
        self._asked: dict[Future[dict[str, Any]], int] = {}
        self._threads: ThreadPoolExecutor | None = None

    def begin(self) -> None:
        """Check that the server responds, and send the current weights to it."""
        self._model = self._server.expect()
        self._turns.clear()
        load_weights(self._trainer)
        # The first process may still be pushing the weights.
        self._trainer.accelerator.wait_for_everyone()
        self._threads = ThreadPoolExecutor(AT_ONCE)

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        assert self._threads is not None, "submit belongs between begin and end"
        turn = self._turns[slot] = self._turns.get(slot, -1) + 1
        request = {
            "model": self._model,
            "prompt": list(context),
            "max_tokens": max_new,
            "temperature": self._draws.temperature,
            "top_p": self._draws.top_p,
            "seed": self._draws.seed_of(slot, turn),
            "stop_token_ids": [self._draws.end],
            "logprobs": 0,
            "return_token_ids": True,
            "return_tokens_as_token_ids": True,
        }
        self._asked[self._threads.submit(self._server.complete, request)] = slot

    def wait(self) -> list[tuple[int, Turn]]:
        ended = wait(self._asked, return_when=FIRST_COMPLETED).done
        return sorted((self._taken(one) for one in ended), key=lambda found: found[0])

    def _taken(self, asked: Future[dict[str, Any]]) -> tuple[int, Turn]:
        slot, answer = self._asked.pop(asked), asked.result()
        try:
            (choice,) = answer["choices"]
            ids = [int(token) for token in choice["token_ids"]]
            scores = choice["logprobs"]["token_logprobs"]
            logprobs = [math.nan if score is None else float(score) for score in scores]
            if len(ids) != len(logprobs):
                raise ValueError(f"{len(ids)} tokens with {len(logprobs)} log-probabilities")
        except (KeyError, TypeError, ValueError) as error:
            raise InfrastructureError(
                f"vLLM's server at {self._server.url} answers without what training needs ({error!r}): expected "
                "`vllm serve` of version 0.31, which gives token ids with their log-probabilities"
            ) from error
        return slot, Turn(ids, logprobs, bool(ids) and ids[-1] == self._draws.end)

    def end(self) -> None:
        self._asked.clear()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None


def engine_of(trainer: Any, draws: Draws, url: str | None = None) -> Engine:
    """Return an engine for one round with the weights of a TRL trainer.

    Without vLLM, the package's own sampler generates all turns with the seed ``draws.seed``. ``url`` is the vLLM
    server's address, if one generates for the trainer.
    """
    if getattr(trainer, "vllm_generation", None) is None:
        model = trainer.accelerator.unwrap_model(trainer.model)
        return BatchEngine(CachedSampler(model, [draws.end], draws.temperature, draws.seed, draws.top_p))
    if url is not None:
        return ServerEngine(trainer, draws, Server(url))
    return ColocatedEngine(trainer, draws)
