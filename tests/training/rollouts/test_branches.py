"""Groups that branch: what goes on from a trunk has its tokens, state and record, and learns only what follows."""

from __future__ import annotations

import json
import pickle
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import teller_gym.training.phases.grpo as grpo
from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.agents.sampling import Turn
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.rollouts.branches import Point, Points, play_branched
from teller_gym.training.rollouts.engines import BatchEngine, Engine
from teller_gym.training.rollouts.rollout import Begin, End, EnvPool, GoingOn, Limits, Rollout
from teller_gym.training.rollouts.trl_columns import columns_of
from teller_gym.training.run_folder.metrics_log import MetricsLog
from teller_gym.training.tasks.seeds import make_env
from tests.training.phases.test_trainers import no_leaks
from tests.training.phases.test_trainers import settings as trainer_settings
from tests.training.stand_in import Talks
from tests.training.stub_env import StubEnv, expected_call, make_task

__all__ = ["no_leaks"]

LIMITS = Limits(400, 9_000, 3)


class Desk(StubEnv):
    """Six calls at most; notes the state that it is brought back to."""

    def __init__(self) -> None:
        super().__init__(max_steps=6)
        self.restored: list[tuple[str, str]] = []

    def restore(self, snapshot: dict[str, Any]) -> None:
        super().restore(snapshot)
        self.restored.append((self.task.id, self.state_hash()))


class Babble:
    """Says the right call mostly, else a wrong or broken one or words, as draws by a seed, slot and turn have it."""

    def __init__(self, chat: ChatFormat, seed: str) -> None:
        self.chat, self.seed = chat, seed
        self.turns: Counter[int] = Counter()

    def sample(self, slots: Sequence[int], contexts: Sequence[Sequence[int]], max_new: int) -> list[Turn]:
        return [self.say(slot, context) for slot, context in zip(slots, contexts, strict=True)]

    def say(self, slot: int, context: Sequence[int]) -> Turn:
        told = self.chat.tokenizer.decode(context)
        task = make_task(int(re.findall(r"stub-generated-(\d+)", told)[0]))
        at = sum('"receipt"' in part.split("</tool_response>")[0] for part in told.split("<tool_response>")[1:])
        draw = random.Random(f"{self.seed}/{slot}/{self.turns[slot]}")
        self.turns[slot] += 1
        right = json.dumps(expected_call(task, min(at, task.calls - 1)), separators=(",", ":"))
        ways = [right, '{"name": "x"', '{"name":"nonsense","arguments":{}}', "I give up."]
        (text,) = draw.choices(ways, [14, 2, 2, 2])
        ids = self.chat.tokenizer(text)["input_ids"]
        ended = draw.random() < 0.9
        ids = [*ids, self.chat.end] if ended else ids
        return Turn(ids, [-draw.random() - 0.1 for _ in ids], ended)

    def forget(self) -> None:
        pass


class OneByOne(Engine):
    """Lets turns end in a drawn order, without a barrier."""

    def __init__(self, says: Babble) -> None:
        super().__init__()
        self.says, self.rng = says, random.Random(says.seed)
        self.asked: dict[int, list[int]] = {}

    def submit(self, slot: int, context: Sequence[int], max_new: int) -> None:
        self.asked[slot] = list(context)

    def wait(self) -> list[tuple[int, Turn]]:
        ended = self.rng.sample(sorted(self.asked), self.rng.randint(1, len(self.asked)))
        return [(slot, self.says.say(slot, self.asked.pop(slot))) for slot in ended]


class Rounds:
    """Plays rounds at a table, each with an engine of its own."""

    def __init__(self, chat: ChatFormat, seed: int, barrier: bool, concurrency: int | None, make: Any = Desk) -> None:
        self.chat, self.seed, self.barrier, self.concurrency = chat, seed, barrier, concurrency
        self.envs: list[Any] = []
        self.make = make
        self.table = EnvPool(self.seat)
        self.sizes: list[int] = []

    def seat(self) -> Any:
        self.envs.append(self.make())
        return self.envs[-1]

    def __call__(
        self, task_ids: Sequence[str], begin: Begin | None = None, going_on: GoingOn | None = None
    ) -> list[Rollout]:
        says = Babble(self.chat, f"{self.seed}/{len(self.sizes)}")
        self.sizes.append(len(task_ids))
        engine = BatchEngine(says) if self.barrier else OneByOne(says)
        return self.table.play(task_ids, engine, self.chat, LIMITS, None, self.concurrency, begin, going_on)


@pytest.fixture(scope="module")
def chat(tokenizer: Any) -> ChatFormat:
    return ChatFormat(tokenizer, PromptStyle.MINIMAL)


def begun(rollout: Rollout) -> int:
    """Tokens before the first that is learned."""
    return rollout.mask.index(1)


