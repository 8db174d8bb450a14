"""`advisor upgrade`: the verdict first, JSON with everything, bad input in words."""

import json

import pytest

from advisor.cli import main

PAIR = ("upgrade", "mac-mini-m4-16", "mac-mini-m4-pro-48")


@pytest.fixture(scope="module")
def short_only(tmp_path_factory):
    """A workload of short prompts, quick to solve."""
    path = tmp_path_factory.mktemp("workloads") / "short.toml"
    path.write_text(
        """id = "short-only"
name = "Short prompts"
requests_per_hour = 60
[[classes]]
id = "short"
name = "Short"
scale = "short"
share = 1
prompt_p50_tokens = 40
prompt_p90_tokens = 322
output_p50_tokens = 60
output_p90_tokens = 200
least_tok_s = 30
most_ttft_s = 2
"""
    )
    return str(path)


def test_short_prompts_alone_are_no_reason(capsys, short_only):
    assert main([*PAIR, "--workload", short_only]) == 0

    text = capsys.readouterr().out
    assert "Don't: for short, simple requests 16 GB is enough." in text
    assert "Break-even: never, whatever the machine costs" in text
    assert "no longer made: used or refurbished only" in text


def test_json_holds_both_machines(capsys, short_only):
    assert main([*PAIR, "--workload", short_only, "--json"]) == 0

    data = json.loads(capsys.readouterr().out)
    assert data["first"]["machine"]["id"] == "mac-mini-m4-16"
    assert [t["side"]["machine"]["id"] for t in data["targets"]] == ["mac-mini-m4-pro-48"]


def test_the_same_machine_twice_costs_a_sentence(capsys, short_only):
    assert main([*PAIR, "mac-mini-m4-16", "--workload", short_only]) == 0

    assert "mac-mini-m4-16 is there twice" in capsys.readouterr().err


BAD = {
    "one machine": (["upgrade", "mac-mini-m4-16"], "no second machine"),
    "a price of 0": ([*PAIR, "--price", "mac-mini-m4-16=0"], "must be above 0"),
    "a price in words": ([*PAIR, "--price", "mac-mini-m4-16=cheap"], "is not a number"),
    "a price of nothing": ([*PAIR, "--price", "650"], "MACHINE=NUMBER"),
    "half a hosted price": ([*PAIR, "--hosted", "0.1"], "as in 0.02/0.04"),
    "a context of 0": ([*PAIR, "--context", "0"], "must be 1 to"),
    "no such workload": ([*PAIR, "--workload", "office"], "No workload is called"),
    "no such runtime": ([*PAIR, "--runtime", "vllm"], "No runtime is called"),
}


@pytest.mark.parametrize(("arguments", "words"), BAD.values(), ids=BAD)
def test_bad_input_is_a_sentence(capsys, arguments, words):
    assert main(arguments) == 2

    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""
