"""The work behind codes: schemes, ciphers, Morse code, check digits, colour models, strength of passwords."""

from __future__ import annotations

import base64
import colorsys
import hashlib
import html
import re
import uuid
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from math import log2
from typing import Literal
from urllib.parse import quote, unquote_to_bytes

import msgspec

from teller_gym.scenarios.distractors.general._plain_text import quoted, refuse

Scheme = Literal["base64", "base64url", "base32", "hex", "url_percent", "html"]
Algorithm = Literal["crc32", "adler32", "md5", "sha1", "sha256", "sha512"]
Symbology = Literal["ean_13", "ean_8", "upc_a", "gtin_14", "isbn_10", "isbn_13"]
Attack = Literal["online", "slow_hash", "fast_hash"]
BarcodeTask = Literal["validate", "complete"]
Namespace = Literal["dns", "url", "oid", "x500"]
Cipher = Literal["caesar", "vigenere", "atbash"]
DigestFormat = Literal["hex", "decimal", "base64"]
QrMode = Literal["numeric", "alphanumeric", "byte"]
ColorModel = Literal["rgb", "hsl", "hsv", "cmyk"]

BARCODE_DIGITS: dict[Symbology, int] = {
    "ean_13": 13,
    "ean_8": 8,
    "upc_a": 12,
    "gtin_14": 14,
    "isbn_10": 10,
    "isbn_13": 13,
}
COLOR_RANGES: dict[ColorModel, tuple[int, ...]] = {
    "rgb": (255, 255, 255),
    "hsl": (360, 100, 100),
    "hsv": (360, 100, 100),
    "cmyk": (100, 100, 100, 100),
}
NAMESPACES: dict[Namespace, uuid.UUID] = {
    "dns": uuid.NAMESPACE_DNS,
    "url": uuid.NAMESPACE_URL,
    "oid": uuid.NAMESPACE_OID,
    "x500": uuid.NAMESPACE_X500,
}
_GUESSES_A_SECOND: dict[Attack, int] = {"online": 10, "slow_hash": 10_000, "fast_hash": 10_000_000_000}
_LETTERS = 26


class Tables(msgspec.Struct, frozen=True):
    """The tables of encoding.yaml."""

    morse: dict[str, str]
    qr_codewords: dict[str, list[int]]


@cache
def tables() -> Tables:
    """Return the tables."""
    folder = resources.files("teller_gym.scenarios.distractors.general")
    return msgspec.yaml.decode(folder.joinpath("encoding.yaml").read_bytes(), type=Tables)


def encode_text(text: str, scheme: Scheme) -> str:
    """Return a text in a scheme; its bytes are those of UTF-8."""
    data = text.encode()
    makers: dict[Scheme, Callable[[], str]] = {
        "base64": lambda: base64.b64encode(data).decode(),
        "base64url": lambda: base64.urlsafe_b64encode(data).decode(),
        "base32": lambda: base64.b32encode(data).decode(),
        "hex": data.hex,
        "url_percent": lambda: quote(text, safe=""),
        "html": lambda: html.escape(text),
    }
    return makers[scheme]()


def decode_text(text: str, scheme: Scheme) -> str:
    """Return the text that was encoded; refuse what is not in the scheme, or whose bytes are not UTF-8."""
    if scheme == "html":
        return html.unescape(text)
    readers: dict[Scheme, Callable[[], bytes]] = {
        "url_percent": lambda: unquote_to_bytes(text),
        "hex": lambda: bytes.fromhex(text),
        "base32": lambda: base64.b32decode(text, casefold=True),
        "base64": lambda: base64.b64decode(text, validate=True),
        "base64url": lambda: base64.b64decode(text, altchars=b"-_", validate=True),
    }
    try:
        if scheme == "url_percent" and re.search(r"%(?![0-9A-Fa-f]{2})", text):
            raise ValueError("a % without two hexadecimal digits")
        return readers[scheme]().decode()
    except ValueError:
        raise refuse("text", f"expected UTF-8 text in {scheme}, got {quoted(text)}") from None


def read_bytes(content: str, is_hex: bool) -> bytes:
    """Return the bytes of a text, or those written as hexadecimal digits."""
    try:
        return bytes.fromhex(content) if is_hex else content.encode()
    except ValueError:
        raise refuse("content", f"expected pairs of hexadecimal digits, got {quoted(content)}") from None


