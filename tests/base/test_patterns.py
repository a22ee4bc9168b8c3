"""Patterns whose matching might never end are refused when a tool is made; accepted ones match quickly."""

import re
import time
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from teller_gym.agents import schemas
from teller_gym.base.errors import ScenarioError
from teller_gym.base.patterns import refuse_unbounded, unbounded
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Result, tool

ENDLESS = [
    r"^(\*(?:[\d.]{2,}|:*?){2,}(?:\*|:*?){2,}(?:[\d.]{2,}|:*?){2,})$",
    *("^(a+)+$", "^(a*)*$", "^(a|a)*$", "^(a|aa)+$", "^(.*)*$", "(x+x+)+y", "^(a|b|ab)*c$", "^([a-z]+[ -]?)*$"),
    *(r"^(\w+\s?)*$", r"^(\d+|[0-9a-f]+)*$", "^(é+|[à-ü])*x$", "^([^,]*,?)*$", "^(?:a?){30}a{30}$", "^(a|a){40}b$"),
    *("^a(?:|){40}$", "^(?:(?:(?:){1000}){1000}){1000}$", "^(a{1,100}){1,100}$", "^((a{99}){99}){99}$", "^(?>a+)+$"),
    *(r"^(\S[a-z]?)+$", r"^(\W|[^a])*$", r"^(\d+|[٠-٩])*!$", "^(a+b*)+c$", "^.*a.*b.*c.*d$", "^[ab]*a[ab]{20}$"),
    *(r"^(a+)\1+$", r"^(?=(a+)+$)a", r"^(?!(?:a|a)*$)a", r"(?<=(a))b", "^(?P<x>a+)(?P=x)$", "^(a)?(?(1)b+|c)$"),
    *("(?i)^(a|A)*$", "^(?i:a|A)*$", "(?s)^a.*b$"),
    *("", "foo", "[A-Z]{2}-[0-9]+", r"\bword\b", "^a|b", r"^(é|[à-ä])+$", r"^[^\u00e9]$", "^a*+b$"),
]
BOUNDED = [
    *("^$", "^foo", "^LA-[0-9]{6}$", "^[A-Za-z]+([ -][A-Za-z]+)*$", r"^[\w.+-]+@[\w-]+\.[\w.-]+$", "^(a|b)*abb$"),
    *(r"^https?://[^\s/$.?#].[^\s]*$", r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z?)?$", "^[ -~]{1,2000}$"),
    *("^[a-z]{0,40}[a-z]{0,40}$", "^[A-Z]{2}-[0-9]+", r"^\s*\w+\s*$", "^(round|rectangle|square) [1-9][0-9]?$"),
    *(r"^\bword\b", "^(?:ab|cd|a)+$", "^([01][0-9]|2[0-3]):[0-5][0-9]$", "^[^@]+@[^@]+$", "^a|^b"),
]


@pytest.mark.parametrize("pattern", ENDLESS)
def test_a_pattern_that_may_never_end_is_refused_when_its_tool_is_made(pattern: str) -> None:
    """Patterns of optional arguments and inside lists and dictionaries are checked as well."""

    class Done(Result):
        done: bool

    def note(bank: Bank, given: str) -> Done:
        """Note something.

        Args:
            given: What is noted.
        """
        raise AssertionError

    text = Annotated[str, Meta(pattern=pattern)]
    for kind in (text, text | None, list[text], dict[str, list[text]]):
        note.__annotations__.update(given=kind, **{"return": Done})
        with pytest.raises(ScenarioError, match="tool 'note'.*" + re.escape(repr(pattern)) + ".*; rewrite it, give"):
            tool()(note)


@pytest.mark.parametrize("pattern", BOUNDED)
def test_sensible_patterns_are_kept(pattern: str) -> None:
    assert unbounded(pattern) is None


@pytest.mark.parametrize(("pattern", "longest"), [("^.*@.*$", 60), ("^[a-z]*[ a-z]*x", 100), ("^ *[a-z ]* *$", 20)])
def test_some_are_bounded_only_by_the_length_of_the_text(pattern: str, longest: int) -> None:
    assert unbounded(pattern) is not None and unbounded(pattern, longest) is None
    schema: dict[str, Any] = {"type": "string", "pattern": pattern}
    with pytest.raises(ScenarioError):
        refuse_unbounded({"properties": {"x": schema}}, "it")
    refuse_unbounded({"properties": {"x": schema | {"maxLength": longest}}}, "it")
    # The agents' own checks respect the length too, and do not search documents for such a pattern.
    assert not schemas.fits("a" * (longest + 1) + "@x", schema | {"maxLength": longest})
    assert schemas.pattern(schema | {"maxLength": longest}) is None


def test_what_only_looks_like_a_pattern_is_no_pattern() -> None:
    refuse_unbounded({"properties": {"pattern": {"type": "string", "default": {"pattern": "^(a+)+$"}}}}, "it")


def test_the_length_is_checked_before_the_pattern() -> None:
    """Otherwise ``max_length`` would not bound the time of a match."""
    kind = Annotated[str, Meta(pattern="^(a|a)*$", max_length=20)]
    began = time.monotonic()
    with pytest.raises(msgspec.ValidationError, match="length <= 20"):
        msgspec.json.decode(f'"{"a" * 60}b"', type=kind)
    assert time.monotonic() - began < 5


_ATOMS = st.sampled_from(["a", "b", "[ab]", "[^a]", ".", r"\w", r"\s", r"\d", "1", " "])
_COUNTS = st.sampled_from(["", "?", "*", "+", "{2}", "{1,3}", "{2,}", "*?", "??"])


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    branches = st.lists(inner, min_size=1, max_size=3).map("|".join)
    group = st.builds("(?:{}){}".format, branches, _COUNTS)
    return st.lists(inner | group, max_size=4).map("".join)


_PATTERNS = st.recursive(st.builds("{}{}".format, _ATOMS, _COUNTS), _larger, max_leaves=8)


@given(_PATTERNS, st.sampled_from(["^({})$", "^(?:{})c$", "^{}c"]), st.text("ab1 ", min_size=1, max_size=6))
def test_what_is_kept_is_matched_in_time(pattern: str, frame: str, piece: str) -> None:
    """Texts that repeat a piece and fail at the end make `re` try every way through the pattern."""
    pattern = frame.format(pattern)
    if unbounded(pattern) is None:
        text = piece * (3000 // len(piece))
        began = time.process_time()
        re.search(pattern, text + "!")
        assert time.process_time() - began < 2


def test_the_analysis_itself_takes_no_time() -> None:
    large = ["^" + "(" * 300 + "a" + ")" * 300, "^" + "a?" * 1500, "^[a-z]{1,100000}$", "^(a|b|c|d|e|f){900}$"]
    for pattern in (*large, "^" + "(a|b?)" * 400, f"^({'|'.join(map(str, range(5000)))})", "^(?:[ab]{0,50}){0,50}$"):
        began = time.process_time()
        unbounded(pattern)
        assert time.process_time() - began < 3
