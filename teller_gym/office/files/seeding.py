"""Creates the file store's tables from a plain description."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

import msgspec

from teller_gym.office.files.paths import clean, name, parent
from teller_gym.office.files.times import stamp
from teller_gym.office.files.tree import DEFAULT_QUOTA, NODES
from teller_gym.office.files.writing import MAX_ENTRIES, MAX_FILE, NEW_IDS_FROM
from teller_gym.office.ids import digest
from teller_gym.office.store import Record


class Home(msgspec.Struct, frozen=True):
    """Initial contents of a user's tree.

    Attributes:
        username: user name in the table ``people``.
        files: contents by path, such as ``/Clients/Ada/deed.txt``; folders above them need not be listed.
        modified: times of files by path, in UTC without a zone. The default is a day before the office's day; a folder
            has the time of its latest file.
        folders: paths of folders without files.
        quota: quota in bytes.
    """

    username: str
    files: Mapping[str, bytes] = {}
    modified: Mapping[str, datetime] = {}
    folders: tuple[str, ...] = ()
    quota: int = DEFAULT_QUOTA


def tables(homes: Iterable[Home], now: datetime, seed: int) -> dict[str, dict[str, Record]]:
    """Return the initial tables for the given homes.

    Ids and ETags follow from the seed and the order of the homes.

    Raises:
        ValueError: a path is below a file, a time belongs to no file, a limit is exceeded, a user has two homes or a
            slash in the name.
        FilesError: a path is invalid.
    """
    nodes: dict[str, Record] = {}
    for home in homes:
        if not home.username or "/" in home.username:
            raise ValueError(f"a user name has no slash and is not empty; got '{home.username}'")
        if home.username + "/" in nodes:
            raise ValueError(f"two homes for the user {home.username}")
        _plant(nodes, home, stamp(now - timedelta(days=1)), seed)
    if len(nodes) > NEW_IDS_FROM:
        raise ValueError(f"all homes together have at most {NEW_IDS_FROM} files and folders; these have {len(nodes)}")
    return {NODES: nodes}


def _plant(nodes: dict[str, Record], home: Home, usual: int, seed: int) -> None:
    files = {clean(path): content for path, content in home.files.items()}
    times = {clean(path): stamp(time) for path, time in home.modified.items()}
    if len(files) < len(home.files):
        raise ValueError(f"two files of {home.username} have the same path")
    if strange := sorted(times.keys() - files.keys()):
        raise ValueError(f"times for what is no file: {', '.join(strange)}")
    above = {"/"}
    for path in (*(clean(one) + "/" for one in home.folders), *files):
        while path != "/":
            path = parent(path)
            above.add(path)
    if wrong := sorted(above & files.keys()):
        raise ValueError(f"both a file and a folder: {', '.join(wrong)}")
    if big := sorted(path for path, content in files.items() if len(content) > MAX_FILE):
        raise ValueError(f"files of more than {MAX_FILE} bytes: {', '.join(big)}")
    too_much = sum(map(len, files.values())) > home.quota
    if too_much or len(above) + len(files) - 1 > MAX_ENTRIES:
        raise ValueError(f"the tree of {home.username} exceeds its quota or has more than {MAX_ENTRIES} entries")

    for path in sorted({*above, *files}):
        number = len(nodes) + 1
        etag = digest(seed, "files.seeded", number).hex()
        born = {"id": number, "created": times.get(path, usual), "modified": times.get(path, usual)}
        if path in files:
            nodes[home.username + path] = {**born, "content": files[path], "etag": etag[:32]}
        else:
            nodes[home.username + path] = {**born, "children": [], "size": 0, "entries": 0, "etag": etag[:13]}
    nodes[home.username + "/"]["quota"] = home.quota
    for path in sorted({*above, *files} - {"/"}, key=lambda path: (-path.count("/"), path)):
        below, holder = nodes[home.username + path], nodes[home.username + parent(path)]
        holder["children"].append(name(path))
        holder["size"] += below["size"] if "children" in below else len(below["content"])
        holder["entries"] += 1 + below.get("entries", 0)
        # A folder without files keeps the default time; one with files takes the latest of theirs, even if it is older.
        first = len(holder["children"]) == 1
        holder["modified"] = below["modified"] if first else max(holder["modified"], below["modified"])
