"""Episodes as tokens of the model and of the environment, and the ways in which an episode can end."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teller_gym.agents.chat import ChatFormat
from teller_gym.agents.sampling import Turn
from teller_gym.training.config.run import load
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.rollouts.engines import BatchEngine
from teller_gym.training.rollouts.rollout import End, EnvPool, Limits, Rollout
from teller_gym.training.tasks.seeds import LeakError, make_env
from teller_gym.training.trainer_parts.rewards import score
from tests.training.stub_env import StubEnv, expected_call


def compact(call: dict[str, Any]) -> str:
    return json.dumps(call, separators=(",", ":"))


class Scripted:
    """Plays each slot's script, and the expert's calls after its end."""

    def __init__(self, chat: ChatFormat, envs: list[StubEnv], scripts: dict[int, list[str]], cut: bool = False) -> None:
        self.chat, self.envs, self.scripts, self.cut = chat, envs, scripts, cut
        self.contexts: list[list[int]] = []

    def engine(self, temperature: float, seed: int) -> BatchEngine:
        return BatchEngine(self)

    def sample(self, slots: Sequence[int], contexts: Sequence[Sequence[int]], max_new: int) -> list[Turn]:
        turns = []
        for slot, context in zip(slots, contexts, strict=True):
            self.contexts.append(list(context))
            script = self.scripts.get(slot)
            text = script.pop(0) if script else compact(expected_call(self.envs[slot].task, self.envs[slot].at))
            text = f"<tool_call>{text}</tool_call>" if text.startswith("{") else text
            ids = self.chat.tokenizer(text)["input_ids"]
            ids = ids if self.cut else [*ids, self.chat.end]
            turns.append(Turn(ids, [-0.5] * len(ids), not self.cut))
        return turns

    def forget(self) -> None:
        pass


def play(
    chat: ChatFormat, scripts: dict[int, list[str]], ids: Sequence[str] = ("stub-g-1", "stub-g-2"),
    limits: Limits | None = None, cut: bool = False, envs: list[StubEnv] | None = None,
) -> tuple[list[Rollout], Scripted]:  # fmt: skip
    envs = envs or [StubEnv() for _ in ids]
    made = iter(envs)
    table = EnvPool(lambda: next(made))
    sampler = Scripted(chat, envs, scripts, cut)
    return table.play(ids, sampler, chat, limits or Limits(200, 10_000, 99)), sampler


def test_the_expert_scores_one_and_tokens_are_carried_over(chat: ChatFormat) -> None:
    rollouts, sampler = play(chat, {})
    for rollout in rollouts:
        assert rollout.end is End.DONE and rollout.success and rollout.score == pytest.approx(1)
        assert len(rollout.ids) == len(rollout.mask) == len(rollout.logprobs)
        assert {p for p, m in zip(rollout.logprobs, rollout.mask, strict=True) if m} == {-0.5}
        assert {p for p, m in zip(rollout.logprobs, rollout.mask, strict=True) if not m} == {0.0}
        said = chat.tokenizer.decode([token for token, mine in zip(rollout.ids, rollout.mask, strict=True) if mine])
        assert said.count("<tool_call>") == rollout.turns and "<tool_response>" not in said
        # The tokens collected piece by piece equal those of the whole conversation rendered at once.
        whole = chat.prompt_ids(rollout.messages, [])
        assert rollout.context == whole[: len(rollout.context)]
    last = max(sampler.contexts, key=len)
    assert any(rollout.context[: len(last)] == last for rollout in rollouts)


def test_an_error_is_told_and_counted_and_the_episode_goes_on(chat: ChatFormat) -> None:
    rollouts, sampler = play(chat, {0: ['{"name": "x"', '{"name":"nonsense","arguments":{}}']})
    assert rollouts[0].errors == {"malformed": 1, "order": 1}
    assert rollouts[0].end is End.DONE and 0.9 < (rollouts[0].score or 0) < 1
    told = chat.tokenizer.decode(sampler.contexts[2])
    assert "could not read the call" in told and told.endswith("<|im_start|>assistant")
    assert rollouts[1].errors == {}
    (gives_up, _), _ = play(chat, {0: ["I give up."]})
    assert gives_up.end is End.DONE and gives_up.score == 0 and gives_up.turns == 1


def test_a_turn_that_was_cut_is_closed_by_the_environment(chat: ChatFormat) -> None:
    (rollout,), sampler = play(chat, {0: ['{"name": "x"']}, ["stub-g-1"], cut=True)
    assert rollout.cut == rollout.turns
    first = sampler.contexts[1][len(sampler.contexts[0]) :]
    end = first.index(chat.end)
    assert rollout.ids[end] == chat.end and rollout.mask[end] == 0 and rollout.mask[end - 1] == 1


def test_no_room_for_a_turn_ends_the_episode_with_what_it_earned(chat: ChatFormat) -> None:
    (rollout,), _ = play(chat, {}, ["stub-g-1"], Limits(200, 900, 99))
    assert rollout.end is End.TOKENS and 0 < (rollout.score or 0) < 1
    assert len(rollout.context) <= 900
    assert rollout.ids[-1] == chat.end


def test_failures_in_a_row_end_the_episode_and_a_good_call_starts_the_count_anew(chat: ChatFormat) -> None:
    env = StubEnv()
    env.reset(options={"task_id": "stub-g-1"})
    bad, good = '{"name":"nonsense","arguments":{}}', json.dumps(expected_call(env.task, 0))
    (rollout,), _ = play(chat, {0: [bad, good, bad, bad]}, ["stub-g-1"], Limits(200, 10_000, 2))
    assert rollout.end is End.PATIENCE and rollout.turns == 4 and rollout.errors == {"order": 3}
    assert rollout.score == pytest.approx(1 / env.task.calls - 0.03)


def test_a_tool_that_crashes_fails_the_call_and_not_the_episode(
    chat: ChatFormat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A policy gains nothing from a crashing tool: its rollout is still rewarded, and has the penalty of an error."""

    def crash(*_: object) -> str:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("teller_gym.envs.episode.bank.run_tool", crash)
    call = '{"name":"get_application_data","arguments":{"application_id":"LA-000000"}}'
    envs: list[Any] = [make_env("Teller-Loans-v0", {}, "generated") for _ in range(2)]
    ids = ["loans-g-1", "loans-g-1"]
    rollouts, _ = play(chat, {0: [call, call, "I give up."], 1: ["I give up."]}, ids, envs=envs)
    crashed, idle = rollouts
    assert crashed.end is End.DONE and crashed.errors == {"crash": 2} and crashed.turns == 3
    assert crashed.score is not None and idle.score is not None and crashed.score <= idle.score
    assert crashed.terms["penalties"] > idle.terms["penalties"] == 0
    what = "get_application_data: ZeroDivisionError: by nothing"
    assert [told.partition(" (")[0] for told in crashed.defects] == [what, what]
    assert sum("the defect is ours" in record.getMessage() for record in caplog.records) == 2
    assert idle.defects == [] and idle.errors == {}
    figures: dict[str, float] = {}
    assert score(rollouts, log_metric=figures.__setitem__) == [crashed.score, idle.score]
    assert figures["calls/crashed"] == figures["calls/failed"] == 0.5 and figures["episodes/invalid"] == 0
    config, _ = load("demo", ["method.grpo.group=2"])
    player = Player(config, chat.tokenizer, EnvPool(lambda: envs[0]), tmp_path / "t.jsonl")
    player._write([crashed, crashed, idle, idle], 0)
    first, second = map(json.loads, (tmp_path / "t.jsonl").read_text().splitlines())
    assert first["errors"] == {"crash": 2} and first["defects"] == crashed.defects and "defects" not in second