def played_whole(chat: ChatFormat, rollout: Rollout) -> tuple[StubEnv, dict[str, Any], list[str]]:
    """Return a fresh desk on which the rollout's turns were carried out, its last answer, and its state after each
    turn.
    """
    env = Desk()
    _, info = env.reset(options={"task_id": rollout.task_id})
    states = [env.state_hash()]
    for span in rollout.spans:
        *_, info = env.step(chat.text(rollout.ids[span.start : span.end]))
        states.append(env.state_hash())
    return env, info, states


@settings(deadline=None, max_examples=20)
@given(
    numbers=st.lists(st.integers(1, 40), min_size=1, max_size=3, unique=True),
    group=st.integers(2, 4),
    seed=st.integers(0, 999),
    barrier=st.booleans(),
    concurrency=st.none() | st.integers(1, 5),
)
def test_branches_go_on_from_their_trunk_as_if_played_whole(
    chat: ChatFormat, numbers: list[int], group: int, seed: int, barrier: bool, concurrency: int | None
) -> None:
    tasks = {place: f"stub-g-{number}" for place, number in enumerate(numbers)}
    rounds = Rounds(chat, seed, barrier, concurrency)
    rollouts = play_branched(tasks, range(len(tasks) * group), group, 1.0, f"s/{seed}", rounds)
    assert rounds.sizes == [len(tasks), len(tasks) * (group - 1)]
    assert [one.task_id for one in rollouts] == [tasks[place] for place in tasks for _ in range(group)]
    restored = [found for env in rounds.envs for found in env.restored]
    expected = []
    for start in range(0, len(rollouts), group):
        trunk, *others = rollouts[start : start + group]
        common = begun(trunk)
        turns = sum(span.end <= common for span in trunk.spans)
        assert turns < max(2, trunk.turns) - (trunk.turns > 1), "it goes on from any turn but the last"
        _, _, states = played_whole(chat, trunk)
        for other in others:
            assert begun(other) == common and other.prompt_ids == trunk.prompt_ids
            assert other.ids[:common] == trunk.ids[:common] and other.spans[:turns] == trunk.spans[:turns]
            assert not any(other.logprobs[:common])
            assert other.turns > turns
        if turns:
            expected += [(f"stub-generated-{numbers[start // group]}", states[turns])] * len(others)
    assert Counter(restored) == Counter(expected), "each begins in the trunk's state before that turn"
    for one in rollouts:
        expect_as_played_whole(chat, one)


def expect_as_played_whole(chat: ChatFormat, rollout: Rollout) -> None:
    """A rollout's account of itself follows from its turns, and of its tokens those of the model are learned."""
    env, info, _ = played_whole(chat, rollout)
    assert (rollout.score, rollout.success, rollout.terms) == (info["score"], info["success"], info["reward_terms"])
    assert rollout.errors == env.counts and rollout.messages == env.chat
    assert rollout.turns == len(rollout.spans) == env.step_count
    assert sum(span.gain for span in rollout.spans) == pytest.approx(rollout.score)
    learned = [place for span in rollout.spans for place in range(span.start, span.end) if place >= begun(rollout)]
    assert [place for place, mine in enumerate(rollout.mask) if mine] == learned != []
    assert all((score < 0) == bool(mine) for score, mine in zip(rollout.logprobs, rollout.mask, strict=True))
    found = columns_of([rollout], len(rollout.prompt_ids))
    assert len(found["completion_ids"][0]) == len(found["logprobs"][0]) == len(found["env_mask"][0])
    # Patience counts failures across the point.
    assert rollout.failed_in_a_row <= LIMITS.patience
    assert (rollout.end is End.PATIENCE) == (rollout.failed_in_a_row == LIMITS.patience and not env.over)


def test_the_same_seed_branches_alike_and_another_one_elsewhere(chat: ChatFormat) -> None:
    tasks = {place: f"stub-g-{place}" for place in range(6)}

    def go(seed: str) -> list[Rollout]:
        return play_branched(tasks, range(18), 3, 1.0, seed, Rounds(chat, 5, True, None))

    first, again, other = go("a"), go("a"), go("b")
    assert first == again
    assert [begun(one) for one in first] != [begun(one) for one in other]
    assert [one.turns for one in first[::3]] == [one.turns for one in other[::3]], "the trunks are the same"


def test_a_share_of_the_groups_branches_and_others_are_played_at_once(chat: ChatFormat) -> None:
    tasks = {place: f"stub-g-{place}" for place in range(40)}
    rounds = Rounds(chat, 5, True, None)
    rollouts = play_branched(tasks, range(80), 2, 0.3, "s", rounds)
    branching = rounds.sizes[1]
    assert 4 <= branching <= 20 and sum(rounds.sizes) == 80
    assert sum(begun(one) > 0 for one in rollouts[::2]) <= branching
    assert {begun(one) for one in rollouts[::2]} != {0}
    assert [begun(one) for one in rollouts[::2]] == [begun(one) for one in rollouts[1::2]]


