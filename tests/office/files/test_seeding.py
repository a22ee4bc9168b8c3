"""Seeded trees are whole, the same for the same seed, and refused where they contradict themselves."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.reading import contents, info
from teller_gym.office.files.seeding import Home, tables
from teller_gym.office.files.writing import MAX_ENTRIES, MAX_FILE
from teller_gym.office.store import Store
from tests.office.files.office import BOB, HOME, NOW, check_tree, office


def test_a_seeded_tree_is_whole() -> None:
    store = office()
    check_tree(store)
    check_tree(store, "bob")
    assert contents(store, "ada") == HOME.files and contents(store, "bob") == BOB.files
    assert info(store, "ada", "/readme.txt")["modified"] == "2026-02-01T08:30:00Z"
    assert info(store, "ada", "/Clients/Grace Hopper/assets.csv")["modified"] == "2026-03-01T09:00:00Z"
    assert info(store, "ada", "/Empty")["modified"] == "2026-03-01T09:00:00Z"
    assert store.diff() == []


def test_a_folder_is_as_new_as_what_it_holds() -> None:
    old, new = datetime(2020, 1, 1), datetime(2021, 1, 1)
    base = tables([Home("ada", {"/a/b/x": b"", "/a/y": b""}, {"/a/b/x": old, "/a/y": new})], NOW, 1)
    store = Store(base, NOW, 1)
    assert info(store, "ada", "/a/b")["modified"] == "2020-01-01T00:00:00Z"
    assert info(store, "ada", "/a")["modified"] == info(store, "ada", "/")["modified"] == "2021-01-01T00:00:00Z"


def test_the_seed_alone_decides() -> None:
    assert tables([HOME, BOB], NOW, 1) == tables([HOME, BOB], NOW, 1)
    first, second = tables([HOME], NOW, 1)["files.nodes"], tables([HOME], NOW, 2)["files.nodes"]
    assert all(first[key]["etag"] != second[key]["etag"] for key in first)
    assert len({record["etag"] for record in first.values()}) == len(first)


@pytest.mark.parametrize(
    ("homes", "message"),
    [
        ([Home("a"), Home("a")], "two homes"),
        ([Home("")], "no slash"),
        ([Home("a/b")], "no slash"),
        ([Home("a", {"/x": b"", "/x/y": b""})], "both a file and a folder: /x"),
        ([Home("a", {"/x": b""}, folders=("/x",))], "both a file and a folder: /x"),
        ([Home("a", {"/x": b"", "x/": b""})], "same path"),
        ([Home("a", {"/x": b""}, {"/y": NOW})], "no file: /y"),
        ([Home("a", {"/x": b"12"}, quota=1)], "exceeds its quota"),
        ([Home("a", {"/x": bytes(MAX_FILE + 1)})], "more than"),
        ([Home("a", {f"/{number}": b"" for number in range(MAX_ENTRIES + 1)})], "exceeds its quota"),
    ],
)
def test_contradictions_are_refused(homes: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tables(homes, NOW, 1)


def test_paths_that_no_file_can_have_are_refused() -> None:
    for path in ("/a/../b", "/a\\b", "/" + "x" * 256):
        with pytest.raises(FilesError):
            tables([Home("a", {path: b""})], NOW, 1)
        with pytest.raises(FilesError):
            tables([Home("a", folders=(path,))], NOW, 1)
