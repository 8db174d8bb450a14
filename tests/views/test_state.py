"""The scenario travels with the reader: between pages, into the link and back."""

import pytest

from tests.browser import open_page, settle

LINK = "?a=mac-mini-m6-24&b=mac-mini-m5-pro-64&ctx=16384&rt=ollama&use=4"
OURS = ("a=mac-mini-m6-24", "b=mac-mini-m5-pro-64", "ctx=16384", "rt=ollama", "use=4")


@pytest.mark.parametrize("path", ["", "fit", "speed", "sources"])
def test_every_page_keeps_the_scenario_of_a_link(page, app_url, path):
    open_page(page, f"{app_url}/{path}{LINK}")

    for part in OURS:
        assert part in page.url


def test_pages_hand_the_scenario_to_each_other(page, app_url):
    open_page(page, f"{app_url}/{LINK}")

    for name in ("Fit", "Speed", "Sources", "Compare"):
        page.get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_timeout(300)
        settle(page)
        for part in OURS:
            assert part in page.url


def test_the_slider_moves_the_link(page, app_url):
    open_page(page, app_url)

    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**ctx=16384**")
    settle(page)

    assert page.locator("[data-testid=stMetric]").filter(has_text="prompt of 16K").count() == 2


def test_text_in_a_link_is_shown_as_text(page, app_url):
    open_page(page, f"{app_url}/?a=<img src=x onerror=document.title='hit'>")

    said = page.locator("[data-testid=stAlert]").inner_text()
    assert "No machine is called" in said
    assert page.title() != "hit"
    assert page.locator("[data-testid=stAlert] img").count() == 0
