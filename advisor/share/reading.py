"""A report read back: checked as a whole, opened as a link, and what has changed since.

Nothing in it is trusted: its scenario is looked up like a link's, its numbers are compared with
today's and shown as text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic import ValidationError

from advisor.errors import InputError
from advisor.share import links, said
from advisor.share.report import FORMAT, KIND, MachineReport, Report
from advisor.share.said import Was
from advisor.share.sending import Opened, open_link

if TYPE_CHECKING:
    from advisor.catalog import Catalog

LARGEST_BYTES = 5_000_000
ANOTHER = f"This is no {KIND}: give the JSON file that Share writes."


@dataclass(frozen=True)
class Received:
    """A report that was read, its link, and its scenario answered by today's facts."""

    report: Report
    sent: links.Sent
    opened: Opened


def is_report(text: str) -> bool:
    """Whether a text is meant to be a report and not a link."""
    return text.lstrip("\ufeff \t\r\n").startswith(("{", "["))


def read(content: str | bytes) -> Report:
    """The report of a JSON text. Raises ``InputError`` with a sentence for anything else."""
    if len(content) > LARGEST_BYTES:
        raise InputError(f"A report has at most {LARGEST_BYTES / 1e6:g} MB. {ANOTHER}")
    try:
        data = json.loads(content.decode("utf-8-sig") if isinstance(content, bytes) else content)
    except (UnicodeDecodeError, RecursionError, ValueError):
        raise InputError(f"The file is not whole JSON. {ANOTHER}") from None
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise InputError(f"The file is from elsewhere. {ANOTHER}")
    form = data.get("format")
    if not isinstance(form, int) or form < 1:
        raise InputError("The report does not say its format: it was changed. Ask for it again.")
    try:
        return Report.model_validate(data)
    except ValidationError as error:
        if form > FORMAT:
            raise InputError(
                f"The report was made by a later version of Tollbooth (format {form}, here "
                f"{FORMAT}). Update this one, or ask for the link."
            ) from None
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        raise InputError(f"The report is broken at {where}: {first['msg']}.") from None


def receive(catalog: Catalog, content: str | bytes) -> Received:
    """Read a report and answer its scenario anew; ``opened.since`` says what has changed."""
    report = read(content)
    sent = link_of(report)
    opened = open_link(catalog, sent)
    if not opened.problems:
        was = tuple(_was(one) for one in report.machines)
        since = said.since(catalog, report.catalog, said.changed(catalog, was, opened.answer))
        opened = replace(opened, since=since)
    return Received(report, sent, opened)


def link_of(report: Report) -> links.Sent:
    """The link in a report, for its page; the first page where this version has no such page."""
    page = report.page if report.page in links.PAGES else links.HOME
    return links.Sent(page, links.read(report.link).params)


def _was(one: MachineReport) -> Was:
    if one.best is None:
        return Was(said.NOTHING, said.NOTHING, 0.0, one.same.decode_tok_s)
    best = one.best
    return Was(best.model_id, best.quant_id, best.decode_tok_s, one.same.decode_tok_s)
