"""The Sources page: facts with their links, counted, searched and downloaded."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from advisor.catalog import load
from advisor.estimate import accuracy, coefficients
from advisor.views import sources
from tests.browser import open_page
from tests.views.reading import downloaded, grid


def page_script() -> None:
    from advisor.catalog import load
    from advisor.views import frame, sources

    frame.guarded(sources, load())


def main_text(page) -> str:
    return page.locator("[data-testid=stMain]").inner_text()


def test_a_chips_bandwidth_and_link_are_the_catalogs(page, app_url):
    page.set_viewport_size({"width": 2400, "height": 1000})
    open_page(page, f"{app_url}/sources?q=m4-pro-16")

    (row,) = grid(page, "Chips")
    chip = load().chip("m4-pro-16")
    assert float(row["Bandwidth (GB/s)"]) == chip.bandwidth_gb_per_s == 273
    assert row["Confidence"] == "● high"
    assert row["Source"] in {source.url for source in chip.sources}


def test_runs_of_low_confidence_are_marked_and_counted(page, app_url):
    open_page(page, f"{app_url}/sources?table=runs")

    runs = load().runs
    low = int((runs["confidence"] == "low").sum())
    assert f"{len(runs):,} of {len(runs):,} rows, {low} of low confidence" in main_text(page)
    rows = downloaded(page, "Download these")
    assert len(rows) == len(runs)
    by_id = runs.set_index("id")
    for row in rows[::50]:
        assert float(row["decode_tok_s"] or "nan") == pytest.approx(
            by_id.at[row["id"], "decode_tok_s"], nan_ok=True
        )
        assert row["source"] == by_id.at[row["id"], "source_url"]
        assert row["confidence"] == by_id.at[row["id"], "confidence"]


def test_the_fit_says_when_and_on_what_it_was_made(page, app_url):
    open_page(page, f"{app_url}/sources")

    catalog, text = load(), main_text(page)
    fitted = coefficients.load(catalog)
    assert f"Catalog {catalog.digest}" in text
    assert f"fitted on {fitted.fitted_on} (data {fitted.data_digest})" in text
    every = accuracy.by_slice(catalog)["all"]
    assert re.search(rf"within {every['median_error']:.0%}", text)


@pytest.mark.parametrize("section", list(sources.BY_ID))
def test_every_table_draws_and_searches(section):
    app = AppTest.from_function(page_script, default_timeout=30)
    app.query_params["table"] = section
    app.query_params["q"] = "m4"

    app.run()

    assert not app.exception
    assert not app.error
    table = sources.BY_ID[section].table(load())
    assert any(f"of {len(table):,} rows" in caption.value for caption in app.caption)


def test_an_unknown_table_is_answered_in_words_and_the_first_shown():
    app = AppTest.from_function(page_script, default_timeout=30)
    app.query_params["table"] = "chops"

    app.run()

    assert "No table is called 'chops'. Nearest: chips." in app.warning[0].value
    assert len(app.dataframe) == 1  # errors of the fit, and the chips


@pytest.mark.parametrize(
    ("column", "label"),
    [("memory_gb", "Memory (GB)"), ("gpu_clock_mhz", "GPU clock (MHz)"), ("chip", "Chip"),
     ("max_context_tokens", "Max context (tokens)"), ("decode_tok_s", "Decode (tok/s)"),
     ("macos_26_to_27_mib", "macOS 26 to 27 (MiB)")],
)  # fmt: skip
def test_a_heading_is_words_with_the_unit(column, label):
    assert sources.label(column) == label


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(page, app_url, width):
    page.set_viewport_size({"width": width, "height": 844})

    open_page(page, f"{app_url}/sources")

    assert not page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth > window.innerWidth"
    )
