"""Home shows the engine's numbers: read off the page, compared with the command line's."""

import re

import pytest

from tests.browser import open_page, settle
from tests.views.reading import fit

pytestmark = pytest.mark.xdist_group("browser")


def metrics(page, label: str) -> list[str]:
    """The values of all metrics with a label, in the order of the page."""
    found = page.locator("[data-testid=stMetric]").filter(has_text=label)
    found.first.wait_for()
    return [text.strip() for text in found.locator("[data-testid=stMetricValue]").all_inner_texts()]


def test_the_same_model_has_the_command_lines_speed_on_both(page, app_url):
    open_page(page, app_url)

    speeds = metrics(page, "Llama-3.1-8B")
    waits = metrics(page, "First token")
    for shown, wait, machine in zip(
        speeds, waits, ("mac-mini-m4-16", "mac-mini-m4-pro-48"), strict=True
    ):
        row = fit(machine, "--runtime", "mlx-lm")["llama-3.1-8b", "mlx-4bit"]
        assert shown == f"{row['decode_tok_s']:.1f} tok/s"
        assert wait == f"{row['ttft_s']:.0f} s"


def test_a_link_opens_its_own_machines_context_and_settings(page, app_url):
    link = "?a=mac-mini-m6-16&b=mac-mini-m5-pro-48&ctx=32768&rt=llama.cpp&macos=27"

    open_page(page, f"{app_url}/{link}")

    (first, second) = metrics(page, "Llama-3.1-8B")
    asked = ("--context", "32768", "--runtime", "llama.cpp", "--macos", "27")
    for shown, machine in ((first, "mac-mini-m6-16"), (second, "mac-mini-m5-pro-48")):
        row = fit(machine, *asked)["llama-3.1-8b", "Q4_K_M"]
        assert shown == f"{row['decode_tok_s']:.1f} tok/s"
    assert "ctx=32768" in page.url


def test_the_other_pair_is_one_click_away_and_the_link_follows(page, app_url):
    open_page(page, app_url)

    page.get_by_role("button", name="M6 16 GB → M5 Pro 48 GB").click()
    page.wait_for_url(re.compile("a=mac-mini-m6-16&b=mac-mini-m5-pro-48"))
    settle(page)

    row = fit("mac-mini-m6-16", "--runtime", "mlx-lm")["llama-3.1-8b", "mlx-4bit"]
    assert metrics(page, "Llama-3.1-8B")[0] == f"{row['decode_tok_s']:.1f} tok/s"


def test_picks_are_rows_of_the_table_that_fit(page, app_url):
    open_page(page, app_url)

    text = page.locator("[data-testid=stMain]").inner_text()
    found = re.findall(
        r"(?:Best that fits|Best at ≥ 20 tok/s): (\S+), (\S+), ([\d.]+) GB, ([\d.]+) tok/s",
        text,
    )
    assert len(found) == 4
    names = {"Qwen3.5-9B": "qwen3.5-9b", "Qwen3.8-27B": "qwen3.8-27b",
             "Qwen3.6-35B-A3B": "qwen3.6-35b-a3b"}  # fmt: skip
    machines = ["mac-mini-m4-16"] * 2 + ["mac-mini-m4-pro-48"] * 2
    for (model, quant, size, speed), machine in zip(found, machines, strict=True):
        row = fit(machine, "--runtime", "mlx-lm")[names.get(model, model.lower()), quant]
        assert row["verdict"] == "fits"
        assert speed == f"{row['decode_tok_s']:.1f}"
        assert size == f"{row['weights_bytes'] / 1e9:.1f}"


def test_the_same_mac_twice_is_compared_with_itself(page, app_url):
    open_page(page, f"{app_url}/?a=mac-mini-m4-16&b=mac-mini-m4-16")

    first, second = metrics(page, "Llama-3.1-8B")
    assert first == second
    text = page.locator("[data-testid=stMain]").inner_text()
    assert "Both are the same machine." in text
    assert "changes →" not in text


def test_memory_is_said_in_gib_idle_and_loaded(page, app_url):
    open_page(page, f"{app_url}/?use=9")

    text = page.locator("[data-testid=stMain]").inner_text()
    assert "macOS 26 lets the GPU use 11.84 GiB" in text
    assert "With 9.0 GiB in use, a model may take 7.0 GiB now, 11.8 GiB on an idle Mac." in text


def test_a_hand_edited_link_is_answered_in_words_and_the_page_stays(page, app_url):
    open_page(page, f"{app_url}/?a=mac-mini-m9-16&ctx=-5&use=lots")

    said = page.locator("[data-testid=stAlert]").all_inner_texts()
    assert len(said) == 3
    assert "No machine is called 'mac-mini-m9-16'" in said[0]
    assert "must be 1 to" in said[1]
    assert "'lots' is not a number" in said[2]
    assert len(metrics(page, "Llama-3.1-8B")) == 2


def test_the_receipt_adds_up_to_the_token(page, app_url):
    open_page(page, app_url)

    page.get_by_role("button", name="Toll receipt").first.click()
    cells = page.locator("[data-testid=stTable]").filter(has_text="Weights read").first
    cells.wait_for()
    times = [float(t) for t in re.findall(r"([\d.]+) ms", cells.inner_text())]

    row = fit("mac-mini-m4-16", "--runtime", "mlx-lm")["llama-3.1-8b", "mlx-4bit"]
    assert times == pytest.approx(
        [1e3 * row[name] for name in ("weights_s", "kv_s", "overhead_s", "step_s")], abs=0.051
    )
    assert sum(times[:3]) == pytest.approx(times[3], abs=0.16)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(page, app_url, width):
    page.set_viewport_size({"width": width, "height": 844})

    open_page(page, app_url)

    wide = page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth > window.innerWidth"
    )
    assert not wide
