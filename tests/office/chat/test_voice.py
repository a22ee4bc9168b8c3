"""A voice may put a fact into its own words, and may not change it."""

from __future__ import annotations

from datetime import date

import pytest

from teller_gym.office.chat.profiles import Colleague
from teller_gym.office.chat.voice import same_facts, voiced

TODAY = date(2026, 3, 2)
ANSWER = "The pension of Mrs Hart stood at £412,300.00 on 28 February 2026."
VALUES = ("£412,300.00", "28 February 2026", "Hart")
COLLEAGUE = Colleague(username="sam", role="paraplanner", facts=())


class Parrot:
    """Says one thing."""

    def __init__(self, text: object) -> None:
        self.text = text

    def say(self, colleague: Colleague, answer: str, message: str) -> str:
        if isinstance(self.text, Exception):
            raise self.text
        return self.text  # type: ignore[return-value]


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        "Sure! Mrs Hart had 412,300 pounds in her pension on 2026-02-28.",
        "On February 28, 2026 it came to £412300 for Mrs Hart, as asked on 1 March.",
    ],
)
def test_a_text_that_tells_it_all(text: str) -> None:
    assert same_facts(text, ANSWER, VALUES, "What is it worth? I asked on 1 March.", TODAY)
    assert voiced(Parrot(text), COLLEAGUE, ANSWER, VALUES, "I asked on 1 March.", TODAY) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x" * 5001,
        "Mrs Hart's pension was £412,300 at the end of February.",
        "Mrs Hart's pension was £412,301 on 28 February 2026.",
        "Mrs Hart's pension was £412,300 on 27 February 2026.",
        "Mrs Hart's pension was -£412,300 on 28 February 2026.",
        "Mrs Hart's pension was $412,300 on 28 February 2026.",
        "The pension was £412,300 on 28 February 2026.",
        "Mr Lowe's pension was £412,300 on 28 February 2026.",
        "Mrs Hart's pension was £412,300 on 28 February 2026, up 5 %.",
        "Mrs Hart's pension was not £412,300 on 28 February 2026.",
        "Mrs Hart's pension was £412,300 on 28 February 2026; it's never been higher.",
    ],
)
def test_a_text_that_changes_it_is_not_used(text: str) -> None:
    assert not same_facts(text, ANSWER, VALUES, "What is it worth?", TODAY)
    assert voiced(Parrot(text), COLLEAGUE, ANSWER, VALUES, "What is it worth?", TODAY) == ANSWER


def test_a_denial_has_to_stay() -> None:
    answer = "Hart does not meet the rule."
    assert same_facts("No, Hart doesn't meet it.", answer, ("Hart",), "", TODAY)
    assert not same_facts("Yes, Hart meets it.", answer, ("Hart",), "", TODAY)


def test_names_in_the_answer_have_to_stay_whether_they_are_values_or_not() -> None:
    answer = "Ask Bob Kerr about it."
    assert same_facts("You had better ask Bob Kerr.", answer, (), "", TODAY)
    assert not same_facts("You had better ask Bob.", answer, (), "", TODAY)


def test_a_voice_that_fails_is_passed_over() -> None:
    for broken in (RuntimeError("no model"), None, 5):
        assert voiced(Parrot(broken), COLLEAGUE, ANSWER, VALUES, "", TODAY) == ANSWER
    assert voiced(None, COLLEAGUE, ANSWER, VALUES, "", TODAY) == ANSWER
