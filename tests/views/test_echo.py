"""Changes made faster than the address bar follows are all kept."""

import pytest

from tests.browser import open_page


@pytest.mark.parametrize("path", ["", "fit", "speed"])
def test_quick_steps_of_the_slider_are_all_kept(page, app_url, path):
    open_page(page, f"{app_url}/{path}?ctx=512")

    slider = page.get_by_role("slider").first
    slider.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)
    page.wait_for_url("**ctx=32768**")  # 512 doubled six times
    page.wait_for_timeout(1000)

    assert "ctx=32768" in page.url
    assert slider.get_attribute("aria-valuetext") == "32K"