def digest(data: bytes, algorithm: Algorithm) -> bytes:
    """Return the checksum of some bytes, the most significant byte first."""
    if algorithm in ("crc32", "adler32"):
        return (zlib.crc32(data) if algorithm == "crc32" else zlib.adler32(data)).to_bytes(4, "big")
    return hashlib.new(algorithm, data, usedforsecurity=False).digest()


def write_digest(raw: bytes, form: DigestFormat) -> str:
    """Return a checksum as text."""
    if form == "decimal":
        return str(int.from_bytes(raw, "big"))
    return raw.hex() if form == "hex" else base64.b64encode(raw).decode()


def normal_digest(text: str, form: DigestFormat) -> str:
    """Return a checksum that somebody wrote as :func:`write_digest` writes it."""
    solid = "".join(text.split())
    return solid.lower() if form == "hex" else solid


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


def barcode_digits(code: str, symbology: Symbology, task: BarcodeTask) -> str:
    """Return the characters of a code without spaces and hyphens.

    Raises:
        ToolError: they cannot be a code of that kind.
    """
    digits = re.sub(r"[^0-9X]", "", code.upper())
    length = BARCODE_DIGITS[symbology] - (task == "complete")
    if len(digits) != length:
        raise refuse("code", f"expected {length} digits to {task} {symbology}, got {len(digits)}")
    if "X" in digits and (symbology != "isbn_10" or task == "complete"):
        raise refuse("code", "expected digits alone, X can only be the check digit of an isbn_10")
    if symbology == "isbn_13" and not digits.startswith(("978", "979")):
        raise refuse("code", f"expected an isbn_13 to begin with 978 or 979, got {digits[:3]}")
    return digits


def check_digit(body: str, symbology: Symbology) -> str:
    """Return the last character of a code without it."""
    if symbology == "isbn_10":
        rest = -sum(int(digit) * (10 - place) for place, digit in enumerate(body)) % 11
        return "X" if rest == 10 else str(rest)
    weighted = sum(int(digit) * (1 if place % 2 else 3) for place, digit in enumerate(reversed(body)))
    return str(-weighted % 10)


def _check_color(model: ColorModel, values: list[float]) -> None:
    """Raise an error unless the values suit the model."""
    names = ("first", "second", "third", "fourth")
    limits = COLOR_RANGES[model]
    if len(values) != len(limits):
        wanted = "a value for black" if model == "cmyk" else f"no fourth value for {model}"
        raise refuse("fourth", f"expected {wanted}, got {values[3] if len(values) > 3 else 'none'}")
    for name, value, limit in zip(names, values, limits, strict=False):
        if value > limit:
            raise refuse(name, f"expected 0 to {limit} in {model}, got {value}")


def to_rgb(model: ColorModel, values: list[float]) -> tuple[float, float, float]:
    """Return red, green and blue from 0 to 1; refuse values outside the ranges of the model."""
    _check_color(model, values)
    parts = [value / limit for value, limit in zip(values, COLOR_RANGES[model], strict=True)]
    if model == "cmyk":
        *inks, black = parts
        red, green, blue = ((1 - ink) * (1 - black) for ink in inks)
        return red, green, blue
    first, second, third = parts
    if model == "hsl":
        return colorsys.hls_to_rgb(first % 1, third, second)
    return colorsys.hsv_to_rgb(first % 1, second, third) if model == "hsv" else (first, second, third)


def from_rgb(model: ColorModel, red: float, green: float, blue: float) -> list[float]:
    """Return the values of a colour in the ranges of a model; black has no other ink, a grey has hue 0."""
    if model == "cmyk":
        light = max(red, green, blue)
        inks = [(light - part) / light if light else 0.0 for part in (red, green, blue)]
        parts = [*inks, 1 - light]
    elif model == "hsl":
        hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
        parts = [hue, saturation, lightness]
    else:
        parts = list(colorsys.rgb_to_hsv(red, green, blue) if model == "hsv" else (red, green, blue))
    return [min(1.0, max(0.0, part)) * limit for part, limit in zip(parts, COLOR_RANGES[model], strict=True)]


