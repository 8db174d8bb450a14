"""A link that somebody sent: its answer first, then what differs and how to make it one's own."""

from pathlib import Path

import pytest

from advisor.share import links
from tests.browser import open_page, running_app, settle

MAC = str(Path(__file__).resolve().parents[1] / "recorded" / "m4-pro-48-macos-26.txt")
KEYS = {"a": "mac-mini-m4-16", "b": "mac-mini-m5-pro-48"}
WAS = "qwen3-8b~mlx-4bit~9.9~9.9~qwen3-8b~mlx-4bit~9.9~9.9"
SENT = links.query(KEYS, catalog="2020-01-01.00000000", said=WAS)
SAID = "Somebody sent you this comparison."


def main_text(page) -> str:
    return page.locator("[data-testid=stMain]").inner_text()


def test_the_answer_comes_before_what_is_said_of_the_link(page, app_url):
    open_page(page, f"{app_url}/?{SENT}")

    verdict = page.locator("h2").first.bounding_box()
    note = page.get_by_text(SAID).bounding_box()
    assert verdict["y"] < note["y"] < 500
    assert "its best was Qwen3-8B in mlx-4bit at 9.9 tok/s, now" in main_text(page)


def test_the_note_goes_when_the_comparison_is_ones_own(page, app_url):
    open_page(page, f"{app_url}/?{SENT}")

    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**ctx=16384**")
    settle(page)

    assert SAID not in main_text(page)


def test_closing_the_note_keeps_the_comparison(page, app_url):
    open_page(page, f"{app_url}/?{SENT}")

    page.get_by_role("button", name="Close").click()
    settle(page)

    assert SAID not in main_text(page)
    assert "b=mac-mini-m5-pro-48" in page.url


def test_use_my_mac_puts_it_in_the_first_place(browser):
    with running_app(TOLLBOOTH_RECORDED=MAC) as url:
        page = browser.new_context().new_page()
        open_page(page, f"{url}/?{SENT}")
        page.get_by_role("button", name="Use my Mac").click()
        page.wait_for_url("**a=this&b=mac-mini-m5-pro-48**")
        settle(page)

        assert "This Mac: macOS 26" in main_text(page)
        assert SAID not in main_text(page)
        page.context.close()


def test_an_address_that_was_kept_says_only_that_the_facts_changed(page, app_url):
    open_page(page, f"{app_url}/?a=mac-mini-m4-16&b=mac-mini-m4-pro-48&cat=2020-01-01.00000000")

    assert "numbers may differ from what the sender saw" in main_text(page)
    assert SAID not in main_text(page)


def test_ones_own_address_says_nothing_when_it_is_opened_again(page, app_url):
    open_page(page, app_url)
    open_page(page, page.url)

    assert "facts" not in main_text(page)[:600]
    assert SAID not in main_text(page)


@pytest.mark.parametrize("path", ["", "fit", "speed"])
def test_a_picture_in_a_links_value_is_not_asked_for(page, app_url, path):
    """The page fixture fails where anything outside this machine was asked for."""
    value = "![x](https://example.org/x.png)"

    open_page(page, f"{app_url}/{path}?v=1&a={value}&more={value}&q={value}&m={value}&z=1")

    assert "No machine is called '![x](https://example.org/x.png)'" in main_text(page)
    assert page.locator("[data-testid=stAlert] img").count() == 0
