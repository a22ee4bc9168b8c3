"""File names that are valid on every system."""

from __future__ import annotations

import unicodedata
from typing import Final

_FORBIDDEN: Final = {"windows": '<>:"/\\|?*', "linux": "/"}
_DEVICES: Final = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)),
}
_LONGEST_SUFFIX: Final = 10


def clean_names(
    names: list[str], system: str, replacement: str, longest: int, lower_case: bool, ascii_only: bool
) -> list[str]:
    """Turn names into unique file names that are valid on a system."""
    cleaned: list[str] = []
    seen: set[str] = set()
    for given in names:
        text = unicodedata.normalize("NFKD" if ascii_only else "NFC", given.lower() if lower_case else given)
        text = text.encode("ascii", "ignore").decode() if ascii_only else text
        stem, suffix = _cut("".join(sign if _is_allowed(sign, system) else replacement for sign in text), longest)
        if stem.lower() in _DEVICES and system == "windows":
            stem += replacement
        name, number = stem + suffix, 1
        while name.lower() in seen:
            number += 1
            name = f"{stem[: longest - len(suffix) - 3]}{replacement}{number}{suffix}"
        seen.add(name.lower())
        cleaned.append(name)
    return cleaned


def _is_allowed(sign: str, system: str) -> bool:
    if system == "web":
        return sign.isascii() and (sign.isalnum() or sign in "._-")
    return sign.isprintable() and sign not in _FORBIDDEN[system]


def _cut(text: str, longest: int) -> tuple[str, str]:
    """Split a name into stem and suffix, cut to its maximum length, without blanks at its ends or trailing dots."""
    text = text.strip().rstrip(". ")
    stem, dot, suffix = text.rpartition(".")
    if not stem.strip(". ") or not 0 < len(suffix) <= _LONGEST_SUFFIX or suffix != suffix.strip():
        stem, dot, suffix = text, "", ""
    return stem[: longest - len(dot + suffix)].rstrip(". ") or "unnamed", dot + suffix
