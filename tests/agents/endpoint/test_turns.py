"""The chats of both protocols: requests, answers, and that messages are only ever appended."""

import asyncio
import json
from itertools import pairwise
from typing import Any

import pytest

from teller_gym.agents.base import Dialogue, DialogueAgent
from teller_gym.agents.chat import signature
from teller_gym.agents.endpoint.agent import seed_of
from teller_gym.tools.parse import readable_call
from tests.agents.endpoint.server import MESSAGES, TOOL, Endpoint, call, play, says

CALL = '{"name": "look", "arguments": {"at": 1}}'
DRAFT = '{"name": "look", "arguments": {"at": 2}}'
TURN = f"<sop_analysis>a</sop_analysis>\n<step_progress>b</step_progress>\n{CALL}"


def test_a_call_becomes_an_action_and_its_result_goes_back_under_its_id(endpoint: Endpoint) -> None:
    endpoint.will(says("I look.", [call(arguments='{"at": 1}', call_id="abc")]), says("Done."))
    agent = endpoint.agent(temperature=0.5, extra_body={"reasoning_effort": "low"})
    assert isinstance(agent, DialogueAgent)
    first, second = play(agent, (), ('{"seen": 2}',))
    assert first.actions == ('{"name":"look","arguments":{"at": 1}}',)
    assert (first.note["said"], first.note["finish_reason"]) == ("I look.", "stop")
    assert first.usage == {"prompt": 100, "completion": 7}
    assert second.actions == ("Done.",)
    assert "said" not in second.note
    asked = endpoint.bodies[1]
    assert (asked["model"], asked["temperature"], asked["reasoning_effort"]) == ("m", 0.5, "low")
    assert (asked["max_tokens"], asked["tools"]) == (8192, [TOOL])
    assert asked["messages"] == [
        *MESSAGES,
        {"role": "assistant", "content": "I look.", "tool_calls": [call(arguments='{"at": 1}', call_id="abc")]},
        {"role": "tool", "tool_call_id": "abc", "content": '{"seen": 2}'},
    ]


def test_every_request_begins_with_the_one_before(endpoint: Endpoint) -> None:
    endpoint.will(
        says(None, [call()], reasoning_content="hm"), says("<think>a</think>b <tool_call>"), says("", [call(), call()])
    )
    play(endpoint.agent(), (), ("é\n",), ("2",), ("3", "4"))
    sent = [body["messages"] for body in endpoint.bodies]
    assert [len(messages) for messages in sent] == [2, 4, 6, 9]
    for before, after in pairwise(sent):
        assert after[: len(before)] == before
    assert "hm" not in json.dumps(sent)


def test_several_calls_are_several_actions_and_each_result_finds_its_own(endpoint: Endpoint) -> None:
    endpoint.will(says(None, [call("a", call_id="x"), call("b", call_id="y")]), says("end"))
    replies = play(endpoint.agent(), (), ("of a", "of b"))
    assert [json.loads(action)["name"] for action in replies[0].actions] == ["a", "b"]
    assert endpoint.bodies[1]["messages"][-2:] == [
        {"role": "tool", "tool_call_id": "x", "content": "of a"},
        {"role": "tool", "tool_call_id": "y", "content": "of b"},
    ]


@pytest.mark.parametrize(
    ("arguments", "action", "back"),
    [
        ('{"a": ', '{"name":"look","arguments":{"a": }', '{"unreadable":"{\\"a\\": "}'),
        ("[1]", '{"name":"look","arguments":[1]}', '{"unreadable":"[1]"}'),
        ("", '{"name":"look","arguments":{}}', "{}"),
        (None, '{"name":"look","arguments":{}}', "{}"),
        ({"a": 1}, '{"name":"look","arguments":{"a":1}}', '{"a":1}'),
    ],
)
def test_arguments_reach_the_env_as_written_and_go_back_as_an_object(
    endpoint: Endpoint, arguments: Any, action: str, back: str
) -> None:
    endpoint.will(says(None, [call(arguments=arguments, extra_content={"kept": True})]), says("end"))
    first, _ = play(endpoint.agent(), (), ("r",))
    assert first.actions == (action,)
    returned = endpoint.bodies[1]["messages"][2]["tool_calls"][0]
    assert (returned["function"]["arguments"], returned["id"]) == (back, "c1")
    assert returned["extra_content"] == {"kept": True}


def test_calls_without_an_id_get_one_of_their_own(endpoint: Endpoint) -> None:
    endpoint.will(says(None, [call(call_id=None), call(call_id="")]), says(None, [call(call_id=None)]), says("end"))
    play(endpoint.agent(), (), ("1", "2"), ("3",))
    messages = endpoint.bodies[2]["messages"]
    given = [one["id"] for message in messages for one in message.get("tool_calls", [])]
    assert len(set(given)) == 3
    assert given == [message["tool_call_id"] for message in messages if message["role"] == "tool"]


