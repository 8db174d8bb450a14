"""The scenario on the screen: read from the link, changed by the controls, written back.

Streamlit's own binding writes what a select box shows into the link; ids must stay short and
stable, so the link is read and written here, by one rule: a query string that is not the one
we wrote is a link that somebody opened.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from advisor.advice import scenario as scenarios
from advisor.advice import this_machine
from advisor.advice.scenario import CONTEXTS, Scenario
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.detect import THIS
from advisor.errors import InputError
from advisor.estimate.plan import KV_BITS
from advisor.share import said
from advisor.share.links import CATALOG, FORM
from advisor.units import format_tokens
from advisor.views import echo, received, this_mac
from advisor.views.plain import plain

STORED, PROBLEMS = "scenario", "scenario problems"
OPENED, VERSION = "link last opened", "catalog of links"
PAGE, ENTERED = "scenario page", "scenario page entered"
PAIRS = {
    "M4 16 GB → M4 Pro 48 GB": ("mac-mini-m4-16", "mac-mini-m4-pro-48"),
    "M6 16 GB → M5 Pro 48 GB": ("mac-mini-m6-16", "mac-mini-m5-pro-48"),
}


def enter(page: str) -> None:
    """Say which page is being drawn: its controls are new widgets and start from the scenario."""
    st.session_state[ENTERED] = st.session_state.get(PAGE) != page
    st.session_state[PAGE] = page


def current(catalog: Catalog) -> Scenario:
    """The scenario of this session; a link that was just opened replaces it."""
    shown = dict(st.query_params)
    ours = {key: value for key, value in shown.items() if key in scenarios.LINK_KEYS}
    st.session_state[VERSION] = said.version(catalog)
    # Only a link made to be sent says its form: it is opened even where it asks for what is shown.
    sent = FORM in shown and shown != st.session_state.get(OPENED)
    if STORED not in st.session_state or sent or (ours and not echo.is_ours(STORED, ours)):
        st.session_state[OPENED] = shown
        found, problems = scenarios.from_link(catalog, ours)
        st.session_state[PROBLEMS] = problems
        received.opened(catalog, shown)
        _store(found)
        _seed(found, overwrite=True)
    return st.session_state[STORED]


def controls(catalog: Catalog) -> Scenario:
    """Draw the shared controls and return the scenario they say; the link follows."""
    before = current(catalog)
    _seed(before, overwrite=st.session_state.get(ENTERED, False))
    labels = machine_labels(catalog)
    first, second, third, fourth = st.columns([3, 3, 2, 2], vertical_alignment="bottom")
    a = first.selectbox("Mac", list(labels), key="pick_a", format_func=labels.get)
    b = second.selectbox("Compared with", list(labels), key="pick_b", format_func=labels.get)
    context = third.select_slider(
        "Context (tokens)", _contexts(before), key="pick_ctx", format_func=format_tokens
    )
    chosen = replace(before, a=a, b=b, context_tokens=int(context))
    with fourth:
        chosen = _settings(catalog, chosen)
    for problem in st.session_state.get(PROBLEMS, []):
        st.warning(plain(problem))
    chosen = this_mac.usable(catalog, chosen, before)
    try:
        both = scenarios.machines(catalog, chosen)
    except InputError as error:
        st.warning(plain(f"{error} Shown without it."))
        chosen = replace(chosen, use_gb=0.0, wired_a_mib=0, wired_b_mib=0)
        both = scenarios.machines(catalog, chosen)
    this_mac.show(catalog, both)
    if chosen != before:
        st.session_state[PROBLEMS] = []
        received.forget()
    _store(chosen)
    return chosen


def machines(catalog: Catalog, scenario: Scenario) -> tuple[Machine, Machine]:
    """Both machines of a scenario that ``controls`` has checked."""
    return scenarios.machines(catalog, scenario)


def write_link(extra: dict[str, str | list[str]] | None = None) -> None:
    """Write the scenario, and a page's own keys, into the address bar."""
    ours: dict[str, str | list[str]] = dict(scenarios.to_link(st.session_state[STORED]))
    echo.wrote(STORED, scenarios.to_link(st.session_state[STORED]))
    wanted = ours | (extra or {}) | {CATALOG: st.session_state[VERSION]}
    if dict(st.query_params.items()) != wanted:
        st.query_params.from_dict(wanted)