def test_the_turn_is_drawn_evenly_from_all_but_the_last() -> None:
    env = StubEnv()
    env.reset(options={"task_id": "stub-g-1"})
    drawn: Counter[int] = Counter()
    for number in range(3000):
        points = Points("seed")
        rollout = Rollout(f"task-{number}", [])
        for turn in range(1, 5):
            rollout.turns = turn
            points.going_on(7, rollout, env)
        point = points.of(7)
        drawn[point.rollout.turns if point else 0] += 1
    # Five turns were played; the last of them, before which the trunk stood as well, is never chosen.
    assert set(drawn) == {0, 1, 2, 3}
    assert all(abs(count - 750) < 120 for count in drawn.values()), drawn


def test_the_others_of_a_trunk_that_broke_begin_at_the_start(chat: ChatFormat) -> None:
    class Breaks(Desk):
        """In the fifth turn, once."""

        broken = False

        def execute(self, text: str) -> dict[str, Any]:
            if self.step_count == 5 and not Breaks.broken:
                Breaks.broken = True
                raise RuntimeError("no disk")
            return super().execute(text)

    for seed in range(20):
        Breaks.broken = False
        rounds = Rounds(chat, seed, True, None, Breaks)
        trunk, *others = play_branched({0: "stub-g-1"}, range(3), 3, 1.0, "s", rounds)
        if trunk.end is End.INVALID:
            break
    else:
        raise AssertionError("no trunk came to its fifth turn")
    assert trunk.score is None and [begun(one) for one in others] == [0, 0]
    assert all(one.end is not End.INVALID and not env.restored for one in others for env in rounds.envs)


def test_a_case_of_the_bank_goes_on_from_its_snapshot(chat: ChatFormat) -> None:
    """Also from one that came from another process, as bytes."""
    env, other = (make_env("Teller-Loans-v0", {"faults": 1}, "generated") for _ in range(2))
    for one in (env, other):
        one.reset(options={"task_id": "loans-g-5"})
    core: Any = env.unwrapped
    application = re.findall(r"[A-Z]+-\d+", core.task.request)[0]
    env.step(json.dumps({"name": "get_application_data", "arguments": {"application_id": application}}))
    point = pickle.loads(pickle.dumps(Point(Rollout("loans-g-5", [1], ids=[2, 3], mask=[1, 0]), core.snapshot())))
    rollout = point.enter(other)
    moved: Any = other.unwrapped
    assert moved.state_hash() == core.state_hash() and moved.messages() == core.messages()
    assert (rollout.ids, rollout.mask) == ([2, 3], [0, 0])
    action = json.dumps({"name": "nonsense", "arguments": {}})
    assert env.step(action)[1:3] == other.step(action)[1:3]
    assert moved.grade() == core.grade()


@pytest.mark.training
def test_grpo_trains_on_branches(
    model: Any, tokenizer: Any, tmp_path: Path, no_leaks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of a group that TRL gets begin alike, and are learned from where they diverge."""
    given: list[dict[str, list[Any]]] = []
    call = Player.__call__

    def watch(self: Any, prompts: Any, trainer: Any) -> Any:
        given.append(call(self, prompts, trainer))
        return given[-1]

    monkeypatch.setattr(Player, "__call__", watch)
    monkeypatch.setattr(grpo, "make_env", lambda *_: Talks())
    small = ("method.grpo.steps=2", "method.grpo.tasks=3", "method.grpo.group=3", "method.grpo.branches={}")
    before = {name: value.clone() for name, value in model.state_dict().items()}
    log = MetricsLog(tmp_path / "metrics.jsonl")
    config = trainer_settings(*small, "method.grpo.turn_discount=0.5", "model.turn_tokens=8")
    trained = grpo.train_grpo(model, tokenizer, config, tmp_path / "grpo", log, tmp_path / "t.jsonl")
    deep = 0
    for columns_of_step in given:
        rows = [columns_of_step[name] for name in ("completion_ids", "env_mask", "logprobs")]
        for start in range(0, 9, 3):
            ids, masks, logprobs = (part[start : start + 3] for part in rows)
            common = {mask.index(1) for mask in masks}
            (length,) = common
            deep += length > 0
            assert len({tuple(one[:length]) for one in ids}) == 1
            assert not any(any(one[:length]) for one in logprobs)
            assert len({tuple(one) for one in ids}) > 1
    assert deep > 0
    assert [row["step"] for row in log.rows("grpo")] == [1, 2]
    assert any(not torch.equal(before[name], value) for name, value in trained.state_dict().items())
