"""The fitted numbers as a table to read, and the runs the fit left aside."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from advisor.estimate import coefficients
from advisor.estimate.terms import ATTENTION, CACHE, OVERHEAD, PREFILL, SAMPLING, WEIGHTS

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

WIDTHS, PREFILL_WIDTHS = "widths", "prefill_widths"
SPREAD, PREFILL_SPREAD = "spread", "prefill_spread"
# What the scores of a term add up to.
MEANING = {
    OVERHEAD: "logarithm of the seconds a layer costs beside its bytes",
    SAMPLING: "logarithm of the seconds that a vocabulary entry costs a token",
    WEIGHTS: "logit of the share of the bandwidth at which weights are read",
    CACHE: "logit of the share of the bandwidth at which the cache is read",
    ATTENTION: "logarithm of the seconds a GPU core takes for an attended query element",
    WIDTHS: "logarithm of the logarithmic half-width of the 80 % interval of decode",
    PREFILL_WIDTHS: "the same of prefill",
    SPREAD: "standard deviation of what a machine or model has of its own [log seconds]",
    PREFILL_SPREAD: "the same of prefill",
    PREFILL: "logarithm of the arithmetic rate of a GPU core [FLOP/s]",
}


def table(catalog: Catalog) -> pd.DataFrame:
    """Columns term, factor, label, score, meaning; a case's scores of a term add up.

    Raises ``CatalogError`` for a broken file.
    """
    import pandas as pd

    stored = _stored(catalog)
    rows = [(term, "start", "", value) for term, value in stored["start"].items()]
    for term, scores in stored["scores"].items():
        rows += [(term, factor, label, value) for factor, label, value in scores]
    for term in (WIDTHS, PREFILL_WIDTHS, SPREAD, PREFILL_SPREAD):
        for factor, value in stored[term].items():
            labels = value if isinstance(value, dict) else {"": value}
            rows += [(term, factor, label, score) for label, score in labels.items()]
    found = pd.DataFrame(rows, columns=["term", "factor", "label", "score"])
    return found.assign(meaning=found["term"].map(MEANING))


def set_aside(catalog: Catalog) -> dict[str, int]:
    """Why runs were not learnt from, with how many."""
    return dict(_stored(catalog).get("set_aside", {}))


def _stored(catalog: Catalog) -> dict:
    coefficients.load(catalog)  # refuses a broken file with a sentence
    return json.loads((catalog.root / coefficients.SPEED_JSON).read_text(encoding="utf-8"))
