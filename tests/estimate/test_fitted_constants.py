"""The table of fitted numbers holds all of them, and says what they add up to."""

from advisor.catalog import load
from advisor.estimate import coefficients, fitted_constants


def test_every_term_is_there_with_its_start_and_meaning():
    catalog = load()
    table = fitted_constants.table(catalog)

    starts = table[table["factor"] == "start"].set_index("term")["score"]
    assert dict(starts) == {name: t.start for name, t in coefficients.load(catalog).terms.items()}
    assert table["meaning"].notna().all()


def test_runs_not_learnt_from_are_counted():
    aside = fitted_constants.set_aside(load())

    assert aside["low confidence"] > 0
