"""A page that fails says so in a sentence; what it drew before stays."""

import pytest
from streamlit.testing.v1 import AppTest


def app(kind: str) -> None:
    import streamlit as st

    from advisor.catalog import load
    from advisor.errors import InputError
    from advisor.views import frame

    class Broken:
        TITLE, URL = "Broken", "broken"

        @staticmethod
        def render(catalog: object) -> None:
            st.markdown("drawn before")
            raise InputError("No such thing.") if kind == "input" else KeyError("secret")

    frame.guarded(Broken, load())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "said"), [("input", "No such thing."), ("ours", "met a fault of ours")]
)
def test_a_failing_page_is_a_sentence(kind, said):
    at = AppTest.from_function(app, args=(kind,), default_timeout=30).run()

    assert not at.exception
    assert [said in error.value for error in at.error] == [True]
    assert "secret" not in at.error[0].value
    assert at.markdown[0].value == "drawn before"
