"""The table of fitted numbers holds all of them, and says what they add up to."""

from advisor.catalog import load
from advisor.estimate import coefficients, fitted_constants


def test_every_term_is_there_with_its_start_and_meaning():
    catalog = load()
    table = fitted_constants.table(catalog)

    starts = table[table["factor"] == "start"].set_index("term")["score"]
    terms = coefficients.load(catalog).terms
    assert {name: starts[name] for name in terms} == {name: t.start for name, t in terms.items()}
    assert table["meaning"].notna().all()
    widths = table[(table["term"] == "widths") & (table["factor"] == "runtime")]
    assert set(widths["label"]) == set(catalog.runtime_ids)


def test_runs_not_learnt_from_are_counted():
    aside = fitted_constants.set_aside(load())

    assert aside["low confidence"] > 0
