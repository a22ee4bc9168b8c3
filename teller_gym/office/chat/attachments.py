"""The text of a message and the card of an uploaded file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from teller_gym.base.text import is_unicode, shown
from teller_gym.office.chat.errors import ChatError, invalid

MAX_MESSAGE: Final = 5_000
"""Maximum length of a message in characters: Rocket.Chat's default."""


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


def card_texts(cards: Sequence[Mapping[str, Any]]) -> str:
    """Return the texts of the cards of a message, a line each."""
    names = ("image_url", "title", "title_link", "description")
    return "\n".join(["", *(card[name] for card in cards for name in names if card.get(name))])
