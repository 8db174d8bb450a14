"""A page drawn by itself has no links to others, and no fault."""

from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from advisor.views import links

    st.markdown("before")
    links.link("accuracy", "How right", ":material/rule:", {"eng": "mlx-lm"})


def test_no_navigation_no_link():
    app = AppTest.from_function(script).run()

    assert not app.exception
    assert [one.value for one in app.markdown] == ["before"]
