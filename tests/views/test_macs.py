"""A page's Macs: the scenario's two and further ones, each once."""

from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from advisor.advice.scenario import DEFAULT
    from advisor.catalog import load
    from advisor.views import macs

    more = ["mac-mini-m4-16", "mac-mini-m6-16", "mac-mini-m9-16"]
    st.text(" ".join(machine.id for machine in macs.chosen(load(), DEFAULT, more)))


def test_a_further_mac_comes_once_and_an_unknown_one_costs_a_sentence():
    app = AppTest.from_function(script, default_timeout=30).run()

    assert app.text[0].value == "mac-mini-m4-16 mac-mini-m4-pro-48 mac-mini-m6-16"
    assert app.warning[0].value.startswith("mac-mini-m9-16 is left out. No machine is called")
