"""A person's own workload: good lines are used, the rest counted, bad files say why."""

import json

import pytest

from advisor.errors import InputError
from advisor.routing.workload_file import read_workload


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_a_csv_log_gives_the_lengths_by_hand(tmp_path):
    rows = "\n".join(f"{n},{2 * n}" for n in range(10, 111, 10))  # 10, 20 ... 110
    found = read_workload(written(tmp_path, "log.csv", f"prompt_tokens,output_tokens\n{rows}\n"))

    (request,) = found.classes
    assert (request.prompt_p50_tokens, request.prompt_p90_tokens) == (60, 100)
    assert (request.output_p50_tokens, request.output_p90_tokens) == (120, 200)


def test_broken_lines_of_a_log_are_counted_and_the_others_used(tmp_path):
    good = json.dumps({"usage": {"prompt_tokens": 100, "completion_tokens": 20}})
    lines = [good] * 8 + ["{", "null", '{"usage": {"prompt_tokens": -1}}', '{"x": 1}']
    found = read_workload(written(tmp_path, "log.jsonl", "\n".join(lines)))

    assert found.classes[0].prompt_p50_tokens == 100
    assert "4 of 12 lines were not understood" in found.note


def test_texts_of_a_log_are_counted_and_never_kept(tmp_path):
    entry = {
        "messages": [{"role": "user", "content": "a secret " * 50}],
        "choices": [{"message": {"content": "another secret"}}],
    }
    found = read_workload(written(tmp_path, "log.jsonl", "\n".join([json.dumps(entry)] * 6)))

    assert 100 < found.classes[0].prompt_p50_tokens < 140  # about 480 characters, four a token
    assert "secret" not in found.model_dump_json()


def test_a_csv_of_classes_is_a_workload(tmp_path):
    header = "id,scale,share,prompt_p50_tokens,prompt_p90_tokens,output_p50_tokens,output_p90_tokens,least_tok_s,most_ttft_s"  # noqa: E501
    path = written(tmp_path, "mine.csv", f"{header}\nq,short,1,40,300,60,200,30,2\n")

    found = read_workload(path)

    assert found.id == "mine"
    assert found.classes[0].least_tok_s == 30


GOOD = """requests_per_hour = 10
[[classes]]
id = "q"
name = "Q"
scale = "short"
share = 1
prompt_p50_tokens = 40
prompt_p90_tokens = 300
output_p50_tokens = 60
output_p90_tokens = 200
most_ttft_s = 2
"""


def test_a_toml_file_needs_no_sources(tmp_path):
    assert read_workload(written(tmp_path, "mine.toml", GOOD)).requests_per_hour == 10


BAD = {
    "no columns": ("log.csv", "a,b\n1,2\n", "no columns prompt_tokens and output_tokens"),
    "too few lines": ("log.csv", "prompt_tokens,output_tokens\n1,2\n", "1 of 1 lines tell"),
    "no TOML": ("w.toml", "= 3", "not valid TOML"),
    "an unknown field": ("w.toml", f"speed = 3\n{GOOD}", "unknown field 'speed'"),
    "words for numbers": (
        "w.csv",
        "id,prompt_p50_tokens\nq,many\n",
        "line 2: prompt_p50_tokens is 'many'. Write a number",
    ),
    "no classes": ("w.csv", "id,prompt_p50_tokens\n", "has no classes"),
    "nothing to route": (
        "w.toml",
        "requests_per_hour = 1\nclasses = []",
        "classes: tuple should have at least 1 item",
    ),
}


@pytest.mark.parametrize(("name", "text", "said"), BAD.values(), ids=BAD)
def test_a_file_that_cannot_be_used_says_why(tmp_path, name, text, said):
    with pytest.raises(InputError, match=said):
        read_workload(written(tmp_path, name, text))
