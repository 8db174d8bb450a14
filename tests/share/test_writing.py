"""One file that asks nothing of anybody: watched in a browser, wide and narrow, light and dark."""

import json
import re
import time

import pytest

from advisor.catalog import load
from advisor.share import reading, writing


@pytest.fixture
def watched(browser, tmp_path):
    """Opens a text as a file; the requests it made beside the file itself."""
    contexts = []

    def open_file(text: str, width: int = 1280, scheme: str = "light"):
        path = tmp_path / "report.html"
        path.write_text(text, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(path.as_uri())
        page.wait_for_timeout(200)
        return page, [url for url in asked if url != path.as_uri() and url != "data:,"], said

    yield open_file
    for context in contexts:
        context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark"), (320, "light")])
def test_the_report_asks_for_nothing_and_is_as_wide_as_the_screen(watched, report, width, scheme):
    page, asked, said = watched(writing.as_html(report), width, scheme)

    assert (asked, said) == ([], [])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("h1").inner_text() == report.verdict
    assert page.locator("svg").count() == 2
    for machine in report.machines:
        assert f"{machine.same.decode_tok_s:.1f} tok/s" in page.locator("main").inner_text()


def test_text_reads_on_dark_ground(watched, report):
    page, _, _ = watched(writing.as_html(report), scheme="dark")

    ground, ink, drawn = page.evaluate(
        """() => [getComputedStyle(document.body).backgroundColor,
                  getComputedStyle(document.body).color,
                  getComputedStyle(document.querySelector("svg text")).fill]"""
    )
    assert sum(map(int, re.findall(r"\d+", ground))) < 120
    assert sum(map(int, re.findall(r"\d+", ink))) > 600
    assert drawn == ink


def test_markup_in_a_report_stays_text(watched, marked):
    page, asked, said = watched(writing.as_html(marked))

    assert (asked, said) == ([], [])
    assert page.locator("img").count() == 0
    assert page.locator("a[href^=javascript]").count() == 0
    assert "<img src=" in page.locator("h1").inner_text()


def test_it_prints_on_paper(watched, report):
    page, _, _ = watched(writing.as_html(report), scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")

    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert len(page.pdf(format="A4")) > 10_000


def test_it_is_written_in_two_seconds_and_small(report):
    began = time.process_time()
    text = writing.as_html(report)

    assert time.process_time() - began <= 2
    assert len(text.encode()) <= 2_000_000


def test_a_link_is_there_to_click_only_where_there_is_an_address(report):
    assert "Open this comparison" not in writing.as_html(report)
    text = writing.as_html(report, "https://tolls.example.org")
    assert f'href="https://tolls.example.org/?{report.link.replace("&", "&amp;")}"' in text


def test_markdown_holds_the_same_numbers_in_whole_tables(report):
    text = writing.as_markdown(report)

    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        assert len({line.count("|") for line in block.splitlines()}) == 1
    for machine in report.machines:
        assert f"{machine.same.decode_tok_s:.1f} tok/s" in text
    assert f"advisor open '?{report.link}'" in text


def test_markup_in_markdown_is_escaped(marked):
    text = writing.as_markdown(marked)

    assert "<img" not in text.replace(r"\<img", "")
    assert "![x](" not in text
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


def test_json_is_read_again_as_it_was(report):
    text = writing.as_json(report)

    assert json.loads(text)["kind"] == "Tollbooth report"
    assert reading.read(text) == report
    assert load().digest.startswith(report.catalog[-8:])
