"""Floors are judged by pace, first token and quality; an estimate by its low end."""

import numpy as np

from advisor.catalog import load
from advisor.routing.candidates import Wishes, candidates
from advisor.routing.floors import at_end, judged, sure_quality
from advisor.routing.workload import preset


def found():
    catalog = load()
    asked = preset(catalog, "chat")
    machine = catalog.machine("mac-mini-m4-16")
    return asked, candidates(catalog, machine, asked, "mlx-lm", Wishes())


def test_at_the_slow_end_fewer_pairs_meet_their_floors():
    asked, table = found()
    slow = at_end(table, asked, "slow")

    assert not (slow.meets & ~table.meets).any()
    assert slow.meets.sum() < table.meets.sum()


def test_at_the_fast_end_what_met_its_floors_still_does():
    asked, table = found()

    assert (at_end(table, asked, "fast").meets | ~table.meets).all()


def test_a_floor_of_quality_asks_an_estimate_for_its_low_end():
    asked, table = found()
    chat = asked.classes[0]
    strict = asked.model_copy(
        update={"classes": (chat.model_copy(update={"least_quality": 0.45}), *asked.classes[1:])}
    )
    meets = judged(table, strict).meets[:, 0]
    estimated = table.basis[:, 0] == "estimated"

    assert (sure_quality(table)[estimated, 0] == table.quality_low[estimated, 0]).all()
    assert (table.quality_low[meets & estimated, 0] >= 0.45).all()
    assert (table.quality[meets & ~estimated, 0] >= 0.45).all()
    assert np.count_nonzero(meets) < np.count_nonzero(table.meets[:, 0])
