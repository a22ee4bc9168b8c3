"""Forms sent by browsers and HTTP clients, either urlencoded or multipart with files."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, unquote

import msgspec

from teller_gym.office.web import Request

MAX_PARTS: Final = 1000
"""Maximum number of fields and files in a form. Each choice in a list counts."""

_MAX_HEAD: Final = 8 * 1024
"""Maximum size of a part's headers in bytes."""

_PARAMETER: Final = re.compile(r';\s*([\w!#$%&\'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))', re.ASCII)
_ESCAPED: Final = re.compile(r'\\(["\\])')
_MULTIPART: Final = "multipart/form-data"
_URLENCODED: Final = "application/x-www-form-urlencoded"


class FormError(ValueError):
    """A request body that is not a valid form."""


class Upload(msgspec.Struct, frozen=True):
    """A file in a form.

    Attributes:
        field: name of the form field.
        name: the file's name, without folders; empty if no file was chosen in the browser.
        type: media type given by the client, such as text/csv; empty if none was given.
        content: the file's bytes.
    """

    field: str
    name: str
    type: str
    content: bytes


class Form(msgspec.Struct, frozen=True):
    """Fields (``pairs`` of name and value) and files sent in a form, both in order."""

    pairs: tuple[tuple[str, str], ...] = ()
    files: tuple[Upload, ...] = ()

    def get(self, name: str, default: str = "") -> str:
        """Return the first value of a field, or the default if the form does not have it."""
        return next((value for key, value in self.pairs if key == name), default)

    def file(self, field: str) -> Upload | None:
        """Return the file chosen for a field, or None if none was chosen."""
        return next((one for one in self.files if one.field == field and one.name), None)


def read_form(request: Request) -> Form:
    """Return the form in a request's body, or an empty form if there is no body.

    Raises:
        FormError: the body is not a form, is malformed, or has more than `MAX_PARTS` parts.
    """
    content_type = request.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    if kind == _MULTIPART:
        return _multipart(content_type, request.body)
    if not request.body:
        return Form()
    if kind != _URLENCODED:
        raise FormError(f"expected a body of {_URLENCODED} or {_MULTIPART}, got {kind or 'no Content-Type'!s}")
    try:
        text = request.body.decode()
        return Form(tuple(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_PARTS, errors="strict")))
    except UnicodeDecodeError:
        raise FormError("expected a form in UTF-8, got other bytes") from None
    except ValueError:
        raise FormError(f"expected at most {MAX_PARTS} fields, got more") from None


def _multipart(content_type: str, body: bytes) -> Form:
    boundary = _parameters(content_type).get("boundary", "")
    if not 0 < len(boundary) <= 200 or not boundary.isascii():
        raise FormError("expected multipart/form-data with a boundary, got none")
    pieces = (b"\r\n" + body).split(b"\r\n--" + boundary.encode(), MAX_PARTS + 1)
    if len(pieces) < 2 or not pieces[-1].startswith(b"--"):
        raise FormError(f"expected at most {MAX_PARTS} parts, the last closed by the boundary, got {len(pieces) - 1}")
    pairs: list[tuple[str, str]] = []
    files: list[Upload] = []
    for piece in pieces[1:-1]:
        head, gap, content = piece.partition(b"\r\n\r\n")
        if not gap or len(head) > _MAX_HEAD:
            raise FormError("expected each part to have headers, an empty line and its content")
        headers = _headers(head)
        said = _parameters(headers.get("content-disposition", ""))
        field = said.get("name", "")
        if "filename" in said or "filename*" in said:
            files.append(Upload(field, _file_name(said), headers.get("content-type", ""), content))
        else:
            pairs.append((field, content.decode("utf-8", "replace")))
    return Form(tuple(pairs), tuple(files))


def _headers(head: bytes) -> dict[str, str]:
    lines = head.decode("utf-8", "replace").split("\r\n")
    pairs = (line.partition(":") for line in lines if ":" in line)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _parameters(header: str) -> dict[str, str]:
    """Parse the parameters after a header's value, with escapes in quoted values removed."""
    found: dict[str, str] = {}
    for name, quoted, plain in _PARAMETER.findall(header[:_MAX_HEAD]):
        value = _ESCAPED.sub(r"\1", quoted).replace("%22", '"') if quoted else plain
        found.setdefault(name.lower(), value)
    return found


def _file_name(said: dict[str, str]) -> str:
    """Return a file's name without folders.

    An RFC 8187 name (``utf-8''...``) takes precedence if both are sent.
    """
    extended = said.get("filename*", "").split("'", 2)
    name = unquote(extended[2], errors="replace") if len(extended) == 3 else said.get("filename", "")
    return re.split(r"[/\\]", name)[-1].strip()