def test_text_that_holds_a_call_is_left_to_the_env_and_its_result_is_a_message_of_the_user(endpoint: Endpoint) -> None:
    text = '<tool_call>{"name": "look", "arguments": {}}</tool_call>'
    endpoint.will(says(f"<think>so</think>{text}"), says("end"))
    first, _ = play(endpoint.agent(), (), ("r",))
    assert (first.actions, first.note["thinking"]) == ((text,), "so")
    assert first.note["said"] == f"<think>so</think>{text}"
    assert endpoint.bodies[1]["messages"][-1] == {"role": "user", "content": "Tool result:\nr"}


@pytest.mark.parametrize(
    ("content", "more", "action"),
    [
        (None, {}, ""),
        ("", {"reasoning_content": "long"}, ""),
        ("<think>cut off", {}, ""),
        ("thought</think>\n\nanswer", {}, "answer"),
        ([{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}], {}, "in parts"),
        (None, {"refusal": "I will not."}, "I will not."),
    ],
)
def test_answers_without_a_call_are_text(endpoint: Endpoint, content: Any, more: dict[str, Any], action: str) -> None:
    endpoint.will(says(content, **more))
    assert play(endpoint.agent())[0].actions == (action,)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (False, None),
        ({"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}, {"prompt": 5, "completion": 2}),
        ({"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 17}, {"prompt": 5, "completion": 12}),
    ],
)
def test_tokens_are_the_servers_count_or_none(endpoint: Endpoint, usage: Any, counted: Any) -> None:
    endpoint.will(says("x", usage=usage))
    assert play(endpoint.agent())[0].usage == counted


def test_seeds_belong_to_episode_and_turn(endpoint: Endpoint) -> None:
    endpoint.will(says(None, [call()]))
    for _ in range(2):
        play(endpoint.agent(send_seed=True), (), ("r",))
    seeds = [body["seed"] for body in endpoint.bodies]
    assert seeds == [seed_of(3, 0), seed_of(3, 1)] * 2
    assert len({seed_of(episode, turn) for episode in range(50) for turn in range(50)}) == 2500
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_thinking_is_switched_beside_other_options_of_the_template(endpoint: Endpoint) -> None:
    endpoint.will(says("x"))
    play(endpoint.agent(thinking=False, extra_body={"chat_template_kwargs": {"a": 1}}))
    assert endpoint.bodies[0]["chat_template_kwargs"] == {"a": 1, "enable_thinking": False}


def test_stage_1_is_a_plain_chat_whatever_the_protocol(endpoint: Endpoint) -> None:
    endpoint.will(says("<think>graph</think>{}"))
    for protocol in ("native", "react"):
        assert play(endpoint.agent(protocol=protocol), tools=())[0].actions == ("{}",)
    for body in endpoint.bodies:
        assert "tools" not in body
        assert body["messages"] == MESSAGES


def test_one_agent_holds_many_chats(endpoint: Endpoint) -> None:
    endpoint.will(says(None, [call()]))

    async def chats() -> int:
        agent = endpoint.agent()
        dialogues: list[Dialogue] = [agent.open(MESSAGES, [TOOL], seed) for seed in range(20)]
        try:
            await asyncio.gather(*(dialogue.answer(()) for dialogue in dialogues))
            await asyncio.gather(*(dialogue.answer(("r",)) for dialogue in dialogues))
        finally:
            await agent.aclose()
        return len(dialogues)

    assert asyncio.run(chats()) == 20
    assert sorted(len(body["messages"]) for body in endpoint.bodies) == [2] * 20 + [4] * 20


def test_react_tools_and_results_are_text(endpoint: Endpoint) -> None:
    endpoint.will(says(TURN, reasoning_content="hm"), says("<final_response>ok</final_response>"))
    first, second = play(endpoint.agent(protocol="react"), (), ('{"seen": 2}',))
    assert (first.actions, first.note["said"], first.note["thinking"]) == ((CALL,), TURN, "hm")
    assert second.actions == ("ok",)
    before, after = endpoint.bodies
    assert "tools" not in before
    answer = {"role": "assistant", "content": TURN}
    assert after["messages"] == [
        *before["messages"], answer, {"role": "user", "content": 'Tool result:\n{"seen": 2}'}
    ]  # fmt: skip


def test_the_react_system_message_holds_protocol_tools_and_the_procedure(endpoint: Endpoint) -> None:
    endpoint.will(says("x"))
    for tool_text in ("full", "compact"):
        play(endpoint.agent(protocol="react", tool_text=tool_text))
    full, compact = (body["messages"][0]["content"] for body in endpoint.bodies)
    for text in (full, compact):
        assert text.endswith(MESSAGES[0]["content"])
        assert "exactly one JSON object" in text and "<final_response>" in text
        assert "{tools}" not in text and "{system}" not in text
    assert json.loads(next(line for line in full.splitlines() if line.startswith('{"name":"look"'))) == TOOL["function"]
    assert signature(TOOL) in compact.splitlines()
    assert [body["messages"][1:] for body in endpoint.bodies] == [MESSAGES[1:]] * 2


# -- thinking ---------------------------------------------------------------------------------------------------------


def magistral(thought: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": [{"type": "text", "text": thought}], "closed": True}


SAID = {"type": "text", "text": CALL}
SUMMARY = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}]}


