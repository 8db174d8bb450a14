"""The Accuracy page says the figures that every other place says, for any kind of estimate."""

import pytest
from streamlit.testing.v1 import AppTest

from advisor.catalog import load
from advisor.estimate import accuracy as figures
from advisor.views import accuracy
from tests.browser import open_page
from tests.views.reading import downloaded


def page_script() -> None:
    from advisor.catalog import load
    from advisor.views import accuracy, frame

    frame.guarded(accuracy, load())


def drawn(**link: str) -> AppTest:
    app = AppTest.from_function(page_script, default_timeout=30)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


def metrics(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def test_it_opens_on_all_named_runtimes():
    said = metrics(drawn())

    named = figures.by_slice(load())["named runtimes"]
    assert said["Median error"] == f"{named['median_error']:.1%}"
    assert said["Inside the 80 % interval"] == f"{named['coverage']:.0%}"


def test_a_link_narrows_it_to_one_kind():
    said = metrics(drawn(eng="ollama"))

    ollama = figures.by_slice(load())["runtime ollama"]
    assert said["Median error"] == f"{ollama['median_error']:.1%}"


@pytest.mark.parametrize("by", list(figures.DIMENSIONS))
@pytest.mark.parametrize("view", list(accuracy.VIEWS))
def test_every_table_and_chart_draws(by, view):
    app = drawn(by=by, view=view)

    table = app.dataframe[0].value
    assert table["runs"].sum() == figures.by_slice(load())["named runtimes"]["runs"]


def test_a_kind_nobody_measured_is_said():
    app = drawn(eng="lmstudio-gguf", tier="ultra")

    assert "No public run is of this kind" in app.info[0].value


def test_a_wrong_value_in_the_link_is_one_sentence():
    app = drawn(eng="nonesuch")

    assert len(app.warning) == 1
    assert "nonesuch" in app.warning[0].value


def test_an_estimate_links_to_how_right_its_kind_is(page, app_url):
    open_page(page, f"{app_url}/fit")
    page.get_by_text("How right for mlx-lm").click()
    page.wait_for_url("**/accuracy?**eng=mlx-lm**")
    page.get_by_text("And besides").wait_for()

    text = page.locator("[data-testid=stMain]").inner_text()
    mlx = figures.by_slice(load())["runtime mlx-lm"]
    assert f"{mlx['median_error']:.1%}" in text


def test_the_download_is_every_run_shown_with_its_prediction(page, app_url):
    open_page(page, f"{app_url}/accuracy?eng=omlx")

    rows = downloaded(page, "Download these")

    assert len(rows) == figures.by_slice(load())["runtime omlx"]["runs"]
    assert {"without_source_tok_s", "measured_tok_s", "source_url"} <= set(rows[0])
