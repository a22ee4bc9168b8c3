"""Attachments of messages: cards of text, title and link, with fields, and the card of an uploaded file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from teller_gym.base.text import is_unicode, shown
from teller_gym.office.chat.errors import ChatError, invalid

MAX_MESSAGE: Final = 5_000
"""Characters of a message or of an attachment's text: Rocket.Chat's default."""

_MAX_ATTACHMENTS: Final = 10
"""Bounds what one message can hold."""

_MAX_FIELDS: Final = 20
_MAX_OTHER: Final = 500
"""Characters of a title, an address or a field's value."""

_TEXTS: Final = (
    *("author_icon", "author_link", "author_name", "color", "image_url", "message_link", "text"),
    *("thumb_url", "title", "title_link"),
)
_FLAGS: Final = ("collapsed", "title_link_download")


def checked_text(text: Any, name: str = "text") -> str:
    """Return a message's text.

    Raises:
        ChatError: it is no text, or too long.
    """
    if not isinstance(text, str):
        raise invalid(f"{name}: expected a text, got {shown(text)}")
    if len(text) > MAX_MESSAGE:
        raise ChatError(
            f"{name}: expected at most {MAX_MESSAGE} characters, got {len(text)}", "error-message-size-exceeded"
        )
    if not text.isascii() and not is_unicode(text):
        raise invalid(f"{name}: holds half a character (a lone surrogate), which cannot be sent")
    return text


def checked_attachments(value: Any) -> list[dict[str, Any]]:
    """Return attachments as they are kept: known fields alone, in copies.

    Raises:
        ChatError: they are no list of objects, too many, or too long.
    """
    if not isinstance(value, list | tuple) or len(value) > _MAX_ATTACHMENTS:
        raise invalid(f"attachments: expected a list of at most {_MAX_ATTACHMENTS} objects, got {shown(value)}")
    return [_checked(one) for one in value]


def file_card(file: Mapping[str, Any], caption: str) -> dict[str, Any]:
    """Return the card of an uploaded file: its name, which links to the file, and a caption.

    Args:
        file: ``_id``, ``name``, ``type`` and ``size``.
        caption: the text; may be empty.
    """
    address = f"/file-upload/{file['_id']}/{quote(file['name'], safe='')}"
    card = {"type": "file", "title": file["name"], "title_link": address, "title_link_download": True}
    if file["type"].startswith("image/"):
        card |= {"image_url": address, "image_type": file["type"], "image_size": file["size"]}
    return {**card, "description": caption}


def all_texts(text: str, attachments: Sequence[Mapping[str, Any]]) -> str:
    """Return all that a message says, what hangs on it included, a line each."""
    if not attachments:
        return text
    lines = [text]
    for card in attachments:
        lines += [card[name] for name in (*_TEXTS, "description") if card.get(name)]
        lines += [part[name] for part in card.get("fields", ()) for name in ("title", "value")]
    return "\n".join(lines)


def _checked(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise invalid(f"attachments: expected objects, got {shown(value)}")
    kept: dict[str, Any] = {}
    for name in _TEXTS:
        if (text := value.get(name)) is not None:
            kept[name] = checked_text(text, f"attachments.{name}") if name == "text" else _short(text, name)
    for name in _FLAGS:
        if isinstance(flag := value.get(name), bool):
            kept[name] = flag
    if (fields := value.get("fields")) is not None:
        if not isinstance(fields, list | tuple) or len(fields) > _MAX_FIELDS:
            raise invalid(f"attachments.fields: expected a list of at most {_MAX_FIELDS}, got {shown(fields)}")
        kept["fields"] = [_field(one) for one in fields]
    return kept


def _field(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not value.get("title") or not value.get("value"):
        raise invalid(f"attachments.fields: expected objects with title and value, got {shown(value)}")
    title, content = _short(value["title"], "fields.title"), _short(value["value"], "fields.value")
    return {"short": value.get("short") is True, "title": title, "value": content}


def _short(value: Any, name: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_OTHER or not is_unicode(value):
        raise invalid(f"attachments.{name}: expected a text of at most {_MAX_OTHER} characters, got {shown(value)}")
    return value
