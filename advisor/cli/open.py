"""``advisor open``: what a link or a report answers, and the app opened on it."""

from __future__ import annotations

import argparse
import json
import sys
import urllib.request
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from advisor.advice import scenario as scenarios
from advisor.advice.exports import PUBLIC_NAMES
from advisor.catalog import Catalog, load
from advisor.cli.route import DEFAULT_WORKLOAD
from advisor.routing.workload import preset
from advisor.share import links, reading, said, sending
from advisor.share.answer import Side
from advisor.units import format_gb, format_tokens
from advisor.upgrade.answer import upgrade
from advisor.upgrade.gains import Asked

if TYPE_CHECKING:
    import pandas as pd

SHOWN = (
    "model_id", "quant_id", "runtime", "weight_bytes", "kv_bytes", "total_bytes", "budget_bytes",
    "verdict", "max_context_tokens", "decode_tok_s", "decode_low", "decode_high", "ttft_s",
    "ttft_low", "ttft_high", "basis", "runs",
)  # fmt: skip
WAIT_S = 1.0


def open_sent(arguments: argparse.Namespace, out: TextIO) -> None:
    """Print what a link answers and open the app on it. Raises ``InputError`` for no link."""
    catalog = load()
    base = links.base_address() or links.LOCAL
    sent, opened = look_up(catalog, arguments.link)
    here = links.address(base, sent.page, sent.query)
    if arguments.json:
        out.write(as_json(catalog, sent, opened, here))
        return
    out.write(as_text(catalog, sent, opened))
    out.flush()
    if not arguments.no_browser:
        print(_show(base, here), file=sys.stderr)


def look_up(catalog: Catalog, text: str) -> tuple[links.Sent, sending.Opened]:
    """A link, or the JSON file of a report, looked up."""
    path = Path(text)
    if text.endswith(".json") and path.is_file():
        received = reading.receive(catalog, path.read_bytes())
        return received.sent, received.opened
    sent = links.read(text)
    return sent, sending.open_link(catalog, sent)


def verdicts(catalog: Catalog, sent: links.Sent, opened: sending.Opened) -> list[str]:
    """What the link's page says first: for an upgrade whether to buy, else the comparison.

    Prices of one's own in a link are the page's to show: no verdict depends on them.
    """
    first, *others = [side.machine for side in opened.answer.sides]
    if sent.page != "upgrade" or not others:
        return [opened.answer.verdict]
    workload = preset(catalog, sent.params.get("wl", DEFAULT_WORKLOAD))
    asked = opened.scenario
    found = upgrade(
        catalog, first, others, workload,
        asked=Asked(asked.context_tokens, asked.runtime, asked.kv_bits, asked.least_tok_s),
    )  # fmt: skip
    return [target.verdict.sentence for target in found.targets]


def as_json(catalog: Catalog, sent: links.Sent, opened: sending.Opened, here: str) -> str:
    """The scenario, its answer and what is to be said of the link, as one JSON object."""
    found = opened.answer
    data = {
        "page": sent.page,
        "scenario": scenarios.to_link(opened.scenario),
        "problems": opened.problems,
        "since": opened.since,
        "catalog": said.version(catalog),
        "verdict": found.verdict,
        "verdicts": verdicts(catalog, sent, opened),
        "claims": found.claims,
        "machines": [
            {
                "machine": side.machine.id,
                "label": side.machine.label,
                "best": _row(side.best),
                "best_at_speed": _row(side.fast),
                "same_model": _row(side.same),
            }
            for side in found.sides
        ],
        "address": here,
    }
    return json.dumps(data, indent=1, default=lambda value: value.item()) + "\n"


def as_text(catalog: Catalog, sent: links.Sent, opened: sending.Opened) -> str:
    """The answer for a person, and what is to be said of the link."""
    asked, found = opened.scenario, opened.answer
    lines = [f"! {problem}" for problem in opened.problems]
    lines += [f"! {opened.since}"] if opened.since else []
    lines += [
        *verdicts(catalog, sent, opened),
        "",
        f"Context {format_tokens(asked.context_tokens)}, "
        f"{catalog.runtimes[asked.runtime].name}, macOS {asked.macos}; speeds are predicted, "
        "80 % of runs are expected inside the brackets.",
    ]
    for side in found.sides:
        lines += ["", side.machine.label, *_picks(catalog, side, asked.least_tok_s)]
    lines += ["", *(f"- {claim}" for claim in found.claims)]
    return "\n".join(lines).rstrip() + "\n"


def _picks(catalog: Catalog, side: Side, least_tok_s: float) -> list[str]:
    rows = {
        "best that fits": side.best,
        f"best at {least_tok_s:g} tok/s": side.fast,
        "the same 8B": side.same,
    }
    width = max(map(len, rows))
    return [f"  {name:{width}}  {_words(catalog, row)}" for name, row in rows.items()]


def _words(catalog: Catalog, row: pd.Series | None) -> str:
    if row is None:
        return "nothing"
    return (
        f"{catalog.model(row['model_id']).name}, {row['quant_id']}, "
        f"{format_gb(row['weight_bytes'])}: {row['decode_tok_s']:.1f} tok/s "
        f"({row['decode_low']:.0f}-{row['decode_high']:.0f}), first token "
        f"{row['ttft_s']:.1f} s ({row['ttft_low']:.1f}-{row['ttft_high']:.1f})"
    )


def _row(row: pd.Series | None) -> dict[str, object] | None:
    if row is None:
        return None
    return {PUBLIC_NAMES.get(name, name): row[name] for name in SHOWN}


def _show(base: str, here: str) -> str:
    """Open the browser where the app runs; a sentence on what was done or is to be done."""
    if not is_running(base):
        start = "Start it with `make run` and open" if base == links.LOCAL else "Later, open"
        return f"The app does not answer at {base}. {start} {here}"
    opened = webbrowser.open(here)
    return f"Opened {here}" if opened else f"No browser could be opened. Open {here}"


def is_running(base: str) -> bool:
    """Whether the app answers at an address."""
    try:
        with urllib.request.urlopen(f"{base}/_stcore/health", timeout=WAIT_S) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False
