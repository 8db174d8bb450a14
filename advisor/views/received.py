"""A link that somebody sent: the answer comes first, then this: what differs, and one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from advisor.advice import this_machine
from advisor.catalog import Catalog
from advisor.detect import THIS
from advisor.share import links, said, sending
from advisor.views.plain import plain

STORED = "received"


@dataclass(frozen=True)
class Note:
    """What is to be said of a link. ``sent``: somebody made it to be sent."""

    sent: bool
    problems: tuple[str, ...]
    since: str


def opened(catalog: Catalog, shown: Mapping[str, str]) -> None:
    """Remember what is to be said of a link that was just opened."""
    made_with = shown.get(links.CATALOG, "")
    sent = links.FORM in shown
    if sent:
        found = sending.open_link(catalog, links.Sent(links.HOME, shown))
        note = Note(True, tuple(links.problems(shown)), found.since)
    else:
        # An address that was kept: its catalog may be another by now.
        note = Note(False, (), said.since(catalog, made_with, None) if made_with else "")
    st.session_state[STORED] = note if note.sent or note.since else None


def forget() -> None:
    """The scenario is the reader's own now: nothing of the link is left to say."""
    st.session_state[STORED] = None


def show() -> None:
    """Draw what is to be said of the link, and how to make its comparison one's own."""
    note: Note | None = st.session_state.get(STORED)
    if note is None:
        return
    with st.container(border=True, gap="small"):
        for problem in note.problems:
            st.markdown(f":orange-badge[link] {plain(problem)}")
        if note.since:
            st.markdown(f":blue-badge[facts] {plain(note.since)}")
        with st.container(horizontal=True, vertical_alignment="center"):
            if note.sent:
                st.markdown(f"Somebody sent you this comparison. {_own()}", width="content")
                if _on_a_mac():
                    st.button("Use my Mac", key="received mac", on_click=_use_my_mac)
            st.button("Close", key="received close", type="tertiary", on_click=forget)


def _on_a_mac() -> bool:
    return this_machine.name() == "This Mac"


def _own() -> str:
    if _on_a_mac():
        return "Make it your own: change the context or the settings above, or"
    return "Make it your own: choose your Mac, the context and the settings above."


def _use_my_mac() -> None:
    st.session_state["pick_a"] = THIS
    forget()
