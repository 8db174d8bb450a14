"""What newly fits and how fast it is; numbers are the engine's."""

from itertools import pairwise

import pytest

from advisor.estimate import plan
from advisor.estimate.verdict import FITS
from advisor.upgrade import gains
from advisor.upgrade.gains import Asked


@pytest.fixture(scope="module")
def tables(catalog, minis):
    return gains.tables(catalog, minis, Asked())


def test_what_newly_fits_fits_the_one_and_not_the_other(catalog, tables, minis):
    whole = tables[0]
    for task in gains.newly_fits(catalog, tables[1], minis[0].id, minis[1].id):
        for fit in task.best:
            rows = whole[(whole["model_id"] == fit.pace.model_id) & (whole["verdict"] == FITS)]
            four_bit = rows[~rows["quant_id"].str.contains("[23]bit")]
            assert set(four_bit["machine_id"]) == {minis[1].id}


def test_each_task_is_ranked_by_its_own_scale(catalog, tables, minis):
    for task in gains.newly_fits(catalog, tables[1], minis[0].id, minis[1].id):
        published = [fit.quality for fit in task.best if fit.basis == "published"]
        assert published == sorted(published, reverse=True)
        assert len(task.best) == gains.MOST_NEW <= task.count


def test_a_70b_does_not_fit_48_gb_at_8k(catalog, tables, minis):
    """39.7 GB of weights, 2.7 GB of cache; the GPU may use 40.2 GB."""
    new = gains.newly_fits(catalog, tables[1], minis[0].id, minis[1].id)

    assert all(fit.pace.model_id != "llama-3.3-70b" for task in new for fit in task.best)
    (pace,) = gains.same_model(
        catalog, tables[0][tables[0]["machine_id"] == minis[1].id], "llama-3.3-70b", Asked()
    )
    assert pace.verdict != FITS


def test_on_a_frontier_who_is_slower_is_better(catalog, tables, minis):
    line = gains.frontier(catalog, tables[1], minis[1].id, "chat")

    assert len(line) > 2
    for faster, better in pairwise(line):
        assert better.pace.decode_tok_s <= faster.pace.decode_tok_s
        assert better.quality > faster.quality
    assert {fit.basis for fit in line} == {"published"}


def test_a_ratio_of_what_is_not_there_is_not_a_number(catalog, tables, minis):
    paces = gains.same_model(catalog, tables[0], "llama-3.1-8b", Asked())

    assert gains.ratio(paces, *(m.id for m in minis)) == pytest.approx(
        paces[1].decode_tok_s / paces[0].decode_tok_s
    )
    assert gains.ratio(paces, minis[0].id, "nothing") != gains.ratio(paces, minis[0].id, "nothing")


def test_a_pace_is_the_engines_row(catalog, minis, tables):
    row = plan.table(catalog, minis, runtime="mlx-lm").iloc[0]

    assert gains.pace(catalog, row).decode_tok_s == row["decode_tok_s"]
