"""A broken catalog file is a sentence that names the file, the field and what to do."""

import json

import pytest

from advisor.catalog import load
from advisor.catalog.load import DEFAULT_ROOT
from advisor.errors import CatalogError

M5 = "chips/m5-10.toml"
MINI = "macs/mac-mini-m4.toml"

BROKEN = {  # file, text, its replacement, what reads it, the sentence
    "a figure without a source": (
        M5,
        '"gpu_cores", "bandwidth_gb_per_s"]',
        '"gpu_cores"]',
        lambda facts: facts.chip("m5-10"),
        "catalog/chips/m5-10.toml: no source backs bandwidth_gb_per_s. "
        "Add it to the 'backs' of a [[sources]] entry.",
    ),
    "a price without a source": (
        MINI,
        'on = "2024-10"',
        'on = "2024-11"',
        lambda facts: facts.mac("mac-mini-m4"),
        "no source backs prices 2024-11.",
    ),
    "an unknown field": (
        M5,
        "power_w = ",
        "watts = ",
        lambda facts: facts.chip("m5-10"),
        "unknown field 'watts'. Known fields: id, name,",
    ),
    "a source for no figure": (
        M5,
        '["power_w"]',
        '["power_w", "bandwith"]',
        lambda facts: facts.chip("m5-10"),
        "a source backs 'bandwith', which is no figure of this file.",
    ),
    "text where a number belongs": (
        M5,
        "gpu_cores = 10",
        'gpu_cores = "10"',
        lambda facts: facts.chip("m5-10"),
        "m5-10.toml: gpu_cores: input should be a valid integer (given '10').",
    ),
    "a bandwidth below zero": (
        M5,
        "bandwidth_gb_per_s = 153",
        "bandwidth_gb_per_s = -153",
        lambda facts: facts.chip("m5-10"),
        "bandwidth_gb_per_s: input should be greater than 0 (given -153).",
    ),
    "an endless bandwidth": (
        M5,
        "bandwidth_gb_per_s = 153",
        "bandwidth_gb_per_s = inf",
        lambda facts: facts.chip("m5-10"),
        "bandwidth_gb_per_s:",
    ),
    "a missing field": (
        M5,
        "cpu_cores = 10\n",
        "",
        lambda facts: facts.chip("m5-10"),
        "the field 'cpu_cores' is missing. Add it.",
    ),
    "an id that is not the file's name": (
        M5,
        'id = "m5-10"',
        'id = "m5"',
        lambda facts: facts.chip("m5-10"),
        "id is 'm5', the file's name says 'm5-10'. Make them the same.",
    ),
    "no TOML": (M5, "name = ", "name ", lambda facts: facts.chip("m5-10"), "is not valid TOML"),
    "a chip that is not there": (
        MINI,
        "m4-10 = ",
        "m4-11 = ",
        lambda facts: facts.mac("mac-mini-m4"),
        "catalog/macs/mac-mini-m4.toml: no file chips/m4-11.toml for the bin 'm4-11'.",
    ),
    "a size the chip is not sold with": (
        MINI,
        "[16, 24, 32]",
        "[16, 24, 32, 48]",
        lambda facts: facts.mac("mac-mini-m4"),
        "m4-10 is not sold with 48 GB.",
    ),
    "no memory option": (
        MINI,
        "[16, 24, 32]",
        "[]",
        lambda facts: facts.mac("mac-mini-m4"),
        "bins must give each memory size once",
    ),
    "a price of a size not sold": (
        MINI,
        "memory_gb = 24",
        "memory_gb = 48",
        lambda facts: facts.mac("mac-mini-m4"),
        "prices: 48 GB is no memory option",
    ),
    "a price without a date": (
        MINI,
        'on = "2024-10"\n',
        "",
        lambda facts: facts.mac("mac-mini-m4"),
        "the field 'prices.0.on' is missing.",
    ),
    "a price dated in words": (
        MINI,
        'on = "2024-10"',
        'on = "launch"',
        lambda facts: facts.mac("mac-mini-m4"),
        "prices.0.on: string should match pattern",
    ),
    "a lost link that is too sure": (
        "chips/m6-16gb.toml",
        'url = "public file, link not kept"\nconfidence = "low"',
        'url = "public file, link not kept"',
        lambda facts: facts.chip("m6-16gb"),
        "has confidence 'low'",
    ),
    "a runtime twice": (
        "runtimes.toml",
        'id = "omlx"',
        'id = "ollama"',
        lambda facts: facts.runtimes,
        "catalog/runtimes.toml: the runtime 'ollama' is there twice. Remove one.",
    ),
    "a quantization without bits": (
        "gguf_bpw.csv",
        "Q4_K_M,",
        "Q4_K_N,",
        lambda facts: facts.quants,
        "catalog/gguf_bpw.csv: Q4_K_M is gguf in quants.toml.",
    ),
    "bits in words": (
        "gguf_bpw.csv",
        "Q4_K_M,55,4.921",
        "Q4_K_M,55,many",
        lambda facts: facts.quants,
        "'Q4_K_M' has median_bits_per_weight 'many'.",
    ),
    "a rule of two minds": (
        "memory_rules.toml",
        "{ from_gb = 192, keep_gib = 48 }",
        "{ from_gb = 192, keep_gib = 48, fraction = 0.75 }",
        lambda facts: facts.memory_rules,
        "a bracket needs either fraction or keep_gib",
    ),
    "a rule without a source": (
        "memory_rules.toml",
        'backs = ["os_reserve_gib"]',
        'backs = ["page_bytes"]',
        lambda facts: facts.memory_rules,
        "no source backs os_reserve_gib.",
    ),
}


@pytest.mark.parametrize(
    ("file", "old", "new", "read", "sentence"), BROKEN.values(), ids=BROKEN.keys()
)
def test_a_broken_file_is_refused_with_its_cure(edited, file, old, new, read, sentence):
    facts = edited(file, old, new)

    with pytest.raises(CatalogError) as error:
        read(facts)

    message = str(error.value)
    assert sentence in message
    assert message.startswith(f"catalog/{file}")


def test_a_file_that_is_not_utf_8_is_named(facts):
    path = facts / M5
    path.write_bytes(path.read_bytes() + "# née\n".encode("latin-1"))

    with pytest.raises(CatalogError, match=r"m5-10\.toml: byte \d+ is not UTF-8\. Save"):
        load(facts).chip("m5-10")


def test_a_missing_file_is_named(facts):
    (facts / "runtimes.toml").unlink()

    with pytest.raises(CatalogError, match=r"catalog/runtimes\.toml is missing\."):
        load(facts).runtimes  # noqa: B018  reading it is the test


def test_a_model_figure_needs_a_source_too(facts):
    model = {
        "id": "tiny",
        "name": "Tiny",
        "hf_id": "org/Tiny",
        "family": "Tiny",
        "card_params_b": 1.2,
        "config": {"model_type": "llama"},
        "sources": [{"backs": ["config"], "url": "https://example.com"}],
    }
    (facts / "models").mkdir()
    (facts / "models" / "tiny.json").write_text(json.dumps(model), encoding="utf-8")

    with pytest.raises(CatalogError, match=r"models/tiny\.json: no source backs card_params_b\."):
        load(facts).model("tiny")


def test_the_entry_to_copy_in_the_readme_loads(facts):
    readme = (DEFAULT_ROOT / "README.md").read_text(encoding="utf-8")
    chip = facts / "chips" / "m4-max-40.toml"
    chip.write_text(readme.split("```toml\n")[1].split("```")[0], encoding="utf-8")

    assert load(facts).chip("m4-max-40").bandwidth_gb_per_s == 546
