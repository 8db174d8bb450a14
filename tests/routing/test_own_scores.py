"""A person's own scores: good lines are used, unknown models and numbers are told by line."""

import pytest

from advisor.catalog import load
from advisor.errors import InputError
from advisor.routing.own_scores import read_scores


def test_good_lines_are_used_and_the_rest_are_told():
    text = (
        "scale,model,score\ncode,Qwen3-8B-Instruct,61\ncode,GPT-9,99\n"
        "poetry,qwen3-8b,50\ncode,qwen3-4b,high\ncode,qwen3-4b,140\n"
    )

    found = read_scores(load(), text, "mine.csv")

    assert found.scores == ((("code", "qwen3-8b"), 0.61),)
    assert [said.split(":")[0] for said in found.problems] == [
        f"mine.csv, line {number}" for number in (3, 4, 5, 6)
    ]
    assert "GPT-9" in found.problems[0]


def test_all_is_every_class_but_embeddings():
    found = dict(read_scores(load(), "model,scale,score\nqwen3-8b,all,50\n").scores)

    assert len(found) == 6
    assert set(found.values()) == {0.5}


BAD = {
    "a column is missing": ("model,score\nqwen3-8b,1\n", "no column 'scale'"),
    "nothing is known": ("scale,model,score\ncode,GPT-9,1\n", "no line can be used"),
    "nothing is there": ("scale,model,score\n", "no line can be used"),
}


@pytest.mark.parametrize(("text", "said"), BAD.values(), ids=BAD)
def test_a_file_of_no_use_says_why(text, said):
    with pytest.raises(InputError, match=said):
        read_scores(load(), text)
