"""Tests of text_editing/changes: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused


def test_replacing() -> None:
    text = "cat Cat concat cat"
    given_options: dict[str, Any] = {"search_for": "cat", "replacement": "dog"}
    assert call("replace_in_text", text=text, **given_options)["new_text"] == "dog Cat condog dog"
    assert call("replace_in_text", text=text, **given_options, match_case=False, whole_words=True) == {
        "new_text": "dog dog concat dog",
        "found": 3,
        "replaced": 3,
    }
    some = call("replace_in_text", text=text, **given_options, first_match=2, max_replacements=1)
    assert some == {"new_text": "cat Cat condog cat", "found": 3, "replaced": 1}
    assert call("replace_in_text", text="a.b", search_for=".", replacement=r"\1")["new_text"] == r"a\1b"
    refused("replacement", "replace_in_text", text="a" * 600, search_for="a", replacement="b" * 60)


@given(st.text("ab", min_size=1, max_size=40), st.text("ab", min_size=1, max_size=3), st.text("c", max_size=3))
def test_replacing_agrees_with_python(text: str, old: str, new: str) -> None:
    found = call("replace_in_text", text=text, search_for=old, replacement=new)
    assert (found["new_text"], found["found"]) == (text.replace(old, new), text.count(old))


def test_comparison() -> None:
    before, after = "the quick brown fox jumps over the dog", "the quick red fox jumps over the very dog"
    assert call("compare_text_versions", before=before, after=after, unit="word", context=1) == {
        "marked": "… quick [-brown-] {+red+} fox … the {+very+} dog",
        "added": 2,
        "removed": 1,
        "unchanged": 7,
        "similarity_percent": 82.4,  # 14 of 17
    }
    lines = call("compare_text_versions", before="A\nb  c", after="a\nb c\nd", unit="line", ignore_case=True)
    assert (lines["added"], lines["removed"]) == (2, 1)
    spaced = call(
        "compare_text_versions", before="A\nb  c", after="a\nb c\nd", unit="line", ignore_case=True, ignore_spacing=True
    )
    assert (spaced["marked"], spaced["added"], spaced["removed"]) == ("A\nb  c\n{+d+}", 1, 0)
    refused("before", "compare_text_versions", before="ax" * 300, after="ay" * 300, unit="character", context=0)


def common_length(first: str, second: str) -> int:
    """The longest common subsequence by the textbook's table."""
    row = [0] * (len(second) + 1)
    for a in first:
        above, row = row, [0]
        for place, b in enumerate(second):
            row.append(above[place] + 1 if a == b else max(above[place + 1], row[-1]))
    return row[-1]


@given(st.text("abc", min_size=1, max_size=25), st.text("abc", min_size=1, max_size=25))
def test_comparison_is_shortest_and_holds_both_texts(before: str, after: str) -> None:
    result = call("compare_text_versions", before=before, after=after, unit="character", context=600)
    assert result["unchanged"] == common_length(before, after)
    if before == after:
        assert result["marked"] == "…"
        return
    old, new, state = "", "", " "
    for piece in result["marked"].replace("[-", "\0-").replace("{+", "\0+").replace("-]", "\0 ").replace("+}", "\0 "):
        if piece == "\0":
            state = ""
        elif not state:
            state = piece
        else:
            old += piece if state in " -" else ""
            new += piece if state in " +" else ""
    assert (old, new) == (before, after)
