"""Evaluation shows a model the same tokens as a rollout in training after the same turns."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("trl", reason="the extra `train` is not installed")

from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.agents.local import OUT_OF_TOKENS, LocalAgent
from teller_gym.agents.sampling import Turn
from teller_gym.envs.chat import chat_messages
from teller_gym.training.models.tiny import train_tokenizer
from teller_gym.training.rollouts.rollout import EnvPool, Limits
from tests.training.stub_env import StubEnv, expected_call, make_task

pytestmark = pytest.mark.training

CAP, TOTAL = 400, 12_000
IDS = ["stub-g-1", "stub-g-2", "stub-g-1"]

CHAT: list[dict[str, Any]] = [{"role": "user", "content": "Go."}]
LATER = [*CHAT, {"role": "assistant", "content": "hello there"}, {"role": "tool", "content": "{}"}]
"""The same chat after one turn and its result."""


class Desk(StubEnv):
    """The toy desk, with the chat format of the banking environments."""

    def reset(self, **options: Any) -> Any:
        self.history: list[tuple[str, str]] = []
        return super().reset(**options)

    def step(self, action: str) -> Any:
        answer = super().step(action)
        self.history.append((action, answer[0]["tool_result"]))
        return answer

    def messages(self) -> list[dict[str, Any]]:
        return chat_messages("Read the record.", f"Please process {self.task.id}.", self.history)


class Scripted(LocalAgent):
    """Plays the turns of a script and records the contexts that it receives."""

    def __init__(self, tokenizer: Any, script: dict[int, list[list[int]]], **options: Any) -> None:
        given: dict[str, Any] = {"prompt": "minimal", "max_new_tokens": CAP, "max_tokens": TOTAL, "thinking": False}
        super().__init__(tokenizer, None, 100_000, **(given | options))
        self.script = copy.deepcopy(script)
        self.places = [0]
        self.asked: dict[int, list[list[int]]] = {}

    @classmethod
    def from_folder(cls, folder: Any, **options: Any) -> Scripted:
        raise NotImplementedError

    def play(self, envs: dict[int, Desk]) -> None:
        while self.places:
            chats = [envs[place].messages() for place in self.places]
            texts = self.act_batch(chats, [envs[place].tool_schemas() for place in self.places])
            ended = {p for p, text in zip(self.places, texts, strict=True) if any(envs[p].step(text)[2:4])}
            self.places = [place for place in self.places if place not in ended]

    def _generate(self, contexts: list[list[int]], seeds: list[int] | None) -> list[list[int]]:
        for place, context in zip(self.places, contexts, strict=True):
            self.asked.setdefault(place, []).append(context)
        return [self.script[place].pop(0) for place in self.places]


class Sampler:
    """Like `Scripted`, for `EnvPool.play`."""

    def __init__(self, end: int, script: dict[int, list[list[int]]]) -> None:
        self.end, self.script = end, copy.deepcopy(script)
        self.asked: dict[int, list[list[int]]] = {}

    def sample(self, slots: Sequence[int], contexts: Sequence[Sequence[int]], max_new: int) -> list[Turn]:
        for slot, context in zip(slots, contexts, strict=True):
            self.asked.setdefault(slot, []).append(list(context))
        turns = [self.script[slot].pop(0) for slot in slots]
        return [Turn(ids, [0.0] * len(ids), ids[-1] == self.end) for ids in turns]

    def forget(self) -> None:
        pass


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    task = make_task(1)
    texts = [json.dumps(expected_call(task, step)) for step in range(5)]
    return train_tokenizer([*texts * 3, *["hello there"] * 20], 600)


def opened(ids: Sequence[str] = IDS) -> dict[int, Desk]:
    envs: dict[int, Desk] = {}
    for place, task_id in enumerate(ids):
        envs[place] = Desk()
        envs[place].reset(options={"task_id": task_id})
    return envs


def by_letters(tokenizer: Any, text: str) -> list[int]:
    """Tokenize each character separately, which gives tokens that the tokenizer does not make of the whole text."""
    ids = [token for letter in text for token in tokenizer(letter)["input_ids"]]
    assert tokenizer.decode(ids) == text and ids != tokenizer(text)["input_ids"]
    return ids


def script(tokenizer: Any, end: int, seed: int) -> dict[int, list[list[int]]]:
    """Return the turns of three episodes, with right calls, broken JSON, unusual tokens and truncated turns."""
    rng = random.Random(seed)
    found = {}
    for place, env in opened().items():
        turns = []
        for step in range(env.task.calls):
            call = json.dumps(expected_call(env.task, step), separators=rng.choice([(",", ":"), (", ", ": ")]))
            for text in [*rng.sample(['{"name": "x"', '{"name":"?","arguments":{}}'], rng.randrange(3)), call]:
                said = rng.choice(["", "So: "]) + f"<tool_call>{text}</tool_call>"
                ids = by_letters(tokenizer, said) if rng.random() < 0.5 else tokenizer(said)["input_ids"]
                turns.append(ids[:CAP] if rng.random() < 0.3 else [*ids[: CAP - 1], end])
        turns += [tokenizer("Done.")["input_ids"]] * 50
        found[place] = turns
    return found


@settings(deadline=None, max_examples=6)
@given(seed=st.integers(0, 10**6))
def test_contexts_are_those_of_training_token_by_token(tokenizer: Any, seed: int) -> None:
    chat = ChatFormat(tokenizer, PromptStyle.MINIMAL)
    said = script(tokenizer, chat.end, seed)
    sampler = Sampler(chat.end, said)
    EnvPool(Desk).play(IDS, sampler, chat, Limits(CAP, TOTAL, 99))
    agent = Scripted(tokenizer, said)
    agent.places = [0, 1, 2]
    agent.play(opened())
    # Both end an episode without room for a turn before they sample it.
    for place in range(3):
        pairs = zip(agent.asked[place], sampler.asked[place], strict=True)
        assert all(mine == theirs for mine, theirs in pairs), f"episode {place} of seed {seed}"
    assert max(map(len, agent.asked.values())) > 3, "no episode went on"


@pytest.mark.parametrize("change", ["earlier", "said", "tools", "none"])
def test_a_chat_that_does_not_go_on_from_the_turn_is_rendered(tokenizer: Any, change: str) -> None:
    odd = by_letters(tokenizer, "hello there")
    agent = Scripted(tokenizer, {0: [odd, odd]})
    system = {"role": "system", "content": "s"}
    later = [system, *LATER]
    tools: list[Any] = []
    if change == "earlier":
        later[1] = {"role": "user", "content": "Go on."}
    if change == "said":
        later[2] = {"role": "assistant", "content": "something else"}
    if change == "tools":
        tools = [{"type": "function", "function": {"name": "x"}}]
    agent.act_batch([[system, *CHAT]], [[]])
    agent.act_batch([later], [tools])
    rendered = agent.format.prompt_ids(later, tools)
    assert (agent.asked[0][-1] == rendered) == (change != "none")
    assert (odd == agent.asked[0][-1][len(agent.asked[0][0]) :][: len(odd)]) == (change == "none")


def test_a_turn_is_gone_on_from_again_when_the_first_try_failed(tokenizer: Any) -> None:
    """Evaluation repeats a failed batch one conversation at a time."""

    class Fails(Scripted):
        fails = False

        def _generate(self, contexts: list[list[int]], seeds: list[int] | None) -> list[list[int]]:
            if self.fails:
                raise RuntimeError("out of memory")
            return super()._generate(contexts, seeds)

    odd = by_letters(tokenizer, "hello there")
    agent = Fails(tokenizer, {0: [odd, odd]})
    agent.act_batch([CHAT], [[]])
    agent.fails = True
    with pytest.raises(RuntimeError):
        agent.act_batch([LATER], [[]])
    agent.fails = False
    agent.act_batch([LATER], [[]])
    assert agent.asked[0][1][: len(agent.asked[0][0]) + len(odd)] == agent.asked[0][0] + odd


def test_a_template_that_changes_earlier_turns_renders_every_chat(tokenizer: Any) -> None:
    changing = copy.deepcopy(tokenizer)
    changing.chat_template = (
        "{% for m in messages %}<|im_start|>{{ m.role }} {{ loop.last }} {{ m.content }}<|im_end|>{% endfor %}"
    )
    odd = by_letters(tokenizer, "hello there")
    agent = Scripted(changing, {0: [odd, odd]})
    agent.act_batch([CHAT], [[]])
    agent.act_batch([LATER], [[]])
    assert agent.asked[0][-1] == agent.format.prompt_ids(LATER, [])


def test_dropped_results_make_room_and_the_chat_goes_on_from_there(tokenizer: Any) -> None:
    odd = by_letters(tokenizer, "hello there")
    agent = Scripted(tokenizer, {0: [odd] * 30}, context_end="drop", max_tokens=2400, max_new_tokens=20)
    chat = CHAT
    for number in range(12):
        (text,) = agent.act_batch([chat], [[]])
        assert text != OUT_OF_TOKENS, number
        chat = [*chat, {"role": "assistant", "content": text}]
        chat += [{"role": "tool", "content": f"result {number} " + "x y " * 100}]
    contexts = agent.asked[0]
    assert all(len(ids) + 20 <= 2400 for ids in contexts)
    shown = [agent.format.tokenizer.decode(ids) for ids in contexts]
    assert "dropped" not in shown[1] and "dropped" in shown[-1]
