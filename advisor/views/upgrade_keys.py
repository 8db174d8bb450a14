"""What the Upgrade page is asked: its keys in the link, and the controls that show them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from advisor.advice.compare import REFERENCE_MODEL
from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.errors import InputError
from advisor.routing.workload import presets
from advisor.upgrade import edits as own
from advisor.upgrade import machines, prices
from advisor.upgrade.edits import Edits
from advisor.upgrade.gains import TASKS
from advisor.views import state
from advisor.views.page_keys import Amounts, Checked, Number, One, PageKeys, Text
from advisor.views.plain import plain

DEFAULT_WORKLOAD = "personal-agent"
MOST_MORE = machines.MOST_TARGETS - 1
AMOUNTS = {"price": "Price", "load": "Watts at work", "idle": "Watts at idle"}
RACERS = {"same": "the same 8B", "best": "each Mac's best"}
LENGTHS = ("100", "300", "1000")


def keys(catalog: Catalog) -> PageKeys:
    """The page's keys. A key never changes its meaning; old links must open."""

    def known(text: str) -> str:
        return machines.machine(catalog, text).id

    return PageKeys(
        "upgrade",
        {
            "more": Checked(known, most=MOST_MORE),
            "wl": One("workload", tuple(_workloads(catalog.digest, catalog)), DEFAULT_WORKLOAD),
            "to": Text(),
            "task": One("task", TASKS, TASKS[0]),
            "pm": One("model with a price", prices.hosted_models(catalog), REFERENCE_MODEL),
            "cur": Text(prices.CURRENCY),
            "kwh": Number(None, 0, own.MOST_MONEY),
            "hin": Number(None, 0, own.MOST_MONEY),
            "hout": Number(None, 0, own.MOST_MONEY),
            "life": Number(Edits.life_years, 0, own.MOST_YEARS),
            "duty": Number(Edits.duty, 0, 1),
            "price": Amounts(0, own.MOST_MONEY),
            "load": Amounts(0, own.MOST_W),
            "idle": Amounts(0, own.MOST_W),
            "race": One("race", tuple(RACERS), "same"),
            "len": One("length", LENGTHS, LENGTHS[1]),
            "cold": One("start", ("", "1"), ""),
        },
    )


@st.cache_resource(show_spinner=False)
def _workloads(digest: str, _catalog: Catalog) -> dict[str, str]:
    return {workload.id: workload.name for workload in presets(_catalog).values()}


def chosen(
    catalog: Catalog, scenario: Scenario, page: PageKeys
) -> tuple[str, Machine, tuple[Machine, ...]]:
    """The workload's id, the first machine and the others, maybe none; draws their controls."""
    names, labels = _workloads(catalog.digest, catalog), state.machine_labels(catalog)
    left, right = st.columns([3, 7], vertical_alignment="bottom")
    workload = left.selectbox(
        "For this workload", list(names), key=page.widget("wl"), format_func=names.get
    )
    more = right.multiselect(
        "More Macs",
        list(labels),
        key=page.widget("more"),
        format_func=lambda name: labels.get(name, name),
        max_selections=MOST_MORE,
        accept_new_options=True,
        placeholder="up to two more: from the list, or parts such as m4-pro:48",
    )
    first, second = state.machines(catalog, scenario)
    found = {} if second.id == first.id else {second.id: second}
    if not found:
        st.warning(f"{first.label} is chosen twice: choose another Mac to compare it with.")
    for text in more:
        try:
            own_macos = {"macos": scenario.macos, "in_use_gb": scenario.use_gb}
            one = machines.machine(catalog, text, **own_macos)  # type: ignore[arg-type]
        except InputError as error:
            st.warning(plain(f"{text[:60]} is left out. {error}"))
            continue
        if one.id != first.id:
            found.setdefault(one.id, one)
    return workload, first, tuple(found.values())


