"""The table as its callers see it: right answers, one number a key, clear refusals."""

import math
from dataclasses import replace

import numpy as np
import pytest

from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.errors import InputError
from advisor.estimate import plan
from advisor.estimate.cases import Cases

COLUMNS = {
    "machine_id", "model_id", "quant_id", "runtime", "context_tokens", "kv_bits", "batch",
    "weight_bytes", "weight_basis", "computed_weight_bytes", "published_weight_bytes", "kv_bytes",
    "buffer_bytes", "total_bytes", "gpu_limit_bytes", "budget_bytes", "verdict", "idle_verdict",
    "raise_limit_mib", "max_context_tokens", "change", "context_problem", "cache_note",
    "read_weight_bytes", "read_kv_bytes", "overhead_s", "weights_s", "kv_s", "step_s",
    "streams_s", "decode_tok_s", "decode_low", "decode_high", "aggregate_tok_s", "prefill_tok_s",
    "prefill_low", "prefill_high", "ttft_s", "ttft_low", "ttft_high", "load_s", "basis", "runs",
}  # fmt: skip


def speed(catalog: Catalog, machine: Machine, model_id: str, quant_id: str, **asked) -> float:
    table = plan.table(catalog, [machine], model_ids=[model_id], quant_ids=[quant_id], **asked)
    return float(table["decode_tok_s"].iloc[0])


def test_the_table_has_every_column_and_no_hole_in_a_speed(catalog, m4_16) -> None:
    table = plan.table(catalog, [m4_16])

    assert set(table.columns) == COLUMNS
    assert len(table) >= 2500
    speeds = table[["decode_tok_s", "decode_low", "decode_high", "prefill_tok_s", "ttft_s"]]
    assert np.isfinite(speeds.to_numpy()).all()
    assert (speeds.to_numpy() > 0).all()
    assert (table["basis"] == "predicted").all()


def test_each_format_is_answered_by_its_default_runtime(catalog, m4_16) -> None:
    table = plan.table(catalog, [m4_16])
    formats = table["quant_id"].map(lambda quant: catalog.quants[quant].format)

    assert set(table.loc[formats == "mlx", "runtime"]) == {"mlx-lm"}
    assert set(table.loc[formats == "gguf", "runtime"]) == {"llama.cpp"}


def test_a_runtime_answers_for_the_format_it_runs(catalog, m4_16) -> None:
    table = plan.table(catalog, [m4_16], runtime="lmstudio-gguf")

    assert {catalog.quants[quant].format for quant in table["quant_id"]} == {"gguf"}


def test_longer_contexts_are_strictly_slower(catalog, m4_pro_48) -> None:
    at_8k = speed(catalog, m4_pro_48, "llama-3.1-8b", "mlx-4bit", context_tokens=8192)
    at_32k = speed(catalog, m4_pro_48, "llama-3.1-8b", "mlx-4bit", context_tokens=32768)

    assert at_32k < at_8k


def test_the_same_model_in_two_engines_has_two_numbers(catalog) -> None:
    # Measured on an M4 Pro with 4K of context: 46.9 in mlx-lm, 24.2 in LM Studio's GGUF engine.
    machine = catalog.machine_from_parts("M4 Pro", memory_gb=24)
    asked = {"model_ids": ["qwen3-8b"], "context_tokens": 4096}
    on_mlx = plan.table(catalog, [machine], quant_ids=["mlx-4bit"], **asked).iloc[0]
    on_gguf = plan.table(
        catalog, [machine], quant_ids=["Q4_K_M"], runtime="lmstudio-gguf", **asked
    ).iloc[0]

    assert on_mlx["decode_low"] < 46.9 < on_mlx["decode_high"]
    assert on_gguf["decode_low"] < 24.2 < on_gguf["decode_high"]
    assert on_mlx["decode_tok_s"] > 1.3 * on_gguf["decode_tok_s"]


@pytest.mark.parametrize("quant_id", ["mlx-4bit", "Q4_K_M"])
@pytest.mark.parametrize("model_id", ["llama-3.1-8b", "qwen3-8b", "qwen3-4b", "mistral-7b-v0.3"])
def test_a_dense_model_gains_what_the_bandwidth_gains(
    catalog, m4_16, m4_pro_48, model_id, quant_id
) -> None:
    before = speed(catalog, m4_16, model_id, quant_id)
    after = speed(catalog, m4_pro_48, model_id, quant_id)

    # 120 and 273 GB/s; the overhead per layer, paid on both, keeps small models below that.
    assert 1.8 <= after / before <= 2.3


