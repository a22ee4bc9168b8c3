"""Tests of encoding/passwords: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call


def test_passwords() -> None:
    # abcdef123: all but a, b, 1 and one more of each run follow from what stands before: 4 of 36 characters, 20.7 bits.
    assert call("estimate_password_strength", password="abcdef123") == {
        "guess_bits": 20.7,
        "character_pool": 36,
        "time_to_guess": "1 minute",  # 2 ** 19.7 / 10,000 is 84 seconds
        "verdict": "weak",
        "broken_rules": ["at least 12 characters", "small letters and capitals"],
    }
    known = call(
        "estimate_password_strength", password="Rex2019!kitchen", personal_words=["rex", "kitchen"], needs_sign=True
    )
    assert (known["guess_bits"], known["verdict"], known["broken_rules"]) == (46.0, "fair", [])  # 7 of 95 characters
    assert call("estimate_password_strength", password="a", attack="fast_hash")["time_to_guess"] == "less than a second"
    endless = call("estimate_password_strength", password="ΐ" * 64, needs_digit=False, minimum_length=64)
    assert endless["time_to_guess"] == "more than a million years"
    assert call("estimate_password_strength", password="Ab1", needs_sign=True)["broken_rules"][-1] == "a sign"
    with pytest.raises(ToolError):
        call("estimate_password_strength", password="")


@given(st.text("aZ3!kq", min_size=1, max_size=40), st.text("aZ3!kq", min_size=3, max_size=5))
def test_personal_words_never_make_a_password_stronger(password: str, word: str) -> None:
    alone = call("estimate_password_strength", password=password + word)
    known = call("estimate_password_strength", password=password + word, personal_words=[word])
    assert 0 < known["guess_bits"] <= alone["guess_bits"] + 2 * 6.7  # a run may be cut in two, which is news
