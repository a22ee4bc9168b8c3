"""Encodes multipart forms as browsers do."""

from collections.abc import Mapping

MULTIPART = "multipart/form-data; boundary=XX"
"""Content-Type of the result of `multipart`."""


def multipart(fields: Mapping[str, str], content: bytes, name: str = "a.csv", kind: str = "text/csv") -> bytes:
    """Return the body of a form with text fields and a file in the field ``file``."""
    parts = [f'name="{key}"\r\n\r\n{value}'.encode() for key, value in fields.items()]
    quoted = name.replace('"', "%22")
    parts.append(f'name="file"; filename="{quoted}"\r\nContent-Type: {kind}\r\n\r\n'.encode() + content)
    return b"".join(b"--XX\r\nContent-Disposition: form-data; " + part + b"\r\n" for part in parts) + b"--XX--\r\n"
