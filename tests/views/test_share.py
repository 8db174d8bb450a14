"""Sharing: what is downloaded holds the page's numbers, what is pasted opens."""

import json
from pathlib import Path

import pytest
from PIL import Image

from advisor.catalog import load
from advisor.share import links, reading
from tests.browser import open_page, running_app, settle
from tests.views.test_home import metrics

QUERY = "?a=mac-mini-m6-16&b=mac-mini-m5-pro-48&ctx=16384"


def share(page):
    """The content of the open popover."""
    page.get_by_role("button", name="Share").click()
    body = page.locator("[data-testid=stPopoverBody]")
    body.get_by_text("Someone sent me a link", exact=True).wait_for()
    settle(page)
    return body


def downloaded(page, body, label: str) -> Path:
    with page.expect_download() as download:
        body.get_by_role("button", name=label).click()
    return Path(download.value.path())


def test_every_form_of_the_report_holds_the_numbers_of_the_page(page, app_url):
    open_page(page, f"{app_url}/{QUERY}")
    speeds = metrics(page, "Llama-3.1-8B")
    body = share(page)

    html = downloaded(page, body, "Report").read_text("utf-8")
    markdown = downloaded(page, body, "Markdown").read_text("utf-8")
    report = reading.read(downloaded(page, body, "JSON").read_bytes())

    for speed, machine in zip(speeds, report.machines, strict=True):
        assert f"{machine.same.decode_tok_s:.1f} tok/s" == speed
        assert speed in html
        assert speed in markdown
    assert Image.open(downloaded(page, body, "Picture")).size == (1200, 630)


def test_the_link_is_whole_and_says_that_it_is_of_this_computer(page, app_url):
    open_page(page, f"{app_url}/{QUERY}")
    body = share(page)

    sent = links.read(body.locator("code").first.inner_text())

    assert sent.params["a"] == "mac-mini-m6-16"
    assert links.problems(sent.params) == []
    assert "127.0.0.1 is everybody's own computer" in body.inner_text()


def test_with_a_base_address_the_link_is_of_that_address(browser):
    with running_app(TOLLBOOTH_BASE="https://tolls.example.org/") as url:
        page = browser.new_context().new_page()
        open_page(page, f"{url}/{QUERY}")
        body = share(page)

        assert body.locator("code").first.inner_text().startswith("https://tolls.example.org/?v=1&")
        assert "everybody's own computer" not in body.inner_text()
        page.context.close()


@pytest.mark.parametrize("ends", ["", "z=0000"])
def test_a_pasted_link_opens_its_page_and_says_what_it_is(page, app_url, ends):
    sealed = links.query(
        {"a": "mac-mini-m6-16", "b": "mac-mini-m5-pro-48", "show": "no"},
        catalog="2020-01-01.00000000",
    )
    open_page(page, app_url)
    body = share(page)

    pasted = f"https://tolls.example.org/fit?{sealed[:-6] + ends if ends else sealed}"
    body.get_by_role("textbox").fill(pasted)
    body.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url("**/fit?a=mac-mini-m6-16**show=no**")
    settle(page)

    text = page.locator("[data-testid=stMain]").inner_text()
    assert "Somebody sent you this comparison." in text
    if ends:
        assert "The link was changed after it was made" in text
    else:
        assert "The facts here are newer than the link's (2020-01-01.00000000" in text


def test_a_pasted_report_opens_its_scenario(page, app_url, report):
    text = report.model_dump_json()
    open_page(page, f"{app_url}/{QUERY}")
    body = share(page)

    body.get_by_role("textbox").fill(text)
    body.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url("**a=mac-mini-m4-16&b=mac-mini-m4-pro-48&cat=**")
    settle(page)

    assert metrics(page, "Llama-3.1-8B")[0] == f"{report.machines[0].same.decode_tok_s:.1f} tok/s"
    assert json.loads(text)["catalog"].endswith(load().digest[:8])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", "holds no comparison"),
        ('{"kind": "weather"}', "from elsewhere"),
        ("![x](https://example.org/x.png)", "holds no comparison"),
    ],
)
def test_what_is_neither_costs_a_sentence(page, app_url, text, said):
    open_page(page, app_url)
    body = share(page)

    body.get_by_role("textbox").fill(text)
    body.get_by_role("button", name="Open", exact=True).click()
    alert = body.locator("[data-testid=stAlert]")
    alert.wait_for()

    assert said in alert.inner_text()
    assert alert.locator("img").count() == 0


def test_an_upgrade_is_shared_with_its_verdict_and_its_page(page, app_url):
    open_page(page, f"{app_url}/upgrade?a=mac-mini-m4-16&b=mac-mini-m4-pro-48&wl=chat")
    verdict = page.locator("h2").first.inner_text()
    body = share(page)

    report = reading.read(downloaded(page, body, "JSON").read_bytes())
    html = downloaded(page, body, "Report").read_text("utf-8")

    assert report.verdict == verdict
    assert report.page == "upgrade"
    assert links.read(report.link).params["wl"] == "chat"
    assert html.count("<svg") == 4


@pytest.mark.parametrize(
    ("path", "keys"),
    [("fit", "more=mac-mini-m4-16&show=no"), ("speed", "m=llama-3.1-8b&to=32768")],
)
def test_other_pages_are_shared_with_their_own_keys(page, app_url, path, keys):
    open_page(page, f"{app_url}/{path}{QUERY}&{keys}")
    body = share(page)

    sent = links.read(body.locator("code").first.inner_text())

    assert sent.page == path
    assert links.problems(sent.params) == []
    for pair in keys.split("&"):
        assert sent.params[pair.split("=")[0]] == pair.split("=")[1]
