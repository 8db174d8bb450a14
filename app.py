"""The router: loads the catalog once, names the pages, shows a broken catalog kindly."""

from functools import partial

import streamlit as st

from advisor.catalog import Catalog, load
from advisor.errors import AdvisorError
from advisor.views import (
    accuracy,
    calibrate,
    fit,
    frame,
    home,
    links,
    routing,
    sources,
    speed,
    upgrade,
)

st.set_page_config(page_title="Tollbooth", page_icon="docs/icon.png", layout="wide")


VIEWS: tuple[frame.View, ...] = (home, fit, routing, speed, upgrade, accuracy, calibrate, sources)


@st.cache_resource(show_spinner=False)
def the_catalog() -> Catalog:
    return load()


def main() -> None:
    try:
        catalog = the_catalog()
    except AdvisorError as error:
        st.error(str(error))
        st.stop()
    pages = [
        st.Page(
            partial(frame.guarded, view, catalog),
            title=view.TITLE,
            url_path=view.URL,
            default=view is home,
        )
        for view in VIEWS
    ]
    links.register({view.URL: page for view, page in zip(VIEWS, pages, strict=True)})
    st.navigation(pages, position="top").run()


main()
