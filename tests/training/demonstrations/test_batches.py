"""The loss covers the assistant's tokens and nothing else; each conversation is used once."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import teller_gym
from teller_gym.agents.chat import PromptStyle
from teller_gym.agents.scripted import WorkingExpert
from teller_gym.procedure.working import read as read_note
from teller_gym.training.config.sft import Stage
from teller_gym.training.demonstrations.batches import (
    IGNORED,
    BatchCollator,
    encode,
    make_dataset,
    plan_batches,
    split,
    split_alike,
)
from teller_gym.training.demonstrations.drills import drills, sources
from teller_gym.training.demonstrations.expert import Trajectory, play_expert
from teller_gym.training.tasks.seeds import LeakGuard, make_env


def test_mask_decodes_to_the_assistants_turns(tokenizer: Any, trajectories: list[Trajectory]) -> None:
    trajectory = trajectories[0]
    example = encode(trajectory, tokenizer, PromptStyle.MINIMAL)
    wanted = ""
    for message in trajectory.messages:
        if message["role"] == "assistant":
            call = message["tool_calls"][0]["function"]
            text = json.dumps({"name": call["name"], "arguments": call["arguments"]}, separators=(",", ":"))
            wanted += f"<tool_call>{text}</tool_call><|im_end|>"
    learned = [int(token) for token in example.labels if token != IGNORED]
    assert tokenizer.decode(learned, clean_up_tokenization_spaces=False) == wanted
    assert all(a == b for a, b in zip(example.ids, example.labels, strict=True) if b != IGNORED)


def test_plan_uses_each_conversation_once_and_keeps_the_budget() -> None:
    lengths = [50 + 37 * (n % 29) for n in range(700)]
    plan = plan_batches(lengths, [Stage(share=0.3, max_tokens=200), Stage(share=0.7)], 3000, seed=1)
    assert sorted(number for _, group in plan for number in group) == list(range(700))
    for cut, group in plan:
        longest = max(min(lengths[number], cut or 10**9) for number in group)
        assert longest * len(group) <= 3000 or len(group) == 1
    cuts = [cut for cut, _ in plan]
    assert cuts == sorted(cuts, key=lambda cut: cut is None), "the stages come in order"
    assert plan == plan_batches(lengths, [Stage(share=0.3, max_tokens=200), Stage(share=0.7)], 3000, seed=1)
    assert plan != plan_batches(lengths, [Stage(share=0.3, max_tokens=200), Stage(share=0.7)], 3000, seed=2)


def test_a_batch_is_padded_at_the_end(tokenizer: Any, trajectories: list[Trajectory]) -> None:
    examples = [encode(one, tokenizer, PromptStyle.MINIMAL) for one in trajectories[:3]]
    dataset = make_dataset(examples, [(100, [0, 1]), (None, [2, 0])])
    batch = BatchCollator(tokenizer.pad_token_id)([dataset[1]])
    lengths = [len(examples[2].ids), len(examples[0].ids)]
    assert batch["input_ids"].shape == (2, max(lengths))
    assert batch["attention_mask"].sum(1).tolist() == lengths
    shorter = lengths.index(min(lengths))
    assert set(batch["labels"][shorter, min(lengths) :].tolist()) <= {IGNORED}
    assert dataset[0]["input_ids"][0].tolist() == examples[0].ids[:100].tolist()


def test_a_drill_holds_what_its_call_copies(trajectories: list[Trajectory]) -> None:
    cut = list(drills(trajectories[0], others=3, seed=0))
    assert len(cut) == sum(message["role"] == "assistant" for message in trajectories[0].messages) - 1
    for drill in cut:
        record = json.loads(drill.messages[0]["content"])
        call = drill.messages[1]["tool_calls"][0]["function"]["arguments"]
        assert set(map(json.dumps, call.values())) <= set(map(json.dumps, record.values()))
        assert len(record) <= 2 * len(call) + 3


def test_a_nested_drill_holds_what_both_persons_have() -> None:
    """Every value of its note and call that was not derived is in the record, too."""
    loans = teller_gym.load_scenario("loans")
    env = make_env("Teller-Loans-v0", {}, "generated")
    expert = WorkingExpert(env)
    both = 0
    for seed in range(12):
        trajectory = play_expert(env, expert, f"loans-g-{seed}", LeakGuard())
        parts = [json.loads(one["content"]) for one in trajectory.messages if one["role"] == "tool"]
        everything = "".join(one["content"] for one in trajectory.messages if one["role"] == "tool")
        for drill in drills(trajectory, 4, seed, sources(loans.graph), nested=True):
            record = json.loads(drill.messages[0]["content"])
            flat = json.dumps(record)
            note = read_note(drill.messages[1]["content"])
            for name, value in note.items():
                before, _, plain = name.partition("_")
                if before in ("primary", "co") and isinstance(value, str):
                    assert json.dumps(value) in flat, (name, value)
                    rows: list[Any] = next((one["applicants"] for one in record if "applicants" in one), [])
                    if plain == "date_of_birth" and len(parts[0]["applicants"]) > 1:
                        both += len([row for row in rows if "date_of_birth" in row]) == 2
            assert len(flat) < len(everything) + 4_000
    assert both > 5


def test_a_drill_holds_what_its_call_is_worked_out_from() -> None:
    """The notice's due date follows from the day on which the clock started, which the call does not repeat."""
    loans = teller_gym.load_scenario("loans")
    env = make_env("Teller-Loans-v0", {}, "generated")
    expert = teller_gym.make_agent("expert", env)
    seen = 0
    for seed in range(6):
        trajectory = play_expert(env, expert, f"loans-g-{seed}", LeakGuard())
        for drill in drills(trajectory, others=0, seed=seed, follows_from=sources(loans.graph)):
            record = json.loads(drill.messages[0]["content"])
            call = drill.messages[1]["tool_calls"][0]["function"]
            if call["name"] == "send_adverse_action_notice":
                seen += 1
                assert {"clock_start", "decision", "delivery_preference"} <= record.keys()
    assert seen, "none of the cases ended in a notice"


@given(st.integers(1, 4), st.integers(1, 20), st.integers(1, 1000), st.data())
def test_every_row_is_in_one_pass_and_processes_make_the_same_passes_within_the_budget(
    processes: int, rows: int, budget: int, data: st.DataObject
) -> None:
    everyones = [data.draw(st.lists(st.integers(1, 300), min_size=rows, max_size=rows)) for _ in range(processes)]
    passes = [split_alike(lengths, everyones, budget) for lengths in everyones]
    for lengths, mine in zip(everyones, passes, strict=True):
        assert [len(one) for one in mine] == [len(one) for one in passes[0]]
        assert sorted(row for one in mine for row in one) == list(range(rows))
        for one in mine:
            assert len(one) == 1 or len(one) * max(lengths[row] for row in one) <= budget
        assert processes > 1 or mine == split(lengths, budget)


def test_padding_is_less_than_to_the_longest() -> None:
    lengths = [4500, 900, 1000, 950, 2000, 1000, 930, 2100]
    padded = sum(len(rows) * max(lengths[row] for row in rows) for rows in split(lengths, 4600))
    assert padded < 1.1 * sum(lengths) < 0.5 * len(lengths) * max(lengths)
