"""Share: the report to send, the link, and the way in for what somebody else has sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.errors import InputError
from advisor.share import links, reading, writing
from advisor.share.answer import answer
from advisor.share.card import card_png
from advisor.share.pictures import Picture, pictures
from advisor.share.report import Report
from advisor.share.reporting import report
from advisor.share.upgrade_pictures import upgrade_pictures
from advisor.share.upgrading import upgrade_report
from advisor.upgrade.answer import Upgrade
from advisor.views.links import open_page
from advisor.views.plain import plain

NAME = "tollbooth"


@dataclass(frozen=True)
class Page:
    """What a page has to send: its report, made when somebody asks for it, and how it is drawn."""

    url: str
    report: Callable[[], Report]
    draw: Callable[[Report], list[Picture]] = pictures


def head(title: str) -> st.delta_generator.DeltaGenerator:
    """A page's title; the place beside it where ``button`` is drawn once the page is known."""
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(f"# {title}", width="stretch")
    return row.container(width="content")


def button(
    catalog: Catalog,
    scenario: Scenario,
    page: str,
    page_keys: Mapping[str, str | list[str]] | None = None,
) -> None:
    """A popover that holds all ways to send this page's comparison, and to open another's."""
    keys = _texts(page_keys or {})
    more = [name for name in keys.get("more", "").split(",") if name]

    def made() -> Report:
        return report(catalog, answer(catalog, scenario, more), page=page, page_keys=keys)

    _popover(Page(page, made))


def upgrade_button(
    catalog: Catalog, found: Upgrade, page_keys: Mapping[str, str | list[str]]
) -> None:
    """The same for an upgrade's answer."""
    keys = _texts(page_keys)

    def made() -> Report:
        return upgrade_report(catalog, found, page_keys=keys)

    _popover(Page("upgrade", made, lambda report: upgrade_pictures(found, report)))


def _texts(page_keys: Mapping[str, str | list[str]]) -> dict[str, str]:
    return {name: value for name, value in page_keys.items() if isinstance(value, str)}


def _popover(page: Page) -> None:
    box = st.popover(
        "Share",
        key="share",
        type="tertiary",
        icon=":material/share:",
        help="A report to send, a link, and opening what somebody sent you",
        on_change="rerun",
    )
    if box.open:
        with box:
            _content(page)


@st.fragment
def _content(page: Page) -> None:
    st.markdown(
        "**Send the report**: one file that opens anywhere, on a phone too, and asks for nothing."
    )
    base, problem = _base()
    made = page.report()
    with st.container(horizontal=True, gap="small"):
        _download(
            "Report", "html", "text/html",
            lambda: writing.as_html(made, base, page.draw(made)), first=True,
        )  # fmt: skip
        _download("Picture", "png", "image/png", lambda: card_png(made))
        _download("Markdown", "md", "text/markdown", lambda: writing.as_markdown(made, base))
        _download("JSON", "json", "application/json", lambda: writing.as_json(made))
    _link(links.address(base or links.LOCAL, page.url, made.link), made.link_note, base)
    if problem:
        st.caption(plain(problem))
    st.divider()
    _someone_sent()


def _base() -> tuple[str, str]:
    """The address that others reach, "" where none is known; what is wrong with the setting."""
    try:
        set_to, problem = links.base_address(), ""
    except InputError as error:
        set_to, problem = "", str(error)
    if set_to:
        return set_to, ""
    shown = (st.context.url or "").partition("?")[0]
    here = shown.rstrip("/")
    for page in links.PAGES:
        here = here.removesuffix(f"/{page}")
    return ("" if not here or links.is_loopback(here) else here), problem


def _download(
    label: str, ending: str, mime: str, write: Callable[[], str | bytes], *, first: bool = False
) -> None:
    st.download_button(
        label,
        write,
        f"{NAME}.{ending}",
        mime,
        key=f"share {ending}",
        on_click="ignore",
        type="primary" if first else "secondary",
        icon=":material/download:" if first else None,
    )


def _link(whole: str, note: str, base: str) -> None:
    st.markdown("**Or the link**, for people who reach this app or have Tollbooth themselves:")
    st.code(whole, language=None, wrap_lines=True)
    if not base:
        st.caption(
            "127.0.0.1 is everybody's own computer: who has Tollbooth pastes the link into theirs, "
            f"under “Someone sent me a link”. Set {links.VARIABLE} to the address that others "
            "reach this app at, and the link opens there."
        )
    if note:
        st.caption(plain(note))


def _someone_sent() -> None:
    text = st.text_area(
        "Someone sent me a link",
        key="share sent",
        placeholder="Paste it here, from any address, or the text of a report's JSON",
        height=80,
    )
    file = st.file_uploader("or a report's JSON file", "json", key="share file", max_upload_size=5)
    if not st.button("Open", key="share open"):
        return
    try:
        sent = _sent(text, None if file is None else file.getvalue())
    except InputError as error:
        st.warning(plain(str(error)))
        return
    open_page(sent.page, sent.params)


def _sent(text: str, file: bytes | None) -> links.Sent:
    if file is not None and not text.strip():
        return reading.link_of(reading.read(file))
    return reading.link_of(reading.read(text)) if reading.is_report(text) else links.read(text)