def _settings(catalog: Catalog, scenario: Scenario) -> Scenario:
    runtimes = {runtime.id: runtime.name for runtime in catalog.runtimes.values()}
    with st.popover(_summary(runtimes), key="settings", width="stretch", icon=":material/tune:"):
        runtime = st.selectbox("Runtime", list(runtimes), key="pick_rt", format_func=runtimes.get)
        macos = st.selectbox(
            "macOS", sorted(catalog.memory_rules.macos_versions, reverse=True), key="pick_macos"
        )
        use = st.number_input(
            "Memory other programs use (GiB)", 0.0, 512.0, step=1.0, format="%g", key="pick_use",
            help="Activity Monitor shows it as Memory Used, less the model's own.",
        )  # fmt: skip
        least = st.number_input(
            "Least speed (tok/s)", 0.0, 500.0, step=5.0, format="%g", key="pick_min"
        )
        kv_bits = st.segmented_control(
            "Cache (bits an element)", KV_BITS, key="pick_kv", required=True
        )
        limits = {}
        for name, label in (("wired_a_mib", "first Mac"), ("wired_b_mib", "second Mac")):
            limits[name] = st.number_input(
                f"Wired limit of the {label} (MiB)", 0, 524288, step=1024, key=f"pick_{name}",
                help="0: macOS's own. Else sudo sysctl iogpu.wired_limit_mb=N; lost at reboot.",
            )  # fmt: skip
    return replace(
        scenario,
        runtime=runtime,
        macos=int(macos),
        use_gb=float(use),
        least_tok_s=float(least),
        kv_bits=int(kv_bits or 16),
        wired_a_mib=int(limits["wired_a_mib"]),
        wired_b_mib=int(limits["wired_b_mib"]),
    )


def _summary(runtimes: dict[str, str]) -> str:
    """What the settings are: those of the widgets, which already hold a change of this run."""
    picked = st.session_state
    parts = [runtimes[picked["pick_rt"]], f"macOS {picked['pick_macos']}"]
    if picked["pick_use"]:
        parts.append(f"{picked['pick_use']:g} GiB in use")
    if (picked["pick_kv"] or 16) != 16:
        parts.append(f"{picked['pick_kv']}-bit cache")
    return ", ".join(parts)


def pair_buttons() -> None:
    """Offer the well-known pairs, one click each."""
    for label, (a, b) in PAIRS.items():
        st.button(label, on_click=_choose_pair, args=(a, b), type="tertiary")


def _choose_pair(a: str, b: str) -> None:
    st.session_state["pick_a"], st.session_state["pick_b"] = a, b


def _seed(scenario: Scenario, *, overwrite: bool) -> None:
    """Give widgets that are not on the screen yet their values."""
    values = {
        "pick_a": scenario.a,
        "pick_b": scenario.b,
        "pick_ctx": scenario.context_tokens,
        "pick_rt": scenario.runtime,
        "pick_macos": scenario.macos,
        "pick_use": float(scenario.use_gb),
        "pick_min": float(scenario.least_tok_s),
        "pick_kv": scenario.kv_bits,
        "pick_wired_a_mib": scenario.wired_a_mib,
        "pick_wired_b_mib": scenario.wired_b_mib,
    }
    for key, value in values.items():
        if overwrite or key not in st.session_state:
            st.session_state[key] = value


def _store(scenario: Scenario) -> None:
    st.session_state[STORED] = scenario


def _contexts(scenario: Scenario) -> list[int]:
    return sorted({*CONTEXTS, scenario.context_tokens})


@st.cache_data(show_spinner=False)
def _labels(digest: str, this: str, _catalog: Catalog) -> dict[str, str]:
    return {THIS: this} | {option.id: option.label for option in _catalog.machine_options}


def machine_labels(catalog: Catalog) -> dict[str, str]:
    """Machine id -> what pickers show: the one the app runs on first, then the catalog's."""
    return _labels(catalog.digest, this_machine.name(), catalog)
