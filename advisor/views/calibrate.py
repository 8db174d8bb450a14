"""Calibrate: measure this computer, watch it, and say which runs count."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from advisor.advice import calibration, kept_runs, this_machine
from advisor.advice.calibration_job import Job, Progress
from advisor.advice.run_machine import run_machine
from advisor.bench.point import Point
from advisor.catalog import Catalog
from advisor.errors import InputError
from advisor.runs import jsonl, open_store
from advisor.views import calibrate_rows, state

TITLE, URL = "Calibrate", "calibrate"
JOB = "calibration job"
QUICK, CHOSEN = "Quick: six small points", "Models I choose"
MOST_MODELS = 6
LOOK_S = 0.7
NO_MAC = (
    "It is no Mac: what is measured here says how this computer runs models, and no Mac's "
    "prediction comes from it."
)


def render(catalog: Catalog) -> None:
    """Draw the page."""
    st.markdown("# Measure this computer")
    state.current(catalog)
    found = this_machine.detected()
    st.markdown(f"{found.describe()[0].upper()}{found.describe()[1:]}.")
    if not found.is_mac:
        st.info(NO_MAC)
    st.caption(
        "Nothing is downloaded: a few layers of a model with random weights are timed, and "
        "extended to all its layers. Close other programs; keep the power plugged in."
    )
    job: Job | None = st.session_state.get(JOB)
    if job is not None and not job.progress.done:
        _watch()
    else:
        if job is not None:
            _ended(job.progress)
        _start(catalog)
    _history(catalog)
    state.write_link()


def _start(catalog: Catalog) -> None:
    """What would be measured, how long it takes, and the button."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        what = st.segmented_control(
            "What to measure", (QUICK, CHOSEN), default=QUICK, required=True, key="calibrate what"
        )
        models: list[str] = []
        if what == CHOSEN:
            models = st.multiselect(
                "Models", catalog.model_ids, key="calibrate models", width=420,
                max_selections=MOST_MODELS, format_func=lambda name: catalog.model(name).name,
            )  # fmt: skip
    if what == CHOSEN and not models:
        st.caption("Choose a model.")
        return
    try:
        points = calibration.choose(
            catalog, this_machine.detected(), models=models, quick=what == QUICK
        )
    except InputError as error:
        st.warning(str(error))
        return
    seconds = calibration.expected_s(points)
    named = ", ".join(dict.fromkeys(point.label for point in points))
    st.caption(f"{len(points)} points, about {seconds:.0f} s: {named}.")
    st.button(
        "Start", type="primary", icon=":material/speed:", on_click=_begin, args=(catalog, points),
        key="calibrate start",
    )  # fmt: skip


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
    st.progress(now.finished / max(now.total, 1), text=_where(now))
    st.button("Cancel", icon=":material/close:", on_click=job.cancel, key="calibrate cancel")
    _figures(now)


def _where(now: Progress) -> str:
    if now.waiting:
        return now.waiting
    if not now.point:
        return "Starting …"
    return f"{now.number + 1} of {now.total}: {now.point}, {now.stage or 'starting'} …"


def _figures(now: Progress) -> None:
    """The figures so far, in a place of a height that does not jump."""
    lines = pd.DataFrame(
        [(line.point, line.what, line.tok_s, line.repeats) for line in now.lines[::-1]],
        columns=["Point", "Measured", "tok/s", "Repeats"],
    )
    st.dataframe(
        lines, hide_index=True, height=230, alt="Figures measured so far",
        column_config={"tok/s": st.column_config.NumberColumn(format="%.1f")},
    )  # fmt: skip


def _ended(now: Progress) -> None:
    what = "Cancelled" if now.cancelled else "Done"
    if now.kept:
        st.success(f"{what}: {now.kept} runs kept. They stand in the table below.")
    else:
        st.warning(f"{what}: nothing was kept.")
    if now.notes:
        st.caption("\n".join(f"- {note}" for note in dict.fromkeys(now.notes)))


def _history(catalog: Catalog) -> None:
    """Every kept run, with a switch for whether it counts."""
    st.markdown("## Runs kept")
    try:
        with open_store() as store:
            runs = store.runs()
            place = store.place
    except InputError as error:
        st.warning(str(error))
        return
    if not runs:
        st.caption("None yet. Start a measurement, or bring in a file.")
    else:
        _table(catalog, calibrate_rows.table(catalog, runs))
        st.caption(f"Kept in {place}. Runs of this Mac that count correct its numbers everywhere.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if runs:
            st.download_button(
                f"Download {len(runs):,} runs (JSON Lines)", _export,
                file_name="tollbooth-runs.jsonl", mime="application/jsonl", on_click="ignore",
                icon=":material/download:",
            )  # fmt: skip
    with st.expander("Bring in runs"):
        _import(catalog)


def _table(catalog: Catalog, table: pd.DataFrame) -> None:
    column = st.column_config
    number = {"format": "%.1f"}
    edited = st.data_editor(
        table,
        hide_index=True,
        height="auto" if len(table) < 12 else 460,
        placeholder="",
        key="calibrate runs",
        disabled=[name for name in calibrate_rows.COLUMNS if name != "counts"],
        column_order=[name for name in calibrate_rows.COLUMNS if name != "id"],
        column_config={
            "counts": column.CheckboxColumn("Counts", help="Whether it corrects predictions"),
            "model": column.TextColumn("Model"),
            "quant": column.TextColumn("Quantization"),
            "runtime": column.TextColumn("Runtime"),
            "context_tokens": column.NumberColumn("Context (tokens)", format="localized"),
            "decode_tok_s": column.NumberColumn("Measured (tok/s)", **number),
            "spread": column.NumberColumn("Spread (± %)", **number),
            "predicted": column.NumberColumn("Predicted", help="Before any run", **number),
            "calibrated": column.NumberColumn("With these runs", **number),
            "prefill_tok_s": column.NumberColumn("Prefill (tok/s)", **number),
            "made": column.TextColumn("Made (UTC)"),
            "machine": column.TextColumn("Chip"),
            "note": column.TextColumn("Note"),
        },
    )
    moved = calibrate_rows.changed(table, edited)
    if moved:
        with open_store() as store:
            for run_id, used in moved.items():
                store.set_used([run_id], used)
        st.rerun()


def _export() -> bytes:
    with open_store() as store:
        return "".join(f"{line}\n" for line in jsonl.lines(store.runs())).encode()


def _import(catalog: Catalog) -> None:
    st.caption(
        "An export of runs, or what llama-bench -o json, mlx_lm.benchmark or ollama --verbose "
        "printed on this computer."
    )
    file = st.file_uploader("File", type=["jsonl", "json", "txt", "log"], key="calibrate file")
    model = st.text_input("Model, where the file does not say", key="calibrate of", max_chars=120)
    quant = st.text_input("Quantization, likewise", key="calibrate in", max_chars=40)
    if file is None or not st.button("Bring in", key="calibrate import"):
        return
    try:
        text = file.getvalue().decode("utf-8")
    except UnicodeDecodeError:
        st.warning(f"{file.name} is not UTF-8 text.")
        return
    try:
        machine = run_machine(this_machine.detected())
        runs = kept_runs.read(catalog, text, machine, model=model, quant=quant)
        with open_store() as store:
            new = store.add_all(runs)
    except InputError as error:
        st.warning(str(error))
        return
    st.success(f"{new} of {len(runs)} runs are new. Open the page again to see them.")