def luminance(red: float, green: float, blue: float) -> float:
    """Return the relative luminance of an sRGB colour, 0 for black to 1 for white (WCAG 2)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def qr_capacity(version: int, mode: QrMode, level: str) -> int:
    """Return how many characters of a mode fit into one QR code."""
    size_class = 0 if version <= 9 else 1 if version <= 26 else 2
    count_bits = {"numeric": (10, 12, 14), "alphanumeric": (9, 11, 13), "byte": (8, 16, 16)}[mode][size_class]
    bits = 8 * tables().qr_codewords[level][version - 1] - 4 - count_bits
    if mode == "numeric":
        return 3 * (bits // 10) + (2 if bits % 10 >= 7 else 1 if bits % 10 >= 4 else 0)
    return 2 * (bits // 11) + (bits % 11 >= 6) if mode == "alphanumeric" else bits // 8


def smallest_qr(characters: int, mode: QrMode, level: str, first: int) -> tuple[int, int]:
    """Return version and capacity of the smallest code that holds so many characters."""
    capacity = 0
    for version in range(first, 41):
        capacity = qr_capacity(version, mode, level)
        if capacity >= characters:
            return version, capacity
    raise refuse("characters", f"expected at most {capacity} in {mode} mode at level {level}, got {characters}")


def character_pool(password: str) -> int:
    """Return of how many characters a guesser must think: 26 + 26 letters, 10 digits, 33 signs, 100 beyond ASCII."""
    kinds = (
        (26, re.search(r"[a-z]", password)),
        (26, re.search(r"[A-Z]", password)),
        (10, re.search(r"[0-9]", password)),
        (33, re.search(r"[^A-Za-z0-9\x80-\U0010ffff]", password)),
        (100, re.search(r"[\x80-\U0010ffff]", password)),
    )
    return sum(size for size, found in kinds if found)


def guess_bits(password: str, personal_words: list[str]) -> float:
    """Return log2 of the guesses for a password; a personal word, or the next of a run like aaa or 123, is no news."""
    text = password.casefold()
    for word in sorted((word.casefold() for word in personal_words), key=lambda word: (-len(word), word)):
        text = text.replace(word, "\0")
    steps = [ord(after) - ord(before) for before, after in pairwise(text)]
    # The third character of a run is the first that follows from what stands before it.
    expected = sum(step == before and abs(step) <= 1 for before, step in pairwise(steps))
    return (len(text) - expected) * log2(character_pool(password))


def time_text(bits: float, attack: Attack) -> str:
    """Return how long half of all guesses take, in the largest unit of which there is one."""
    seconds = 2 ** min(max(0.0, bits - 1), 200) / _GUESSES_A_SECOND[attack]
    year = 31_557_600
    if seconds < 1:
        return "less than a second"
    if seconds >= 1_000_000 * year:
        return "more than a million years"
    units = (("year", year), ("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))
    unit, size = next(item for item in units if seconds >= item[1])
    count = int(seconds // size)
    return f"{count} {unit}{'s' if count > 1 else ''}"


def broken_rules(password: str, length: int, digit: bool, sign: bool, both_cases: bool) -> list[str]:
    """Return the rules that a password breaks."""
    rules = {
        f"at least {length} characters": len(password) >= length,
        "a digit": not digit or any(map(str.isdigit, password)),
        "a sign": not sign or not all(map(str.isalnum, password)),
        "small letters and capitals": not both_cases
        or (any(map(str.islower, password)) and any(map(str.isupper, password))),
    }
    return [rule for rule, kept in rules.items() if not kept]


def flag_mask(names: list[str], chosen: set[str], operation: str) -> int:
    """Return the bits of the chosen names, the first name being the lowest bit."""
    if len(set(names)) < len(names):
        raise refuse("flag_names", f"expected every name once, got {len(names) - len(set(names))} repeated")
    if strange := sorted(chosen.difference(names)):
        raise refuse("flags", f"expected names out of flag_names, got {strange[0]!r}")
    if bool(chosen) == (operation == "read"):
        wanted, got = ("none", len(chosen)) if chosen else ("at least one", 0)
        raise refuse("flags", f"expected {wanted} to {operation}, got {got}")
    return sum(1 << bit for bit, name in enumerate(names) if name in chosen)
