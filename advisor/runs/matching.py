"""Which model of the catalog a run is of: asked again as the catalog learns new names."""

from __future__ import annotations

from dataclasses import replace

from advisor.catalog import Catalog
from advisor.catalog.names import resolve
from advisor.runs.run import Run
from advisor.runs.store import Store


def matched(catalog: Catalog, run: Run) -> Run:
    """The run with its model and quantization of this catalog, "" where it knows none.

    Ids that this catalog holds are kept as they are; others are asked for by name again.
    """
    if run.model_id in catalog.model_ids and run.quant_id in catalog.quants:
        return run
    found = resolve(catalog, run.model, run.quant, run.runtime)
    if found.problem:
        return replace(run, model_id="", quant_id="")
    return replace(run, model_id=found.model_id, quant_id=found.quant_id)


def match_again(catalog: Catalog, store: Store) -> int:
    """Look up the runs of a store that no model was known for; how many are known now."""
    known = 0
    for run in store.runs():
        if not run.is_matched:
            now = matched(catalog, run)
            if now.is_matched:
                store.set_match(run.id, now.model_id, now.quant_id)
                known += 1
    return known
