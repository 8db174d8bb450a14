"""What pages share: the engine's table, cached, and small things that show a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from advisor.advice.commands import command
from advisor.advice.scenario import Scenario, machines
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.estimate import accuracy, coefficients, plan
from advisor.estimate.verdict import FITS, NO, PAGES, RAISE_LIMIT
from advisor.views import links

VERDICT_WORDS = {
    FITS: ":green-badge[fits]",
    RAISE_LIMIT: ":orange-badge[raise the limit]",
    PAGES: ":orange-badge[pages and crawls]",
    NO: ":red-badge[does not fit]",
    "": "",
}


def table(
    catalog: Catalog,
    scenario: Scenario,
    *,
    context_tokens: int | None = None,
    model_ids: Sequence[str] | None = None,
    quant_ids: Sequence[str] | None = None,
) -> pd.DataFrame:
    """The engine's table of the scenario's machines; the same numbers on every page."""
    both = machines(catalog, scenario)
    return _table(
        catalog.digest,
        (*scenario.key, *(machine.key for machine in both)),
        context_tokens or scenario.context_tokens,
        tuple(model_ids) if model_ids is not None else None,
        tuple(quant_ids) if quant_ids is not None else None,
        _catalog=catalog,
        _scenario=scenario,
        _both=both,
    )


# A resource, not data: every reader gets the same frame, unpickled never, and only reads it.
@st.cache_resource(max_entries=64, show_spinner=False)
def _table(
    digest: str,
    key: tuple[object, ...],
    context_tokens: int,
    model_ids: tuple[str, ...] | None,
    quant_ids: tuple[str, ...] | None,
    *,
    _catalog: Catalog,
    _scenario: Scenario,
    _both: tuple[Machine, Machine],
) -> pd.DataFrame:
    # One id is one machine: the same Mac twice is one block of rows.
    chosen = _both[:1] if _both[0].id == _both[1].id else _both
    return plan.table(
        _catalog,
        chosen,
        context_tokens=context_tokens,
        runtime=_scenario.runtime,
        kv_bits=_scenario.kv_bits,
        model_ids=model_ids,
        quant_ids=quant_ids,
    )


@st.fragment
def opened(
    label: str, key: str, draw: Callable[[], None], *, icon: str | None = None,
    help: str | None = None,
) -> None:  # fmt: skip
    """A popover whose content is made when a person opens it, without drawing the page again."""
    box = st.popover(label, key=key, icon=icon, help=help, on_change="rerun")
    if box.open:
        with box:
            draw()


def figure(label: str, value: str, note: str) -> None:
    """A number to see first, with a plain note below it."""
    st.metric(label, value, note, delta_color="off", delta_arrow="off", width="content")


def get_it(catalog: Catalog, row: pd.Series) -> None:
    """The command that gets and runs a choice, and whether its files are published."""
    found = command(catalog, row["model_id"], row["quant_id"], row["runtime"])
    st.code(found.text, language="bash", wrap_lines=True)
    st.caption(("" if found.published else "Must be converted: ") + found.note)


def how_right(catalog: Catalog, runtime: str, kind: str = "") -> None:
    """A link to how right estimates of one runtime and kind of model have been."""
    of, found = accuracy.like(catalog, runtime, kind)
    keys = {"runtime": "eng", "kind": "kind"}
    links.link(
        "accuracy",
        f"How right for {', '.join(of.values()) or 'named runtimes'}: median error "
        f"{found['median_error']:.0%}, {found['runs']:,} runs",
        ":material/rule:",
        {keys[name]: label for name, label in of.items()},
    )


def evidence(catalog: Catalog, chip_names: Sequence[str], runtime: str) -> None:
    """How many public runs stand behind these chips, and a link to how right that is."""
    fitted = coefficients.load(catalog)
    counts = []
    for name in dict.fromkeys(chip_names):
        of_chip = fitted.run_counts.get(name, {})
        here, total = of_chip.get(runtime, 0), sum(of_chip.values())
        counts.append(f"{name}: {here} with this runtime, {total} in all")
    st.caption(f"Public runs behind these speeds: {'; '.join(counts)}.")
    how_right(catalog, runtime)
