"""The Upgrade page: the verdict first, numbers of the command line, a link that rebuilds it."""

import json
import re
import subprocess
import sys

import pytest

from tests.browser import ROOT, open_page, settle

PAIR = "a=mac-mini-m4-16&b=mac-mini-m4-pro-48"


def text(page) -> str:
    return page.locator("[data-testid=stMain]").inner_text()


def opened(page, address: str) -> str:
    open_page(page, address)
    page.get_by_text("The race").wait_for(timeout=60_000)
    settle(page)
    return text(page)


@pytest.fixture(scope="module")
def answer() -> dict:
    command = [sys.executable, "-m", "advisor", "upgrade", "mac-mini-m4-16", "mac-mini-m4-pro-48",
               "--json"]  # fmt: skip
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def test_the_verdict_stands_first_and_is_the_command_lines(page, app_url, answer):
    shown = opened(page, f"{app_url}/upgrade?{PAIR}")

    target = answer["targets"][0]
    verdict = page.get_by_text(target["verdict"]["sentence"]).first.bounding_box()
    assert verdict["y"] + verdict["height"] <= 900
    assert shown.index(target["verdict"]["sentence"]) < shown.index("What changes")
    for said in (*target["essay"]["said"], *answer["first"]["bill"]["said"]):
        assert said in shown
    assert "no longer made: used or refurbished only" in shown


def test_never_is_said(page, app_url):
    shown = opened(page, f"{app_url}/upgrade?{PAIR}&wl=short-only")

    assert "Don't: for short, simple requests 16 GB is enough." in shown
    assert "M4 16 GB, answers of Llama-3.1-8B alone. Break-even: never, whatever" in shown


def test_routes_are_the_command_lines(page, app_url, answer):
    shown = opened(page, f"{app_url}/upgrade?{PAIR}")

    for change in answer["targets"][0]["changes"]:
        for side in ("before", "after"):
            assert f"{change[side]['model']}, {change[side]['quant_id']}" in shown
        assert change["what"] in shown


def test_a_link_rebuilds_machines_in_parts_and_ones_own_figures(page, app_url):
    link = f"{PAIR}&wl=short-only&more=m4-pro:24&price=mac-mini-m4-16:650&duty=0.5&pm=qwen3-8b"

    shown = opened(page, f"{app_url}/upgrade?{link}")

    assert "M4 Pro (16-core GPU), 24 GB" in shown or "M4 Pro 24 GB" in shown
    assert "Price 650 USD (yours)" in shown
    assert "A million tokens of Qwen3-8B" in shown
    for part in ("more=m4-pro%3A24", "price=mac-mini-m4-16%3A650", "duty=0.5", "pm=qwen3-8b"):
        assert part in page.url
    assert len(page.url) < 1500


def test_a_missing_price_is_asked_for(page, app_url):
    shown = opened(
        page, f"{app_url}/upgrade?a=mac-mini-m4-16&b=mac-studio-m5-ultra-512&wl=short-only"
    )

    assert "Price not known (enter it)" in shown
    assert "Break-even not known: the price and watts at idle and watts at work are" in shown


BAD = {
    "a price of 0": ("price=mac-mini-m4-16:0", "must be above 0"),
    "a price in words": ("price=mac-mini-m4-16:cheap", "'cheap' is not a number"),
    "a Mac that is gone": ("more=mac-mini-m9-16", "No machine is called 'mac-mini-m9-16'"),
    "a workload that is gone": ("wl=office", "No workload is called 'office'"),
    "a duty of 3": ("duty=3", "at most 1, not 3"),
    "HTML for a currency": ("cur=<b>x", "A currency is 1 to 8 letters"),
}


@pytest.mark.parametrize(("link", "words"), BAD.values(), ids=BAD)
def test_a_bad_value_costs_a_sentence_and_the_rest_works(page, app_url, link, words):
    workload = "" if link.startswith("wl") else "&wl=short-only"

    opened(page, f"{app_url}/upgrade?{PAIR}{workload}&{link}")

    said = page.locator("[data-testid=stAlert]").all_inner_texts()
    assert len(said) == 1
    assert words in said[0]


def test_the_same_mac_twice_asks_for_another(page, app_url):
    open_page(page, f"{app_url}/upgrade?a=mac-mini-m4-16&b=mac-mini-m4-16")

    assert "is chosen twice" in text(page)
    assert "Choose a second Mac above" in text(page)


def test_the_race_runs_pauses_and_goes_on(page, app_url):
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"{app_url}/upgrade?{PAIR}&wl=short-only&ctx=512&len=1000")

    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text(" of 1000 tokens").nth(1).wait_for(timeout=20_000)
    page.get_by_role("button", name="Pause").click()
    first, second = (
        int(re.search(r"(\d+) of 1000 tokens", one).group(1))
        for one in page.locator(".state").all_inner_texts()
    )
    page.wait_for_timeout(300)

    assert second > first > 0
    assert page.locator("progress").nth(0).evaluate("one => one.value") == first
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Pause").wait_for()


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(page, app_url, width):
    page.set_viewport_size({"width": width, "height": 844})

    opened(page, f"{app_url}/upgrade?{PAIR}&wl=short-only&more=mac-mini-m6-16")

    assert not page.evaluate(
        "() => document.querySelector('[data-testid=stMain]').scrollWidth > window.innerWidth"
    )


def test_of_several_the_one_in_detail_is_chosen(page, app_url):
    opened(page, f"{app_url}/upgrade?{PAIR}&wl=short-only&more=mac-mini-m6-16")

    page.get_by_role("radio", name="M6 16 GB").click()
    page.wait_for_url(re.compile("to=mac-mini-m6-16"))
    settle(page)

    assert "Newly fits the M6 16 GB, best first" in text(page)