def test_dense_models_gain_alike_in_the_whole_catalog(catalog, m4_16, m4_pro_48) -> None:
    table = plan.table(catalog, [m4_16, m4_pro_48])
    before, after = (table[table["machine_id"] == m.id].reset_index() for m in (m4_16, m4_pro_48))
    dense = before["model_id"].map(catalog.shapes["kind"]) == "dense"
    both = dense & (before["verdict"] == "fits") & (before["weight_bytes"] > 2e9)
    gain = (after["decode_tok_s"] / before["decode_tok_s"])[both]

    assert both.sum() > 500
    assert 1.8 <= gain.median() <= 2.3
    # An estimate of a share of bandwidth, not a law: a tenth above the ratio is an error.
    assert gain.max() < 1.1 * 273 / 120


def test_what_fills_48_gb_is_slower_than_what_fills_16(catalog, m4_16, m4_pro_48) -> None:
    table = plan.table(catalog, [m4_16, m4_pro_48])
    dense = table["model_id"].map(catalog.shapes["kind"]) == "dense"
    filling = (table["verdict"] == "fits") & (table["total_bytes"] > 0.9 * table["budget_bytes"])
    of_machine = table[dense & filling].groupby("machine_id")["decode_tok_s"].median()

    # 2.3 times the bandwidth reads 3.2 times the bytes: about 0.7 of the speed.
    assert 0.6 < of_machine[m4_pro_48.id] / of_machine[m4_16.id] < 0.85


def test_no_weights_move_faster_than_the_chips_bandwidth(catalog) -> None:
    machines = [catalog.machine(machine_id) for machine_id in catalog.machine_ids[:40]]
    table = plan.table(catalog, machines)
    bandwidth = {m.id: m.chip.bandwidth_bytes_per_s for m in machines}

    most = table["machine_id"].map(bandwidth)
    assert (table["read_weight_bytes"] / table["weights_s"] <= most * (1 + 1e-9)).all()
    assert (table["overhead_s"] > 0).all()


def test_the_receipt_adds_up(catalog, m4_16) -> None:
    table = plan.table(catalog, [m4_16])

    assert np.allclose(
        table["overhead_s"] + table["weights_s"] + table["kv_s"], table["step_s"], rtol=1e-12
    )
    assert np.allclose(1 / table["step_s"], table["decode_tok_s"], rtol=1e-12)
    assert np.allclose(
        table["weight_bytes"] + table["kv_bytes"] + table["buffer_bytes"],
        table["total_bytes"],
        rtol=1e-12,
    )


def test_one_key_has_one_number_in_table_answer_and_grid(catalog, m4_16, m4_pro_48) -> None:
    machines, contexts = [m4_16, m4_pro_48], [512, 8192, 65536]
    count = len(catalog.variants)
    runtime = np.array(
        [
            catalog.runtime_ids.index(plan.DEFAULT_RUNTIME[format_])
            for format_ in catalog.variants["format"]
        ]
    )
    grid = plan.decode_grid(
        catalog,
        machines,
        Cases(
            machine=np.arange(2)[None, :, None],
            variant=np.arange(count)[:, None, None],
            runtime=runtime[:, None, None],
            context_tokens=np.array(contexts)[None, None, :],
            kv_bits=np.array(16),
            batch=np.array(1),
        ),
    )

    assert grid.shape == (count, 2, 3)
    for at, context in enumerate(contexts):
        table = plan.table(catalog, machines, context_tokens=context, listed_only=False)
        by_machine = table["decode_tok_s"].to_numpy().reshape(2, count).T
        assert np.allclose(by_machine, grid[:, :, at], rtol=1e-12)


@pytest.mark.parametrize("model_id", ["gemma-3-27b", "qwen3-8b"])
def test_a_grid_may_be_a_single_number_or_a_list(catalog, m4_16, model_id) -> None:
    variant = catalog.variant_index(model_id, "mlx-4bit")
    runtime = catalog.runtime_ids.index("mlx-lm")
    one, contexts = np.array(0), np.array([1000, 5000])

    def grid(**shape: np.ndarray) -> np.ndarray:
        parts = {"machine": one, "variant": np.array(variant), "runtime": np.array(runtime)}
        rest = {"context_tokens": contexts, "kv_bits": np.array(16), "batch": np.array(1)}
        return plan.decode_grid(catalog, [m4_16], Cases(**(parts | rest | shape)))

    single = grid(context_tokens=np.array(5000))
    listed = grid()
    flat = grid(variant=np.array([variant, variant]))

    assert single.shape == ()
    assert listed.shape == flat.shape == (2,)
    assert np.allclose([float(single)] * 2, [listed[1], flat[1]], rtol=1e-12)
    assert listed[0] == pytest.approx(flat[0], rel=1e-12)


