"""Random requests that are sent to the store and to another WebDAV server with the same tree, and compared."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import quote, unquote, urlsplit
from xml.etree import ElementTree

from teller_gym.office.files.reading import contents
from teller_gym.office.files.tree import NODES
from teller_gym.office.store import Store
from tests.office.files.office import WEBDAV, ask, check_tree, office

Tree = dict[str, bytes | None]
"""Contents of files by path, None for folders; the home is not in it."""

NAMES = ("a", "b.txt", "c d", "é.csv")
START: Tree = {"/a": None, "/a/b.txt": b"one", "/a/a": None, "/a/a/c d": b"", "/b.txt": b"two two", "/c d": None}


class Sent(NamedTuple):
    """A request: paths in the tree, headers without Destination."""

    method: str
    path: str
    destination: str | None = None
    headers: Mapping[str, str] = {}
    body: bytes = b""


class Answer(NamedTuple):
    status: int
    body: bytes


class Server(Protocol):
    prefix: str

    def ask(self, sent: Sent) -> Answer: ...

    def tree(self) -> Tree: ...

    def reset(self, tree: Tree) -> None: ...


class Difference(NamedTuple):
    """Where the two may answer differently, and why that is right.

    Attributes:
        methods: a regular expression.
        met: a regular expression for `situation`.
        mine: our statuses.
        other: theirs.
        reason: in words.
    """

    methods: str
    met: str
    mine: tuple[int, ...]
    other: tuple[int, ...]
    reason: str

    def covers(self, method: str, met: str, mine: int, other: int) -> bool:
        known = mine in self.mine and other in self.other
        return known and bool(re.fullmatch(self.methods, method) and re.fullmatch(self.met, met))


class Ours:
    """The store, without a wire."""

    prefix = WEBDAV

    def __init__(self) -> None:
        self.store: Store = office()

    def ask(self, sent: Sent) -> Answer:
        headers = {key.lower().replace("-", "_"): value for key, value in sent.headers.items()}
        if sent.destination is not None:
            headers["destination"] = self.prefix + quote(sent.destination)
        response = ask(self.store, sent.method, self.prefix + quote(sent.path), sent.body, "new", **headers)
        return Answer(response.status, response.body)

    def tree(self) -> Tree:
        check_tree(self.store, "new")
        files = contents(self.store, "new")
        paths = [key.removeprefix("new") for key, _ in self.store.rows(NODES) if key.startswith("new/")]
        return {path: files.get(path) for path in paths if path != "/"}

    def reset(self, tree: Tree) -> None:
        self.store = office()
        for path, content in sorted(tree.items()):
            answer = self.ask(Sent("MKCOL", path) if content is None else Sent("PUT", path, body=content))
            assert answer.status == 201


def tree_on_disk(root: Path) -> Tree:
    paths = sorted(root.rglob("*"))
    return {"/" + path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None for path in paths}


def write_to_disk(root: Path, tree: Tree) -> None:
    for path in sorted(root.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    for name, content in sorted(tree.items()):
        if content is None:
            (root / name[1:]).mkdir()
        else:
            (root / name[1:]).write_bytes(content)


METHODS = ["PUT"] * 5 + ["MKCOL"] * 4 + ["COPY", "MOVE"] * 5 + ["DELETE", "HEAD"] * 2 + ["GET"] * 6 + ["PROPFIND"] * 5


def drawn(rng: random.Random, tree: Tree) -> Sent:
    """Return a random request; most are about what the tree has."""

    def path(there: float = 0.4) -> str:
        known = sorted(tree)
        if known and rng.random() < 0.4 + there / 2:
            found = rng.choice(known)
            return found if rng.random() < 0.5 + there / 2 else f"{found}/{rng.choice(NAMES)}"
        return "/" + "/".join(rng.choice(NAMES) for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3))))

    method = rng.choice(METHODS)
    headers: dict[str, str] = {}
    if method in ("COPY", "MOVE"):
        if rng.random() < 0.7:
            headers["Overwrite"] = rng.choice("TTF")
        if rng.random() < 0.3:
            headers["Depth"] = "infinity" if method == "MOVE" else rng.choice(("0", "infinity"))
        return Sent(method, path(0.9), path(), headers)
    if method == "PROPFIND":
        headers["Depth"] = rng.choice("01")
    if method == "GET" and rng.random() < 0.5:
        headers["Range"] = rng.choice(("bytes=0-1", "bytes=1-", "bytes=-2", "bytes=2-99", "bytes=6-"))
    if method in ("PUT", "GET", "DELETE") and rng.random() < 0.2:
        headers |= rng.choice(({"If-None-Match": "*"}, {"If-Match": '"none"'}, {"If-Match": "*"}))
    return Sent(method, path(), None, headers, rng.randbytes(rng.randrange(9)) if method == "PUT" else b"")


def kind(tree: Tree, path: str) -> str:
    if path == "/":
        return "home"
    if path in tree:
        return "folder" if tree[path] is None else "file"
    parent = path.rpartition("/")[0]
    if not parent or (parent in tree and tree[parent] is None):
        return "free"
    return "in a file" if parent in tree else "orphan"


def situation(tree: Tree, sent: Sent) -> str:
    """Return what the request meets, such as ``file to free``."""
    found = kind(tree, sent.path)
    if sent.destination is None:
        return f"{found}, {'; '.join(f'{key}: {value}' for key, value in sent.headers.items())}".removesuffix(", ")
    if sent.destination == sent.path:
        return f"{found} to itself"
    if f"{sent.destination}/".startswith(f"{sent.path.rstrip('/')}/"):
        return f"{found} to within itself"
    place = (
        "what holds it" if sent.path.startswith(sent.destination.rstrip("/") + "/") else kind(tree, sent.destination)
    )
    stays = " that must stay" if sent.headers.get("Overwrite") == "F" else ""
    alone = ", without members" if sent.headers.get("Depth") == "0" else ""
    return f"{found} to {place}{stays}{alone}"


def listing(prefix: str, body: bytes) -> dict[str, tuple[bool, str | None]]:
    """Return whether each address in a 207 is a folder, and its length."""
    found = {}
    for one in ElementTree.fromstring(body).findall("{DAV:}response"):
        path = unquote(urlsplit(one.findtext("{DAV:}href") or "").path).removeprefix(prefix)
        folder = one.find(".//{DAV:}resourcetype/{DAV:}collection") is not None
        # Some servers also give folders a length.
        found["/" + path.strip("/")] = (folder, None if folder else one.findtext(".//{DAV:}getcontentlength"))
    return found


def compare(theirs: Server, differences: Sequence[Difference], seed: int, number: int) -> Counter[str]:
    """Send random requests to both and compare statuses, bodies and trees.

    Returns:
        How often which method had which status, and how often there was a documented difference.
    """
    ours, rng, counts, unexplained = Ours(), random.Random(seed), Counter[str](), Counter[str]()
    ours.reset(START)
    theirs.reset(START)
    tree = ours.tree()
    for _ in range(number):
        sent = drawn(rng, tree)
        mine, other = ours.ask(sent), theirs.ask(sent)
        before, tree = tree, ours.tree()
        counts[f"{sent.method} {mine.status}"] += 1
        met = situation(before, sent)
        known = [one for one in differences if one.covers(sent.method, met, mine.status, other.status)]
        if mine.status != other.status:
            counts["documented differences"] += bool(known)
            if not known:
                unexplained[f"{sent.method} {met}: {mine.status}, {other.status}"] += 1
        else:
            if sent.method == "PROPFIND" and mine.status == 207:
                assert listing(ours.prefix, mine.body) == listing(theirs.prefix, other.body), sent
            if sent.method == "GET" and mine.status in (200, 206) and kind(before, sent.path) == "file":
                assert mine.body == other.body, sent
        if mine.status >= 400 or sent.method in ("GET", "HEAD", "PROPFIND"):
            assert tree == before, sent
        if theirs.tree() != tree:
            assert known or mine.status != other.status, (sent, met, mine.status, tree, theirs.tree())
            theirs.reset(tree)
        if len(tree) > 40:
            ours.reset(START)
            theirs.reset(START)
            tree = ours.tree()
    assert not unexplained, unexplained
    return counts


def check_counts(counts: Counter[str], number: int) -> None:
    """Check that the requests met every status, and that nearly all were answered alike."""
    wanted = {
        "PUT": (201, 204, 409, 412),
        "MKCOL": (201, 405, 409),
        "COPY": (201, 204, 403, 409, 412),
        "MOVE": (201, 204, 403, 409, 412),
        "DELETE": (204, 404, 412),
        "GET": (200, 206, 404, 416),
        "HEAD": (200, 404),
        "PROPFIND": (207, 404),
    }
    missing = [f"{method} {status}" for method, some in wanted.items() for status in some]
    assert all(counts[one] for one in missing), counts
    assert counts["documented differences"] < number / 3, counts
