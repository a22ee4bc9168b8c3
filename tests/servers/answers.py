"""Answers of the scripted model: the actions of each case, and the progress of a chat."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

Answers = Mapping[str, Sequence[str]]
"""Actions in order, by the case id that the user's message names, or by the message's own digest (stage 1)."""

SPOILT_MARK = "spoilt-on-purpose"
"""Marks spoilt answers in all formats, so that they do not count as progress when they are sent back."""

SPOILT = f'{{"{SPOILT_MARK}'

_DROPPED = re.compile(r"oldest \d+ turns of this chat, with (\d+) tool results, were left out")
"""An agent's note in place of dropped turns; each of their tool results belongs to one action."""

_CASE = re.compile(r"\b[A-Z][A-Z0-9-]*-\d+\b")


class Function(msgspec.Struct):
    name: str
    arguments: str


class Called(msgspec.Struct):
    id: str
    function: Function


class Message(msgspec.Struct):
    """The fields of a request's message that the server reads."""

    role: str
    content: str | None = None
    tool_calls: list[Called] | None = None
    tool_call_id: str | None = None


def digest(text: str) -> str:
    """Return the key of a message that does not name a case."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def case_of(messages: Sequence[Message], answers: Answers) -> str | None:
    """Return the key of a chat's case; None if there are no answers for it."""
    text = next((message.content or "" for message in messages if message.role == "user"), "")
    named = next((name for name in _CASE.findall(text) if name in answers), None)
    if named is None and answers:
        named = digest(text)
    return named if named in answers else None


def turns(messages: Iterable[Message]) -> int:
    """Return the number of model turns so far."""
    return sum(message.role == "assistant" for message in messages)


def progress(messages: Iterable[Message]) -> int:
    """Return the number of actions so far, not counting spoilt ones, which are repeated."""
    said = (message for message in messages if message.role == "assistant")
    return sum(_actions(message) for message in said)


def _actions(message: Message) -> int:
    if (dropped := _DROPPED.search(message.content or "")) is not None:
        return int(dropped[1])
    if message.tool_calls:
        return sum(SPOILT_MARK not in call.function.arguments for call in message.tool_calls)
    return SPOILT_MARK not in (message.content or "")


def misplaced(messages: Sequence[Message]) -> str | None:
    """Return a strict server's reason to refuse a chat: results without calls, or calls without results."""
    open_ids: set[str] = set()
    for number, message in enumerate(messages):
        if message.role == "tool":
            if message.tool_call_id not in open_ids:
                return f"messages[{number}]: the result {message.tool_call_id!r} follows no call of that id"
            open_ids.remove(message.tool_call_id)
        elif open_ids:
            return f"messages[{number}]: the calls {sorted(open_ids)} have no result before it"
        for call in message.tool_calls or ():
            open_ids.add(call.id)
    return f"the calls {sorted(open_ids)} have no result" if open_ids else None


def expert_answers(scenario: str, split: str, *, task_ids: Sequence[str] | None = None) -> dict[str, list[str]]:
    """Return the expert's actions for the frozen tasks of a split, or for some of them."""
    import teller_gym
    from teller_gym.tools.run import action_text

    tasks = [t for t in teller_gym.load_tasks(scenario, split) if task_ids is None or t.id in task_ids]
    return {task.case_id: [action_text(call) for call in task.standard.calls] for task in tasks}


def graph_answers(scenario: str, split: str, numbers: Iterable[int]) -> dict[str, list[str]]:
    """Return the gold graphs of tasks of stage 1, by the digest of the user's message."""
    from teller_gym.agents.graph_answers import GRAPH_ANSWERS
    from teller_gym.stage1.context import context
    from teller_gym.stage1.task import graph_task

    tasks = [graph_task(scenario, split, number) for number in numbers]
    return {digest(context(task)): [GRAPH_ANSWERS["gold"](task)] for task in tasks}
