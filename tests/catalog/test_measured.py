"""Public runs are kept as printed, and a number that cannot be is refused."""

import pytest

from advisor.errors import CatalogError

FILE = "runs/llama.cpp-pull-3648.csv"
BROKEN = {  # text, its replacement, words of the sentence
    "a speed of zero": (",61.87,", ",0,", "has decode_tok_s = 0"),
    "a speed in words": (",61.87,", ",fast,", "has decode_tok_s = fast, which cannot be"),
    "an endless speed": (",61.87,", ",inf,", "decode_tok_s = inf, which cannot be"),
    "no chip": (",M1 Max,", ",,", "a row has no chip. Fill it in."),
    "a confidence of its own": (",high,", ",sure,", "confidence must be high, medium or low"),
    "a missing column": (",batch,", ",batches,", "the column 'batch' is missing"),
}


@pytest.mark.parametrize(("old", "new", "words"), BROKEN.values(), ids=BROKEN.keys())
def test_a_run_that_cannot_be_is_refused(edited, old, new, words):
    facts = edited(FILE, old, new)

    with pytest.raises(CatalogError) as error:
        facts.printed_runs  # noqa: B018  reading it is the test

    assert words in str(error.value)
    assert str(error.value).startswith(f"catalog/{FILE}")
