"""What must hold for every model, machine and question; Hypothesis looks for an exception."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.catalog import Catalog, load
from advisor.catalog.shapes import Machine
from advisor.estimate import plan
from advisor.estimate.cases import Cases

CATALOG: Catalog = load()
MACHINES = [CATALOG.machine(machine_id) for machine_id in CATALOG.machine_ids]
MEMORY_GB = sorted({size for machine in MACHINES for size in [machine.memory_gb]})
# Best first: a change for the better never goes down this list.
ORDER = ("fits", "raise_limit", "pages", "no")
MLX_BY_BITS = ("mlx-2bit", "mlx-3bit", "mlx-4bit", "mlx-5bit", "mlx-6bit", "mlx-8bit", "bf16")

machines = st.sampled_from(MACHINES)
models = st.sampled_from(CATALOG.model_ids)
quants = st.sampled_from(CATALOG.quant_ids)
contexts = st.integers(1, 262144)
batches = st.sampled_from([1, 2, 8])
kv_bits = st.sampled_from(plan.KV_BITS)
laws = settings(max_examples=150, deadline=None)


def ask(machine: Machine, model_id: str, quant_id: str, context_tokens: int, **asked) -> dict:
    """The engine's answer to one question, each column a plain value."""
    variant = CATALOG.variant_index(model_id, quant_id)
    runtime = plan.DEFAULT_RUNTIME[CATALOG.quants[quant_id].format]
    cases = Cases(
        machine=np.array([0]),
        variant=np.array([variant]),
        runtime=np.array([CATALOG.runtime_ids.index(runtime)]),
        context_tokens=np.array([context_tokens]),
        kv_bits=np.array([asked.get("kv_bits", 16)]),
        batch=np.array([asked.get("batch", 1)]),
    )
    found = plan.answer(CATALOG, [machine], cases)
    return {name: np.broadcast_to(values, (1,))[0] for name, values in found.items()}


@laws
@given(machines, models, quants, contexts, contexts, batches)
def test_more_context_is_never_faster_and_never_less_memory(
    machine, model_id, quant_id, one, other, batch
) -> None:
    short, long = sorted((one, other))
    before = ask(machine, model_id, quant_id, short, batch=batch)
    after = ask(machine, model_id, quant_id, long, batch=batch)

    assert after["decode_tok_s"] <= before["decode_tok_s"]
    assert after["total_bytes"] >= before["total_bytes"]
    assert ORDER.index(after["verdict"]) >= ORDER.index(before["verdict"])


@laws
@given(models)
def test_more_bits_are_never_fewer_bytes(model_id) -> None:
    rows = CATALOG.variants.loc[
        [CATALOG.variant_index(model_id, quant_id) for quant_id in MLX_BY_BITS]
    ]

    assert rows["weight_bytes"].is_monotonic_increasing
    assert rows["read_weight_bytes"].is_monotonic_increasing


@laws
@given(machines, models, quants, contexts, st.sampled_from(MEMORY_GB), st.integers(0, 7))
def test_more_memory_is_never_a_worse_verdict(
    machine, model_id, quant_id, context, memory_gb, in_use_gb
) -> None:
    machine = replace(machine, in_use_bytes=in_use_gb << 30)
    small, large = sorted((machine.memory_gb, memory_gb))
    before = ask(replace(machine, memory_gb=small), model_id, quant_id, context)
    after = ask(replace(machine, memory_gb=large), model_id, quant_id, context)

    assert ORDER.index(after["verdict"]) <= ORDER.index(before["verdict"])
    assert after["max_context_tokens"] >= before["max_context_tokens"]


@laws
@given(machines, models, quants, contexts, st.integers(0, 7), st.integers(0, 7))
def test_more_memory_in_use_is_never_a_better_verdict(
    machine, model_id, quant_id, context, one, other
) -> None:
    few, many = sorted((one, other))
    before = ask(replace(machine, in_use_bytes=few << 30), model_id, quant_id, context)
    after = ask(replace(machine, in_use_bytes=many << 30), model_id, quant_id, context)

    assert ORDER.index(after["verdict"]) >= ORDER.index(before["verdict"])
    assert after["idle_verdict"] == before["idle_verdict"]


@laws
@given(machines, models, quants, contexts, batches, kv_bits)
def test_what_fits_is_exactly_what_the_largest_context_says(
    machine, model_id, quant_id, context, batch, bits
) -> None:
    asked = {"batch": batch, "kv_bits": bits}
    found = ask(machine, model_id, quant_id, context, **asked)
    largest = int(found["max_context_tokens"])
    most = int(CATALOG.shapes["max_context_tokens"][model_id])
    if context <= most:
        assert (found["verdict"] == "fits") == (context <= largest)
    if largest:
        assert ask(machine, model_id, quant_id, largest, **asked)["verdict"] == "fits"
    if largest < most:
        assert ask(machine, model_id, quant_id, largest + 1, **asked)["verdict"] != "fits"


@laws
@given(machines, models, quants, contexts)
def test_a_narrower_cache_is_never_more_memory_and_never_slower(
    machine, model_id, quant_id, context
) -> None:
    wide, narrow, narrowest = (
        ask(machine, model_id, quant_id, context, kv_bits=bits) for bits in (16, 8, 4)
    )

    assert wide["kv_bytes"] >= narrow["kv_bytes"] >= narrowest["kv_bytes"]
    assert wide["decode_tok_s"] <= narrow["decode_tok_s"] <= narrowest["decode_tok_s"]


@laws
@given(machines, models, quants, contexts)
def test_an_estimate_lies_inside_its_interval(machine, model_id, quant_id, context) -> None:
    found = ask(machine, model_id, quant_id, context)

    assert 0 < found["decode_low"] < found["decode_tok_s"] < found["decode_high"]


@laws
@given(machines, models, st.sampled_from(MLX_BY_BITS), contexts)
def test_no_step_is_faster_than_its_bytes_at_full_bandwidth(
    machine, model_id, quant_id, context
) -> None:
    found = ask(machine, model_id, quant_id, context)
    floor_s = (found["read_weight_bytes"] + found["read_kv_bytes"]) / (
        machine.chip.bandwidth_bytes_per_s
    )

    assert found["step_s"] > floor_s


@pytest.mark.parametrize("context_tokens", [1, 8192, 131072])
def test_a_case_asked_alone_and_in_the_whole_table_has_one_number(context_tokens) -> None:
    machine = MACHINES[0]
    table = plan.table(CATALOG, [machine], context_tokens=context_tokens)
    some = table.sample(25, random_state=1)

    for row in some.itertuples():
        alone = ask(machine, row.model_id, row.quant_id, context_tokens)
        for name in ("total_bytes", "max_context_tokens", "decode_tok_s", "decode_low", "ttft_s"):
            assert alone[name] == pytest.approx(getattr(row, name), rel=1e-12)
        assert alone["verdict"] == row.verdict