def shown(names: dict[str, str], page: PageKeys) -> str:
    """The id of the Mac that the page is about, of several; draws the choice."""
    key = page.widget("to")
    if st.session_state[key] not in names:
        st.session_state[key] = next(iter(names))
    st.segmented_control("In detail", list(names), key=key, format_func=names.get, required=True)
    return str(st.session_state[key])


def task(page: PageKeys) -> str:
    """The task whose quality is drawn; draws the choice."""
    st.markdown("## Quality against speed")
    st.segmented_control(
        "Task", list(TASKS), key=page.widget("task"), required=True, label_visibility="collapsed"
    )
    return str(st.session_state[page.widget("task")])


def money(catalog: Catalog, sides: Sequence[tuple[str, Machine]], page: PageKeys) -> Edits:
    """The person's own figures, from controls; what is left empty is the catalog's."""
    names = {m: catalog.model(m).name for m in prices.hosted_models(catalog)}
    with st.popover("Prices, power and hours", icon=":material/tune:", width="stretch"):
        st.caption(
            "Left empty, the catalog's dated figure counts; where it has none, you are asked."
        )
        first, second, third = st.columns(3)
        model = first.selectbox(
            "Tokens of", list(names), key=page.widget("pm"), format_func=names.get
        )
        currency = second.text_input(
            "Currency", key=page.widget("cur"), max_chars=own.LONGEST_CURRENCY,
            help="In another one than USD the catalog's prices do not count: give your own.",
        )  # fmt: skip
        life = third.number_input(
            "Kept for (years)", 0.5, own.MOST_YEARS, step=0.5, format="%g", key=page.widget("life")
        )
        one, two, three, four = st.columns(4)
        duty = one.number_input(
            "At work (part of all hours)", 0.001, 1.0, step=0.05, format="%g",
            key=page.widget("duty"),
        )  # fmt: skip
        kwh = _optional(two, "A kWh", page.widget("kwh"))
        hosted_in = _optional(three, "Hosted, a million prompt tokens", page.widget("hin"))
        hosted_out = _optional(four, "Hosted, a million answer tokens", page.widget("hout"))
        amounts = {name: _amounts(name, sides, page) for name in AMOUNTS}
    edits = Edits(
        currency=(currency or "").strip() or prices.CURRENCY,
        price=amounts["price"],
        load_w=amounts["load"],
        idle_w=amounts["idle"],
        kwh=kwh,
        hosted_in=hosted_in,
        hosted_out=hosted_out,
        life_years=float(life),
        duty=float(duty),
        model_id=model,
    )
    try:
        own.check(catalog, edits)
    except InputError as error:
        st.warning(plain(f"{error}") + " Shown with the catalog's figures.")
        return Edits()
    return edits


def _optional(where: st.delta_generator.DeltaGenerator, label: str, key: str) -> float | None:
    value = where.number_input(
        label, min_value=0.0001, max_value=own.MOST_MONEY, value=None, format="%g", key=key
    )
    return None if value is None else float(value)


def _amounts(name: str, sides: Sequence[tuple[str, Machine]], page: PageKeys) -> dict[str, float]:
    """One figure a machine; those of machines that are not shown are kept for the link."""
    held = page.widget(name)
    told: dict[str, float] = dict(st.session_state[held])
    seen = f"{held} seen"
    fresh = st.session_state.get(seen) != told
    for column, (shown, machine) in zip(st.columns(len(sides)), sides, strict=True):
        key = f"{held} {machine.id}"
        if fresh or key not in st.session_state:
            st.session_state[key] = told.get(machine.id)
        most = own.MOST_MONEY if name == "price" else own.MOST_W
        value = column.number_input(
            f"{AMOUNTS[name]}, {shown}", min_value=0.01, max_value=most, format="%g", key=key
        )
        told.pop(machine.id, None)
        if value is not None:
            told[machine.id] = float(value)
    st.session_state[held] = st.session_state[seen] = told
    return told
