"""Catalogue entries: their examples give the stated results, and each entry is complete."""

from typing import Any

import msgspec
import pytest

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.base.text import same_value
from teller_gym.scenarios.distractors import subjects
from teller_gym.tools.bank import Bank
from teller_gym.tools.catalogue.entry import Example
from teller_gym.tools.catalogue.subject import Subject
from teller_gym.tools.run import run_action
from teller_gym.tools.tool import ToolSet
from teller_gym.variation.pool import distractors
from tests.scenarios.distractors.desk import branch_bank

ENTRIES = [(subject, tool) for subject in subjects() for tool in subject.entries]
NAMES = [tool for _, tool in ENTRIES]
POOL = ToolSet(distractors())


def play(bank: Bank, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return run_action(bank, POOL, msgspec.json.encode({"name": tool, "arguments": arguments}).decode())


def check(tool: str, example: Example) -> None:
    """Check an example against a branch with a few customers."""
    bank = branch_bank()
    for call in example.before:
        for earlier, arguments in call.items():
            play(bank, earlier, arguments)
    if example.refusal is None:
        answer = play(bank, tool, example.arguments)
        assert list(answer) == list(example.result or {}), answer
        assert same_value(answer, example.result), answer
        return
    with pytest.raises(ToolError) as caught:
        play(bank, tool, example.arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, example.refusal)
    assert caught.value.message.startswith(f"{example.refusal}: expected "), caught.value.message


@pytest.mark.parametrize(("subject", "tool"), ENTRIES, ids=NAMES)
def test_examples_are_answered_as_they_say(subject: Subject, tool: str) -> None:
    for example in subject.entries[tool].examples:
        check(tool, example)


@pytest.mark.filterwarnings("error")  # an invalid escape sequence raises
@pytest.mark.parametrize(("subject", "tool"), ENTRIES, ids=NAMES)
def test_entries_are_whole(subject: Subject, tool: str) -> None:
    entry = subject.entries[tool]
    assert subject.behaviour(tool).unused == []
    assert any(example.result is not None for example in entry.examples), "an example with an answer is missing"
    if entry.refuse:
        assert any(example.refusal is not None for example in entry.examples), "an example with a refusal is missing"
    assert all((example.result is None) is not (example.refusal is None) for example in entry.examples)
    if entry.listing and "records(" in entry.listing.rows:
        assert any(example.before for example in entry.examples), "an example with something to list is missing"
    assert (entry.record is None) is (entry.act is None)
