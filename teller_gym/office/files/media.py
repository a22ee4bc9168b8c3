"""Media types by file extension, as in ownCloud.

The type sent with an upload is ignored.
"""

from __future__ import annotations

from typing import Final

_BY_ENDING: Final = {
    "csv": "text/csv",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "eml": "message/rfc822",
    "gif": "image/gif",
    "htm": "text/html",
    "html": "text/html",
    "ics": "text/calendar",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "json": "application/json",
    "md": "text/markdown",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "tsv": "text/tab-separated-values",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "zip": "application/zip",
}
"""Media type by extension. It is a fixed table, since the standard library's depends on the machine."""


def media_type(name: str) -> str:
    """Return the media type for a file name."""
    return _BY_ENDING.get(name.rpartition(".")[2].lower() if "." in name else "", "application/octet-stream")
