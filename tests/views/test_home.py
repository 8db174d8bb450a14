"""Home shows the engine's numbers: read off the page, compared with the command line's."""

import re

import pytest

from advisor.catalog import load
from tests.browser import open_page, settle
from tests.views.reading import fit


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


@pytest.fixture(scope="module")
def names() -> dict[str, str]:
    """Model names as people see them -> ids."""
    return {model.name: model_id for model_id, model in load().models.items()}


def test_picks_are_rows_of_the_table_that_fit(page, app_url, names):
    open_page(page, app_url)

    text = page.locator("[data-testid=stMain]").inner_text()
    found = re.findall(
        r"Best (?:that fits|at ≥ 20 tok/s):\s+(?:terminal\s+)?(\S+), (\S+)\s+(?:expand_more\s+)?"
        r"([\d.]+) GB, ([\d.]+) tok/s \((\d+)–(\d+)\)",
        text,
    )
    assert len(found) == 4
    machines = ["mac-mini-m4-16"] * 2 + ["mac-mini-m4-pro-48"] * 2
    for (model, quant, size, speed, low, high), machine in zip(found, machines, strict=True):
        row = fit(machine, "--runtime", "mlx-lm")[names[model], quant]
        assert row["verdict"] == "fits"
        assert speed == f"{row['decode_tok_s']:.1f}"
        assert (low, high) == (f"{row['decode_low']:.0f}", f"{row['decode_high']:.0f}")
        assert size == f"{row['weights_bytes'] / 1e9:.1f}"


def test_a_pick_opens_into_its_command_and_its_receipt(page, app_url):
    open_page(page, app_url)

    page.get_by_role("button", name="Qwen3.5-9B, mlx-8bit").click()
    opened = page.locator("[data-testid=stPopoverBody]")
    opened.get_by_text("One token").wait_for()

    command = opened.locator("[data-testid=stCode]").inner_text()
    assert re.search(r"mlx_lm\.chat --model \S+Qwen3\.5-9B\S*8bit", command)
    assert "Published as" in opened.inner_text()
    row = fit("mac-mini-m4-16", "--runtime", "mlx-lm")["qwen3.5-9b", "mlx-8bit"]
    assert f"{1e3 * row['step_s']:.1f} ms" in opened.inner_text()


def test_routes_are_rows_of_the_table_at_their_own_context(page, app_url, names):
    open_page(page, app_url)

    table = page.locator("[data-testid=stTable]").filter(has_text="Long document").first
    cells = table.locator("tbody tr").last.locator("td").all_inner_texts()
    for text, machine in zip(cells[1:], ("mac-mini-m4-16", "mac-mini-m4-pro-48"), strict=True):
        model, quant, speed = re.search(r"(\S+), (\S+), (\d+) tok/s", text).groups()
        row = fit(machine, "--runtime", "mlx-lm", "--context", "32768")[names[model], quant]
        assert row["verdict"] == "fits"
        assert row["decode_tok_s"] >= 10
        assert speed == f"{row['decode_tok_s']:.0f}"
    assert "changes" in cells[2]


def test_the_answer_is_on_the_first_screen(page, app_url):
    open_page(page, app_url)

    for text in ("stops at", "Best that fits", "What to route where", "left for other programs"):
        box = page.get_by_text(text).first.bounding_box()
        assert box["y"] + box["height"] <= 900
    chart = page.locator("[data-testid=stVegaLiteChart]").first.bounding_box()
    assert chart["y"] + chart["height"] <= 900


def test_the_settings_button_says_a_change_at_once(page, app_url):
    open_page(page, app_url)

    page.get_by_role("button", name="mlx-lm, macOS 26").click()
    page.get_by_role("combobox", name="macOS").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    page.get_by_role("button", name="mlx-lm, macOS 15").wait_for(timeout=5000)
    assert page.locator("[data-testid=stPopoverBody]").is_visible()


def test_the_same_mac_twice_is_compared_with_itself(page, app_url):
    open_page(page, f"{app_url}/?a=mac-mini-m4-16&b=mac-mini-m4-16")

    first, second = metrics(page, "Llama-3.1-8B")
    assert first == second
    text = page.locator("[data-testid=stMain]").inner_text()
    assert "Both are the same machine: nothing changes." in text
    assert page.locator("[data-testid=stTable]").filter(has_text="changes").count() == 0


def test_memory_is_said_in_gib_idle_and_loaded(page, app_url):
    open_page(page, f"{app_url}/?use=9")

    text = page.locator("[data-testid=stMain]").inner_text()
    assert "M4 16 GB: the GPU may use 11.84 GiB; left for other programs: 7.0 GiB idle" in text
    assert "With 9.0 GiB in use, a model may take 7.0 GiB now, 11.8 GiB on an idle Mac." in text


def test_a_hand_edited_link_is_answered_in_words_and_the_page_stays(page, app_url):
    open_page(page, f"{app_url}/?a=mac-mini-m9-16&ctx=-5&use=lots")

    said = page.locator("[data-testid=stAlert]").all_inner_texts()
    assert len(said) == 3
    assert "No machine is called 'mac-mini-m9-16'" in said[0]
    assert "must be 1 to 16,777,216 tokens, not -5. Shown with 8192." in said[1]
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
