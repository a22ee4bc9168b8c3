"""Tokens of a message, and the facts that it asks for or excludes."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.office.chat.intents import asked, parse_pattern, read_question
from teller_gym.office.chat.tokenizing import stem, tokens
from tests.office.chat.world import CASES

TODAY = date(2026, 3, 2)
THINGS = {
    "hart pension": ["pension hart"],
    "lowe pension": ["pension lowe"],
    "hart mortgage": ["mortgage|loan hart"],
    "lowe mortgage": ["mortgage|loan lowe"],
    "free thursday": ["calendar|diary|free|availab*|meet* 2026-03-05"],
    "free friday": ["calendar|diary|free|availab*|meet* 2026-03-06"],
    "accounts": ["profit_and_loss", "p_l"],
    "leave": ["holiday|leave -cancel*"],
}
NAMES = list(THINGS)


def wants(text: str, before: str = "") -> list[str]:
    earlier = read_question(before, TODAY).words if before else ()
    return [NAMES[i] for i in asked(list(THINGS.values()), read_question(text, TODAY), earlier)]


@pytest.mark.parametrize(("text", "found"), CASES["asked"])
def test_what_is_asked_for(text: str, found: list[str]) -> None:
    assert wants(text) == found


@pytest.mark.parametrize(("text", "found"), CASES["unwanted"])
def test_what_is_not_wanted(text: str, found: list[str]) -> None:
    assert wants(text) == found


@pytest.mark.parametrize(("before", "text", "found"), CASES["before"])
def test_what_was_said_before_completes_a_question(before: str, text: str, found: list[str]) -> None:
    assert wants(text, before) == found


@pytest.mark.parametrize(("text", "is_asked", "is_thanks"), CASES["kinds"])
def test_questions_statements_and_thanks(text: str, is_asked: bool, is_thanks: bool) -> None:
    question = read_question(text, TODAY, ("Anna", "Lee"))
    assert (question.is_asked, question.is_thanks) == (is_asked, is_thanks)


@pytest.mark.parametrize("pattern", ["", "-x", "a b!", "é", "|a", "a||b", "a*b", "(a)", "a|-b"])
def test_malformed_patterns(pattern: str) -> None:
    with pytest.raises(OptionError, match="pattern"):
        parse_pattern(pattern)


def test_terms() -> None:
    def fits(patterns: list[str], text: str) -> bool:
        return bool(asked([patterns], read_question(text, TODAY)))

    assert fits(["pension* hart"], "the pensioner hart") and not fits(["pension hart"], "the pensioner hart")
    assert fits(["pensions"], "pension"), "a pattern's plural is the same word"
    assert fits(["x", "net_worth"], "net worth") and not fits(["net_worth"], "worth net")
    assert not fits(["pension -hart"], "pension hart")


WORDS = st.sampled_from(
    [
        *("pension", "hart", "lowe", "mortgage", "not", "do", "need", "the", "and", "or", "but", "only", ","),
        *(".", "?", "instead", "of", "except", "thursday", "5", "march", "you", "i"),
    ]
)


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=14).map(" ".join), st.lists(WORDS, max_size=6).map(" ".join))
def test_asking_is_sound(text: str, before: str) -> None:
    """A match has all its words in the message or before it, and at least one in the message; no match is repeated."""
    found = wants(text, before)
    assert len(set(found)) == len(found) and wants(text, before) == found
    for name in found:
        if " " in name and name.split()[0] in ("hart", "lowe"):
            assert all(word in f"{before} {text}".split() for word in name.split())
            assert any(word in text.split() for word in name.split())


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    wants(text, text)


@pytest.mark.parametrize(("text", "found"), CASES["tokens"])
def test_words_numbers_and_dates_have_one_form(text: str, found: str) -> None:
    assert " ".join(tokens(text, TODAY)) == found


@settings(max_examples=40)
@given(st.dates(date(2020, 1, 1), date(2030, 12, 31)), st.integers(-(10**9), 10**9))
def test_all_ways_to_write_a_date_or_a_number_are_one(day: date, number: int) -> None:
    month = day.strftime("%B")
    for text in (
        *(day.isoformat(), f"{day:%d/%m/%Y}", f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"),
        f"{day.day}th of {month[:3].upper()} {day.year}",
    ):
        assert day.isoformat() in tokens(f"by {text} please", TODAY), text
    for text in (f"{number}", f"{number:,}", f"{number:,}.00", f"{number:,}.0"):
        assert tokens(f"it is {text} now", TODAY)[2] == str(number), text


def test_days_of_the_week_are_the_next_ones_and_stems_stay() -> None:
    for ahead in range(7):
        day = TODAY + timedelta(days=ahead)
        assert tokens(f"{day:%A}", TODAY)[1] == day.isoformat()
    for word in ("is", "bus", "pension", "q1s", "glass"):
        assert stem(stem(word)) == stem(word)


@settings(max_examples=60)
@given(st.text(max_size=80), st.dates())
def test_any_text_has_words(text: str, today: date) -> None:
    assert all(tokens(text, today))
