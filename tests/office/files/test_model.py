"""File trees: seeding, and random changes compared with a dictionary of paths as the model."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.reading import contents, info, list_folder, read_file, search
from teller_gym.office.files.seeding import Home, tables
from teller_gym.office.files.tree import NODES
from teller_gym.office.files.writing import MAX_ENTRIES, MAX_FILE, copy, delete, make_folder, move, write_file
from teller_gym.office.store import Store
from tests.office.files.office import BOB, DEED, HOME, NOW, check_tree, office

Model = dict[str, bytes | None]
"""Contents of files by path; None for folders, including the home."""

START: Model = {
    "/": None,
    "/Empty": None,
    **{f"/{'/'.join(path.split('/')[1:end])}": None for path in HOME.files for end in range(2, path.count("/") + 1)},
    **HOME.files,
}
NAMES = ("Clients", "Empty", "readme.txt", "Grace Hopper", "deed.txt", "a")
PATHS = st.lists(st.sampled_from(NAMES), max_size=4).map(lambda names: "/" + "/".join(names))
ACTS = st.one_of(
    st.tuples(st.just("write"), PATHS, st.binary(max_size=4)),
    st.tuples(st.just("folder"), PATHS),
    st.tuples(st.just("delete"), PATHS),
    st.tuples(st.sampled_from(["copy", "shallow copy", "move"]), PATHS, PATHS, st.booleans()),
)


def up(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def within(model: Model, path: str) -> Model:
    return {one: what for one, what in model.items() if one == path or path == "/" or one.startswith(path + "/")}


def expected(model: Model, act: tuple[object, ...]) -> Model | int:
    """Return the tree after an act, or the status of the error."""
    kind, path = act[0], str(act[1])
    if kind == "write":
        content = act[2]
        assert isinstance(content, bytes)
        if (path in model and model[path] is None) or model.get(up(path), b"") is not None:
            return 409
        return {**model, path: content}
    if kind == "folder":
        if path != "/" and model.get(up(path), b"") is not None:
            return 409
        return 405 if path in model else {**model, path: None}
    if kind == "delete":
        if path not in model or path == "/":
            return 403 if path == "/" else 404
        return {one: what for one, what in model.items() if one not in within(model, path)}
    there, overwrite = str(act[2]), act[3]
    if there != "/" and up(there) not in model:
        return 409
    if there != "/" and model[up(there)] is not None:
        return 415
    if there in model and not overwrite:
        return 412
    if path == there:
        return 403
    if there in within({**model, there: None}, path):
        return 409
    if path not in model:
        return 404
    if path in within(model, there):
        return 403
    moved = {there + one[len(path) :]: what for one, what in within(model, path).items()}
    if kind == "shallow copy":
        moved = {there: moved[there]}
    left = {one: what for one, what in model.items() if kind != "move" or one not in within(model, path)}
    return {**{one: what for one, what in left.items() if one not in within(model, there)}, **moved}


def do(store: Store, act: tuple[object, ...]) -> object:
    match act:
        case ("write", str(path), bytes(content)):
            return write_file(store, "ada", path, content)
        case ("folder", str(path)):
            return make_folder(store, "ada", path)
        case ("delete", str(path)):
            delete(store, "ada", path)
            return None
        case ("move", str(path), str(there), bool(overwrite)):
            return move(store, "ada", path, there, overwrite=overwrite)
        case (kind, str(path), str(there), bool(overwrite)):
            return copy(store, "ada", path, there, overwrite=overwrite, deep=kind == "copy")
    raise AssertionError(act)


def shown(store: Store) -> Model:
    rows = {key.removeprefix("ada"): record for key, record in store.rows(NODES) if key.startswith("ada/")}
    return {path: record.get("content") for path, record in rows.items()}


@given(st.lists(ACTS, max_size=12))
def test_the_tree_is_what_the_model_says(acts: list[tuple[object, ...]]) -> None:
    store, model = office(), dict(START)
    for act in acts:
        saved, there, now = store.snapshot(), store.state_hash(), store.clock()
        wanted = expected(model, act)
        if isinstance(wanted, int):
            with pytest.raises(FilesError) as refused:
                do(store, act)
            assert refused.value.status == wanted
            assert store.snapshot() == saved and store.clock() == now
            continue
        do(store, act)
        model = wanted
        assert shown(store) == model and (store.clock() - now).total_seconds() == 1
        check_tree(store)
        assert store.fork(saved).state_hash() == there
    assert contents(store, "ada") == {path: content for path, content in model.items() if content is not None}
    again = office()
    for act in acts:
        if not isinstance(expected(shown(again), act), int):
            do(again, act)
    assert again.state_hash() == store.state_hash()
    assert contents(store, "bob") == {"/secret.txt": b"for Bob alone"}


@given(st.lists(ACTS, max_size=8))
def test_what_is_read_is_what_the_model_says(acts: list[tuple[object, ...]]) -> None:
    store = office()
    for act in acts:
        if not isinstance(expected(shown(store), act), int):
            do(store, act)
    model = shown(store)
    for path, content in model.items():
        told = info(store, "ada", path)
        assert (told["path"], told["type"]) == (path, "folder" if content is None else "file")
        if content is not None:
            assert read_file(store, "ada", path) == content and told["size"] == len(content)
            with pytest.raises(FilesError, match="is a file"):
                list_folder(store, "ada", path)
            continue
        assert told["size"] == sum(len(what or b"") for what in within(model, path).values())
        listed = [one["path"] for one in list_folder(store, "ada", path)]
        assert listed == sorted(one for one in model if one != "/" and up(one) == path)
        with pytest.raises(FilesError, match="is a folder"):
            read_file(store, "ada", path)
    for text in ("deed", "ED.T", "a*", "?eadme.txt"):
        hits = [one["path"] for one in search(store, "ada", text)]
        assert len(hits) == len(set(hits))
        for path in model:
            last = path.rpartition("/")[2].lower()
            like = {"deed": "deed" in last, "ED.T": "ed.t" in last, "a*": last.startswith("a")}
            assert (path in hits) == (path != "/" and like.get(text, last[1:] == "eadme.txt"))


def test_search_is_bounded_and_looks_below_a_folder() -> None:
    store = office()
    for number in range(120):
        write_file(store, "ada", f"/Empty/{number:03d}.csv", b"")
    assert len(search(store, "ada", ".csv")) == 100
    assert [one["name"] for one in search(store, "ada", "00?.CSV", "/Empty")][:2] == ["000.csv", "001.csv"]
    assert [one["path"] for one in search(store, "ada", "notes (")] == ["/Clients/Zoë & Söhne/notes (old).md"]
    assert search(store, "ada", "SÖHNE")[0]["type"] == "folder"
    assert search(store, "ada", "Empty", "/Empty") == [] and search(store, "ada", "[a-z]*") == []
    for wrong in ("", "  ", "x" * 256):
        with pytest.raises(FilesError) as refused:
            search(store, "ada", wrong)
        assert refused.value.status == 400
    for path, status in (("/nothing", 404), ("..", 400)):
        with pytest.raises(FilesError) as refused:
            search(store, "ada", "a", path)
        assert refused.value.status == status


def test_a_change_shows_above_and_nowhere_else() -> None:
    store = office()
    paths = ["/", "/Clients", "/Clients/Grace Hopper", "/Clients/Grace Hopper/deed.txt", "/Empty", "/readme.txt"]
    seen: set[str] = {info(store, "ada", path)["etag"] for path in paths}
    for _ in range(3):
        before = {path: info(store, "ada", path) for path in paths}
        write_file(store, "ada", paths[3], DEED)
        after = {path: info(store, "ada", path) for path in paths}
        changed = [path for path in paths if before[path] != after[path]]
        assert changed == paths[:4]
        etags = {after[path]["etag"] for path in changed}
        assert len(etags) == 2 and not etags & seen
        assert {after[path]["modified"] for path in changed} == {store.clock().isoformat() + "Z"}
        seen |= etags


def test_a_file_keeps_its_id_and_its_beginning_when_it_is_written_again() -> None:
    store = office()
    old = store.get(NODES, "ada/readme.txt") or {}
    write_file(store, "ada", "readme.txt", b"x", modified=5)
    new = store.get(NODES, "ada/readme.txt") or {}
    assert (new["id"], new["created"], new["modified"]) == (old["id"], old["created"], 5)
    written = write_file(store, "ada", "new.txt", b"x")
    assert written["modified"] == store.clock().isoformat() + "Z" and written["id"] > 100_000


def test_what_moves_stays_itself_and_what_is_copied_does_not() -> None:
    store = office()
    old = info(store, "ada", "/Clients/Grace Hopper/deed.txt")
    move(store, "ada", "/Clients", "/Empty/C")
    new = info(store, "ada", "/Empty/C/Grace Hopper/deed.txt")
    assert {key: new[key] for key in ("id", "etag", "modified")} == {
        key: old[key] for key in ("id", "etag", "modified")
    }
    copied = copy(store, "ada", "/Empty/C/Grace Hopper/deed.txt", "/deed.pdf")
    assert copied["content_type"] == "application/pdf" and copied["id"] != old["id"] and copied["etag"] != old["etag"]
    assert copied["modified"] == store.clock().isoformat() + "Z"
    ids = [record["id"] for key, record in store.rows(NODES) if key.startswith("ada/")]
    assert len(set(ids)) == len(ids)


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
