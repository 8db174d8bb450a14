"""Changes are the two tables' own routes, and the word for each follows from their numbers."""

from dataclasses import replace

import pytest

from advisor.upgrade import changes
from advisor.upgrade.changes import Answer

BASE = Answer("A", "mlx-4bit", 0.5, "published", 20, 18, 22, 2, 1.8, 2.2, 8192, True)
NAN = float("nan")
HOSTED = Answer("", "", NAN, "", NAN, NAN, NAN, NAN, NAN, NAN, NAN, False)
WORDS = {
    "hosted before, here now": (HOSTED, BASE, changes.HOME),
    "floors broken before, kept now": (replace(BASE, keeps_floors=False), BASE, changes.HOME),
    "here before, hosted now": (BASE, HOSTED, changes.LOST),
    "hosted on both": (HOSTED, HOSTED, changes.AWAY),
    "better": (BASE, replace(BASE, model="B", quality=0.6), changes.BETTER),
    "less good": (BASE, replace(BASE, model="B", quality=0.4), changes.WORSE),
    "apart in speed": (BASE, replace(BASE, decode_low=23, decode_high=30), changes.FASTER),
    "intervals overlap": (BASE, replace(BASE, decode_low=21, decode_high=30), changes.SAME),
    "as good, another": (BASE, replace(BASE, model="B"), changes.OTHER),
}


@pytest.mark.parametrize(("before", "after", "word"), WORDS.values(), ids=WORDS)
def test_a_change_in_a_word(before, after, word):
    assert changes._what(before, after) == word


def test_changes_are_the_tables_routes(found):
    target = found.targets[0]
    for change, a, b in zip(
        target.changes, found.first.table.routes, target.side.table.routes, strict=True
    ):
        assert (change.class_id, change.before.quality) == (a.class_id, a.quality)
        assert (change.after.decode_tok_s, change.after.ttft_s) == pytest.approx(
            (b.decode_tok_s, b.ttft_s), nan_ok=True
        )


def test_a_model_has_room_for_at_least_the_context_it_is_given(found):
    for change, route in zip(found.targets[0].changes, found.first.table.routes, strict=True):
        if change.class_id != "embeddings":
            assert change.before.room_tokens >= route.context_tokens


def test_short_requests_and_embeddings_are_simple(found):
    simple = {change.class_id for change in found.targets[0].changes if change.simple}

    assert simple == {"short", "embeddings"}
