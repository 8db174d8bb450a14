"""Text of a link stays text in Streamlit's Markdown."""

import pytest

from advisor.views.plain import plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("mac-mini-m4-16 at 9.9 tok/s", "mac-mini-m4-16 at 9.9 tok/s"),
        ("![x](u)", r"!\[x\](u)"),
        ("<b> $x$ *y* ~z~ #1 |", r"\<b\> \$x\$ \*y\* \~z\~ \#1 \|"),
        (r"\[", r"\\\["),
    ],
)
def test_markup_is_escaped_and_plain_text_is_not(text, shown):
    assert plain(text) == shown
