"""The Fit page shows the engine's table: cells and downloads compared with the command line."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from advisor.catalog import load
from tests.browser import open_page, settle
from tests.views.reading import differences, downloaded, fit, grid

TABLE = "Models that fit, with verdict, speed and size"
SMALL, LARGE = "mac-mini-m4-16", "mac-mini-m4-pro-48"
NAMES = {"M4 16 GB": SMALL, "M4 Pro 48 GB": LARGE}
WORDS = {"✓ fits": "fits", "▲ raise the limit": "raise_limit", "◐ pages, crawls": "pages",
         "✗ does not fit": "no"}  # fmt: skip


def page_script() -> None:
    from advisor.catalog import load
    from advisor.views import fit, frame

    frame.guarded(fit, load())


def count(page) -> tuple[int, int]:
    """ "**12 of 456 rows**" as it stands on the page."""
    text = page.locator("[data-testid=stMain]").inner_text()
    shown, every = re.search(r"([\d,]+) of ([\d,]+) rows", text).groups()
    return int(shown.replace(",", "")), int(every.replace(",", ""))


@pytest.fixture
def wide(page):
    """All columns on the screen at once."""
    page.set_viewport_size({"width": 2400, "height": 1000})
    return page


def test_cells_are_the_command_lines_numbers(wide, app_url):
    open_page(wide, f"{app_url}/fit?q=qwen3&ctx=16384")

    rows = grid(wide, TABLE)
    answers = {m: fit(m, "--runtime", "mlx-lm", "--context", "16384") for m in (SMALL, LARGE)}
    ids = {model.name: model.id for model in load().models.values()}
    compared = 0
    for row in rows:
        answer = answers[NAMES[row["Mac"]]][ids[row["Model"]], row["Quant"]]
        assert WORDS[row["Verdict"]] == answer["verdict"]
        assert float(row["Weights (GB)"]) == pytest.approx(answer["weights_bytes"] / 1e9)
        assert float(row["Computed (GB)"]) == pytest.approx(answer["computed_weight_bytes"] / 1e9)
        assert row["Weights are"] == answer["weight_basis"]
        assert float(row["Needs (GiB)"]) == pytest.approx(answer["total_bytes"] / 2**30)
        assert float(row["Context room (tokens)"]) == answer["max_context_tokens"]
        assert row["What would help"] == (answer["context_problem"] or answer["change"])
        if answer["verdict"] in ("fits", "raise_limit"):
            assert float(row["Decode (tok/s)"]) == pytest.approx(answer["decode_tok_s"])
            assert float(row["First token (s)"]) == pytest.approx(answer["ttft_s"])
            low, high = (float(text) for text in row["80 % interval"].split("–"))
            assert low == pytest.approx(answer["decode_low"], abs=0.51)
            assert high == pytest.approx(answer["decode_high"], abs=0.51)
        else:
            assert row["Decode (tok/s)"] in ("", "None")
        compared += 1
    assert compared >= 10


def test_the_download_is_the_command_lines_table_cell_by_cell(wide, app_url):
    open_page(wide, f"{app_url}/fit?quants=all&a={LARGE}&b={LARGE}")

    rows = downloaded(wide, "Download these")
    answer = fit(LARGE, "--runtime", "mlx-lm")

    assert len(rows) == len(answer) == count(wide)[0]
    wrong = [d for row in rows for d in differences(row, answer[row["model"], row["quant"]])]
    assert wrong == []


def test_a_filter_narrows_rows_count_and_download_together(wide, app_url):
    open_page(wide, f"{app_url}/fit?family=Gemma-3,Qwen3&show=fast&to=8&sort=fast")

    rows = downloaded(wide, "Download these")
    assert count(wide) == (len(rows), 456)
    speeds = [float(row["decode_tok_s"]) for row in rows]
    assert speeds == sorted(speeds, reverse=True)
    assert min(speeds) >= 20
    assert all(float(row["weights_bytes"]) <= 8e9 for row in rows)
    assert {row["verdict"] for row in rows} == {"fits"}
    assert all(row["model"].startswith(("gemma-3", "qwen3")) for row in rows)


def test_a_search_goes_into_the_link_and_a_link_into_the_search(wide, app_url):
    open_page(wide, f"{app_url}/fit")

    wide.get_by_label("Find").fill("gpt-oss")
    wide.wait_for_url(re.compile("q=gpt-oss"))
    settle(wide)
    before = grid(wide, TABLE)
    wide.goto(wide.url)
    settle(wide)

    assert {row["Model"] for row in before} == {"gpt-oss-20b", "gpt-oss-120b"}
    assert grid(wide, TABLE) == before


def test_a_third_mac_adds_its_rows(wide, app_url):
    open_page(wide, f"{app_url}/fit?more=mac-mini-m6-16&q=llama-3.1-8b")

    rows = {row["Mac"]: row for row in grid(wide, TABLE)}
    answer = fit("mac-mini-m6-16", "--runtime", "mlx-lm")
    third = rows["M6 16 GB"]
    assert len(rows) == 3
    assert float(third["Decode (tok/s)"]) == pytest.approx(
        answer["llama-3.1-8b", third["Quant"]]["decode_tok_s"]
    )


def test_a_selected_row_shows_its_receipt(wide, app_url):
    open_page(wide, f"{app_url}/fit?q=llama-3.1-8b&a={SMALL}&b={SMALL}")
    row = grid(wide, TABLE)[0]

    canvas = wide.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    wide.mouse.click(canvas["x"] + 18, canvas["y"] + 35 + 17)
    wide.get_by_text("Weights read").wait_for()

    text = wide.locator("[data-testid=stMain]").inner_text()
    assert f"{float(row['Decode (tok/s)']):.1f} tok/s" in text
    assert f"Llama-3.1-8B, {row['Quant']}" in text


def test_a_hand_edited_link_is_answered_in_words_and_the_table_stays(page, app_url):
    open_page(page, f"{app_url}/fit?sort=quickest&family=Nope&more=mac-mini-m4-17&q={'x' * 99}")

    said = " ".join(page.locator("[data-testid=stAlert]").all_inner_texts())
    for text in ("No order is called 'quickest'", "No family is called 'Nope'",
                 "No machine is called 'mac-mini-m4-17'", "at most 60 characters"):  # fmt: skip
        assert text in said
    assert count(page) == (456, 456)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(page, app_url, width):
    page.set_viewport_size({"width": width, "height": 844})

    open_page(page, f"{app_url}/fit")

    assert not page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth > window.innerWidth"
    )
    assert grid(page, TABLE)[0]["Model"]


@pytest.mark.parametrize(
    "link", [{}, {"ctx": "1048576"}, {"rt": "ollama"}, {"kv": "4", "use": "15"}, {"min": "400"}]
)
def test_any_scenario_draws_the_page(link):
    app = AppTest.from_function(page_script, default_timeout=30)
    for name, value in link.items():
        app.query_params[name] = value

    app.run()

    assert not app.exception
    assert not app.error
    assert len(app.dataframe) == 1
