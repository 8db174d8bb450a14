"""How right predictions are after a few runs of one's own, tried on every public machine.

Each source x runtime x chip stands for one person's machine. Some of its runs, of different
models, calibrate predictions that have not seen its source; the rest is predicted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from advisor.estimate import accuracy, calibration, coefficients, plan
from advisor.estimate.cases import Cases
from advisor.estimate.corrections import features

if TYPE_CHECKING:
    from advisor.catalog import Catalog

COUNTS = (1, 3, 5)
DRAWS = 10
SEED = 20261201


def figures(catalog: Catalog) -> dict[str, dict[str, float]]:
    """For each number of own runs: errors before and after, of all the rest and of other models.

    ``new_…`` are of models not run; ``coverage`` of the corrected intervals; ``machines`` that
    have enough models.
    """
    runs = accuracy.joined(catalog)
    runs = runs[runs["runtime"] != accuracy.OTHER].reset_index(drop=True)
    fitted = coefficients.load(catalog)
    seen = _features(catalog, runs)
    error = accuracy.log_errors(runs) * -1.0  # log(measured / predicted) seconds
    width = runs["half_width"].to_numpy()
    machine = pd.factorize(runs["file"] + "|" + runs["runtime"] + "|" + runs["chip"])[0]
    models = runs["model_id"].to_numpy()
    found = {}
    for count in COUNTS:
        draw = np.random.default_rng(SEED)
        rows: list[pd.DataFrame] = []
        for code in np.unique(machine):
            here = np.flatnonzero(machine == code)
            names = np.unique(models[here])
            if len(names) <= count:
                continue
            for _ in range(DRAWS):
                picked = draw.choice(names, count, replace=False)
                own = np.array([draw.choice(here[models[here] == name]) for name in picked])
                rest = np.setdiff1d(here, own)
                known = calibration.learn(fitted.spread, seen.at(own), error[own])
                shift, narrower = known.correction(seen.at(rest))
                rows.append(
                    pd.DataFrame(
                        {
                            "machine": code,
                            "before": error[rest],
                            "after": error[rest] - shift,
                            "width": width[rest] * narrower,
                            "new": ~np.isin(models[rest], picked),
                        }
                    )
                )
        found[str(count)] = _summary(pd.concat(rows))
    return found


def _summary(rows: pd.DataFrame) -> dict[str, float]:
    def share(values: pd.Series, quantile: float) -> float:
        return float(np.quantile(np.abs(np.expm1(-values)), quantile))

    new = rows[rows["new"]]
    return {
        "machines": int(rows["machine"].nunique()),
        "before_median": share(rows["before"], 0.5),
        "before_p90": share(rows["before"], 0.9),
        "median": share(rows["after"], 0.5),
        "p90": share(rows["after"], 0.9),
        "new_before_median": share(new["before"], 0.5),
        "new_median": share(new["after"], 0.5),
        "coverage": float((rows["after"].abs() <= rows["width"]).mean()),
        "half_width": float(np.exp(rows["width"].median())),
    }


def _features(catalog: Catalog, runs: pd.DataFrame) -> calibration.Features:
    machines = [catalog.machine_from_parts(name) for name in catalog.chip_families]
    place = {machine.chip.name: at for at, machine in enumerate(machines)}
    variant = np.array(
        [catalog.variant_index(m, q) for m, q in zip(runs.model_id, runs.quant_id, strict=True)]
    )
    cases = Cases(
        machine=np.array([place[name] for name in runs["chip"]]),
        variant=variant,
        runtime=np.array([catalog.runtime_ids.index(name) for name in runs["runtime"]]),
        context_tokens=np.maximum(runs["context_drawn"].to_numpy(), 1.0),
        kv_bits=np.array(16),
        batch=np.array(1),
    )
    found = plan.answer(catalog, machines, cases)
    step_s = found["step_s"]
    return features(catalog, variant, found["overhead_s"] / step_s, found["kv_s"] / step_s)
