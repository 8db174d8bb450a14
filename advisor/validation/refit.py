"""Fit anew without each source, chip and model, and hold the result against what is published."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from advisor.estimate import leave_out
from advisor.estimate.evidence import decode_evidence

if TYPE_CHECKING:
    from advisor.catalog import Catalog

# The same fit on another machine ends within this of the stored one, its last digits apart.
MARGIN = 0.005


def differences(
    catalog: Catalog,
    what: str,
    only: tuple[str, ...] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> float:
    """The largest |log| between refitted and stored predictions with ``what`` left out.

    what   source, chip or model
    only   these groups, default all
    """
    data = decode_evidence(catalog)
    of = leave_out.groups(data, what)
    stored = leave_out.read(catalog.root).set_index("id")[f"without_{what}_tok_s"]
    expected = stored.reindex(data.runs["id"]).to_numpy()
    names = tuple(np.unique(of)) if only is None else only
    worst = 0.0
    for number, name in enumerate(names, start=1):
        step_s = leave_out.leave_out(data, of, (name,))
        here = of == name
        worst = max(worst, float(np.max(np.abs(np.log(expected[here] * step_s[here])))))
        say(f"{what} {number} of {len(names)}: {name}, {int(here.sum())} runs")
    return worst
