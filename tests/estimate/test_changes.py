"""The nearest way to make it fit, on real models and machines."""

from dataclasses import replace

import pytest

from advisor.estimate import plan


def change(catalog, machine, model_id: str, quant_id: str = "mlx-4bit", **asked) -> str:
    table = plan.table(catalog, [machine], model_ids=[model_id], quant_ids=[quant_id], **asked)
    return str(table["change"].iloc[0])


def test_what_fits_needs_no_change(catalog, m4_16) -> None:
    assert change(catalog, m4_16, "qwen3-8b") == ""


def test_a_shorter_context_is_the_nearest_change(catalog, m4_16) -> None:
    table = plan.table(
        catalog, [m4_16], model_ids=["llama-3.1-8b"], quant_ids=["mlx-4bit"], context_tokens=131072
    )
    row = table.iloc[0]
    said = int(row["change"].removeprefix("context up to ").removesuffix("K")) * 1024

    assert row["verdict"] != "fits"
    assert row["max_context_tokens"] - 1024 < said <= row["max_context_tokens"]
    again = plan.table(
        catalog, [m4_16], model_ids=["llama-3.1-8b"], quant_ids=["mlx-4bit"], context_tokens=said
    )
    assert again["verdict"].iloc[0] == "fits"


def test_a_narrower_cache_is_named_where_no_useful_context_is_left(catalog, m4_16) -> None:
    # 16 sequences of 2K: 4 GiB of cache at 16 bits, 2.1 GiB at 8; the weights take 9.
    asked = {"context_tokens": 2048, "batch": 16}
    tight = replace(m4_16, wired_limit_mib=12_000)

    assert change(catalog, tight, "llama-3.1-8b", "mlx-8bit", **asked) == "8-bit cache"
    assert (
        plan.table(
            catalog, [tight], model_ids=["llama-3.1-8b"], quant_ids=["mlx-8bit"], kv_bits=8, **asked
        )["verdict"].iloc[0]
        == "fits"
    )


@pytest.mark.parametrize("context_tokens", [2048, 8192])
def test_mlx_is_never_told_to_narrow_a_sliding_models_cache(catalog, m4_16, context_tokens) -> None:
    table = plan.table(catalog, [m4_16], runtime="mlx-lm", context_tokens=context_tokens, batch=8)
    shapes = catalog.shapes.loc[table["model_id"]]
    sliding = (shapes["sliding_layers"] > 0).to_numpy()

    assert sliding.any()
    assert not table.loc[sliding, "change"].str.endswith("cache").any()


def test_the_widest_narrower_quantization_that_fits_is_named(catalog, m4_16) -> None:
    said = change(catalog, m4_16, "qwen3-14b", "mlx-8bit")

    # 14.8 B parameters: 6.5 bits are 12.0 GB, which leaves no room for 8K; 5.5 bits are 10.2.
    assert said == "mlx-5bit instead"


def test_three_bits_and_fewer_are_no_way_out(catalog, m4_16) -> None:
    table = plan.table(catalog, [m4_16])

    assert not table["change"].str.contains("-3bit|-2bit|Q3_|Q2_").any()


def test_more_memory_is_the_last_way_out(catalog, m4_16, m4_pro_48) -> None:
    assert change(catalog, m4_16, "qwen3-30b-a3b") == "24 GB of memory"
    assert change(catalog, m4_pro_48, "llama-3.3-70b") == "64 GB of memory"


def test_what_no_mac_holds_is_said(catalog, m4_16) -> None:
    # 1.03 T parameters at 4.5 bits are 578 GB.
    assert change(catalog, m4_16, "kimi-k2") == "no Mac sold holds it"


def test_other_programs_are_named_when_they_are_the_cause(catalog) -> None:
    busy = catalog.machine("mac-mini-m4-16", in_use_gb=11)

    # 4-bit weights of 4.5 GB; nothing narrower is worth naming, the GPU limit would do.
    said = change(catalog, busy, "llama-3.1-8b", "mlx-4bit")

    assert said.startswith("free ")
    assert said.endswith(" MiB of other programs")


def test_a_raised_limit_is_named_with_its_number(catalog, m4_pro_48) -> None:
    # 72.7 B parameters at 4.25 bits are 38.6 GB; 8K of cache add 2.7 and buffers 1.5: above the
    # 40.2 GB of macOS 26, below the 42.9 of a raised limit, and nothing of 4 bits is narrower.
    assert change(catalog, m4_pro_48, "qwen2-72b", "mxfp4") == "raise the limit to 40960 MiB"


def test_without_a_memory_size_there_is_nothing_to_change(catalog) -> None:
    assert change(catalog, catalog.machine_from_parts("M4 Pro"), "llama-3.3-70b") == ""
