"""File store pages: folders, files as text, and forms to upload and write files and to create folders."""

from __future__ import annotations

import re
from base64 import b64encode
from html import unescape
from typing import Any, Final

from teller_gym.office.documents.errors import DocumentError
from teller_gym.office.documents.pdf import pdf_text
from teller_gym.office.files import reading
from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.media import media_type
from teller_gym.office.files.paths import MAX_NAME, clean, name, parent
from teller_gym.office.files.urls import href
from teller_gym.office.pages.rendering import download, go, link
from teller_gym.office.pages.site import PageError, Routes, Visit
from teller_gym.office.people import person
from teller_gym.office.web import Request, Response

MAX_SHOWN: Final = 200_000
"""Maximum length of the text on a file's page in characters. The download has the whole file."""

_WEBDAV: Final = "/remote.php/webdav"
_MESSAGE: Final = re.compile(rb"<s:message>([^<]*)</s:message>")


def _folder(visit: Visit) -> Response:
    path = clean(visit.query.get("path") or "/")
    return visit.show(
        "folder",
        path,
        path=path,
        above=_above(path),
        entries=reading.list_folder(visit.store, visit.user, path),
        found=None,
    )


def _search(visit: Visit) -> Response:
    path, text = clean(visit.query.get("path") or "/"), visit.asked("text")
    found = reading.search(visit.store, visit.user, text, path)
    title = f"{len(found)} found for {text!r} below {path}"
    return visit.show("folder", title, path=path, above=_above(path), entries=found, found=text)


def _file(visit: Visit) -> Response:
    path = clean(visit.asked("path"))
    about, content = reading.info(visit.store, visit.user, path), reading.read_file(visit.store, visit.user, path)
    text = _text(content)
    return visit.show(
        "file",
        path,
        path=path,
        above=_above(path),
        about=about,
        text=None if text is None else text[:MAX_SHOWN],
        left=0 if text is None else max(len(text) - MAX_SHOWN, 0),
        editable=text is not None and len(text) <= MAX_SHOWN and not content.startswith(b"%PDF-"),
    )


def _download(visit: Visit) -> Response:
    path = clean(visit.asked("path"))
    return download(name(path), media_type(name(path)), reading.read_file(visit.store, visit.user, path))


def _upload(visit: Visit) -> Response:
    folder, sent = visit.form.get("path") or "/", visit.form.file("file")
    if sent is None:
        raise PageError(400, "Expected a file to be chosen; there is none. Go back and choose one.")
    _write(visit, "PUT", _within(folder, sent.name), sent.content)
    return go(link("", path=folder, done="uploaded"))


def _write_text(visit: Visit) -> Response:
    path = _within(visit.form.get("path") or "/", visit.filled("name"))
    # A browser sends CRLF for every line break.
    _write(visit, "PUT", path, visit.form.get("text").replace("\r\n", "\n").encode("utf-8", "replace"))
    return go(link("file", path=path, done="written"))


def _make_folder(visit: Visit) -> Response:
    path = _within(visit.form.get("path") or "/", visit.filled("name"))
    _write(visit, "MKCOL", path, b"")
    return go(link("", path=path, done="folder"))


def _write(visit: Visit, method: str, path: str, content: bytes) -> None:
    """Send a WebDAV request, so that the service checks rights, space, locks and names."""
    found = person(visit.store, visit.user)
    password = "" if found is None else found["password"]
    signed = b64encode(f"{visit.user}:{password}".encode()).decode()
    headers = {"authorization": f"Basic {signed}"}
    response = visit.service.handle(
        visit.store, Request(method, href(_WEBDAV, path, folder=False), headers=headers, body=content)
    )
    if response.status >= 400:
        said = _MESSAGE.search(response.body)
        message = "The file store refused it" if said is None else unescape(said[1].decode("utf-8", "replace"))
        raise FilesError(response.status, message)


def _within(folder: str, child: str) -> str:
    if "/" in child or len(child) > MAX_NAME:
        raise PageError(400, f"Expected a name of at most {MAX_NAME} characters without a slash, got {child[:60]!r}.")
    return clean(f"{folder}/{child}")


def _above(path: str) -> list[dict[str, Any]]:
    """Return the name and path of each folder above a path, beginning with the home."""
    found = []
    while path != "/":
        path = parent(path)
        found.append({"name": name(path) or "Home", "path": path})
    return found[::-1]


def _text(content: bytes) -> str | None:
    """Return the text of a UTF-8 file or a PDF, or None for other files."""
    try:
        return pdf_text(content) if content.startswith(b"%PDF-") else content.decode("utf-8-sig")
    except (DocumentError, UnicodeDecodeError):
        return None


ROUTES: Final[Routes] = {
    ("GET", ""): _folder,
    ("GET", "search"): _search,
    ("GET", "file"): _file,
    ("GET", "download"): _download,
    ("POST", "upload"): _upload,
    ("POST", "write"): _write_text,
    ("POST", "folder"): _make_folder,
}
