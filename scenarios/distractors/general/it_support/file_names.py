"""File names that every system takes."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

FileNames = Annotated[list[Annotated[str, Meta(max_length=80)]], Meta(min_length=1, max_length=10)]
_FORBIDDEN = {"windows": '<>:"/\\|?*', "linux": "/", "web": ""}
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))}
_LONGEST_SUFFIX = 10


class CleanNames(Result):
    """The names in the same order, and how many differ from what was given."""

    names: list[str]
    changed: int


@tool(category=Category.GENERAL_DISTRACTOR)
def clean_file_names(
    bank: Bank,
    file_names: FileNames,
    target_system: Literal["windows", "linux", "web"],
    replacement: Literal["_", "-"] = "_",
    longest: Annotated[int, Meta(ge=16, le=80)] = 80,
    lower_case: bool = False,
    ascii_only: bool = False,
) -> CleanNames:
    """Clean up file names so that a system accepts them: forbidden characters, device names, length, names twice.

    Args:
        file_names: The names, without folders.
        target_system: Where the files will lie; web leaves letters, digits, dots, hyphens and underscores.
        replacement: What stands in for a forbidden character.
        longest: Most characters of a name; the suffix after the last dot is kept.
        lower_case: Whether capitals become small letters.
        ascii_only: Whether accents and other writing are dropped.
    """
    names: list[str] = []
    seen: set[str] = set()
    for given in file_names:
        text = unicodedata.normalize("NFKD" if ascii_only else "NFC", given.lower() if lower_case else given)
        if ascii_only:
            text = text.encode("ascii", "ignore").decode()
        text = "".join(c if _is_allowed(c, target_system) else replacement for c in text)
        stem, suffix = _cut(text, longest)
        if stem.lower() in _DEVICES and target_system == "windows":
            stem += replacement
        name, number = stem + suffix, 1
        while name.lower() in seen:
            number += 1
            name = f"{stem[: longest - len(suffix) - 3]}{replacement}{number}{suffix}"
        seen.add(name.lower())
        names.append(name)
    changed = sum(old != new for old, new in zip(file_names, names, strict=True))
    return CleanNames(names=names, changed=changed)


def _is_allowed(character: str, system: str) -> bool:
    if system == "web":
        return character.isascii() and (character.isalnum() or character in "._-")
    return character.isprintable() and character not in _FORBIDDEN[system]


def _cut(text: str, longest: int) -> tuple[str, str]:
    """Cut a name to its length, in stem and suffix; neither begins or ends with a blank or ends with a dot."""
    text = text.strip().rstrip(". ")
    stem, dot, suffix = text.rpartition(".")
    if not stem.strip(". ") or not 0 < len(suffix) <= _LONGEST_SUFFIX or suffix != suffix.strip():
        stem, dot, suffix = text, "", ""
    stem = stem[: longest - len(dot + suffix)].rstrip(". ")
    return stem or "unnamed", dot + suffix
