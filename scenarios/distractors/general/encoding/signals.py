"""Morse code and classic ciphers."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.scenarios.distractors.general._plain_text import keep_short
from teller_gym.scenarios.distractors.general.encoding import _signals as work
from teller_gym.scenarios.distractors.general.encoding._encoding_work import tables
from teller_gym.scenarios.distractors.general.encoding._types import Direction
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class MorseMessage(Result):
    """The message; seconds are rounded to two decimals."""

    translation: str
    symbols: int
    characters_skipped: int
    seconds: float


@tool(category=Category.GENERAL_DISTRACTOR)
def translate_morse_code(
    bank: Bank,
    message: Annotated[str, Meta(min_length=1, max_length=400)],
    direction: Literal["to_morse", "from_morse"],
    dot: Literal[".", "·", "*"] = ".",
    dash: Literal["-", "–", "_"] = "-",
    word_separator: Literal["/", "|"] = "/",
    unit_milliseconds: Annotated[int, Meta(ge=20, le=1000)] = 60,
    unknown: Literal["refuse", "skip"] = "refuse",
) -> MorseMessage:
    """Translate a message into international Morse code or back, and tell how long it takes to send.

    Args:
        message: Plain text, or Morse code with spaces between letters.
        direction: Which way to translate.
        dot: The sign for a short mark.
        dash: The sign for a long mark.
        word_separator: What stands between words in Morse code.
        unit_milliseconds: Length of a dot; all other lengths follow from it.
        unknown: What to do with a character or a group of marks that Morse code does not have.
    """
    if direction == "to_morse":
        words, skipped = work.morse_groups(message.upper().split(), tables().morse, unknown == "skip")
        codes = words
        signs = str.maketrans({".": dot, "-": dash})
        translation = f" {word_separator} ".join(" ".join(word).translate(signs) for word in words)
    else:
        groups = [part.replace(dash, "-").replace(dot, ".").split() for part in message.split(word_separator)]
        words, skipped = work.morse_groups(groups, work.letters_of_morse(), unknown == "skip")
        codes = [[tables().morse[letter] for letter in word] for word in words]
        translation = " ".join("".join(word) for word in words)
    return MorseMessage(
        translation=keep_short(translation, "message"),
        symbols=sum(map(len, words)),
        characters_skipped=skipped,
        seconds=round(work.morse_units(codes) * unit_milliseconds / 1000, 2),
    )


class CipherText(Result):
    """The text after the cipher, and how many letters it changed."""

    result_text: str
    letters_changed: int


@tool(category=Category.GENERAL_DISTRACTOR)
def apply_classic_cipher(
    bank: Bank,
    text: Annotated[str, Meta(min_length=1, max_length=300)],
    cipher: work.Cipher,
    direction: Direction,
    shift: Annotated[int, Meta(ge=0, le=25)] = 0,
    keyword: Annotated[str, Meta(pattern="^[A-Za-z]{1,30}$")] | None = None,
    keep_case: bool = True,
    keep_other_characters: bool = True,
    group_size: Annotated[int, Meta(ge=0, le=10)] = 0,
) -> CipherText:
    """Encode or decode a text with a cipher from before computers. For puzzles: these ciphers protect nothing.

    Args:
        text: The text; only the letters A to Z change.
        cipher: The cipher; atbash mirrors the alphabet and needs no key.
        direction: Whether to encode or to decode.
        shift: Places to shift for the Caesar cipher, 1 to 25.
        keyword: Key of the Vigenère cipher.
        keep_case: Whether small letters stay small; otherwise all become capitals.
        keep_other_characters: Whether spaces, digits and signs stay; otherwise they are left out.
        group_size: Write the result in groups of so many characters without other spaces; 0 for none.
    """
    shifts = work.cipher_shifts(cipher, shift, keyword)
    if direction == "decode":
        shifts = [-places for places in shifts]
    result, changed = work.encipher(text, shifts, keep_case, keep_other_characters)
    if group_size:
        solid = "".join(result.split())
        result = " ".join(solid[i : i + group_size] for i in range(0, len(solid), group_size))
    return CipherText(result_text=keep_short(result, "text"), letters_changed=changed)
