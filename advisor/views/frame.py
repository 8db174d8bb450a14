"""What surrounds a page: one place catches our errors, one place writes the link."""

from __future__ import annotations

from typing import Protocol

import streamlit as st

from advisor.catalog import Catalog
from advisor.errors import AdvisorError
from advisor.views import state


class View(Protocol):
    """A page: its name, its address and a function that draws it."""

    TITLE: str
    URL: str

    def render(self, catalog: Catalog) -> None: ...


def guarded(view: View, catalog: Catalog) -> None:
    """Draw a page; an ``AdvisorError`` becomes its sentence, what is drawn already stays."""
    state.enter(view.URL)
    try:
        view.render(catalog)
    except AdvisorError as error:
        st.error(str(error))
