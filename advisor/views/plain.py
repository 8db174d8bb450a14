"""Text of a link or a file as text: nothing in it becomes a picture, a link or a formula."""

from __future__ import annotations

import re

MARKUP = re.compile(r"([\\*\[\]<>$~#|])")


def plain(text: str) -> str:
    """``text`` for Streamlit's Markdown, shown letter by letter."""
    return MARKUP.sub(r"\\\1", text)
