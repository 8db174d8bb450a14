"""Fitting anew is told from what is published."""

import shutil

from advisor.catalog import load
from advisor.catalog.load import Catalog
from advisor.estimate.leave_out import ACCURACY_CSV
from advisor.validation import refit

SMALL = ("llama.cpp-pull-3648",)


def test_a_published_prediction_that_no_fit_gives_is_found(tmp_path):
    shutil.copytree(load().root, tmp_path / "catalog")
    path = tmp_path / "catalog" / ACCURACY_CSV
    lines = path.read_text().splitlines()
    runs = load().runs
    wanted = set(runs.loc[runs["file"] == SMALL[0], "id"])
    at = next(i for i, line in enumerate(lines) if line.split(",")[0] in wanted)
    cells = lines[at].split(",")
    cells[1] = f"{float(cells[1]) * 1.1:.5g}"
    lines[at] = ",".join(cells)
    path.write_text("\n".join(lines) + "\n")
    said = []

    worst = refit.differences(Catalog(tmp_path / "catalog"), "source", SMALL, said.append)

    assert 0.09 < worst < 0.11
    assert said == [f"source 1 of 1: {SMALL[0]}, 3 runs"]
