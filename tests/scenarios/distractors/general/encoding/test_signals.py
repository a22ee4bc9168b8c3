"""Tests of encoding/signals: expected values worked out by hand, or anew in another way."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, refused


def test_morse() -> None:
    # PARIS has 50 units with the gap of 7 that follows a word.
    assert call("translate_morse_code", message="Paris", direction="to_morse", unit_milliseconds=100) == {
        "translation": ".--. .- .-. .. ...",
        "symbols": 5,
        "characters_skipped": 0,
        "seconds": 4.3,
    }
    stars: dict[str, Any] = {"dot": "*", "dash": "_", "word_separator": "|"}
    back = call("translate_morse_code", message="*** ___ *** | * #", direction="from_morse", unknown="skip", **stars)
    assert (back["translation"], back["symbols"], back["characters_skipped"]) == ("SOS E", 4, 1)
    assert back["seconds"] == 2.1  # (5 + 3 + 11 + 3 + 5) + 7 + 1 units of 60 ms
    refused("message", "translate_morse_code", message="a#", direction="to_morse")
    refused("message", "translate_morse_code", message="##", direction="to_morse", unknown="skip")


@given(st.text("ABCXYZ0189.,?@-", min_size=1, max_size=20), st.sampled_from("·*"), st.sampled_from("–_"))
def test_morse_there_and_back(text: str, dot: str, dash: str) -> None:
    signs: dict[str, Any] = {"dot": dot, "dash": dash, "word_separator": "|"}
    sent = call("translate_morse_code", message=text, direction="to_morse", **signs)
    received = call("translate_morse_code", message=sent["translation"], direction="from_morse", **signs)
    assert (received["translation"], received["seconds"]) == (text, sent["seconds"])


def test_ciphers() -> None:
    vigenere = call("apply_classic_cipher", text="ATTACKATDAWN", cipher="vigenere", direction="encode", keyword="Lemon")
    assert vigenere == {"result_text": "LXFOPVEFRNHR", "letters_changed": 12}
    caesar = call("apply_classic_cipher", text="Hello, World", cipher="caesar", direction="encode", shift=3)
    assert caesar["result_text"] == "Khoor, Zruog"
    letters_only: dict[str, Any] = {"keep_case": False, "keep_other_characters": False, "group_size": 4}
    grouped = call("apply_classic_cipher", text="Hello, World", cipher="atbash", direction="encode", **letters_only)
    assert grouped["result_text"] == "SVOO LDLI OW"
    refused("shift", "apply_classic_cipher", text="a", cipher="caesar", direction="encode")
    refused("keyword", "apply_classic_cipher", text="a", cipher="vigenere", direction="encode")
    refused("text", "apply_classic_cipher", text="12", cipher="atbash", direction="encode")


@given(
    st.text("abzABZ ,ü", min_size=1, max_size=30).map("q".__add__),
    st.sampled_from(["caesar", "vigenere", "atbash"]),
    st.integers(1, 25),
    st.text("abcXYZ", min_size=1, max_size=9),
)
def test_ciphers_there_and_back(text: str, cipher: str, shift: int, keyword: str) -> None:
    key: dict[str, Any] = {"shift": shift, "keyword": keyword}
    secret = call("apply_classic_cipher", text=text, cipher=cipher, direction="encode", **key)
    plain = call("apply_classic_cipher", text=secret["result_text"], cipher=cipher, direction="decode", **key)
    assert plain["result_text"] == text
