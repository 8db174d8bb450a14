"""Variants: every buildable model in every quantization, by hand on two small models."""

import pytest

from advisor.catalog import load
from advisor.errors import CatalogError

MODELS = """model_id,params,embedding_params,expert_params,experts,experts_per_token
dense,8000000000,500000000,0,0,0
moe,30000000000,0,24000000000,128,8
"""
QUANTS = ["mlx-2bit", "mlx-3bit", "mlx-4bit", "mlx-5bit", "mlx-6bit", "mlx-8bit", "mxfp4",
          "nvfp4", "bf16", "mlx-4bit-g32", "mlx-5bit-g32", "mxfp8"]  # fmt: skip
ARTIFACTS = """model_id,quant_id,channel,bytes,exact,size_known,name,source,note
dense,mlx-4bit,mlx,4600000000,False,True,org/rounded,a,
dense,mlx-4bit,mlx,4512345678,True,True,org/exact,b,
dense,mlx-8bit,mlx,9000000000,False,False,org/estimate,e,
dense,Q4_K_M,ollama,4900000000,False,True,dense:8b,c,
unbuildable,Q4_K_M,gguf,5000000000,True,True,x.gguf,d,
"""


@pytest.fixture
def derived(facts):
    """Two models by hand: a dense one, and one with 128 experts of which 8 are read."""
    (facts / "derived").mkdir()
    (facts / "derived" / "models.csv").write_text(MODELS, encoding="utf-8")
    rows = ["model_id,quant_id,weight_bytes,dense_read_bytes,expert_bytes"]
    rows += [f"dense,{quant},4500000000,4200000000,0" for quant in QUANTS]
    rows += [f"moe,{quant},16800000000,3200000000,12800000000" for quant in QUANTS]
    (facts / "derived" / "weights.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (facts / "derived" / "artifacts.csv").write_text(ARTIFACTS, encoding="utf-8")
    return facts


def variant(catalog, model_id, quant_id):
    return catalog.variants.iloc[catalog.variant_index(model_id, quant_id)]


def test_every_model_has_every_quantization_once(derived):
    catalog = load(derived)
    table = catalog.variants

    assert len(table) == 2 * len(catalog.quants)
    assert not table.duplicated(["model_id", "quant_id"]).any()
    assert variant(catalog, "moe", "Q8_0")[["model_id", "quant_id"]].tolist() == ["moe", "Q8_0"]


def test_mlx_bytes_are_those_mlx_lm_made(derived):
    row = variant(load(derived), "dense", "mlx-4bit")

    assert row["weight_bytes"] == 4_500_000_000
    assert row["read_weight_bytes"] == 4_200_000_000


def test_gguf_bytes_are_parameters_by_measured_bits(derived):
    row = variant(load(derived), "dense", "Q4_K_M")

    assert row["weight_bytes"] == pytest.approx(8e9 * 4.921 / 8)
    assert row["read_weight_bytes"] == pytest.approx(7.5e9 * 4.921 / 8)  # no input embedding


def test_a_token_reads_its_share_of_the_experts(derived):
    catalog = load(derived)

    mlx, gguf = variant(catalog, "moe", "mlx-4bit"), variant(catalog, "moe", "Q8_0")
    assert mlx["read_weight_bytes"] == 3.2e9 + 12.8e9 * 8 / 128
    assert gguf["read_weight_bytes"] == pytest.approx((6e9 + 24e9 * 8 / 128) * 8.525 / 8)


def test_an_exact_published_size_goes_before_a_rounded_one(derived):
    catalog = load(derived)

    assert variant(catalog, "dense", "mlx-4bit")["published_bytes"] == 4_512_345_678
    assert variant(catalog, "dense", "Q4_K_M")["published_ollama_bytes"] == 4.9e9
    assert variant(catalog, "dense", "Q4_K_M")[["published_bytes"]].isna().all()


def test_an_estimate_is_no_published_size(derived):
    assert variant(load(derived), "dense", "mlx-8bit")[["published_bytes"]].isna().all()


def test_a_model_without_bytes_says_what_to_run(derived):
    path = derived / "derived" / "weights.csv"
    text = path.read_text(encoding="utf-8").replace(
        "moe,nvfp4,16800000000,3200000000,12800000000\n", ""
    )
    path.write_text(text, encoding="utf-8")

    with pytest.raises(CatalogError, match=r"moe in nvfp4\. Run 'advisor catalog build'\."):
        load(derived).variants  # noqa: B018  reading it is the test


def test_missing_derived_tables_say_what_to_run(facts):
    with pytest.raises(CatalogError, match=r"models\.csv is missing\. Run 'advisor catalog build'"):
        load(facts).variants  # noqa: B018


def test_a_column_that_is_missing_is_named(derived):
    path = derived / "derived" / "artifacts.csv"
    path.write_text(ARTIFACTS.replace(",channel,", ",place,"), encoding="utf-8")

    with pytest.raises(CatalogError, match=r"artifacts\.csv: the column 'channel' is missing"):
        load(derived).artifacts  # noqa: B018


def test_a_row_longer_than_the_header_is_refused(derived):
    path = derived / "derived" / "artifacts.csv"
    path.write_text(ARTIFACTS.replace("rounded,a,", "rounded,a,b,c"), encoding="utf-8")

    with pytest.raises(CatalogError, match=r"artifacts\.csv"):
        load(derived).artifacts  # noqa: B018


def test_a_vision_tower_is_no_part_of_the_text_weights() -> None:
    catalog = load()

    def tower(model_id: str, quant_id: str) -> float:
        return catalog.variants["vision_bytes"].iloc[catalog.variant_index(model_id, quant_id)]

    # The same at every bit width, and only where a published MLX artifact holds it.
    # 29500938720 bytes of the 8-bit repository less 28579483136 of its text.
    assert tower("qwen3.6-27b", "mlx-4bit") == tower("qwen3.6-27b", "mlx-8bit") == 921455584
    assert tower("qwen3.6-27b", "Q4_K_M") == 0
    assert tower("qwen3-8b", "mlx-4bit") == 0
    # No figure given: what its smallest published artifact has on top of the text weights.
    assert tower("qwen3.8-27b", "mlx-4bit") == 29538637578 - 28579483136
