"""Share: the report to send, the link, and the way in for what somebody else has sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.errors import InputError
from advisor.share import links, reading, sending, writing
from advisor.share.answer import answer
from advisor.share.card import card_png
from advisor.share.report import Report
from advisor.share.reporting import report
from advisor.views.links import open_page
from advisor.views.plain import plain

NAME = "tollbooth"


def button(
    catalog: Catalog, scenario: Scenario, page: str, page_keys: Mapping[str, str] | None = None
) -> None:
    """A popover that holds all ways to send this page's comparison, and to open another's."""
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
            _content(catalog, scenario, page, dict(page_keys or {}))


@st.fragment
def _content(catalog: Catalog, scenario: Scenario, page: str, page_keys: Mapping[str, str]) -> None:
    st.markdown(
        "**Send the report**: one file that opens anywhere, on a phone too, and asks for nothing."
    )
    base, problem = _base()

    more = [name for name in page_keys.get("more", "").split(",") if name]

    def made() -> Report:
        return report(catalog, answer(catalog, scenario, more), page=page, page_keys=page_keys)

    with st.container(horizontal=True, gap="small"):
        _download("Report", "html", "text/html", lambda: writing.as_html(made(), base), first=True)
        _download("Picture", "png", "image/png", lambda: card_png(made()))
        _download("Markdown", "md", "text/markdown", lambda: writing.as_markdown(made(), base))
        _download("JSON", "json", "application/json", lambda: writing.as_json(made()))
    sealed, note = sending.sealed(catalog, answer(catalog, scenario, more), page_keys)
    _link(links.address(base or links.LOCAL, page, sealed), note, base)
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
