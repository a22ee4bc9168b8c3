"""Expert data as tokens: drills, whole conversations and rare calls, the same however many processes make them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teller_gym.agents.chat import PromptStyle
from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import load
from teller_gym.training.demonstrations.batches import Example
from teller_gym.training.demonstrations.expert import Trajectory, Wanted, collect, read
from teller_gym.training.models.tiny import train_tokenizer
from teller_gym.training.phases.sft_data import RARE, Encoding, examples, rare_calls
from teller_gym.training.tasks.mixture import Mixture

COUNT, DRILLS = 24, 6
SFT = load("demo", ["method.sft.drill_record=nested"])[0].method.sft


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("data") / "expert.jsonl"
    collect(path, Wanted("Teller-Bank-v0", {}, working=True), COUNT)
    return path


@pytest.fixture(scope="module")
def tokenizer(data: Path) -> Any:
    made = train_tokenizer([str(one.messages) for one in read(data)], 2048)
    made.save_pretrained(data.parent)
    return made


def encoding(path: Path, drills: int = DRILLS, whole: int = COUNT - DRILLS, rare: int = 0) -> Encoding:
    counts = {"drill_trajectories": drills, "trajectories": whole, "rare_trajectories": rare}
    mixture = Mixture.of("Teller-Bank-v0", {})
    return Encoding(path, SFT.model_copy(update=counts), PromptStyle.MINIMAL, mixture)


def same(one: list[Example], other: list[Example]) -> bool:
    return len(one) == len(other) and all(
        np.array_equal(a.ids, b.ids) and np.array_equal(a.labels, b.labels) for a, b in zip(one, other, strict=True)
    )


def test_the_first_trajectories_are_cut_into_drills(data: Path, tokenizer: Any) -> None:
    _, all_whole = examples(encoding(data, 0, COUNT), data.parent, tokenizer, 1)
    short, whole = examples(encoding(data), data.parent, tokenizer, 1)
    assert same(all_whole[DRILLS:], whole) and len(whole) == COUNT - DRILLS < len(short)
    assert max(len(one.ids) for one in short) < max(len(one.ids) for one in all_whole[:DRILLS])
    # With a smaller number the rest is not read.
    _, fewer = examples(encoding(data, DRILLS, 5), data.parent, tokenizer, 1)
    assert same(fewer, whole[:5])


def test_only_rare_calls_of_the_last_trajectories_are_learned(data: Path, tokenizer: Any) -> None:
    trajectories = list(read(data))
    rare, played = rare_calls(trajectories), [one.scenario for one in trajectories]
    had = [(one.scenario, tool) for one in trajectories for tool in set(called(one))]
    assert rare == {call for call in had if had.count(call) < RARE * played.count(call[0])}
    _, before = examples(encoding(data, 0, 10), data.parent, tokenizer, 1)
    short, found = examples(encoding(data, 2, 8, 14), data.parent, tokenizer, 1)
    assert same(found[:8], before[2:])
    last = [(one.scenario, tool) for one in trajectories[10:] for tool in called(one)]
    # A call has a drill only if a tool result precedes it.
    assert 0 < len(found) - 8 <= sum(call in rare for call in last)
    for example in found[8:]:
        text = tokenizer.decode(example.ids)
        assert text.count("<tool_call>") == 1 and any(f'"name":"{tool}"' in text for _, tool in rare)
    together = examples(encoding(data, 2, 8, 14), data.parent, tokenizer, 2)
    assert same(short, together[0]) and same(found, together[1]), "two processes make something else"


def called(trajectory: Trajectory) -> list[str]:
    return [call["function"]["name"] for one in trajectory.messages for call in one.get("tool_calls") or []]


def test_a_damaged_line_is_told_by_its_number(data: Path, tokenizer: Any, tmp_path: Path) -> None:
    lines = data.read_bytes().splitlines(keepends=True)
    lines[20] = lines[20][:50] + b"\n"
    spoilt = tmp_path / "spoilt.jsonl"
    spoilt.write_bytes(b"".join(lines))
    spoilt.with_suffix(".head.json").write_bytes(data.with_suffix(".head.json").read_bytes())
    with pytest.raises(OptionError, match="line 21 is damaged"):
        examples(replace(encoding(data), path=spoilt), data.parent, tokenizer, 1)