def test_without_a_memory_size_speeds_are_given_and_the_budget_stays_open(catalog) -> None:
    machine = catalog.machine_from_parts("M4 Pro")
    row = plan.table(catalog, [machine], model_ids=["qwen3-8b"], quant_ids=["mlx-4bit"]).iloc[0]

    assert row["decode_tok_s"] > 0
    assert row["verdict"] == row["idle_verdict"] == row["change"] == ""
    assert math.isnan(row["budget_bytes"])
    assert math.isnan(row["max_context_tokens"])


def test_an_open_bin_has_the_full_bins_number_and_an_interval_that_covers_both(catalog) -> None:
    asked = {"model_ids": ["qwen3-8b"], "quant_ids": ["mlx-4bit"]}

    def row(cores: int | None):
        machine = catalog.machine_from_parts("M4 Max", cores)
        return plan.table(catalog, [machine], **asked).iloc[0]

    open_bin, full, small = row(None), row(40), row(32)

    assert open_bin["decode_tok_s"] == full["decode_tok_s"] > small["decode_tok_s"]
    assert open_bin["decode_low"] == min(full["decode_low"], small["decode_low"])
    assert open_bin["decode_high"] == max(full["decode_high"], small["decode_high"])


def test_a_chips_bins_with_unlike_bandwidth_differ(catalog) -> None:
    small, full = (
        speed(catalog, catalog.machine_from_parts("M4 Max", cores, 64), "qwen3-32b", "mlx-4bit")
        for cores in (32, 40)
    )

    # 410 and 546 GB/s; the overhead, which bandwidth leaves alone, keeps the ratio below that.
    assert 1.15 < full / small <= 546 / 410


def test_the_first_token_waits_for_the_whole_prompt_and_one_step(catalog, m4_16) -> None:
    row = plan.table(catalog, [m4_16], model_ids=["qwen3-8b"], quant_ids=["mlx-4bit"]).iloc[0]

    assert row["ttft_s"] == pytest.approx(8192 / row["prefill_tok_s"] + row["step_s"])


def test_a_chip_without_public_runs_says_none(catalog) -> None:
    rows = plan.table(
        catalog,
        [catalog.machine("mac-mini-m6-16"), catalog.machine("mac-mini-m4-pro-48")],
        model_ids=["qwen3-8b"],
        quant_ids=["mlx-4bit"],
    )

    assert rows["runs"].iloc[0] == 0
    assert rows["runs"].iloc[1] > 100
    width = rows["decode_high"] / rows["decode_low"]
    assert width.iloc[0] > width.iloc[1]


BAD = {
    "a negative context": ({"context_tokens": -1}, "The context must be 1 to"),
    "no context": ({"context_tokens": 0}, "The context must be 1 to"),
    "a context past all models": ({"context_tokens": 10**9}, "The context must be 1 to"),
    "a cache of 5 bits": ({"kv_bits": 5}, "The cache has 16, 8 or 4 bits an element, not 5"),
    "no sequence": ({"batch": 0}, "The batch must be 1 to"),
    "an unknown runtime": ({"runtime": "ollamma"}, "No runtime is called 'ollamma'. Nearest: ol"),
    "an unknown model": ({"model_ids": ["qwen3-8"]}, "No model is called 'qwen3-8'. Nearest: qw"),
    "weights another engine runs": (
        {"runtime": "llama.cpp", "quant_ids": ["mlx-4bit"]}, "llama.cpp does not run mlx-4bit",
    ),
    "an unknown quantization": ({"quant_ids": ["Q4_K_X"]}, "No quantization is called 'Q4_K_X'"),
}  # fmt: skip


@pytest.mark.parametrize(("asked", "sentence"), BAD.values(), ids=BAD)
def test_what_cannot_be_asked_is_refused_in_a_sentence(catalog, m4_16, asked, sentence) -> None:
    with pytest.raises(InputError, match=sentence.replace("(", r"\(")):
        plan.table(catalog, [m4_16], **asked)


def test_a_wired_limit_moves_the_budget_and_not_the_speed(catalog, m4_16) -> None:
    raised = replace(m4_16, wired_limit_mib=14000)
    asked = {"model_ids": ["qwen3-14b"], "quant_ids": ["mlx-6bit"]}
    before = plan.table(catalog, [m4_16], **asked).iloc[0]
    after = plan.table(catalog, [raised], **asked).iloc[0]

    assert (before["verdict"], after["verdict"]) == ("pages", "fits")
    assert after["budget_bytes"] == 14000 * 2**20
    assert after["decode_tok_s"] == before["decode_tok_s"]
