"""The Speed page: curves, points and the receipt carry the command line's numbers."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from advisor.catalog import load
from tests.browser import open_page
from tests.views.reading import downloaded, fit, grid

SMALL, LARGE = "mac-mini-m4-16", "mac-mini-m4-pro-48"
NOW = "Speeds at the chosen context"


def page_script() -> None:
    from advisor.catalog import load
    from advisor.views import frame, speed

    frame.guarded(speed, load())


def drawn(**link: str) -> AppTest:
    app = AppTest.from_function(page_script, default_timeout=30)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


def test_the_table_at_the_context_is_the_command_lines(page, app_url):
    page.set_viewport_size({"width": 1600, "height": 1000})
    open_page(page, f"{app_url}/speed?m=llama-3.1-8b,qwen3-30b-a3b&quant=mlx-4bit&ctx=32768")

    ids = {"Llama-3.1-8B": "llama-3.1-8b", "Qwen3-30B-A3B": "qwen3-30b-a3b"}
    machines = {"M4 16 GB": SMALL, "M4 Pro 48 GB": LARGE}
    rows = grid(page, NOW)
    assert len(rows) == 4
    for row in rows:
        answer = fit(machines[row["Mac"]], "--runtime", "mlx-lm", "--context", "32768")
        known = answer[ids[row["Model"]], "mlx-4bit"]
        if known["verdict"] == "no":
            assert row["Decode (tok/s)"] in ("", "None")
            continue
        assert float(row["Decode (tok/s)"]) == pytest.approx(known["decode_tok_s"])
        assert float(row["80 % from"]) == pytest.approx(known["decode_low"])
        assert float(row["First token (s)"]) == pytest.approx(known["ttft_s"])


def test_the_curves_download_agrees_with_the_command_line_where_they_meet(page, app_url):
    open_page(page, f"{app_url}/speed?m=qwen3-8b&quant=mlx-4bit&a={LARGE}&b={LARGE}")

    rows = downloaded(page, "Curves")
    at = {int(row["context_tokens"]): row for row in rows}
    for context in (1024, 16384):
        answer = fit(LARGE, "--runtime", "mlx-lm", "--context", str(context))
        known = answer["qwen3-8b", "mlx-4bit"]
        for name in ("decode_tok_s", "decode_low", "decode_high", "ttft_s", "kv_bytes"):
            assert float(at[context][name]) == pytest.approx(known[name], rel=1e-9)
    speeds = [float(row["decode_tok_s"]) for row in rows]
    assert speeds == sorted(speeds, reverse=True)


def test_the_points_drawn_are_the_public_runs(page, app_url):
    open_page(page, f"{app_url}/speed?m=qwen3-8b&quant=mlx-4bit&a={LARGE}&b={LARGE}")

    rows = downloaded(page, "Public runs drawn")
    runs = load().runs.set_index("id")
    assert len(rows) == 8
    for row in rows:
        assert float(row["decode_tok_s"]) == runs.at[row["id"], "decode_tok_s"]
        assert row["source_url"] == runs.at[row["id"], "source_url"]
    assert (
        "8 public runs of the same chip family" in page.locator("[data-testid=stMain]").inner_text()
    )
    marks = page.locator("[data-testid=stVegaLiteChart] path[aria-roledescription='point']")
    assert marks.count() >= 8


def test_the_receipt_is_the_command_lines_row(page, app_url):
    open_page(page, f"{app_url}/speed?m=qwen3-8b&quant=mlx-4bit&a={LARGE}&b={LARGE}")

    text = page.locator("[data-testid=stTable]").filter(has_text="Weights read").inner_text()
    times = [float(t) for t in re.findall(r"([\d.]+) ms", text)]
    row = fit(LARGE, "--runtime", "mlx-lm")["qwen3-8b", "mlx-4bit"]
    assert times == pytest.approx(
        [1e3 * row[name] for name in ("weights_s", "kv_s", "overhead_s", "step_s")], abs=0.051
    )


def test_two_runtimes_give_two_numbers(page, app_url):
    page.set_viewport_size({"width": 1600, "height": 1000})
    shown = {}
    for runtime in ("mlx-lm", "lmstudio-gguf"):
        open_page(page, f"{app_url}/speed?m=qwen3-8b&ctx=4096&rt={runtime}&a={LARGE}&b={LARGE}")
        shown[runtime] = float(grid(page, NOW)[0]["Decode (tok/s)"])

    # Published for an M4 Pro at 4K: 46.9 in mlx-lm, 24.2 in LM Studio's GGUF engine.
    assert shown["mlx-lm"] == pytest.approx(46.9, rel=0.25)
    assert shown["mlx-lm"] > 1.4 * shown["lmstudio-gguf"]


def test_what_does_not_fit_is_said_and_has_no_line():
    app = drawn(m="llama-3.3-70b,qwen3-8b", quant="mlx-4bit")

    assert any("Llama-3.3-70B, M4 16 GB does not fit at all" in m.value for m in app.markdown)
    spec = json.loads(app.get("vega_lite_chart")[0].proto.spec)
    names = spec["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert names == ["Llama-3.3-70B", "Qwen3-8B"]


def test_a_quantization_of_another_runtime_becomes_the_four_bit_one_and_is_shown():
    app = drawn(m="qwen3-8b", quant="mlx-4bit", rt="llama.cpp")

    assert app.selectbox(key="speed quant").value == "Q4_K_M"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"m": "qwen3-8b,gpt-9"}, "No model is called 'gpt-9'"),
        ({"m": "a,b"}, "No model is called 'a'"),
        ({"quant": "int3"}, "No quantization is called 'int3'"),
        ({"to": "7"}, "No longest context is called '7'"),
        ({"more": "mac-mini-m4-17"}, "No machine is called 'mac-mini-m4-17'"),
        ({"ctx": "-1"}, "must be 1 to"),
    ],
)
def test_a_hand_edited_link_is_answered_in_words(link, said):
    app = drawn(**link)

    assert any(said in warning.value for warning in app.warning)


@pytest.mark.parametrize(
    "link",
    [
        {"m": ""},
        {"m": "llama-3.3-70b", "quant": "bf16"},
        {"m": "qwen3-8b,gpt-oss-20b,gemma-3-4b,phi-4-14b,llama-3.1-8b",
         "more": "mac-mini-m6-24,mac-studio-m5-max-64"},
        {"rt": "ollama", "to": "4096"},
        {"ctx": "1048576"},
    ],
)  # fmt: skip
def test_any_choice_draws_the_page(link):
    drawn(**link)
