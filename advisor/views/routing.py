"""Routing: which model answers what on each Mac, proved best, and the files that make it so."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from advisor.advice.machine_names import short_names
from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.errors import InputError
from advisor.routing import solve
from advisor.routing.candidates import Wishes
from advisor.routing.classify import asked
from advisor.routing.exports.archive import archive
from advisor.routing.exports.setup import choices_of
from advisor.routing.rules import in_words, rules
from advisor.routing.table import RoutingTable
from advisor.routing.workload import Workload, presets
from advisor.views import routing_rows, state
from advisor.views.page_keys import One, PageKeys

TITLE, URL = "Routing", "routing"
MOST = ("1", "2", "3", "4", "5")
NO, YES = "0", "1"
LONGEST_PROMPT = 200_000


def render(catalog: Catalog) -> None:
    """Draw the page."""
    st.markdown("# Which model answers what")
    scenario = state.controls(catalog)
    every = presets(catalog)
    keys = PageKeys(
        "routing",
        {
            "load": One("workload", tuple(every), "personal-agent"),
            "most": One("number of models", MOST, "3"),
            "swap": One("swap slot", (NO, YES), NO),
        },
    )
    keys.open()
    workload, wishes = _asked(every, keys)
    state.write_link(keys.close())
    machines = state.machines(catalog, scenario)
    names = list(short_names(machines).values())
    try:
        tables = _tables(catalog, scenario, machines, workload, wishes)
    except InputError as error:
        st.warning(str(error))
        return
    if len(names) < len(tables):
        names = [machine.label for machine in machines]
    st.markdown(f"## {routing_rows.verdict(workload, tables, names)}")
    _classes(workload, tables, names)
    _memory(tables, names)
    _classifier(workload, tables, names)
    _exports(catalog, workload, tables, names)


def _asked(every: dict[str, Workload], keys: PageKeys) -> tuple[Workload, Wishes]:
    """The workload and wishes that the page's own controls say."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        load = st.selectbox(
            "Workload", list(every), key=keys.widget("load"), width=300,
            format_func=lambda name: every[name].name,
        )  # fmt: skip
        most = st.segmented_control(
            "Models in memory, at most", MOST, key=keys.widget("most"), required=True
        )
        swap = st.segmented_control(
            "One more on demand", (NO, YES), key=keys.widget("swap"), required=True,
            format_func={NO: "no", YES: "yes"}.get,
        )  # fmt: skip
    workload = every[load]
    if workload.note:
        st.caption(workload.note)
    return workload, Wishes(most_residents=int(most or 3), swap=swap == YES)


def _tables(
    catalog: Catalog,
    scenario: Scenario,
    machines: tuple[Machine, Machine],
    workload: Workload,
    wishes: Wishes,
) -> list[RoutingTable]:
    """The proved table of each machine, solved once for the same question."""
    keys = tuple(machine.key for machine in machines)
    with st.spinner("Proving the best tables …"):
        return _solved(
            catalog.digest, keys, scenario.runtime, workload.id, wishes,
            _catalog=catalog, _machines=machines, _workload=workload,
        )  # fmt: skip


@st.cache_resource(max_entries=32, show_spinner=False)
def _solved(
    digest: str,
    keys: tuple[tuple[object, ...], ...],
    runtime: str,
    workload_id: str,
    wishes: Wishes,
    *,
    _catalog: Catalog,
    _machines: tuple[Machine, Machine],
    _workload: Workload,
) -> list[RoutingTable]:
    return [
        solve.table(_catalog, machine, _workload, runtime=runtime, wishes=wishes)
        for machine in _machines
    ]


def _classes(workload: Workload, tables: list[RoutingTable], names: list[str]) -> None:
    column = st.column_config
    st.dataframe(
        routing_rows.classes(workload, tables, names),
        hide_index=True,
        height="auto",
        placeholder="",
        alt="What answers each class of request on each Mac",
        column_config={
            "class": column.TextColumn("Class", pinned=True),
            "share": column.NumberColumn("Share", format="%.0f %%"),
            "machine": column.TextColumn("Mac"),
            "answer": column.TextColumn("Answered by", width=230),
            "changes": column.CheckboxColumn("Changes"),
            "context": column.TextColumn("Context"),
            "tok_s": column.NumberColumn("tok/s", format="%.0f"),
            "tok_s_range": column.TextColumn("80 %"),
            "first_token": column.TextColumn("First token, 80 %"),
            "quality": column.NumberColumn("Quality", format="%.2f"),
            "quality_basis": column.TextColumn("Quality is"),
            "floors": column.TextColumn("Floors"),
            "why": column.TextColumn("Why this one", width=330),
            "next": column.TextColumn("Next best", width=330),
            "close_call": column.TextColumn("How settled", width=280),
        },
    )
    for name, table in zip(names, tables, strict=True):
        for problem in table.problems:
            st.warning(f"{name}: {problem}")


def _memory(tables: list[RoutingTable], names: list[str]) -> None:
    st.markdown("## What stays in memory")
    for name, table in zip(names, tables, strict=True):
        proof = "proved best" if table.gap == 0 else f"within {table.gap:.0%} of the best"
        st.markdown(f"**{name}**: {routing_rows.room(table)}; {proof}.")
    st.dataframe(
        routing_rows.residents(tables, names),
        hide_index=True,
        height="auto",
        alt="Models in memory",
        column_config={
            "machine": "Mac", "model": "Model", "held": "Held", "memory": "Memory",
            "room": "Room",
            "load_s": st.column_config.NumberColumn("Loads in (s)", format="%.1f"),
        },
    )  # fmt: skip


def _classifier(workload: Workload, tables: list[RoutingTable], names: list[str]) -> None:
    """The rules in words, and where a pasted prompt would go."""
    st.markdown("## Where a request goes")
    found = rules(tables[-1])
    with st.expander("The rules, in their order"):
        st.markdown("\n".join(f"{n}. {said}" for n, said in enumerate(in_words(found), start=1)))
    text = st.text_area(
        "A prompt, or a request as JSON", key="routing prompt", max_chars=LONGEST_PROMPT, height=110
    )
    if not text.strip():
        return
    decision = found.decide(_request(text))
    answers = [
        f"{name}: {routing_rows.answer(table, route)}"
        for name, table in zip(names, tables, strict=True)
        for route in table.routes
        if route.class_id == decision.class_id
    ]
    st.markdown(f"**{decision.class_id}**, since {decision.reason}. {'; '.join(answers)}.")


def _request(text: str) -> dict[str, Any]:
    """Pasted text as a request: its JSON where it is one, else a message."""
    try:
        found = json.loads(text)
    except ValueError:
        return asked(text)
    return found if isinstance(found, dict) and "messages" in found else asked(text)


def _exports(
    catalog: Catalog, workload: Workload, tables: list[RoutingTable], names: list[str]
) -> None:
    st.markdown("## Make it so")
    st.caption(
        "llama-swap, LiteLLM, mlx_lm.server or llama-server, oMLX and Ollama, with every cap set, "
        "in one archive with a README."
    )
    with st.container(horizontal=True):
        for number, (name, table) in enumerate(zip(names, tables, strict=True)):
            st.download_button(
                f"Files for the {name} (ZIP)",
                lambda table=table: archive(catalog, table, choices_of(workload)),
                file_name=f"tollbooth-routing-{table.machine.id or 'mac'}.zip",
                mime="application/zip", on_click="ignore", icon=":material/download:",
                key=f"routing export {number}",
            )  # fmt: skip
