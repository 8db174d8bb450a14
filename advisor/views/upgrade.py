"""Upgrade: should you buy that one? The verdict first, then what changes, money and a race."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import streamlit as st

from advisor.advice.machine_names import short_names
from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.routing import solve
from advisor.routing.table import RoutingTable
from advisor.routing.workload import Workload, preset
from advisor.share import upgrade_charts
from advisor.upgrade import answer, bill
from advisor.upgrade.answer import Target, Upgrade
from advisor.upgrade.edits import Edits
from advisor.upgrade.gains import Asked
from advisor.upgrade.verdict import RULE
from advisor.views import (
    links,
    share,
    state,
    upgrade_keys,
    upgrade_race,
    upgrade_tables,
    widgets,
)
from advisor.views.plain import plain

TITLE, URL = "Upgrade", "upgrade"


def render(catalog: Catalog) -> None:
    """Draw the page."""
    head = st.container(horizontal=True, vertical_alignment="center")
    head.markdown("# Should you buy that one?", width="stretch")
    with head:
        working = st.container(width="content")
        state.pair_buttons()
        sharing = st.container(width="content")
    scenario = state.controls(catalog)
    page = upgrade_keys.keys(catalog)
    page.open()
    workload_id, first, others = upgrade_keys.chosen(catalog, scenario, page)
    if not others:
        st.info("Choose a second Mac above to see what it would buy.")
        state.write_link(page.close())
        return
    # Sections in the order they are read; the prices below are asked before the answer above.
    verdicts, changed, bought, pictures, money, raced, notes = (st.container() for _ in range(7))
    names = short_names([first, *others])
    with money:
        st.markdown("## Money")
        edits = upgrade_keys.money(catalog, [(names[m.id], m) for m in (first, *others)], page)
    with working, st.spinner("Working it out"):
        found = _answer(catalog, scenario, workload_id, first, others, edits)
    with verdicts:
        target = _verdicts(found, page)
    with changed:
        _changes(found, target)
    with bought:
        _bought(found, target)
    with pictures:
        _pictures(found, page)
    with money:
        upgrade_tables.bills(found)
        known = [s.bill for s in found.sides if s.bill.per_mtok == s.bill.per_mtok]
        if known:
            st.altair_chart(upgrade_charts.cost(known, edits.duty), width="stretch")
    with raced:
        st.markdown("## The race")
        upgrade_race.section(found, target, page)
    with notes:
        st.caption(f"{RULE} Speeds are predicted; ranges are their 80 % intervals.")
        widgets.evidence(catalog, [s.machine.chip.name for s in found.sides], scenario.runtime)
    ours = page.close()
    state.write_link(ours)
    with sharing:
        share.upgrade_button(catalog, found, ours)


def _answer(
    catalog: Catalog,
    scenario: Scenario,
    workload_id: str,
    first: Machine,
    others: Sequence[Machine],
    edits: Edits,
) -> Upgrade:
    asked = Asked(scenario.context_tokens, scenario.runtime, scenario.kv_bits, scenario.least_tok_s)
    machines = (first, *others)
    key = (workload_id, asked, tuple(m.key for m in machines), repr(edits), date.today())
    return _kept_answer(
        catalog.digest, repr(key), _catalog=catalog, _machines=machines, _edits=edits,
        _asked=asked, _workload=preset(catalog, workload_id),
    )  # fmt: skip


@st.cache_resource(max_entries=64, show_spinner=False)
def _kept_answer(
    digest: str,
    key: str,
    *,
    _catalog: Catalog,
    _machines: tuple[Machine, ...],
    _edits: Edits,
    _asked: Asked,
    _workload: Workload,
) -> Upgrade:
    def route(machine: Machine) -> RoutingTable:
        asked = repr((machine.key, _workload.id, _asked.runtime))
        return _kept_table(
            digest, asked, _catalog=_catalog, _machine=machine, _workload=_workload,
            _runtime=_asked.runtime,
        )  # fmt: skip

    return answer.upgrade(
        _catalog, _machines[0], _machines[1:], _workload, asked=_asked, edits=_edits, route=route
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _kept_table(
    digest: str, key: str, *, _catalog: Catalog, _machine: Machine, _workload: Workload,
    _runtime: str,
) -> RoutingTable:  # fmt: skip
    return solve.table(_catalog, _machine, _workload, runtime=_runtime, robust=False)


def _verdicts(found: Upgrade, page: upgrade_keys.PageKeys) -> Target:
    """Every verdict; the target that the rest of the page is about."""
    for target in found.targets:
        side = target.side
        with st.container(border=True):
            st.markdown(f"## {target.verdict.sentence}")
            mark = f" :orange-badge[{side.mark}]" if side.mark else ""
            st.markdown(
                f"{found.first.machine.label} → **{side.machine.label}**{mark}  \n"
                f"{plain(bill.in_short(side.bill))}"
            )
            st.caption(plain(" ".join(target.verdict.reasons)))
    names = {target.side.machine.id: target.side.name for target in found.targets}
    if len(names) == 1:
        return found.targets[0]
    chosen = upgrade_keys.shown(names, page)
    return next(t for t in found.targets if t.side.machine.id == chosen)


def _changes(found: Upgrade, target: Target) -> None:
    st.markdown(f"## What changes for {plain(found.workload.name)}")
    left, right = st.columns([3, 2])
    with left:
        upgrade_tables.changes(found, target)
        links.link("speed", "Speed against context", ":material/show_chart:")
    with right:
        st.altair_chart(upgrade_charts.pace(found.first, target), width="stretch")


def _bought(found: Upgrade, target: Target) -> None:
    st.markdown("## What the money buys")
    said = [*target.essay.said, upgrade_tables.mixture(found, target)]
    st.markdown("\n".join(f"- {one}" for one in said))
    left, right = st.columns(2)
    with left:
        st.markdown("**One change alone**")
        upgrade_tables.what_ifs(target.alone)
    with right:
        st.markdown(f"**More memory in the {found.first.name}**")
        upgrade_tables.what_ifs(found.more)
    st.markdown(f"**Newly fits the {target.side.name}, best first**")
    upgrade_tables.newly_fits(target)


def _pictures(found: Upgrade, page: upgrade_keys.PageKeys) -> None:
    left, right = st.columns(2)
    with left:
        task = upgrade_keys.task(page)
        floors = [c.least_tok_s for c in found.workload.classes if c.scale == task]
        st.altair_chart(
            upgrade_charts.frontier(found.sides, task, max(floors, default=None)),
            width="stretch",
        )
        st.caption(
            "Each point: a model that fits, with a published score, and none that fits is both "
            "better and faster."
        )
    with right:
        st.markdown("## Memory, filled")
        st.altair_chart(upgrade_charts.memory(found.sides), width="stretch")
        st.caption("The models of each routing table, as they stay resident; red: macOS's limit.")