def test_each_task_is_checked_before_it_is_played(chat: ChatFormat) -> None:
    def refuse(task: Any) -> None:
        raise LeakError(task.id)

    with pytest.raises(LeakError, match="stub-generated-1"):
        EnvPool(StubEnv).play(["stub-g-1"], Scripted(chat, [], {}), chat, Limits(10, 100, 99), refuse)


def test_an_episode_may_begin_at_a_later_state(chat: ChatFormat) -> None:
    """Begin with a snapshot of another environment and the tokens up to it."""
    env = StubEnv()
    env.reset(options={"task_id": "stub-g-1"})
    call = json.dumps(expected_call(env.task, 0))
    env.step(call)
    begun = Rollout("stub-g-1", chat.prompt_ids(env.messages(), []), turns=1)

    def begin(slot: int, other: Any) -> Rollout | None:
        if slot:
            return None
        other.restore(env.snapshot())
        return replace(begun, ids=[], mask=[], logprobs=[], spans=[], errors={}, terms={}, defects=[])

    envs = [StubEnv(), StubEnv()]
    made, sampler = iter(envs), Scripted(chat, envs, {})
    tail, whole = EnvPool(lambda: next(made)).play(
        ["stub-g-1", "stub-g-1"], sampler, chat, Limits(200, 10_000, 99), begin=begin
    )
    assert tail.score == whole.score == pytest.approx(1) and tail.turns == whole.turns
    assert len(tail.spans) == len(whole.spans) - 1 and sampler.contexts[0] == begun.prompt_ids
    assert env.at == 1, "what was restored is a copy"
