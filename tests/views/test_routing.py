"""The Routing page answers for both Macs, says where a prompt goes, and takes a bad link calmly."""

import pytest
from streamlit.testing.v1 import AppTest

from advisor.catalog import load
from advisor.routing.workload import presets


def page_script() -> None:
    from advisor.catalog import load
    from advisor.views import frame, routing

    frame.guarded(routing, load())


def drawn(**link: str) -> AppTest:
    app = AppTest.from_function(page_script, default_timeout=90)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


def test_both_macs_are_answered_for():
    app = drawn()

    classes = app.dataframe[0].value
    assert set(classes["machine"]) == {"M4 16 GB", "M4 Pro 48 GB"}
    assert any("proved best" in one.value for one in app.markdown)


@pytest.mark.parametrize("load_id", [name for name in presets(load()) if name != "personal-agent"])
def test_every_workload_draws(load_id):
    app = drawn(load=load_id, most="2")

    assert len(app.dataframe[0].value) == 2 * len(presets(load())[load_id].classes)


def test_a_prompt_is_told_where_it_goes_and_why():
    app = drawn()

    app.text_area(key="routing prompt").set_value("hi").run()

    said = [one.value for one in app.markdown if one.value.startswith("**short**")]
    assert said
    assert "since a single message" in said[0]


def test_a_runtime_that_cannot_is_a_sentence_not_a_fault():
    app = drawn(rt="other")

    assert not app.exception


def test_a_wrong_link_is_one_sentence():
    app = drawn(load="nonesuch")

    assert "nonesuch" in app.warning[0].value
