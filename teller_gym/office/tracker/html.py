"""Converts the HTML of descriptions and comments to and from plain text."""

from __future__ import annotations

import re
from html import escape, unescape

_MARK = re.compile(r"<!--|<(?=[A-Za-z!?]|/[A-Za-z])|[\"'>]")


def strip_tags(html: str) -> str:
    """Remove tags, comments and declarations from HTML.

    Entities are not changed.

    A tag that never ends is text: ``a <b`` is returned whole. The time is linear in the length.
    """
    if "<" not in html:
        return html
    kept: list[str] = []
    text_from = 0  # start of the text that is not kept yet
    tag_from = -1  # start of the open tag; -1 outside tags
    quote = ""
    position = 0
    while found := _MARK.search(html, position):
        mark, position = found.group(), found.end()
        if tag_from < 0:
            if mark == "<!--":
                end = html.find("-->", position)
                if end < 0:
                    break
                kept.append(html[text_from : found.start()])
                text_from = position = end + 3
            elif mark == "<":
                tag_from = found.start()
        elif quote:
            if mark == quote:
                quote = ""
        elif mark in "\"'":
            quote = mark
        elif mark == ">":
            kept.append(html[text_from:tag_from])
            text_from, tag_from = position, -1
    kept.append(html[text_from:])
    return "".join(kept)


def plain_text(html: str) -> str:
    """Convert the HTML of a description or comment to plain text, with paragraphs as lines."""
    return unescape(strip_tags(html.replace("</p><p>", "\n").replace("<br>", "\n")))


def as_html(text: str) -> str:
    """Convert plain text to HTML, with a paragraph for each line."""
    return "".join(f"<p>{line}</p>" for line in escape(text, quote=False).split("\n"))
