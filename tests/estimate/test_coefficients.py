"""speed.json becomes arrays; a broken one is a sentence; it is current for its data."""

import json

import numpy as np
import pytest

from advisor.catalog import load
from advisor.errors import CatalogError
from advisor.estimate import coefficients, fitting, speed_build
from advisor.estimate.coefficients import SPEED_JSON
from advisor.estimate.evidence import decode_evidence
from advisor.estimate.terms import DECODE_TERMS, PLAIN


def test_the_stored_fit_is_current_for_the_catalogs_runs_and_facts():
    assert speed_build.check(load()) == []


def test_a_changed_run_makes_it_stale(copied):
    path = copied.root / "derived" / "runs.csv"
    path.write_text(path.read_text().replace(",7.92,", ",7.93,", 1))

    assert "Run `advisor catalog build --only speed`" in speed_build.check(copied)[0]


def test_arrays_give_the_sums_of_the_stored_labels():
    catalog = load()
    fitted = coefficients.load(catalog)
    stored = json.loads((catalog.root / SPEED_JSON).read_text())
    scores = {
        term: {(factor, label): value for factor, label, value in rows}
        for term, rows in stored["scores"].items()
    }
    data = decode_evidence(catalog)
    plain = np.array(data.cache_form) == PLAIN
    data = fitting.subset(data, plain & (np.arange(len(data)) % 97 == 0))
    from advisor.estimate.arrays import arrays

    v = arrays(catalog).variants
    variant = np.array(
        [
            catalog.variant_index(m, q)
            for m, q in zip(data.runs["model_id"], data.runs["quant_id"], strict=True)
        ]
    )
    keys = (
        np.array([catalog.chip_ids.index(chip) for chip in data.runs["chip_id"]]),
        np.array([catalog.runtime_ids.index(runtime) for runtime in data.runtime]),
        variant, v.format[variant], fitted.variant_class[variant],
    )  # fmt: skip
    for term in DECODE_TERMS:
        assert fitted.terms[term].score(*keys) == pytest.approx(
            fitting.score(term, data, scores), abs=1e-4
        )


def test_a_quantized_cache_costs_what_was_fitted_for_its_format():
    catalog = load()
    stored = json.loads((catalog.root / SPEED_JSON).read_text())
    forms = {label: value for factor, label, value in stored["scores"]["cache"]
             if factor == "cache form"}  # fmt: skip

    narrow = coefficients.load(catalog).terms["cache"].narrow

    assert narrow.tolist() == [forms["quantized mlx"], forms["quantized gguf"]]
    assert coefficients.load(catalog).terms["weights"].narrow.tolist() == [0, 0]


BROKEN = {
    "missing": (None, "is missing"),
    "not JSON": ("{", "cannot be used"),
    "without its scores": ('{"start": {}}', "cannot be used"),
}


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_a_sentence(copied, text, said):
    path = copied.root / SPEED_JSON
    path.unlink() if text is None else path.write_text(text)

    with pytest.raises(CatalogError, match=said):
        coefficients.load(copied)
