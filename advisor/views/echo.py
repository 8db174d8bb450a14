"""Telling a link that somebody opened from our own that comes back late.

The address bar is written by the run that a change starts. When a person changes something else
before that, Streamlit sends the older address along: one that we wrote moments ago, which must
not undo what was just chosen.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import streamlit as st

LATE_S = 5.0
MOST = 40


def wrote(name: str, link: Mapping[str, str]) -> None:
    """Remember the link that a part (``name``) of the state has just written."""
    written = st.session_state.setdefault(f"{name} written", [])
    written.append((time.monotonic(), dict(link)))
    del written[:-MOST]


def is_ours(name: str, shown: Mapping[str, str]) -> bool:
    """Whether ``shown`` is the last link written, or one written within the last seconds."""
    written = st.session_state.get(f"{name} written", [])
    now = time.monotonic()
    late = [link for when, link in written[:-1] if now - when < LATE_S]
    return dict(shown) in [*late, *(link for _, link in written[-1:])]