@pytest.mark.parametrize("protocol", ["native", "react"])
@pytest.mark.parametrize(
    ("content", "thinking"),
    [
        ([magistral(f"Or {DRAFT}?"), SAID], f"Or {DRAFT}?"),
        ([magistral("a"), magistral("b"), SAID], "a\nb"),
        ([{"type": "thinking", "thinking": "a", "signature": "x"}, SAID], "a"),
        ([{"type": "reasoning", "text": f"Or {DRAFT}?"}, SAID], f"Or {DRAFT}?"),
        ([{"type": "reasoning.text", "text": "a"}, SAID], "a"),
        ([SUMMARY, SAID], "a"),
        ([{"type": "thinking"}, {"type": "redacted_thinking", "data": "x"}, SAID], ""),
        ([{"type": "text", "text": f"<think>{DRAFT}</think>"}, SAID], DRAFT),
        ([{"type": 5, "text": CALL}, "x", None], ""),
        (f"[THINK]{DRAFT}[/THINK]{CALL}", DRAFT),
    ],
)
def test_thoughts_in_parts_are_noted_and_are_no_words(
    endpoint: Endpoint, protocol: str, content: Any, thinking: str
) -> None:
    endpoint.will(says(content))
    (reply,) = play(endpoint.agent(protocol=protocol))
    assert reply.note.get("thinking", "") == thinking
    assert readable_call(reply.actions[0]) == ("", "look", {"at": 1})


PARTS = [magistral("hm"), {"type": "text", "text": "I look."}]
DETAILS = [{"type": "reasoning.encrypted", "data": "q83v", "id": "r1", "index": 0}]
FIELDS: dict[str, dict[str, Any]] = {
    "deepseek": {"reasoning_content": "First,\nlook."},
    "deepseek, nothing thought": {"reasoning_content": ""},
    "vllm": {"reasoning": "First, look."},
    "openrouter": {"reasoning": "First, look.", "reasoning_details": DETAILS},
    "minimax": {"reasoning_details": [{"type": "reasoning.text", "text": "First, look.", "signature": None}]},
}


def sent_back(endpoint: Endpoint, content: Any, fields: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Return the assistant's message in the second request."""
    endpoint.will(says(content, [] if options.get("protocol") == "react" else [call()], **fields))
    play(endpoint.agent(**options), (), ("r",))
    found: dict[str, Any] = endpoint.bodies[-1]["messages"][2]
    assert found["role"] == "assistant"
    return found


@pytest.mark.parametrize("protocol", ["native", "react"])
@pytest.mark.parametrize("who", FIELDS)
def test_thinking_goes_back_as_it_came(endpoint: Endpoint, who: str, protocol: str) -> None:
    names = ("reasoning_content", "reasoning", "reasoning_details")
    message = sent_back(endpoint, "I look.", FIELDS[who], return_thinking=True, protocol=protocol)
    assert {name: message[name] for name in names if name in message} == FIELDS[who]
    for option in (False, None):
        message = sent_back(endpoint, "I look.", FIELDS[who], return_thinking=option, protocol=protocol)
        assert not {*names} & message.keys()
        assert message["content"] == "I look."


@pytest.mark.parametrize(("option", "content"), [(True, PARTS), (None, PARTS), (False, PARTS[1:])])
def test_parts_of_the_content_go_back_unless_they_are_not_wanted(
    endpoint: Endpoint, option: bool | None, content: Any
) -> None:
    assert sent_back(endpoint, PARTS, {}, return_thinking=option)["content"] == content
    assert sent_back(endpoint, PARTS[:1], {}, return_thinking=False)["content"] is None


# -- the older format -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", ['{"at": 1}', {"at": 1}])
@pytest.mark.parametrize("more", [{}, {"tool_calls": None}, {"tool_calls": []}])
def test_a_call_in_the_older_format_is_a_call(endpoint: Endpoint, arguments: Any, more: dict[str, Any]) -> None:
    endpoint.will(says(None, function_call={"name": "look", "arguments": arguments}, **more), says("end"))
    first, _ = play(endpoint.agent(), (), ("r",))
    assert [json.loads(action) for action in first.actions] == [{"name": "look", "arguments": {"at": 1}}]
    said, result = endpoint.bodies[1]["messages"][2:]
    (sent,) = said["tool_calls"]
    assert (sent["type"], sent["function"]["name"], json.loads(sent["function"]["arguments"])) == (
        "function", "look", {"at": 1},
    )  # fmt: skip
    assert result == {"role": "tool", "tool_call_id": sent["id"], "content": "r"}


@pytest.mark.parametrize("given", [None, {}, {"name": ""}, {"name": None, "arguments": "{}"}, "look", 3])
def test_what_is_no_call_in_the_older_format_is_passed_over(endpoint: Endpoint, given: Any) -> None:
    endpoint.will(says("Done.", function_call=given))
    assert play(endpoint.agent())[0].actions == ("Done.",)
    newer = {"id": "1", "type": "function", "function": {"name": "new", "arguments": "{}"}}
    endpoint.will(says(None, [newer], function_call=given))
    assert [json.loads(action)["name"] for action in play(endpoint.agent())[0].actions] == ["new"]
