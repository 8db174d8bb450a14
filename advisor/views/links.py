"""Links from one page to another, by address: pages know no page objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage

STORED = "pages by address"


def register(pages: Mapping[str, StreamlitPage]) -> None:
    """Keep the app's pages, by address, for the links drawn in this run."""
    st.session_state[STORED] = dict(pages)


def link(url: str, label: str, icon: str, keys: Mapping[str, str] | None = None) -> None:
    """Draw a link to a page with values for its link; nothing where a page is drawn by itself."""
    page = st.session_state.get(STORED, {}).get(url)
    if page is not None:
        st.page_link(page, label=label, icon=icon, query_params=dict(keys or {}))


def open_page(url: str, keys: Mapping[str, str]) -> None:
    """Go to a page with a link's values, as if that link had been opened."""
    page = st.session_state.get(STORED, {}).get(url)
    if page is None:
        st.query_params.from_dict(dict(keys))
        st.rerun()
    st.switch_page(page, query_params=dict(keys))
