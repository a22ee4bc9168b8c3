"""How hard a password is to guess."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general.encoding import _passwords as work
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class PasswordStrength(Result):
    """An estimate: bits are rounded to one decimal, the time is that for half of all guesses."""

    guess_bits: float
    character_pool: int
    time_to_guess: str
    verdict: Literal["weak", "fair", "strong"]
    broken_rules: list[str]


@tool(category=Category.GENERAL_DISTRACTOR)
def estimate_password_strength(
    bank: Bank,
    password: Annotated[str, Meta(min_length=1, max_length=64)],
    attack: work.Attack = "slow_hash",
    personal_words: Annotated[list[Annotated[str, Meta(min_length=3, max_length=30)]], Meta(max_length=10)]
    | None = None,
    minimum_length: Annotated[int, Meta(ge=4, le=64)] = 12,
    needs_digit: bool = True,
    needs_sign: bool = False,
    needs_both_cases: bool = True,
) -> PasswordStrength:
    """Estimate how long it takes to guess a password, and list the rules of a site that it breaks.

    Args:
        password: The password.
        attack: How fast one can guess: 10 a second on a web site, 10 thousand or 10 billion on a stolen file.
        personal_words: Names, places and the like that a guesser would try; they count as one character.
        minimum_length: Fewest characters that the site allows.
        needs_digit: Whether the site wants a digit.
        needs_sign: Whether it wants a character that is no letter and no digit.
        needs_both_cases: Whether it wants small letters and capitals.
    """
    bits = work.guess_bits(password, personal_words or [])
    return PasswordStrength(
        guess_bits=round(bits, 1),
        character_pool=work.character_pool(password),
        time_to_guess=work.time_text(bits, attack),
        verdict="weak" if bits < 45 else "fair" if bits < 70 else "strong",
        broken_rules=work.broken_rules(password, minimum_length, needs_digit, needs_sign, needs_both_cases),
    )
