"""Limits in the documentation equal those of the code."""

from __future__ import annotations

from pathlib import Path

from teller_gym.office.files import dead, locks, paths, propfind, writing, xml_reading
from teller_gym.office.files.tree import DEFAULT_QUOTA

PAGE = Path(__file__).parents[3] / "docs" / "environments" / "office.md"


def mib(number: int) -> str:
    assert number % 2**20 == 0
    return f"{number // 2**20} MiB"


def kib(number: int) -> str:
    assert number % 2**10 == 0
    return f"{number // 2**10} KiB"


def test_bounds_are_as_documented() -> None:
    rows = {
        "a file, and any request's body": mib(writing.MAX_FILE),
        "all files of a user": f"{mib(DEFAULT_QUOTA)}, unless the office sets another quota",
        "files and folders of a user": f"{writing.MAX_ENTRIES:,}",
        "a path": f"{paths.MAX_DEPTH} names, {paths.MAX_PATH:,} bytes",
        "a name": f"{paths.MAX_NAME} bytes",
        "a body of XML": f"{kib(xml_reading.MAX_XML)}, {xml_reading.MAX_ELEMENTS:,} elements, "
        f"{xml_reading.MAX_DEPTH} within each other",
        "an answer to PROPFIND": mib(propfind.MAX_LISTED),
        "properties that clients set, for each file or folder": f"{dead.MAX_PROPERTIES}, "
        f"together {kib(dead.MAX_BYTES)}",
        "locks of a user": str(locks.MAX_LOCKS),
        "a lock's owner": f"{xml_reading.MAX_OWNER:,} characters",
        "a lock's timeout": f"{locks.LONGEST_S:,} seconds ({locks.USUAL_S:,} if the client names none)",
    }
    page = PAGE.read_text(encoding="utf-8")
    for what, bound in rows.items():
        assert f"| {what} | {bound} |" in page
