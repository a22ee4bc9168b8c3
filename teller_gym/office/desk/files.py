"""Agent tools for the file store. Paths begin at the user's own root, as in the browser."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.office.desk.desk import Desk, Refusals
from teller_gym.office.documents.errors import DocumentError
from teller_gym.office.documents.pdf import pdf_text
from teller_gym.office.files import reading, tree, writing
from teller_gym.office.files.paths import clean
from teller_gym.tools.tool import Act, Result, tool

Path = Annotated[str, Meta(min_length=1, max_length=1000)]

_SHOWN: Final = ("name", "path", "type", "size", "modified")

MAX_SHOWN: Final = 8_000
"""Maximum number of characters that one call reads from a file, about 2,500 tokens."""


class Entries(Result):
    """Members of a folder, by name."""

    path: str
    entries: list[dict[str, Any]]


class Found(Result):
    """Files and folders found; folders come before their members."""

    found: list[dict[str, Any]]


class Text(Result):
    """Part of a file's text; ``next_offset`` is where the rest begins, null at the end."""

    path: str
    text: str
    next_offset: int | None


class Written(Result):
    """A written file; ``created`` is false if it replaced another one."""

    path: str
    size: int
    created: bool


class Placed(Result):
    """New path of a file or folder."""

    path: str


class Removed(Result):
    """Path of the deleted file or folder."""

    deleted: str


def _plain(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a file or folder that agents see."""
    return {name: entry[name] for name in _SHOWN}


@tool()
def list_folder(desk: Desk, path: Path = "/") -> Entries:
    """List what a folder of the file store holds, with sizes in bytes and times in UTC.

    Args:
        path: The folder, such as /Finance_Documents; / is the root.
    """
    with Refusals("path"):
        found = reading.list_folder(desk.store, desk.user, path)
    return Entries(path=path, entries=[_plain(one) for one in found])


@tool()
def find_files(desk: Desk, text: Annotated[str, Meta(min_length=1, max_length=200)], folder: Path = "/") -> Found:
    """Find files and folders whose name has a text in it; contents are not searched.

    Args:
        text: Part of the name, in any case of letters; * and ? stand for any letters and any one.
        folder: Where to look, with all folders below.
    """
    with Refusals("text", {404: "folder"}):
        found = reading.search(desk.store, desk.user, text, folder)
    return Found(found=[_plain(one) for one in found])


@tool()
def read_file(desk: Desk, path: Path, offset: Annotated[int, Meta(ge=0, le=100_000_000)] = 0) -> Text:
    """Read a file of the file store as text, 8,000 characters at a time; of a PDF the text on its pages.

    Args:
        path: The file.
        offset: Character to begin with; next_offset of the reading before.
    """
    with Refusals("path"):
        content = reading.read_file(desk.store, desk.user, path)
    text = text_of(content, path)
    if offset and offset >= len(text):
        raise invalid("offset", f"expected less than the {len(text)} characters of {path}, got {offset}")
    end = offset + MAX_SHOWN
    return Text(path=path, text=text[offset:end], next_offset=end if end < len(text) else None)


@tool(act=Act.REVISABLE)
def write_file(desk: Desk, path: Path, text: Annotated[str, Meta(max_length=200_000)]) -> Written:
    """Write a text file (UTF-8) to the file store; one that is there is replaced. Its folder must exist.

    Args:
        path: The file.
        text: All that the file shall hold.
    """
    with Refusals("path"):
        created = tree.find(desk.store, desk.user, clean(path)) is None
        written = writing.write_file(desk.store, desk.user, path, text.encode("utf-8", "replace"))
    return Written(path=written["path"], size=written["size"], created=created)


@tool(act=Act.REVISABLE)
def make_folder(desk: Desk, path: Path) -> Placed:
    """Make a folder in the file store; the one above it must exist.

    Args:
        path: The new folder.
    """
    with Refusals("path"):
        return Placed(path=writing.make_folder(desk.store, desk.user, path)["path"])


@tool(act=Act.REVISABLE)
def copy_file(desk: Desk, source: Path, destination: Path) -> Placed:
    """Copy a file or folder, with all that it holds. What stands at the destination is not replaced.

    Args:
        source: What is copied.
        destination: Path of the copy, its name included.
    """
    with Refusals("destination", {404: "source"}):
        return Placed(path=writing.copy(desk.store, desk.user, source, destination, overwrite=False)["path"])


@tool(act=Act.REVISABLE)
def move_file(desk: Desk, source: Path, destination: Path) -> Placed:
    """Move or rename a file or folder. What stands at the destination is not replaced.

    Args:
        source: What is moved.
        destination: Where to, its name included.
    """
    with Refusals("destination", {404: "source"}):
        return Placed(path=writing.move(desk.store, desk.user, source, destination, overwrite=False)["path"])


@tool(act=Act.FINAL)
def delete_file(desk: Desk, path: Path) -> Removed:
    """Delete a file, or a folder with all that it holds.

    Args:
        path: What is deleted.
    """
    with Refusals("path"):
        writing.delete(desk.store, desk.user, path)
    return Removed(deleted=path)


def text_of(content: bytes, path: str) -> str:
    """Return a file's text, or the text on the pages of a PDF.

    Raises:
        ToolError: the file is neither.
    """
    if content.startswith(b"%PDF-"):
        try:
            return pdf_text(content)
        except DocumentError as error:
            raise invalid("path", f"{path}: {error}") from None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"{path} is no text in UTF-8 (byte {error.start} of {len(content)})"
        raise invalid("path", message) from None
