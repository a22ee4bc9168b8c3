"""Turns requested from a small replacement for vLLM's server: concurrency, and failures of the server."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import torch

from teller_gym.agents.chat import ChatFormat
from teller_gym.base.errors import InfrastructureError
from teller_gym.training.rollouts.engines import Draws
from teller_gym.training.rollouts.rollout import End, EnvPool, Limits
from teller_gym.training.rollouts.vllm_server import Server, ServerEngine, await_server
from tests.training.stand_in import LLMEngine, RequestOutputKind, SamplingParams, Talks

END = 2
Answer = Callable[[dict[str, Any]], dict[str, Any] | int]


@contextmanager
def serving(answer: Answer, port: int = 0) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """Run a server that answers each completion with a body or a status; yield its address and the server."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply({"data": [{"id": "tiny"}]})

        def do_POST(self) -> None:
            assert self.path == "/v1/completions"
            self.reply(answer(json.loads(self.rfile.read(int(self.headers["Content-Length"])))))

        def reply(self, found: dict[str, Any] | int) -> None:
            body = b"not now" if isinstance(found, int) else json.dumps(found).encode()
            self.send_response(found if isinstance(found, int) else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def completion(ids: Sequence[int], scores: Sequence[float | None], given: int, cached: int | None) -> dict[str, Any]:
    """Return an answer in the format of vLLM 0.31."""
    details = None if cached is None else {"cached_tokens": cached}
    names = [f"token_id:{token}" for token in ids]
    logprobs = {"tokens": names, "token_logprobs": list(scores), "top_logprobs": [{}] * len(names)}
    choice = {"index": 0, "text": "…", "token_ids": list(ids), "logprobs": logprobs, "finish_reason": "stop"}
    return {"choices": [choice], "usage": {"prompt_tokens": given, "prompt_tokens_details": details}}


class Trainer:
    """The attributes of TRL's trainer that an engine reads."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.state = type("State", (), {"global_step": 1})()
        self._last_loaded_step = 0
        self.vllm_generation = type("Generation", (), {"sync_weights": lambda _: self.told.append("sync")})()
        self.accelerator = type("One", (), {"wait_for_everyone": lambda _: self.told.append("all")})()


def engine_at(url: str, trainer: Trainer | None = None) -> ServerEngine:
    return ServerEngine(trainer or Trainer(), Draws(END, 0.7, 5, 0.9), Server(url, (0.01, 0.01)))


def test_a_request_holds_tokens_and_settings_and_its_answer_is_a_turn() -> None:
    asked: list[dict[str, Any]] = []
    failing = [503, 500]  # temporary errors: the request is repeated

    def answer(request: dict[str, Any]) -> dict[str, Any] | int:
        asked.append(request)
        return failing.pop() if failing else completion([7, 8, END], [-0.5, None, -1.5], 4, 3)

    trainer = Trainer()
    with serving(answer) as (url, _):
        engine = engine_at(url + "/", trainer)
        engine.begin()
        engine.submit(3, [4, 5, 6, 7], 9)
        ((slot, turn),) = engine.wait()
        assert engine.wait() == []
        engine.end()
    assert trainer.told == ["sync", "all"], "weights first, then all processes begin"
    assert (slot, turn.ids, turn.ended) == (3, [7, 8, END], True)
    assert turn.logprobs[0] == -0.5 and turn.logprobs[1] != turn.logprobs[1]
    request, *again = asked
    assert again == [request] * 2
    assert request["prompt"] == [4, 5, 6, 7] and request["model"] == "tiny" and request["max_tokens"] == 9
    assert (request["temperature"], request["top_p"], request["stop_token_ids"]) == (0.7, 0.9, [END])
    assert request["return_token_ids"] and request["logprobs"] == 0 and request["seed"] == Draws(0, 0, 5).seed_of(3, 0)


def test_turns_come_back_as_they_end_and_none_waits_for_another() -> None:
    """The first request is answered only after a later one, so a sequential client would wait for ever."""
    later = threading.Event()

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if request["prompt"] == [1]:
            assert later.wait(60)
        return completion([9, END], [-1.0, -1.0], len(request["prompt"]), None)

    with serving(answer) as (url, _):
        engine = engine_at(url)
        engine.begin()
        engine.submit(0, [1], 9)
        engine.submit(1, [1, 2], 9)
        ended = engine.wait()
        assert [slot for slot, _ in ended] == [1]
        later.set()
        assert [slot for slot, _ in engine.wait()] == [0]
        engine.end()


def test_episodes_over_http_are_those_of_the_model(model: Any, chat: ChatFormat) -> None:
    """The server's tokens are kept, and their log-probabilities are the model's."""
    lock = threading.Lock()

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        one = LLMEngine()
        one.model = model
        params = SamplingParams(
            temperature=request["temperature"], seed=request["seed"], max_tokens=request["max_tokens"],
            stop_token_ids=request["stop_token_ids"], output_kind=RequestOutputKind.FINAL_ONLY,
        )  # fmt: skip
        with lock:
            one.add_request("0", {"type": "token", "prompt_token_ids": request["prompt"]}, params)
            while not (ended := one.step()):
                pass
        (said,) = ended[0].outputs
        scores = [found[token].logprob for token, found in zip(said.token_ids, said.logprobs, strict=True)]
        return completion(said.token_ids, scores, len(request["prompt"]), 0)

    ids = ["stub-g-1", "stub-g-2", "stub-g-3"]
    with serving(answer) as (url, _):
        rollouts = EnvPool(Talks).play(ids, engine_at(url), chat, Limits(6, 400, 9), concurrency=2)
        again = EnvPool(Talks).play(ids, engine_at(url), chat, Limits(6, 400, 9))
    assert [one.turns for one in rollouts] == [3, 4, 5] and all(one.end is End.DONE for one in rollouts)
    assert [one.ids for one in again] == [one.ids for one in rollouts], "a turn hangs on its seed alone"
    for one in rollouts:
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([one.context])).logits[0, len(one.prompt_ids) - 1 : -1]
        scores = (logits / 0.7).log_softmax(-1).gather(1, torch.tensor(one.ids)[:, None])[:, 0]
        mine = torch.tensor(one.mask, dtype=torch.bool)
        assert torch.allclose(torch.tensor(one.logprobs)[mine], scores[mine], atol=1e-4)


def test_a_server_that_dies_is_told_in_one_message_with_what_to_do(chat: ChatFormat) -> None:
    died = threading.Event()

    def answer(request: dict[str, Any]) -> int:
        died.set()
        return 502

    with serving(answer) as (url, server):
        engine = ServerEngine(Trainer(), Draws(END, 1.0, 0), Server(url, (0.3, 0.01)))

        def kill() -> None:
            died.wait(60)
            server.shutdown()
            server.server_close()

        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(InfrastructureError) as told:
            EnvPool(Talks).play(["stub-g-1", "stub-g-2"], engine, chat, Limits(6, 400, 9))
        killer.join()
    told.match(f"vLLM's server at {url} does not answer")
    told.match("start it again")
    told.match("repeat the command: it continues from the last checkpoint")


def test_a_server_that_is_not_there_is_told_before_a_round_begins() -> None:
    with serving(lambda _: 500) as (url, _):
        pass
    trainer = Trainer()
    with pytest.raises(InfrastructureError, match=f"server at {url} does not answer"):
        engine_at(url, trainer).begin()
    assert trainer.told == [], "no weights are pushed to it"
    with pytest.raises(InfrastructureError, match="does not answer"):
        await_server(url, 0.05, 0.02)


def test_a_run_waits_for_a_server_that_is_starting(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(lambda _: 500) as (url, _):
        port = int(url.rpartition(":")[2])
    started = threading.Event()

    def start() -> None:
        with serving(lambda _: 500, port):
            started.wait(60)

    later = threading.Timer(0.2, start)
    later.start()
    await_server(url, 60, 0.05)
    started.set()
    later.join()
    assert capsys.readouterr().err == f"waiting up to 60 s for vLLM's server at {url} …\n"


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (400, "refuses /v1/completions: it answers 400: not now"),
        ({"choices": [{"text": "…"}], "usage": {}}, "answers without what training needs"),
        (completion([1, 2], [-1.0], 1, None), "2 tokens with 1 log-probabilities"),
    ],
)
def test_answers_that_cannot_be_used_are_told(found: dict[str, Any] | int, message: str) -> None:
    with serving(lambda _: found) as (url, _):
        engine = engine_at(url)
        engine.begin()
        engine.submit(0, [1], 9)
        with pytest.raises(InfrastructureError, match=message):
            engine.wait()
        engine.end()
