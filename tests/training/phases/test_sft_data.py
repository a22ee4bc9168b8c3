"""Expert data as tokens: the same, however many processes make them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teller_gym.agents.chat import PromptStyle
from teller_gym.base.errors import OptionError
from teller_gym.training.demonstrations.batches import Example
from teller_gym.training.demonstrations.expert import Trajectory, Wanted, collect, read
from teller_gym.training.models.tiny import train_tokenizer
from teller_gym.training.phases.sft_data import RARE, Encoding, examples, rare_calls
from teller_gym.training.tasks.mixture import Mixture

COUNT, DRILLS = 30, 6


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("data") / "expert.jsonl"
    collect(path, Wanted("Teller-Bank-v0", {}, working=True), COUNT)
    return path


@pytest.fixture(scope="module")
def tokenizer(data: Path) -> object:
    return train_tokenizer([str(one.messages) for one in read(data)], 2048)


def encoding(path: Path, drills: int = DRILLS, whole: int = COUNT - DRILLS, rare: int = 0) -> Encoding:
    mixture = Mixture.of("Teller-Bank-v0", {})
    return Encoding(path, drills, whole, rare, 4, nested=True, style=PromptStyle.parse("minimal"), mixture=mixture)


def same(one: list[Example], other: list[Example]) -> bool:
    return len(one) == len(other) and all(
        np.array_equal(a.ids, b.ids) and np.array_equal(a.labels, b.labels) for a, b in zip(one, other, strict=True)
    )


def test_two_processes_make_what_one_makes(data: Path, tokenizer: object, tmp_path: Path) -> None:
    tokenizer.save_pretrained(tmp_path)  # type: ignore[attr-defined]
    alone = examples(encoding(data), tmp_path, tokenizer, 1)
    together = examples(encoding(data), tmp_path, tokenizer, 2)
    assert same(alone[0], together[0]) and same(alone[1], together[1])
    assert len(alone[1]) == COUNT - DRILLS < len(alone[0])


def test_the_first_trajectories_are_cut_into_drills(data: Path, tokenizer: object, tmp_path: Path) -> None:
    _, all_whole = examples(encoding(data, 0, COUNT), tmp_path, tokenizer, 1)
    short, whole = examples(encoding(data), tmp_path, tokenizer, 1)
    assert same(all_whole[DRILLS:], whole)
    assert max(len(one.ids) for one in short) < max(len(one.ids) for one in all_whole[:DRILLS])
    # Fewer than there are: the rest is not read.
    _, fewer = examples(encoding(data, DRILLS, 5), tmp_path, tokenizer, 1)
    assert same(fewer, whole[:5])


def test_of_the_last_trajectories_rare_calls_alone_are_learned(data: Path, tokenizer: Any, tmp_path: Path) -> None:
    rare = rare_calls(read(data, 0, COUNT))
    shares = {
        (scenario, tool): sum(tool in called(one) for one in played) / len(played)
        for scenario, played in by_scenario(list(read(data, 0, COUNT))).items()
        for tool in {tool for one in played for tool in called(one)}
    }
    assert rare == {call for call, share in shares.items() if share < RARE}
    tokenizer.save_pretrained(tmp_path)
    _, before = examples(encoding(data, 0, 10), tmp_path, tokenizer, 1)
    _, found = examples(encoding(data, 0, 10, 20), tmp_path, tokenizer, 1)
    assert same(found[:10], before)
    last = [(one.scenario, tool) for one in read(data, 10, 20) for tool in called(one)]
    # A record comes before a call only if something is known by then.
    assert 0 < len(found) - 10 <= sum(call in rare for call in last)
    for example in found[10:]:
        text = tokenizer.decode(example.ids)
        assert text.count("<tool_call>") == 1 and any(f'"name":"{tool}"' in text for _, tool in rare)
    _, together = examples(encoding(data, 0, 10, 20), tmp_path, tokenizer, 2)
    assert same(found, together)


def called(trajectory: Trajectory) -> list[str]:
    return [call["function"]["name"] for one in trajectory.messages for call in one.get("tool_calls") or []]


def by_scenario(trajectories: list[Trajectory]) -> dict[str, list[Trajectory]]:
    found: dict[str, list[Trajectory]] = {}
    for one in trajectories:
        found.setdefault(one.scenario, []).append(one)
    return found


def test_a_damaged_line_is_told_by_its_number_in_every_process(data: Path, tokenizer: object, tmp_path: Path) -> None:
    tokenizer.save_pretrained(tmp_path)  # type: ignore[attr-defined]
    lines = data.read_bytes().splitlines(keepends=True)
    lines[20] = lines[20][:50] + b"\n"
    spoilt = tmp_path / "spoilt.jsonl"
    spoilt.write_bytes(b"".join(lines))
    spoilt.with_suffix(".head.json").write_bytes(data.with_suffix(".head.json").read_bytes())
    for processes in (1, 2):
        with pytest.raises(OptionError, match="line 21 is damaged"):
            examples(replace(encoding(data), path=spoilt), tmp_path, tokenizer, processes)
