"""HTML of descriptions and comments, to and from plain text."""

from __future__ import annotations

import re
from html import escape, unescape

_MARK = re.compile(r"<!--|<(?=[A-Za-z!?]|/[A-Za-z])|[\"'>]")


def strip_tags(html: str) -> str:
    """Return a text without HTML's tags, comments and declarations; entities stay as they are.

    A tag that never ends is text: ``a <b`` stays whole. It always takes time proportional to the length.
    """
    if "<" not in html:
        return html
    kept: list[str] = []
    text_from = 0  # where the text begins that is not yet kept
    tag_from = -1  # where the tag begins that is open
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
    """Return a description or comment without its markup; paragraphs become lines."""
    return unescape(strip_tags(html.replace("</p><p>", "\n").replace("<br>", "\n")))


def as_html(text: str) -> str:
    """Return plain text as HTML, a paragraph for each line."""
    return "".join(f"<p>{line}</p>" for line in escape(text, quote=False).split("\n"))
