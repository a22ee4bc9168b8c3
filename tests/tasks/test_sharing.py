"""Sharing equal values between documents does not change the documents."""

import copy
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.tasks.store import frozen_tasks, share

WORDS = st.sampled_from(["1", "one", "", "true"])
LEAVES = st.none() | st.booleans() | st.sampled_from([0, 1, 10**12, 0.0, -0.0, 1.0]) | WORDS
DOCUMENTS = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner))


def leaves(value: Any) -> list[Any]:
    """Return all scalar values in a document."""
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        return [leaf for each in inside for leaf in leaves(each)]
    return [value]


@given(st.lists(DOCUMENTS))
def test_a_document_stays_the_same(document: list[Any]) -> None:
    fresh = msgspec.json.decode(msgspec.json.encode(document))
    before = copy.deepcopy(fresh)
    share(fresh, {})
    assert repr(fresh) == repr(before)
    seen: dict[Any, Any] = {}
    for leaf in leaves(fresh):
        if type(leaf) in (str, int):
            assert seen.setdefault(leaf, leaf) is leaf


def test_frozen_cases_share_what_they_have_in_common() -> None:
    found = [leaf for task in frozen_tasks("loans").values() for leaf in leaves(task.tables)]
    words = [leaf for leaf in found if type(leaf) is str]
    assert len(set(map(id, words))) == len(set(words)) < len(words) / 3
