"""Calibrate: measure this computer, watch it, and see what follows for other models."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from advisor.advice import calibration, calibration_job, this_machine
from advisor.advice.calibration_job import Job, Progress
from advisor.advice.what_follows import context_text, what_follows
from advisor.bench.point import Point
from advisor.catalog import Catalog
from advisor.detect import THIS
from advisor.errors import InputError
from advisor.runs import Run, open_store
from advisor.views import calibrate_history, calibrate_rows, links, state
from advisor.views.plain import plain

TITLE, URL = "Calibrate", "calibrate"
JOB = "calibration job"
QUICK, CHOSEN = "Quick: six points", "Models I choose"
MOST_MODELS = 6
LOOK_S = 0.7
FIGURES_HEIGHT = 230
NO_MAC = (
    "It is no Mac: what is measured here says how this computer runs models, and no Mac's "
    "prediction comes from it."
)


def render(catalog: Catalog) -> None:
    """Draw the page."""
    st.markdown("# Measure this computer")
    state.current(catalog)
    found = this_machine.detected()
    what = f"{found.describe()[0].upper()}{found.describe()[1:]}."
    st.markdown(plain(what if found.is_mac else f"{what} {NO_MAC}"))
    st.caption(
        "Nothing is downloaded: a few layers of a model with random weights are timed and "
        "extended to all its layers. Close other programs; keep the power plugged in."
    )
    job = _job()
    if job is not None and not job.progress.done:
        _watch()
    else:
        if job is not None:
            _ended(job.progress)
        _start(catalog)
    try:
        with open_store() as store:
            runs, place = store.runs(), store.place
    except InputError as error:
        st.warning(plain(str(error)))
    else:
        _follows(catalog, runs)
        calibrate_history.show(catalog, runs, place)
    state.write_link()


def _job() -> Job | None:
    """The calibration of this session, or the one that another window of the app started."""
    mine: Job | None = st.session_state.get(JOB)
    if mine is None or mine.progress.done:
        mine = calibration_job.running() or mine
        st.session_state[JOB] = mine
    return mine


def _start(catalog: Catalog) -> None:
    """What would be measured, how long it takes, and the button."""
    row = st.container(horizontal=True, vertical_alignment="bottom")
    what = row.segmented_control(
        "What to measure", (QUICK, CHOSEN), default=QUICK, required=True, key="calibrate what"
    )
    models, quants = _chosen(catalog, row) if what == CHOSEN else ([], [])
    if what == CHOSEN and not models:
        st.caption("Choose a model.")
        return
    try:
        points = calibration.choose(
            catalog, this_machine.detected(), models=models, quants=quants, quick=what == QUICK
        )
    except InputError as error:
        st.warning(plain(str(error)))
        return
    row.button(
        "Start", type="primary", icon=":material/speed:", on_click=_begin, args=(catalog, points),
        key="calibrate start",
    )  # fmt: skip
    named = ", ".join(f"{catalog.model(one.model).name} {one.quant_id}" for one in points)
    count = f"{len(points)} point{'s' * (len(points) != 1)}"
    st.caption(plain(f"{count}, about {calibration.expected_s(points):.0f} s: {named}."))


def _chosen(
    catalog: Catalog, row: st.delta_generator.DeltaGenerator
) -> tuple[list[str], list[str]]:
    models = row.multiselect(
        "Models", catalog.model_ids, key="calibrate models", width=420,
        max_selections=MOST_MODELS, format_func=lambda name: catalog.model(name).name,
    )  # fmt: skip
    known = [quant.id for quant in catalog.quants.values() if quant.format == "mlx"]
    quants = row.multiselect(
        "Quantizations", known, default=["mlx-4bit"], key="calibrate quants", width=240
    )
    return models, quants


def _begin(catalog: Catalog, points: list[Point]) -> None:
    job = Job(catalog, points)
    st.session_state[JOB] = job
    job.start()


@st.fragment(run_every=LOOK_S)
def _watch() -> None:
    """What is being measured right now; the page is drawn anew once, at the end."""
    job: Job = st.session_state[JOB]
    now = job.progress
    if now.done:
        st.rerun(scope="app")
    st.progress(now.finished / max(now.total, 1), text=plain(_where(now)))
    st.button("Cancel", icon=":material/close:", on_click=job.cancel, key="calibrate cancel")
    lines = pd.DataFrame(
        [(line.point, line.what, line.tok_s, line.repeats) for line in now.lines[::-1]],
        columns=["Point", "Measured", "tok/s", "Repeats"],
    )
    # Of one height from the start, so that nothing moves as figures come in.
    st.dataframe(
        lines, hide_index=True, height=FIGURES_HEIGHT, alt="Figures measured so far",
        column_config={"tok/s": st.column_config.NumberColumn(format="%.1f")},
    )  # fmt: skip


def _where(now: Progress) -> str:
    if now.waiting:
        return now.waiting
    if not now.point:
        return "Starting …"
    return f"{now.number + 1} of {now.total}: {now.point}, {now.stage or 'starting'} …"


def _ended(now: Progress) -> None:
    what = "Cancelled" if now.cancelled else "Done"
    if now.kept:
        st.success(f"{what}: {now.kept} runs kept.")
    else:
        st.warning(f"{what}: nothing was kept.")
    notes = list(dict.fromkeys(now.notes))
    if notes and now.kept:
        with st.expander(f"{len(notes)} warning{'s' * (len(notes) != 1)}"):
            st.markdown(plain("\n".join(f"- {note}" for note in notes)))
    elif notes:
        st.markdown(plain("\n".join(f"- {note}" for note in notes)))


def _follows(catalog: Catalog, runs: list[Run]) -> None:
    """A few models, before and after; nothing until a run of this computer counts."""
    found = this_machine.detected()
    rows = what_follows(catalog, found, runs)
    if not rows:
        return
    st.markdown("## What follows for this computer")
    number = st.column_config.NumberColumn(format="%.1f")
    st.dataframe(
        calibrate_rows.follows(catalog, rows), hide_index=True, height="auto", placeholder="",
        alt="Speeds of a few models, before and after",
        column_config=dict.fromkeys(("Before any run", "With your runs", "Measured"), number),
    )  # fmt: skip
    basis = "Basis: calibrated. " if found.is_mac else "Basis: this computer's own runs alone. "
    st.caption(f"{basis}Decode speed in tok/s, 4 bit, {context_text(found)}.")
    if found.is_mac:
        links.link("fit", "Every model on this Mac", ":material/list:", {"a": THIS})
