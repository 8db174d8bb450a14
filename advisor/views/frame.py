"""What surrounds a page: the one place where what stops a page becomes a sentence."""

from __future__ import annotations

import logging
from typing import Protocol

import streamlit as st

from advisor.catalog import Catalog
from advisor.errors import AdvisorError
from advisor.share.links import HOME
from advisor.views import received, state
from advisor.views.plain import plain


class View(Protocol):
    """A page: its name, its address and a function that draws it."""

    TITLE: str
    URL: str

    def render(self, catalog: Catalog) -> None: ...


def guarded(view: View, catalog: Catalog) -> None:
    """Draw a page; what is drawn before an error stays.

    An ``AdvisorError`` is shown as it is, a fault of ours as a sentence, its details logged.
    """
    state.enter(view.URL)
    try:
        view.render(catalog)
        if view.URL != HOME:  # the first page puts it below its verdict
            received.show()
    except AdvisorError as error:
        st.error(plain(str(error)))
    except Exception:
        logging.getLogger(__name__).exception("The page %s failed", view.TITLE)
        st.error(
            f"The page {view.TITLE} met a fault of ours and stopped here; the details are in the "
            "terminal. Change a setting or open another page: nothing is lost."
        )
