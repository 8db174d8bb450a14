"""A published file stands for each model and quantization, and its size is a file's size."""

import dataclasses

import pandas as pd
import pytest

from advisor.catalog import artifacts, load
from advisor.catalog.artifacts import Bounds
from advisor.catalog.published_sizes import PublishedSize, published_sizes

CATALOG = load()
TABLE = CATALOG.artifacts.set_index(["model_id", "quant_id", "channel"])
FILE = PublishedSize(
    name="org/Model-GGUF", channel="gguf", quant="Q4_K_M", printed="4.6 GiB",
    size_bytes=4.9e9, step_bytes=1e8, source_url="https://example.com", model_id="model",
    quant_id="Q4_K_M", problem="", assumed=(), other_weights=False,
)  # fmt: skip


def bounds(_model_id, _quant_id):
    return Bounds(computed=5e9, smallest=4e9, largest=7e9)


def test_the_checked_in_tables_follow_from_the_printed_sizes():
    assert artifacts.check(CATALOG.root) == []


PUBLISHED = {  # model, quant, channel -> bytes, name; as printed by exo, LlamaBarn and Ollama
    ("gpt-oss-20b", "MXFP4_MOE", "ollama"): (14_000_000_000, "gpt-oss:20b"),
    ("gpt-oss-20b", "MXFP4_MOE", "gguf"): (
        12_109_566_560, "ggml-org/gpt-oss-20b-GGUF/gpt-oss-20b-mxfp4.gguf",
    ),
    ("llama-3.1-8b", "Q4_K_M", "ollama"): (4_900_000_000, "llama3.1:8b"),
    ("qwen3.6-27b", "mlx-4bit", "mlx"): (16_054_262_240, "mlx-community/Qwen3.6-27B-4bit"),
    ("qwen3-8b", "Q4_K_M", "ollama"): (5_200_000_000, "qwen3:8b"),
    ("qwen3-8b", "Q4_K_M", "gguf"): (round(4.7 * 2**30), "Qwen/Qwen3-8B-GGUF"),
}  # fmt: skip


@pytest.mark.parametrize(("key", "published"), PUBLISHED.items(), ids=map(" ".join, PUBLISHED))
def test_a_published_file_has_its_size_and_the_name_to_get_it_by(key, published):
    row = TABLE.loc[key]

    assert (row["bytes"], row["name"]) == published


def test_a_file_is_of_the_model_itself_not_of_another_with_its_shape():
    names = TABLE.loc["qwen3-8b"]["name"]

    assert not names.str.contains("DeepSeek").any()


def test_what_was_made_from_a_round_number_is_an_estimate():
    # 4,637,851,648 bytes are 4,423 MiB to the byte, and 2.6 % above what the weights weigh.
    row = TABLE.loc[("llama-3.1-8b", "mlx-4bit", "mlx")]

    assert (row["exact"], row["size_known"]) == (False, False)


def test_an_impossible_size_is_set_aside_with_the_reason():
    file = dataclasses.replace(FILE, size_bytes=0.6e9)

    kept, aside = artifacts.chosen([file], bounds)

    assert kept == []
    assert aside[0]["reason"].startswith("0.12 x the computed size")


def test_an_exact_size_goes_before_a_rounded_one():
    exact = dataclasses.replace(FILE, name="zz/Model-GGUF", size_bytes=4_912_345_678, step_bytes=0)

    kept, _ = artifacts.chosen([FILE, exact], bounds)

    assert [row["name"] for row in kept] == ["zz/Model-GGUF"]


def test_an_instruct_file_goes_before_a_base_one():
    base = dataclasses.replace(FILE, name="unsloth/Model-base-GGUF")

    kept, _ = artifacts.chosen([base, FILE], bounds)

    assert [row["name"] for row in kept] == ["org/Model-GGUF"]


def test_of_exact_sizes_that_disagree_the_middle_one_is_kept_and_noted():
    files = [
        dataclasses.replace(FILE, name=name, size_bytes=size, step_bytes=0)
        for name, size in {"a": 4_900_000_001, "b": 5_000_000_001, "c": 5_500_000_001}.items()
    ]

    kept, _ = artifacts.chosen(files, bounds)

    assert kept[0]["name"] == "b"
    assert kept[0]["note"].startswith("the middle of 3 files of 4900000001 to 5500000001 bytes")


def test_every_name_resolves_to_the_model_it_stands_for():
    sizes = {size.name: size for size in published_sizes(CATALOG)}

    for (model_id, _, _), name in TABLE["name"].items():
        assert sizes[name].model_id == model_id


def test_little_is_set_aside():
    aside = pd.read_csv(CATALOG.root / "derived" / "sizes_set_aside.csv")

    assert len(aside) < 0.01 * len(TABLE)
