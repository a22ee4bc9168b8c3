"""The work behind the tools beside it: morse code and classic ciphers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse
from teller_gym.scenarios.distractors.general.encoding._encoding_work import tables

Cipher = Literal["caesar", "vigenere", "atbash"]
_LETTERS = 26


def morse_units(words: list[list[str]]) -> int:
    """Return the length of a message in units: dot 1, dash 3, gaps of 1 in a letter, 3 in a word, 7 between words."""
    lengths = [
        sum(sum(1 if mark == "." else 3 for mark in letter) + len(letter) - 1 for letter in word) + 3 * (len(word) - 1)
        for word in words
    ]
    return sum(lengths) + 7 * (len(lengths) - 1)


def morse_groups(groups: Iterable[Iterable[str]], known: Mapping[str, str], skip: bool) -> tuple[list[list[str]], int]:
    """Return the words with every symbol translated, and how many symbols were skipped.

    Raises:
        ToolError: nothing is left, or a symbol is not known and must not be skipped.
    """
    words, skipped = [], 0
    for group in groups:
        word = []
        for symbol in group:
            if symbol in known:
                word.append(known[symbol])
            elif skip:
                skipped += 1
            else:
                raise refuse("message", f"expected what Morse code has, got {quoted(symbol)}; remove or skip it")
        words += [word] if word else []
    if not words:
        raise refuse("message", "expected at least one letter or digit that Morse code has")
    return words, skipped


@cache
def letters_of_morse() -> dict[str, str]:
    """Return the letter of every group of marks."""
    return {code: letter for letter, code in tables().morse.items()}


def cipher_shifts(cipher: Cipher, shift: int, keyword: str | None) -> list[int]:
    """Return the places by which letters shift in turn, none for the mirrored alphabet; refuse a missing key."""
    if cipher == "atbash":
        return []
    if cipher == "caesar":
        if shift == 0:
            raise refuse("shift", "expected 1 to 25 for the Caesar cipher, got 0")
        return [shift]
    if keyword is None:
        raise refuse("keyword", "expected a keyword for the Vigenère cipher, got none")
    return [ord(letter) - ord("A") for letter in keyword.strip().upper()]


def encipher(text: str, shifts: list[int], keep_case: bool, keep_others: bool) -> tuple[str, int]:
    """Return the text with its letters shifted in turn, or mirrored if there are no shifts, and how many changed."""
    written = []
    place = changed = 0
    for character in text:
        if not (character.isascii() and character.isalpha()):
            written += [character] if keep_others else []
            continue
        first = ord("A") if character.isupper() else ord("a")
        old = ord(character) - first
        new = _LETTERS - 1 - old if not shifts else (old + shifts[place % len(shifts)]) % _LETTERS
        place += 1
        changed += new != old
        written.append(chr((first if keep_case else ord("A")) + new))
    if not place:
        raise refuse("text", f"expected at least one letter from A to Z, got {quoted(text)}")
    return "".join(written), changed
